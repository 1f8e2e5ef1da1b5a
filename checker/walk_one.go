package checker

import (
	"math/rand/v2"
	"slices"

	"mc/checker/seen"
	"mc/model"
)

// walker is one goroutine's part of the walks.
type walker struct {
	*worker // evaluates, and has the batches, the counts and the lots
	run     *walks
	pcg     *rand.PCG // source of the lots
	here    *model.Batch
	sketch  sketch
	taken   uint64 // walks
	longest int    // states of the longest walk
	finds   [][]find

	// The walk that is being taken.
	number                int
	initial               int // index into Machine.Init
	labels                []model.Label
	taste                 uint64   // makes the weights of its instances
	openStates, openSteps []int    // what it has not found yet, by what is judged
	moves                 []int    // places in the batch to choose from
	weights               []uint64 // of the moves
}

func newWalker(s *walks) *walker {
	pcg := rand.NewPCG(0, 0)
	return &walker{
		// Without a seen set: a walk keeps no states.
		worker: &worker{
			s:    &search{m: s.m, o: Options{Properties: s.o.Properties}, deadlock: -1},
			eval: s.m.NewWorker(), batch: s.m.NewBatch(batchStates), again: s.m.NewBatch(1),
			lots: rand.New(pcg), steps: make([]uint64, s.m.Instances), odd: seen.Missing,
		},
		run: s, pcg: pcg, here: s.m.NewBatch(1), finds: make([][]find, len(s.finds)),
	}
}

// take takes the walk of a number. It ends after as many steps as are wanted,
// in a state without a step to another one within the bound, or at a fault of
// the spec.
func (w *walker) take(number int) {
	w.post.take(stretch{walk: number})
	defer w.post.rest()
	w.begin(number)
	w.taken++
	defer func() { w.longest = max(w.longest, len(w.labels)+1) }()
	w.generated++
	w.sketch.add(seen.Hash(w.here.Words()))
	if !w.judgeState(w.here.State(0)) {
		return
	}
	if within, fault := w.eval.Within(w.here.State(0)); fault != nil {
		w.note(w.run.fault(), nil)
		return
	} else if !within {
		w.cut++
		return
	}
	for len(w.labels) < w.run.o.Depth && !w.run.stop.Load() && w.look() {
		i := w.choose()
		if i < 0 {
			return
		}
		w.labels = append(w.labels, w.batch.Labels[i])
		w.goTo(w.batch.State(i))
	}
}

func (w *walker) begin(number int) {
	w.pcg.Seed(w.run.o.Seed, uint64(number))
	w.number, w.labels = number, w.labels[:0]
	w.taste = w.lots.Uint64()
	w.openStates = append(w.openStates[:0], w.run.states...)
	w.openSteps = append(w.openSteps[:0], w.run.steps...)
	w.initial = w.lots.IntN(len(w.s.m.Init))
	w.goTo(w.s.m.Init[w.initial])
}

func (w *walker) goTo(state []byte) {
	w.here.Truncate(0)
	w.here.Append(state)
}

// look expands the state that the walk has come to and judges it, its
// successors and the steps to them. It is false at a fault.
func (w *walker) look() bool {
	here, stride := w.here.State(0), w.s.m.StateBytes/8
	w.batch.Truncate(0)
	if fault := w.eval.Expand(here, w.batch); fault != nil {
		w.note(w.run.fault(), nil)
		return false
	}
	w.expanded++
	if w.expanded <= checkFirst || w.expanded%checkEvery == 0 {
		if odd := w.differsFrom(here, 0); odd != nil {
			w.note(w.run.fault(), odd)
			return false
		}
	}
	w.generated += uint64(w.batch.Len())
	w.moves = w.moves[:0]
	words := w.batch.Words()
	for i, l := range w.batch.Labels {
		w.steps[l]++
		t := w.batch.State(i)
		if seen.Equal(t, here) {
			continue
		}
		w.moves = append(w.moves, i)
		w.sketch.add(seen.Hash(words[i*stride : (i+1)*stride]))
		if !w.judgeStep(here, t, l) || !w.judgeState(t, l) {
			return false
		}
	}
	return len(w.moves) > 0 || w.judgeEnd(here)
}

// judgeState judges a state that the walk comes to by the labels given. It is
// false at a fault.
func (w *walker) judgeState(state []byte, by ...model.Label) bool {
	for len(w.openStates) > 0 {
		at, fault := w.eval.Judge(state, w.openStates)
		if fault != nil {
			w.note(w.run.fault(), nil, by...)
			return false
		}
		if at < 0 {
			return true
		}
		w.note(w.openStates[at], nil, by...)
		w.openStates = slices.Delete(w.openStates, at, at+1)
	}
	return true
}

func (w *walker) judgeStep(from, to []byte, by model.Label) bool {
	for len(w.openSteps) > 0 {
		at, fault := w.eval.JudgeStep(from, to, w.openSteps)
		if fault != nil {
			w.note(w.run.fault(), nil)
			return false
		}
		if at < 0 {
			return true
		}
		w.note(w.openSteps[at], nil, by)
		w.openSteps = slices.Delete(w.openSteps, at, at+1)
	}
	return true
}

// judgeEnd judges a state that has no step to another one.
func (w *walker) judgeEnd(state []byte) bool {
	if w.run.deadlock < 0 {
		return true
	}
	switch terminal, fault := w.eval.Terminal(state); {
	case fault != nil:
		w.note(w.run.fault(), nil)
		return false
	case !terminal:
		w.note(w.run.deadlock, nil)
	}
	return true
}

// note notes that the walk, with the labels given at its end, shows a finding.
func (w *walker) note(property int, odd *model.Fault, by ...model.Label) {
	fs := w.finds[property]
	f := find{walk: w.number, initial: w.initial, odd: odd, labels: slices.Concat(w.labels, by)}
	w.finds[property] = keep(fs, f)
}
