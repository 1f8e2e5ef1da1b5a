package model

// Action is a named disjunct of a spec's next-state relation: parameters, a
// guard that says where it may be taken, and an effect that makes the
// successor. The guard only reads, the effect only writes, always succeeds,
// and is a function of the state and the parameters alone.
//
// Act, Act1, Act2 and Act3 make actions with 0 to 3 parameters.
type Action[S any] struct {
	name    string
	doc     string
	params  []Domain
	guard   []string // the names of the conjuncts; none for a plain function
	fair    Strength
	perInst bool // fair for each instance by itself
	out     bool // excluded by the settings
	site    site

	blocked func(s *S, at [3]int) int // index of the first false conjunct, -1 if none
	apply   func(t *S, at [3]int)
	expand  func(w *worker[S], base Label)
	without func(conjunct int) Action[S] // what it would be without one of them
}

// Doc says what the action stands for in the real system: a class and method.
func (a Action[S]) Doc(text string) Action[S] { a.doc = text; return a }

// Fair declares the action fair as a whole: \E p: A(p) is taken again and
// again if it stays enabled (Weak) or is enabled again and again (Strong).
func (a Action[S]) Fair(s Strength) Action[S] { a.fair, a.perInst = s, false; return a }

// FairEach declares every instance fair by itself: \A p: WF(A(p)).
func (a Action[S]) FairEach(s Strength) Action[S] { a.fair, a.perInst = s, true; return a }

// When keeps the action only where the settings want it. Elsewhere it is
// listed, but never taken, and nobody is told that it is not.
func (a Action[S]) When(wanted bool) Action[S] {
	if !wanted {
		a.out = true
		a.expand = func(*worker[S], Label) {}
		a.guard = append([]string{excluded}, a.guard...)
		a.blocked = func(*S, [3]int) int { return 0 }
	}
	return a
}

// What stands for a part of a guard that has no name.
const (
	wholeGuard = "guard"
	excluded   = "excluded by the settings"
)

// Conjunct is one named condition of a guard of type F.
type Conjunct[F any] struct {
	name string
	f    F
}

// If names a condition, in a word or two, as the line of a TLA+ guard would
// read: it answers why an action is not enabled.
func If[F any](name string, f F) Conjunct[F] { return Conjunct[F]{name, f} }

// Conjuncts is a guard in named parts; they are tried in order.
type Conjuncts[F any] []Conjunct[F]

// All is the guard that holds when every part does.
func All[F any](parts ...Conjunct[F]) Conjuncts[F] { return parts }

// For1 and For2 make conditions on the state alone fit to guard an action with
// parameters, such as what all actions of one component need.
func For1[A, S any](parts ...Conjunct[func(*S) bool]) (all Conjuncts[func(*S, A) bool]) {
	for _, p := range parts {
		all = append(all, If(p.name, func(s *S, _ A) bool { return p.f(s) }))
	}
	return all
}

// For2 is For1 for two parameters.
func For2[A, B, S any](parts ...Conjunct[func(*S) bool]) (all Conjuncts[func(*S, A, B) bool]) {
	for _, p := range parts {
		all = append(all, If(p.name, func(s *S, _ A, _ B) bool { return p.f(s) }))
	}
	return all
}

// Guard0 to Guard3 are what may guard an action with 0 to 3 parameters: one
// function, or All of several named ones.
type (
	Guard0[S any] interface {
		func(*S) bool | Conjuncts[func(*S) bool]
	}
	Guard1[S, A any] interface {
		func(*S, A) bool | Conjuncts[func(*S, A) bool]
	}
	Guard2[S, A, B any] interface {
		func(*S, A, B) bool | Conjuncts[func(*S, A, B) bool]
	}
	Guard3[S, A, B, C any] interface {
		func(*S, A, B, C) bool | Conjuncts[func(*S, A, B, C) bool]
	}
)

// split is the parts of a guard and their names; a plain function is one part
// without a name.
func split[F any](guard any) (names []string, parts []F) {
	if f, ok := guard.(F); ok {
		return nil, []F{f}
	}
	for _, c := range guard.(Conjuncts[F]) {
		names, parts = append(names, c.name), append(parts, c.f)
	}
	return names, parts
}

// drop is a guard without one of its parts.
func drop[F any](parts []F, at int) (rest Conjuncts[F]) {
	for i, f := range parts {
		if i != at {
			rest = append(rest, Conjunct[F]{f: f})
		}
	}
	return rest
}

// firstFalse is the index of the first part that call finds false, or -1.
func firstFalse[F any](parts []F, call func(F) bool) int {
	for i, f := range parts {
		if !call(f) {
			return i
		}
	}
	return -1
}

// Act is an action without parameters.
func Act[S any, G Guard0[S]](name string, guard G, effect func(*S)) Action[S] {
	names, parts := split[func(*S) bool](guard)
	holds := func(s *S) bool {
		for _, f := range parts {
			if !f(s) {
				return false
			}
		}
		return true
	}
	if len(parts) == 1 {
		holds = parts[0]
	}
	return Action[S]{
		site: caller(), name: name, guard: names,
		blocked: func(s *S, _ [3]int) int { return firstFalse(parts, func(f func(*S) bool) bool { return f(s) }) },
		apply:   func(t *S, _ [3]int) { effect(t) },
		without: func(conjunct int) Action[S] { return Act(name, drop(parts, conjunct), effect) },
		expand: func(w *worker[S], base Label) {
			w.label = base
			if holds(&w.from) {
				effect(w.successor())
			}
		},
	}
}

// Act1 is an action with one parameter.
func Act1[S, A any, G Guard1[S, A]](name string, a Param[A], guard G, effect func(*S, A)) Action[S] {
	names, parts := split[func(*S, A) bool](guard)
	holds := func(s *S, a A) bool {
		for _, f := range parts {
			if !f(s, a) {
				return false
			}
		}
		return true
	}
	if len(parts) == 1 {
		holds = parts[0]
	}
	av := a.Values
	return Action[S]{
		site: caller(), name: name, guard: names, params: []Domain{a.domain()},
		blocked: func(s *S, at [3]int) int {
			return firstFalse(parts, func(f func(*S, A) bool) bool { return f(s, av[at[0]]) })
		},
		apply:   func(t *S, at [3]int) { effect(t, av[at[0]]) },
		without: func(conjunct int) Action[S] { return Act1(name, a, drop(parts, conjunct), effect) },
		expand: func(w *worker[S], base Label) {
			for i := range av {
				w.label = base + Label(i)
				if holds(&w.from, av[i]) {
					effect(w.successor(), av[i])
				}
			}
		},
	}
}

// Act2 is an action with two parameters.
func Act2[S, A, B any, G Guard2[S, A, B]](name string, a Param[A], b Param[B], guard G, effect func(*S, A, B)) Action[S] {
	names, parts := split[func(*S, A, B) bool](guard)
	holds := func(s *S, a A, b B) bool {
		for _, f := range parts {
			if !f(s, a, b) {
				return false
			}
		}
		return true
	}
	if len(parts) == 1 {
		holds = parts[0]
	}
	av, bv := a.Values, b.Values
	return Action[S]{
		site: caller(), name: name, guard: names, params: []Domain{a.domain(), b.domain()},
		blocked: func(s *S, at [3]int) int {
			return firstFalse(parts, func(f func(*S, A, B) bool) bool { return f(s, av[at[0]], bv[at[1]]) })
		},
		apply:   func(t *S, at [3]int) { effect(t, av[at[0]], bv[at[1]]) },
		without: func(conjunct int) Action[S] { return Act2(name, a, b, drop(parts, conjunct), effect) },
		expand: func(w *worker[S], base Label) {
			for i := range av {
				for j := range bv {
					w.label = base
					if holds(&w.from, av[i], bv[j]) {
						effect(w.successor(), av[i], bv[j])
					}
					base++
				}
			}
		},
	}
}

// Act3 is an action with three parameters.
func Act3[S, A, B, C any, G Guard3[S, A, B, C]](name string, a Param[A], b Param[B], c Param[C], guard G, effect func(*S, A, B, C)) Action[S] {
	names, parts := split[func(*S, A, B, C) bool](guard)
	holds := func(s *S, a A, b B, c C) bool {
		for _, f := range parts {
			if !f(s, a, b, c) {
				return false
			}
		}
		return true
	}
	if len(parts) == 1 {
		holds = parts[0]
	}
	av, bv, cv := a.Values, b.Values, c.Values
	return Action[S]{
		site: caller(), name: name, guard: names, params: []Domain{a.domain(), b.domain(), c.domain()},
		blocked: func(s *S, at [3]int) int {
			return firstFalse(parts, func(f func(*S, A, B, C) bool) bool { return f(s, av[at[0]], bv[at[1]], cv[at[2]]) })
		},
		apply:   func(t *S, at [3]int) { effect(t, av[at[0]], bv[at[1]], cv[at[2]]) },
		without: func(conjunct int) Action[S] { return Act3(name, a, b, c, drop(parts, conjunct), effect) },
		expand: func(w *worker[S], base Label) {
			for i := range av {
				for j := range bv {
					for k := range cv {
						w.label = base
						if holds(&w.from, av[i], bv[j], cv[k]) {
							effect(w.successor(), av[i], bv[j], cv[k])
						}
						base++
					}
				}
			}
		},
	}
}
