package checker

import (
	"context"
	"slices"

	"mc/checker/memory"
	"mc/checker/seen"
	"mc/model"
)

// Liveness is judged on the whole explored graph. A property is violated if
// some fair behaviour does what it forbids, and then one does that runs into a
// strongly connected part of the graph and stays there for ever; so the
// question is whether a part of the graph that the property forbids to stay in
// has a fair component.
//
//	leads-to p q         stay where q is false, entered where p is true
//	eventually p         stay where p is false, from an initial state on
//	always eventually p  stay where p is false
//	eventually always p  stay anywhere, and be where p is false again and again
//
// (Lichtenstein and Pnueli, "Checking That Finite State Concurrent Programs
// Satisfy Their Linear Specification", 1985, for the reduction to components;
// Emerson and Lei, "Modalities for Model Checking", 1987, for strong fairness
// by taking nodes out.) What is done differently: a run may always stutter, so
// every single node counts as a component with a step to itself, which no
// condition counts as taken.

// obligation is one temporal property on one graph.
type obligation struct {
	property int
	kind     model.Kind
	p, q     bits // where the predicates are true
}

// mayStay says whether the property forbids to stay for ever in a set of nodes
// like this one.
func (o *obligation) mayStay(n uint32) bool {
	switch o.kind {
	case model.Leads:
		return !o.q.has(uint64(n))
	case model.Stable:
		return true
	default:
		return !o.p.has(uint64(n))
	}
}

// must says whether a forbidden component needs such a node; for the other
// kinds every node will do.
func (o *obligation) must(n uint32) bool { return o.kind != model.Stable || !o.p.has(uint64(n)) }

// begins says whether the part to stay in may be entered at a node.
func (o *obligation) begins(n uint32, initial bool) bool {
	switch o.kind {
	case model.Leads:
		return o.p.has(uint64(n)) && !o.q.has(uint64(n))
	case model.Eventual:
		return initial && !o.p.has(uint64(n))
	default:
		return o.mayStay(n)
	}
}

// fairSearch looks for fair components that an obligation forbids.
type fairSearch struct {
	g          *graph
	o          *obligation
	conditions *conditionSet

	taken, any, every, at []uint64 // conditions of the component being judged
	found                 groups
	again                 groups // parts of components to be looked at without some nodes
	scc                   *components
}

// groups are lists of nodes, back to back.
type groups struct {
	nodes []uint32
	ends  []int
}

func (g *groups) add(nodes []uint32) {
	g.nodes = append(g.nodes, nodes...)
	g.ends = append(g.ends, len(g.nodes))
}
func (g groups) len() int { return len(g.ends) }
func (g groups) at(i int) []uint32 {
	if i == 0 {
		return g.nodes[:g.ends[0]]
	}
	return g.nodes[g.ends[i-1]:g.ends[i]]
}

// fairComponents are all maximal fair components that the property forbids to
// stay in and that can be entered.
func (g *graph) fairComponents(o *obligation, conditions *conditionSet, initial []uint32) groups {
	f := &fairSearch{g: g, o: o, conditions: conditions}
	f.run(initial)
	return f.found
}

// needsFairness says whether the property is violated when nothing is fair:
// then a run may stop in any state, so one state to stay in is enough.
func (g *graph) needsFairness(o *obligation, initial []uint32) bool {
	if o.kind == model.Eventual {
		return slices.ContainsFunc(initial, func(n uint32) bool { return o.begins(n, true) })
	}
	for n := range uint32(g.nodes()) {
		if g.set.Exists(seen.Ref(n)) && o.begins(n, false) && o.must(n) {
			return true
		}
	}
	return false
}

func (f *fairSearch) run(initial []uint32) {
	g, o, conditions := f.g, f.o, f.conditions
	for _, b := range []*[]uint64{&f.taken, &f.any, &f.every, &f.at} {
		*b = make([]uint64, conditions.words)
	}
	f.scc = newComponents(g, o.mayStay, f.judge)
	defer f.scc.close()
	if o.kind == model.Eventual {
		for _, n := range initial {
			f.scc.from(n)
		}
	} else {
		for n := range uint32(g.nodes()) {
			if f.scc.rank[n] == 0 && o.begins(n, false) {
				f.scc.from(n)
			}
		}
	}
	f.withoutSome()
}

// withoutSome searches the parts that strong fairness left over, until there
// are none. All other nodes have been dealt with, so they are outside.
func (f *fairSearch) withoutSome() {
	for i := 0; i < f.again.len(); i++ {
		for _, n := range f.again.at(i) {
			f.scc.rank[n] = 0
		}
		for j := range f.again.at(i) {
			f.scc.from(f.again.at(i)[j])
		}
	}
}

// judge decides about one component.
func (f *fairSearch) judge(nodes []uint32, number uint32) {
	if len(nodes) == 1 && f.mustLeave(nodes[0]) {
		return
	}
	must := false
	for _, n := range nodes {
		if f.g.at[n] == 0 && len(f.conditions.all) > 0 {
			return // cut by the bound: what is enabled is not known
		}
		must = must || f.o.must(n)
	}
	if !must {
		return
	}
	clear(f.taken)
	clear(f.any)
	for i := range f.every {
		f.every[i] = ^uint64(0)
	}
	for _, n := range nodes {
		clear(f.at)
		for e := f.g.read(n); ; {
			target, class, ok := e.next()
			if !ok {
				break
			}
			of := f.conditions.of[class]
			inside := f.scc.rank[target] == number
			for i, b := range of {
				f.at[i] |= b
				if inside {
					f.taken[i] |= b
				}
			}
		}
		for i, b := range f.at {
			f.any[i] |= b
			f.every[i] &= b
		}
	}
	unfair := false
	for i, taken := range f.taken {
		if f.conditions.weak[i]&f.every[i]&^taken != 0 {
			return // nor is any part of it fair
		}
		// From here on: conditions that every fair run inside must keep disabled.
		f.any[i] &= f.conditions.strong[i] &^ taken
		unfair = unfair || f.any[i] != 0
	}
	if !unfair {
		f.found.add(nodes)
		return
	}
	var rest []uint32
	for _, n := range nodes {
		f.conditions.enabled(f.g, n, f.at)
		keep := true
		for i, b := range f.at {
			keep = keep && b&f.any[i] == 0
		}
		if keep {
			rest = append(rest, n)
		}
	}
	if len(rest) > 0 {
		f.again.add(rest)
	}
}

// mustLeave says whether some condition is enabled at a node: then no fair run
// stays there. Most components are single nodes, and most of these are left.
func (f *fairSearch) mustLeave(n uint32) bool {
	for e := f.g.read(n); ; {
		_, class, ok := e.next()
		if !ok {
			return false
		}
		for _, b := range f.conditions.of[class] {
			if b != 0 {
				return true
			}
		}
	}
}

// obligations evaluates the predicates of the temporal properties on all
// states.
func (s *search) obligations() []*obligation {
	nodes := s.set.Refs()
	var all []*obligation
	for _, p := range s.temporal {
		all = append(all, &obligation{property: p, kind: s.m.Properties[p].Kind, p: newBits(nodes), q: newBits(nodes)})
	}
	for index := range s.last() + 1 {
		s.each(index, func(w *worker, r seen.Ref, state []byte) {
			for _, o := range all {
				p, q, fault := w.eval.Holds(o.property, state)
				if fault != nil {
					w.note(index, -1)
				}
				if p {
					o.p.add(uint64(r))
				}
				if q {
					o.q.add(uint64(r))
				}
			}
		}, func(*worker) {})
	}
	return all
}

func (o *obligation) close() {
	o.p.close()
	o.q.close()
}

// lively is what was found of one temporal property.
type lively struct {
	property int
	lasso    *model.Behaviour
	notes    notes
	why      *Explanation
}

// notes are what a green verdict should not hide.
type notes struct{ vacuous, needsNoFairness bool }

// judgeTemporal judges the temporal properties on the graph as far as it was
// explored. A lasso in a part of it is one of the whole.
//
// When ctx ends, the properties that are not judged by then stay incomplete.
func (s *search) judgeTemporal(ctx context.Context) {
	defer func() {
		if r := recover(); r != nil {
			out, ok := r.(memory.Exhausted)
			if !ok {
				panic(r)
			}
			s.incomplete = out.Error()
		}
	}()
	if s.tooLate(ctx) {
		return
	}
	// A rank for each node, two bits for each property; and, for a lasso, a
	// component and two parents.
	nodes := int64(s.graph.nodes())
	s.afterwards = nodes*4 + int64(len(s.temporal))*nodes/4 + nodes*12
	if limit := s.o.MaxMemory; limit > 0 && s.bytes()+s.afterwards > limit {
		s.afterwards = 0
		s.incomplete = "memory limit of " + grouped(limit) + " bytes, before temporal properties"
		return
	}
	obligations := s.obligations()
	defer func() {
		for _, o := range obligations {
			o.close()
		}
	}()
	if s.collect(); s.faultsFound {
		s.incomplete, s.exhausted = "the spec is at fault", false
		return
	}
	declared := s.m.Conditions()
	conditions := s.graph.prepare(s.m, declared, nil)
	var initial []uint32
	for _, state := range s.m.Init {
		initial = append(initial, uint32(s.set.Ref(state)))
	}
	for _, o := range obligations {
		if s.tooLate(ctx) {
			return
		}
		l := lively{property: o.property}
		found := s.graph.fairComponents(o, conditions, initial)
		switch {
		case found.len() > 0:
			l.lasso = s.lasso(o, conditions, found)
			l.why = s.explain(ctx, o, declared, initial, l.lasso)
		case s.exhausted:
			l.notes.vacuous = o.kind == model.Leads && o.p.empty()
			l.notes.needsNoFairness = len(declared) > 0 && !l.notes.vacuous &&
				!s.graph.needsFairness(o, initial)
		}
		s.lively = append(s.lively, l)
	}
}

// tooLate says that ctx has ended, and makes that the reason if there is none.
func (s *search) tooLate(ctx context.Context) bool {
	if ctx.Err() != nil && s.incomplete == "" {
		s.incomplete = context.Cause(ctx).Error() + ", before temporal properties"
	}
	return ctx.Err() != nil
}

func (s *search) graphBytes() int64 {
	if s.graph == nil {
		return 0
	}
	return s.graph.taken.Load()
}

func (s *search) livelyOf(property int) *lively {
	for i := range s.lively {
		if s.lively[i].property == property {
			return &s.lively[i]
		}
	}
	return nil
}

func (s *search) lassoOf(property int) *model.Behaviour {
	if l := s.livelyOf(property); l != nil {
		return l.lasso
	}
	return nil
}

// addLiveness adds to a report what only temporal properties have.
func (s *search) addLiveness(r *Report) {
	if s.graph == nil {
		return
	}
	r.Edges, r.EdgeBytes = s.graph.edges(), s.graphBytes()
	for i := range r.Results {
		if l := s.livelyOf(r.Results[i].Property); l != nil {
			r.Results[i].Vacuous = r.Results[i].Vacuous || l.notes.vacuous
			r.Results[i].NeedsNoFairness = l.notes.needsNoFairness
			r.Results[i].Explanation = l.why
		}
	}
}
