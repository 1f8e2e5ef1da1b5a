package checker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

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
