// Package checker searches the states of a model.Machine and judges its
// properties.
//
// Check searches breadth-first and exactly: each state is stored whole, in
// package seen, and a level is complete before the next one is begun. So a
// counterexample to an invariant is a shortest one, and neither counts nor
// verdicts nor behaviours depend on the number of workers. Temporal properties
// are judged afterwards on the whole graph, whose edges are then kept too.
//
// Walk takes random walks instead, for spaces too large to search: it finds
// violations, shortens them, and proves nothing.
//
// "Holds" is said only when every state that the spec's bound admits has been
// expanded. Everything that ends a search sooner makes the verdict Incomplete
// and gives the reason.
package checker

import (
	"context"
	"fmt"
	"slices"
	"time"

	"mc/model"
)

// Options say what to judge and when to give up. The zero value judges all
// guarantees of the machine, on all cores, without limits.
type Options struct {
	Properties  []int // indices into Machine.Properties; nil for the guarantees
	Workers     int   // goroutines that search; 0 for one on each core
	StopAtFirst bool  // end with the first level that decides a property
	// Symmetry searches one representative of each set of states that differ
	// by a renaming of the spec's symmetric sets. Temporal properties cannot
	// be judged then, and are refused: a loop of representatives may come back
	// to a renaming of where it began, and so be no loop of the system, while
	// fairness of one member cannot be told from that of another (Emerson and
	// Sistla, "Utilizing Symmetry when Model Checking under Fairness
	// Assumptions", 1995, need the group for both).
	Symmetry bool
	// Fingerprints keeps 128 bits of hash of each state, and the states
	// themselves only of two levels: for large states. A state that has the
	// fingerprint of another is omitted: see Report.Omission. Temporal
	// properties cannot be judged then, and are refused; nor is there a
	// Coverage.
	Fingerprints bool
	// Behaviours says of which properties' findings a behaviour is wanted; nil
	// is all. To make one takes up to half as long as the search.
	Behaviours func(property int) bool
	// Coverage asks for a Coverage however large the space is; up to
	// coverageStates states it is always made, unless nobody looks at it.
	Coverage, NoCoverage bool

	// Limits; 0 for none. A search that meets one is incomplete.
	MaxStates uint64 // distinct states; may be passed by a few thousand for each worker
	MaxDepth  int    // levels, the initial states being the first
	MaxMemory int64  // bytes that the search may hold, the Go heap excluded

	// StepTimeout is how long one guard, effect or property may take; 0 for
	// ever. What takes longer is reported as the fault Endless: see
	// Report.Hangs.
	StepTimeout time.Duration

	// Progress, if given, is called about every ProgressEvery (by default
	// a second) and never twice at once.
	Progress      func(Progress)
	ProgressEvery time.Duration
}

// Progress is how far a search has come.
type Progress struct {
	Distinct, Generated uint64
	Depth               int    // levels begun
	Frontier            uint64 // states of the last complete level that wait to be expanded
	Memory              int64  // bytes
	Walks               uint64 // random walks taken; Distinct is an estimate if there are any
	Elapsed             time.Duration
}

// Report is what a search found.
type Report struct {
	Machine *model.Machine
	Results []Result // one for each property asked, in the order of the machine
	// Fault is the shortest behaviour that leads to a mistake of the spec
	// itself, or nil. The search ends with the level that has one.
	Fault *model.Behaviour
	// Incomplete says why the space was not searched to its end, and is
	// empty if it was, or if every property was decided before.
	Incomplete string

	// Walks counts the random walks taken. Distinct is an estimate if there
	// are any; Walk says what the other counts are then.
	Walks uint64

	Distinct  uint64 // states, each counted once; orbits of states with Symmetry
	Generated uint64 // initial states and successors, each time one is made
	Depth     int    // levels: states of a longest shortest behaviour, as TLC counts
	Cut       uint64 // states outside the spec's bound, whose successors were not made
	Exhausted bool   // every state that the bound admits was expanded
	// Steps counts, for each action, the successors it made.
	Steps []uint64

	// Edges are the steps between different states that were kept to judge
	// temporal properties, and EdgeBytes the memory that took; 0 without any.
	Edges     uint64
	EdgeBytes int64

	Levels   []uint64 // states of each level
	Coverage *Coverage

	Elapsed time.Duration
	// Omission bounds the probability that a state was omitted since another
	// has its fingerprint: of d states, d²/2^129. It is 0 if the store is exact.
	Omission   float64
	Memory     int64 // bytes held at the peak, the Go heap excluded
	StateBytes int   // bytes of a state in the arena
}

// NoInitialState is the reason of a search that had nothing to begin with.
const NoInitialState = "no initial state"

// Result is what a search found of one property.
type Result struct {
	Property int // index into Machine.Properties
	Verdict  model.Verdict
	Steps    int // of the behaviour, also if it was not wanted
	// Behaviour is a shortest counterexample or witness, or nil if there is none or
	// it was not wanted. Of all
	// shortest ones it is the first by the initial states' and the instances'
	// order of declaration, whatever the number of workers.
	// For a temporal property it is a lasso.
	Behaviour *model.Behaviour

	// Explanation says why the lasso is possible.
	Explanation *Explanation
	// Vacuous says that what the property speaks of never happens;
	// NeedsNoFairness that it holds without the fairness that was declared.
	Vacuous, NeedsNoFairness bool
}

// Check searches the machine breadth-first. When ctx ends, so does the search,
// as incomplete; context.Cause(ctx) becomes the reason.
//
// A counterexample that the machine does not replay is a mistake of this
// package, and panics with Mismatch.
//
// With Symmetry it panics if a temporal property is asked; see Refuse.
func Check(ctx context.Context, m *model.Machine, o Options) *Report {
	if err := Refuse(m, o); err != nil {
		panic(err)
	}
	s := newSearch(m, o)
	search := func() *Report {
		defer s.close()
		s.run(ctx)
		return s.report()
	}
	if o.StepTimeout > 0 {
		return s.watched(search)
	}
	return search()
}

// Refuse says why options cannot be had together on a machine, or is nil.
func Refuse(m *model.Machine, o Options) error {
	if o.Fingerprints {
		for _, p := range asked(m, o.Properties) {
			if p := m.Properties[p]; p.Kind.Temporal() {
				return fmt.Errorf("%s: --store fingerprint: %s is temporal (%s): judging it needs the states of a loop; judge it with --store exact", m.Name, p.Name, p.Kind)
			}
		}
	}
	if !o.Symmetry {
		return nil
	}
	if len(m.Symmetry) == 0 {
		return fmt.Errorf("%s: --symmetry: the spec has no symmetric sets in this configuration", m.Name)
	}
	for _, p := range asked(m, o.Properties) {
		if p := m.Properties[p]; p.Kind.Temporal() {
			return fmt.Errorf("%s: --symmetry: %s is temporal (%s): a loop of representatives need not be a loop of the system; judge it without --symmetry", m.Name, p.Name, p.Kind)
		}
	}
	return nil
}

// asked are the properties to judge, in order, each once.
func asked(m *model.Machine, properties []int) []int {
	if properties == nil {
		for i, p := range m.Properties {
			if !p.Question {
				properties = append(properties, i)
			}
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(properties)))
}

// Mismatch is the panic of a search whose counterexample does not replay.
type Mismatch struct{ Err error }

func (m Mismatch) Error() string {
	return "counterexample does not replay: " + m.Err.Error() + "; either mc is wrong, or the spec keeps something outside its state"
}
