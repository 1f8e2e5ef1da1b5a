package model

// Truth is what a trace's steps do to one property, a character for each step
// of the trace: Yes, No, or Unknown.
//
// Yes is a state in which an invariant holds, that is a witness, that has a
// step to another state or is terminal, or that satisfies the p of a temporal
// property; a step that keeps a step invariant; and after LeadsTo, that nothing
// is owed: each p so far was followed by its q.
type Truth struct {
	Property string `json:"property"`
	Kind     Kind   `json:"kind"`
	Steps    string `json:"steps"`
}

// The characters of Truth.Steps. Unknown stands where there is no step yet, and
// where the property cannot be evaluated.
const (
	Yes     = '1'
	No      = '0'
	Unknown = '-'
)

// Truths evaluates every property of the machine along a behaviour.
func (m *Machine) Truths(b *Behaviour) []Truth {
	w := m.NewWorker()
	truths := make([]Truth, len(m.Properties))
	for p, info := range m.Properties {
		steps := make([]byte, len(b.States))
		owed := false
		for i := range b.States {
			steps[i] = Unknown
			if yes, ok := m.truth(w, p, b, i, &owed); ok && yes {
				steps[i] = Yes
			} else if ok {
				steps[i] = No
			}
		}
		truths[p] = Truth{info.Name, info.Kind, string(steps)}
	}
	return truths
}

// truth evaluates a property in the i-th state of a behaviour, or for the step
// that leads there. Owed is kept between the calls for one property.
func (m *Machine) truth(w Worker, property int, b *Behaviour, i int, owed *bool) (yes, ok bool) {
	switch m.Properties[property].Kind {
	case StepInvariant:
		if i == 0 {
			return false, false
		}
		broken, fault := w.JudgeStep(b.States[i-1], b.States[i], []int{property})
		return broken < 0, fault == nil
	case NoDeadlock:
		return m.goesOn(w, b.States[i])
	case Leads:
		p, q, fault := w.Holds(property, b.States[i])
		*owed = (*owed || p) && !q
		return !*owed, fault == nil
	}
	p, _, fault := w.Holds(property, b.States[i])
	return p, fault == nil
}

// goesOn says whether a behaviour may be continued after a state, or may end.
func (m *Machine) goesOn(w Worker, state []byte) (yes, ok bool) {
	if ends, fault := w.Terminal(state); ends || fault != nil {
		return ends, fault == nil
	}
	next := m.NewBatch(0)
	fault := w.Expand(state, next)
	for i := range next.Len() {
		yes = yes || string(next.State(i)) != string(state)
	}
	return yes, fault == nil
}
