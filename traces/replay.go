package traces

import (
	"fmt"
	"io"
	"slices"

	"mc/model"
)

// Replay is a saved trace taken through a machine again.
type Replay struct {
	Trace *model.Trace
	Here  model.Configuration // that of the machine
	// Misfit is where the trace stops fitting, or nil if all of it fits; Values
	// are of the fields that make the conjunct false that is in the way.
	Misfit *model.Misfit
	Values []Needed
	// Differs is where it first leads to another state and goes on all the
	// same, on another system than the trace is from.
	Differs *model.Misfit
	// Shown is the step after which the trace first shows, here, what it is said
	// to show, or -1. Missing says why it does not at the end.
	Shown   int
	Missing string
}

// AsSaved says that all of it fits and shows what the trace is said to show.
func (r *Replay) AsSaved() bool { return r.Misfit == nil && r.Differs == nil && r.Shown >= 0 }

// Needed is a field, its value, and one that would do.
type Needed struct{ Name, Is, Would string }

// Write writes the steps that fit, where they stop fitting and why, and what
// the behaviour shows.
func (r *Replay) Write(w io.Writer, o TextOptions) error {
	p := newPrinter(o)
	t := r.Trace
	p.para(0, 2, span{strong, selection(t.Spec, "", r.Here)})
	what := kindOf(t) + " " + subject(t)
	if !sameSettings(r.Here, t.Config) {
		what += ", found on " + selection(t.Spec, "", t.Config)
	}
	p.para(0, 2, span{faint, "replays a " + what})
	p.blank()
	for i := range t.Steps {
		p.replayed(r, i)
	}
	p.blank()
	p.para(0, 2, r.outcome())
	return p.writeTo(w)
}

// kindOf is what a trace is, and what it is of.
func kindOf(t *model.Trace) string {
	switch {
	case t.Fault != "":
		return "way to"
	case t.Verdict == model.Reached:
		return "witness of"
	}
	return "counterexample to"
}

func subject(t *model.Trace) string {
	if t.Fault != "" {
		return "a fault of the spec"
	}
	return t.Property
}

func sameSettings(a, b model.Configuration) bool {
	return slices.Equal(a.Fixes(), b.Fixes()) && a.Scenario == b.Scenario && set(a, b) == "" && set(b, a) == ""
}

// replayed writes one step.
func (p *printer) replayed(r *Replay, i int) {
	mark, s := "✓", good
	f := r.Misfit
	fits := f == nil || i < f.Step || f.Open
	switch {
	case f != nil && i == f.Step:
		mark, s = "✗", bad
	case !fits:
		mark, s = " ", faint
	case r.Differs != nil && i == r.Differs.Step:
		mark, s = "≠", strong
	}
	name := "initial state"
	if i > 0 {
		name = r.Trace.Steps[i].String()
	}
	look := normal
	if !fits && i > f.Step {
		look = faint
	}
	p.para(2, detail+deeper, span{s, mark}, span{faint, fmt.Sprintf("%*d  ", numberEnd, i)}, span{look, name})
	if r.Differs != nil && i == r.Differs.Step {
		p.misfit(r.Differs, nil)
	}
	if f != nil && i == f.Step {
		p.misfit(f, r.Values)
	}
}

// misfit says why a step does not fit.
func (p *printer) misfit(f *model.Misfit, values []Needed) {
	const in = detail + deeper
	why := func(text string) { p.para(in, in+2, span{bad, text}) }
	switch {
	case f.Unknown != "":
		why(f.Unknown)
	case f.Fault != nil:
		why("the spec fails: " + f.Fault.Error())
	case f.Blocked != "":
		p.para(in, in+2, span{bad, "not possible here: " + model.FalsePart(f.Blocked)}, span{normal, allOf(values)})
		p.needed(in, values)
	case f.Open:
		why("the loop does not close: something that is not shown differs")
	default:
		text := "leads to another state here:"
		if f.Step == 0 {
			text = "no initial state is this one here; the nearest differs:"
		}
		why(text)
		for _, d := range f.Differ {
			p.para(in, in+2, span{normal, d.Name + ":"}, span{normal, " " + valueOr(d.NoWant, d.Want) + " in the trace, "},
				span{strong, valueOr(d.NoGot, d.Got) + " here"})
		}
	}
}

// valueOr is how a field's value is shown, where it may be missing.
func valueOr(missing bool, v string) string {
	if missing {
		return "no such field"
	}
	return value(v)
}

// allOf begins a list of values that are in the way together.
func allOf(values []Needed) string {
	if len(values) < 2 {
		return ""
	}
	return ", because of all of this:"
}

// needed writes the values that are in the way.
func (p *printer) needed(indent int, values []Needed) {
	for _, v := range values {
		p.para(indent, indent+2, span{normal, v.Name + " is "}, span{strong, value(v.Is)}, span{faint, "; " + value(v.Would) + " would do"})
	}
}

// outcome says what the behaviour shows here.
func (r *Replay) outcome() span {
	t := r.Trace
	shows := t.Property + " is violated"
	s := bad
	switch {
	case t.Fault != "":
		shows = "the spec is at fault"
	case t.Verdict == model.Reached:
		shows, s = t.Property+" is reached", good
	}
	last, fits := len(t.Steps)-1, "it fits to its end"
	if r.Differs != nil {
		fits = "its steps can all be taken, and lead to other states"
	}
	switch f := r.Misfit; {
	case r.Shown >= 0 && r.Shown < last:
		return span{s, fmt.Sprintf("%s, after step %d already", shows, r.Shown)}
	case r.Shown >= 0:
		return span{s, fits + ": " + shows}
	case f != nil && f.Step == 0:
		return span{normal, "it does not fit from the start"}
	case f != nil:
		return span{normal, fmt.Sprintf("it stops fitting at step %d; up to there %s", f.Step, notShown(t))}
	}
	return span{normal, fits + ", and yet: " + r.Missing}
}

func notShown(t *model.Trace) string {
	switch {
	case t.Fault != "":
		return "nothing goes wrong"
	case t.Verdict == model.Reached:
		return t.Property + " is not reached"
	case t.Kind.Temporal():
		return "nothing repeats"
	}
	return t.Property + " holds"
}
