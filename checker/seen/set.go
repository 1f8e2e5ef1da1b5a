// Package seen is the set of states that a search has met: concurrent, exact,
// and outside the Go heap.
//
// # Layout
//
// States lie back to back in an arena of large chunks, in the order in which
// each Writer met them, and never move. A table of 8-byte slots, open
// addressing with linear probing, holds for each state a 28-bit tag of its
// hash and a 36-bit reference into the arena:
//
//	slot = tag<<36 | reference+1, or 0 when empty
//
// A lookup reads the state itself only when the tag agrees, and then compares
// all of it. So a hit is certain, and no collision can hide a state.
//
// # Concurrency
//
// A writer puts a new state at the end of its own chunk first and then claims
// the slot by compare-and-swap; whoever reads the slot sees the state behind
// it. A writer that loses the slot to the same state leaves its copy to be
// overwritten. Nobody waits. Growing the table is the exception: Grow needs
// the set for itself, which the search arranges once for thousands of states.
//
// # What limits the speed
//
// A lookup of a known state reads one slot at random and one state that is
// seldom far from those just met, since breadth-first search comes back to the
// level that it is making or the one before. Of two-phase commit with 8
// resource managers, one worker, about 58 ns for each generated state on a core
// of an AMD EPYC (Zen 5), a third is hashing, probing and comparing, a quarter
// the spec's own functions, a tenth moving the table when it grows, and the
// rest instructions of the search. That core reads a word at random in 1 to 2 ns
// where all is in its cache, in 12 to 15 ns out of 28 to 64 MiB, in 20 to 30 ns
// out of 256 MiB to 1 GiB if no read waits for another, and in 200 to 700 ns
// if each does: so what matters is that many misses are waited for at once,
// which seek does. Comparing whole states costs about 7 % of the time: that much
// exactness is worth. BenchmarkSet has the figures of a machine beside its own
// limit; with random states, unlike a search's, a known one takes 2 to 2.5
// times that.
//
// Tried and not kept: slots grouped by lines of the cache (no fewer
// misses that count), a plain store instead of compare-and-swap for a single
// writer (no gain), batches of 512 (they leave the first cache).
package seen

import (
	"fmt"
	"slices"
	"sync/atomic"
	"unsafe"

	"mc/checker/memory"
)

const (
	wordBytes = memory.WordBytes

	// MaxBatch is the largest number of states that Insert takes at once.
	MaxBatch = 512
)

// Ref is the place of a state in the arena: dense enough to index a bitmap,
// below Set.Refs.
type Ref uint64

// Missing is no reference.
const Missing = ^Ref(0)

// Set is the seen set. See the package comment for what may run at once.
type Set struct {
	table
	arena
	limit   atomic.Int64 // of states, before the table must grow
	writers []*Writer
	peak    int64 // of bytes, while the table grew

	// states is about how many there are: writers tell now and then, since a
	// line of the cache that two cores write moves between them each time.
	_      memory.Apart
	states atomic.Int64
	_      memory.Apart
}

// New makes an empty set for states of stateBytes bytes, a multiple of 8, and
// its writers, one for each goroutine that will insert.
func New(stateBytes, writers int) *Set {
	if stateBytes <= 0 || stateBytes%wordBytes != 0 {
		panic(fmt.Sprintf("seen: states of %d bytes", stateBytes))
	}
	s := &Set{}
	// Room for a batch of every writer beyond the load limit, always.
	s.table.init(max(1<<13, 8*MaxBatch*writers))
	s.arena.init(stateBytes / wordBytes)
	s.limit.Store(s.table.load())
	for i := range writers {
		s.writers = append(s.writers, newWriter(s, i))
	}
	return s
}

// Close gives the memory back. Nothing lent by the set may be used after.
func (s *Set) Close() {
	s.table.close()
	s.arena.close()
}

// Len is the number of states. Nobody may insert meanwhile.
func (s *Set) Len() (n int) {
	for _, w := range s.writers {
		n += w.states
	}
	return n
}

// Known is a lower bound for Len, close to it, at any time.
func (s *Set) Known() int { return int(s.states.Load()) }

// Bytes is the memory held now; Peak the most that was held at once. Chunks
// count as they are handed to writers, not as the system is asked for them.
func (s *Set) Bytes() int64 { return s.table.bytes.Load() + s.arena.bytes.Load() }
func (s *Set) Peak() int64  { return max(s.peak, s.Bytes()) }

// Refs bounds the references handed out: every Ref is below it.
func (s *Set) Refs() int { return s.chunks() * chunkStates }

// Writers are the set's writers.
func (s *Set) Writers() []*Writer { return s.writers }

// State is the bytes of a state, valid until Close.
func (s *Set) State(r Ref) []byte {
	return unsafe.Slice((*byte)(s.at(r)), s.stride*wordBytes)
}

// Owner is the writer that inserted the state and its number in that writer's
// sequence. Nobody may insert meanwhile.
func (s *Set) Owner(r Ref) (writer, seq int) {
	c := s.owners[r>>chunkBits]
	return c.writer, c.first + int(r&(chunkStates-1))
}

// Exists says whether a reference is that of a state; those below Refs need
// not be. Nobody may insert meanwhile.
func (s *Set) Exists(r Ref) bool {
	writer, seq := s.Owner(r)
	return seq < s.writers[writer].states
}

// Ref is the reference of one state, or Missing.
func (s *Set) Ref(state []byte) Ref {
	words := Words(state)
	h := Hash(words)
	slot, v := s.probe(s.home(h), tagOf(h))
	r, _ := s.find(slot, v, h, &words[0])
	return r
}

// find goes on from a slot that is empty or has the state's tag to where the
// state is. It returns its reference; or Missing and the empty slot where it
// would go.
func (s *Set) find(slot int, v uint64, h uint64, state *uint64) (Ref, int) {
	for v != 0 {
		if r := Ref(v&refMask - 1); same(s.at(r), unsafe.Pointer(state), s.stride) {
			return r, slot
		}
		slot, v = s.probe(s.after(slot), tagOf(h))
	}
	return Missing, slot
}

// same compares two states word by word: most are short.
func same(a, b unsafe.Pointer, words int) bool {
	for i := range words {
		if *(*uint64)(unsafe.Add(a, i*wordBytes)) != *(*uint64)(unsafe.Add(b, i*wordBytes)) {
			return false
		}
	}
	return true
}

// Full says whether the table must grow before the next batches.
func (s *Set) Full() bool { return s.states.Load() > s.limit.Load() }

// GrowBytes is the memory that Grow takes on top of what is held.
func (s *Set) GrowBytes() int64 {
	more := int64(s.grown()) + tailSlots
	if s.inPlace() && memory.Extends {
		more -= int64(len(s.slots))
	}
	return more * wordBytes
}

// Grow enlarges the table. Nothing else may use the set meanwhile.
func (s *Set) Grow() {
	s.peak = max(s.peak, s.Bytes()+s.GrowBytes())
	if s.inPlace() {
		s.enlarge(s.grown(), len(s.writers))
	} else {
		old := s.slots
		s.table.init(s.grown())
		s.fill()
		memory.Release(old)
	}
	s.limit.Store(s.table.load())
}

// fill puts all states into an empty table. All are different, so it compares
// none: the arena is read once, in order.
func (s *Set) fill() {
	parallel(len(s.writers), 0, s.chunks(), 1, func(c, _ int) {
		var hashes [MaxBatch]uint64
		n := min(chunkStates, s.writers[s.owners[c].writer].states-s.owners[c].first)
		words := s.chunk(c)
		for from := 0; from < n; from += MaxBatch {
			to := min(from+MaxBatch, n)
			hashAll(words[from*s.stride:to*s.stride], s.stride, hashes[:to-from])
			for j := from; j < to; j++ {
				h := hashes[j-from]
				s.put(h, tagOf(h)|uint64(c*chunkStates+j+1))
			}
		}
	})
}

// Words views a state's bytes, aligned to 8, as words.
func Words(state []byte) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(state))), len(state)/wordBytes)
}

// Equal compares two states.
func Equal(a, b []byte) bool { return slices.Equal(Words(a), Words(b)) }
