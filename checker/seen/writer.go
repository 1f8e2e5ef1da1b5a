package seen

import (
	"mc/checker/memory"
	"sync/atomic"
	"unsafe"
)

// Writer inserts states for one goroutine. It numbers the states that it was
// the first to insert 0, 1, 2, …, so that a search can walk over them level by
// level.
type Writer struct {
	_      memory.Apart
	set    *Set
	index  int
	states int // inserted by this writer
	told   int // of these, those that the set knows of
	chunks []int
	room   []uint64 // the current chunk

	// Of the batch: its hashes, the slots where probing for each stands, what
	// was in them, and the references of the states.
	hashes []uint64
	slots  []int
	values []uint64
	refs   []Ref
	empty  []int  // slots that a state of the batch will be put into
	sink   uint64 // keeps the loads of seek
	_      memory.Apart
}

func newWriter(s *Set, index int) *Writer {
	return &Writer{
		set: s, index: index,
		hashes: make([]uint64, MaxBatch), slots: make([]int, MaxBatch),
		values: make([]uint64, MaxBatch), refs: make([]Ref, MaxBatch),
	}
}

// Len is the number of states that this writer inserted.
func (w *Writer) Len() int { return w.states }

// Ref is the reference of the writer's state with this number.
func (w *Writer) Ref(seq int) Ref { return Sequence(w.chunks).Ref(seq) }

// Sequence is a writer's states so far. It stays as it is while the writer
// goes on, so that others may walk over it.
func (w *Writer) Sequence() Sequence { return w.chunks }

// Sequence finds states by their number: it holds the chunks of a writer.
type Sequence []int

// Ref is the reference of the state with this number.
func (c Sequence) Ref(seq int) Ref {
	return Ref(c[seq>>chunkBits]<<chunkBits | seq&(chunkStates-1))
}

// Insert adds states, at most MaxBatch of them, back to back. It appends to
// fresh the places in the batch of those that are new to the set, and returns
// it; Refs then tells where each of the batch is. Any number of writers may
// insert at once.
func (w *Writer) Insert(states []uint64, fresh []int) []int {
	n := w.seek(states)
	for i := range n {
		state := &states[i*w.set.stride]
		r, slot := w.set.find(w.slots[i], w.values[i], w.hashes[i], state)
		if r == Missing {
			var isNew bool
			if r, isNew = w.add(slot, w.hashes[i], state); isNew {
				fresh = append(fresh, i)
			}
		}
		w.refs[i] = r
	}
	if fresh := w.states - w.told; fresh > int(w.set.homes>>10)/len(w.set.writers) {
		w.set.states.Add(int64(fresh))
		w.told = w.states
	}
	return fresh
}

// Refs are the references of the n states inserted last, lent until the next
// call.
func (w *Writer) Refs(n int) []Ref { return w.refs[:n] }

// Find is the reference of each of the states, at most MaxBatch of them; that
// of one that is not in the set is Missing. They are lent until the next call.
func (w *Writer) Find(states []uint64) []Ref {
	n := w.seek(states)
	for i := range n {
		w.refs[i], _ = w.set.find(w.slots[i], w.values[i], w.hashes[i], &states[i*w.set.stride])
	}
	return w.refs[:n]
}

// seek hashes a batch and probes for all of it, up to comparing states. The
// loads of one pass do not depend on each other, so the processor waits for
// many misses of the cache at once instead of for one after the other: first
// for the homes, then for the states whose tags agree.
func (w *Writer) seek(states []uint64) (n int) {
	s := w.set
	n = len(states) / s.stride
	hashes, slots, values := w.hashes[:n], w.slots[:n], w.values[:n]
	hashAll(states, s.stride, hashes)
	var sum uint64
	empty := w.empty[:0]
	for i, h := range hashes {
		slots[i] = s.home(h)
		sum += atomic.LoadUint64(&s.slots[slots[i]])
	}
	for i, h := range hashes {
		slot, v := s.probe(slots[i], tagOf(h))
		if v != 0 {
			sum += *(*uint64)(s.at(Ref(v&refMask - 1)))
		} else {
			empty = append(empty, slot)
		}
		slots[i], values[i] = slot, v
	}
	prefetchWrite(&s.slots[0], empty)
	w.sink, w.empty = sum, empty
	return n
}

// add puts a state that is not in the set at the end of the writer's sequence
// and claims the slot for it. Another writer may have taken the slot meanwhile,
// for this state or a different one.
func (w *Writer) add(slot int, h uint64, state *uint64) (r Ref, isNew bool) {
	s := w.set
	offset := w.states & (chunkStates - 1)
	if w.states>>chunkBits == len(w.chunks) {
		index, base := s.newChunk(w.index, w.states)
		w.chunks, w.room = append(w.chunks, index), base
	}
	copy(w.room[offset*s.stride:], unsafe.Slice(state, s.stride))
	mine := w.Ref(w.states)
	for !s.claim(slot, h, mine) {
		var v uint64
		slot, v = s.probe(slot, tagOf(h))
		if r, slot = s.find(slot, v, h, state); r != Missing {
			return r, false
		}
	}
	w.states++
	return mine, true
}
