//go:build (darwin || freebsd || netbsd || openbsd || dragonfly) && !race

package memory

// preferHuge does nothing: these systems choose by themselves, or cannot.
func preferHuge([]byte) {}
