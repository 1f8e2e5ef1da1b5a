package checker

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"mc/model"
)

func explore(t *testing.T, m *model.Machine, o SpaceOptions) *Space {
	t.Helper()
	if o.MaxNodes == 0 {
		o.MaxNodes = 1 << 20
	}
	if o.MaxStates == 0 {
		o.MaxStates = 1 << 20
	}
	s, err := Explore(context.Background(), m, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestExploreAgrees compares with the search: states, and steps between
// different ones counted from the graph.
func TestExploreAgrees(t *testing.T) {
	for seed := range uint64(60) {
		m, actions, bad := diceMachine(t, rand.New(rand.NewPCG(seed, 5)))
		s := explore(t, m, SpaceOptions{})
		// A twin: states by name, and every label between two.
		known := map[dice]int{diceOf(m.Init[0]): 0}
		queue := []dice{diceOf(m.Init[0])}
		type edge struct {
			from, to int
			label    model.Label
		}
		edges := map[edge]bool{}
		for i := 0; i < len(queue); i++ {
			for l, a := range actions {
				next, ok := a.take(queue[i])
				if !ok || next == queue[i] {
					continue
				}
				if _, met := known[next]; !met {
					known[next] = len(queue)
					queue = append(queue, next)
				}
				edges[edge{i, known[next], model.Label(l)}] = true
			}
		}
		if len(s.Nodes) != len(queue) || s.States != len(queue) {
			t.Fatalf("seed %d: got %d nodes, want %d", seed, len(s.Nodes), len(queue))
		}
		got := 0
		out := map[int]bool{}
		for _, a := range s.Arcs {
			out[a.From] = true
			for _, l := range a.Labels {
				got++
				if !edges[edge{a.From, a.To, l}] {
					t.Errorf("seed %d: an arc from %d to %d by %d that is no step", seed, a.From, a.To, l)
				}
			}
		}
		if got != len(edges) {
			t.Errorf("seed %d: got %d labels on arcs, want %d", seed, got, len(edges))
		}
		for i, n := range s.Nodes {
			if diceOf(n.State) != queue[i] || n.Initial != (i == 0) || n.Deadlock != !out[i] || n.Terminal || n.Cut ||
				slices.Contains(n.Shows, 0) != (bad.of(&queue[i]) == 2) {
				t.Errorf("seed %d: node %d: got %+v", seed, i, n)
			}
		}
	}
}

// TestExploreMerges: merged nodes stand for all states, and an arc for all steps
// that leave a node.
func TestExploreMerges(t *testing.T) {
	m := machine(t, entry(t, "bcsid-map"), model.Selection{Scenario: "raft1"})
	whole := explore(t, m, SpaceOptions{})
	up := slices.Index(m.FieldNames(), "Up")
	merged := explore(t, m, SpaceOptions{Fields: []int{up}})
	if len(merged.Nodes) != 2 || merged.States != whole.States || merged.Nodes[0].States+merged.Nodes[1].States != whole.States {
		t.Fatalf("got %d nodes of %d states, want 2 of %d", len(merged.Nodes), merged.States, whole.States)
	}
	var names []string
	for _, a := range merged.Arcs {
		for _, l := range a.Labels {
			names = append(names, m.Instance(l).String())
		}
	}
	if want := []string{"Crash", "Restart"}; !slices.Equal(names, want) {
		t.Errorf("got arcs by %v, want %v", names, want)
	}
	shows := 0
	for _, n := range whole.Nodes {
		if len(n.Shows) > 0 {
			shows++
		}
	}
	if shows == 0 || len(merged.Nodes[0].Shows) == 0 {
		t.Error("nothing is marked")
	}
}

func TestExploreMarks(t *testing.T) {
	inc := model.Act("Inc", func(s *desk) bool { return s.A < 3 }, func(s *desk) { s.A++ })
	for _, c := range []struct {
		name string
		spec model.Spec[desk]
		mark func(s *Space) bool
	}{
		{"deadlock", model.Spec[desk]{}, func(s *Space) bool { return s.Nodes[3].Deadlock && !s.Nodes[3].Terminal && !s.Nodes[2].Deadlock }},
		{"terminal", model.Spec[desk]{Terminal: func(s *desk) bool { return s.A == 3 }}, func(s *Space) bool { return s.Nodes[3].Terminal && !s.Nodes[3].Deadlock }},
		{"cut", model.Spec[desk]{Within: func(s *desk) bool { return s.A < 2 }}, func(s *Space) bool { return len(s.Nodes) == 3 && s.Nodes[2].Cut && !s.Nodes[2].Deadlock }},
		{"step", model.Spec[desk]{Properties: []model.Property[desk]{model.EveryStep("P", func(s, _ *desk) bool { return s.A != 1 })}},
			func(s *Space) bool { return len(s.Arcs[1].Shows) == 1 && len(s.Arcs[0].Shows) == 0 }},
		{"witness", model.Spec[desk]{Properties: []model.Property[desk]{model.Reachable("P", func(s *desk) bool { return s.A == 1 })}},
			func(s *Space) bool { return len(s.Nodes[1].Shows) == 1 && len(s.Nodes[0].Shows) == 0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.spec.Init, c.spec.Actions = []desk{{}}, []model.Action[desk]{inc}
			m, err := model.Define("desk", "", func(*model.Config) *model.Spec[desk] { return &c.spec }).Machine(model.Selection{})
			if err != nil {
				t.Fatal(err)
			}
			if s := explore(t, m, SpaceOptions{}); !c.mark(s) {
				t.Errorf("got %+v", s)
			}
		})
	}
}

// TestExploreMergesMarks: a merged node is marked if one of its states is.
func TestExploreMergesMarks(t *testing.T) {
	m, err := model.Define("desk", "", func(*model.Config) *model.Spec[desk] {
		return &model.Spec[desk]{Init: []desk{{}}, Terminal: func(s *desk) bool { return s.C == 1 }, Actions: []model.Action[desk]{
			model.Act("End", func(s *desk) bool { return s.A == 0 && s.C == 0 }, func(s *desk) { s.C = 1 }),
			model.Act("Inc", func(s *desk) bool { return s.A < 3 && s.C == 0 }, func(s *desk) { s.A++ }),
		}}
	}).Machine(model.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	s := explore(t, m, SpaceOptions{Fields: []int{1}})
	if n := s.Nodes[0]; len(s.Nodes) != 1 || n.States != 5 || !n.Initial || !n.Terminal || !n.Deadlock || len(s.Arcs) > 0 {
		t.Errorf("got %+v, want one node that is initial, terminal and a deadlock", s)
	}
}

func TestExploreSymmetry(t *testing.T) {
	m := machine(t, entry(t, "two-phase"), model.Selection{Set: map[string]string{"rms": "3"}})
	if s := explore(t, m, SpaceOptions{Symmetry: true}); len(s.Nodes) != 80 {
		t.Errorf("got %d orbits, want the 80 that others published", len(s.Nodes))
	}
}

func TestExploreEnds(t *testing.T) {
	m := machine(t, entry(t, "die-hard"), model.Selection{})
	for _, c := range []struct {
		nodes, states, limit int
	}{{16, 16, 0}, {15, 99, 15}, {99, 15, 15}} {
		_, err := Explore(context.Background(), m, SpaceOptions{MaxNodes: c.nodes, MaxStates: c.states})
		var large *TooLarge
		if errors.As(err, &large); (err == nil) != (c.limit == 0) || large != nil && (large.Limit != c.limit || large.States != 16) {
			t.Errorf("%+v: got %v", c, err)
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("enough"))
	if _, err := Explore(ctx, m, SpaceOptions{MaxNodes: 99, MaxStates: 99}); err == nil || err.Error() != "enough" {
		t.Errorf("got %v, want the reason that the context ended", err)
	}
}
