//go:build (linux || darwin || freebsd || netbsd || openbsd || dragonfly) && !race

package memory

import (
	"syscall"
	"unsafe"
)

// hugeBytes is the size from which fewer and larger pages are asked for: a
// table that is probed at random then misses fewer translations, and takes
// fewer faults when it is filled.
const hugeBytes = 1 << 22

// Allocate takes zeroed words from the system, outside the Go heap: the
// collector never looks at them, and pages cost nothing until touched.
func Allocate(words int) ([]uint64, error) {
	b, err := syscall.Mmap(-1, 0, words*WordBytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	if len(b) >= hugeBytes {
		preferHuge(b)
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(&b[0])), words), nil
}

// Release gives back what Allocate took, whole.
func Release(w []uint64) {
	if err := syscall.Munmap(unsafe.Slice((*byte)(unsafe.Pointer(&w[0])), len(w)*WordBytes)); err != nil {
		panic("memory: " + err.Error())
	}
}
