// Growth measures what a state costs as the space grows, and draws it.
//
//	go run ./checker/bench/growth                    up to 10^8 states, 3 GB
//	go run ./checker/bench/growth -most 3e6 -svg growth.svg
//
// The space is a grid of four counters, whose states can be counted: side^4,
// with 4·(side-1)·side^3 steps.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"

	"mc/checker"
	"mc/checker/memory"
	"mc/model"
)

const counters = 4

// State is the counters.
type State struct{ N [counters]uint8 }

var entry = model.Define("grid", "counters that only go up", func(c *model.Config) *model.Spec[State] {
	side := uint8(c.Int("side", 10, 2, 200, "values of a counter"))
	return &model.Spec[State]{
		Init: []State{{}},
		Actions: []model.Action[State]{model.Act1("Up", model.Below[uint8]("i", counters),
			func(s *State, i uint8) bool { return s.N[i] < side-1 },
			func(s *State, i uint8) { s.N[i]++ })},
		Properties: []model.Property[State]{
			model.Always("InRange", func(s *State) bool { return s.N[0] < side }),
		},
	}
})

// sides are those of the grids, about four for every power of ten of states.
var sides = []int{18, 21, 24, 28, 32, 36, 42, 48, 56, 64, 75, 86, 100}

// point is what one size costs, in nanoseconds for each generated state.
type point struct {
	states    float64
	wall      [2]float64 // with one worker and with two
	limit     float64    // one read at random of memory as large as the search's
	bytes     float64    // for each state
	searching int64      // bytes at the peak
}

func main() {
	most := flag.Float64("most", 1.001e8, "largest number of states")
	rounds := flag.Int("rounds", 3, "searches of each size, of which the median counts")
	svg := flag.String("svg", "", "draw the figures into this file")
	flag.Parse()
	var points []point
	fmt.Println("| states | 1 worker, ns/generated | 2 workers | faster by | bytes/state | a random read, ns |")
	fmt.Println("| ---: | ---: | ---: | ---: | ---: | ---: |")
	for _, side := range sides {
		if states := pow(side); states <= *most {
			p := measure(side, *rounds)
			points = append(points, p)
			fmt.Printf("| %.3g | %.1f | %.1f | %.2f | %.1f | %.1f |\n",
				p.states, p.wall[0], p.wall[1], p.wall[0]/p.wall[1], p.bytes, p.limit)
		}
	}
	if *svg != "" {
		if err := os.WriteFile(*svg, draw(points), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, "growth:", err)
			os.Exit(1)
		}
	}
}

func pow(side int) float64 { n := float64(side); return n * n * n * n }

func measure(side, rounds int) point {
	m, err := entry.Machine(model.Selection{Set: map[string]string{"side": fmt.Sprint(side)}})
	if err != nil {
		panic(err)
	}
	p := point{states: pow(side)}
	var wall [2][]float64
	for range rounds {
		for i := range wall {
			r := checker.Check(context.Background(), m, checker.Options{Workers: i + 1})
			if float64(r.Distinct) != p.states || !r.Exhausted {
				panic(fmt.Sprintf("got %d states of %.0f: %s", r.Distinct, p.states, r.Incomplete))
			}
			wall[i] = append(wall[i], float64(r.Elapsed.Nanoseconds())/float64(r.Generated))
			if i == 0 {
				p.bytes, p.searching = float64(r.Memory)/p.states, r.Memory
			}
		}
	}
	for i := range wall {
		slices.Sort(wall[i])
		p.wall[i] = wall[i][rounds/2]
	}
	p.limit = randomRead(p.searching)
	return p
}

// randomRead is the time of a read at random, when none waits for another.
func randomRead(size int64) float64 {
	words := memory.Take(int(size) / memory.WordBytes)
	defer memory.Release(words)
	for i := range words {
		words[i] = uint64(i)
	}
	const reads = 1 << 24
	lot, sum := uint64(1), uint64(0)
	took := elapsed(func() {
		for range reads {
			lot = lot*6364136223846793005 + 1442695040888963407
			sum += words[(lot>>32)*uint64(len(words))>>32]
		}
	})
	if sum == 1 {
		fmt.Fprint(os.Stderr) // the reads are needed
	}
	return took / reads
}
