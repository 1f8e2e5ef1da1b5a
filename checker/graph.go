package checker

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync/atomic"

	"mc/checker/memory"
	"mc/checker/seen"
	"mc/model"
)

// graph is the explored state graph: the seen set holds the states, this the
// steps between different ones.
//
// A state is a node, numbered by its reference. Its edges stand together in
// the stream of the worker that expanded it:
//
//	number of edges, then for each: target - previous target, class
//
// as varints, the first difference being taken from the node itself. An edge's
// class says what fairness must know of its label, and nothing more.
type graph struct {
	set     *seen.Set
	at      []uint64 // by node: place of its edges plus 1, or 0 if it was not expanded
	streams []*stream
	classes []class
	classOf []uint16     // by label
	taken   atomic.Int64 // bytes of edges and places
}

// class is what the edges of some labels have in common: the action, and which
// conditions count the label.
type class struct {
	action     int
	conditions []int
}

const (
	streamShift = 52 // a place is worker<<52 | chunk<<24 | offset
	chunkShift  = 24
	maxStreams  = 1<<(64-streamShift) - 1
	maxNodes    = 1<<31 - 1 // twice as many are numbered while a lasso is made
	chunkBytes  = 1 << 20
)

// stream is where one worker writes edges.
type stream struct {
	chunks [][]byte
	used   int // bytes of the last chunk
	edges  uint64
}

func newGraph(m *model.Machine, set *seen.Set, workers int) *graph {
	g := &graph{set: set, classOf: make([]uint16, m.Instances)}
	conditionsOf := make([][]int, m.Instances)
	for i, c := range m.Conditions() {
		for _, l := range c.Labels {
			conditionsOf[l] = append(conditionsOf[l], i)
		}
	}
	for l, conditions := range conditionsOf {
		c := class{m.ActionOf(model.Label(l)), conditions}
		i := slices.IndexFunc(g.classes, func(d class) bool {
			return c.action == d.action && slices.Equal(c.conditions, d.conditions)
		})
		if i < 0 {
			i = len(g.classes)
			g.classes = append(g.classes, c)
		}
		g.classOf[l] = uint16(i)
	}
	if len(g.classes) > math.MaxUint16 {
		panic("checker: more than 65,535 kinds of fairness")
	}
	if workers > maxStreams {
		panic(fmt.Sprintf("checker: %d workers; want at most %d", workers, maxStreams))
	}
	for range workers {
		g.streams = append(g.streams, &stream{})
	}
	return g
}

// makeRoom lets every node that exists now get edges. Nobody may write edges
// meanwhile.
func (g *graph) makeRoom() {
	if n := g.set.Refs(); n > len(g.at) {
		old := g.at
		g.at = memory.Take(max(n, 2*len(old)))
		g.taken.Add(int64(len(g.at)-len(old)) * memory.WordBytes)
		if old != nil {
			copy(g.at, old)
			memory.Release(old)
		}
	}
}

// nodes bounds the numbers of nodes.
func (g *graph) nodes() int { return g.set.Refs() }

// edges is the number of edges written.
func (g *graph) edges() (n uint64) {
	for _, s := range g.streams {
		n += s.edges
	}
	return n
}

func (g *graph) close() {
	for _, s := range g.streams {
		for _, c := range s.chunks {
			memory.Release(seen.Words(c))
		}
	}
	if g.at != nil {
		memory.Release(g.at)
	}
}

// maxEdgeBytes bounds the encoding of an edge: two varints, of 40 and 16 bits.
const maxEdgeBytes = 6 + 3

// write notes the edges of a node for the worker with this number.
func (g *graph) write(worker int, node seen.Ref, targets []seen.Ref, labels []model.Label) {
	s := g.streams[worker]
	need := binary.MaxVarintLen64 + len(targets)*maxEdgeBytes
	if len(s.chunks) == 0 || s.used >= 1<<chunkShift || len(s.chunks[len(s.chunks)-1])-s.used < need {
		n := max(chunkBytes, (need+memory.WordBytes-1)/memory.WordBytes*memory.WordBytes)
		s.chunks = append(s.chunks, memory.Bytes(memory.Take(n/memory.WordBytes)))
		s.used = 0
		g.taken.Add(int64(n))
	}
	buf := s.chunks[len(s.chunks)-1]
	g.at[node] = 1 + (uint64(worker)<<streamShift | uint64(len(s.chunks)-1)<<chunkShift | uint64(s.used))
	i := s.used
	i += binary.PutUvarint(buf[i:], uint64(len(targets)))
	last := int64(node)
	for n, t := range targets {
		i += binary.PutVarint(buf[i:], int64(t)-last)
		last = int64(t)
		if len(g.classes) > 1 {
			i += binary.PutUvarint(buf[i:], uint64(g.classOf[labels[n]]))
		}
	}
	s.used = i
	s.edges += uint64(len(targets))
}

// edgeReader goes through the edges of one node.
type edgeReader struct {
	rest   []byte
	left   uint32
	last   uint32
	single bool
}

// read starts at the first edge of a node. A node that was not expanded has
// none.
func (g *graph) read(node uint32) edgeReader {
	p := g.at[node]
	if p == 0 {
		return edgeReader{}
	}
	p--
	buf := g.streams[p>>streamShift].chunks[p>>chunkShift&(1<<(streamShift-chunkShift)-1)][p&(1<<chunkShift-1):]
	n, size := binary.Uvarint(buf)
	return edgeReader{rest: buf[size:], left: uint32(n), last: node, single: len(g.classes) <= 1}
}

// next is the next edge, or false after the last one.
func (e *edgeReader) next() (target uint32, class uint16, ok bool) {
	if e.left == 0 {
		return 0, 0, false
	}
	e.left--
	// The varints are read by hand: nearly all have one to three bytes.
	b := e.rest
	var u uint64
	i, shift := 0, 0
	for ; b[i] >= 0x80; i++ {
		u |= uint64(b[i]&0x7f) << shift
		shift += 7
	}
	u |= uint64(b[i]) << shift
	i++
	e.last = uint32(int64(e.last) + (int64(u>>1) ^ -int64(u&1)))
	if !e.single {
		class = uint16(b[i])
		if b[i] >= 0x80 {
			c, size := binary.Uvarint(b[i:])
			class = uint16(c)
			i += size - 1
		}
		i++
	}
	e.rest = b[i:]
	return e.last, class, true
}

// expanded says whether the successors of a node are in the graph.
func (g *graph) expanded(node uint32) bool { return g.at[node] != 0 }
