package model

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unsafe"
)

// Label names an instance of an action, densely from 0 in order of
// declaration: actions first, then the values of their parameters, the last
// parameter fastest. Machine.Instance spells it out.
type Label uint32

// Batch collects successors, back to back. It grows as needed and is reused.
type Batch struct {
	Labels []Label  // the instance that made each state
	words  []uint64 // len(Labels) states or room for more
	stride int      // words per state
}

// NewBatch makes a batch for states of m with room for n of them.
func (m *Machine) NewBatch(n int) *Batch {
	stride := m.StateBytes / wordBytes
	return &Batch{
		Labels: make([]Label, 0, n),
		words:  make([]uint64, n*stride),
		stride: stride,
	}
}

// Len is the number of states in the batch.
func (b *Batch) Len() int { return len(b.Labels) }

// State is the i-th state: Machine.StateBytes bytes, lent until the batch
// changes, and aligned to 8 bytes.
func (b *Batch) State(i int) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&b.words[i*b.stride])), b.stride*wordBytes)
}

// Words are all states as words, lent until the batch changes.
func (b *Batch) Words() []uint64 { return b.words[:len(b.Labels)*b.stride] }

// Next adds a state equal to the one given, which a step with this label is to
// change into its successor, and returns its bytes: for a Worker written by
// hand.
func (b *Batch) Next(state []byte, label Label) []byte {
	b.Append(state)
	b.Labels[b.Len()-1] = label
	return b.State(b.Len() - 1)
}

// Append adds a state without a label.
func (b *Batch) Append(state []byte) {
	b.Labels = append(b.Labels, 0)
	b.words = append(b.words[:(b.Len()-1)*b.stride], unsafe.Slice((*uint64)(unsafe.Pointer(&state[0])), b.stride)...)
	b.words = b.words[:cap(b.words)]
}

// Remove takes out the i-th state; the last one takes its place.
func (b *Batch) Remove(i int) {
	last := b.Len() - 1
	copy(b.State(i), b.State(last))
	b.Labels[i] = b.Labels[last]
	b.Labels = b.Labels[:last]
}

// Sift moves those of the states from first to end that differ from one state
// down to the place to, in order, and returns the place after them.
func (b *Batch) Sift(to, first, end int, state []byte) int {
	one := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(state))), b.stride)
	if len(one) == 2 {
		// Without branches: which steps stutter can seldom be foretold.
		w := b.words
		for i := first; i < end; i++ {
			x, y := w[2*i], w[2*i+1]
			w[2*to], w[2*to+1] = x, y
			b.Labels[to] = b.Labels[i]
			d := (x ^ one[0]) | (y ^ one[1])
			to += int((d | -d) >> 63)
		}
		return to
	}
	for i := first; i < end; i++ {
		s := b.words[i*b.stride : (i+1)*b.stride]
		if s[0] == one[0] && slices.Equal(s[1:], one[1:]) {
			continue
		}
		if to != i {
			copy(b.words[to*b.stride:], s)
			b.Labels[to] = b.Labels[i]
		}
		to++
	}
	return to
}

// Truncate keeps the first n states.
func (b *Batch) Truncate(n int) { b.Labels = b.Labels[:n] }

// Worker evaluates a machine for one goroutine. States are slices of
// Machine.StateBytes bytes, aligned to 8 bytes. No method panics: what goes
// wrong in a spec's function comes back as a Fault.
type Worker interface {
	// Expand appends all successors of state to out, in the order of their
	// labels, those equal to state included. It appends nothing on a fault.
	Expand(state []byte, out *Batch) *Fault
	// Step is the successor by one instance, lent until the next call, or
	// the name of the guard that forbids it.
	Step(state []byte, by Label) (next []byte, blocked string, fault *Fault)
	// Within is false where the spec's bound cuts the successors of state.
	Within(state []byte) (bool, *Fault)
	// Terminal says whether a behaviour may end in state.
	Terminal(state []byte) (bool, *Fault)
	// Judge evaluates the first predicate of each of the properties, which
	// have one. It returns the place in properties of the first invariant
	// that is false or witness that is true, or -1.
	Judge(state []byte, properties []int) (int, *Fault)
	// JudgeStep is Judge for step invariants and one step.
	JudgeStep(from, to []byte, properties []int) (int, *Fault)
	// Holds evaluates the predicates p and q of one property; a missing one
	// is false.
	Holds(property int, state []byte) (p, q bool, fault *Fault)
	// Canonize replaces state by the representative of its orbit: one of the
	// states that it becomes by renaming members of symmetric sets, the same
	// for all of these. Rename replaces it by a random one of them.
	Canonize(state []byte) *Fault
	Rename(state []byte, r *rand.Rand) *Fault
}

// FaultKind is what a spec can do wrong.
type FaultKind string

// The faults of a spec.
const (
	Panicked     FaultKind = "panic"
	SequenceFull FaultKind = "full sequence"
	Writes       FaultKind = "a guard or property that writes"
	NotAFunction FaultKind = "not a function of the state"
	Asymmetric   FaultKind = "a symmetric set whose members are not interchangeable"
	NamesMember  FaultKind = "a property that names a member of a symmetric set"
)

// Fault is a mistake of the spec itself, found while evaluating it.
type Fault struct {
	Kind  FaultKind
	Where string // "action Grant(client=1)", "property Mutex"
	What  string // the panic's text, with file:line where known
	Label Label  // the instance at fault, if InStep
	// InStep says that an action was at fault, from the state it was taken in.
	InStep bool
}

func (f *Fault) Error() string {
	if f.What == "" {
		return fmt.Sprintf("%s: %s", f.Where, f.Kind)
	}
	return fmt.Sprintf("%s: %s: %s", f.Where, f.Kind, f.What)
}

// worker is the one implementation of Worker. It lives on the heap, so that
// passing the address of its fields to a spec's functions allocates nothing.
type worker[S any] struct {
	_     [64]byte // other cores write what lies beside
	m     *Machine
	spec  *Spec[S]
	props []Property[S]
	names []string // of props, as faults say where they are
	from  S        // the state that guards see
	next  S        // the state that predicates see; the successor of a step invariant
	out   *Batch
	label Label // the instance that is being tried
	at    int   // the place of the property that is being judged
	step  []uint64
	canon *canonizer[S] // nil without symmetric sets
	_     [64]byte
}

func newWorker[S any](m *Machine, spec *Spec[S], props []Property[S]) *worker[S] {
	w := &worker[S]{m: m, spec: spec, props: props, step: make([]uint64, m.StateBytes/wordBytes)}
	for _, p := range props {
		w.names = append(w.names, "property "+p.name)
	}
	if len(spec.Symmetry) > 0 {
		w.canon = newCanonizer(m, spec.Symmetry)
	}
	return w
}

func as[S any](state []byte) *S { return (*S)(unsafe.Pointer(unsafe.SliceData(state))) }

// same compares a state that spec code has seen with the bytes it came from.
func (w *worker[S]) same(s *S, state []byte) bool {
	return string(unsafe.Slice((*byte)(unsafe.Pointer(s)), w.m.layout.size)) == string(state[:w.m.layout.size])
}

// successor is the next state of the batch, equal to the one being expanded.
func (w *worker[S]) successor() *S {
	b := w.out
	i := len(b.Labels) * b.stride
	if i+b.stride > len(b.words) {
		b.words = append(b.words, make([]uint64, len(b.words)+b.stride)...)
	}
	b.Labels = append(b.Labels, w.label)
	t := (*S)(unsafe.Pointer(&b.words[i]))
	*t = w.from
	return t
}

func (w *worker[S]) Expand(state []byte, out *Batch) (fault *Fault) {
	first := out.Len()
	defer func() {
		if fault != nil {
			out.Truncate(first)
		}
	}()
	defer w.recoverStep(&fault)
	w.from = *as[S](state)
	w.out = out
	for i := range w.spec.Actions {
		w.spec.Actions[i].expand(w, w.m.Actions[i].First)
	}
	if !w.same(&w.from, state) {
		return w.whoWrites(state)
	}
	for _, p := range w.m.layout.pads {
		for i := first; i < out.Len(); i++ {
			out.words[i*out.stride+p.word] &= p.mask
		}
	}
	return nil
}

// whoWrites finds the first guard that changes the state it is given.
func (w *worker[S]) whoWrites(state []byte) *Fault {
	for i, a := range w.m.Actions {
		for n := range a.Instances {
			w.from = *as[S](state)
			w.spec.Actions[i].blocked(&w.from, a.at(n))
			if !w.same(&w.from, state) {
				return &Fault{Kind: Writes, Where: "guard of " + w.m.Instance(a.First+Label(n)).String()}
			}
		}
	}
	return &Fault{Kind: Writes, Where: "a guard or effect", What: "writes to the state it starts from"}
}

func (w *worker[S]) Step(state []byte, by Label) (next []byte, blocked string, fault *Fault) {
	defer w.recoverStep(&fault)
	w.label = by
	i, at := w.m.locate(by)
	a := &w.spec.Actions[i]
	w.from = *as[S](state)
	if c := a.blocked(&w.from, at); c >= 0 {
		if c < len(a.guard) {
			return nil, a.guard[c], nil
		}
		return nil, wholeGuard, nil
	}
	t := (*S)(unsafe.Pointer(&w.step[0]))
	*t = w.from
	a.apply(t, at)
	for _, p := range w.m.layout.pads {
		w.step[p.word] &= p.mask
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&w.step[0])), w.m.StateBytes), "", nil
}

func (w *worker[S]) Within(state []byte) (bool, *Fault) {
	return w.ask("bound Within", w.spec.Within, true, state)
}

func (w *worker[S]) Terminal(state []byte) (bool, *Fault) {
	return w.ask("Terminal", w.spec.Terminal, false, state)
}

// ask evaluates one predicate of the spec, or takes none for without.
func (w *worker[S]) ask(what string, f func(*S) bool, without bool, state []byte) (yes bool, fault *Fault) {
	if f == nil {
		return without, nil
	}
	defer recoverIn(what, &fault)
	w.next = *as[S](state)
	yes = f(&w.next)
	if !w.same(&w.next, state) {
		return yes, &Fault{Kind: Writes, Where: what}
	}
	return yes, nil
}

func (w *worker[S]) Judge(state []byte, properties []int) (found int, fault *Fault) {
	found = -1 // also when a property panics
	defer w.recoverProperty(properties, &fault)
	w.next = *as[S](state)
	for i, n := range properties {
		w.at = i
		p := &w.props[n]
		if p.p(&w.next) == (p.kind == Witness) {
			return i, nil
		}
		if !w.same(&w.next, state) {
			return -1, &Fault{Kind: Writes, Where: w.names[n]}
		}
	}
	return -1, nil
}

func (w *worker[S]) JudgeStep(from, to []byte, properties []int) (found int, fault *Fault) {
	found = -1 // also when a property panics
	defer w.recoverProperty(properties, &fault)
	w.from, w.next = *as[S](from), *as[S](to)
	for i, n := range properties {
		w.at = i
		if !w.props[n].step(&w.from, &w.next) {
			return i, nil
		}
		if !w.same(&w.from, from) || !w.same(&w.next, to) {
			return -1, &Fault{Kind: Writes, Where: w.names[n]}
		}
	}
	return -1, nil
}

func (w *worker[S]) Holds(property int, state []byte) (p, q bool, fault *Fault) {
	prop := &w.props[property]
	defer recoverIn(w.names[property], &fault)
	w.next = *as[S](state)
	if prop.p != nil {
		p = prop.p(&w.next)
	}
	if prop.q != nil {
		q = prop.q(&w.next)
	}
	if !w.same(&w.next, state) {
		return p, q, &Fault{Kind: Writes, Where: w.names[property]}
	}
	return p, q, nil
}

func (w *worker[S]) recoverStep(fault **Fault) {
	if r := recover(); r != nil {
		*fault = faultOf(r, w.m.Instance(w.label).String())
		(*fault).Label, (*fault).InStep = w.label, true
	}
}

func (w *worker[S]) recoverProperty(properties []int, fault **Fault) {
	if r := recover(); r != nil {
		*fault = faultOf(r, w.names[properties[w.at]])
	}
}

func recoverIn(where string, fault **Fault) {
	if r := recover(); r != nil {
		*fault = faultOf(r, where)
	}
}

// faultOf turns a recovered panic into a fault. It is called by the deferred
// function, while the panicking frames are still on the stack.
func faultOf(r any, where string) *Fault {
	what := strings.TrimPrefix(fmt.Sprint(r), "runtime error: ")
	what = strings.ReplaceAll(spelled(what), "\n", `\n`) // one line, as errors are
	f := &Fault{Kind: Panicked, Where: where, What: what}
	if _, ok := r.(Full); ok {
		f.Kind = SequenceFull
	}
	if at := specFrame(); at != "" {
		f.What += " at " + at
	}
	return f
}

// specFrame is the file:line of the innermost frame below a panic that lies
// neither in the runtime nor in this package.
func specFrame() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if !slices.ContainsFunc([]string{"runtime.", "mc/model."}, func(p string) bool {
			return strings.HasPrefix(f.Function, p)
		}) {
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		}
	}
	return ""
}
