package model

import "fmt"

// Behaviour is a finite prefix of a behaviour, or a lasso, as bytes.
type Behaviour struct {
	States [][]byte // States[0] is initial
	Labels []Label  // Labels[i] leads from States[i] to States[i+1]
	// Loop is -1 for a prefix. In a lasso the last state equals States[Loop],
	// and what lies between repeats for ever; where Loop is the last index,
	// the behaviour stays in that state.
	Loop int
	// Fault is set if the behaviour ends with a mistake of the spec.
	Fault *Fault
}

// Steps is the number of steps.
func (b *Behaviour) Steps() int { return len(b.Labels) }

// Replay takes a behaviour through the machine again: its first state must be
// initial, and each step must be enabled and lead to the next state's bytes.
// The error says which step does not fit, and why.
func (m *Machine) Replay(b *Behaviour) error {
	if len(b.States) != len(b.Labels)+1 {
		return fmt.Errorf("%d states and %d steps", len(b.States), len(b.Labels))
	}
	initial := false
	for _, s := range m.Init {
		initial = initial || string(s) == string(b.States[0])
	}
	if !initial {
		return fmt.Errorf("step 0: the first state is not initial")
	}
	w := m.NewWorker()
	for i, l := range b.Labels {
		if int(l) >= m.Instances {
			return fmt.Errorf("step %d: no instance %d", i+1, l)
		}
		next, blocked, fault := w.Step(b.States[i], l)
		switch {
		case fault != nil:
			return fmt.Errorf("step %d: %w", i+1, fault)
		case blocked != "":
			return fmt.Errorf("step %d: %s: %s is false", i+1, m.Instance(l), blocked)
		case string(next) != string(b.States[i+1]):
			return fmt.Errorf("step %d: %s leads to another state", i+1, m.Instance(l))
		}
	}
	return nil
}
