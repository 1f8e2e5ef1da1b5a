//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly) || race

package memory

// Allocate takes zeroed words from the Go heap: where there is no mmap, and
// under the race detector, which watches only the heap.
func Allocate(words int) ([]uint64, error) { return make([]uint64, words), nil }

// Release leaves the words to the collector.
func Release([]uint64) {}
