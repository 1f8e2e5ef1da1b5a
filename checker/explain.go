package checker

import (
	"context"
	"slices"

	"mc/model"
)

// Explanation says why a lasso is possible: what it neglects, and what would
// forbid it.
type Explanation struct {
	// Neglected are the actions that are enabled somewhere on the loop and
	// not taken in it.
	Neglected []Neglect
	// Remedy is a smallest set of further fairness conditions, each on a
	// whole action, with which the property holds; the checker has judged the
	// property with it. It is empty if none of up to maxRemedy was found.
	Remedy []model.Condition
	// Tried is the number of sets that were judged.
	Tried int
}

// Neglect is an action that a loop does not take.
type Neglect struct {
	Action     int // index into Machine.Actions
	Enabled    int // states of the loop in which it is enabled
	States     int // states of the loop
	Conditions []string
}

const (
	maxRemedy = 3  // conditions in a remedy
	maxTries  = 24 // sets of conditions judged for one explanation
)

// explain looks at a lasso, and searches for the smallest remedy: sets of one
// condition first, then sets of two made of those and of what the next lasso
// neglects, and so on.
func (s *search) explain(ctx context.Context, o *obligation, declared []model.Condition, initial []uint32, lasso *model.Behaviour) *Explanation {
	e := &Explanation{Neglected: s.neglected(lasso)}
	type try struct {
		assumed []assumption
		lasso   *model.Behaviour
	}
	queue := []try{{nil, lasso}}
	judged := map[string]bool{}
	for len(queue) > 0 && ctx.Err() == nil {
		t := queue[0]
		queue = queue[1:]
		for _, n := range s.neglected(t.lasso) {
			a := assumption{n.Action, model.Strong}
			if n.Enabled == n.States {
				a.strength = model.Weak
			}
			assumed := append(slices.Clone(t.assumed), a)
			slices.SortFunc(assumed, func(a, b assumption) int { return a.action - b.action })
			key := s.names(assumed)
			if judged[key] || e.Tried == maxTries || ctx.Err() != nil {
				continue
			}
			judged[key] = true
			e.Tried++
			conditions := s.graph.prepare(s.m, declared, assumed)
			found := s.graph.fairComponents(o, conditions, initial)
			if found.len() == 0 {
				e.Remedy = conditions.all[len(declared):]
				return e
			}
			if len(assumed) < maxRemedy {
				queue = append(queue, try{assumed, s.lasso(o, conditions, found)})
			}
		}
	}
	return e
}

func (s *search) names(assumed []assumption) (key string) {
	for _, a := range assumed {
		key += s.m.Assume(a.action, a.strength).Name + " "
	}
	return key
}

// neglected lists the actions that are enabled on the loop of a lasso, by a
// step to another state, and not taken in it.
func (s *search) neglected(b *model.Behaviour) (all []Neglect) {
	w, batch := s.m.NewWorker(), s.m.NewBatch(64)
	last := b.Steps()
	states := max(1, last-b.Loop)
	enabled, taken := make([]int, len(s.m.Actions)), make([]bool, len(s.m.Actions))
	for i := range states {
		state := b.States[b.Loop+i]
		batch.Truncate(0)
		if w.Expand(state, batch) != nil {
			return nil
		}
		here := make([]bool, len(s.m.Actions))
		for j, l := range batch.Labels {
			a := s.m.ActionOf(l)
			if slices.Equal(batch.State(j), state) {
				continue
			}
			here[a] = true
			if b.Loop < last && slices.Equal(batch.State(j), b.States[b.Loop+i+1]) {
				taken[a] = true
			}
		}
		for a, yes := range here {
			if yes {
				enabled[a]++
			}
		}
	}
	for a, n := range enabled {
		if n == 0 || taken[a] {
			continue
		}
		neglect := Neglect{Action: a, Enabled: n, States: states}
		for _, c := range s.m.Conditions() {
			if slices.ContainsFunc(c.Labels, func(l model.Label) bool { return s.m.ActionOf(l) == a }) {
				neglect.Conditions = append(neglect.Conditions, c.Name)
			}
		}
		all = append(all, neglect)
	}
	return all
}
