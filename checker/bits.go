package checker

import (
	mathbits "math/bits"
	"sync/atomic"

	"mc/checker/memory"
)

// bits is a set of nodes, outside the Go heap. Any number of goroutines may
// use it at once.
type bits []uint64

func newBits(nodes int) bits { return memory.Take(max(1, (nodes+63)/64)) }

func (b bits) has(n uint64) bool { return atomic.LoadUint64(&b[n/64])>>(n%64)&1 != 0 }
func (b bits) close()            { memory.Release(b) }

// add writes only what is not there yet: most is, and a read can be shared.
func (b bits) add(n uint64) {
	if !b.has(n) {
		atomic.OrUint64(&b[n/64], 1<<(n%64))
	}
}

func (b bits) empty() bool {
	for _, w := range b {
		if w != 0 {
			return false
		}
	}
	return true
}

func (b bits) count() (n uint64) {
	for _, w := range b {
		n += uint64(mathbits.OnesCount64(w))
	}
	return n
}
