package checker

import (
	"math"
	"math/rand/v2"
	"testing"

	"mc/checker/seen"
)

// TestSketchEstimates puts in words that differ little, each several times and
// by way of two sketches, and compares with their number.
func TestSketchEstimates(t *testing.T) {
	var sum float64
	n := 0
	for _, size := range []int{0, 1, 16, 100, 1_000, 10_000, 30_000, 50_000, 100_000, 1_000_000} {
		for first := range uint64(8) {
			var a, b sketch
			for i := range size {
				h := seen.Hash([]uint64{first << 32, uint64(i)})
				a.add(h)
				if i%3 == 0 {
					b.add(h)
				}
			}
			b.merge(&a)
			b.merge(&a)
			got := float64(b.estimate())
			if a != b || math.Abs(got-float64(size)) > 0.5+0.035*float64(size) {
				t.Errorf("got %v, want %d", got, size)
			}
			if size > 0 {
				sum += got/float64(size) - 1
				n++
			}
		}
	}
	if mean := sum / float64(n); math.Abs(mean) > 0.004 {
		t.Errorf("got estimates wrong by %.2f%% on average, want none", 100*mean)
	}
}

// TestSketchIgnoresOrder adds the same hashes in two orders.
func TestSketchIgnoresOrder(t *testing.T) {
	var a, b sketch
	r := rand.New(rand.NewPCG(1, 2))
	hashes := make([]uint64, 1000)
	for i := range hashes {
		hashes[i] = r.Uint64()
		a.add(hashes[i])
	}
	for _, i := range r.Perm(len(hashes)) {
		b.add(hashes[i])
	}
	if a != b {
		t.Error("got different registers")
	}
}
