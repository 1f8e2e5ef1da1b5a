//go:build (darwin || freebsd || netbsd || openbsd || dragonfly) && !race

package memory

// preferHuge does nothing: these systems choose by themselves, or cannot.
func preferHuge([]byte) {}

// Extends says that Extend needs no second copy.
const Extends = false

func extend(w []uint64, words int) ([]uint64, error) { return extendByCopy(w, words) }
