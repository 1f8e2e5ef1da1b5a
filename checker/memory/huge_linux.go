//go:build !race

package memory

import "syscall"

// preferHuge asks for huge pages. That they are refused is no error.
func preferHuge(b []byte) { _ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) }
