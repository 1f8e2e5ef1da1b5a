package checker

import (
	"mc/checker/memory"
	"mc/checker/seen"
)

// queue holds the states of one level that one worker met first, while the
// seen set keeps only their fingerprints.
type queue struct {
	stride int // words of a state
	pieces [][]uint64
	states int
}

// pieceStates is how many states a queue takes memory for at a time.
const pieceStates = 1 << 12

func (q *queue) add(state []uint64) {
	if q.states == len(q.pieces)*pieceStates {
		q.pieces = append(q.pieces, memory.Take(pieceStates*q.stride))
	}
	copy(q.pieces[q.states/pieceStates][q.states%pieceStates*q.stride:], state)
	q.states++
}

// state is the bytes of a state, lent until the queue is emptied.
func (q *queue) state(i int) []byte {
	at := i % pieceStates * q.stride
	return memory.Bytes(q.pieces[i/pieceStates][at : at+q.stride])
}

// empty keeps the memory for another level.
func (q *queue) empty() { q.states = 0 }

func (q *queue) bytes() int64 {
	return int64(len(q.pieces)) * pieceStates * int64(q.stride) * memory.WordBytes
}

func (q *queue) close() {
	for _, p := range q.pieces {
		memory.Release(p)
	}
	q.pieces, q.states = nil, 0
}

// stateOf is a state of a level by its writer and its place in the level.
func (s *search) stateOf(r seen.Ref, owner, index, at int) []byte {
	if s.o.Fingerprints {
		return s.crew[owner].queues[index%2].state(at)
	}
	return s.set.State(r)
}

// keys are what the seen set keeps of states that lie back to back: they
// themselves, or their fingerprints.
func (w *worker) keys(states []uint64) []uint64 {
	if !w.s.o.Fingerprints {
		return states
	}
	w.prints = seen.Fingerprints(states, w.s.m.StateBytes/8, w.prints)
	return w.prints
}

// keep puts a new state into the queue of its level.
func (w *worker) keep(state []uint64, level int) {
	q := &w.queues[level%2]
	before := q.bytes()
	q.add(state)
	if more := q.bytes() - before; more > 0 {
		w.s.queued.Add(more)
	}
}

// markChains marks for each goal the states of the first shortest behaviour to
// it, where behaviours cannot be followed back because the states are gone. It
// expands the levels once more, alone and in order: a state that is met first
// by the first state of the level before that leads to it, by its first
// instance, is met by the first of the shortest behaviours to it. (Breadth-
// first search from a queue, which this is, meets states in the order of the
// first shortest behaviours to them.) A parent for each state is kept
// meanwhile. With symmetry the states are those of the system, as in walk.
func (s *search) markChains(all []bits) {
	w := s.crew[0]
	parents := memory.Take(max(1, s.set.Refs())) // reference+1; of an initial state its own
	defer memory.Release(parents)
	type line struct {
		queue
		refs []seen.Ref
	}
	here, next := &line{queue: queue{stride: s.m.StateBytes / 8}}, &line{queue: queue{stride: s.m.StateBytes / 8}}
	defer func() { here.close(); next.close() }()
	meet := func(state []byte, r, from seen.Ref) {
		if r != seen.Missing && parents[r] == 0 {
			parents[r] = uint64(from) + 1
			next.add(seen.Words(state))
			next.refs = append(next.refs, r)
		}
	}
	for _, state := range s.m.Init {
		r := w.refOf(state)
		meet(state, r, r)
	}
	missing := 0
	reached := make([]bool, len(s.goals))
	for n := range s.goals {
		if reached[n] = all[n] == nil; !reached[n] {
			missing++
		}
	}
	for index := 0; missing > 0 && next.states > 0; index++ {
		here, next = next, here
		next.empty()
		next.refs = next.refs[:0]
		for i, self := range here.refs {
			state := here.state(i)
			for n, g := range s.goals {
				if g.level != index || reached[n] || !w.has(g, self, state) {
					continue
				}
				reached[n] = true
				missing--
				for r := self; ; r = seen.Ref(parents[r] - 1) {
					all[n].add(uint64(r))
					if parents[r] == uint64(r)+1 {
						break
					}
				}
			}
			if missing > 0 && w.successors(state) {
				for j, r := range w.refs {
					meet(w.batch.State(j), r, self)
				}
			}
		}
	}
}
