package model

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Machine is a spec with its settings fixed and its state type erased: what
// engines work on. It is immutable and may be shared.
type Machine struct {
	Name       string
	Config     Configuration
	StateBytes int      // bytes of a state as engines see it, a multiple of 8
	Init       [][]byte // the initial states in order of declaration, without duplicates
	Actions    []ActionInfo
	Properties []PropertyInfo // the guarantees, then the questions
	Fairness   []Fairness     // those of the actions first
	Symmetry   []SymmetryInfo
	Lanes      []string
	Instances  int // of all actions together

	settings []site // of Config.Settings
	layout   layout
	fields   []fieldInfo
	worker   func() Worker
	mutant   func(Mutation) *Machine
	drawing  func(d *Drawing, s, t []byte)
}

// ActionInfo describes an action.
type ActionInfo struct {
	Name      string
	Doc       string
	Params    []Domain
	Guard     []string // names of the guard's conjuncts, if they have any
	First     Label    // its instances are First, …, First+Instances-1
	Instances int
	Excluded  bool // by the settings: it cannot be taken

	site site
}

// PropertyInfo describes a property.
type PropertyInfo struct {
	Name     string
	Doc      string
	Kind     Kind
	Question bool // judged only when named
	// Implication says that an invariant was made by Implies: the second
	// predicate of Worker.Holds is its left side.
	Implication bool

	site site
}

// Instance is an action with a value for each parameter.
type Instance struct {
	Action string `json:"action"`
	Args   []Arg  `json:"args,omitempty"`
}

// Arg is one parameter and its value.
type Arg struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (i Instance) String() string {
	if len(i.Args) == 0 {
		return i.Action
	}
	args := make([]string, len(i.Args))
	for n, a := range i.Args {
		args[n] = a.Name + "=" + a.Value
	}
	return i.Action + "(" + strings.Join(args, ", ") + ")"
}

// NewWorker makes an evaluator for one goroutine.
func (m *Machine) NewWorker() Worker { return m.worker() }

// Property is the index of a property, or -1.
func (m *Machine) Property(name string) int {
	return slices.IndexFunc(m.Properties, func(p PropertyInfo) bool { return p.Name == name })
}

func (m *Machine) action(name string) int {
	return slices.IndexFunc(m.Actions, func(a ActionInfo) bool { return a.Name == name })
}

// ActionOf is the index of the action that a label belongs to.
func (m *Machine) ActionOf(l Label) int {
	i, _ := slices.BinarySearchFunc(m.Actions, l, func(a ActionInfo, l Label) int {
		switch {
		case l < a.First:
			return 1
		case int(l-a.First) >= a.Instances:
			return -1
		}
		return 0
	})
	return i
}

// locate is the action of a label and the index of each parameter's value.
func (m *Machine) locate(l Label) (action int, at [3]int) {
	action = m.ActionOf(l)
	return action, m.Actions[action].at(int(l - m.Actions[action].First))
}

// at takes the number of an instance apart into indices of values.
func (a *ActionInfo) at(n int) (at [3]int) {
	for i := len(a.Params) - 1; i >= 0; i-- {
		at[i] = n % len(a.Params[i].Values)
		n /= len(a.Params[i].Values)
	}
	return at
}

// Instance spells out a label.
func (m *Machine) Instance(l Label) Instance {
	action, at := m.locate(l)
	a := &m.Actions[action]
	in := Instance{Action: a.Name}
	for i, p := range a.Params {
		in.Args = append(in.Args, Arg{p.Name, p.Values[at[i]]})
	}
	return in
}

// maxInstances bounds the labels: searches count steps for each of them.
const maxInstances = 1 << 22

// maxConditions bounds what fairness may come to: every kind of step has a bit
// for each condition.
const maxConditions = 1 << 12

// newMachine erases the state type of a spec. It reports everything that is
// wrong with the spec at once.
func newMachine[S any](name string, spec *Spec[S], config Configuration) (*Machine, error) {
	l, err := layoutOf(reflect.TypeFor[S]())
	if err != nil {
		return nil, err
	}
	m := &Machine{
		Name: name, Config: config, StateBytes: l.stride, layout: l,
		Lanes: spec.Lanes, Fairness: nil,
	}
	if len(m.Lanes) == 0 {
		m.Lanes = []string{name}
	}
	var errs []error
	fail := func(format string, a ...any) { errs = append(errs, fmt.Errorf(format, a...)) }

	for i := range spec.Actions {
		a := &spec.Actions[i]
		info := ActionInfo{Name: a.name, Doc: a.doc, Params: a.params, Guard: a.guard, First: Label(m.Instances), Instances: 1, Excluded: a.out, site: a.site}
		for _, p := range a.params {
			info.Instances = min(info.Instances*len(p.Values), maxInstances+1)
			if d := firstDuplicate(p.Values); d != "" {
				fail("action %s: parameter %s has the value %s twice", a.name, p.Name, d)
			}
		}
		if slices.ContainsFunc(m.Actions, func(b ActionInfo) bool { return b.Name == a.name }) {
			fail("action %s is declared twice", a.name)
		}
		if err := checkName("action", a.name); err != nil {
			errs = append(errs, err)
		}
		m.Instances += info.Instances
		m.Actions = append(m.Actions, info)
		if a.fair != Unfair {
			f := Fairness{Name: a.name, Strength: a.fair, Actions: []string{a.name}}
			if a.perInst {
				f.Per = "*"
			}
			m.Fairness = append(m.Fairness, f)
		}
	}
	if m.Instances > maxInstances {
		fail("the actions have %d instances; want at most %d", m.Instances, maxInstances)
	}

	props := slices.Concat(spec.Properties, spec.Questions)
	for i, p := range props {
		if m.Property(p.name) >= 0 {
			fail("property %s is declared twice", p.name)
		}
		if err := checkName("property", p.name); err != nil {
			errs = append(errs, err)
		}
		m.Properties = append(m.Properties, PropertyInfo{
			Name: p.name, Doc: p.doc, Kind: p.kind, Question: i >= len(spec.Properties),
			Implication: p.kind == Invariant && p.q != nil, site: p.site,
		})
	}
	for _, f := range spec.Fairness {
		errs = append(errs, m.checkFairness(f))
		m.Fairness = append(m.Fairness, f)
	}
	if errors.Join(errs...) == nil {
		if n := len(m.Conditions()); n > maxConditions {
			fail("the actions have %d fairness conditions; want at most %d", n, maxConditions)
		}
	}
	if d := firstDuplicate(m.Lanes); d != "" {
		fail("lane %s is declared twice", d)
	}
	m.fields, err = fieldsOf[S](m)
	errs = append(errs, err)
	m.Symmetry, err = checkSymmetry(spec.Symmetry)
	errs = append(errs, err)
	known := map[string]bool{}
	for i := range spec.Init {
		if b := m.bytesOf(unsafe.Pointer(&spec.Init[i])); !known[string(b)] {
			known[string(b)] = true
			m.Init = append(m.Init, b)
		}
	}
	m.worker = func() Worker { return newWorker(m, spec, props) }
	m.mutant = func(mu Mutation) *Machine { return mutated(m, spec, props, mu) }
	if spec.Draw != nil {
		m.drawing = func(d *Drawing, s, t []byte) { spec.Draw(d, as[S](s), as[S](t)) }
	}
	return m, errors.Join(errs...)
}

// bytesOf copies a state out of a spec's own memory, with padding cleared.
func (m *Machine) bytesOf(state unsafe.Pointer) []byte {
	words := make([]uint64, m.StateBytes/wordBytes)
	b := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), m.StateBytes)
	copy(b, unsafe.Slice((*byte)(state), m.layout.size))
	for _, p := range m.layout.pads {
		words[p.word] &= p.mask
	}
	return b
}

func (m *Machine) checkFairness(f Fairness) error {
	var errs []error
	for _, name := range f.Actions {
		i := m.action(name)
		if i < 0 {
			errs = append(errs, fmt.Errorf("fairness %s: no action %s", f.Name, name))
		} else if f.Per != "" && !slices.ContainsFunc(m.Actions[i].Params, func(d Domain) bool { return d.Name == f.Per }) {
			errs = append(errs, fmt.Errorf("fairness %s: action %s has no parameter %s", f.Name, name, f.Per))
		}
	}
	if len(f.Actions) == 0 {
		errs = append(errs, fmt.Errorf("fairness %s: no actions", f.Name))
	}
	return errors.Join(errs...)
}

// checkName refuses names that a command line could not name.
func checkName(what, name string) error {
	if name == "" || strings.ContainsAny(name, " ,=\t\n\"") {
		return fmt.Errorf("%s name %q: want a word without spaces, commas, quotes or =", what, name)
	}
	return nil
}

func firstDuplicate(names []string) string {
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if seen[n] {
			return n
		}
		seen[n] = true
	}
	return ""
}
