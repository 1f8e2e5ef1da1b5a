package checker

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"mc/checker/memory"
	"mc/checker/seen"
	"mc/model"
)

// batchStates is the number of successors that a worker collects before it
// asks the seen set for all of them: enough misses of the cache to wait for at
// once, few enough to stay in it.
const batchStates = 128

// A worker expands its first checkFirst states and then one of each checkEvery
// a second time, to notice a spec whose steps are not a function of the state.
const checkFirst, checkEvery = 64, 1 << 8

// worker is one goroutine's part of a search.
type worker struct {
	_     memory.Apart
	s     *search
	index int
	eval  model.Worker
	out   *seen.Writer
	batch *model.Batch
	again *model.Batch
	trail *model.Batch // successors of several states, while marking
	lots  *rand.Rand   // to choose renamings for samples
	fresh []int
	refs  []seen.Ref
	// The states of a batch that are looked up, and their places in it.
	sought  []uint64
	places  []int
	prints  []uint64 // fingerprints of a part of a batch
	queues  [2]queue // the states of even and of odd levels, if only fingerprints are kept
	parents []parent // the states whose successors are in the batch

	steps     []uint64 // by label
	generated uint64
	told      atomic.Uint64 // generated, as of the last batch
	gate      sync.Mutex    // held while inserting
	expanded  uint64
	cut       uint64
	found     []goal
	odd       seen.Ref // a state whose expansions differed, if any
	oddFault  *model.Fault
	post      *post // nil if the search is not watched
	_         memory.Apart
}

type parent struct {
	node  seen.Ref
	state []byte
	first int // place in the batch of its first successor
}

func newWorker(s *search, index int) *worker {
	w := &worker{
		s: s, index: index, eval: s.m.NewWorker(), out: s.set.Writers()[index],
		batch: s.m.NewBatch(2 * batchStates), again: s.m.NewBatch(1), trail: s.m.NewBatch(1),
		lots:  rand.New(rand.NewPCG(uint64(index), 0)),
		steps: make([]uint64, s.m.Instances), odd: seen.Missing,
	}
	for i := range w.queues {
		w.queues[i].stride = s.m.StateBytes / 8
	}
	return w
}

// visitBlocks takes blocks of a level until there are none, or the search
// gives up. A block is a run of states of one writer.
func (w *worker) visitBlocks(index int, visit func(*worker, seen.Ref, []byte)) {
	s := w.s
	owner, firstBlock := 0, 0
	for s.done.Load() || s.why.Load() == nil {
		b := int(s.block.Add(1)) - 1
		for ; owner < len(s.crew); owner++ {
			n := s.levels[index+1][owner] - s.levels[index][owner]
			blocks := (n + blockStates - 1) / blockStates
			if b < firstBlock+blocks {
				break
			}
			firstBlock += blocks
		}
		if owner == len(s.crew) {
			return
		}
		from := s.levels[index][owner] + (b-firstBlock)*blockStates
		to := min(from+blockStates, s.levels[index+1][owner])
		w.post.take(stretch{level: index, owner: owner, from: from, to: to})
		for seq := from; seq < to; seq++ {
			r := s.known[owner].Ref(seq)
			visit(w, r, s.stateOf(r, owner, index, seq-s.levels[index][owner]))
		}
	}
}

// recoverMemory ends the search if the system has no memory left.
func (w *worker) recoverMemory() {
	if r := recover(); r != nil {
		out, ok := r.(memory.Exhausted)
		if !ok {
			panic(r)
		}
		w.s.giveUp(out.Error())
		w.parents = w.parents[:0]
		w.batch.Truncate(0)
	}
}

// growGraph makes room for the edges of the states that are known.
func (w *worker) growGraph() {
	defer w.recoverMemory()
	if w.s.set.Refs() > maxNodes {
		w.s.giveUp("limit of " + grouped(maxNodes) + " states where temporal properties are asked")
		return
	}
	w.s.graph.makeRoom()
}

// insertInit makes the first level.
func (w *worker) insertInit() {
	for _, state := range w.s.m.Init {
		w.batch.Append(state)
	}
	w.generated += uint64(w.batch.Len())
	if w.s.o.Symmetry {
		w.canonize(w.batch, 0, 0)
	}
	w.insert(0)
}

// note notes that a state at the level has what a property forbids or wants;
// or, with -1, that judging or expanding it shows a fault of the spec.
func (w *worker) note(level, property int) {
	g := goal{level, property}
	for _, f := range w.found {
		if f == g {
			return
		}
	}
	w.found = append(w.found, g)
}

// expand collects the successors of a state of the last level and judges the
// steps to them. Every undecided property is judged on everything until the
// level ends, so that what is found does not depend on the order.
func (w *worker) expand(r seen.Ref, state []byte) {
	s, level, first := w.s, w.s.last(), w.batch.Len()
	within, fault := w.eval.Within(state)
	if fault == nil && !within {
		w.cut++
		return
	}
	if fault == nil {
		fault = w.eval.Expand(state, w.batch)
	}
	if fault != nil {
		w.note(level, -1)
		return
	}
	for _, l := range w.batch.Labels[first:] {
		w.steps[l]++
	}
	w.expanded++
	if w.expanded <= checkFirst || w.expanded%checkEvery == 0 {
		f := w.differsFrom(state, first)
		if f == nil && s.o.Symmetry {
			f = s.m.CheckSymmetry(w.eval, state, s.o.Properties, w.lots)
		}
		if f != nil && w.oddFault == nil {
			w.odd, w.oddFault = r, f
			w.note(level, -1)
		}
	}
	w.generated += uint64(w.batch.Len() - first)
	w.parents = append(w.parents, parent{r, state, first})
	if w.batch.Len() >= batchStates || len(w.parents) >= batchStates {
		w.flush()
	}
}

// settle drops the successors that equal the state they come from, and judges
// the steps to the others. It waits until the batch is full: a word that was
// just written byte by byte takes the processor long to read.
func (w *worker) settle() {
	s, level := w.s, w.s.last()
	n := 0
	for i := range w.parents {
		p := &w.parents[i]
		end := w.batch.Len()
		if i+1 < len(w.parents) {
			end = w.parents[i+1].first
		}
		from := n
		n = w.batch.Sift(n, p.first, end, p.state)
		p.first = from
		if s.deadlock >= 0 && n == from {
			w.judgeDeadlock(p.state, level)
		}
		if len(s.steps) > 0 {
			w.judgeSteps(p.state, from, n, level)
		}
	}
	w.batch.Truncate(n)
	if s.o.Symmetry {
		w.canonize(w.batch, 0, level)
	}
}

// judgeDeadlock judges a state that has no step to another one.
func (w *worker) judgeDeadlock(state []byte, level int) {
	switch terminal, fault := w.eval.Terminal(state); {
	case fault != nil:
		w.note(level, -1)
	case !terminal:
		w.note(level, w.s.deadlock)
	}
}

func (w *worker) judgeSteps(state []byte, first, end, level int) {
	for i := first; i < end; i++ {
		for todo := w.s.steps; len(todo) > 0; {
			at, fault := w.eval.JudgeStep(state, w.batch.State(i), todo)
			if fault != nil {
				w.note(level, -1)
			}
			if at < 0 {
				break
			}
			w.note(level, todo[at])
			todo = todo[at+1:]
		}
	}
}

// canonize replaces the states of a batch from the first on by their
// representatives.
func (w *worker) canonize(b *model.Batch, first, level int) {
	for i := first; i < b.Len(); i++ {
		if fault := w.eval.Canonize(b.State(i)); fault != nil {
			w.note(level, -1)
		}
	}
}

// flush puts the collected successors into the seen set.
func (w *worker) flush() {
	w.settle()
	w.insert(w.s.last() + 1)
	if limit := w.s.o.MaxStates; limit > 0 && uint64(w.s.set.Known()) > limit {
		w.s.giveUp("limit of " + grouped(int64(limit)) + " states")
	}
}

// insert puts the batch into the seen set and judges the states that are new.
func (w *worker) insert(level int) {
	defer w.recoverMemory()
	words, stride := w.batch.Words(), w.s.m.StateBytes/8
	w.refs = w.refs[:0]
	for base := 0; base < w.batch.Len() && w.makeRoom(); base += seen.MaxBatch {
		end := min(base+seen.MaxBatch, w.batch.Len())
		w.insertPart(w.keys(words[base*stride : end*stride]))
		if w.s.graph != nil {
			w.refs = append(w.refs, w.out.Refs(end-base)...)
		}
		if w.s.o.Fingerprints {
			for _, i := range w.fresh {
				w.keep(words[(base+i)*stride:(base+i+1)*stride], level)
			}
		}
		if len(w.s.states) > 0 {
			for _, i := range w.fresh {
				w.judge(w.batch.State(base+i), level)
			}
		}
	}
	if w.s.graph != nil && len(w.refs) == w.batch.Len() && w.s.why.Load() == nil {
		w.writeEdges()
	}
	w.parents = w.parents[:0]
	w.batch.Truncate(0)
	w.told.Store(w.generated)
}

// writeEdges notes the steps to the successors in the batch.
func (w *worker) writeEdges() {
	for i, p := range w.parents {
		end := len(w.refs)
		if i+1 < len(w.parents) {
			end = w.parents[i+1].first
		}
		w.s.graph.write(w.index, p.node, w.refs[p.first:end], w.batch.Labels[p.first:end])
	}
}

func (w *worker) insertPart(words []uint64) {
	w.gate.Lock()
	defer w.gate.Unlock()
	w.fresh = w.out.Insert(words, w.fresh[:0])
}

// judge judges a state that was not known before.
func (w *worker) judge(state []byte, level int) {
	for i := range w.s.antecedents {
		if a := &w.s.antecedents[i]; !a.seen.Load() {
			if _, q, fault := w.eval.Holds(a.property, state); q && fault == nil {
				a.seen.Store(true)
			}
		}
	}
	for todo := w.s.states; len(todo) > 0; {
		at, fault := w.eval.Judge(state, todo)
		if fault != nil {
			w.note(level, -1)
		}
		if at < 0 {
			return
		}
		w.note(level, todo[at])
		todo = todo[at+1:]
	}
}

// makeRoom grows the table if it must, and says whether memory allows to go
// on.
func (w *worker) makeRoom() bool {
	s := w.s
	limit := s.o.MaxMemory
	over := func(extra int64) bool {
		if limit > 0 && s.bytes()+s.rebuilding()+extra > limit {
			s.giveUp("memory limit of " + grouped(limit) + " bytes")
			return true
		}
		return false
	}
	if !s.set.Full() {
		return !over(0)
	}
	s.growing.Lock()
	defer s.growing.Unlock()
	for _, c := range s.crew {
		c.gate.Lock()
		defer c.gate.Unlock()
	}
	if s.set.Full() {
		if over(s.set.GrowBytes()) {
			return false
		}
		s.set.Grow()
	}
	return true
}
