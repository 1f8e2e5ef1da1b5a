package checker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"mc/model"
)

// naiveCoverage walks over a machine with maps.
func naiveCoverage(m *model.Machine) (actions []ActionCoverage, values []int, levels []uint64) {
	w, batch := m.NewWorker(), m.NewBatch(1)
	known := map[string]bool{}
	led := make([]map[string]bool, len(m.Actions))
	for i := range led {
		led[i] = map[string]bool{}
	}
	actions = make([]ActionCoverage, len(m.Actions))
	fields := make([]map[string]bool, len(m.FieldNames()))
	for i := range fields {
		fields[i] = map[string]bool{}
	}
	var level []string
	add := func(s string) {
		if !known[s] {
			known[s] = true
			level = append(level, s)
			for i, f := range m.Fields(aligned(s)) {
				fields[i][f.Value] = true
			}
		}
	}
	for _, s := range m.Init {
		add(string(s))
	}
	for len(level) > 0 {
		levels = append(levels, uint64(len(level)))
		now := level
		level = nil
		for _, s := range now {
			if in, _ := w.Within(aligned(s)); !in {
				continue
			}
			batch.Truncate(0)
			w.Expand(aligned(s), batch)
			on := map[int]bool{}
			for i, l := range batch.Labels {
				if t := string(batch.State(i)); t != s {
					on[m.ActionOf(l)] = true
					led[m.ActionOf(l)][t] = true
				}
			}
			for i := range batch.Len() {
				add(string(batch.State(i)))
			}
			for a := range on {
				actions[a].Enabled++
			}
		}
	}
	for a := range led {
		actions[a].Distinct = uint64(len(led[a]))
	}
	for _, f := range fields {
		values = append(values, len(f))
	}
	return actions, values, levels
}

func TestCoverageAgreesWithItsTwin(t *testing.T) {
	for seed := range uint64(300) {
		e := randomEntry(rand.New(rand.NewPCG(seed, 4)))
		if seed == 0 {
			e = entry(t, "bcsid-map")
		}
		m := machine(t, e, model.Selection{})
		actions, values, levels := naiveCoverage(m)
		for _, workers := range []int{1, 2, 8} {
			// Asking for nothing lets no finding end the search.
			r := Check(context.Background(), m, Options{Workers: workers, Properties: []int{}})
			var got []int
			for _, f := range r.Coverage.Fields {
				got = append(got, f.Values)
			}
			if !reflect.DeepEqual(r.Coverage.Actions, actions) || !reflect.DeepEqual(got, values) || !reflect.DeepEqual(r.Levels, levels) {
				t.Fatalf("seed %d, %d workers: got %v %v %v, want %v %v %v", seed, workers, r.Coverage.Actions, got, r.Levels, actions, values, levels)
			}
		}
	}
}

// TestGrowthIsNamed lets one counter of a machine run away.
func TestGrowthIsNamed(t *testing.T) {
	type state struct {
		Small uint8
		Large uint32
	}
	m := machine(t, model.Define("runaway", "", func(*model.Config) *model.Spec[state] {
		return &model.Spec[state]{
			Init: []state{{}},
			Actions: []model.Action[state]{
				model.Act("Turn", func(*state) bool { return true }, func(s *state) { s.Small = (s.Small + 1) % 3 }),
				model.Act("Count", func(*state) bool { return true }, func(s *state) { s.Large++ }),
			},
		}
	}), model.Selection{})
	r := Check(context.Background(), m, Options{MaxStates: 5000, MaxDepth: 1000})
	if g := r.Coverage.Growth; g == nil || g.Field != "Large" || g.NewValues == 0 || m.Actions[g.Action].Name != "Count" {
		t.Errorf("got %+v", g)
	}
	if got := fmt.Sprint(r.Coverage.Fields); got == "" || r.Coverage.Fields[0].Values != 3 {
		t.Errorf("got fields %s", got)
	}
	if r := Check(context.Background(), m, Options{MaxStates: 70_000}); r.Coverage != nil {
		t.Error("a large space is walked again without being asked")
	}
	if r := Check(context.Background(), m, Options{MaxStates: 70_000, Coverage: true}); r.Coverage == nil || !r.Coverage.Fields[1].More {
		t.Errorf("got %+v", r.Coverage)
	}
}
