package checker

import (
	"context"
	"fmt"
	"testing"

	"mc/checker/seen"
	"mc/model"
)

// BenchmarkExpand expands states of specs and reports the time for each
// successor and each instance tried: the spec's own functions, for the most
// part.
func BenchmarkExpand(b *testing.B) {
	for _, c := range []struct {
		spec string
		set  map[string]string
	}{
		{"two-phase", map[string]string{"rms": "8"}}, {"install-snapshot", nil}, {"append-window", nil},
		{"node-health", nil}, {"bcsid-map", nil},
	} {
		b.Run(c.spec, func(b *testing.B) {
			m := machine(b, entry(b, c.spec), model.Selection{Set: c.set})
			w, batch := m.NewWorker(), m.NewBatch(1024)
			var states [][]byte // those of a random walk
			here := m.Init[0]
			for n := range 256 {
				states = append(states, here)
				batch.Truncate(0)
				w.Expand(here, batch)
				if batch.Len() == 0 {
					here = m.Init[0]
					continue
				}
				here = append([]byte{}, batch.State(n*7%batch.Len())...)
			}
			generated := 0
			b.ResetTimer()
			for range b.N {
				for _, s := range states {
					batch.Truncate(0)
					w.Expand(s, batch)
					generated += batch.Len()
				}
			}
			elapsed := float64(b.Elapsed().Nanoseconds())
			b.ReportMetric(elapsed/float64(generated), "ns/successor")
			b.ReportMetric(elapsed/float64(b.N*len(states)*m.Instances), "ns/instance")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkQueue puts states into the queue that fingerprints need, and takes
// them out.
func BenchmarkQueue(b *testing.B) {
	for _, stride := range []int{2, 14, 32} {
		b.Run(fmt.Sprintf("%dbytes", 8*stride), func(b *testing.B) {
			q := queue{stride: stride}
			defer q.close()
			state := make([]uint64, stride)
			const states = 1 << 16
			sum := 0
			for range b.N {
				q.empty()
				for i := range states {
					state[0] = uint64(i)
					q.add(state)
				}
				for i := range states {
					sum += int(q.state(i)[0])
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*states), "ns/state")
			b.ReportMetric(0, "ns/op")
			_ = sum
		})
	}
}

// BenchmarkEdges writes the edges of a graph and reads them.
func BenchmarkEdges(b *testing.B) {
	const nodes, fan = 1 << 16, 8
	m := machine(b, entry(b, "two-phase"), model.Selection{})
	set := seen.New(8, 1)
	defer set.Close()
	for i := range uint64(nodes) {
		if set.Full() {
			set.Grow()
		}
		set.Writers()[0].Insert([]uint64{i}, nil)
	}
	labels, targets := make([]model.Label, fan), make([]seen.Ref, fan)
	for i := range labels {
		labels[i] = model.Label(i % m.Instances)
	}
	var write, read, bytes float64
	for range b.N {
		g := newGraph(m, set, 1)
		g.makeRoom()
		b.ResetTimer()
		for n := range seen.Ref(nodes) {
			for i := range targets {
				targets[i] = (n*7 + seen.Ref(i)*131) % nodes
			}
			g.write(0, n, targets, labels)
		}
		write += float64(b.Elapsed().Nanoseconds())
		bytes = float64(g.streams[0].used+(len(g.streams[0].chunks)-1)*chunkBytes) / float64(g.edges())
		b.ResetTimer()
		edges := uint64(0)
		for n := range uint32(nodes) {
			e := g.read(n)
			for _, _, ok := e.next(); ok; _, _, ok = e.next() {
				edges++
			}
		}
		read += float64(b.Elapsed().Nanoseconds())
		if edges != nodes*fan {
			b.Fatalf("read %d edges", edges)
		}
		g.close()
	}
	all := float64(b.N * nodes * fan)
	b.ReportMetric(write/all, "ns/written")
	b.ReportMetric(read/all, "ns/read")
	b.ReportMetric(bytes, "B/edge")
	b.ReportMetric(0, "ns/op")
}

// wide is a state of counters and of bytes that stay as they are.
type wide[P any] struct {
	N    [4]uint8
	Rest P
}

// searchWide searches a grid of 20^4 such states.
func searchWide[P any](b *testing.B, fingerprints bool) {
	const side = 20
	e := model.Define("wide", "counters", func(*model.Config) *model.Spec[wide[P]] {
		return &model.Spec[wide[P]]{
			Init: []wide[P]{{}},
			Actions: []model.Action[wide[P]]{model.Act1("Up", model.Below[uint8]("i", 4),
				func(s *wide[P], i uint8) bool { return s.N[i] < side-1 },
				func(s *wide[P], i uint8) { s.N[i]++ })},
			Properties: []model.Property[wide[P]]{
				model.Always("InRange", func(s *wide[P]) bool { return s.N[0] < side }),
			},
		}
	})
	m := machine(b, e, model.Selection{})
	var r *Report
	b.ResetTimer()
	for range b.N {
		r = Check(context.Background(), m, Options{Workers: 1, Fingerprints: fingerprints})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(uint64(b.N)*r.Generated), "ns/generated")
	b.ReportMetric(float64(r.Memory)/float64(r.Distinct), "B/state")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkStateSize searches one state graph with states of several sizes.
func BenchmarkStateSize(b *testing.B) {
	for store, fingerprints := range map[string]bool{"exact": false, "fingerprint": true} {
		b.Run("8bytes/"+store, func(b *testing.B) { searchWide[[4]uint8](b, fingerprints) })
		b.Run("32bytes/"+store, func(b *testing.B) { searchWide[[28]uint8](b, fingerprints) })
		b.Run("128bytes/"+store, func(b *testing.B) { searchWide[[124]uint8](b, fingerprints) })
		b.Run("256bytes/"+store, func(b *testing.B) { searchWide[[252]uint8](b, fingerprints) })
		b.Run("1024bytes/"+store, func(b *testing.B) { searchWide[[1020]uint8](b, fingerprints) })
		b.Run("4096bytes/"+store, func(b *testing.B) { searchWide[[4092]uint8](b, fingerprints) })
	}
}
