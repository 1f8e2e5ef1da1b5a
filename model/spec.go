package model

// Spec is a state machine with claims about it. S is its state: a struct of
// sized integers, booleans, and arrays and structs of these, without pointers.
//
// Every function of a spec is called from several goroutines at once, on
// states it does not own: guards and properties only read what they are
// given, effects write only the state they are given, and none keeps it.
type Spec[S any] struct {
	Init    []S         // the initial states
	Actions []Action[S] // the next-state relation, as a disjunction

	Properties []Property[S] // what the spec guarantees: judged by default
	Questions  []Property[S] // what one may ask of it: judged when named

	// Fairness adds conditions over several actions to those that the
	// actions declare themselves.
	Fairness []Fairness

	// Within, if given, bounds the space: a state where it is false is
	// judged and counted, but its successors are cut.
	Within func(*S) bool

	// Symmetry lists the sets of interchangeable identifiers.
	Symmetry []Symmetry[S]

	// Terminal, if given, says where a behaviour may end: such a state
	// without a step to another one is no deadlock.
	Terminal func(*S) bool

	// Lanes are the components of the system in drawing order, and Draw says
	// for the step from s to t on which lane it happens and which messages
	// it sends and takes. Both serve pictures only. Without Draw every step
	// stands on the only lane.
	Lanes []string
	Draw  func(d *Drawing, s, t *S)
}

// Strength is that of a fairness condition.
type Strength uint8

// Unfair actions may be neglected for ever. Weak fairness forbids that an
// action stays enabled for ever and is not taken again, strong fairness that
// it is enabled again and again and not taken again.
const (
	Unfair Strength = iota
	Weak
	Strong
)

func (s Strength) String() string { return [...]string{"none", "weak", "strong"}[s] }

// Fairness is a condition on a disjunction of actions, such as all steps of
// one thread: if some of them is enabled for ever (Weak) or again and again
// (Strong), then one of them is taken. With Per, the name of a parameter that
// all of them have, it is one such condition for each value of the parameter.
type Fairness struct {
	Name     string   `json:"name"`
	Strength Strength `json:"strength"`
	Actions  []string `json:"actions"`
	Per      string   `json:"per,omitempty"`
}
