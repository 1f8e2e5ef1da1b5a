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

// untimed are the properties of a machine that walks judge.
func untimed(m *model.Machine) []int {
	return slices.DeleteFunc(allProperties(m), func(p int) bool { return m.Properties[p].Kind.Temporal() })
}

// sameForAll walks with several numbers of workers and compares.
func sameForAll(t *testing.T, name string, m *model.Machine, o WalkOptions) *Report {
	t.Helper()
	var first *Report
	workers := []int{1, 2, 3, 8}
	if testing.Short() {
		workers = []int{1, 3}
	}
	for _, n := range workers {
		o.Workers = n
		r := Walk(context.Background(), m, o)
		if first == nil {
			first = r
		}
		if !reflect.DeepEqual(figures(r), figures(first)) {
			t.Fatalf("%s: %d workers:\ngot  %+v\nwant %+v", name, n, figures(r), figures(first))
		}
	}
	return first
}

// TestWalksFindWhatTheSearchFinds walks through the specs: every violation and
// witness that the search knows is found, at the length given here, and
// nothing else.
func TestWalksFindWhatTheSearchFinds(t *testing.T) {
	for _, c := range []struct {
		spec, scenario string
		longer         int // steps, of all behaviours together, beyond the shortest
	}{
		{"die-hard", "", 0}, {"two-phase", "", 0}, {"bcsid-map", "raft1", 0}, {"bcsid-map", "noraft2", 0}, {"bcsid-map", "mix", 1},
	} {
		if testing.Short() && c.scenario == "mix" {
			continue
		}
		m := machine(t, entry(t, c.spec), model.Selection{Scenario: c.scenario})
		o := WalkOptions{Properties: untimed(m), Seed: 7, Walks: 3000}
		r := sameForAll(t, c.spec+c.scenario, m, o)
		longer := againstSearch(t, c.spec+c.scenario, m, r)
		if longer != c.longer {
			t.Errorf("%s %s: got behaviours %d steps longer than the shortest, want %d", c.spec, c.scenario, longer, c.longer)
		}
		want := Check(context.Background(), m, Options{Properties: o.Properties})
		for i, x := range r.Results {
			if (x.Behaviour == nil) != (want.Results[i].Behaviour == nil) {
				t.Errorf("%s %s: %s: got %s", c.spec, c.scenario, m.Properties[x.Property].Name, x.Verdict)
			}
		}
		o.Seed++
		// In die-hard all actions can be taken always, so that counts are alike.
		if other := Walk(context.Background(), m, o); c.spec != "die-hard" && other.Generated == r.Generated {
			t.Errorf("%s %s: seeds 7 and 8 walk alike", c.spec, c.scenario)
		}
	}
}

// againstSearch compares a report of walks with the search of the whole space,
// and looks at each behaviour. It returns the steps that behaviours have beyond
// the shortest.
func againstSearch(t *testing.T, name string, m *model.Machine, r *Report) (longer int) {
	t.Helper()
	want := Check(context.Background(), m, Options{Properties: untimed(m)})
	for i, x := range r.Results {
		p := m.Properties[x.Property].Name
		if x.Behaviour == nil {
			if x.Verdict != model.Incomplete {
				t.Fatalf("%s: %s: got %s without a behaviour", name, p, x.Verdict)
			}
			continue
		}
		shortest := want.Results[i]
		if x.Verdict != shortest.Verdict || x.Behaviour.Steps() < shortest.Behaviour.Steps() {
			t.Fatalf("%s: %s: got %s in %d steps, want %s in %d", name, p, x.Verdict, x.Behaviour.Steps(), shortest.Verdict, shortest.Behaviour.Steps())
		}
		longer += x.Behaviour.Steps() - shortest.Behaviour.Steps()
		if err := m.Replay(x.Behaviour); err != nil {
			t.Fatalf("%s: %s: %v", name, p, err)
		}
		showsIt(t, m, x)
		needsEachStep(t, name+": "+p, m, x)
	}
	open := slices.ContainsFunc(r.Results, func(x Result) bool { return x.Verdict == model.Incomplete })
	if open != (r.Incomplete != "") || r.Exhausted || r.Distinct > r.Generated {
		t.Fatalf("%s: got incomplete %q, exhausted %v, %d of %d states distinct", name, r.Incomplete, r.Exhausted, r.Distinct, r.Generated)
	}
	return longer
}

// needsEachStep checks that a behaviour visits no state twice, stays within the
// bound until its end, and shows its finding no longer without any one step.
func needsEachStep(t *testing.T, name string, m *model.Machine, r Result) {
	t.Helper()
	b := r.Behaviour
	w := newWalks(m, WalkOptions{Properties: []int{r.Property}, Workers: 1}).crew[0]
	s := w.newShortening(r.Property)
	met := map[string]bool{}
	for i, state := range b.States[:s.rejoins(b)] {
		if met[string(state)] {
			t.Fatalf("%s: visits a state twice", name)
		}
		met[string(state)] = true
		if within, _ := w.eval.Within(state); !within && i < b.Steps() {
			t.Fatalf("%s: leaves the bound at step %d", name, i)
		}
	}
	for skip := range b.Labels {
		at, previous := b.States[skip], []byte(nil)
		if skip > 0 {
			previous = b.States[skip-1]
		}
		for i := skip; i < b.Steps(); i++ {
			if s.shows(previous, at) {
				t.Fatalf("%s: does not need step %d", name, skip+1)
			}
			if i+1 == b.Steps() {
				break
			}
			within, _ := w.eval.Within(at)
			next, blocked, fault := w.eval.Step(at, b.Labels[i+1])
			if !within || blocked != "" || fault != nil {
				break
			}
			previous, at = at, slices.Clone(next)
		}
	}
}

func TestWalksAgreeOnRandomMachines(t *testing.T) {
	machines := 600
	if testing.Short() {
		machines = 50
	}
	longer, found := 0, 0
	for seed := range uint64(machines) {
		name := fmt.Sprint("seed ", seed)
		m := machine(t, randomEntry(rand.New(rand.NewPCG(seed, 3))), model.Selection{})
		r := sameForAll(t, name, m, WalkOptions{Properties: untimed(m), Seed: seed, Walks: 300, Depth: 20})
		longer += againstSearch(t, name, m, r)
		for _, x := range r.Results {
			if x.Behaviour != nil {
				found++
			}
		}
	}
	t.Logf("%d findings, %d steps longer than the shortest ones", found, longer)
}

// TestWalksFindTheBug is the report of a user: how many walks it takes on
// bcsid-map as it is.
func TestWalksFindTheBug(t *testing.T) {
	m := machine(t, entry(t, "bcsid-map"), model.Selection{Scenario: "raft1"})
	p := m.Property("NoUpdateBcsidFailure")
	for seed := range uint64(20) {
		r := Walk(context.Background(), m, WalkOptions{Properties: []int{p}, Seed: seed})
		x := r.Results[0]
		if x.Verdict != model.Violated || x.Behaviour.Steps() != 7 || r.Walks != roundWalks || r.Incomplete != "" {
			t.Errorf("seed %d: got %s after %d walks, %q, want violated after one round", seed, x.Verdict, r.Walks, r.Incomplete)
		}
	}
}
