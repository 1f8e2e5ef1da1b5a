package checker

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"mc/model"
)

// WalkOptions say how to walk. The zero value judges all guarantees of the
// machine, on all cores, in DefaultWalks walks of up to DefaultDepth steps.
type WalkOptions struct {
	Properties  []int // indices into Machine.Properties; nil for the guarantees
	Workers     int   // goroutines that walk; 0 for one on each core
	Seed        uint64
	Walks       int  // at most; 0 for DefaultWalks
	Depth       int  // steps of a walk, at most; 0 for DefaultDepth
	StopAtFirst bool // end with the first round that decides a property
	Raw         bool // behaviours as the walks took them, not shortened
	// StepTimeout is that of Options.
	StepTimeout time.Duration

	// Progress, if given, is called between rounds of walks, about every
	// ProgressEvery (by default a second).
	Progress      func(Progress)
	ProgressEvery time.Duration
}

// What WalkOptions stand for where they say nothing.
const (
	DefaultWalks = 10_000
	DefaultDepth = 100
)

// roundWalks is the number of walks after which it is decided whether to go
// on. It is the same for any number of workers, so that where the walks end
// depends on what they found and not on who was fast.
const roundWalks = 256

// Walk takes random walks through the machine: where its states are too many
// to be searched, some of them are seen all the same. Each walk has its own
// sequence of random numbers, made of Seed and its number alone, so that the
// report is the same for any number of workers, unless ctx ends first.
//
// A walk judges the states that it goes through and, since they are made
// anyway to choose from, all their successors. Walks find violations and
// reach witnesses, and prove nothing: a property that shows neither is
// Incomplete, and a temporal one always is. They end when every other property
// is decided; then, and only then, may the report's Incomplete be empty.
// Behaviours are shortened, and need not be shortest; see shortening.
//
// The report counts what was seen and not what there is: Distinct is an
// estimate of the different states judged, Generated and Steps count what was
// made, Depth is the number of states of the longest walk, and Cut the times
// that a walk turned back at the spec's bound.
func Walk(ctx context.Context, m *model.Machine, o WalkOptions) *Report {
	s := newWalks(m, o)
	if o.StepTimeout > 0 {
		return s.watched(ctx)
	}
	s.run(ctx)
	return s.report()
}

// walks is one call of Walk.
type walks struct {
	m    *model.Machine
	o    WalkOptions
	crew []*walker

	// The properties that are asked and not yet decided, by what they judge.
	states, steps []int
	deadlock      int // index of the property, or -1
	temporal      bool
	// The best findings, by property; those of faults come last.
	finds [][]find

	started    time.Time
	told       time.Time // when progress was last told
	done       int       // walks
	stop       atomic.Bool
	incomplete string
}

func newWalks(m *model.Machine, o WalkOptions) *walks {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Walks = cmp.Or(max(o.Walks, 0), DefaultWalks)
	o.Depth = cmp.Or(max(o.Depth, 0), DefaultDepth)
	o.ProgressEvery = cmp.Or(max(o.ProgressEvery, 0), time.Second)
	o.Properties = asked(m, o.Properties)
	s := &walks{m: m, o: o, deadlock: -1, finds: make([][]find, len(m.Properties)+1), started: time.Now()}
	s.told = s.started
	for _, p := range o.Properties {
		switch k := m.Properties[p].Kind; {
		case k.Temporal():
			s.temporal = true
		case k == model.NoDeadlock:
			s.deadlock = p
		case k == model.StepInvariant:
			s.steps = append(s.steps, p)
		default:
			s.states = append(s.states, p)
		}
	}
	for range o.Workers {
		s.crew = append(s.crew, newWalker(s))
	}
	return s
}

func (s *walks) run(ctx context.Context) {
	defer context.AfterFunc(ctx, func() { s.stop.Store(true) })()
	for s.goOn(ctx) {
		first := s.done
		n := min(roundWalks, s.o.Walks-first)
		s.each(n, func(w *walker, i int) {
			if !s.stop.Load() {
				w.take(first + i)
			}
		})
		s.done += n
		s.collect()
	}
}

// goOn says whether to take another round of walks.
func (s *walks) goOn(ctx context.Context) bool {
	undecided := len(s.states) + len(s.steps)
	if s.deadlock >= 0 {
		undecided++
	}
	found := slices.ContainsFunc(s.finds, func(fs []find) bool { return len(fs) > 0 })
	blind := ""
	if s.temporal {
		blind = "; they judge no temporal property"
	}
	switch {
	case ctx.Err() != nil:
		s.incomplete = context.Cause(ctx).Error()
	case len(s.finds[s.fault()]) > 0:
		s.incomplete = "the spec is at fault"
	case len(s.m.Init) == 0:
		s.incomplete = NoInitialState
	case found && undecided == 0 && !s.temporal:
		// Nothing is left open.
	case found && s.o.StopAtFirst:
		s.incomplete = "stopped at the first finding"
	case s.done == s.o.Walks || found && undecided == 0:
		s.incomplete = fmt.Sprintf("random walks: %s walks of up to %s steps, seed %d%s",
			grouped(int64(s.done)), grouped(int64(s.o.Depth)), s.o.Seed, blind)
	default:
		s.tell()
		return true
	}
	return false
}

// fault is the place of faults among the findings.
func (s *walks) fault() int { return len(s.finds) - 1 }

// each calls visit for 0 to n-1, on all workers.
func (s *walks) each(n int, visit func(w *walker, i int)) {
	var next atomic.Int64
	work := func(w *walker) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			visit(w, i)
		}
	}
	together(s.crew, work)
}
