package checker

import (
	"mc/model"
)

// naiveViolated is the twin of the liveness check. It shares nothing with it:
// the property is a monitor that runs along with the machine, a set that a run
// can stay in is found by the transitive closure of the product, and strong
// fairness is decided by trying, for each condition, whether the run takes it
// or keeps it disabled.
func naiveViolated(m *model.Machine, property int, conditions []model.Condition) bool {
	type node struct {
		state string
		bit   bool // leads-to: a p waits for its q; eventually: no p so far
	}
	kind := m.Properties[property].Kind
	w, batch := m.NewWorker(), m.NewBatch(1)
	holds := func(s string) (p, q bool) {
		p, q, _ = w.Holds(property, aligned(s))
		return p, q
	}
	monitor := func(bit bool, s string) bool {
		p, q := holds(s)
		switch kind {
		case model.Leads:
			return (bit || p) && !q
		case model.Eventual:
			return bit && !p
		}
		return false
	}
	index := map[node]int{}
	var nodes []node
	meet := func(n node) int {
		i, ok := index[n]
		if !ok {
			i = len(nodes)
			index[n] = i
			nodes = append(nodes, n)
		}
		return i
	}
	for _, s := range m.Init {
		meet(node{string(s), monitor(true && kind == model.Eventual, string(s))})
	}
	type edge struct {
		to     int
		labels map[model.Label]bool // every label that leads there
	}
	var edges [][]edge
	var enabled []map[model.Label]bool
	var cut []bool
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		var out []edge
		on := map[model.Label]bool{}
		in, _ := w.Within(aligned(n.state))
		if in {
			batch.Truncate(0)
			w.Expand(aligned(n.state), batch)
			labels := append([]model.Label(nil), batch.Labels...)
			var states []string
			for j := range labels {
				states = append(states, string(batch.State(j)))
			}
			for j, l := range labels {
				if states[j] == n.state {
					continue
				}
				on[l] = true
				to := meet(node{states[j], monitor(n.bit, states[j])})
				found := false
				for _, e := range out {
					if e.to == to {
						e.labels[l], found = true, true
					}
				}
				if !found {
					out = append(out, edge{to, map[model.Label]bool{l: true}})
				}
			}
		}
		edges, enabled, cut = append(edges, out), append(enabled, on), append(cut, !in)
	}
	mayStay := func(i int) bool {
		p, _ := holds(nodes[i].state)
		switch kind {
		case model.Leads, model.Eventual:
			return nodes[i].bit
		case model.Recurrent:
			return !p
		}
		return true
	}
	has := func(set map[model.Label]bool, c model.Condition) bool {
		for _, l := range c.Labels {
			if set[l] {
				return true
			}
		}
		return false
	}
	var strong []model.Condition
	for _, c := range conditions {
		if c.Strength == model.Strong {
			strong = append(strong, c)
		}
	}
	for choice := range 1 << len(strong) {
		alive := make([]bool, len(nodes))
		for i := range nodes {
			// What is enabled in a cut state is not known; without conditions
			// it does not matter.
			alive[i] = (!cut[i] || len(conditions) == 0) && mayStay(i)
			for k, c := range strong {
				if choice>>k&1 == 0 && has(enabled[i], c) {
					alive[i] = false // this choice keeps c disabled for ever
				}
			}
		}
		reach := make([][]bool, len(nodes))
		for i := range nodes {
			reach[i] = make([]bool, len(nodes))
			if !alive[i] {
				continue
			}
			todo := []int{i}
			reach[i][i] = true
			for len(todo) > 0 {
				u := todo[0]
				todo = todo[1:]
				for _, e := range edges[u] {
					if alive[e.to] && !reach[i][e.to] {
						reach[i][e.to] = true
						todo = append(todo, e.to)
					}
				}
			}
		}
		for i := range nodes {
			if !alive[i] {
				continue
			}
			same := func(j int) bool { return alive[j] && reach[i][j] && reach[j][i] }
			ok := kind != model.Stable
			for j := range nodes {
				if p, _ := holds(nodes[j].state); same(j) && !p {
					ok = true
				}
			}
			for _, c := range conditions {
				taken, everywhere, somewhere := false, true, false
				for j := range nodes {
					if !same(j) {
						continue
					}
					on := has(enabled[j], c)
					everywhere, somewhere = everywhere && on, somewhere || on
					for _, e := range edges[j] {
						taken = taken || same(e.to) && has(e.labels, c)
					}
				}
				if c.Strength == model.Weak {
					ok = ok && (taken || !everywhere)
				} else {
					ok = ok && (taken || !somewhere)
				}
			}
			if ok {
				return true
			}
		}
	}
	return false
}
