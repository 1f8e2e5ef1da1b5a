package checker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"mc/model"
	"mc/spec"
)

func machine(t testing.TB, e *model.Entry, sel model.Selection) *model.Machine {
	t.Helper()
	m, err := e.Machine(sel)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func entry(t testing.TB, name string) *model.Entry {
	t.Helper()
	for _, e := range spec.All {
		if e.Name == name {
			return e
		}
	}
	t.Fatalf("no spec %s", name)
	return nil
}

func allProperties(m *model.Machine) []int {
	all := make([]int, len(m.Properties))
	for i := range all {
		all[i] = i
	}
	return all
}

// TestPublishedCounts compares with numbers that others published.
func TestPublishedCounts(t *testing.T) {
	for _, c := range []struct {
		spec                string
		set                 map[string]string
		distinct, generated uint64
		depth               int
	}{
		{"die-hard", nil, 16, 97, 8},
		{"two-phase", map[string]string{"rms": "3"}, 288, 1146, 11},
		{"two-phase", map[string]string{"rms": "5"}, 8832, 0, 0},
		{"two-phase", map[string]string{"rms": "6"}, 50816, 0, 0},
		{"two-phase", map[string]string{"rms": "7"}, 296448, 0, 0},
		{"two-phase", map[string]string{"rms": "8"}, 1745408, 18507778, 0},
	} {
		t.Run(fmt.Sprint(c.spec, c.set["rms"]), func(t *testing.T) {
			if testing.Short() && c.distinct > 100000 {
				t.Skip("large: run without -short")
			}
			r := Check(context.Background(), machine(t, entry(t, c.spec), model.Selection{Set: c.set}), Options{})
			if r.Distinct != c.distinct || !r.Exhausted {
				t.Errorf("got %d distinct states, exhausted %v, want %d, true", r.Distinct, r.Exhausted, c.distinct)
			}
			if c.generated > 0 && r.Generated != c.generated {
				t.Errorf("got %d generated states, want %d", r.Generated, c.generated)
			}
			if c.depth > 0 && r.Depth != c.depth {
				t.Errorf("got depth %d, want %d", r.Depth, c.depth)
			}
			t.Logf("%d distinct, %d generated, depth %d, %v, %d bytes/state", r.Distinct, r.Generated, r.Depth, r.Elapsed, r.Memory/int64(r.Distinct))
		})
	}
}

// agree compares the search, for several numbers of workers, with its twin and
// with itself.
func agree(t *testing.T, name string, m *model.Machine, workers ...int) {
	t.Helper()
	// With every property undecided to the end the counts are those of the
	// whole space: a deadlock or violation ends a search only when all are.
	properties := slices.DeleteFunc(allProperties(m), func(p int) bool { return m.Properties[p].Kind.Temporal() })
	want := naiveCheck(m, properties)
	var first *Report
	for i, n := range slices.Concat(workers, workers) {
		o := Options{Workers: n, Properties: properties, Fingerprints: i >= len(workers)}
		got := Check(context.Background(), m, o)
		if (got.Omission > 0) != o.Fingerprints || got.Omission > 1e-20 {
			t.Fatalf("%s: got an omission probability of %g with fingerprints %v", name, got.Omission, o.Fingerprints)
		}
		if first == nil {
			first = got
		}
		if got.Fault != nil {
			t.Fatalf("%s: %d workers: fault %v", name, n, got.Fault.Fault)
		}
		if got.Exhausted && (got.Distinct != want.distinct || got.Generated != want.generated || got.Depth != want.depth || got.Cut != want.cut) {
			t.Fatalf("%s: %d workers: got %d distinct, %d generated, depth %d, %d cut, want %d, %d, %d, %d", name, n,
				got.Distinct, got.Generated, got.Depth, got.Cut, want.distinct, want.generated, want.depth, want.cut)
		}
		if got.Exhausted && !reflect.DeepEqual(got.Steps, want.taken) {
			t.Fatalf("%s: %d workers: got steps %v, want %v", name, n, got.Steps, want.taken)
		}
		for _, r := range got.Results {
			p := m.Properties[r.Property]
			if r.Verdict != want.verdicts[r.Property] {
				t.Fatalf("%s: %d workers: %s: got %s, want %s", name, n, p.Name, r.Verdict, want.verdicts[r.Property])
			}
			if b := want.behaviours[r.Property]; b != nil && r.Steps != b.Steps() {
				t.Fatalf("%s: %d workers: %s: got %d steps, want %d", name, n, p.Name, r.Steps, b.Steps())
			}
			if r.Behaviour == nil {
				continue
			}
			if !reflect.DeepEqual(r.Behaviour, want.behaviours[r.Property]) {
				t.Fatalf("%s: %d workers: %s: got behaviour %v, want %v", name, n, p.Name, r.Behaviour.Labels, want.behaviours[r.Property].Labels)
			}
			if err := m.Replay(r.Behaviour); err != nil {
				t.Fatalf("%s: %d workers: %s: %v", name, n, p.Name, err)
			}
			showsIt(t, m, r)
		}
		if o.Fingerprints {
			got.Coverage = first.Coverage // it has none
		}
		o.Behaviours = func(p int) bool { return p%2 == i%2 }
		some := Check(context.Background(), m, o)
		some.Coverage = first.Coverage
		for i, r := range some.Results {
			if b := got.Results[i].Behaviour; b != nil && (r.Behaviour != nil) != o.Behaviours(r.Property) {
				t.Fatalf("%s: %d workers: property %d, behaviour %v", name, n, r.Property, r.Behaviour)
			}
			some.Results[i].Behaviour = got.Results[i].Behaviour
		}
		if !reflect.DeepEqual(figures(got), figures(first)) || !reflect.DeepEqual(figures(some), figures(got)) {
			t.Fatalf("%s: %d workers:\ngot  %+v\nwant %+v", name, n, figures(got), figures(first))
		}
	}
}

// figures is the part of a report that must not depend on the workers.
func figures(r *Report) Report {
	f := *r
	f.Elapsed, f.Memory, f.Omission = 0, 0, 0
	return f
}

// showsIt checks that a behaviour ends with what it is said to show.
func showsIt(t *testing.T, m *model.Machine, r Result) {
	t.Helper()
	w, b := m.NewWorker(), r.Behaviour
	last := b.States[b.Steps()]
	ok := false
	switch m.Properties[r.Property].Kind {
	case model.Invariant:
		holds, _, _ := w.Holds(r.Property, last)
		ok = !holds
	case model.Witness:
		ok, _, _ = w.Holds(r.Property, last)
	case model.StepInvariant:
		at, _ := w.JudgeStep(b.States[b.Steps()-1], last, []int{r.Property})
		ok = at == 0
	case model.NoDeadlock:
		batch := m.NewBatch(1)
		w.Expand(last, batch)
		ok = true
		for i := range batch.Len() {
			ok = ok && string(batch.State(i)) == string(last)
		}
	}
	if !ok {
		t.Fatalf("%s: the behaviour does not show it", m.Properties[r.Property].Name)
	}
}

func TestTwinAgreesOnSpecs(t *testing.T) {
	for _, e := range spec.All {
		scenarios := []string{""}
		for _, s := range e.Scenarios {
			if s.Default {
				scenarios = append(scenarios, s.Name)
			}
		}
		for _, s := range scenarios {
			for _, fix := range []string{"off", "on"} {
				m := machine(t, e, model.Selection{Scenario: s, Fix: []string{fix}})
				if testing.Short() && Check(context.Background(), m, Options{Properties: []int{}}).Distinct > 2000 {
					continue
				}
				agree(t, e.Name+"/"+s+"/"+fix, m, 1, 2, 3, 8)
				if r := Check(context.Background(), m, Options{}); r.Distinct < 1000 && !testing.Short() {
					agreeOnLiveness(t, e.Name+"/"+s+"/"+fix, m, 1, 2, 8)
				}
			}
		}
	}
}

// random is the state of a random machine: a number, and a byte that is set
// apart by padding.
type random struct {
	N uint16
	B uint8
	_ uint8
	L int32
}

// randomEntry makes a machine from tables filled by chance: actions with 0 to
// 2 parameters, properties of every kind, sometimes a bound, sometimes
// terminal states.
func randomEntry(r *rand.Rand) *model.Entry {
	n := 1 + r.IntN(1+r.IntN(60))
	dense := r.Float64() * r.Float64()
	chance := func(p float64) []bool {
		b := make([]bool, n)
		for i := range b {
			b[i] = r.Float64() < p
		}
		return b
	}
	move := func() ([]bool, []uint16) {
		to := make([]uint16, n)
		for i := range to {
			to[i] = uint16(r.IntN(n))
		}
		return chance(dense), to
	}
	set := func(s *random, to uint16) { s.N, s.B, s.L = to, uint8(to*7), -int32(to) }
	var actions []model.Action[random]
	for i := range 1 + r.IntN(3) {
		on, to := move()
		on2, to2 := move()
		k := r.IntN(4)
		param := model.Between[uint16]("k", 1, k)
		actions = append(actions,
			model.Act(fmt.Sprint("A", i), func(s *random) bool { return on[s.N] }, func(s *random) { set(s, to[s.N]) }),
			model.Act1(fmt.Sprint("B", i), param,
				func(s *random, k uint16) bool { return on2[(s.N*k)%uint16(n)] },
				func(s *random, k uint16) { set(s, (to2[s.N]+k)%uint16(n)) }),
			model.Act2(fmt.Sprint("C", i), param, model.Values("v", true, false),
				model.All(
					model.If("a", func(s *random, k uint16, v bool) bool { return on[(s.N+k)%uint16(n)] }),
					model.If("b", func(s *random, k uint16, v bool) bool { return on2[s.N] == v })),
				func(s *random, k uint16, v bool) { set(s, to[(s.N+k)%uint16(n)]) }))
	}
	spec := &model.Spec[random]{Actions: actions}
	for range 1 + r.IntN(3) {
		s := random{}
		set(&s, uint16(r.IntN(n)))
		spec.Init = append(spec.Init, s)
	}
	for i := range 3 {
		p, q := chance(1-r.Float64()*0.2), chance(r.Float64()*0.2)
		u, v := chance(1-r.Float64()*0.3), chance(1-r.Float64()*0.3)
		spec.Properties = append(spec.Properties,
			model.Always(fmt.Sprint("I", i), func(s *random) bool { return p[s.N] }),
			model.Reachable(fmt.Sprint("W", i), func(s *random) bool { return q[s.N] }),
			model.EveryStep(fmt.Sprint("S", i), func(s, t *random) bool { return u[s.N] || v[t.N] }))
	}
	spec.Properties = append(spec.Properties, model.DeadlockFree[random]("D"))
	if r.IntN(3) == 0 {
		in := chance(0.9)
		spec.Within = func(s *random) bool { return in[s.N] }
	}
	if r.IntN(2) == 0 {
		end := chance(0.3)
		spec.Terminal = func(s *random) bool { return end[s.N] }
	}
	return model.Define("random", "a machine made by chance", func(*model.Config) *model.Spec[random] { return spec })
}

func TestTwinAgreesOnRandomMachines(t *testing.T) {
	machines := 5000
	if testing.Short() {
		machines = 500
	}
	for seed := range uint64(machines) {
		m := machine(t, randomEntry(rand.New(rand.NewPCG(seed, 1))), model.Selection{})
		agree(t, fmt.Sprint("seed ", seed), m, 1, 2, 3, 8)
	}
}

// TestVacuity judges implications and a leads-to, each with a left side that
// is true somewhere and with one that never is.
func TestVacuity(t *testing.T) {
	m := machine(t, gridEntry(2, func(s *model.Spec[grid]) {
		is := func(n uint8) func(*grid) bool { return func(s *grid) bool { return s.N[0] == n } }
		yes := func(*grid) bool { return true }
		s.Properties = []model.Property[grid]{
			model.Implies("Somewhere", is(2), yes), model.Implies("Nowhere", is(3), yes),
			model.Implies("Broken", is(1), is(2)),
			model.LeadsTo("Sometimes", is(2), yes), model.LeadsTo("Never", is(3), yes),
		}
	}), model.Selection{})
	want := map[string]string{
		"Somewhere": "holds false", "Nowhere": "holds true", "Broken": "violated false",
		"Sometimes": "holds false", "Never": "holds true",
	}
	for _, r := range Check(context.Background(), m, Options{}).Results {
		name := m.Properties[r.Property].Name
		if got := fmt.Sprint(r.Verdict, " ", r.Vacuous); got != want[name] {
			t.Errorf("%s: got %s, want %s", name, got, want[name])
		}
	}
}
