package seen

import (
	"fmt"
	"math/bits"
	"testing"

	"mc/checker/memory"
)

// sizes are numbers of states; the largest takes 4 GiB.
func sizes(b *testing.B) []int {
	if testing.Short() {
		return []int{1 << 20}
	}
	return []int{1 << 20, 1 << 24, 1 << 27}
}

// lots is a quick source of numbers for benchmarks (Knuth's constants).
type lots uint64

func (l *lots) below(n int) uint64 {
	*l = *l*6364136223846793005 + 1442695040888963407
	hi, _ := bits.Mul64(uint64(*l), uint64(n))
	return hi
}

// numbered makes the i-th of the states of two words.
func numbered(batch []uint64, at int, i uint64) { batch[2*at], batch[2*at+1] = i, i*i }

const benchBatch = 256

// BenchmarkSet fills a set with states of 16 bytes and looks up states that it
// has, at random. The first figure is of a new state, the table's growth
// included; the second of a known one; the third is what the machine needs to
// read a word at random where the table is and one where the states are, when
// no read waits for another: no exact set of this layout is faster.
func BenchmarkSet(b *testing.B) {
	for _, states := range sizes(b) {
		b.Run(fmt.Sprintf("%dMi", states>>20), func(b *testing.B) {
			set := New(2*wordBytes, 1)
			defer set.Close()
			w := set.Writers()[0]
			batch := make([]uint64, 2*benchBatch)
			var fresh []int
			b.ResetTimer()
			for i := 0; i < states; i += benchBatch {
				for j := range benchBatch {
					numbered(batch, j, uint64(i+j))
				}
				if set.Full() {
					set.Grow()
				}
				fresh = w.Insert(batch, fresh[:0])
			}
			perNew := float64(b.Elapsed().Nanoseconds()) / float64(states)
			b.ResetTimer()
			l := lots(1)
			for range b.N {
				for j := range benchBatch {
					numbered(batch, j, l.below(states))
				}
				if fresh = w.Insert(batch, fresh[:0]); len(fresh) > 0 {
					b.Fatal("a state is gone")
				}
			}
			perKnown := float64(b.Elapsed().Nanoseconds()) / float64(b.N*benchBatch)

			b.ResetTimer()
			chunks := *set.bases.Load()
			var sum uint64
			for range b.N * benchBatch {
				r := l.below(len(set.slots))
				sum += set.slots[r] + *(*uint64)(set.at(Ref(r % uint64(len(chunks)<<chunkBits))))
			}
			limit := float64(b.Elapsed().Nanoseconds()) / float64(b.N*benchBatch)
			w.sink = sum
			b.ReportMetric(float64(set.Peak())/float64(states), "B/state")
			b.ReportMetric(perNew, "ns/new")
			b.ReportMetric(perKnown, "ns/known")
			b.ReportMetric(limit, "ns/limit")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkRandomRead reads words at random from regions of several sizes, none
// waiting for another, and each waiting for the one before.
func BenchmarkRandomRead(b *testing.B) {
	for _, size := range []int{1 << 20, 1 << 24, 1 << 28, 1 << 31} {
		if testing.Short() && size > 1<<24 {
			continue
		}
		b.Run(fmt.Sprintf("%dMiB", size>>20), func(b *testing.B) {
			words := memory.Take(size / wordBytes)
			defer memory.Release(words)
			for i := range words {
				words[i] = uint64(i) & 1
			}
			l, sum := lots(1), uint64(0)
			b.ResetTimer()
			for range b.N {
				sum += words[l.below(len(words))]
			}
			independent := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
			b.ResetTimer()
			for range b.N {
				l += lots(words[l.below(len(words))] | sum&1)
			}
			b.ReportMetric(independent, "ns/independent")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/dependent")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkHash hashes states of several sizes: for the table, and to 128 bits.
func BenchmarkHash(b *testing.B) {
	for _, stride := range []int{1, 2, 6, 14, 32} {
		b.Run(fmt.Sprintf("%dbytes", stride*wordBytes), func(b *testing.B) {
			states := make([]uint64, stride*benchBatch)
			for i := range states {
				states[i] = uint64(i)
			}
			hashes, prints := make([]uint64, benchBatch), make([]uint64, 0, 2*benchBatch)
			b.ResetTimer()
			for range b.N {
				hashAll(states, stride, hashes)
			}
			hash := float64(b.Elapsed().Nanoseconds()) / float64(b.N*benchBatch)
			b.ResetTimer()
			for range b.N {
				prints = Fingerprints(states, stride, prints)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchBatch), "ns/fingerprint")
			b.ReportMetric(hash, "ns/hash")
			b.ReportMetric(0, "ns/op")
		})
	}
}
