package checker

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"mc/model"
)

// fewest tries every order of the steps of a behaviour and says with how few
// changes of lanes one shows the finding at its end and not before.
func fewest(m *model.Machine, b *model.Behaviour, lanes []string) int {
	best := -1
	var order []int
	var try func(at *model.Behaviour)
	try = func(at *model.Behaviour) {
		shown := m.Shows(at, 0) == nil
		if len(order) == len(lanes) {
			names := make([]string, len(order))
			for i, n := range order {
				names[i] = lanes[n]
			}
			if n := changes(names); shown && (best < 0 || n < best) {
				best = n
			}
			return
		}
		if shown {
			return
		}
		w := m.NewWorker()
		for i, l := range b.Labels {
			if slices.Contains(order, i) {
				continue
			}
			next, blocked, fault := w.Step(at.States[at.Steps()], l)
			if blocked != "" || fault != nil || slices.Equal(next, at.States[at.Steps()]) {
				continue
			}
			order = append(order, i)
			try(&model.Behaviour{States: append(slices.Clip(at.States), slices.Clone(next)), Labels: append(slices.Clip(at.Labels), l), Loop: -1})
			order = order[:len(order)-1]
		}
	}
	try(&model.Behaviour{States: b.States[:1], Loop: -1})
	return best
}

// TestReorderOnRandomMachines compares with every order there is.
func TestReorderOnRandomMachines(t *testing.T) {
	improved := 0
	for seed := uint64(0); improved < 60; seed++ {
		r := rand.New(rand.NewPCG(seed, 3))
		m, _, _ := diceMachine(t, r)
		b := stroll(m, r, 7)
		if b == nil {
			continue
		}
		of := map[model.Label]string{}
		lanes := make([]string, b.Steps())
		for i, l := range b.Labels {
			if of[l] == "" {
				of[l] = []string{"a", "b"}[r.IntN(2)]
			}
			lanes[i] = of[l]
		}
		got := Reorder(m, 0, b, lanes)
		if err := m.Shows(got, 0); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if n, _ := m.ShownAfter(got, 0); n != got.Steps() {
			t.Fatalf("seed %d: shown after %d of %d steps", seed, n, got.Steps())
		}
		if x, y := slices.Sorted(slices.Values(got.Labels)), slices.Sorted(slices.Values(b.Labels)); !slices.Equal(x, y) {
			t.Fatalf("seed %d: got the steps %v, want those of %v", seed, x, y)
		}
		names := make([]string, got.Steps())
		for i, l := range got.Labels {
			names[i] = of[l]
		}
		best := fewest(m, b, lanes)
		if changes(names) != best {
			t.Errorf("seed %d: got %d changes of lanes, want %d: %v on %v", seed, changes(names), best, got.Labels, lanes)
		}
		switch {
		case changes(names) < changes(lanes):
			improved++
		case got != b:
			t.Errorf("seed %d: another order that is no better", seed)
		}
		if again := Reorder(m, 0, b, lanes); !reflect.DeepEqual(again, got) {
			t.Errorf("seed %d: two answers", seed)
		}
	}
}

// TestReorderKeeps: a lasso, a fault and what shows nothing stay as they are.
func TestReorderKeeps(t *testing.T) {
	m := machine(t, entry(t, "bcsid-map"), model.Selection{Scenario: "retry"})
	for _, res := range Check(context.Background(), m, Options{}).Results {
		b := res.Behaviour
		if b == nil {
			continue
		}
		lanes := make([]string, b.Steps())
		for i := range lanes {
			lanes[i] = string(rune('a' + i%2))
		}
		if got := Reorder(m, res.Property, b, lanes); b.Loop >= 0 && got != b {
			t.Error("a lasso is reordered")
		}
		if b.Loop < 0 {
			faulty := *b
			faulty.Fault = &model.Fault{}
			if Reorder(m, res.Property, &faulty, lanes) != &faulty {
				t.Error("a fault is reordered")
			}
			short := &model.Behaviour{States: b.States[:b.Steps()], Labels: b.Labels[:b.Steps()-1], Loop: -1}
			if Reorder(m, res.Property, short, lanes[1:]) != short {
				t.Error("what shows nothing is reordered")
			}
		}
	}
}

// TestReorderStaysWithin: no order goes through a state whose steps the bound
// cuts off.
func TestReorderStaysWithin(t *testing.T) {
	spec := &model.Spec[desk]{Init: []desk{{}}, Within: func(s *desk) bool { return s.A < 2 || s.B == 2 },
		Actions: []model.Action[desk]{
			model.Act("A", func(*desk) bool { return true }, func(s *desk) { s.A++ }),
			model.Act("B", func(*desk) bool { return true }, func(s *desk) { s.B++ }),
		},
		Properties: []model.Property[desk]{model.Always("Few", func(s *desk) bool { return s.A < 2 || s.B < 2 })}}
	m, err := model.Define("desk", "", func(*model.Config) *model.Spec[desk] { return spec }).Machine(model.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	b := &model.Behaviour{States: [][]byte{m.Init[0]}, Loop: -1}
	for _, l := range []model.Label{0, 1, 0, 1} {
		next, _, _ := m.NewWorker().Step(b.States[b.Steps()], l)
		b.States, b.Labels = append(b.States, slices.Clone(next)), append(b.Labels, l)
	}
	if got := Reorder(m, 0, b, []string{"a", "b", "a", "b"}).Labels; !slices.Equal(got, []model.Label{1, 1, 0, 0}) {
		t.Errorf("got %v, want B twice, then A twice", got)
	}
}

// TestReorderWide gives up orders where there are too many, and still returns a
// behaviour.
func TestReorderWide(t *testing.T) {
	const n = 40
	type row struct{ Set model.Set[uint8, uint64] }
	m, err := model.Define("row", "", func(*model.Config) *model.Spec[row] {
		return &model.Spec[row]{Init: []row{{}},
			Actions:    []model.Action[row]{model.Act1("Add", model.Below[uint8]("x", n), func(*row, uint8) bool { return true }, func(s *row, x uint8) { s.Set.Add(x) })},
			Properties: []model.Property[row]{model.Always("Room", func(s *row) bool { return s.Set.Len() < n })},
		}
	}).Machine(model.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	var steps []model.Instance
	lanes := make([]string, n)
	for i := range n {
		steps = append(steps, m.Instance(model.Label(i)))
		lanes[i] = string(rune('a' + i%4))
	}
	b, _ := m.Take(m.Init[0], steps)
	got := Reorder(m, 0, b, lanes)
	names := make([]string, n)
	for i, l := range got.Labels {
		names[i] = lanes[l]
	}
	if m.Shows(got, 0) != nil || changes(names) != 3 {
		t.Errorf("got %d changes of lanes, want 3", changes(names))
	}
}
