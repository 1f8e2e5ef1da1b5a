package model

import "slices"

// DrawFault is the panic of the spec's Draw on a step, or nil. A Trace draws
// nothing in its place.
func (m *Machine) DrawFault(s, t []byte, by Label) (fault *Fault) {
	if m.drawing == nil {
		return nil
	}
	defer recoverIn("Draw", &fault)
	action, at := m.locate(by)
	m.drawing(&Drawing{Action: m.Actions[action].Name, at: at}, slices.Clone(s), slices.Clone(t))
	return nil
}
