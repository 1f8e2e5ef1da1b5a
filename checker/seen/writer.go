package seen

import (
	"slices"
	"sync/atomic"
	"unsafe"
)

// Writer inserts states for one goroutine. It numbers the states that it was
// the first to insert 0, 1, 2, …, so that a search can walk over them level by
// level.
type Writer struct {
	set    *Set
	index  int
	states int // inserted by this writer
	chunks []int
	room   []uint64 // the current chunk
	hashes []uint64
	refs   []Ref
	sink   uint64 // keeps the loads of warm
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
	s, n := w.set, len(states)/w.set.stride
	before := w.states
	w.warm(states, n)
	for i := range n {
		var isNew bool
		if w.refs[i], isNew = w.insert(w.hashes[i], states[i*s.stride:(i+1)*s.stride]); isNew {
			fresh = append(fresh, i)
		}
	}
	s.states.Add(int64(w.states - before))
	return fresh
}

// Refs are the references of the n states inserted last, lent until the next
// call.
func (w *Writer) Refs(n int) []Ref { return w.refs[:n] }

// Find is the reference of each of the states, at most MaxBatch of them, all
// of which must be in the set; a missing one is Missing.
func (w *Writer) Find(states []uint64, refs []Ref) []Ref {
	s, n := w.set, len(states)/w.set.stride
	w.warm(states, n)
	for i := range n {
		r, _, ok := s.find(w.hashes[i], states[i*s.stride:(i+1)*s.stride])
		if !ok {
			r = Missing
		}
		refs = append(refs, r)
	}
	return refs
}

// Ref is the reference of one state, or Missing.
func (s *Set) Ref(state []byte) Ref {
	words := Words(state)
	r, _, ok := s.find(hash(words), words)
	if !ok {
		return Missing
	}
	return r
}

// Missing is no reference.
const Missing = ^Ref(0)

// warm hashes a batch and touches what the probing will read: first all the
// slots, then all the states behind those whose tag agrees. The loads of one
// pass do not depend on each other, so the processor waits for many cache
// misses at once instead of for one after the other.
func (w *Writer) warm(states []uint64, n int) {
	s := w.set
	for i := range n {
		w.hashes[i] = hash(states[i*s.stride : (i+1)*s.stride])
	}
	var sum uint64
	for i := range n {
		sum += atomic.LoadUint64(&s.slots[s.home(w.hashes[i])])
	}
	for i := range n {
		h := w.hashes[i]
		if v := atomic.LoadUint64(&s.slots[s.home(h)]); v != 0 && v&^refMask == h<<refBits {
			sum += s.at(Ref(v&refMask - 1))[0]
		}
	}
	w.sink = sum
}

func (w *Writer) insert(h uint64, state []uint64) (Ref, bool) {
	s := w.set
	for {
		r, slot, found := s.find(h, state)
		if found {
			return r, false
		}
		offset := w.states & (chunkStates - 1)
		if w.states>>chunkBits == len(w.chunks) {
			index, base := s.newChunk(w.index, w.states)
			w.chunks, w.room = append(w.chunks, index), base
		}
		copy(w.room[offset*s.stride:], state)
		r = w.Ref(w.states)
		if atomic.CompareAndSwapUint64(&s.slots[slot], 0, h<<refBits|uint64(r+1)) {
			w.states++
			return r, true
		}
	}
}

// Words views a state's bytes, aligned to 8, as words.
func Words(state []byte) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(state))), len(state)/wordBytes)
}

// Equal compares two states.
func Equal(a, b []byte) bool { return slices.Equal(Words(a), Words(b)) }
