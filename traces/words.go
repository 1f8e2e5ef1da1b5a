package traces

import (
	"fmt"
	"slices"
	"strings"

	"mc/model"
)

// headline is what a trace shows, in a line without its meaning.
func headline(t *model.Trace) string {
	switch {
	case t.Fault != "":
		return t.Spec + ": the spec itself is at fault"
	case t.Verdict == model.Violated:
		return t.Property + " is violated"
	case t.Verdict == model.Reached:
		return t.Property + " is reachable"
	case t.Property == "": // of another tool
		return "a behaviour of " + t.Spec
	}
	return strings.TrimSuffix(t.Property+": "+string(t.Verdict), ": ")
}

// extent is the kind and length of a trace.
func extent(t *model.Trace) string {
	noun := "behaviour"
	switch {
	case t.Fault != "":
	case t.Verdict == model.Violated:
		noun = "counterexample"
	case t.Verdict == model.Reached:
		noun = "witness"
	}
	if t.Shortest {
		noun = "shortest " + noun
	}
	s := noun + ": " + count(uint64(len(t.Steps)-1), "step")
	switch endingOf(t) {
	case stutters:
		s += ", and then none for ever"
	case repeats:
		s += fmt.Sprintf(", of which %s repeated for ever", loopSteps(t))
	}
	return s
}

// loopSteps names the steps of a loop and agrees with its verb.
func loopSteps(t *model.Trace) string {
	last := len(t.Steps) - 1
	if t.Loop+1 == last {
		return fmt.Sprintf("step %d is", last)
	}
	return fmt.Sprintf("steps %d to %d are", t.Loop+1, last)
}

// selection names what was checked: spec, scenario, fixes and the settings
// that differ from their defaults.
func selection(spec, bug string, c model.Configuration) string {
	parts := []string{spec}
	if bug != "" {
		parts[0] += " (" + bug + ")"
	}
	if c.Scenario != "" {
		parts = append(parts, "scenario "+c.Scenario)
	}
	fixes := c.Fixes()
	switch {
	case len(fixes) == 1:
		parts = append(parts, "fix "+fixes[0])
	case len(fixes) > 1:
		parts = append(parts, "fixes "+strings.Join(fixes, ", "))
	case slices.ContainsFunc(c.Settings, func(s model.Setting) bool { return s.Fix }):
		parts = append(parts, "no fix")
	}
	if own := set(c, model.Configuration{}); own != "" {
		parts = append(parts, own)
	}
	return strings.Join(parts, " · ")
}

// set is the settings that are neither defaults nor those of another
// configuration.
func set(c, known model.Configuration) string {
	var parts []string
	for _, s := range c.Settings {
		if !s.Fix && s.Value != s.Default && !slices.Contains(known.Settings, s) {
			parts = append(parts, s.Name+"="+s.Value)
		}
	}
	return strings.Join(parts, ", ")
}

// verdictMark is the line that stands where a trace decides its property.
func verdictMark(t *model.Trace) (string, style) {
	switch {
	case t.Fault != "":
		return "✗ here the spec fails: " + t.Fault, bad
	case t.Verdict == model.Violated && endingOf(t) != stops:
		return "✗ " + t.Property + " is violated by going on like this", bad
	case t.Verdict == model.Violated && t.Kind == model.StepInvariant:
		return "✗ this step breaks " + t.Property, bad
	case t.Verdict == model.Violated && t.Kind == model.NoDeadlock:
		return "✗ no step leads out of this state: " + t.Property + " is violated", bad
	case t.Verdict == model.Violated:
		return "✗ here " + t.Property + " is violated", bad
	case t.Verdict == model.Reached:
		return "✓ here " + t.Property + " is reached", good
	}
	return "", normal
}

// othersText says what an initial state does not show.
func othersText(shown, others int) string {
	noun, verb := "field", " are"
	if shown > 0 {
		noun = "other field"
	}
	if others == 1 {
		verb = " is"
	}
	return count(uint64(others), noun) + verb + " 0, false or empty"
}

// value is how a field's value is shown: an empty one is not nothing.
func value(s string) string {
	if s == "" {
		return `""`
	}
	return s
}
