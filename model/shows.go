package model

import (
	"errors"
	"fmt"
	"slices"
)

// Shows checks that a behaviour of the machine shows what a
// search says that it shows: that the property is violated, or for a witness
// reached, in its last state, by its last step, or by its loop; or, where the
// property is below 0, that the spec is at fault there. It looks at the
// behaviour alone, so that a search can be checked by it. The error says what
// is missing.
func (m *Machine) Shows(b *Behaviour, property int) error {
	if err := m.Replay(b); err != nil {
		return err
	}
	w, last := m.NewWorker(), b.Steps()
	at := b.States[last]
	if property < 0 {
		if m.FaultAt(w, at) == nil {
			return errors.New("nothing goes wrong in its last state")
		}
		return nil
	}
	p := &m.Properties[property]
	no := fmt.Errorf("%s holds there", p.Name)
	switch {
	case p.Kind.Temporal() && b.Loop < 0:
		return errors.New("it does not go on for ever")
	case p.Kind.Temporal():
		return m.ShowsLasso(b, property, m.Conditions())
	case p.Kind == StepInvariant:
		if last == 0 || slices.Equal(b.States[last-1], at) {
			return errors.New("it has no last step")
		}
		found, fault := w.JudgeStep(b.States[last-1], at, []int{property})
		return unless(found == 0, fault, no)
	case p.Kind == NoDeadlock:
		stuck, fault := m.stuck(w, at)
		return unless(stuck, fault, no)
	case p.Kind == Witness:
		no = fmt.Errorf("%s is not reached there", p.Name)
	}
	found, fault := w.Judge(at, []int{property})
	return unless(found == 0, fault, no)
}

// ShownAfter is the number of steps after which a behaviour first shows, as
// Shows has it, what is to be seen of a property; a lasso shows it as a whole.
// The error says what is missing at the end.
func (m *Machine) ShownAfter(b *Behaviour, property int) (steps int, err error) {
	if property < 0 || !m.Properties[property].Kind.Temporal() {
		for n := range b.Labels {
			if m.Shows(&Behaviour{States: b.States[:n+1], Labels: b.Labels[:n], Loop: -1}, property) == nil {
				return n, nil
			}
		}
	}
	return b.Steps(), m.Shows(b, property)
}

// unless is a fault, or why if what was wanted is not so.
func unless(so bool, fault *Fault, why error) error {
	switch {
	case fault != nil:
		return fault
	case !so:
		return why
	}
	return nil
}

// stuck says whether no step leads out of a state, and a behaviour may not end
// there.
func (m *Machine) stuck(w Worker, state []byte) (bool, *Fault) {
	batch := m.NewBatch(16)
	if within, fault := w.Within(state); !within || fault != nil {
		return false, fault
	}
	if fault := w.Expand(state, batch); fault != nil {
		return false, fault
	}
	for i := range batch.Len() {
		if !slices.Equal(batch.State(i), state) {
			return false, nil
		}
	}
	terminal, fault := w.Terminal(state)
	return !terminal, fault
}

// FaultAt is what goes wrong when a state is judged or expanded, or nil.
func (m *Machine) FaultAt(w Worker, state []byte) *Fault {
	for i, p := range m.Properties {
		if p.Kind == StepInvariant || p.Kind == NoDeadlock {
			continue
		}
		if _, _, fault := w.Holds(i, state); fault != nil {
			return fault
		}
	}
	if within, fault := w.Within(state); !within || fault != nil {
		return fault
	}
	batch := m.NewBatch(16)
	if fault := w.Expand(state, batch); fault != nil {
		return fault
	}
	for i := range batch.Len() {
		for n, p := range m.Properties {
			if p.Kind != StepInvariant || slices.Equal(batch.State(i), state) {
				continue
			}
			if _, fault := w.JudgeStep(state, batch.State(i), []int{n}); fault != nil {
				return fault
			}
		}
	}
	_, fault := w.Terminal(state)
	return fault
}

// ShowsLasso checks that a lasso closes, is fair, and violates a temporal
// property.
func (m *Machine) ShowsLasso(b *Behaviour, property int, conditions []Condition) error {
	last := b.Steps()
	if !slices.Equal(b.States[last], b.States[b.Loop]) {
		return errors.New("the loop does not close")
	}
	w, batch := m.NewWorker(), m.NewBatch(64)
	// Where the behaviour stays in one state the loop has no step.
	visited := max(1, last-b.Loop)
	for _, c := range conditions {
		somewhere, everywhere, taken := false, true, false
		for i := range visited {
			state := b.States[b.Loop+i]
			var next []byte
			if b.Loop < last {
				next = b.States[b.Loop+i+1]
			}
			batch.Truncate(0)
			if fault := w.Expand(state, batch); fault != nil {
				return fault
			}
			enabled := false
			for j, label := range batch.Labels {
				if slices.Contains(c.Labels, label) && !slices.Equal(batch.State(j), state) {
					enabled = true
					taken = taken || slices.Equal(batch.State(j), next)
				}
			}
			somewhere, everywhere = somewhere || enabled, everywhere && enabled
		}
		if c.Strength == Weak && everywhere && !taken || c.Strength == Strong && somewhere && !taken {
			return fmt.Errorf("the loop is not fair: %s", c.Name)
		}
	}
	ps, qs, fault := m.Truth(w, b, property)
	if fault != nil {
		return fault
	}
	if !violates(m.Properties[property].Kind, ps, qs, b.Loop) {
		return fmt.Errorf("the lasso satisfies %s", m.Properties[property].Name)
	}
	return nil
}

// Truth says where along a behaviour the predicates of a property are true.
func (m *Machine) Truth(w Worker, b *Behaviour, property int) (ps, qs []bool, _ *Fault) {
	for _, state := range b.States {
		p, q, fault := w.Holds(property, state)
		if fault != nil {
			return nil, nil, fault
		}
		ps, qs = append(ps, p), append(qs, q)
	}
	return ps, qs, nil
}

// violates says whether a lasso violates a temporal property, by where its
// predicates are true; the last state is the one at loop again.
func violates(kind Kind, p, q []bool, loop int) bool {
	switch kind {
	case Eventual:
		return !slices.Contains(p, true)
	case Recurrent:
		return !slices.Contains(p[loop:], true)
	case Stable:
		return slices.Contains(p[loop:], false)
	default: // leads-to: some p after which, loop included, no q comes
		for i := range p {
			if p[i] && !slices.Contains(q[min(i, loop):], true) {
				return true
			}
		}
		return false
	}
}
