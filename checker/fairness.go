package checker

import "mc/model"

// conditionSet is the fairness that a question assumes, prepared for the
// classes of a graph. A condition is a bit.
type conditionSet struct {
	all    []model.Condition
	words  int
	weak   []uint64
	strong []uint64
	of     [][]uint64 // by class: the conditions that count its labels
}

// prepare makes the set of the machine's own conditions, and of whole actions
// assumed to be fair on top.
func (g *graph) prepare(m *model.Machine, declared []model.Condition, assumed []assumption) *conditionSet {
	s := &conditionSet{all: append([]model.Condition(nil), declared...)}
	for _, a := range assumed {
		s.all = append(s.all, m.Assume(a.action, a.strength))
	}
	s.words = (len(s.all) + 63) / 64
	s.weak, s.strong = make([]uint64, s.words), make([]uint64, s.words)
	for i, c := range s.all {
		if c.Strength == model.Weak {
			s.weak[i/64] |= 1 << (i % 64)
		} else {
			s.strong[i/64] |= 1 << (i % 64)
		}
	}
	for _, c := range g.classes {
		bits := make([]uint64, s.words)
		if len(declared) > 0 {
			for _, i := range c.conditions {
				bits[i/64] |= 1 << (i % 64)
			}
		}
		for n, a := range assumed {
			if i := len(declared) + n; a.action == c.action {
				bits[i/64] |= 1 << (i % 64)
			}
		}
		s.of = append(s.of, bits)
	}
	return s
}

// assumption is that an action is fair as a whole.
type assumption struct {
	action   int
	strength model.Strength
}

// enabled sets bits to the conditions that are enabled at a node: those of its
// edges, all of which lead to other states.
func (s *conditionSet) enabled(g *graph, node uint32, bits []uint64) {
	clear(bits)
	for e := g.read(node); ; {
		_, class, ok := e.next()
		if !ok {
			return
		}
		for i, b := range s.of[class] {
			bits[i] |= b
		}
	}
}
