//go:build !amd64

package seen

// prefetchWrite does nothing where nobody has written it for the processor.
func prefetchWrite(*uint64, []int) {}
