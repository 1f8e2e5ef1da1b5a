package cli

import (
	"mc/checker"
	"mc/model"
)

// addCauses adds to a trace which of its steps need which.
func addCauses(t *model.Trace, m *model.Machine, property int, b *model.Behaviour) {
	c := checker.Causes(m, property, b)
	if c == nil {
		return
	}
	for i, causes := range c.Steps {
		t.Steps[i+1].Because, t.Steps[i+1].Idle = named(m, causes), c.Idle[i]
	}
	t.Because = named(m, c.End)
}

// inOrder puts the steps of each component of what was found together.
func inOrder(r *checker.Report) {
	for i := range r.Results {
		res := &r.Results[i]
		if res.Behaviour == nil || r.Hangs() {
			continue
		}
		var lanes []string
		for _, s := range r.Machine.Trace(res.Behaviour).Steps[1:] {
			lanes = append(lanes, s.Lane)
		}
		res.Behaviour = checker.Reorder(r.Machine, res.Property, res.Behaviour, lanes)
	}
}

// named is causes with the names of their fields.
func named(m *model.Machine, causes []checker.Cause) (all []model.Cause) {
	names := m.FieldNames()
	for _, c := range causes {
		n := model.Cause{Step: c.Step}
		for _, f := range c.Fields {
			if f == checker.Hidden {
				n.Fields = append(n.Fields, "what is not shown")
			} else {
				n.Fields = append(n.Fields, names[f])
			}
		}
		all = append(all, n)
	}
	return all
}
