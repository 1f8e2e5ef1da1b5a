package checker

import (
	"math/rand/v2"
	"slices"
	"testing"

	"mc/model"
)

func TestObstacles(t *testing.T) {
	yes := func(*desk) bool { return true }
	act := func(guard model.Conjuncts[func(*desk) bool]) model.Action[desk] {
		return model.Act("Try", guard, func(s *desk) { s.D = 1 })
	}
	inc := func(name string, p func(*desk) *uint8) model.Action[desk] {
		return model.Act(name, func(s *desk) bool { return *p(s) < 2 }, func(s *desk) { *p(s)++ })
	}
	incs := []model.Action[desk]{
		inc("A", func(s *desk) *uint8 { return &s.A }), inc("B", func(s *desk) *uint8 { return &s.B }), inc("Secret", func(s *desk) *uint8 { return &s.Secret }),
	}
	for _, c := range []struct {
		name     string
		try      model.Action[desk]
		conjunct string // empty if it is enabled
		fields   []string
	}{
		{"enabled", act(model.All(model.If("any", yes))), "", nil},
		{"one field", act(model.All(model.If("any", yes), model.If("a", func(s *desk) bool { return s.A == 2 }))), "a", []string{"A"}},
		{"two fields", act(model.All(model.If("sum", func(s *desk) bool { return s.A+s.B == 4 }))), "sum", []string{"A", "B"}},
		{"either of two", act(model.All(model.If("sum", func(s *desk) bool { return s.A+s.B > 0 }))), "sum", []string{"A"}},
		{"the fewest fields", act(model.All(model.If("sum", func(s *desk) bool { return s.A+s.B == 2 }))), "sum", []string{"A"}},
		{"the first that is false", act(model.All(model.If("b", func(s *desk) bool { return s.B == 1 }), model.If("a", func(s *desk) bool { return s.A == 1 }))), "b", []string{"B"}},
		{"later ones do not count", act(model.All(model.If("b", func(s *desk) bool { return s.B == 1 }), model.If("no", func(*desk) bool { return false }))), "b", []string{"B"}},
		{"a plain guard", model.Act("Try", func(s *desk) bool { return s.A > 0 }, func(s *desk) { s.D = 1 }), "guard", []string{"A"}},
		{"true nowhere", act(model.All(model.If("no", func(*desk) bool { return false }))), "no", nil},
		{"hidden", act(model.All(model.If("secret", func(s *desk) bool { return s.Secret == 1 }))), "secret", nil},
		{"excluded", act(model.All(model.If("a", func(s *desk) bool { return s.A == 2 }))).When(false), "excluded by the settings", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := model.Define("desk", "", func(*model.Config) *model.Spec[desk] {
				return &model.Spec[desk]{Init: []desk{{}}, Actions: append(slices.Clone(incs), c.try)}
			}).Machine(model.Selection{})
			if err != nil {
				t.Fatal(err)
			}
			got, fault := NewObstacles(m, m.Init[0], nil).Of(m.Actions[len(m.Actions)-1].First)
			if fault != nil {
				t.Fatal(fault)
			}
			if (got == nil) != (c.conjunct == "") {
				t.Fatalf("got %v, want %q", got, c.conjunct)
			}
			if got == nil {
				return
			}
			var fields []string
			for _, f := range got.Fields {
				fields = append(fields, m.FieldNames()[f])
			}
			if nowhere := c.name == "true nowhere" || c.name == "excluded"; got.Nowhere != nowhere {
				t.Errorf("got nowhere %v, want %v", got.Nowhere, nowhere)
			}
			if got.Conjunct != c.conjunct || !slices.Equal(fields, c.fields) {
				t.Errorf("got %q because of %v, want %q because of %v", got.Conjunct, fields, c.conjunct, c.fields)
			}
		})
	}
}

// TestObstaclesOnRandomMachines: with the fields told as they would have to be,
// and all else as it is, the guard is true; without one of them it is not.
func TestObstaclesOnRandomMachines(t *testing.T) {
	told := 0
	for seed := uint64(0); told < 300; seed++ {
		r := rand.New(rand.NewPCG(seed, 4))
		m, actions, _ := diceMachine(t, r)
		o := NewObstacles(m, m.Init[0], nil)
		for l, a := range actions {
			got, _ := o.Of(model.Label(l))
			is := diceOf(m.Init[0])
			if enabled := a.guard.of(&is) != 0; enabled != (got == nil) {
				t.Fatalf("seed %d: got %v, enabled %v", seed, got, enabled)
			}
			if got == nil || got.Enough == nil {
				continue
			}
			told++
			with := func(leave int) bool {
				d := is
				for _, f := range got.Fields {
					if f != leave {
						d.F[f] = diceOf(got.Enough).F[f]
					}
				}
				return a.guard.of(&d) != 0
			}
			if !with(-1) {
				t.Errorf("seed %d: %v would not do", seed, got.Fields)
			}
			for _, f := range got.Fields {
				if with(f) {
					t.Errorf("seed %d: %v would do without %d", seed, got.Fields, f)
				}
			}
		}
	}
}
