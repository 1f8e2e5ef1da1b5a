package traces

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"

	"mc/model"
)

var (
	kinds = []model.Kind{
		model.Invariant, model.StepInvariant, model.Witness, model.NoDeadlock,
		model.Leads, model.Eventual, model.Stable, model.Recurrent,
	}
	verdictWords = []model.Verdict{
		model.Holds, model.Violated, model.Reached, model.Unreachable, model.Incomplete,
	}
)

// check says what makes a document one that Encode has not written. The error
// starts with the path of the part, as in runs[0].results[2].verdict.
func (d *Document) check() error {
	if d.Exit < 0 || d.Exit > 255 {
		return fmt.Errorf("exit is %d; want 0 to 255", d.Exit)
	}
	for i := range d.Runs {
		if err := d.Runs[i].check(); err != nil {
			return fmt.Errorf("runs[%d].%w", i, err)
		}
	}
	for i := range d.Claims {
		if err := d.Claims[i].check(len(d.Runs)); err != nil {
			return fmt.Errorf("claims[%d].%w", i, err)
		}
	}
	return nil
}

func (r *Run) check() error {
	switch {
	case r.Spec == "":
		return errors.New("spec is empty")
	case r.Depth < 0 || r.StateBytes < 0 || r.MemoryBytes < 0 || r.Seconds < 0 || math.IsNaN(r.Seconds):
		return errors.New("depth, seconds, memoryBytes or stateBytes is below 0")
	}
	if err := checkLocation(r.Location); err != nil {
		return err
	}
	if err := checkSettings(r.Config.Settings); err != nil {
		return fmt.Errorf("config.%w", err)
	}
	if i := twice(r.Results, func(r Result) string { return r.Property }); i >= 0 {
		return fmt.Errorf("results[%d].property is %.60q, which is there twice", i, r.Results[i].Property)
	}
	for i := range r.Results {
		if err := r.Results[i].check(); err != nil {
			return fmt.Errorf("results[%d].%w", i, err)
		}
		if t := r.Results[i].Trace; t != nil {
			if err := r.owns(t); err != nil {
				return fmt.Errorf("results[%d].trace.%w", i, err)
			}
		}
	}
	if r.Fault == nil {
		return nil
	}
	if r.Fault.Fault == "" {
		return errors.New("fault.fault is empty")
	}
	if err := r.owns(r.Fault); err != nil {
		return fmt.Errorf("fault.%w", err)
	}
	if err := checkTrace(r.Fault); err != nil {
		return fmt.Errorf("fault.%w", err)
	}
	return nil
}

func checkSettings(settings []model.Setting) error {
	if i := twice(settings, func(s model.Setting) string { return s.Name }); i >= 0 {
		return fmt.Errorf("settings[%d].name is %.60q, which is there twice", i, settings[i].Name)
	}
	for i, s := range settings {
		if s.Fix && s.Value != "on" && s.Value != "off" {
			return fmt.Errorf("settings[%d].value is %.60q; want \"on\" or \"off\", as of any fix", i, s.Value)
		}
	}
	return nil
}

// twice is the index of the first that has the name of one before it, or -1.
func twice[T any](all []T, name func(T) string) int {
	known := map[string]bool{}
	for i, one := range all {
		if known[name(one)] {
			return i
		}
		known[name(one)] = true
	}
	return -1
}

// owns says what of a trace is not that of its search.
func (r *Run) owns(t *model.Trace) error {
	switch {
	case t.Spec != r.Spec:
		return fmt.Errorf("spec is %.60q; want %.60q, as the search has", t.Spec, r.Spec)
	case t.Config.Scenario != r.Config.Scenario:
		return fmt.Errorf("config.scenario is %.60q; want %.60q, as the search has", t.Config.Scenario, r.Config.Scenario)
	case !slices.Equal(t.Config.Settings, r.Config.Settings):
		return errors.New("config.settings are not those of the search")
	}
	return nil
}

func (r *Result) check() error {
	switch {
	case r.Property == "":
		return errors.New("property is empty")
	case !slices.Contains(kinds, r.Kind):
		return fmt.Errorf("kind is %.60q; want one of %s", r.Kind, list(kinds))
	case !slices.Contains(verdictWords, r.Verdict):
		return fmt.Errorf("verdict is %.60q; want one of %s", r.Verdict, list(verdictWords))
	case r.Expected != "" && !slices.Contains(verdictWords, r.Expected):
		return fmt.Errorf("expected is %.60q; want one of %s", r.Expected, list(verdictWords))
	case checkLocation(r.Location) != nil:
		return checkLocation(r.Location)
	case r.Trace != nil && (r.Kind == model.Witness && r.Verdict != model.Reached || r.Kind != model.Witness && r.Verdict != model.Violated):
		return fmt.Errorf("verdict is %.60q of a property of the kind %q, and there is a trace; want %q for a witness, and %q for all others", r.Verdict, r.Kind, model.Reached, model.Violated)
	case r.Trace != nil && r.Trace.Loop >= 0 && !r.Kind.Temporal():
		return fmt.Errorf("trace.loop is %d for the kind %q; want -1", r.Trace.Loop, r.Kind)
	case r.Trace != nil && r.Trace.Loop < 0 && r.Kind.Temporal():
		return fmt.Errorf("trace.loop is %d for the kind %q; want that of a behaviour without an end", r.Trace.Loop, r.Kind)
	case r.Explanation != nil && (r.Trace == nil || endingOf(r.Trace) == stops):
		return errors.New("explanation is there without a trace that goes on for ever")
	case r.Trace == nil && r.Steps != 0 && r.Verdict != model.Violated && r.Verdict != model.Reached:
		return fmt.Errorf("steps is %d; want 0 where none lead there", r.Steps)
	case r.Trace == nil:
		return nil
	case r.Steps != len(r.Trace.Steps)-1:
		return fmt.Errorf("steps is %d; want %d, as the trace has", r.Steps, len(r.Trace.Steps)-1)
	case r.Trace.Verdict != r.Verdict:
		return fmt.Errorf("trace.verdict is %.60q; want %.60q, as the result has", r.Trace.Verdict, r.Verdict)
	case r.Trace.Property != r.Property:
		return fmt.Errorf("trace.property is %.60q; want %.60q, as the result has", r.Trace.Property, r.Property)
	case r.Trace.Kind != r.Kind:
		return fmt.Errorf("trace.kind is %.60q; want %.60q, as the result has", r.Trace.Kind, r.Kind)
	}
	if err := checkTrace(r.Trace); err != nil {
		return fmt.Errorf("trace.%w", err)
	}
	return nil
}

func checkTrace(t *model.Trace) error {
	switch {
	case len(t.Steps) == 0:
		return errors.New("steps is empty; want an initial state at least")
	case t.Loop < -1 || t.Loop >= len(t.Steps):
		return fmt.Errorf("loop is %d; want -1 to %d", t.Loop, len(t.Steps)-1)
	}
	lanes := map[string]bool{"": true} // a step may stand on none
	for _, l := range t.Lanes {
		if lanes[l] {
			return fmt.Errorf("lanes has %.60q twice or empty", l)
		}
		lanes[l] = true
	}
	names := t.Steps[0].Fields
	if i := twice(names, func(f model.Field) string { return f.Name }); i >= 0 {
		return fmt.Errorf("steps[0].fields[%d].name is %.60q, which is there twice", i, names[i].Name)
	}
	if s := t.Steps[0]; s.Action != "" || s.Lane != "" || len(s.Messages) > 0 {
		return errors.New("steps[0] has an action, a lane or messages; want an initial state")
	}
	for i, s := range t.Steps {
		if i > 0 && s.Action == "" {
			return fmt.Errorf("steps[%d].action is empty", i)
		}
		if !lanes[s.Lane] {
			return fmt.Errorf("steps[%d].lane is %.60q; want one of %s", i, s.Lane, list(t.Lanes))
		}
		for j, m := range s.Messages {
			if !lanes[m.To] {
				return fmt.Errorf("steps[%d].messages[%d].to is %.60q; want one of %s", i, j, m.To, list(t.Lanes))
			}
		}
		if err := checkLocation(s.Location); err != nil {
			return fmt.Errorf("steps[%d].%w", i, err)
		}
		if err := checkCauses(s.Because, max(0, i-1)); err != nil {
			return fmt.Errorf("steps[%d].%w", i, err)
		}
		// Steps are compared field by field.
		if !slices.EqualFunc(s.Fields, names, func(f, g model.Field) bool { return f.Name == g.Name }) {
			return fmt.Errorf("steps[%d].fields are not those of steps[0]", i)
		}
	}
	if err := checkCauses(t.Because, len(t.Steps)-1); err != nil {
		return err
	}
	if i := twice(t.Truths, func(p model.Truth) string { return p.Property }); i >= 0 {
		return fmt.Errorf("truths[%d].property is %.60q, which is there twice", i, t.Truths[i].Property)
	}
	for i, p := range t.Truths {
		if err := checkTruth(&p, len(t.Steps)); err != nil {
			return fmt.Errorf("truths[%d].%w", i, err)
		}
		if last := len(t.Steps) - 1; t.Kind == model.Invariant && p.Property == t.Property && t.Fault == "" && p.Steps[last] == model.Yes {
			return fmt.Errorf("truths[%d].steps says that %.60q holds in the last state, which the trace is there to refute", i, p.Property)
		}
	}
	if t.Loop >= 0 && !slices.Equal(t.Steps[t.Loop].Fields, t.Steps[len(t.Steps)-1].Fields) {
		return fmt.Errorf("loop is %d, and the last step does not lead to the fields of steps[%d]", t.Loop, t.Loop)
	}
	return nil
}

// checkLocation wants a path that stays in its module: others follow it.
func checkLocation(l model.Location) error {
	if l != (model.Location{}) && (!fs.ValidPath(l.File) || l.Line < 1) {
		return fmt.Errorf("location is line %d of %.60q; want a line from 1 on of a file in the module", l.Line, l.File)
	}
	return nil
}

var outcomes = []Outcome{Agrees, Differs, Known, Open, Skipped}

func (c *Claim) check(runs int) error {
	if c.Spec == "" || c.ID == "" {
		return errors.New("spec or id is empty")
	}
	for i, k := range c.Cases {
		if k.Run != nil && (*k.Run < 0 || *k.Run >= runs) {
			return fmt.Errorf("cases[%d].run is %d; want the index of one of %s", i, *k.Run, count(uint64(runs), "run"))
		}
		for j, v := range k.Verdicts {
			if !slices.Contains(outcomes, v.Outcome) {
				return fmt.Errorf("cases[%d].verdicts[%d].outcome is %.60q; want one of %s", i, j, v.Outcome, list(outcomes))
			}
			for _, verdict := range []model.Verdict{v.Expected, v.Found} {
				if verdict != "" && !slices.Contains(verdictWords, verdict) {
					return fmt.Errorf("cases[%d].verdicts[%d] has the verdict %.60q; want one of %s", i, j, verdict, list(verdictWords))
				}
			}
		}
	}
	return nil
}

// checkCauses checks that causes are steps up to the last one given, in order.
func checkCauses(causes []model.Cause, last int) error {
	before := 0
	for i, c := range causes {
		if c.Step <= before || c.Step > last {
			return fmt.Errorf("because[%d].step is %d; want an earlier one, after step %d", i, c.Step, before)
		}
		before = c.Step
		if len(c.Fields) == 0 {
			return fmt.Errorf("because[%d].fields is empty", i)
		}
	}
	return nil
}

func checkTruth(p *model.Truth, steps int) error {
	switch {
	case p.Property == "":
		return errors.New("property is empty")
	case !slices.Contains(kinds, p.Kind):
		return fmt.Errorf("kind is %.60q; want one of %s", p.Kind, list(kinds))
	case len(p.Steps) != steps:
		return fmt.Errorf("steps has %d characters; want %d, as the trace has steps", len(p.Steps), steps)
	case strings.Trim(p.Steps, string([]byte{model.Yes, model.No, model.Unknown})) != "":
		return fmt.Errorf("steps is %.60q; want the characters 1, 0 and - alone", p.Steps)
	}
	return nil
}

// list names a few words for an error.
func list[S ~string](words []S) string {
	const most = 12
	quoted := make([]string, 0, most)
	for i, w := range words {
		if i == most {
			quoted = append(quoted, "…")
			break
		}
		quoted = append(quoted, fmt.Sprintf("%.60q", string(w)))
	}
	if len(quoted) == 0 {
		return "none"
	}
	return strings.Join(quoted, ", ")
}
