package model

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Misfit is where a trace, or a list of instances, and a machine part.
type Misfit struct {
	Step     int // counted as the steps of a Trace are: 0 is the initial state
	Instance Instance

	// One of these says why.
	Unknown string       // what the machine does not have
	Blocked string       // the conjunct of the guard that is false
	Fault   *Fault       // of the spec, when the step was taken
	Differ  []Difference // the step leads to another state than the trace says
	Open    bool         // the loop of a lasso does not close

	// Label is that of Instance where the machine has it.
	Label Label
}

// Difference is a field of which two states say different things, one of which
// may lack it.
type Difference struct {
	Name, Want, Got string
	NoWant, NoGot   bool // it is not there
}

// Error says it in a line, without the differing values.
func (f *Misfit) Error() string {
	at := fmt.Sprintf("step %d, %s", f.Step, f.Instance)
	if f.Step == 0 {
		at = "the initial state"
	}
	switch {
	case f.Unknown != "":
		return at + ": " + f.Unknown
	case f.Fault != nil:
		return at + ": " + f.Fault.Error()
	case f.Blocked != "":
		return fmt.Sprintf("%s, is not possible: %s", at, FalsePart(f.Blocked))
	case f.Open:
		return at + ": the loop does not close"
	case f.Step == 0:
		return "no initial state is the one of the trace"
	}
	return at + ", leads to another state"
}

// FalsePart says that a part of a guard is false, which may stand for all of it,
// or for the settings.
func FalsePart(conjunct string) string {
	switch conjunct {
	case wholeGuard:
		return "its guard is false"
	case excluded:
		return "it is " + excluded
	}
	return fmt.Sprintf("%q is false", conjunct)
}

// Find is the label of an instance that is known by name. What is unknown is
// said in words; they are empty if nothing is.
func (m *Machine) Find(in Instance) (l Label, unknown string) {
	at := m.action(in.Action)
	if at < 0 {
		return 0, "there is no action " + in.Action
	}
	a := &m.Actions[at]
	var have, given []string
	for _, p := range a.Params {
		have = append(have, p.Name)
	}
	for _, g := range in.Args {
		given = append(given, g.Name)
	}
	if !slices.Equal(have, given) {
		return 0, fmt.Sprintf("%s has the parameters (%s)", a.Name, strings.Join(have, ", "))
	}
	n := 0
	for i, p := range a.Params {
		v := slices.Index(p.Values, in.Args[i].Value)
		if v < 0 {
			values := p.Values
			more := ""
			if len(values) > maxNamed {
				values, more = values[:maxNamed], ", …"
			}
			return 0, fmt.Sprintf("there is no %s %s, only %s%s", p.Name, in.Args[i].Value, strings.Join(values, ", "), more)
		}
		n = n*len(p.Values) + v
	}
	return a.First + Label(n), ""
}

// maxNamed is how many of a parameter's values are named to who asked for one
// that does not exist.
const maxNamed = 8

// Take takes instances from a state, whatever they lead to. What it returns
// goes as far as they can be taken; then misfit says why not further.
func (m *Machine) Take(from []byte, steps []Instance) (b *Behaviour, misfit *Misfit) {
	b = &Behaviour{States: [][]byte{from}, Loop: -1}
	w := m.NewWorker()
	for i, in := range steps {
		f := &Misfit{Step: i + 1, Instance: in}
		if f.Label, f.Unknown = m.Find(in); f.Unknown != "" {
			return b, f
		}
		var next []byte
		next, f.Blocked, f.Fault = w.Step(b.States[i], f.Label)
		if f.Blocked != "" || f.Fault != nil {
			return b, f
		}
		b.States, b.Labels = append(b.States, slices.Clone(next)), append(b.Labels, f.Label)
	}
	return b, nil
}

// Follow takes a trace, which knows states and steps by what is shown of them,
// through the machine. The behaviour goes as far as the trace fits, and has no
// states if it does not fit from the start; misfit is nil if all of it fits.
func (m *Machine) Follow(t *Trace) (b *Behaviour, misfit *Misfit) {
	b = &Behaviour{Loop: -1}
	if len(m.Init) == 0 {
		return b, &Misfit{Unknown: "there is none"}
	}
	instances := t.Instances()
	// States that look alike may differ in what is hidden of them.
	for _, s := range m.Init {
		c, f := m.follow(t, s, instances)
		if f == nil {
			return c, nil
		}
		if misfit == nil || f.Step > misfit.Step || f.Step == 0 && misfit.Step == 0 && len(f.Differ) < len(misfit.Differ) {
			b, misfit = c, f
		}
	}
	return b, misfit
}

// Instances are the steps of a trace, without its states.
func (t *Trace) Instances() []Instance {
	all := make([]Instance, len(t.Steps)-1)
	for i := range all {
		all[i] = t.Steps[i+1].Instance
	}
	return all
}

func (m *Machine) follow(t *Trace, from []byte, steps []Instance) (*Behaviour, *Misfit) {
	b, misfit := m.Take(from, steps)
	for i := range b.States {
		if d := Differences(t.Steps[i].Fields, m.Fields(b.States[i])); len(d) > 0 {
			f := &Misfit{Step: i, Differ: d}
			if i > 0 {
				f.Instance, f.Label = steps[i-1], b.Labels[i-1]
			}
			b.States, b.Labels = b.States[:i], b.Labels[:max(0, i-1)]
			return b, f
		}
	}
	if last := b.Steps(); misfit == nil && t.Loop >= 0 {
		if !bytes.Equal(b.States[last], b.States[t.Loop]) {
			return b, &Misfit{Step: last, Instance: t.Steps[last].Instance, Open: true}
		}
		b.Loop = t.Loop
	}
	return b, misfit
}

// Differences compares what is shown of two states, field by field.
func Differences(want, got []Field) (all []Difference) {
	if slices.Equal(want, got) {
		return nil
	}
	values := make(map[string]string, len(got))
	for _, f := range got {
		values[f.Name] = f.Value
	}
	for _, f := range want {
		v, has := values[f.Name]
		delete(values, f.Name)
		if !has || v != f.Value {
			all = append(all, Difference{Name: f.Name, Want: f.Value, Got: v, NoGot: !has})
		}
	}
	for _, f := range got {
		if _, left := values[f.Name]; left {
			all = append(all, Difference{Name: f.Name, Got: f.Value, NoWant: true})
		}
	}
	return all
}
