package model

// Kind is the kind of a property.
type Kind string

// The kinds of property.
const (
	Invariant     Kind = "invariant"         // holds in every state
	StepInvariant Kind = "step invariant"    // holds between every state and its successors
	Witness       Kind = "witness"           // some state satisfies it
	NoDeadlock    Kind = "deadlock freedom"  // every state has a step to another one, or is terminal
	Leads         Kind = "leads-to"          // after every p, some q
	Eventual      Kind = "eventually"        // some p
	Stable        Kind = "eventually always" // p for good, from some state on
	Recurrent     Kind = "always eventually" // p again and again
)

// Temporal says whether properties of the kind speak of infinite behaviours.
func (k Kind) Temporal() bool {
	return k == Leads || k == Eventual || k == Stable || k == Recurrent
}

// Verdict is what a search finds of a property.
type Verdict string

// The verdicts. Incomplete says that the search ended before it could tell.
const (
	Holds       Verdict = "holds"
	Violated    Verdict = "violated"
	Reached     Verdict = "reachable"
	Unreachable Verdict = "unreachable"
	Incomplete  Verdict = "incomplete"
)

// Property is a claim about a spec's behaviours. Always, EveryStep, Reachable,
// DeadlockFree and the temporal four make one.
type Property[S any] struct {
	site      site
	name, doc string
	kind      Kind
	p, q      func(*S) bool // q of an invariant: where it says something
	step      func(s, t *S) bool
}

// Doc says what the property means to a person who knows the system.
func (p Property[S]) Doc(text string) Property[S] { p.doc = text; return p }

// Always is an invariant: p holds in every reachable state.
func Always[S any](name string, p func(*S) bool) Property[S] {
	return Property[S]{site: caller(), name: name, kind: Invariant, p: p}
}

// Implies is the invariant that q holds wherever p does. It is reported as
// vacuous if p holds nowhere.
func Implies[S any](name string, p, q func(*S) bool) Property[S] {
	return Property[S]{site: caller(), name: name, kind: Invariant, p: func(s *S) bool { return !p(s) || q(s) }, q: p}
}

// EveryStep is a step invariant: p holds between every reachable state and
// each of its successors. Steps that change nothing satisfy it, as in TLA+'s
// [][p]_vars.
func EveryStep[S any](name string, p func(s, t *S) bool) Property[S] {
	return Property[S]{site: caller(), name: name, kind: StepInvariant, step: p}
}

// Reachable is a witness: some reachable state satisfies p. It shows that a
// spec is not vacuous, or that a bug can be reached.
func Reachable[S any](name string, p func(*S) bool) Property[S] {
	return Property[S]{site: caller(), name: name, kind: Witness, p: p}
}

// DeadlockFree says that every reachable state has a step to another state,
// unless Spec.Terminal holds in it.
func DeadlockFree[S any](name string) Property[S] {
	return Property[S]{site: caller(), name: name, kind: NoDeadlock}
}

// LeadsTo says that every state that satisfies p is followed, at once or
// later, by one that satisfies q.
func LeadsTo[S any](name string, p, q func(*S) bool) Property[S] {
	return Property[S]{site: caller(), name: name, kind: Leads, p: p, q: q}
}

// Eventually says that every behaviour has a state that satisfies p.
func Eventually[S any](name string, p func(*S) bool) Property[S] {
	return Property[S]{site: caller(), name: name, kind: Eventual, p: p}
}

// EventuallyAlways says that in every behaviour p holds from some state on.
func EventuallyAlways[S any](name string, p func(*S) bool) Property[S] {
	return Property[S]{site: caller(), name: name, kind: Stable, p: p}
}

// AlwaysEventually says that in every behaviour p holds again and again.
func AlwaysEventually[S any](name string, p func(*S) bool) Property[S] {
	return Property[S]{site: caller(), name: name, kind: Recurrent, p: p}
}
