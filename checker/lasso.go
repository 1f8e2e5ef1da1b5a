package checker

import (
	"fmt"
	"slices"

	"mc/checker/memory"
	"mc/checker/seen"
	"mc/model"
)

// A counterexample to a temporal property is a lasso: a prefix into a fair
// component and a loop in it, or a state to stay in. Of all states of fair
// components, in breadth-first order, each begins a loop of least length; the
// lasso with the fewest steps in all is shown, and the first one of these.

const (
	// maxStarts is how many states are tried as the beginning of the loop.
	maxStarts = 64
	// maxProduct bounds the search for a shortest loop: states of the
	// component times combinations of conditions met. Above it a loop is put
	// together from shortest pieces instead.
	maxProduct = 1 << 20
)

// lassoSearch makes a lasso into one of the components found.
type lassoSearch struct {
	s          *search
	w          *worker
	g          *graph
	o          *obligation
	conditions *conditionSet

	words     []uint64
	component []uint32 // by node: number of its component, from 1, or 0
	found     groups
	next      map[uint32][]uint32 // successors in order of the labels, once asked for
}

func (s *search) lasso(o *obligation, conditions *conditionSet, found groups) *model.Behaviour {
	l := &lassoSearch{
		s: s, w: s.crew[0], g: s.graph, o: o, conditions: conditions, found: found,
		words: memory.Take((s.graph.nodes() + 1) / 2), next: map[uint32][]uint32{},
	}
	defer memory.Release(l.words)
	l.component = memory.Halves(l.words)
	for i := range found.len() {
		for _, n := range found.at(i) {
			l.component[n] = uint32(i + 1)
		}
	}
	prefix, loop := l.best()
	b := l.behaviour(prefix, loop)
	if err := isCounterexample(s.m, b, o.property, conditions.all); err != nil {
		panic(Mismatch{err})
	}
	return b
}

// best chooses the prefix and the loop, as nodes. The loop begins with the
// last node of the prefix and ends with it again, or is empty if the behaviour
// stays there.
func (l *lassoSearch) best() (prefix, loop []uint32) {
	nodes := uint32(l.g.nodes())
	words := memory.Take(int(nodes) + 1) // a parent for each node and phase
	defer memory.Release(words)
	parent := memory.Halves(words) // key of the parent plus 1; a root's own key plus 1
	// Phase 1 is after the property began to be violated; only leads-to and
	// eventually have it, the others begin where they end.
	var queue []uint32
	add := func(n, phase, from uint32) {
		if k := phase*nodes + n; parent[k] == 0 {
			parent[k] = from + 1
			queue = append(queue, k)
		}
	}
	phased := l.o.kind == model.Leads || l.o.kind == model.Eventual
	meet := func(n, phase uint32, from uint32, initial bool) {
		key := func(phase uint32) uint32 {
			if initial {
				return phase*nodes + n
			}
			return from
		}
		if phase == 0 && phased && l.o.begins(n, initial) {
			add(n, 1, key(1))
		}
		if phase == 1 && !l.o.mayStay(n) || phase == 0 && l.o.kind == model.Eventual {
			return
		}
		add(n, phase, key(phase))
	}
	for _, state := range l.s.m.Init {
		meet(uint32(l.s.set.Ref(state)), 0, 0, true)
	}
	depth, levelEnd, starts := 0, len(queue), 0
	for i := 0; i < len(queue); i++ {
		if i == levelEnd {
			depth, levelEnd = depth+1, len(queue)
		}
		if loop != nil && depth >= len(prefix)-1+max(0, len(loop)-1) {
			break // even staying here would not be shorter
		}
		k := queue[i]
		n, phase := k%nodes, k/nodes
		if l.component[n] != 0 && (phase == 1 || !phased) {
			if at, ok := l.loopFrom(n, starts < maxStarts); ok {
				starts++
				if steps := depth + max(0, len(at)-1); loop == nil || steps < len(prefix)-1+max(0, len(loop)-1) {
					loop = at
					prefix = prefix[:0]
					for k := k; ; k = parent[k] - 1 {
						prefix = append(prefix, k%nodes)
						if parent[k]-1 == k {
							break
						}
					}
					slices.Reverse(prefix)
				}
			}
		}
		for _, t := range l.successors(n) {
			meet(t, phase, k, false)
		}
	}
	return prefix, loop
}

// successors are those of a node in order of the labels, itself left out.
func (l *lassoSearch) successors(n uint32) []uint32 {
	if next, ok := l.next[n]; ok {
		return next
	}
	next := []uint32{}
	if l.g.expanded(n) && l.w.successors(l.s.set.State(seen.Ref(n))) {
		known := make(map[uint32]bool, len(l.w.refs))
		for _, r := range l.w.refs {
			if t := uint32(r); r != seen.Missing && t != n && !known[t] {
				known[t] = true
				next = append(next, t)
			}
		}
	}
	if len(l.next) < maxProduct {
		l.next[n] = next
	}
	return next
}

// status is what a loop in the making has met of each condition.
type status struct {
	met     []uint64 // weak: disabled or taken; strong: taken
	enabled []uint64 // somewhere on the loop
	must    bool
}

func (l *lassoSearch) empty() *status {
	w := l.conditions.words
	return &status{met: make([]uint64, w), enabled: make([]uint64, w)}
}

// visit adds a node to the loop.
func (l *lassoSearch) visit(st *status, n uint32) {
	at := make([]uint64, l.conditions.words)
	l.conditions.enabled(l.g, n, at)
	for i, b := range at {
		st.met[i] |= l.conditions.weak[i] &^ b
		st.enabled[i] |= b
	}
	st.must = st.must || l.o.must(n)
}

// step adds the step from u to v: every label that leads there counts.
func (l *lassoSearch) step(st *status, u, v uint32) {
	for e := l.g.read(u); ; {
		t, class, ok := e.next()
		if !ok {
			return
		}
		if t == v {
			for i, b := range l.conditions.of[class] {
				st.met[i] |= b
			}
		}
	}
}

func (l *lassoSearch) fair(st *status) bool {
	for i := range st.met {
		if (l.conditions.weak[i]|l.conditions.strong[i]&st.enabled[i])&^st.met[i] != 0 {
			return false
		}
	}
	return st.must
}

func (st *status) clone() *status {
	return &status{slices.Clone(st.met), slices.Clone(st.enabled), st.must}
}

func (st *status) key() string { return fmt.Sprint(st.met, st.enabled, st.must) }

// loopFrom is a loop through a node of a component: of least length if that
// can be told with bounded effort. Without thorough it only says whether the
// behaviour may stay there.
func (l *lassoSearch) loopFrom(start uint32, thorough bool) (loop []uint32, ok bool) {
	st := l.empty()
	l.visit(st, start)
	if l.fair(st) {
		return []uint32{}, true
	}
	if !thorough {
		return nil, false
	}
	if loop := l.shortestLoop(start, st); loop != nil {
		return loop, true
	}
	return l.longLoop(start, st), true
}

// shortestLoop searches breadth-first over nodes and what was met on the way.
// It gives up, with nil, when that becomes too much.
func (l *lassoSearch) shortestLoop(start uint32, st *status) []uint32 {
	type item struct {
		node uint32
		st   *status
		from int
	}
	inside := l.component[start]
	queue := []item{{start, st, -1}}
	known := map[uint32]map[string]bool{start: {st.key(): true}}
	for i := 0; i < len(queue) && len(queue) < maxProduct/16; i++ {
		for _, t := range l.successors(queue[i].node) {
			if l.component[t] != inside {
				continue
			}
			next := queue[i].st.clone()
			l.step(next, queue[i].node, t)
			l.visit(next, t)
			if known[t] == nil {
				known[t] = map[string]bool{}
			}
			if k := next.key(); known[t][k] {
				continue
			} else {
				known[t][k] = true
			}
			queue = append(queue, item{t, next, i})
			if t == start && l.fair(next) {
				var loop []uint32
				for j := len(queue) - 1; j >= 0; j = queue[j].from {
					loop = append(loop, queue[j].node)
				}
				slices.Reverse(loop)
				return loop
			}
		}
	}
	return nil
}

// longLoop goes to the nearest node or step that meets something that is not
// met yet, until all is, and then back.
func (l *lassoSearch) longLoop(start uint32, st *status) []uint32 {
	loop := []uint32{start}
	// Strong conditions that the component enables are met for good: by a step.
	all := l.empty()
	for _, n := range l.found.at(int(l.component[start]) - 1) {
		l.visit(all, n)
	}
	st.enabled = all.enabled
	for !l.fair(st) {
		before := st.key()
		piece := l.nearest(loop[len(loop)-1], func(u, v uint32) bool {
			next := st.clone()
			l.step(next, u, v)
			l.visit(next, v)
			return next.key() != before
		})
		for i, v := range piece[1:] {
			l.step(st, piece[i], v)
			l.visit(st, v)
			loop = append(loop, v)
		}
	}
	if end := loop[len(loop)-1]; end != start {
		loop = append(loop, l.nearest(end, func(_, v uint32) bool { return v == start })[1:]...)
	}
	return loop
}

// nearest is a shortest path inside a component whose last step is wanted.
func (l *lassoSearch) nearest(from uint32, wanted func(u, v uint32) bool) []uint32 {
	inside := l.component[from]
	parent := map[uint32]uint32{from: from}
	queue := []uint32{from}
	for i := 0; i < len(queue); i++ {
		u := queue[i]
		for _, v := range l.successors(u) {
			if l.component[v] != inside {
				continue
			}
			if wanted(u, v) {
				path := []uint32{v, u}
				for u != from {
					u = parent[u]
					path = append(path, u)
				}
				slices.Reverse(path)
				return path
			}
			if _, ok := parent[v]; !ok {
				parent[v] = u
				queue = append(queue, v)
			}
		}
	}
	panic(Mismatch{fmt.Errorf("a fair component has no fair loop")})
}

// behaviour spells out a prefix and a loop. Each step has the first label, in
// order of declaration, that leads where it leads.
func (l *lassoSearch) behaviour(prefix, loop []uint32) *model.Behaviour {
	b := &model.Behaviour{Loop: len(prefix) - 1}
	path := prefix
	if len(loop) > 0 {
		path = append(slices.Clone(prefix), loop[1:]...)
	}
	for i, n := range path {
		state := slices.Clone(l.s.set.State(seen.Ref(n)))
		if i > 0 {
			l.w.successors(b.States[i-1])
			at := slices.Index(l.w.refs, seen.Ref(n))
			b.Labels = append(b.Labels, l.w.batch.Labels[at])
		}
		b.States = append(b.States, state)
	}
	return b
}

// isCounterexample checks a lasso against the machine itself, without the
// graph it was found in.
func isCounterexample(m *model.Machine, b *model.Behaviour, property int, conditions []model.Condition) error {
	if err := m.Replay(b); err != nil {
		return err
	}
	return m.ShowsLasso(b, property, conditions)
}
