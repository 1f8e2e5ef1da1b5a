// Package seen is the set of states that a search has met: concurrent, exact,
// and outside the Go heap.
//
// # Layout
//
// States lie back to back in an arena of large chunks, in the order in which
// each Writer met them, and never move. A table of 8-byte slots, open
// addressing with linear probing, holds for each state a 24-bit tag of its
// hash and a 40-bit reference into the arena:
//
//	slot = tag<<40 | reference+1, or 0 when empty
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
package seen

import (
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"mc/checker/memory"
)

const (
	wordBytes   = memory.WordBytes
	refBits     = 40
	refMask     = 1<<refBits - 1
	chunkBits   = 12
	chunkStates = 1 << chunkBits

	// A table is grown before more than 3/4 of its slots are taken, by a
	// factor of 3/2: between 10.7 and 16 bytes for each state. Below 8 MiB,
	// where bytes do not matter, it is by 4.
	loadNum, loadDen = 3, 4
	growNum, growDen = 3, 2
	smallSlots       = 1 << 20

	// MaxBatch is the largest number of states that Insert takes at once.
	MaxBatch = 512
)

// Ref is the place of a state in the arena: dense enough to index a bitmap,
// below Set.Refs.
type Ref uint64

// Set is the seen set. See the package comment for what may run at once.
type Set struct {
	stride  int // words of a state
	slots   []uint64
	states  atomic.Int64 // as of each writer's last Insert
	limit   atomic.Int64 // of states, before the table must grow
	writers []*Writer
	chunks  atomic.Pointer[[]chunk] // replaced as a whole under mu

	mu     sync.Mutex
	extent []uint64 // what is left of the last piece of memory taken
	pieces [][]uint64
	bytes  atomic.Int64 // taken for slots and chunks
	peak   int64
	sink   atomic.Uint64 // keeps loads that only warm the cache
}

// chunk is room for chunkStates states and where they stand in the sequence
// of the writer that owns it.
type chunk struct {
	base   unsafe.Pointer
	writer int
	first  int // sequence number of its first state
}

// New makes an empty set for states of stateBytes bytes, a multiple of 8, and
// its writers, one for each goroutine that will insert.
func New(stateBytes, writers int) *Set {
	if stateBytes <= 0 || stateBytes%wordBytes != 0 {
		panic(fmt.Sprintf("seen: states of %d bytes", stateBytes))
	}
	s := &Set{stride: stateBytes / wordBytes}
	// Room for a batch of every writer beyond the load limit, always.
	s.setSlots(memory.Take(max(1<<13, 8*MaxBatch*writers)))
	s.chunks.Store(new([]chunk))
	for i := range writers {
		s.writers = append(s.writers, &Writer{set: s, index: i, hashes: make([]uint64, MaxBatch), refs: make([]Ref, MaxBatch)})
	}
	return s
}

func (s *Set) setSlots(slots []uint64) {
	s.slots = slots
	s.limit.Store(int64(len(slots) / loadDen * loadNum))
	s.account(len(slots))
}

// account adds words to the memory held.
func (s *Set) account(words int) {
	s.peak = max(s.peak, s.bytes.Add(int64(words)*wordBytes))
}

// Close gives the memory back. Nothing lent by the set may be used after.
func (s *Set) Close() {
	memory.Release(s.slots)
	for _, p := range s.pieces {
		memory.Release(p)
	}
	s.slots, s.pieces = nil, nil
}

// Len is the number of states.
func (s *Set) Len() int { return int(s.states.Load()) }

// Bytes is the memory held now; Peak the most that was held at once. Chunks
// count as they are handed to writers, not as the system is asked for them.
func (s *Set) Bytes() int64 { return s.bytes.Load() }
func (s *Set) Peak() int64  { s.mu.Lock(); defer s.mu.Unlock(); return s.peak }

// Refs bounds the references handed out: every Ref is below it.
func (s *Set) Refs() int { return len(*s.chunks.Load()) * chunkStates }

// Writers are the set's writers.
func (s *Set) Writers() []*Writer { return s.writers }

// at is the state at a reference.
func (s *Set) at(r Ref) []uint64 {
	c := (*s.chunks.Load())[r>>chunkBits]
	return unsafe.Slice((*uint64)(unsafe.Add(c.base, int(r&(chunkStates-1))*s.stride*wordBytes)), s.stride)
}

// State is the bytes of a state, valid until Close.
func (s *Set) State(r Ref) []byte {
	w := s.at(r)
	return unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), len(w)*wordBytes)
}

// Owner is the writer that inserted the state and its number in that writer's
// sequence.
func (s *Set) Owner(r Ref) (writer, seq int) {
	c := (*s.chunks.Load())[r>>chunkBits]
	return c.writer, c.first + int(r&(chunkStates-1))
}

// Exists says whether a reference is that of a state; those below Refs need
// not be. Nobody may insert meanwhile.
func (s *Set) Exists(r Ref) bool {
	writer, seq := s.Owner(r)
	return seq < s.writers[writer].states
}

// home is where the probing for a hash begins: the high bits choose, so that
// the table may have any size (Lemire, "Fast Random Integer Generation in an
// Interval", 2019); the low bits are the tag.
func (s *Set) home(h uint64) int {
	hi, _ := bits.Mul64(h, uint64(len(s.slots)))
	return int(hi)
}

// find probes for a state. It returns its reference, or the empty slot where
// it would go.
func (s *Set) find(h uint64, state []uint64) (r Ref, slot int, found bool) {
	tag := h << refBits
	i := s.home(h)
	for {
		v := atomic.LoadUint64(&s.slots[i])
		if v == 0 {
			return 0, i, false
		}
		if v&^refMask == tag {
			if r := Ref(v&refMask - 1); slices.Equal(s.at(r), state) {
				return r, i, true
			}
		}
		if i++; i == len(s.slots) {
			i = 0
		}
	}
}

// Full says whether the table must grow before the next batches.
func (s *Set) Full() bool { return s.states.Load() > s.limit.Load() }

// GrowBytes is the memory that Grow takes before it gives back the old table.
func (s *Set) GrowBytes() int64 { return int64(s.grown()) * wordBytes }

func (s *Set) grown() int {
	if n := len(s.slots) * 4; n <= smallSlots {
		return n
	}
	return len(s.slots) / growDen * growNum
}

// Grow enlarges the table. Nothing else may use the set meanwhile. All states
// are different, so putting them in again compares none: the arena is read
// once, in order, by as many goroutines as there are writers.
func (s *Set) Grow() {
	old := s.slots
	s.setSlots(memory.Take(s.grown()))
	chunks := *s.chunks.Load()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range s.writers {
		wg.Go(func() {
			for c := int(next.Add(1)) - 1; c < len(chunks); c = int(next.Add(1)) - 1 {
				s.rehash(c, chunks[c])
			}
		})
	}
	wg.Wait()
	memory.Release(old)
	s.account(-len(old))
}

func (s *Set) rehash(index int, c chunk) {
	var hashes [MaxBatch]uint64
	n := min(chunkStates, s.writers[c.writer].states-c.first)
	words := unsafe.Slice((*uint64)(c.base), chunkStates*s.stride)
	for from := 0; from < n; from += MaxBatch {
		to := min(from+MaxBatch, n)
		var sum uint64 // touches the slots first, as Writer.warm does
		for j := from; j < to; j++ {
			h := hash(words[j*s.stride : (j+1)*s.stride])
			hashes[j-from] = h
			sum += atomic.LoadUint64(&s.slots[s.home(h)])
		}
		s.sink.Store(sum)
		for j := from; j < to; j++ {
			h := hashes[j-from]
			v := h<<refBits | uint64(index*chunkStates+j+1)
			i := s.home(h)
			for !atomic.CompareAndSwapUint64(&s.slots[i], 0, v) {
				if i++; i == len(s.slots) {
					i = 0
				}
			}
		}
	}
}

// newChunk gives a writer room for the states from sequence number first on.
func (s *Set) newChunk(writer, first int) (index int, base []uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	words := chunkStates * s.stride
	if len(s.extent) < words {
		// Few large pieces: a system maps only so many.
		n := words << min(len(s.pieces), 10)
		s.extent = memory.Take(max(words, min(n, 1<<23)/words*words))
		s.pieces = append(s.pieces, s.extent)
	}
	base, s.extent = s.extent[:words], s.extent[words:]
	s.account(words)
	old := *s.chunks.Load()
	index = len(old)
	if index >= refMask>>chunkBits {
		panic(memory.Exhausted{Err: fmt.Errorf("more than %d states", refMask)})
	}
	// Readers hold the old header: append writes only where none looks yet.
	chunks := append(old, chunk{unsafe.Pointer(&base[0]), writer, first})
	s.chunks.Store(&chunks)
	return index, base
}
