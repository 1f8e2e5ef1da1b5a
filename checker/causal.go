package checker

import (
	"bytes"
	"cmp"
	"slices"
	"sync/atomic"
	"time"

	"mc/model"
)

// Causality says which earlier steps each step of a behaviour needs, and which
// ones its finding needs: what wrote the fields that they read.
//
// Nobody can watch a Go function read, so it is found out by changing what it
// could have read. A step, or the verdict, depends on a field if it comes out
// differently when the field has an older value: the step is not possible any
// more, or changes other fields or to other values. The fields are set back one
// after the other, each to the oldest value that makes no difference, with those
// before it left set back: so what remains is a smallest set that will do, and a
// condition that two fields each would satisfy names one of them. Set back are
// values the field has had in this behaviour, so that a guard sees nothing it
// could not. (What it says of one step is the sufficient cause of Halpern and
// Pearl, "Causes and Explanations", 2005, with older values for contingencies;
// what follows back from the verdict is the dynamic slice of Korel and Laski,
// "Dynamic Program Slicing", 1988.)
type Causality struct {
	Steps [][]Cause // Steps[i] are the causes of the step to States[i+1]
	End   []Cause   // those of what the behaviour shows
	// Idle are the steps that nothing leads from to the finding. Without all
	// of them together the others still show it, which has been tried.
	Idle []bool
}

// Cause is an earlier step and the fields that it wrote and that are needed as
// it left them.
type Cause struct {
	Step   int   // counted from 1, as labels are from 0
	Fields []int // indices into Machine.FieldNames, ascending; Hidden for the others
}

// Hidden stands for the parts of a state that are no field that is shown.
const Hidden = -1

const (
	maxEvaluations = 1 << 20         // steps and judgements for one behaviour
	hangs          = 2 * time.Second // for one of them
)

// Causes finds the causes in a behaviour that shows what a search says of a
// property, or of a fault of the spec if it is below 0. It returns nil if the
// behaviour does not show it, or is so long that finding out takes too much.
//
// The states that it makes to try are no reachable ones. A function of the spec
// that does not return from one of them is left behind, and the answer is nil.
func Causes(m *model.Machine, property int, b *model.Behaviour) *Causality {
	if b.Fault != nil && (b.Fault.Kind == model.NotAFunction || b.Fault.Kind == model.Asymmetric) || m.Shows(b, property) != nil {
		return nil
	}
	c := newCausal(m, property, b)
	done := make(chan *Causality, 1)
	var broken any
	go func() {
		defer close(done)
		defer func() {
			if r := recover(); r != nil {
				broken = Caught(r)
			}
		}()
		done <- c.find()
	}()
	for seen := uint64(0); ; seen = c.tries.Load() {
		select {
		case found, whole := <-done:
			if !whole {
				panic(broken)
			}
			return found
		case <-time.After(hangs):
			if c.tries.Load() == seen {
				return nil
			}
		}
	}
}

// causal looks for the causes in one behaviour.
type causal struct {
	m        *model.Machine
	property int
	b        *model.Behaviour
	eval     model.Worker
	parts    []part
	tries    atomic.Uint64

	trial *model.Batch // one state: that of the behaviour with parts set back
	fan   *model.Batch
}

// part is a field, or all that is no field.
type part struct {
	field   int
	spans   [][2]int // of bytes
	writers []int    // steps that change it, ascending
}

func newCausal(m *model.Machine, property int, b *model.Behaviour) *causal {
	c := &causal{m: m, property: property, b: b, eval: m.NewWorker(), trial: m.NewBatch(1), fan: m.NewBatch(16)}
	c.parts = partsOf(m)
	for i := range c.parts {
		p := &c.parts[i]
		for n := 1; n < len(b.States); n++ {
			if !p.same(b.States[n-1], b.States[n]) {
				p.writers = append(p.writers, n)
			}
		}
	}
	return c
}

// partsOf takes a state apart: its fields, and the rest.
func partsOf(m *model.Machine) []part {
	state := make([]byte, m.StateBytes)
	shown := make([]bool, m.StateBytes)
	var parts []part
	for i := range m.FieldNames() {
		lies := m.FieldBytes(i, state)
		from := cap(state) - cap(lies) // it is cut out of state
		for j := range lies {
			shown[from+j] = true
		}
		parts = append(parts, part{field: i, spans: [][2]int{{from, from + len(lies)}}})
	}
	rest := part{field: Hidden}
	for i, is := range shown {
		if !is {
			rest.spans = append(rest.spans, [2]int{i, i + 1})
		}
	}
	return append(parts, rest)
}

func (p *part) same(s, t []byte) bool {
	for _, x := range p.spans {
		if string(s[x[0]:x[1]]) != string(t[x[0]:x[1]]) {
			return false
		}
	}
	return true
}

func (p *part) copy(to, from []byte) {
	for _, x := range p.spans {
		copy(to[x[0]:x[1]], from[x[0]:x[1]])
	}
}

// question is what is asked of one state of the behaviour: whether, with some
// parts set back, all that counts is as before.
type question struct {
	state int
	same  func(trial []byte) bool
}

func (c *causal) find() *Causality {
	found := &Causality{Idle: make([]bool, c.b.Steps())}
	for i := range c.b.Steps() {
		found.Steps = append(found.Steps, c.ask(question{i, func(trial []byte) bool { return c.sameStep(i, trial) }}))
	}
	needed := make([]bool, c.b.Steps()+1)
	for _, q := range c.verdict(needed) {
		found.End = append(found.End, c.ask(q)...)
	}
	found.End = joined(found.End)
	if c.tries.Load() > maxEvaluations {
		return nil
	}
	for _, cause := range found.End {
		needed[cause.Step] = true
	}
	for i := c.b.Steps(); i > 0; i-- { // causes come before what they cause
		if needed[i] {
			for _, cause := range found.Steps[i-1] {
				needed[cause.Step] = true
			}
		}
	}
	if c.showsWithout(needed) {
		for i := range found.Idle {
			found.Idle[i] = !needed[i+1]
		}
	}
	return found
}

// ask sets back the parts of a state, one after the other, as far as that makes
// no difference. Where it does, the step that wrote the part is a cause.
func (c *causal) ask(q question) (causes []Cause) {
	c.trial.Truncate(0)
	c.trial.Append(c.b.States[q.state])
	trial := c.trial.State(0)
	for i := range c.parts {
		p := &c.parts[i]
		n, _ := slices.BinarySearch(p.writers, q.state+1)
		for n--; n >= 0; n-- {
			writer := p.writers[n]
			p.copy(trial, c.b.States[writer-1])
			if c.tries.Add(1) > maxEvaluations {
				return nil
			}
			if !q.same(trial) {
				p.copy(trial, c.b.States[writer])
				causes = append(causes, Cause{writer, []int{p.field}})
				break
			}
		}
	}
	return joined(causes)
}

// joined are causes in the order of their steps, each step once.
func joined(causes []Cause) (all []Cause) {
	slices.SortStableFunc(causes, func(a, b Cause) int { return cmp.Compare(a.Step, b.Step) })
	for _, x := range causes {
		if n := len(all); n > 0 && all[n-1].Step == x.Step {
			all[n-1].Fields = slices.Concat(all[n-1].Fields, x.Fields)
		} else {
			all = append(all, x)
		}
	}
	for i := range all {
		slices.Sort(all[i].Fields)
		all[i].Fields = slices.Compact(all[i].Fields)
	}
	return all
}

// sameStep says whether a step, counted from 0, does in another state what it
// does in the behaviour.
func (c *causal) sameStep(i int, trial []byte) bool {
	next, blocked, fault := c.eval.Step(trial, c.b.Labels[i])
	if blocked != "" || fault != nil {
		return false
	}
	for j := range c.parts {
		p := &c.parts[j]
		// What it leaves alone it may also set to what is there already.
		if !p.same(next, c.b.States[i+1]) && (!p.same(c.b.States[i], c.b.States[i+1]) || !p.same(next, trial)) {
			return false
		}
	}
	return true
}

// verdict is what must be so for the finding: questions, and steps that are
// needed whatever they read.
func (c *causal) verdict(needed []bool) []question {
	last := c.b.Steps()
	if c.property < 0 {
		was := c.m.FaultAt(c.eval, c.b.States[last])
		return []question{{last, func(trial []byte) bool {
			is := c.m.FaultAt(c.eval, trial)
			return is != nil && is.Kind == was.Kind && is.Where == was.Where && is.What == was.What
		}}}
	}
	asked := []int{c.property}
	switch k := c.m.Properties[c.property].Kind; {
	case k.Temporal():
		return c.lasso(needed)
	case k == model.NoDeadlock:
		return []question{{last, c.stuck}}
	case k == model.StepInvariant:
		needed[last] = true
		return []question{{last - 1, func(trial []byte) bool {
			next, blocked, fault := c.eval.Step(trial, c.b.Labels[last-1])
			if blocked != "" || fault != nil || bytes.Equal(next, trial) {
				return false
			}
			at, fault := c.eval.JudgeStep(trial, slices.Clone(next), asked)
			return at == 0 && fault == nil
		}}}
	}
	return []question{{last, func(trial []byte) bool {
		at, fault := c.eval.Judge(trial, asked)
		return at == 0 && fault == nil
	}}}
}

// stuck says whether no step leads out of a state in which no behaviour may end.
func (c *causal) stuck(state []byte) bool {
	c.fan.Truncate(0)
	if c.eval.Expand(state, c.fan) != nil {
		return false
	}
	for i := range c.fan.Len() {
		if !bytes.Equal(c.fan.State(i), state) {
			return false
		}
	}
	terminal, fault := c.eval.Terminal(state)
	return !terminal && fault == nil
}

// lasso is what must be so for a temporal property to be violated. The steps of
// the loop are needed as they are; from where the property begins to be
// violated its predicate stays as it is; and no fairness condition that the
// loop does not meet by taking a step may become enabled.
func (c *causal) lasso(needed []bool) (all []question) {
	b, kind := c.b, c.m.Properties[c.property].Kind
	ps, qs, fault := c.m.Truth(c.eval, b, c.property)
	if fault != nil {
		return nil
	}
	last := b.Steps()
	for i := b.Loop + 1; i <= last; i++ {
		needed[i] = true
	}
	keeps := func(state int, p, q bool) {
		all = append(all, question{state, func(trial []byte) bool {
			tp, tq, fault := c.eval.Holds(c.property, trial)
			return fault == nil && (!p || tp == ps[state]) && (!q || tq == qs[state])
		}})
	}
	end := max(b.Loop+1, last) // states visited for ever: Loop to end-1
	switch kind {
	case model.Eventual:
		for i := range end {
			keeps(i, true, false)
		}
	case model.Recurrent:
		for i := b.Loop; i < end; i++ {
			keeps(i, true, false)
		}
	case model.Stable:
		keeps(b.Loop+slices.Index(ps[b.Loop:end], false), true, false)
	default:
		begin := end - 1
		for !ps[begin] || slices.Contains(qs[min(begin, b.Loop):], true) {
			begin--
		}
		for i := begin; i < end; i++ {
			keeps(i, i == begin, true)
		}
	}
	return append(all, c.unfair(end)...)
}

// unfair asks of each state of the loop that nothing becomes enabled there that
// would have to be taken.
func (c *causal) unfair(end int) (all []question) {
	var conditions []model.Condition
	for _, x := range c.m.Conditions() {
		if !c.takes(x) {
			conditions = append(conditions, x)
		}
	}
	if len(conditions) == 0 {
		return nil
	}
	of := map[model.Label][]int{}
	for i, x := range conditions {
		for _, l := range x.Labels {
			of[l] = append(of[l], i)
		}
	}
	enabled := func(state []byte) []bool {
		c.fan.Truncate(0)
		if c.eval.Expand(state, c.fan) != nil {
			return nil
		}
		on := make([]bool, len(conditions))
		for i, l := range c.fan.Labels {
			if !bytes.Equal(c.fan.State(i), state) {
				for _, x := range of[l] {
					on[x] = true
				}
			}
		}
		return on
	}
	for i := c.b.Loop; i < end; i++ {
		was := enabled(c.b.States[i])
		all = append(all, question{i, func(trial []byte) bool {
			is := enabled(trial)
			for x := range is {
				if is[x] && !was[x] {
					return false
				}
			}
			return is != nil
		}})
	}
	return all
}

// takes says whether a step of the loop meets a fairness condition. Several
// instances may make the same step.
func (c *causal) takes(x model.Condition) bool {
	for i := c.b.Loop; i < c.b.Steps(); i++ {
		for _, l := range x.Labels {
			next, blocked, fault := c.eval.Step(c.b.States[i], l)
			if blocked == "" && fault == nil && !bytes.Equal(next, c.b.States[i]) && bytes.Equal(next, c.b.States[i+1]) {
				return true
			}
		}
	}
	return false
}

// showsWithout takes only the steps that are needed and says whether they show
// the finding. The loop of a lasso is needed whole.
func (c *causal) showsWithout(needed []bool) bool {
	d := &model.Behaviour{States: c.b.States[:1], Loop: c.b.Loop, Fault: c.b.Fault}
	for i, l := range c.b.Labels {
		if !needed[i+1] {
			if i < c.b.Loop {
				d.Loop--
			}
			continue
		}
		next, blocked, fault := c.eval.Step(d.States[d.Steps()], l)
		if blocked != "" || fault != nil {
			return false
		}
		d.States, d.Labels = append(slices.Clip(d.States), slices.Clone(next)), append(d.Labels, l)
	}
	return c.m.Shows(d, c.property) == nil
}
