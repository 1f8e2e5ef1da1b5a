package checker

import (
	"mc/model"
)

// naive is the twin of the search: a map, a queue, no tricks. Both must agree
// on everything.
type naive struct {
	distinct, generated, cut uint64
	depth                    int
	verdicts                 map[int]model.Verdict
	// The first shortest counterexample or witness, by order of declaration:
	// a queue in that order meets the first of all shortest behaviours first.
	behaviours map[int]*model.Behaviour
	taken      []uint64
}

func naiveCheck(m *model.Machine, properties []int) naive {
	n := naive{verdicts: map[int]model.Verdict{}, behaviours: map[int]*model.Behaviour{}, taken: make([]uint64, len(m.Actions))}
	w := m.NewWorker()
	batch := m.NewBatch(1)
	must := func(f *model.Fault) {
		if f != nil {
			panic(f)
		}
	}
	depth := map[string]int{}
	parent := map[string]string{}
	by := map[string]model.Label{}
	var to func(s string) *model.Behaviour
	to = func(s string) *model.Behaviour {
		if depth[s] == 0 {
			return &model.Behaviour{States: [][]byte{[]byte(s)}, Loop: -1}
		}
		b := to(parent[s])
		b.States, b.Labels = append(b.States, []byte(s)), append(b.Labels, by[s])
		return b
	}
	settle := func(p int, v model.Verdict, b func() *model.Behaviour) {
		if _, done := n.verdicts[p]; !done {
			n.verdicts[p] = v
			if b != nil {
				n.behaviours[p] = b()
			}
		}
	}
	var queue []string
	meet := func(s, from string, l model.Label, d int) {
		n.generated++
		if _, ok := depth[s]; ok {
			return
		}
		depth[s], parent[s], by[s] = d, from, l
		n.depth = max(n.depth, d+1)
		queue = append(queue, s)
		for _, p := range properties {
			switch k := m.Properties[p].Kind; k {
			case model.Invariant, model.Witness:
				holds, _, f := w.Holds(p, aligned(s))
				must(f)
				if k == model.Witness && holds {
					settle(p, model.Reached, func() *model.Behaviour { return to(s) })
				} else if k == model.Invariant && !holds {
					settle(p, model.Violated, func() *model.Behaviour { return to(s) })
				}
			}
		}
	}
	for _, s := range m.Init {
		meet(string(s), "", 0, 0)
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		in, f := w.Within(aligned(s))
		must(f)
		if !in {
			n.cut++
			continue
		}
		batch.Truncate(0)
		must(w.Expand(aligned(s), batch))
		moves := false
		for i, l := range batch.Labels {
			t := string(batch.State(i))
			n.taken[m.ActionOf(l)]++
			if t != s {
				moves = true
				for _, p := range properties {
					if m.Properties[p].Kind == model.StepInvariant {
						at, f := w.JudgeStep(aligned(s), aligned(t), []int{p})
						must(f)
						if at == 0 {
							settle(p, model.Violated, func() *model.Behaviour {
								b := to(s)
								b.States, b.Labels = append(b.States, []byte(t)), append(b.Labels, l)
								return b
							})
						}
					}
				}
			}
			meet(t, s, l, depth[s]+1)
		}
		end, f := w.Terminal(aligned(s))
		must(f)
		for _, p := range properties {
			if m.Properties[p].Kind == model.NoDeadlock && !moves && !end {
				settle(p, model.Violated, func() *model.Behaviour { return to(s) })
			}
		}
	}
	n.distinct = uint64(len(depth))
	for _, p := range properties {
		switch k := m.Properties[p].Kind; {
		case k == model.Witness:
			settle(p, model.Unreachable, nil)
		default:
			settle(p, model.Holds, nil)
		}
	}
	return n
}

func aligned(s string) []byte { return append(make([]byte, 0, len(s)), s...) }
