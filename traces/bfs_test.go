package traces

import (
	"testing"

	"mc/model"
	"mc/spec"
)

// machineOf is a spec of the list in a configuration.
func machineOf(t testing.TB, name string, sel model.Selection) *model.Machine {
	t.Helper()
	for _, e := range spec.All {
		if e.Name == name {
			m, err := e.Machine(sel)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
	}
	t.Fatalf("no spec %s", name)
	return nil
}

// search is a breadth-first search without any cleverness: a shortest trace
// to a state in which the property, an invariant or a witness, is decided.
func search(t testing.TB, m *model.Machine, property string) *model.Trace {
	t.Helper()
	index := m.Property(property)
	if index < 0 {
		t.Fatalf("no property %s", property)
	}
	type step struct {
		state  string
		parent int
		label  model.Label
	}
	var order []step
	seen := map[string]bool{}
	meet := func(s step) {
		if !seen[s.state] {
			seen[s.state] = true
			order = append(order, s)
		}
	}
	for _, s := range m.Init {
		meet(step{string(s), -1, 0})
	}
	w := m.NewWorker()
	out := m.NewBatch(16)
	for at := 0; at < len(order); at++ {
		state := []byte(order[at].state)
		found, fault := w.Judge(state, []int{index})
		if fault != nil {
			t.Fatal(fault)
		}
		if found == 0 {
			b := &model.Behaviour{Loop: -1}
			for i := at; i >= 0; i = order[i].parent {
				b.States = append([][]byte{[]byte(order[i].state)}, b.States...)
				if order[i].parent >= 0 {
					b.Labels = append([]model.Label{order[i].label}, b.Labels...)
				}
			}
			if err := m.Replay(b); err != nil {
				t.Fatal(err)
			}
			tr := m.Trace(b)
			p := m.Properties[index]
			tr.Property, tr.Meaning, tr.Verdict = p.Name, p.Doc, model.Violated
			if p.Kind == model.Witness {
				tr.Verdict = model.Reached
			}
			return tr
		}
		if within, _ := w.Within(state); !within {
			continue
		}
		out.Truncate(0)
		if fault := w.Expand(state, out); fault != nil {
			t.Fatal(fault)
		}
		for i := range out.Len() {
			meet(step{string(out.State(i)), at, out.Labels[i]})
		}
	}
	t.Fatalf("%s: %s is not decided in %d states", m.Name, property, len(order))
	return nil
}
