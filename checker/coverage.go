package checker

import (
	"mc/checker/seen"
)

// Coverage says what a search has seen, beyond how much. It is found by
// walking over the explored states once more.
type Coverage struct {
	Actions []ActionCoverage // in the order of the machine
	Fields  []FieldCoverage  // in the order of Machine.Fields
	// Growth is what a search that met a limit was growing by, or nil.
	Growth *Growth
}

// ActionCoverage is what one action did.
type ActionCoverage struct {
	Enabled  uint64 // states from which it leads to a different one
	Distinct uint64 // different states that it leads to
}

// FieldCoverage is how many values a field took, up to maxValues.
type FieldCoverage struct {
	Name   string
	Values int
	More   bool // than Values
}

// Growth names the field and the action by which the last level differs most
// from the ones before.
type Growth struct {
	Field     string
	NewValues int // of the field in the last level
	Action    int
	NewStates uint64 // of the last level, that the action leads to
}

const (
	// coverageStates is the size up to which a space is always walked again:
	// that takes no time that a person would notice.
	coverageStates = 1 << 16
	// maxValues is how many different values of a field are counted.
	maxValues = 1 << 12
)

// cover is what one worker sees while it walks over a level.
type cover struct {
	values  []map[string]bool // by field
	last    [][]byte          // the value seen last, which often comes again
	enabled []uint64          // by action
}

// cover walks over all levels.
func (s *search) cover(grew bool) *Coverage {
	names, actions := s.m.FieldNames(), len(s.m.Actions)
	covers := map[*worker]*cover{}
	for _, w := range s.crew {
		c := &cover{values: make([]map[string]bool, len(names)), last: make([][]byte, len(names)), enabled: make([]uint64, actions)}
		for i := range c.values {
			c.values[i] = map[string]bool{}
		}
		covers[w] = c
	}
	reached := make([]bits, actions) // by action: the states it leads to
	for i := range reached {
		reached[i] = newBits(s.set.Refs())
		defer reached[i].close()
	}
	known := make([]map[string]bool, len(names))
	for i := range known {
		known[i] = map[string]bool{}
	}
	out := &Coverage{Actions: make([]ActionCoverage, actions)}
	var fresh []int
	last := s.last()
	for last > 0 && s.size(last) == 0 {
		last--
	}
	for index := range last + 1 {
		s.each(index, func(w *worker, r seen.Ref, state []byte) { w.cover(covers[w], state, reached) }, func(*worker) {})
		fresh = make([]int, len(names))
		for i := range known {
			for _, c := range covers {
				for v := range c.values[i] {
					if !known[i][v] && len(known[i]) <= maxValues {
						known[i][v] = true
						fresh[i]++
					}
				}
				clear(c.values[i])
				c.last[i] = nil
			}
		}
	}
	for i, name := range names {
		out.Fields = append(out.Fields, FieldCoverage{name, min(len(known[i]), maxValues), len(known[i]) > maxValues})
	}
	for a := range out.Actions {
		for _, c := range covers {
			out.Actions[a].Enabled += c.enabled[a]
		}
		out.Actions[a].Distinct = reached[a].count()
	}
	if grew && last > 0 {
		out.Growth = s.growth(names, fresh, last, reached)
	}
	return out
}

// cover notes one state and where its actions lead.
func (w *worker) cover(c *cover, state []byte, reached []bits) {
	m := w.s.m
	for i := range c.values {
		v := m.FieldBytes(i, state)
		if string(c.last[i]) == string(v) || len(c.values[i]) > maxValues {
			continue
		}
		c.values[i][string(v)] = true
		c.last[i] = v
	}
	w.successors(state)
	previous := -1 // labels come in the order of their actions
	for i, r := range w.refs {
		if seen.Equal(w.batch.State(i), state) {
			continue
		}
		a := m.ActionOf(w.batch.Labels[i])
		if a != previous {
			c.enabled[a]++
			previous = a
		}
		if r != seen.Missing {
			reached[a].add(uint64(r))
		}
	}
}

// growth names the field with most values that are new in the last level, and
// the action that leads to most of its states.
func (s *search) growth(names []string, fresh []int, last int, reached []bits) *Growth {
	g := &Growth{}
	for i, n := range fresh {
		if n > g.NewValues {
			g.Field, g.NewValues = names[i], n
		}
	}
	counts := make([]uint64, len(reached))
	for owner, from := range s.levels[last] {
		for seq := from; seq < s.levels[last+1][owner]; seq++ {
			r := uint32(s.known[owner].Ref(seq))
			for a := range reached {
				if reached[a].has(uint64(r)) {
					counts[a]++
				}
			}
		}
	}
	for a, n := range counts {
		if n > g.NewStates {
			g.Action, g.NewStates = a, n
		}
	}
	return g
}
