package model

import "fmt"

// Condition is one fairness condition: a disjunction of instances that is not
// neglected for ever. Conditions are what Fairness comes to, one for each value
// of Per.
type Condition struct {
	Name     string // "WF(Grant)", "SF(Grant(client=1))", "WF(client, writer=w1)"
	Strength Strength
	Labels   []Label
}

// Conditions are the fairness conditions of the machine, in order of
// declaration.
func (m *Machine) Conditions() (all []Condition) {
	for _, f := range m.Fairness {
		all = append(all, m.conditionsOf(f)...)
	}
	return all
}

// Assume is the condition that an action is fair as a whole: what a spec could
// declare and may not have.
func (m *Machine) Assume(action int, s Strength) Condition {
	return m.conditionsOf(Fairness{Name: m.Actions[action].Name, Strength: s, Actions: []string{m.Actions[action].Name}})[0]
}

func (m *Machine) conditionsOf(f Fairness) (all []Condition) {
	prefix := map[Strength]string{Weak: "WF", Strong: "SF"}[f.Strength]
	byKey := map[string]int{}
	for _, name := range f.Actions {
		a := &m.Actions[m.action(name)]
		for n := range a.Instances {
			l := a.First + Label(n)
			key := f.Name
			switch f.Per {
			case "":
			case "*":
				key = m.Instance(l).String()
			default:
				for _, arg := range m.Instance(l).Args {
					if arg.Name == f.Per {
						key = fmt.Sprintf("%s, %s=%s", f.Name, arg.Name, arg.Value)
					}
				}
			}
			i, ok := byKey[key]
			if !ok {
				i = len(all)
				byKey[key] = i
				all = append(all, Condition{Name: prefix + "(" + key + ")", Strength: f.Strength})
			}
			all[i].Labels = append(all[i].Labels, l)
		}
	}
	return all
}
