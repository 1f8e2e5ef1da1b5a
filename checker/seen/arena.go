package seen

import (
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"mc/checker/memory"
)

const (
	chunkBits   = 12
	chunkStates = 1 << chunkBits
)

// arena holds the states, back to back in chunks that never move.
type arena struct {
	stride int                              // words of a state
	bases  atomic.Pointer[[]unsafe.Pointer] // of the chunks; replaced as a whole under mu
	owners []owner                          // of the chunks

	mu     sync.Mutex
	extent []uint64 // what is left of the last piece of memory taken
	pieces [][]uint64
	bytes  atomic.Int64 // of the chunks
}

func (a *arena) init(stride int) {
	a.stride = stride
	a.bases.Store(new([]unsafe.Pointer))
}

// owner says where the states of a chunk stand in the sequence of a writer.
type owner struct {
	writer int
	first  int // sequence number of its first state
}

// at is the state at a reference.
func (a *arena) at(r Ref) unsafe.Pointer {
	base := (*a.bases.Load())[r>>chunkBits]
	return unsafe.Add(base, int(r&(chunkStates-1))*a.stride*wordBytes)
}

// chunk is the states of a chunk, back to back.
func (a *arena) chunk(chunk int) []uint64 {
	return unsafe.Slice((*uint64)((*a.bases.Load())[chunk]), chunkStates*a.stride)
}

func (a *arena) chunks() int { return len(*a.bases.Load()) }

// newChunk gives a writer room for the states from sequence number first on.
func (a *arena) newChunk(writer, first int) (index int, base []uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	words := chunkStates * a.stride
	if len(a.extent) < words {
		// Few large pieces: a system maps only so many.
		n := words << min(len(a.pieces), 10)
		a.extent = memory.Take(max(words, min(n, 1<<23)/words*words))
		a.pieces = append(a.pieces, a.extent)
	}
	old := *a.bases.Load()
	index = len(old)
	if index >= refMask>>chunkBits {
		panic(memory.Exhausted{Err: fmt.Errorf("more than %d states", refMask)})
	}
	base, a.extent = a.extent[:words], a.extent[words:]
	a.bytes.Add(int64(words) * wordBytes)
	a.owners = append(a.owners, owner{writer, first})
	// Readers hold the old header: append writes only where none looks yet.
	bases := append(old, unsafe.Pointer(&base[0]))
	a.bases.Store(&bases)
	return index, base
}

func (a *arena) close() {
	for _, p := range a.pieces {
		memory.Release(p)
	}
	a.pieces = nil
}
