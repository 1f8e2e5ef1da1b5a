//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly) || race

package seen

// allocate takes zeroed words from the Go heap: where there is no mmap, and
// under the race detector, which watches only the heap.
func allocate(words int) ([]uint64, error) { return make([]uint64, words), nil }

// release leaves the words to the collector.
func release([]uint64) {}
