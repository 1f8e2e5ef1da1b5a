//go:build (linux || darwin || freebsd || netbsd || openbsd || dragonfly) && !race

package memory

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// hugeBytes is the size from which fewer and larger pages are asked for: a
// table that is probed at random then misses fewer translations, and takes
// fewer faults when it is filled.
const hugeBytes = 1 << 22

// Allocate takes zeroed words from the system, outside the Go heap: the
// collector never looks at them, and pages cost nothing until touched.
func Allocate(words int) ([]uint64, error) {
	b, err := unix.Mmap(-1, 0, words*WordBytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	if len(b) >= hugeBytes {
		preferHuge(b)
	}
	return asWords(b), nil
}

// Release gives back what Allocate took, whole.
func Release(w []uint64) {
	if err := unix.Munmap(Bytes(w)); err != nil {
		panic("memory: " + err.Error())
	}
}

func asWords(b []byte) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/WordBytes)
}
