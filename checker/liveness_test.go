package checker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"mc/model"
)

// randomLively makes a small machine from tables filled by chance, with
// fairness of every form and temporal properties of every kind.
func randomLively(r *rand.Rand) *model.Entry {
	n := 1 + r.IntN(1+r.IntN(12))
	dense := 0.2 + 0.8*r.Float64()
	chance := func(p float64) []bool {
		b := make([]bool, n)
		for i := range b {
			b[i] = r.Float64() < p
		}
		return b
	}
	spec := &model.Spec[random]{Init: []random{{N: uint16(r.IntN(n))}}}
	names := []string{}
	k := model.Between[uint16]("k", 0, r.IntN(3))
	strengths := []model.Strength{model.Unfair, model.Weak, model.Strong}
	for i := range 1 + r.IntN(3) {
		on, to := chance(dense*r.Float64()), make([]uint16, n*3)
		for j := range to {
			to[j] = uint16(r.IntN(n))
		}
		name := fmt.Sprint("A", i)
		names = append(names, name)
		a := model.Act1(name, k,
			func(s *random, k uint16) bool { return on[(s.N+k)%uint16(n)] },
			func(s *random, k uint16) { s.N = to[int(s.N)*3+int(k)] })
		switch fair := strengths[r.IntN(3)]; r.IntN(3) {
		case 0:
			a = a.Fair(fair)
		case 1:
			a = a.FairEach(fair)
		}
		spec.Actions = append(spec.Actions, a)
	}
	if r.IntN(3) == 0 {
		spec.Fairness = append(spec.Fairness, model.Fairness{
			Name: "all", Strength: strengths[1+r.IntN(2)], Actions: names, Per: []string{"", "k"}[r.IntN(2)],
		})
	}
	pred := func() func(*random) bool {
		b := chance(r.Float64())
		return func(s *random) bool { return b[s.N] }
	}
	spec.Properties = []model.Property[random]{
		model.LeadsTo("L0", pred(), pred()), model.LeadsTo("L1", pred(), pred()),
		model.Eventually("E", pred()), model.EventuallyAlways("S", pred()), model.AlwaysEventually("R", pred()),
	}
	if r.IntN(4) == 0 {
		in := chance(0.8)
		spec.Within = func(s *random) bool { return in[s.N] }
	}
	return model.Define("lively", "a machine made by chance", func(*model.Config) *model.Spec[random] { return spec })
}

func agreeOnLiveness(t *testing.T, name string, m *model.Machine, workers ...int) (violated int) {
	t.Helper()
	var temporal []int
	for i, p := range m.Properties {
		if p.Kind.Temporal() {
			temporal = append(temporal, i)
		}
	}
	if len(temporal) == 0 {
		return 0
	}
	var first *Report
	for _, n := range workers {
		r := Check(context.Background(), m, Options{Workers: n, Properties: temporal})
		for _, res := range r.Results {
			want := model.Holds
			if naiveViolated(m, res.Property, m.Conditions()) {
				want = model.Violated
				violated++
			}
			if res.Verdict != want {
				t.Fatalf("%s: %d workers: %s: got %s, want %s", name, n, m.Properties[res.Property].Name, res.Verdict, want)
			}
			if want == model.Violated {
				if err := isCounterexample(m, res.Behaviour, res.Property, m.Conditions()); err != nil {
					t.Fatalf("%s: %s: %v", name, m.Properties[res.Property].Name, err)
				}
				if remedy := res.Explanation.Remedy; len(remedy) > 0 && naiveViolated(m, res.Property, slices.Concat(m.Conditions(), remedy)) {
					t.Fatalf("%s: %s: still violated with %v", name, m.Properties[res.Property].Name, remedy)
				}
			} else if res.NeedsNoFairness != (len(m.Conditions()) > 0 && !res.Vacuous && !naiveViolated(m, res.Property, nil)) {
				t.Fatalf("%s: %s: needs no fairness: got %v", name, m.Properties[res.Property].Name, res.NeedsNoFairness)
			}
		}
		if first == nil {
			first = r
		}
		got, want := figures(r), figures(first)
		got.EdgeBytes, want.EdgeBytes = 0, 0
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: %d workers:\ngot  %+v\nwant %+v", name, n, got, want)
		}
	}
	return violated
}

func TestTwinAgreesOnLiveness(t *testing.T) {
	machines := 20000
	if testing.Short() {
		machines = 2000
	}
	violated := 0
	for seed := range uint64(machines) {
		m := machine(t, randomLively(rand.New(rand.NewPCG(seed, 2))), model.Selection{})
		violated += agreeOnLiveness(t, fmt.Sprint("seed ", seed), m, 1, 1+int(seed%3))
	}
	t.Logf("%d of %d verdicts are violated", violated, machines*10)
	if violated < machines || violated > 9*machines {
		t.Errorf("got %d violated of %d: the machines are too much alike", violated, machines*10)
	}
}

// tick is the state of the hand-made machines below.
type tick struct {
	X  int8
	On bool
}

// machineOf makes a machine from actions that move X, each "from>to from>to …",
// with the fairness that their names end in: "Step/weak".
func machineOf(t *testing.T, start int8, moves map[string]string, properties ...model.Property[tick]) *model.Machine {
	t.Helper()
	s := &model.Spec[tick]{Init: []tick{{X: start}}, Properties: properties}
	for _, name := range slices.Sorted(maps.Keys(moves)) {
		var pairs [][2]int8
		for _, m := range strings.Fields(moves[name]) {
			var p [2]int8
			if _, err := fmt.Sscanf(m, "%d>%d", &p[0], &p[1]); err != nil {
				t.Fatal(err)
			}
			pairs = append(pairs, p)
		}
		word, fair, _ := strings.Cut(name, "/")
		s.Actions = append(s.Actions, model.Act1(word, model.Values("move", pairs...),
			func(s *tick, p [2]int8) bool { return s.X == p[0] },
			func(s *tick, p [2]int8) { s.X = p[1] }).
			Fair(map[string]model.Strength{"": model.Unfair, "weak": model.Weak, "strong": model.Strong}[fair]))
	}
	return machine(t, model.Define("hand-made", "", func(*model.Config) *model.Spec[tick] { return s }), model.Selection{})
}

func in(xs ...int8) func(*tick) bool {
	return func(s *tick) bool { return slices.Contains(xs, s.X) }
}

// TestKnownMistakes are situations that other checkers were reported to judge
// wrongly, each with its right verdict.
func TestKnownMistakes(t *testing.T) {
	const holds, violated = model.Holds, model.Violated
	cycle3 := "0>1 1>2 2>0"
	jump := "0>0 0>1 0>2 1>0 1>1 1>2 2>0 2>1 2>2"
	for _, c := range []struct {
		name  string
		start int8
		moves map[string]string
		want  map[string]model.Verdict
		props []model.Property[tick]
	}{
		{"true, false, then stutters", 0, map[string]string{"A/weak": "0>1 1>2"},
			map[string]model.Verdict{"S": violated},
			[]model.Property[tick]{model.EventuallyAlways("S", in(1))}},
		{"a cycle that never meets p", 0, map[string]string{"A/weak": "0>1 1>0"},
			map[string]model.Verdict{"E": violated},
			[]model.Property[tick]{model.Eventually("E", in(2))}},
		{"a diamond with p on one arm only", 0, map[string]string{"A/weak": "0>1 0>2 1>3 2>3"},
			map[string]model.Verdict{"E": violated},
			[]model.Property[tick]{model.Eventually("E", in(1))}},
		{"weak fairness on the step only, and jumps", 0, map[string]string{"Step/weak": cycle3, "Jump": jump},
			// Every step of Jump is one that Step may also have made, or
			// leaves Step enabled; staying within two values by jumping back
			// and forth takes Step again and again, so those two components
			// of states are fair, while staying in one state is not.
			map[string]model.Verdict{"Two": violated, "One": holds, "Move": holds},
			[]model.Property[tick]{
				model.AlwaysEventually("Two", in(2)),
				model.AlwaysEventually("Move", func(s *tick) bool { return true }),
				model.LeadsTo("One", in(0), in(1, 2)),
			}},
		{"a set of states without a fair loop of steps", 0, map[string]string{"Step/weak": cycle3, "Back": "1>0 2>1"},
			// Between 0 and 1 the loop takes Step; from 2 Step leads to 0.
			map[string]model.Verdict{"Leave0": holds, "Leave1": holds, "Leave2": holds, "Reach2": violated},
			[]model.Property[tick]{
				model.AlwaysEventually("Leave0", in(1, 2)), model.AlwaysEventually("Leave1", in(0, 2)),
				model.AlwaysEventually("Leave2", in(0, 1)), model.AlwaysEventually("Reach2", in(2)),
			}},
		{"a component of states whose loops all neglect the fair step", 0,
			map[string]string{"Spin": "0>1 1>0", "Step/weak": "0>2 1>2"},
			map[string]model.Verdict{"E": holds},
			[]model.Property[tick]{model.Eventually("E", in(2))}},
		{"runs from 1 to 5", 1, map[string]string{"A/weak": "1>2 2>3 3>4 4>5"},
			map[string]model.Verdict{"S": holds, "L": holds},
			[]model.Property[tick]{model.EventuallyAlways("S", in(5)), model.LeadsTo("L", in(1, 2, 3), in(5))}},
		{"p again after the first q, and the run stops", 0, map[string]string{"A/weak": "0>1 1>2"},
			map[string]model.Verdict{"L": violated},
			[]model.Property[tick]{model.LeadsTo("L", in(0, 2), in(1))}},
		{"eventually always p, and not p", 0, map[string]string{"A/weak": "0>1 1>0"},
			map[string]model.Verdict{"P": violated, "NotP": violated},
			[]model.Property[tick]{model.EventuallyAlways("P", in(0)), model.EventuallyAlways("NotP", in(1))}},
		{"eventually always p, where the run may also stop", 0, map[string]string{"A": "0>1"},
			map[string]model.Verdict{"P": violated, "NotP": violated},
			[]model.Property[tick]{model.EventuallyAlways("P", in(0)), model.EventuallyAlways("NotP", in(1))}},
		{"enabled again and again, weak", 0, map[string]string{"Spin/weak": "0>1 1>0", "Exit/weak": "0>2"},
			map[string]model.Verdict{"E": violated},
			[]model.Property[tick]{model.Eventually("E", in(2))}},
		{"enabled again and again, strong", 0, map[string]string{"Spin/weak": "0>1 1>0", "Exit/strong": "0>2"},
			map[string]model.Verdict{"E": holds},
			[]model.Property[tick]{model.Eventually("E", in(2))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, more := range []bool{false, true} {
				if more { // an action that changes nothing alters no verdict
					c.moves["Nothing/strong"] = "0>0 1>1 2>2 3>3"
				}
				m := machineOf(t, c.start, c.moves, c.props...)
				agreeOnLiveness(t, c.name, m, 1, 2, 3, 4, 5, 6, 7, 8)
				for _, r := range Check(context.Background(), m, Options{}).Results {
					if p := m.Properties[r.Property]; r.Verdict != c.want[p.Name] {
						t.Errorf("%s: got %s, want %s", p.Name, r.Verdict, c.want[p.Name])
					}
				}
			}
		})
	}
}

// TestManySchedules judges one machine often, so that many interleavings of
// the workers have their chance.
func TestManySchedules(t *testing.T) {
	m := machineOf(t, 0, map[string]string{"A/weak": "0>1 1>2"}, model.EventuallyAlways("S", in(1)))
	for i := range 200 {
		r := Check(context.Background(), m, Options{Workers: 1 + i%8})
		if r.Results[0].Verdict != model.Violated {
			t.Fatalf("run %d: got %s", i, r.Results[0].Verdict)
		}
	}
}

func TestPanickingPredicateIsAFinding(t *testing.T) {
	m := machineOf(t, 0, map[string]string{"A/weak": "0>1"},
		model.Eventually("E", func(s *tick) bool {
			if s.X == 0 {
				panic("boom")
			}
			return true
		}),
		model.Always("I", in(0)))
	r := Check(context.Background(), m, Options{})
	if r.Fault == nil || r.Fault.Steps() != 0 || r.Fault.Fault.Where != "property E" {
		t.Errorf("got fault %+v, want property E after 0 steps", r.Fault)
	}
	for _, res := range r.Results {
		if res.Verdict == model.Holds {
			t.Errorf("%s holds", m.Properties[res.Property].Name)
		}
	}
}

// TestCutStatesAreNotLoops bounds a counter: the state where it is cut has
// successors that are not known, so nobody may say that a run stays there.
func TestCutStatesAreNotLoops(t *testing.T) {
	s := &model.Spec[tick]{
		Init: []tick{{}},
		Actions: []model.Action[tick]{model.Act("Up", func(s *tick) bool { return s.X < 9 }, func(s *tick) { s.X++ }).
			Fair(model.Weak)},
		Properties: []model.Property[tick]{model.Eventually("Nine", in(9))},
		Within:     func(s *tick) bool { return s.X < 5 },
	}
	m := machine(t, model.Define("cut", "", func(*model.Config) *model.Spec[tick] { return s }), model.Selection{})
	r := Check(context.Background(), m, Options{})
	if r.Results[0].Verdict != model.Holds || r.Cut != 1 {
		t.Errorf("got %s with %d cut, want holds with 1", r.Results[0].Verdict, r.Cut)
	}
}

// TestRemedies checks what is said about a loop and what would forbid it.
func TestRemedies(t *testing.T) {
	for _, c := range []struct {
		name      string
		moves     map[string]string
		remedy    string
		neglected string
	}{
		{"one weak", map[string]string{"Go/weak": "0>1", "Flush": "1>2"}, "[WF(Flush)]", "[Flush 1/1]"},
		{"one strong", map[string]string{"Go/weak": "0>1 1>0", "Flush/weak": "1>2"}, "[SF(Flush)]", "[Flush 1/2]"},
		{"two", map[string]string{"Go": "0>1", "Flush": "1>2"}, "[WF(Flush) WF(Go)]", "[Go 1/1]"},
		{"none", map[string]string{"Go/weak": "0>1", "Trap/weak": "1>3"}, "[]", "[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := machineOf(t, 0, c.moves, model.Eventually("E", in(2)))
			e := Check(context.Background(), m, Options{}).Results[0].Explanation
			if e == nil {
				t.Fatal("got no explanation")
			}
			var remedy, neglected []string
			for _, r := range e.Remedy {
				remedy = append(remedy, r.Name)
			}
			for _, n := range e.Neglected {
				neglected = append(neglected, fmt.Sprintf("%s %d/%d", m.Actions[n.Action].Name, n.Enabled, n.States))
			}
			if fmt.Sprint(remedy) != c.remedy || fmt.Sprint(neglected) != c.neglected {
				t.Errorf("got remedy %v and neglected %v, want %s and %s", remedy, neglected, c.remedy, c.neglected)
			}
		})
	}
}

// TestMemoryForLiveness has room for the search and not for what follows.
func TestMemoryForLiveness(t *testing.T) {
	m := machine(t, gridEntry(12, func(s *model.Spec[grid]) {
		s.Properties = append(s.Properties, model.Eventually("Ends", func(s *grid) bool { return s.N[0] == 12 }))
	}), model.Selection{})
	whole := Check(context.Background(), m, Options{})
	r := Check(context.Background(), m, Options{MaxMemory: whole.Memory - 14*int64(whole.Distinct)})
	if r.Results[0].Verdict != model.Holds || r.Results[1].Verdict != model.Incomplete || !strings.Contains(r.Incomplete, "before temporal properties") {
		t.Errorf("got %s, %s, %q", r.Results[0].Verdict, r.Results[1].Verdict, r.Incomplete)
	}
}

// TestInterruptedJudging ends the context while temporal properties are being
// judged: nothing may hold then, and what was found before is kept.
func TestInterruptedJudging(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	calls := 0
	m := machine(t, gridEntry(5, func(s *model.Spec[grid]) {
		s.Properties = append(s.Properties,
			model.Always("Low", func(s *grid) bool { return s.N[1] < 2 }),
			model.LeadsTo("L", func(s *grid) bool {
				if calls++; calls == 500 {
					cancel(errors.New("interrupt"))
					time.Sleep(20 * time.Millisecond) // until the search has noticed
				}
				return s.N[0] == 5
			}, func(*grid) bool { return false }))
	}), model.Selection{})
	r := Check(ctx, m, Options{Workers: 1})
	if calls < 500 {
		t.Fatalf("got %d calls", calls)
	}
	if got := fmt.Sprint(r.Results[0].Verdict, r.Results[1].Verdict, r.Results[2].Verdict); got != "holds violated incomplete" && got != "holdsviolatedincomplete" {
		t.Errorf("got %s, want holds, violated, incomplete", got)
	}
	if !strings.Contains(r.Incomplete, "interrupt") {
		t.Errorf("got %q", r.Incomplete)
	}
}

// TestManyWorkersKeepTheirEdges uses more workers than fit in a byte.
func TestManyWorkersKeepTheirEdges(t *testing.T) {
	m := machine(t, gridEntry(9, func(s *model.Spec[grid]) {
		s.Actions[0] = s.Actions[0].FairEach(model.Weak)
		s.Properties = append(s.Properties,
			model.Eventually("Ends", func(s *grid) bool { return s.N == [4]uint8{9, 9, 9, 9} }),
			model.Eventually("Never", func(s *grid) bool { return s.N[0] > 9 }))
	}), model.Selection{})
	r := Check(context.Background(), m, Options{Workers: 300})
	if r.Results[1].Verdict != model.Holds || r.Results[2].Verdict != model.Violated {
		t.Errorf("got %s and %s, want holds and violated", r.Results[1].Verdict, r.Results[2].Verdict)
	}
}

// TestStoppingInACutState needs no fairness to be known: nothing is fair.
func TestStoppingInACutState(t *testing.T) {
	s := &model.Spec[tick]{
		Init:       []tick{{}},
		Actions:    []model.Action[tick]{model.Act("Up", func(s *tick) bool { return s.X < 9 }, func(s *tick) { s.X++ })},
		Properties: []model.Property[tick]{model.LeadsTo("L", in(5), in(9))},
		Within:     func(s *tick) bool { return s.X < 5 },
	}
	m := machine(t, model.Define("cut", "", func(*model.Config) *model.Spec[tick] { return s }), model.Selection{})
	r := Check(context.Background(), m, Options{})
	if r.Results[0].Verdict != model.Violated || r.Results[0].Behaviour.Steps() != 5 {
		t.Errorf("got %+v, want violated after 5 steps", r.Results[0])
	}
}

// TestTwinAgreesOnSmallSpecs adds what the default scenarios of a spec make too
// large for the twin.
func TestTwinAgreesOnSmallSpecs(t *testing.T) {
	for _, c := range []struct{ spec, scenario, set string }{
		{"install-snapshot", "leader-moves", "leader-changes=0"},
		{"install-snapshot", "stall-ends", "leader-changes=0,purges=0"},
	} {
		set, err := model.ParseSet(c.set)
		if err != nil {
			t.Fatal(err)
		}
		for _, fix := range []string{"off", "on"} {
			m := machine(t, entry(t, c.spec), model.Selection{Scenario: c.scenario, Set: set, Fix: []string{fix}})
			agreeOnLiveness(t, fmt.Sprint(c.spec, " ", c.set, " ", fix), m, 1, 2, 8)
		}
	}
}
