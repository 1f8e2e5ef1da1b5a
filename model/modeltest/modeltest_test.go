package modeltest

import (
	"strings"
	"testing"

	"mc/model"
)

type state struct{ N, M uint8 }

// entry makes a counter from 0 to 3 that a test may spoil.
func entry(spoil func(*model.Spec[state])) *model.Entry {
	return model.Define("counter", "", func(*model.Config) *model.Spec[state] {
		s := &model.Spec[state]{
			Init: []state{{}},
			Actions: []model.Action[state]{
				model.Act("Up", func(s *state) bool { return s.N < 3 }, func(s *state) { s.N++ }),
			},
			Properties: []model.Property[state]{
				model.Always("Small", func(s *state) bool { return s.N < 4 }),
			},
		}
		spoil(s)
		return s
	})
}

func TestProblems(t *testing.T) {
	calls := 0
	up := func(guard func(*state) bool, effect func(*state)) func(*model.Spec[state]) {
		return func(s *model.Spec[state]) { s.Actions[0] = model.Act("Up", guard, effect) }
	}
	yes := func(*state) bool { return true }
	for _, c := range []struct {
		name  string
		spoil func(*model.Spec[state])
		want  string // in the only problem; empty for none
	}{
		{"good", func(*model.Spec[state]) {}, ""},
		{"no initial state", func(s *model.Spec[state]) { s.Init = nil }, "no initial state"},
		{"writing guard", up(func(s *state) bool { s.M = 1; return s.N < 3 }, func(s *state) { s.N++ }), "guard of Up"},
		{"writing property", func(s *model.Spec[state]) {
			s.Properties[0] = model.Always("Small", func(s *state) bool { s.M++; return true })
		}, "property Small"},
		{"panic", up(yes, func(s *state) { panic("boom") }), "boom"},
		{"not a function", up(yes, func(s *state) { calls++; s.N = uint8(calls) }), "different successors"},
		{"never taken", func(s *model.Spec[state]) {
			s.Actions = append(s.Actions, model.Act("Never", func(s *state) bool { return s.N > 9 }, func(*state) {}))
		}, "action Never is taken in no scenario"},
		{"no lane", func(s *model.Spec[state]) {
			s.Lanes, s.Draw = []string{"a"}, func(d *model.Drawing, _, _ *state) { d.On("b") }
		}, `lane "b"; have a`},
		{"message to nowhere", func(s *model.Spec[state]) {
			s.Lanes, s.Draw = []string{"a"}, func(d *model.Drawing, _, _ *state) { d.On("a").Send(1, "c", "x") }
		}, `sends to lane "c"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := strings.Join(Budget{}.problems(entry(c.spoil)), "\n")
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want it to contain %q", got, c.want)
			}
		})
	}
}

func TestClaimsMustName(t *testing.T) {
	e := entry(func(*model.Spec[state]) {}).With(model.About{Claims: []model.Claim{{
		ID: "1", Cases: []model.Case{{Holds: "Small"}, {Holds: "Tall"}, {Scenarios: "big", Holds: "Small"}},
	}}})
	got := strings.Join(Budget{}.problems(e), "\n")
	for _, want := range []string{"claim 1: no property Tall", "scenario big"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %q, want it to contain %q", got, want)
		}
	}
}
