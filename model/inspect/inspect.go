// Package inspect looks at single states of a spec for mistakes of its author
// that a search may not notice, or not tell from a mistake of its own: what
// writes that should only read, what is no function of the state, a renaming
// that does not commute, a drawing that fails. Package modeltest runs it in the
// tests of a spec, and mc vet for everybody.
package inspect

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"slices"
	"strings"

	"mc/model"
)

// Budget says how far to look, in each configuration of a spec: its defaults,
// its scenarios and its claims, without and with its fix.
type Budget struct {
	States int // explored breadth-first from the initial states; 0 means 2,000
	Walks  int // random walks from the initial states; 0 means 20
	Steps  int // of each walk; 0 means 200
	Seed   uint64
}

// filled is the budget with numbers for what is 0.
func (b Budget) filled() Budget {
	orElse := func(n *int, def int) {
		if *n == 0 {
			*n = def
		}
	}
	orElse(&b.States, 2000)
	orElse(&b.Walks, 20)
	orElse(&b.Steps, 200)
	return b
}

func (b Budget) String() string {
	b = b.filled()
	return fmt.Sprintf("%d states and %d walks of %d steps each", b.States, b.Walks, b.Steps)
}

// Problem is a mistake of a spec's author.
type Problem struct {
	Location model.Location // where the spec makes what it is about
	Text     string         // a sentence, without the spec's name
}

// Inspection is what was seen of a spec.
type Inspection struct {
	Problems []Problem       // each once
	Taken    map[string]bool // the actions, and which of them were taken
	States   int             // looked at, in all configurations together
	// Idle are the parameters of actions whose value made no difference in any
	// state that was looked at, though the actions were taken.
	Idle []Parameter
}

// Parameter is one of an action.
type Parameter struct {
	Action string
	At     int // from 0
}

// Spec looks at the states of a spec in all its configurations and reports
//   - what cannot be built, and claims that name what does not exist;
//   - guards, properties and bounds that write, and what panics;
//   - steps and properties that are not functions of the state: done again at
//     once, or when everything else has been done, they come out differently;
//   - instances that lead elsewhere by themselves than among others;
//   - renamings of symmetric sets that do not commute with the actions, or that
//     a guarantee tells apart;
//   - drawings on lanes that there are not, and String and Draw methods that
//     panic.
func (b Budget) Spec(e *model.Entry) *Inspection {
	x := &inspector{budget: b.filled(), entry: e, told: map[Problem]bool{}, matters: map[Parameter]bool{}, unsure: map[model.Location]bool{}}
	x.seen.Taken = map[string]bool{}
	for _, sel := range x.selections() {
		m, err := e.Machine(sel)
		if err != nil {
			x.report(e.Location(), "%v", unnamed(e, err))
			continue
		}
		for _, a := range m.Actions {
			x.seen.Taken[a.Name] = x.seen.Taken[a.Name] || false
		}
		x.explore(m)
	}
	x.idle()
	x.seen.Problems = slices.DeleteFunc(x.seen.Problems, func(p Problem) bool {
		return x.unsure[p.Location] && !strings.Contains(p.Text, string(model.NotAFunction))
	})
	return &x.seen
}

// unnamed is an error without the spec's name, which whoever tells it adds.
func unnamed(e *model.Entry, err error) string {
	return strings.ReplaceAll(strings.TrimPrefix(err.Error(), e.Name+": "), "\n"+e.Name+": ", "; ")
}

// selections are the configurations of a spec that anything is said about.
func (x *inspector) selections() (all []model.Selection) {
	e := x.entry
	seen := map[string]bool{}
	add := func(sel model.Selection) {
		if key := fmt.Sprint(sel); !seen[key] {
			seen[key] = true
			all = append(all, sel)
		}
	}
	for _, fix := range []string{"off", "on"} {
		add(model.Selection{Fix: []string{fix}})
		for _, s := range e.Scenarios {
			add(model.Selection{Scenario: s.Name, Fix: []string{fix}})
		}
	}
	for _, c := range e.Claims {
		for i := range c.Cases {
			for _, sel := range c.Cases[i].Selections() {
				add(sel)
				m, err := e.Machine(sel)
				if err != nil {
					continue // reported when it is explored
				}
				for _, name := range c.Cases[i].Properties() {
					if m.Property(name) < 0 {
						x.report(e.Location(), "claim %s: no property %s", c.ID, name)
					}
				}
			}
		}
	}
	return all
}

// inspector looks at states of one machine after the other.
type inspector struct {
	budget  Budget
	entry   *model.Entry
	seen    Inspection
	told    map[Problem]bool
	unsure  map[model.Location]bool // actions and properties that are no functions
	matters map[Parameter]bool      // of those that were tried: does the value make a difference?

	m          *model.Machine
	w          model.Worker
	one, again *model.Batch
	judged     []int // properties of steps
	guarantees []int
	lots       *rand.Rand
	drawn      map[model.Label]int
	prints     []print
	seed       maphash.Seed
}

// drawings is how often one instance's drawing is checked in a configuration.
const drawings = 5

func (x *inspector) report(at model.Location, format string, a ...any) {
	p := Problem{at, fmt.Sprintf(format, a...)}
	if !x.told[p] {
		x.told[p] = true
		x.seen.Problems = append(x.seen.Problems, p)
	}
}

func (x *inspector) fault(f *model.Fault) {
	p := Tell(x.m, x.entry, f)
	x.report(p.Location, "%s", p.Text)
}

// Tell is a fault as a problem, at the line that makes the action or property
// which it is about; at that of the spec if it is about none. Which instance of
// an action is at fault depends on the state, and is left out.
func Tell(m *model.Machine, e *model.Entry, f *model.Fault) Problem {
	p := Problem{Location: e.Location(), Text: f.Error()}
	name, isProperty := strings.CutPrefix(f.Where, "property ")
	if isProperty {
		if i := m.Property(name); i >= 0 {
			p.Location = m.Properties[i].Location()
		}
		return p
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "guard of "), "action ")
	action, _, _ := strings.Cut(name, "(")
	for i := range m.Actions {
		if m.Actions[i].Name == action {
			p.Location = m.Actions[i].Location()
			p.Text = strings.Replace(p.Text, name, action, 1)
		}
	}
	return p
}

func (x *inspector) explore(m *model.Machine) {
	x.m, x.w, x.one, x.again = m, m.NewWorker(), m.NewBatch(16), m.NewBatch(16)
	x.judged, x.guarantees, x.drawn = nil, nil, map[model.Label]int{}
	x.lots = rand.New(rand.NewPCG(x.budget.Seed, 2))
	x.prints, x.seed = x.prints[:0], maphash.MakeSeed()
	for i, p := range m.Properties {
		if !p.Question {
			x.guarantees = append(x.guarantees, i)
		}
		if p.Kind == model.StepInvariant {
			x.judged = append(x.judged, i)
		}
	}
	x.values()
	if len(m.Init) == 0 {
		x.report(x.entry.Location(), "no initial state")
		return
	}
	known := map[string]bool{}
	var queue [][]byte
	add := func(s []byte) {
		if !known[string(s)] && len(known) < x.budget.States {
			known[string(s)] = true
			queue = append(queue, slices.Clone(s))
		}
	}
	for _, s := range m.Init {
		add(s)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if x.look(queue[0]) {
			for i := range x.one.Len() {
				add(x.one.State(i))
			}
		}
	}
	r := rand.New(rand.NewPCG(x.budget.Seed, 1))
	for range x.budget.Walks {
		s := m.Init[r.IntN(len(m.Init))]
		for range x.budget.Steps {
			if !x.look(s) || x.one.Len() == 0 {
				break
			}
			s = slices.Clone(x.one.State(r.IntN(x.one.Len())))
		}
	}
	x.lookBack()
}

// values looks at the names of parameters' values.
func (x *inspector) values() {
	for i := range x.m.Actions {
		a := &x.m.Actions[i]
		for _, d := range a.Params {
			for _, v := range d.Values {
				if strings.Contains(v, "(PANIC=") {
					x.report(a.Location(), "action %s: parameter %s: its String method panics: %s", a.Name, d.Name, v)
				}
			}
		}
	}
}

// look checks one state and its successors, which it leaves in x.one. It is
// false if there are none to go on with.
func (x *inspector) look(s []byte) bool {
	x.seen.States++
	x.one.Truncate(0)
	x.again.Truncate(0)
	within, fault := x.w.Within(s)
	if fault == nil {
		_, fault = x.w.Terminal(s)
	}
	if fault == nil {
		fault = x.w.Expand(s, x.one)
	}
	if fault == nil {
		fault = x.w.Expand(s, x.again)
	}
	if fault != nil {
		x.fault(fault)
		return false
	}
	sound := true
	for i := range x.m.Properties {
		p, q, f := x.w.Holds(i, s)
		if f != nil {
			x.fault(f)
			sound = false
			continue
		}
		if p2, q2, _ := x.w.Holds(i, s); p != p2 || q != q2 {
			x.fickle(i)
			sound = false
		}
	}
	if !sound {
		return false
	}
	if l, differs := x.difference(x.one, x.again); differs {
		x.unsteady(l)
		return false
	}
	for i, l := range x.one.Labels {
		t := x.one.State(i)
		a := &x.m.Actions[x.m.ActionOf(l)]
		next, blocked, f := x.w.Step(s, l)
		if f != nil || blocked != "" || !slices.Equal(next, t) {
			x.unsteady(l)
		}
		for _, p := range x.judged {
			at, f := x.w.JudgeStep(s, t, []int{p})
			if f != nil {
				x.fault(f)
			} else if again, _ := x.w.JudgeStep(s, t, []int{p}); again != at {
				x.fickle(p)
			}
		}
		x.seen.Taken[a.Name] = true
		if x.drawn[l]++; x.drawn[l] <= drawings {
			x.drawing(s, t, l)
		}
	}
	if len(x.m.Symmetry) > 0 {
		if f := x.m.CheckSymmetry(x.w, s, x.guarantees, x.lots); f != nil {
			x.fault(f)
		}
	}
	x.compareValues()
	x.prints = append(x.prints, x.print(s))
	return within
}

// fickle reports a property, and unsteady an action, that is not a function of
// the state. What else is said of them follows from that.
func (x *inspector) fickle(property int) {
	p := &x.m.Properties[property]
	x.unsure[p.Location()] = true
	x.report(p.Location(), "property %s: %s: it was true and false of one state", p.Name, model.NotAFunction)
}

func (x *inspector) unsteady(l model.Label) {
	a := &x.m.Actions[x.m.ActionOf(l)]
	x.unsure[a.Location()] = true
	x.report(a.Location(), "%s: %s: expanding one state twice gave different successors", a.Name, model.NotAFunction)
}

// difference is the first instance of which one of two expansions of a state
// has another successor.
func (x *inspector) difference(a, b *model.Batch) (l model.Label, differs bool) {
	for i := range max(a.Len(), b.Len()) {
		switch {
		case i == a.Len():
			return b.Labels[i], true
		case i == b.Len() || a.Labels[i] < b.Labels[i]:
			return a.Labels[i], true
		case b.Labels[i] < a.Labels[i]:
			return b.Labels[i], true
		case !slices.Equal(a.State(i), b.State(i)):
			return a.Labels[i], true
		}
	}
	return 0, false
}

// print is what a state is remembered by.
type print struct {
	state []byte
	steps []uint64 // of each successor: a hash of the instance and its bytes
	by    []model.Label
	truth []byte // of each property
}

func (x *inspector) print(s []byte) print {
	p := print{state: slices.Clone(s), truth: x.truth(s)}
	for i, l := range x.one.Labels {
		p.by = append(p.by, l)
		p.steps = append(p.steps, maphash.Bytes(x.seed, x.one.State(i)))
	}
	return p
}

func (x *inspector) truth(s []byte) (all []byte) {
	for i := range x.m.Properties {
		p, q, _ := x.w.Holds(i, s)
		all = append(all, map[bool]byte{true: 1}[p]|map[bool]byte{true: 2}[q])
	}
	return all
}

// lookBack does a part of everything again, last things first: what depends on
// the time, or on what was asked before, comes out differently.
func (x *inspector) lookBack() {
	for i := len(x.prints) - 1; i >= 0; i -= 4 {
		was := &x.prints[i]
		x.one.Truncate(0)
		if x.w.Expand(was.state, x.one) != nil {
			continue
		}
		now := x.print(was.state)
		for j := range max(len(was.by), len(now.by)) {
			switch {
			case j == len(was.by):
				x.unsteady(now.by[j])
			case j == len(now.by) || was.by[j] != now.by[j] || was.steps[j] != now.steps[j]:
				x.unsteady(was.by[j])
			default:
				continue
			}
			break
		}
		for n := range was.truth {
			if was.truth[n] != now.truth[n] {
				x.fickle(n)
			}
		}
	}
}

// compareValues notes the parameters of which two values do different things in
// the state that was looked at.
func (x *inspector) compareValues() {
	for i := range x.m.Actions {
		a := &x.m.Actions[i]
		from, _ := slices.BinarySearch(x.one.Labels, a.First)
		to, _ := slices.BinarySearch(x.one.Labels, a.First+model.Label(a.Instances))
		if from == to {
			continue // all values do nothing
		}
		stride := a.Instances
		for at, d := range a.Params {
			stride /= len(d.Values)
			p := Parameter{a.Name, at}
			if len(d.Values) < 2 || x.matters[p] {
				continue
			}
			x.matters[p] = x.differ(a, from, to, stride, len(d.Values))
		}
	}
}

// differ says whether some instances that are alike but for one parameter, whose
// values are stride labels apart, have different successors.
func (x *inspector) differ(a *model.ActionInfo, from, to, stride, values int) bool {
	first := func(l model.Label) model.Label { // the instance with the first value
		n := int(l - a.First)
		return a.First + model.Label(n-n/stride%values*stride)
	}
	alike := map[model.Label]int{} // by that instance: how many of its kind are enabled
	for i := from; i < to; i++ {
		l := first(x.one.Labels[i])
		alike[l]++
		if j, _ := slices.BinarySearch(x.one.Labels, l); x.one.Labels[j] != l || !slices.Equal(x.one.State(i), x.one.State(j)) {
			return true
		}
	}
	for _, n := range alike {
		if n < values {
			return true
		}
	}
	return false
}

// idle tells the parameters whose values never made a difference.
func (x *inspector) idle() {
	for p, matters := range x.matters {
		if !matters {
			x.seen.Idle = append(x.seen.Idle, p)
		}
	}
	slices.SortFunc(x.seen.Idle, func(a, b Parameter) int {
		return cmp.Or(strings.Compare(a.Action, b.Action), a.At-b.At)
	})
}

// drawing checks where a step is drawn, and how its states are written.
func (x *inspector) drawing(s, t []byte, l model.Label) {
	a := &x.m.Actions[x.m.ActionOf(l)]
	if f := x.m.DrawFault(s, t, l); f != nil {
		x.report(a.Location(), "%s: %s", a.Name, f)
		return
	}
	trace := x.m.Trace(&model.Behaviour{States: [][]byte{s, t}, Labels: []model.Label{l}, Loop: -1})
	step := trace.Steps[1]
	have := strings.Join(x.m.Lanes, ", ")
	if !slices.Contains(x.m.Lanes, step.Lane) {
		x.report(a.Location(), "%s is drawn on lane %q; have %s", step.Action, step.Lane, have)
	}
	for _, msg := range step.Messages {
		if msg.To != "" && !slices.Contains(x.m.Lanes, msg.To) {
			x.report(a.Location(), "%s sends to lane %q; have %s", step.Action, msg.To, have)
		}
	}
	for _, f := range step.Fields {
		if strings.Contains(f.Value, "(PANIC=") {
			x.report(x.entry.Location(), "field %s: its String method panics: %s", f.Name, f.Value)
		}
	}
}
