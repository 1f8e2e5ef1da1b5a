package cli

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"mc/model"
	"mc/traces"
)

// print prints a search and the behaviours it found.
func (a *app) print(run *traces.Run, named words, full bool) {
	o := a.textOptions(full)
	// The writer keeps the first error; flush returns it.
	traces.Summary(a.out, run, o)
	fmt.Fprintln(a.out)
	for _, b := range behaviours(run, named) {
		traces.Text(a.out, b.Trace, o)
		page{a.out}.text(8, b.alsoText())
		fmt.Fprintln(a.out)
	}
}

// behaviour is a trace, and what else it shows besides its own property.
type behaviour struct {
	*model.Trace
	also []traces.Result
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

// behaviours are what there is to show of a run: the way to a fault, the
// counterexamples, and the witnesses that were named. Properties often share
// their shortest counterexample; then it is there once.
func behaviours(run *traces.Run, named words) (all []behaviour) {
	if run.Fault != nil {
		all = append(all, behaviour{Trace: run.Fault})
	}
	for _, r := range run.Results {
		if r.Trace == nil || r.Verdict == model.Reached && !slices.Contains(named, r.Property) {
			continue
		}
		i := slices.IndexFunc(all, func(b behaviour) bool {
			return b.Fault == "" && b.Loop == r.Trace.Loop && reflect.DeepEqual(b.Steps, r.Trace.Steps)
		})
		if i >= 0 {
			all[i].also = append(all[i].also, r)
		} else {
			all = append(all, behaviour{Trace: r.Trace})
		}
	}
	return all
}

// draw writes the first behaviour of a document as a graph.
func (a *app) draw(doc *traces.Document, named words, file *output) error {
	var first *model.Trace
	var others []string
	for i := range doc.Runs {
		for _, b := range behaviours(&doc.Runs[i], named) {
			if first == nil {
				first = b.Trace
			} else {
				others = append(others, title(b.Trace))
			}
		}
	}
	if first == nil {
		a.note("--dot %s: not written, for there is no behaviour to draw; a witness is drawn when named with --property", file.path)
		return nil
	}
	if err := file.write(bytes.NewBufferString(traces.Dot(first))); err != nil {
		return err
	}
	a.note("%s shows %s", file.path, title(first))
	if len(others) > 0 {
		a.note("choose another with --spec, --scenario and --property: %s", strings.Join(others, "; "))
	}
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
