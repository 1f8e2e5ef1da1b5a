package checker

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mc/checker/seen"
	"mc/model"
)

// search is one breadth-first search, level by level. The states of a level
// are complete before any of them is expanded, so what is found is found at
// its least depth, and the counts after each level do not depend on who
// expanded what.
type search struct {
	m    *model.Machine
	o    Options
	set  *seen.Set
	crew []*worker

	// The properties that are asked and not yet decided, by what they judge.
	states, steps []int
	deadlock      int // index of the property, or -1
	goals         []goal
	temporal      []int

	near [2]bits // while behaviours are made: see mark
	// What hangs, while it is retraced.
	aim      seen.Ref
	aimFault *model.Fault

	// Fingerprints: the bytes of all queues.
	queued      atomic.Int64
	antecedents []antecedent

	graph      *graph // while a temporal property is asked
	lively     []lively
	afterwards int64 // bytes held at most once the states are known: to judge temporal properties, to make behaviours
	levels     []level
	known      []seen.Sequence // the states of all complete levels, by writer
	block      atomic.Int64    // next block of the level that is being expanded
	growing    sync.Mutex      // whoever lets the table grow also holds the gates of all workers
	why        atomic.Pointer[string]
	// done is set when the search has ended. What follows walks over the states
	// to its end, whatever happens meanwhile: half a walk would be a lie.
	done atomic.Bool

	started     time.Time
	nextDepth   atomic.Int64
	frontier    atomic.Uint64
	incomplete  string
	exhausted   bool
	searchTime  time.Duration
	faultsFound bool
}

// antecedent is the left side of an implication: that it is never true is
// worth telling.
type antecedent struct {
	property int
	seen     atomic.Bool
}

// anywhere says whether the left side of a property was true in some state.
func (s *search) anywhere(property int) bool {
	for i := range s.antecedents {
		if a := &s.antecedents[i]; a.property == property {
			return a.seen.Load()
		}
	}
	return false
}

// generated is the number of states that the steps led to.
func (s *search) generated() (n uint64) {
	for _, w := range s.crew {
		n += w.told.Load()
	}
	return n
}

// bytes is the memory held now, outside the Go heap.
func (s *search) bytes() int64 { return s.set.Bytes() + s.queued.Load() + s.graphBytes() }

// level is, for each writer of the set, the number of its first state of the
// level. The level ends where the next one begins.
type level []int

// goal is a finding that wants a behaviour: some state of the level has it.
type goal struct {
	level    int // index; the number of steps that lead to the state
	property int // index into Machine.Properties, or -1 for a fault
}

func newSearch(m *model.Machine, o Options) *search {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Properties = asked(m, o.Properties)
	s := &search{m: m, o: o, deadlock: -1, started: time.Now()}
	for _, p := range o.Properties {
		switch k := m.Properties[p].Kind; {
		case k == model.Invariant || k == model.Witness:
			s.states = append(s.states, p)
		case k == model.StepInvariant:
			s.steps = append(s.steps, p)
		case k == model.NoDeadlock:
			s.deadlock = p
		default:
			s.temporal = append(s.temporal, p)
		}
	}
	for _, p := range s.states {
		if m.Properties[p].Implication {
			s.antecedents = append(s.antecedents, antecedent{property: p})
		}
	}
	key := m.StateBytes
	if o.Fingerprints {
		key = seen.FingerprintBytes
	}
	s.set = seen.New(key, o.Workers)
	if len(s.temporal) > 0 {
		s.graph = newGraph(m, s.set, o.Workers)
	}
	for i := range o.Workers {
		s.crew = append(s.crew, newWorker(s, i))
	}
	return s
}

// run searches until everything is decided, the space ends, or a limit.
func (s *search) run(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() { s.giveUp(context.Cause(ctx).Error()) })
	defer stop()
	defer s.watch()()
	defer func() { s.searchTime = time.Since(s.started) }()

	s.levels = []level{s.mark()}
	s.crew[0].post.take(initially)
	s.crew[0].insertInit()
	s.crew[0].post.rest()
	for s.levelEnds(); s.goOn(); s.levelEnds() {
		s.expandLevel()
	}
	s.done.Store(true)
	if why := s.why.Load(); why != nil && !s.exhausted {
		s.incomplete = *why
	}
	if len(s.temporal) > 0 && !s.faultsFound {
		s.judgeTemporal(ctx)
	}
}

func (s *search) close() {
	s.set.Close()
	for _, w := range s.crew {
		w.queues[0].close()
		w.queues[1].close()
	}
	if s.graph != nil {
		s.graph.close()
	}
}

// mark is where each writer stands.
func (s *search) mark() level {
	l := make(level, len(s.crew))
	for i, w := range s.set.Writers() {
		l[i] = w.Len()
	}
	return l
}

// levelEnds closes the level whose states have just been inserted and decides
// what the workers found.
func (s *search) levelEnds() {
	s.levels = append(s.levels, s.mark())
	for _, w := range s.crew {
		w.queues[(s.last()+1)%2].empty()
	}
	s.known = s.known[:0]
	for _, w := range s.crew {
		s.known = append(s.known, w.out.Sequence())
	}
	if s.graph != nil {
		s.crew[0].growGraph()
	}
	s.frontier.Store(uint64(s.size(s.last())))
	s.nextDepth.Store(int64(s.last() + 1))
	s.collect()
}

// collect turns what the workers found into goals.
func (s *search) collect() {
	var found []goal
	for _, w := range s.crew {
		found = append(found, w.found...)
		w.found = w.found[:0]
	}
	for _, g := range found {
		if slices.Contains(s.goals, g) {
			continue
		}
		s.goals = append(s.goals, g)
		decided := func(p int) bool { return p == g.property }
		s.states = slices.DeleteFunc(s.states, decided)
		s.steps = slices.DeleteFunc(s.steps, decided)
		if s.deadlock == g.property {
			s.deadlock = -1
		}
		s.faultsFound = s.faultsFound || g.property < 0
	}
}

// last is the index of the last level whose states are known.
func (s *search) last() int { return len(s.levels) - 2 }

// size is the number of states of a level.
func (s *search) size(index int) (n int) {
	for i, first := range s.levels[index] {
		n += s.levels[index+1][i] - first
	}
	return n
}

// goOn says whether the last level is to be expanded.
func (s *search) goOn() bool {
	undecided := len(s.states) + len(s.steps) + len(s.temporal)
	if s.deadlock >= 0 {
		undecided++
	}
	switch {
	case s.why.Load() != nil:
		return false
	case s.faultsFound:
		s.incomplete = "the spec is at fault"
		return false
	case len(s.m.Init) == 0:
		s.incomplete = NoInitialState
		return false
	case s.size(s.last()) == 0:
		s.exhausted = true
		return false
	case undecided == 0 && len(s.goals) > 0:
		return false
	case s.o.StopAtFirst && len(s.goals) > 0:
		s.incomplete = "stopped at the first finding"
		return false
	case s.o.MaxDepth > 0 && s.last()+1 >= s.o.MaxDepth:
		s.incomplete = "depth limit of " + grouped(int64(s.o.MaxDepth)) + " levels"
		return false
	}
	return true
}

// grouped writes a number with a comma before every three digits.
func grouped(n int64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

// giveUp ends the search within a few blocks of states.
func (s *search) giveUp(why string) { s.why.CompareAndSwap(nil, &why) }

func (s *search) expandLevel() {
	s.each(s.last(), (*worker).expand, (*worker).flush)
}

// blockStates is how many states a worker takes at a time.
const blockStates = 128

// each calls visit for every state of a level, on as many workers as it is
// worth, and then done for each of these workers. It ends early on giveUp.
func (s *search) each(index int, visit func(*worker, seen.Ref, []byte), done func(*worker)) {
	s.block.Store(0)
	crew := s.crew
	if s.size(index) <= 2*blockStates {
		crew = crew[:1]
	}
	together(crew, func(w *worker) {
		w.visitBlocks(index, visit)
		done(w)
		w.post.rest()
	})
}

// watch reports progress until the returned function is called.
func (s *search) watch() (stop func()) {
	if s.o.Progress == nil {
		return func() {}
	}
	every := s.o.ProgressEvery
	if every <= 0 {
		every = time.Second
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				s.o.Progress(Progress{
					Distinct: uint64(s.set.Known()), Generated: s.generated(),
					Depth: int(s.nextDepth.Load()), Frontier: s.frontier.Load(),
					Memory: s.bytes(), Elapsed: time.Since(s.started),
				})
			}
		}
	})
	return func() { close(done); wg.Wait() }
}

// report puts together what was found.
func (s *search) report() *Report {
	r := &Report{
		Machine: s.m, Distinct: uint64(s.set.Len()), Generated: s.generated(),
		StateBytes: s.m.StateBytes, Steps: make([]uint64, len(s.m.Actions)),
	}
	if s.o.Fingerprints {
		r.Omission = math.Ldexp(float64(r.Distinct)*float64(r.Distinct), -8*seen.FingerprintBytes-1)
	}
	for l := s.last(); l >= 0 && r.Depth == 0; l-- {
		if s.size(l) > 0 {
			r.Depth = l + 1
		}
	}
	for l := range r.Depth {
		r.Levels = append(r.Levels, uint64(s.size(l)))
	}
	for _, w := range s.crew {
		r.Cut += w.cut
		for label, n := range w.steps {
			if n > 0 {
				r.Steps[s.m.ActionOf(model.Label(label))] += n
			}
		}
	}
	behaviours := s.behavioursIfRoom()
	r.Incomplete, r.Exhausted = s.incomplete, s.exhausted
	r.Memory = s.set.Peak() + s.queued.Load() + s.graphBytes() + s.afterwards
	for i := range s.goals {
		if behaviours[i] != nil && behaviours[i].Fault != nil {
			if r.Fault == nil || behaviours[i].Steps() < r.Fault.Steps() {
				r.Fault = behaviours[i]
			}
		}
	}
	for _, p := range s.o.Properties {
		res := Result{Property: p}
		kind := s.m.Properties[p].Kind
		at := slices.IndexFunc(s.goals, func(g goal) bool { return g.property == p })
		switch {
		case at >= 0 && (behaviours[at] == nil || behaviours[at].Fault == nil):
			res.Verdict, res.Steps, res.Behaviour = model.Violated, s.goals[at].level, behaviours[at]
			if kind == model.StepInvariant {
				res.Steps++
			}
			if kind == model.Witness {
				res.Verdict = model.Reached
			}
		case s.lassoOf(p) != nil:
			res.Verdict, res.Behaviour = model.Violated, s.lassoOf(p)
			res.Steps = res.Behaviour.Steps()
		case !s.exhausted || r.Fault != nil || kind.Temporal() && s.livelyOf(p) == nil:
			res.Verdict = model.Incomplete
		case kind == model.Witness:
			res.Verdict = model.Unreachable
		default:
			res.Verdict = model.Holds
			res.Vacuous = s.m.Properties[p].Implication && !s.anywhere(p)
		}
		r.Results = append(r.Results, res)
	}
	s.addLiveness(r)
	if r.Fault == nil && !s.o.Fingerprints && !s.o.NoCoverage && (s.o.Coverage || r.Distinct <= coverageStates) && len(s.m.Init) > 0 {
		r.Coverage = s.cover(r.Incomplete != "")
	}
	r.Elapsed = time.Since(s.started)
	return r
}
