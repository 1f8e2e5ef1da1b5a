//go:build !race

package memory

import "golang.org/x/sys/unix"

// preferHuge asks for huge pages. That they are refused is no error.
func preferHuge(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }

// Extends says that Extend needs no second copy.
const Extends = true

// extend lets the system find more room, and move the pages without copying
// them if it is elsewhere.
func extend(w []uint64, words int) ([]uint64, error) {
	b, err := unix.Mremap(Bytes(w), words*WordBytes, unix.MREMAP_MAYMOVE)
	return asWords(b), err
}
