package checker

import (
	"runtime"
	"sync"

	"mc/checker/memory"
	"mc/checker/seen"
)

// components finds the strongly connected components of a part of the graph:
// the nodes reachable, through nodes of the part, from the roots that are in
// it. It is Pearce's algorithm ("A Space-Efficient Algorithm for Finding
// Strongly Connected Components", 2016), a variant of Tarjan's (1972) that
// needs one number for each node, made iterative here.
type components struct {
	g *graph
	// rank is 0 before a node is met, its place in the search while its
	// component is open, and the component's number after that. Components
	// count down from the top, so the two never meet. A node outside the part
	// has the number outside, and looks as if it were dealt with.
	rank  []uint32
	words []uint64 // behind rank
	visit func(nodes []uint32, number uint32)

	index, number uint32
	frames        []frame
	open          []uint32
}

const outside = ^uint32(0)

type frame struct {
	node  uint32
	root  bool
	edges edgeReader
}

func newComponents(g *graph, in func(uint32) bool, visit func(nodes []uint32, number uint32)) *components {
	c := &components{g: g, visit: visit, index: 1, number: outside - 1}
	c.words = memory.Take((g.nodes() + 1) / 2)
	c.rank = memory.Halves(c.words)
	inParallel(g.nodes(), func(from, to int) {
		for n := from; n < to; n++ {
			if !g.set.Exists(seen.Ref(n)) || !in(uint32(n)) {
				c.rank[n] = outside
			}
		}
	})
	return c
}

// inParallel splits the numbers below n among the processors.
func inParallel(n int, do func(from, to int)) {
	var wg sync.WaitGroup
	part := n/runtime.GOMAXPROCS(0) + 1
	for from := 0; from < n; from += part {
		wg.Go(func() { do(from, min(from+part, n)) })
	}
	wg.Wait()
}

func (c *components) close() { memory.Release(c.words) }

// from searches from one root.
func (c *components) from(root uint32) {
	if c.rank[root] != 0 {
		return
	}
	c.begin(root)
	for len(c.frames) > 0 {
		f := &c.frames[len(c.frames)-1]
		w, _, ok := f.edges.next()
		switch {
		case !ok:
			c.end()
		case c.rank[w] == 0:
			c.begin(w)
		case c.rank[w] < c.rank[f.node]:
			c.rank[f.node], f.root = c.rank[w], false
		}
	}
}

func (c *components) begin(v uint32) {
	c.rank[v] = c.index
	c.index++
	c.frames = append(c.frames, frame{node: v, root: true, edges: c.g.read(v)})
}

// end leaves the node on top: it either closes a component or waits, open, for
// the one it belongs to.
func (c *components) end() {
	f := c.frames[len(c.frames)-1]
	c.frames = c.frames[:len(c.frames)-1]
	v := f.node
	from := len(c.open)
	c.open = append(c.open, v)
	if f.root {
		own := c.rank[v]
		for from > 0 && c.rank[c.open[from-1]] >= own {
			from--
		}
		for _, w := range c.open[from:] {
			c.rank[w] = c.number
		}
		c.index -= uint32(len(c.open) - from)
		c.visit(c.open[from:], c.number)
		if c.number--; c.number <= c.index {
			panic("checker: more components than numbers")
		}
		c.open = c.open[:from]
	}
	if len(c.frames) > 0 {
		p := &c.frames[len(c.frames)-1]
		if c.rank[v] < c.rank[p.node] {
			c.rank[p.node], p.root = c.rank[v], false
		}
	}
}
