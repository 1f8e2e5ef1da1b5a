// Package modeltest holds the checks that every spec should pass. A spec's
// own test calls Run:
//
//	func TestSpec(t *testing.T) { modeltest.Run(t, lock.Entry) }
//
// A Counterexample is a regression test for one bug; mc trace test writes it.
package modeltest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mc/model"
)

// Budget says how far the checks look, in each configuration of a spec: its
// defaults, its scenarios and its claims, without and with its fix.
type Budget struct {
	States int // explored breadth-first from the initial states; 0 means 2,000
	Walks  int // random walks from the initial states; 0 means 20
	Steps  int // of each walk; 0 means 200
	Seed   uint64
}

// Run checks a spec with the default budget.
func Run(t testing.TB, e *model.Entry) { t.Helper(); Budget{}.Run(t, e) }

// Run checks that
//   - guards, properties and bounds leave the state alone, and nothing panics;
//   - expanding a state twice gives the same successors, and taking one
//     instance gives the successor that expanding gave;
//   - renaming the members of symmetric sets commutes with every action and
//     changes no property that is judged by default;
//   - every action is taken in some configuration;
//   - every step is drawn on a lane, and every message goes to one;
//   - claims name scenarios, settings, fixes and properties that exist.
func (b Budget) Run(t testing.TB, e *model.Entry) {
	t.Helper()
	for _, problem := range b.problems(e) {
		t.Error(problem)
	}
}

func (b Budget) problems(e *model.Entry) []string {
	b.States, b.Walks, b.Steps = orElse(b.States, 2000), orElse(b.Walks, 20), orElse(b.Steps, 200)
	x := &explorer{budget: b, taken: map[string]bool{}, seen: map[string]bool{}}
	for _, sel := range selections(e, x.report) {
		m, err := e.Machine(sel)
		if err != nil {
			x.report("%v", err)
			continue
		}
		x.explore(m)
		for _, a := range m.Actions {
			x.taken[a.Name] = x.taken[a.Name] || false
		}
	}
	var never []string
	for name, taken := range x.taken {
		if !taken {
			never = append(never, name)
		}
	}
	slices.Sort(never)
	for _, name := range never {
		x.report("%s: action %s is taken in no scenario and no claim, within %d states and %d walks of %d steps each",
			e.Name, name, b.States, b.Walks, b.Steps)
	}
	return x.problems
}

func orElse(n, def int) int {
	if n == 0 {
		return def
	}
	return n
}

// selections are the configurations of a spec that anything is said about.
func selections(e *model.Entry, report func(string, ...any)) (all []model.Selection) {
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
						report("%s: claim %s: no property %s", e.Name, c.ID, name)
					}
				}
			}
		}
	}
	return all
}

// explorer looks at states of one machine after the other.
type explorer struct {
	budget   Budget
	problems []string
	seen     map[string]bool // problems, each told once
	taken    map[string]bool

	m          *model.Machine
	w          model.Worker
	one, again *model.Batch
	judged     [2][]int // properties of states and of steps
	guarantees []int
	lots       *rand.Rand
	drawn      map[model.Label]int
}

// drawings is how often one instance's drawing is checked in a configuration.
const drawings = 5

func (x *explorer) report(format string, a ...any) {
	if p := fmt.Sprintf(format, a...); !x.seen[p] {
		x.seen[p] = true
		x.problems = append(x.problems, p)
	}
}

func (x *explorer) explore(m *model.Machine) {
	x.m, x.w, x.one, x.again = m, m.NewWorker(), m.NewBatch(16), m.NewBatch(16)
	x.judged, x.drawn = [2][]int{}, map[model.Label]int{}
	x.guarantees, x.lots = nil, rand.New(rand.NewPCG(x.budget.Seed, 2))
	for i, p := range m.Properties {
		if !p.Question {
			x.guarantees = append(x.guarantees, i)
		}
		switch p.Kind {
		case model.Invariant, model.Witness:
			x.judged[0] = append(x.judged[0], i)
		case model.StepInvariant:
			x.judged[1] = append(x.judged[1], i)
		}
	}
	if len(m.Init) == 0 {
		x.report("%s: no initial state", m.Name)
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
}

// look checks one state and its successors, which it leaves in x.one. It is
// false if there are none to go on with.
func (x *explorer) look(s []byte) bool {
	name := x.m.Name
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
	if fault == nil {
		for i := range x.m.Properties {
			if _, _, f := x.w.Holds(i, s); f != nil {
				fault = f
			}
		}
	}
	if fault != nil {
		x.report("%s: %v", name, fault)
		return false
	}
	if !slices.Equal(x.one.Labels, x.again.Labels) || !slices.Equal(x.one.Words(), x.again.Words()) {
		x.report("%s: expanding a state twice gives different successors", name)
		return false
	}
	for i, l := range x.one.Labels {
		t := x.one.State(i)
		next, blocked, f := x.w.Step(s, l)
		if f != nil || blocked != "" || !slices.Equal(next, t) {
			x.report("%s: %s: taking it alone gives another successor than expanding", name, x.m.Instance(l))
		}
		if _, f := x.w.JudgeStep(s, t, x.judged[1]); f != nil {
			x.report("%s: %v", name, f)
		}
		x.taken[x.m.Instance(l).Action] = true
		if x.drawn[l]++; x.drawn[l] <= drawings {
			x.drawing(s, t, l)
		}
	}
	if len(x.m.Symmetry) > 0 {
		if f := x.m.CheckSymmetry(x.w, s, x.guarantees, x.lots); f != nil {
			x.report("%s: %v", name, f)
		}
	}
	return within
}

// drawing checks where a step is drawn.
func (x *explorer) drawing(s, t []byte, l model.Label) {
	trace := x.m.Trace(&model.Behaviour{States: [][]byte{s, t}, Labels: []model.Label{l}, Loop: -1})
	step := trace.Steps[1]
	if !slices.Contains(x.m.Lanes, step.Lane) {
		x.report("%s: %s is drawn on lane %q; have %s", x.m.Name, step.Action, step.Lane, strings.Join(x.m.Lanes, ", "))
	}
	for _, msg := range step.Messages {
		if msg.To != "" && !slices.Contains(x.m.Lanes, msg.To) {
			x.report("%s: %s sends to lane %q; have %s", x.m.Name, step.Action, msg.To, strings.Join(x.m.Lanes, ", "))
		}
	}
	for _, f := range step.Fields {
		if strings.Contains(f.Value, "(PANIC=") {
			x.report("%s: field %s: its String method panics: %s", x.m.Name, f.Name, f.Value)
		}
	}
}
