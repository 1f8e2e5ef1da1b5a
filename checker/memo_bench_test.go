package checker

import (
	"slices"
	"testing"

	"github.com/dgraph-io/ristretto/v2"

	"mc/model"
)

// BenchmarkMemo asks whether a cache of representatives pays. It replays the
// successors that a search with symmetry makes, in its order, and finds their
// representatives with and without a ristretto cache in front; the cache keeps
// both states of a pair, so that a colliding key can only miss.
//
// It does not pay where it was tried, so the search has none: finding a
// representative takes less time than a lookup, and a miss pays for both.
func BenchmarkMemo(b *testing.B) {
	for _, c := range []struct {
		name string
		m    *model.Machine
	}{
		{"two-phase-7", machine(b, entry(b, "two-phase"), model.Selection{Set: map[string]string{"rms": "7"}})},
		{"bcsid-map-raft2", machine(b, entry(b, "bcsid-map"), model.Selection{Scenario: "raft2"})},
	} {
		states := successorsInOrder(c.m)
		w, buf := c.m.NewWorker(), make([]byte, c.m.StateBytes)
		perState := func(b *testing.B) {
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(states)), "ns/state")
		}
		b.Run(c.name+"/plain", func(b *testing.B) {
			for b.Loop() {
				for _, s := range states {
					copy(buf, s)
					w.Canonize(buf)
				}
			}
			perState(b)
		})
		b.Run(c.name+"/ristretto", func(b *testing.B) {
			type pair struct{ state, representative string }
			hits := 0
			for b.Loop() {
				cache, err := ristretto.NewCache(&ristretto.Config[[]byte, pair]{NumCounters: 1e6, MaxCost: 1 << 26, BufferItems: 64})
				if err != nil {
					b.Fatal(err)
				}
				for _, s := range states {
					if p, ok := cache.Get(s); ok && p.state == string(s) {
						copy(buf, p.representative)
						hits++
						continue
					}
					copy(buf, s)
					w.Canonize(buf)
					cache.Set(s, pair{string(s), string(buf)}, int64(2*len(s)))
				}
				cache.Close()
			}
			perState(b)
			b.ReportMetric(float64(hits)/float64(b.N*len(states)), "hits/state")
		})
	}
}

// successorsInOrder are the successors that a breadth-first search over
// representatives makes.
func successorsInOrder(m *model.Machine) (all [][]byte) {
	w, batch := m.NewWorker(), m.NewBatch(64)
	known := map[string]bool{}
	queue := slices.Clone(m.Init)
	for ; len(queue) > 0; queue = queue[1:] {
		batch.Truncate(0)
		w.Expand(queue[0], batch)
		for i := range batch.Len() {
			t := slices.Clone(batch.State(i))
			all = append(all, t)
			r := slices.Clone(t)
			w.Canonize(r)
			if !known[string(r)] {
				known[string(r)] = true
				queue = append(queue, r)
			}
		}
	}
	return all
}
