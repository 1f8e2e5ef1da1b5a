// Package memory hands out memory outside the Go heap: millions of states are
// no work for a garbage collector, and their bytes can be counted.
package memory

import "unsafe"

// WordBytes is the size of a word in bytes.
const WordBytes = 8

// Exhausted is the panic of a search to which the system gives no memory.
type Exhausted struct{ Err error }

func (e Exhausted) Error() string { return "no memory from the system: " + e.Err.Error() }

// Take is Allocate that panics with Exhausted.
func Take(words int) []uint64 {
	w, err := Allocate(words)
	if err != nil {
		panic(Exhausted{err})
	}
	return w
}

// Extend makes what Take gave longer, keeping its words; the others are zero.
// It may move: what was given before is gone. It panics with Exhausted, and
// leaves all as it was then.
func Extend(w []uint64, words int) []uint64 {
	w, err := extend(w, words)
	if err != nil {
		panic(Exhausted{err})
	}
	return w
}

// Apart between what different cores write keeps them off each other's lines of
// the cache, and off the pairs of lines that some processors fetch.
type Apart [128]byte

// Bytes views words as bytes.
func Bytes(w []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), len(w)*WordBytes)
}

// Halves views words as 32-bit numbers.
func Halves(w []uint64) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(w))), len(w)*2)
}
