package model

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"
)

type cell struct{ N uint8 }

// mutable has an action of each number of parameters, whose guards forbid what
// is odd, what is small, and what the parameters say; each can be left out.
func mutable(out ...string) *Spec[cell] {
	in := func(name string) bool { return !slices.Contains(out, name) }
	n := Below[uint8]("n", 3)
	even := func(s *cell) bool { return !in("even") || s.N%2 == 0 }
	large := func(s *cell) bool { return !in("large") || s.N > 3 }
	sum := func(s *cell, ns ...uint8) bool {
		total := uint8(0)
		for _, n := range ns {
			total += n
		}
		return !in("sum") || s.N > total
	}
	state := All(If("even", even), If("large", large))
	act := []Action[cell]{
		Act("Zero", state, func(s *cell) { s.N += 10 }).Fair(Weak),
		Act1("One", n, slices.Concat(For1[uint8](state...), All(If("sum", func(s *cell, a uint8) bool { return sum(s, a) }))),
			func(s *cell, a uint8) { s.N += 20 + a }),
		Act2("Two", n, n, slices.Concat(For2[uint8, uint8](state...), All(If("sum", func(s *cell, a, b uint8) bool { return sum(s, a, b) }))),
			func(s *cell, a, b uint8) { s.N += 40 + 3*a + b }),
		Act3("Three", n, n, n, All(
			If("even", func(s *cell, _, _, _ uint8) bool { return even(s) }),
			If("large", func(s *cell, _, _, _ uint8) bool { return large(s) }),
			If("sum", func(s *cell, a, b, c uint8) bool { return sum(s, a, b, c) })),
			func(s *cell, a, b, c uint8) { s.N += 60 + 9*a + 3*b + c }).FairEach(Strong).Doc("three"),
		Act("Plain", func(s *cell) bool { return s.N == 0 }, func(s *cell) { s.N = 1 }),
		Act("Gone", All(If("even", even)), func(s *cell) { s.N++ }).When(false),
	}
	return &Spec[cell]{Init: []cell{{}}, Actions: act, Properties: []Property[cell]{Always("Low", func(s *cell) bool { return s.N < 200 })}}
}

func machineOf(t *testing.T, s *Spec[cell]) *Machine {
	t.Helper()
	m, err := newMachine("mutable", s, Configuration{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// stepsBy are those of one action from a state, in words.
func stepsBy(t *testing.T, m *Machine, state uint8, action string) (all []string) {
	t.Helper()
	b, w := m.NewBatch(1), m.NewWorker()
	from := m.bytesOf(unsafe.Pointer(&cell{state}))
	if f := w.Expand(from, b); f != nil {
		t.Fatal(f)
	}
	for i, l := range b.Labels {
		if m.Instance(l).Action == action {
			all = append(all, fmt.Sprint(l, m.Instance(l), as[cell](b.State(i)).N))
		}
		if next, blocked, _ := w.Step(from, l); blocked != "" || string(next) != string(b.State(i)) {
			t.Errorf("%v: Step differs from Expand", m.Instance(l))
		}
	}
	return all
}

// TestMutants: a mutant has the steps of the spec that is written without the
// conjunct, under the same labels, and those of all other actions as they were.
func TestMutants(t *testing.T) {
	plain := machineOf(t, mutable())
	var names []string
	for _, mu := range plain.Mutations() {
		names = append(names, mu.String())
		m := plain.Mutant(mu)
		written := machineOf(t, mutable(mu.Conjunct))
		for state := range uint8(8) {
			for _, a := range plain.Actions {
				want := stepsBy(t, plain, state, a.Name)
				switch {
				case a.Name == mu.Action && mu.Conjunct == "":
					want = nil
				case a.Name == mu.Action:
					want = stepsBy(t, written, state, a.Name)
				}
				if got := stepsBy(t, m, state, a.Name); !slices.Equal(got, want) {
					t.Errorf("%v, %s from %d: got %v, want %v", mu, a.Name, state, got, want)
				}
			}
		}
		i := plain.action(mu.Action)
		was, is := plain.Actions[i], m.Actions[i]
		if is.Excluded != (mu.Conjunct == "") || is.Doc != was.Doc || is.Location() != was.Location() ||
			mu.Conjunct != "" && len(is.Guard) != len(was.Guard)-1 || fmt.Sprint(m.Conditions()) != fmt.Sprint(plain.Conditions()) {
			t.Errorf("%v: got %+v of %+v", mu, is, was)
		}
	}
	want := []string{"Zero", "Zero / even", "Zero / large", "One", "One / even", "One / large", "One / sum",
		"Two", "Two / even", "Two / large", "Two / sum", "Three", "Three / even", "Three / large", "Three / sum", "Plain"}
	if !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

// TestMutantOfMutant leaves out one thing after the other.
func TestMutantOfMutant(t *testing.T) {
	m := machineOf(t, mutable())
	for _, c := range []string{"even", "large", "sum"} {
		m = m.Mutant(Mutation{"One", c})
	}
	if got := stepsBy(t, m, 1, "One"); len(got) != 3 || len(m.Actions[1].Guard) != 0 {
		t.Errorf("got %v and guard %v, want 3 steps and no guard", got, m.Actions[1].Guard)
	}
	for _, mu := range []Mutation{{"One", "even"}, {"Gone", ""}, {"Gone", "even"}, {"Nobody", ""}, {"Plain", "even"}} {
		if m.Mutant(mu) != nil {
			t.Errorf("%v: want no mutant", mu)
		}
	}
}

// TestMutationsOfOneName: conjuncts of one name go together.
func TestMutationsOfOneName(t *testing.T) {
	s := mutable()
	s.Actions = []Action[cell]{Act("Twice", All(
		If("small", func(s *cell) bool { return s.N < 9 }), If("any", func(*cell) bool { return true }),
		If("small", func(s *cell) bool { return s.N < 5 })), func(s *cell) { s.N = 1 })}
	m := machineOf(t, s)
	if got := fmt.Sprint(m.Mutations()); got != "[Twice Twice / small Twice / any]" {
		t.Errorf("got %s", got)
	}
	if n := m.Mutant(Mutation{"Twice", "small"}); len(stepsBy(t, n, 50, "Twice")) != 1 || fmt.Sprint(n.Actions[0].Guard) != "[any]" {
		t.Errorf("got %v", n.Actions[0].Guard)
	}
}
