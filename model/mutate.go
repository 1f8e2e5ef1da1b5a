package model

import "slices"

// Mutation is a small change of a spec: one of its actions is left out, or one
// named conjunct of an action's guard. A property that is any good notices.
type Mutation struct {
	Action   string `json:"action"`
	Conjunct string `json:"conjunct,omitempty"` // its name; none if the action is left out
}

func (mu Mutation) String() string {
	if mu.Conjunct == "" {
		return mu.Action
	}
	return mu.Action + " / " + mu.Conjunct
}

// Mutations are those of the actions that the settings do not exclude, in
// order of declaration: for each the action itself, then the conjuncts of its
// guard. Those of one name are left out together. A guard of one function has
// none.
func (m *Machine) Mutations() (all []Mutation) {
	for _, a := range m.Actions {
		if a.Excluded {
			continue
		}
		all = append(all, Mutation{Action: a.Name})
		for i, c := range a.Guard {
			if !slices.Contains(a.Guard[:i], c) {
				all = append(all, Mutation{a.Name, c})
			}
		}
	}
	return all
}

// Mutant is the machine with a mutation, or nil if it has no such action or
// conjunct. Its labels, states and properties are those of m.
func (m *Machine) Mutant(mu Mutation) *Machine {
	i := m.action(mu.Action)
	if i < 0 || m.Actions[i].Excluded {
		return nil
	}
	if mu.Conjunct != "" && !slices.Contains(m.Actions[i].Guard, mu.Conjunct) {
		return nil
	}
	return m.mutant(mu)
}

// mutated makes a mutant. What it does not change it shares with m. An action
// that is left out is excluded, and stays where it is: so labels, and the
// fairness conditions that name it, stay what they were.
func mutated[S any](m *Machine, spec *Spec[S], props []Property[S], mu Mutation) *Machine {
	n, changed := *m, *spec
	n.Actions, changed.Actions = slices.Clone(m.Actions), slices.Clone(spec.Actions)
	i := m.action(mu.Action)
	if mu.Conjunct == "" {
		changed.Actions[i] = spec.Actions[i].When(false)
	} else {
		changed.Actions[i] = spec.Actions[i].dropping(mu.Conjunct)
	}
	n.Actions[i].Guard, n.Actions[i].Excluded = changed.Actions[i].guard, changed.Actions[i].out
	n.worker = func() Worker { return newWorker(&n, &changed, props) }
	n.mutant = func(mu Mutation) *Machine { return mutated(&n, &changed, props, mu) }
	return &n
}

// dropping is the action without the conjuncts of a name.
func (a Action[S]) dropping(name string) Action[S] {
	for {
		at := slices.Index(a.guard, name)
		if at < 0 {
			return a
		}
		b := a.without(at)
		b.guard = slices.Delete(slices.Clone(a.guard), at, at+1)
		b.doc, b.site, b.fair, b.perInst = a.doc, a.site, a.fair, a.perInst
		a = b
	}
}
