package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"mc/model"
	"mc/traces"
)

// showing is what is printed of what was found.
type showing struct {
	sel       *selection
	all, full bool
	coverage  bool
}

func (s *showing) flags(f *pflag.FlagSet) {
	f.BoolVar(&s.all, "all-traces", false, "print every counterexample, not only the shortest")
	f.BoolVar(&s.full, "full", false, "print every field of every state")
	f.BoolVar(&s.coverage, "coverage", false, "print what was seen of actions, fields and depths")
}

// bySpec takes the searches of a document apart.
func bySpec(runs []traces.Run) (specs [][]traces.Run) {
	for i := range runs {
		if i == 0 || runs[i].Spec != runs[i-1].Spec {
			specs = append(specs, nil)
		}
		last := &specs[len(specs)-1]
		*last = append(*last, runs[i])
	}
	return specs
}

// print prints the searches of one spec and the behaviours they found.
func (a *app) print(runs []traces.Run, s showing) {
	// The writer keeps the first error; flush returns it.
	o := a.textOptions(s.full)
	o.Coverage = s.coverage
	traces.Summary(a.out, runs, o)
	fmt.Fprintln(a.out)
	shown, others := s.choose(behaviours(runs, s.sel.properties))
	for _, b := range shown {
		a.text(b, s.full)
		fmt.Fprintln(a.out)
	}
	if others > 0 {
		page{a.out}.text(0, plural(others, "other")+": choose with --scenario and --property, or print all with --all-traces")
		fmt.Fprintln(a.out)
	}
}

// text prints a behaviour and what is to be said about it.
func (a *app) text(b behaviour, full bool) {
	traces.Text(a.out, b.Trace, a.textOptions(full))
	if b.result != nil {
		traces.Why(a.out, b.result, a.textOptions(full))
	}
	page{a.out}.text(8, b.alsoText())
}

// behaviour is a trace, whose it is, and what else it shows.
type behaviour struct {
	*model.Trace
	result *traces.Result // nil for a fault
	also   []*traces.Result
}

// alsoText names the other properties; empty if there are none.
func (b *behaviour) alsoText() string {
	var violated, reached []string
	for _, r := range b.also {
		if r.Verdict == model.Violated {
			violated = append(violated, r.Property)
		} else {
			reached = append(reached, r.Property)
		}
	}
	text := ""
	if len(violated) > 0 {
		text = "this also violates " + strings.Join(violated, ", ")
	}
	if len(reached) > 0 {
		text += "\n\nthis also reaches " + strings.Join(reached, ", ")
	}
	return text
}

// behaviours are what there is to show of searches: the ways to faults, the
// counterexamples, and the witnesses that were named. Properties often share
// their shortest counterexample; then it is there once.
func behaviours(runs []traces.Run, named words) (all []behaviour) {
	for i := range runs {
		first := len(all)
		if f := runs[i].Fault; f != nil {
			all = append(all, behaviour{Trace: f})
		}
		for j := range runs[i].Results {
			r := &runs[i].Results[j]
			if r.Trace == nil || r.Verdict == model.Reached && !slices.Contains(named, r.Property) {
				continue
			}
			same := slices.IndexFunc(all[first:], func(b behaviour) bool {
				return b.Fault == "" && b.Loop == r.Trace.Loop && reflect.DeepEqual(b.Steps, r.Trace.Steps)
			})
			if same >= 0 {
				all[first+same].also = append(all[first+same].also, r)
			} else {
				all = append(all, behaviour{Trace: r.Trace, result: r})
			}
		}
	}
	return all
}

// choose keeps of the behaviours of one spec the shortest, a fault before all
// others, and says how many it leaves out. It does so for each scenario and
// each property by itself that is named.
func (s *showing) choose(all []behaviour) (shown []behaviour, others int) {
	if s.all {
		return all, 0
	}
	best := map[[2]string]int{}
	for i, b := range all {
		keys := [][2]string{s.key(b.Trace)}
		for _, r := range b.also {
			keys = append(keys, s.key(r.Trace))
		}
		for _, key := range keys {
			if j, ok := best[key]; !ok || shorter(b.Trace, all[j].Trace) {
				best[key] = i
			}
		}
	}
	chosen := map[int]bool{}
	for _, i := range best {
		chosen[i] = true
	}
	for i, b := range all {
		if chosen[i] {
			shown = append(shown, b)
		}
	}
	return shown, len(all) - len(shown)
}

// key is what of a trace was named.
func (s *showing) key(t *model.Trace) (key [2]string) {
	if slices.Contains(s.sel.scenarios, t.Config.Scenario) {
		key[0] = t.Config.Scenario
	}
	if slices.Contains(s.sel.properties, t.Property) {
		key[1] = t.Property
	}
	return key
}

// shorter says whether a is to be shown rather than b.
func shorter(a, b *model.Trace) bool {
	if (a.Fault != "") != (b.Fault != "") {
		return a.Fault != ""
	}
	return cmp.Less(len(a.Steps), len(b.Steps))
}

// draw writes the first behaviour that is printed as a graph.
func (a *app) draw(doc *traces.Document, s showing, file *output) error {
	for _, runs := range bySpec(doc.Runs) {
		shown, _ := s.choose(behaviours(runs, s.sel.properties))
		if len(shown) == 0 {
			continue
		}
		if err := file.write(bytes.NewBufferString(traces.Dot(shown[0].Trace))); err != nil {
			return err
		}
		a.note("%s shows %s", file.path, title(shown[0].Trace))
		return nil
	}
	a.note("--dot %s: not written, for there is no behaviour to draw; a witness is drawn when named with --property", file.path)
	return nil
}

// title names a trace in a line.
func title(t *model.Trace) string {
	what := t.Property
	if t.Fault != "" {
		what = "the fault"
	}
	return strings.TrimSpace(t.Spec+" "+t.Config.Scenario) + ": " + what
}
