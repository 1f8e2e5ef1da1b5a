package spec

import (
	"fmt"
	"testing"

	"mc/checker"
	"mc/model"
)

// TestTwins compares specs whose states are packed for speed with twins that
// are written as the papers write them: maps of whole states, no sets of bits,
// nothing left out. The state graphs must have the same size in every respect.
func TestTwins(t *testing.T) {
	for _, c := range []struct {
		spec string
		set  map[string]string
		twin func(set map[string]string) graph
		long bool
	}{
		{"paxos-commit", map[string]string{"rms": "1", "acceptors": "3", "ballots": "1"}, paxosTwin, false},
		{"paxos-commit", map[string]string{"rms": "1", "acceptors": "4", "ballots": "1"}, paxosTwin, false},
		{"paxos-commit", map[string]string{"rms": "2", "acceptors": "2", "ballots": "1"}, paxosTwin, false},
		{"paxos-commit", map[string]string{"rms": "2", "acceptors": "3", "ballots": "0"}, paxosTwin, false},
		{"paxos-commit", map[string]string{"rms": "1", "acceptors": "3", "ballots": "2"}, paxosTwin, false},
		{"paxos-commit", map[string]string{"rms": "2", "acceptors": "1", "ballots": "2"}, paxosTwin, false},
		{"peterson", map[string]string{"procs": "2"}, petersonTwin, false},
		{"peterson", map[string]string{"procs": "3"}, petersonTwin, false},
		{"peterson", map[string]string{"procs": "4"}, petersonTwin, false},
		{"peterson", map[string]string{"procs": "5"}, petersonTwin, true},
		{"election", map[string]string{"procs": "2"}, electionTwin, false},
		{"election", map[string]string{"procs": "4"}, electionTwin, false},
		{"election", map[string]string{"procs": "5"}, electionTwin, false},
		{"election", map[string]string{"procs": "7"}, electionTwin, true},
	} {
		t.Run(fmt.Sprint(c.spec, c.set), func(t *testing.T) {
			if c.long && !*long {
				t.Skip("large: run with -long")
			}
			if got, want := searched(t, c.spec, c.set), c.twin(c.set); got != want {
				t.Errorf("got %+v, the twin has %+v", got, want)
			}
		})
	}
}

// TestCounts pins the sizes of the large spaces. Those of two-phase commit are
// in package checker's tests.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		spec string
		set  map[string]string
		want graph
		long bool
	}{
		// Distinct and depth are published; TestTLC explains the third.
		{"paxos-commit", map[string]string{"rms": "2"}, graph{1321761, 15242979, 28}, false},
		{"peterson", map[string]string{"procs": "5"}, graph{409308, 1431661, 55}, false},
		{"peterson", map[string]string{"procs": "6"}, graph{10187487, 40976545, 76}, true},
		{"election", map[string]string{"procs": "6"}, graph{93427, 314476, 22}, false},
		{"election", map[string]string{"procs": "7"}, graph{1705679, 6690376, 29}, true},
	} {
		t.Run(fmt.Sprint(c.spec, c.set), func(t *testing.T) {
			if c.long && !*long || testing.Short() && c.want.distinct > 100_000 {
				t.Skip("large: run with -long, without -short")
			}
			if got := searched(t, c.spec, c.set); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// TestQuestions judges what the specs are asked besides their guarantees.
func TestQuestions(t *testing.T) {
	for _, c := range []struct {
		spec, property string
		set            map[string]string
		want           model.Verdict
	}{
		{"paxos-commit", "NonBlocking", nil, model.Holds},
		{"paxos-commit", "NonBlocking", map[string]string{"ballots": "0"}, model.Violated},
		{"paxos-commit", "NonBlocking", map[string]string{"rms": "2", "acceptors": "1"}, model.Holds},
		{"paxos-commit", "DecisionReachesAll", map[string]string{"rms": "2", "acceptors": "1"}, model.Holds},
		{"peterson", "EachLevelHoldsOneBack", map[string]string{"procs": "4"}, model.Holds},
		{"peterson", "NoStarvation", map[string]string{"procs": "2"}, model.Holds},
		{"peterson", "NoStarvation", map[string]string{"procs": "4"}, model.Holds},
		{"election", "Elected", map[string]string{"procs": "5"}, model.Holds},
		{"election", "Settled", map[string]string{"procs": "5"}, model.Holds},
	} {
		t.Run(fmt.Sprint(c.property, c.set), func(t *testing.T) {
			m := machineOf(t, c.spec, c.set)
			r := checker.Check(t.Context(), m, checker.Options{Properties: []int{m.Property(c.property)}})
			if got := r.Results[0]; got.Verdict != c.want || got.Vacuous || got.NeedsNoFairness {
				t.Errorf("got %s (vacuous %v, without fairness %v), want %s", got.Verdict, got.Vacuous, got.NeedsNoFairness, c.want)
			}
		})
	}
}

// graph is the size of a state graph: as checker.Report counts it.
type graph struct {
	distinct, generated uint64
	depth               int
}

func machineOf(t *testing.T, name string, set map[string]string) *model.Machine {
	t.Helper()
	for _, e := range All {
		if e.Name == name {
			m, err := e.Machine(model.Selection{Set: set})
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
	}
	t.Fatalf("no spec %s", name)
	return nil
}

// searched is what mc finds; every guarantee must come out well.
func searched(t *testing.T, name string, set map[string]string) graph {
	t.Helper()
	m := machineOf(t, name, set)
	r := checker.Check(t.Context(), m, checker.Options{})
	if r.Fault != nil || !r.Exhausted {
		t.Fatalf("fault %v, incomplete: %s", r.Fault, r.Incomplete)
	}
	for _, res := range r.Results {
		if res.Verdict != model.Holds && res.Verdict != model.Reached {
			t.Errorf("%s: got %s", m.Properties[res.Property].Name, res.Verdict)
		}
	}
	return graph{r.Distinct, r.Generated, r.Depth}
}

// measure searches breadth-first from the initial states.
func measure[S comparable](init []S, next func(s S, to func(S))) (g graph) {
	seen := map[S]bool{}
	var level []S
	meet := func(s S) {
		g.generated++
		if !seen[s] {
			seen[s] = true
			level = append(level, s)
		}
	}
	for _, s := range init {
		meet(s)
	}
	for len(level) > 0 {
		g.depth++
		now := level
		level = nil
		for _, s := range now {
			next(s, meet)
		}
	}
	g.distinct = uint64(len(seen))
	return g
}

func number(set map[string]string, name string) (n int) {
	fmt.Sscan(set[name], &n)
	return n
}
