// Package mutate asks what a spec's properties are good for. It leaves out one
// action, or one named conjunct of a guard, searches what is left, and compares
// the verdicts: a mutant that no property notices is a piece of the system that
// nothing is said about. The idea is DeMillo's, Lipton's and Sayward's ("Hints
// on Test Data Selection", 1978), with guards for programs and properties for
// tests.
package mutate

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"mc/checker"
	"mc/model"
)

// Subject is one configuration in which mutants are searched.
type Subject struct {
	Machine    *model.Machine
	Properties []int // to judge; nil for the guarantees
	// Claim is the claim that the subject is a case of, and Want the verdicts on
	// Properties that it expects. Claims are asked only about mutants that
	// survive all else.
	Claim string
	Want  []model.Verdict
}

// Options bound the work. Zero values stand for the defaults.
type Options struct {
	Workers int // mutants that are searched at a time; 0 for one on each core
	// MaxStates ends the search of a mutant. By default it is GrowthFactor
	// times the states of the spec itself, and at least LeastStates.
	MaxStates uint64
	MaxMemory int64         // bytes that all searches together may hold; 0 for no limit
	Each      time.Duration // for one search of one mutant; 0 for no limit
	// StepTimeout is how long one step may take; 0 for ever. What does not end
	// cannot be stopped: it is left behind, and takes a core.
	StepTimeout time.Duration
	// Progress, if given, is called after each mutant, never twice at once.
	Progress func(done, all int)
}

// A mutant with so many more states than the spec is taken for one without an
// end.
const (
	GrowthFactor = 10
	LeastStates  = 10_000
)

// MostStates bounds the spec itself, unless Options.MaxStates is larger.
const MostStates = 1_000_000

// Outcome is what became of a mutant.
type Outcome string

// The outcomes. A mutant survives if it has other steps than the spec and the
// same verdicts; it is claimed if a claim notices it all the same. Equivalent
// says that it has no other step; Undecided that a limit of time or memory, or
// the end of the context, came first.
const (
	Noticed    Outcome = "noticed"
	Survives   Outcome = "survives"
	Claimed    Outcome = "noticed by a claim"
	Equivalent Outcome = "equivalent"
	Undecided  Outcome = "undecided"
)

// Mutant is a mutation and what became of it in all subjects that have it.
type Mutant struct {
	model.Mutation
	Location model.Location `json:"location,omitzero"`
	Outcome  Outcome        `json:"outcome"`
	// By are the properties that noticed, in the first subject where some did;
	// none if something else did, such as a panic. How says what they saw.
	By  []string `json:"by,omitempty"`
	How string   `json:"how,omitempty"`
	// In is the configuration where it was noticed, or undecided, and Claim the
	// claim that noticed.
	In    *model.Configuration `json:"in,omitempty"`
	Claim string               `json:"claim,omitempty"`
}

// Run searches all mutants of one spec. Its subjects are configurations of the
// same spec; a mutant is searched in one after the other until it is noticed.
// The result is in the order of declaration and depends on no number of
// workers. The error says why the spec itself could not be searched.
func Run(ctx context.Context, subjects []Subject, o Options) ([]Mutant, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.MaxMemory /= int64(o.Workers)
	r := &run{o: o}
	for _, s := range subjects {
		if s.Claim != "" {
			r.claims = append(r.claims, r.claim(ctx, s))
			continue
		}
		b, err := r.baseline(ctx, s)
		if err != nil {
			return nil, err
		}
		r.baselines = append(r.baselines, b)
	}
	mutants := mutantsOf(subjects)
	var next atomic.Int64
	var told sync.Mutex
	done := 0
	var wg sync.WaitGroup
	for range min(o.Workers, len(mutants)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(mutants); i = int(next.Add(1)) - 1 {
				r.judge(ctx, &mutants[i])
				told.Lock()
				if done++; o.Progress != nil {
					o.Progress(done, len(mutants))
				}
				told.Unlock()
			}
		})
	}
	wg.Wait()
	return mutants, nil
}

// mutantsOf are the mutations of any of the subjects: in the order of the first
// that has the action.
func mutantsOf(subjects []Subject) (all []Mutant) {
	type key struct{ action, conjunct int }
	at := map[model.Mutation]bool{}
	var keys []key
	for _, s := range subjects {
		for _, mu := range s.Machine.Mutations() {
			if at[mu] || s.Claim != "" {
				continue
			}
			at[mu] = true
			a := slices.IndexFunc(s.Machine.Actions, func(a model.ActionInfo) bool { return a.Name == mu.Action })
			info := &s.Machine.Actions[a]
			all = append(all, Mutant{Mutation: mu, Location: info.Location()})
			keys = append(keys, key{a, slices.Index(info.Guard, mu.Conjunct)})
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	// Actions have one order in all configurations of a spec, or nearly so.
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := keys[i], keys[j]
		return slices.Compare([]int{a.action, a.conjunct}, []int{b.action, b.conjunct})
	})
	sorted := make([]Mutant, len(all))
	for i, o := range order {
		sorted[i] = all[o]
	}
	return sorted
}

type run struct {
	o         Options
	baselines []*baseline
	claims    []*baseline
}

// baseline is the spec as it is, in one subject.
type baseline struct {
	Subject
	quick, slow *judged // temporal properties are slow: judged when the others saw nothing
	// Of no property, searched to its end.
	whole func() (*checker.Report, error)
	steps func() (int, error) // to different states
}

// judged is some properties and the verdicts on them.
type judged struct {
	properties []int
	verdicts   []model.Verdict
}

func (r *run) baseline(ctx context.Context, s Subject) (*baseline, error) {
	b := &baseline{Subject: s}
	properties := s.Properties
	if properties == nil {
		for i, p := range s.Machine.Properties {
			if !p.Question {
				properties = append(properties, i)
			}
		}
	}
	quick, slow := []int{}, []int{}
	for _, p := range properties {
		if s.Machine.Properties[p].Kind.Temporal() {
			slow = append(slow, p)
		} else {
			quick = append(quick, p)
		}
	}
	for _, j := range []struct {
		to         **judged
		properties []int
	}{{&b.quick, quick}, {&b.slow, slow}} {
		if len(j.properties) == 0 {
			continue
		}
		rep, err := r.flawless(ctx, s.Machine, j.properties)
		if err != nil {
			return nil, err
		}
		*j.to = &judged{properties: j.properties}
		for _, res := range rep.Results {
			(*j.to).verdicts = append((*j.to).verdicts, res.Verdict)
		}
	}
	r.count(ctx, b)
	_, err := b.whole()
	return b, err
}

// claim is a case of a claim, which says itself what is to come out.
func (r *run) claim(ctx context.Context, s Subject) *baseline {
	b := &baseline{Subject: s, quick: &judged{}}
	for i := range s.Machine.Properties { // in the order of reports
		if at := slices.Index(s.Properties, i); at >= 0 {
			b.quick.properties = append(b.quick.properties, i)
			b.quick.verdicts = append(b.quick.verdicts, s.Want[at])
		}
	}
	r.count(ctx, b)
	return b
}

// count prepares the counts of the spec as it is.
func (r *run) count(ctx context.Context, b *baseline) {
	b.whole = sync.OnceValues(func() (*checker.Report, error) { return r.flawless(ctx, b.Machine, []int{}) })
	b.steps = sync.OnceValues(func() (int, error) {
		limit, err := r.limit(b)
		if err != nil {
			return 0, err
		}
		return stepsOf(ctx, b.Machine, limit)
	})
}

// limit is the number of states of a mutant.
func (r *run) limit(b *baseline) (uint64, error) {
	if r.o.MaxStates > 0 {
		return r.o.MaxStates, nil
	}
	whole, err := b.whole()
	if err != nil {
		return 0, err
	}
	return max(LeastStates, GrowthFactor*whole.Distinct), nil
}

// flawless searches the spec as it is.
func (r *run) flawless(ctx context.Context, m *model.Machine, properties []int) (*checker.Report, error) {
	rep := checker.Check(ctx, m, r.options(properties, max(MostStates, r.o.MaxStates)))
	switch {
	case rep.Fault != nil:
		return nil, &model.SpecError{Spec: m.Name, Err: fmt.Errorf("the spec itself is at fault: %w", rep.Fault.Fault)}
	case rep.Incomplete != "":
		return nil, &Incomplete{m.Name, rep.Incomplete}
	}
	return rep, nil
}

// Incomplete says that the spec itself was not searched to its end, so that
// nothing can be said of its mutants.
type Incomplete struct{ Spec, Why string }

func (e *Incomplete) Error() string { return e.Spec + ": incomplete: " + e.Why }

func (r *run) options(properties []int, limit uint64) checker.Options {
	return checker.Options{
		Properties: properties, Workers: 1, NoCoverage: true,
		Behaviours: func(int) bool { return false },
		MaxStates:  limit, MaxMemory: r.o.MaxMemory, StepTimeout: r.o.StepTimeout,
	}
}

// judge searches one mutant until a subject notices it.
func (r *run) judge(ctx context.Context, mu *Mutant) {
	mu.Outcome = Equivalent
	for _, b := range r.baselines {
		m := b.Machine.Mutant(mu.Mutation)
		if m == nil {
			continue
		}
		v := r.compare(ctx, b, m)
		switch {
		case v.Outcome == Noticed:
			mu.Outcome, mu.By, mu.How, mu.In = v.Outcome, v.By, v.How, &b.Machine.Config
			return
		case v.Outcome == Undecided && mu.Outcome != Undecided:
			mu.Outcome, mu.How, mu.In = v.Outcome, v.How, &b.Machine.Config
		case v.Outcome == Survives && mu.Outcome == Equivalent:
			mu.Outcome = Survives
		}
	}
	for _, b := range r.claims {
		m := b.Machine.Mutant(mu.Mutation)
		if m == nil || mu.Outcome != Survives {
			continue
		}
		limit, err := r.limit(b)
		if err != nil {
			continue // the claim itself is not decided
		}
		rep := r.search(ctx, m, b.quick.properties, limit)
		grows := rep.Distinct > limit // which a claim does not speak of
		if v := notices(b.quick, rep, limit); v.Outcome == Noticed && (len(v.By) > 0 || !grows) {
			mu.Outcome, mu.By, mu.How, mu.In, mu.Claim = Claimed, v.By, v.How, &b.Machine.Config, b.Claim
		}
	}
}

// compare searches a mutant in one subject.
func (r *run) compare(ctx context.Context, b *baseline, m *model.Machine) (v Mutant) {
	limit, err := r.limit(b)
	if err != nil {
		return Mutant{Outcome: Undecided, How: err.Error()}
	}
	var whole *checker.Report
	for _, j := range []*judged{b.quick, b.slow} {
		if j == nil {
			continue
		}
		rep := r.search(ctx, m, j.properties, limit)
		if v := notices(j, rep, limit); v.Outcome != "" {
			return v
		}
		if rep.Exhausted {
			whole = rep
		}
	}
	if whole == nil {
		whole = r.search(ctx, m, []int{}, limit)
		if v := notices(&judged{}, whole, limit); v.Outcome != "" {
			return v
		}
	}
	same, err := sameSteps(ctx, b, m, whole)
	switch {
	case err != nil:
		return Mutant{Outcome: Undecided, How: err.Error()}
	case same:
		return Mutant{Outcome: Equivalent}
	}
	return Mutant{Outcome: Survives}
}

// errEach ends the search of one mutant, and not all.
var errEach = errors.New("time limit of one search")

func (r *run) search(ctx context.Context, m *model.Machine, properties []int, limit uint64) *checker.Report {
	if r.o.Each > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, r.o.Each, errEach)
		defer cancel()
	}
	return checker.Check(ctx, m, r.options(properties, limit))
}

// notices says whether a search of a mutant differs in its verdicts, or ended
// in a way that nobody overlooks. It decides nothing if all is as it was.
func notices(was *judged, rep *checker.Report, limit uint64) (v Mutant) {
	m := rep.Machine
	if rep.Fault != nil {
		return Mutant{Outcome: Noticed, How: rep.Fault.Fault.Error()}
	}
	for i, res := range rep.Results {
		before := was.verdicts[i]
		if res.Verdict == before || res.Verdict == model.Incomplete {
			continue
		}
		name := m.Properties[res.Property].Name
		if v.Outcome, v.By = Noticed, append(v.By, name); v.How == "" {
			v.How = fmt.Sprintf("%s: %s, not %s", name, res.Verdict, before)
		}
	}
	switch {
	case v.Outcome == Noticed, rep.Incomplete == "":
	case rep.Distinct > limit:
		v = Mutant{Outcome: Noticed, How: fmt.Sprintf("more than %d states", limit)}
	default:
		v = Mutant{Outcome: Undecided, How: rep.Incomplete}
	}
	return v
}

// sameSteps says whether a mutant has the steps of the spec, those that change
// nothing not counted. A mutant without a conjunct has all steps of the spec,
// and one without an action has no others: so it is enough to count.
func sameSteps(ctx context.Context, b *baseline, m *model.Machine, whole *checker.Report) (bool, error) {
	was, err := b.whole()
	switch {
	case err != nil:
		return false, err
	case whole.Distinct != was.Distinct:
		return false, nil
	case whole.Generated == was.Generated:
		return true, nil
	}
	before, err := b.steps()
	if err != nil {
		return false, err
	}
	now, err := stepsOf(ctx, m, 2*was.Distinct)
	return before == now, err
}

// stepsOf counts the steps that lead to a different state, each instance by
// itself.
func stepsOf(ctx context.Context, m *model.Machine, limit uint64) (n int, _ error) {
	most := int(limit)
	space, err := checker.Explore(ctx, m, checker.SpaceOptions{Properties: []int{}, MaxNodes: most, MaxStates: most})
	if err != nil {
		return 0, err
	}
	for _, a := range space.Arcs {
		n += len(a.Labels)
	}
	return n, nil
}
