package seen

// prefetchWrite asks for the lines of the cache that hold the slots, to be
// written: a core that has to take a line away from another one waits longest
// of all.
//
//go:noescape
func prefetchWrite(slots *uint64, at []int)
