package checker

import (
	"errors"
	"fmt"
	"slices"

	"mc/checker/memory"
	"mc/checker/seen"
	"mc/model"
)

// Behaviours are made after the search, without any link from a state to its
// parent: links would cost memory for every state, and which parent came first
// depends on chance. Instead the levels are expanded once more, from the
// deepest finding back to the initial states, and for every finding the states
// are marked that lie on a shortest behaviour to it: those that have it, and
// then those of each level with a successor that is marked in the next. A walk
// forward over marked states, always by the first label in order of
// declaration, is then the first of all shortest behaviours, whoever found
// what. It costs one bit for each state and finding meanwhile, and the time to
// expand the states once more, but hardly any to look the successors up: all
// but those marked are turned away by a filter that stays in the cache.

// inLevel says whether a state belongs to a level.
func (s *search) inLevel(r seen.Ref, index int) bool {
	owner, seq := s.set.Owner(r)
	return index < len(s.levels)-1 && s.levels[index][owner] <= seq && seq < s.levels[index+1][owner]
}

// maxFilter is the number of bits of the largest filter of marked states: two
// of them are 512 KiB.
const maxFilter = 1 << 21

// near is a bit of a filter for a state.
func near(filter bits, state []uint64) uint64 {
	return seen.Hash(state) % uint64(len(filter)*64)
}

// mark marks a state of a level.
func (w *worker) mark(m bits, index int, r seen.Ref) {
	m.add(uint64(r))
	filter := w.s.near[index%2]
	filter.add(near(filter, seen.Words(w.s.set.State(r))))
}

// rebuilding is how many bytes it takes to make the behaviours of what was found
// in levels before this one.
func (s *search) rebuilding() int64 {
	if s.o.Fingerprints {
		return int64(s.set.Refs()) * memory.WordBytes // for what may yet be found
	}
	return int64(s.set.Refs()) / 8 * int64(len(s.goals))
}

// behavioursIfRoom makes the behaviours. If the system has no memory for that,
// what was found is told without them.
func (s *search) behavioursIfRoom() (made []*model.Behaviour) {
	defer func() {
		if r := recover(); r != nil {
			out, ok := r.(memory.Exhausted)
			if !ok {
				panic(r)
			}
			s.incomplete, s.exhausted = out.Error()+", to tell how states are reached", false
			made = make([]*model.Behaviour, len(s.goals))
		}
	}()
	return s.behaviours()
}

// behaviours makes a behaviour for each goal whose behaviour is wanted; the
// others are nil.
func (s *search) behaviours() []*model.Behaviour {
	out := make([]*model.Behaviour, len(s.goals))
	all := make([]bits, len(s.goals))
	deepest := -1
	for i, g := range s.goals {
		if s.wanted(g) {
			deepest = max(deepest, g.level)
			all[i] = newBits(s.set.Refs())
			defer all[i].close()
		}
	}
	if deepest < 0 {
		return out
	}
	s.afterwards = max(s.afterwards, s.rebuilding())
	if s.o.Fingerprints {
		s.markChains(all)
	} else {
		s.markBackward(deepest, all)
	}
	for i, g := range s.goals {
		if s.wanted(g) {
			out[i] = s.crew[0].walk(g, all[i])
		}
	}
	return out
}

// wanted says whether the behaviour to a goal is.
func (s *search) wanted(g goal) bool {
	return g.property < 0 || s.o.Behaviours == nil || s.o.Behaviours(g.property)
}

// markBackward marks all states that lie on a shortest behaviour to a goal.
func (s *search) markBackward(deepest int, all []bits) {
	size := min(maxFilter, 16*s.set.Len()+64)
	s.near = [2]bits{newBits(size), newBits(size)}
	defer s.near[0].close()
	defer s.near[1].close()
	for index := deepest; index >= 0; index-- {
		s.each(index,
			func(w *worker, r seen.Ref, state []byte) { w.markBack(index, r, state, all) },
			func(w *worker) { w.flushMarks(index, all) })
		clear(s.near[(index+1)%2])
	}
}

// markBack marks a state of a level for each goal that it has, and expands it
// for those further on.
func (w *worker) markBack(index int, self seen.Ref, state []byte, all []bits) {
	further := false
	for i, g := range w.s.goals {
		if all[i] == nil {
			continue
		}
		if g.level == index && w.has(g, self, state) {
			w.mark(all[i], index, self)
		}
		further = further || g.level > index
	}
	if further {
		w.parents = append(w.parents, parent{self, state, w.trail.Len()})
		w.expandInto(w.trail, state)
		if w.trail.Len() >= batchStates {
			w.flushMarks(index, all)
		}
	}
}

// flushMarks marks those of the states expanded since the last time that have
// a successor that is marked in the next level.
func (w *worker) flushMarks(index int, all []bits) {
	w.findNear(w.trail, w.s.near[(index+1)%2])
	for i, p := range w.parents {
		end := len(w.refs)
		if i+1 < len(w.parents) {
			end = w.parents[i+1].first
		}
		for n, g := range w.s.goals {
			if all[n] != nil && g.level > index && w.marked(w.refs[p.first:end], all[n], index+1) >= 0 {
				w.mark(all[n], index, p.node)
			}
		}
	}
	w.parents = w.parents[:0]
	w.trail.Truncate(0)
}

// marked is the first of the places that lies in a level and is marked, or -1.
func (w *worker) marked(refs []seen.Ref, m bits, index int) int {
	for i, r := range refs {
		if r != seen.Missing && m.has(uint64(r)) && w.s.inLevel(r, index) {
			return i
		}
	}
	return -1
}

// successors expands a state into the batch and finds the place of each
// successor, in the order of their labels. It is false outside the bound.
func (w *worker) successors(state []byte) bool {
	w.batch.Truncate(0)
	ok := w.expandInto(w.batch, state)
	w.find(w.batch)
	return ok
}

// expandInto appends the successors of a state, none outside the bound.
func (w *worker) expandInto(b *model.Batch, state []byte) bool {
	within, fault := w.eval.Within(state)
	return within && fault == nil && w.eval.Expand(state, b) == nil
}

// find looks up the states of a batch.
func (w *worker) find(b *model.Batch) { w.findNear(b, nil) }

// findNear looks up the states of a batch that a filter lets through; of the
// others it finds none.
//
// With symmetry the batch keeps what the steps lead to, and the set has what
// that is represented by: so a behaviour is one of the system, in one set of
// names from its first state to its last.
func (w *worker) findNear(b *model.Batch, filter bits) {
	known, stride := b, w.s.m.StateBytes/8
	if w.s.o.Symmetry {
		known = w.again
		known.Truncate(0)
		for i := range b.Len() {
			known.Append(b.State(i))
		}
		w.canonize(known, 0, 0)
	}
	w.refs, w.sought, w.places = w.refs[:0], w.sought[:0], w.places[:0]
	words := known.Words()
	for i := range known.Len() {
		state := words[i*stride : (i+1)*stride]
		w.refs = append(w.refs, seen.Missing)
		if filter == nil || filter.has(near(filter, state)) {
			w.sought, w.places = append(w.sought, state...), append(w.places, i)
		}
	}
	for base := 0; base < len(w.places); base += seen.MaxBatch {
		end := min(base+seen.MaxBatch, len(w.places))
		for i, r := range w.out.Find(w.keys(w.sought[base*stride : end*stride])) {
			w.refs[w.places[base+i]] = r
		}
	}
}

// has says whether a state of the goal's level has what the goal wants.
func (w *worker) has(g goal, self seen.Ref, state []byte) bool {
	if g.property == aimed {
		return self == w.s.aim
	}
	if g.property < 0 {
		return w.faultAt(self, state) != nil
	}
	switch w.s.m.Properties[g.property].Kind {
	case model.StepInvariant:
		return w.successors(state) && w.badStep(g, state) >= 0
	case model.NoDeadlock:
		if !w.successors(state) {
			return false
		}
		w.batch.Truncate(w.batch.Sift(0, 0, w.batch.Len(), state))
		terminal, fault := w.eval.Terminal(state)
		return w.batch.Len() == 0 && !terminal && fault == nil
	default:
		at, fault := w.eval.Judge(state, []int{g.property})
		return at == 0 && fault == nil
	}
}

// badStep is the first successor in the batch to which the step violates the
// goal's property, or -1.
func (w *worker) badStep(g goal, state []byte) int {
	for i := range w.batch.Len() {
		if seen.Equal(w.batch.State(i), state) {
			continue
		}
		if at, _ := w.eval.JudgeStep(state, w.batch.State(i), []int{g.property}); at == 0 {
			return i
		}
	}
	return -1
}

// faultAt is the fault that judging or expanding a state shows.
func (w *worker) faultAt(self seen.Ref, state []byte) *model.Fault {
	s := w.s
	for _, c := range s.crew {
		if c.odd == self {
			return c.oddFault
		}
	}
	for _, p := range s.o.Properties {
		if k := s.m.Properties[p].Kind; k == model.Invariant || k == model.Witness {
			if _, fault := w.eval.Judge(state, []int{p}); fault != nil {
				return fault
			}
		}
	}
	for _, p := range s.temporal {
		if _, _, fault := w.eval.Holds(p, state); fault != nil {
			return fault
		}
	}
	within, fault := w.eval.Within(state)
	if fault != nil || !within {
		return fault
	}
	w.batch.Truncate(0)
	if fault := w.eval.Expand(state, w.batch); fault != nil {
		return fault
	}
	moves := false
	for i := range w.batch.Len() {
		if seen.Equal(w.batch.State(i), state) {
			continue
		}
		moves = true
		for _, p := range s.o.Properties {
			if s.m.Properties[p].Kind == model.StepInvariant {
				if _, fault := w.eval.JudgeStep(state, w.batch.State(i), []int{p}); fault != nil {
					return fault
				}
			}
		}
	}
	if !moves {
		_, fault = w.eval.Terminal(state)
	}
	for i := 0; s.o.Symmetry && fault == nil && i < w.batch.Len(); i++ {
		fault = w.eval.Canonize(w.batch.State(i))
	}
	return fault
}

// walk follows the marks from the first initial state that has one to a state
// with the goal.
func (w *worker) walk(g goal, m bits) *model.Behaviour {
	s := w.s
	b := &model.Behaviour{Loop: -1}
	end := seen.Missing
	for _, state := range s.m.Init {
		if r := w.refOf(state); r != seen.Missing && m.has(uint64(r)) {
			end, b.States = r, [][]byte{state}
			break
		}
	}
	if b.States == nil {
		return w.unexplained(g, b, errors.New("no initial state leads there"))
	}
	step := func(i int) {
		b.Labels = append(b.Labels, w.batch.Labels[i])
		b.States = append(b.States, slices.Clone(w.batch.State(i)))
	}
	for index := range g.level {
		w.successors(b.States[index])
		i := w.marked(w.refs, m, index+1)
		if i < 0 {
			return w.unexplained(g, b, fmt.Errorf("step %d is missing", index+1))
		}
		end = w.refs[i]
		step(i)
	}
	last := b.States[g.level]
	if g.property == aimed {
		b.Fault = s.aimFault
	} else if g.property < 0 {
		b.Fault = w.faultAt(end, last)
	} else if s.m.Properties[g.property].Kind == model.StepInvariant {
		w.successors(last)
		i := w.badStep(g, last)
		if i < 0 {
			return w.unexplained(g, b, errors.New("the last step is missing"))
		}
		step(i)
	}
	if err := s.m.Replay(b); err != nil {
		return w.unexplained(g, b, err)
	}
	return b
}

// refOf is the place of a state, or of what represents it.
func (w *worker) refOf(state []byte) seen.Ref {
	if w.s.o.Symmetry {
		w.again.Truncate(0)
		w.again.Append(state)
		w.canonize(w.again, 0, 0)
		state = w.again.State(0)
	}
	return w.s.set.Ref(memory.Bytes(w.keys(seen.Words(state))))
}

// unexplained is called when the model does not do again what it did in the
// search. If some state's expansions differ, the spec is to blame; if none
// does, we are.
func (w *worker) unexplained(g goal, b *model.Behaviour, why error) *model.Behaviour {
	s := w.s
	for index := range s.last() + 1 {
		if s.o.Fingerprints {
			break // the states are gone
		}
		s.each(index, func(w *worker, r seen.Ref, state []byte) {
			if w.oddFault == nil {
				if f := w.differs(state); f != nil {
					w.odd, w.oddFault = r, f
				}
			}
		}, func(*worker) {})
		for _, c := range s.crew {
			if c.oddFault != nil {
				// There may be no initial state that leads there any more.
				if b.States == nil {
					b.States = [][]byte{s.m.Init[0]}
				}
				return &model.Behaviour{States: b.States[:1], Loop: -1, Fault: c.oddFault}
			}
		}
	}
	panic(Mismatch{why})
}

// differs expands and judges a state a few times and says where the results
// differ.
func (w *worker) differs(state []byte) *model.Fault {
	if f := w.fickle(state, 16); f != nil {
		return f
	}
	w.batch.Truncate(0)
	if w.eval.Expand(state, w.batch) != nil {
		return nil
	}
	for range 16 {
		if f := w.differsFrom(state, 0); f != nil {
			return f
		}
	}
	return nil
}

// fickle judges a state again and again and names a property that is true and
// false of it.
func (w *worker) fickle(state []byte, times int) *model.Fault {
	for _, p := range w.s.o.Properties {
		first, _, _ := w.eval.Holds(p, state)
		for range times {
			if again, _, _ := w.eval.Holds(p, state); again != first {
				return &model.Fault{
					Kind: model.NotAFunction, Where: "property " + w.s.m.Properties[p].Name,
					What: "it was true and false of one state",
				}
			}
		}
	}
	return nil
}

// differsFrom expands a state and compares with the successors in the batch
// from the first on; it judges it twice as well.
func (w *worker) differsFrom(state []byte, first int) *model.Fault {
	w.again.Truncate(0)
	if fault := w.eval.Expand(state, w.again); fault != nil {
		return fault
	}
	n := w.batch.Len() - first
	for i := range max(n, w.again.Len()) {
		if i < n && i < w.again.Len() &&
			w.batch.Labels[first+i] == w.again.Labels[i] &&
			seen.Equal(w.batch.State(first+i), w.again.State(i)) {
			continue
		}
		label := w.batch.Labels[min(first+i, w.batch.Len()-1)]
		if i >= n {
			label = w.again.Labels[i]
		}
		return &model.Fault{
			Kind: model.NotAFunction, Where: w.s.m.Instance(label).String(),
			What: "expanding one state twice gave different successors",
		}
	}
	return w.fickle(state, 1)
}
