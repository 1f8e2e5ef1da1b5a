package checker

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"

	"mc/model"
)

// Reorder puts the steps of a behaviour in an order with the fewest changes
// from one lane to another, as a reader would tell it: each component's steps
// together as far as they can be. What comes out are the same instances, and it
// is a behaviour that shows the same in its last state and not before.
//
// Lanes[i] is the component of Labels[i]. A lasso is left as it is, and so is a
// behaviour that ends in a fault: a fault shows what it shows in one order.
//
// The search goes through the sets of steps taken so far, one step more each
// time, and remembers for each set, state and lane the order with the fewest
// changes. Most steps wait for another, so there are few such sets; where there
// are more than reorderWidth of one size, the rest are given up.
func Reorder(m *model.Machine, property int, b *model.Behaviour, lanes []string) *model.Behaviour {
	if b.Loop >= 0 || b.Fault != nil || b.Steps() < 3 || m.Shows(b, property) != nil {
		return b
	}
	r := &reordering{m: m, property: property, b: b, eval: m.NewWorker(), lanes: make([]int, len(lanes)), best: b, changes: changes(lanes)}
	for i, l := range lanes {
		r.lanes[i] = slices.Index(lanes, l)
	}
	r.run()
	return r.best
}

// reorderWidth bounds the orders that are kept, of each number of steps.
const reorderWidth = 1 << 10

// changes counts the steps on another lane than the step before.
func changes(lanes []string) (n int) {
	for i := 1; i < len(lanes); i++ {
		if lanes[i] != lanes[i-1] {
			n++
		}
	}
	return n
}

type reordering struct {
	m        *model.Machine
	property int
	b        *model.Behaviour
	eval     model.Worker
	lanes    []int // by step: the first step on the same lane

	best    *model.Behaviour
	changes int // in best
}

// order is the beginning of a behaviour: steps by their number in the one that
// is reordered.
type order struct {
	before  *order
	step    int
	taken   []uint64 // a bit for each step
	state   []byte
	changes int
}

func (o *order) has(step int) bool { return o.taken[step/64]>>(step%64)&1 == 1 }

// steps lists the steps of an order.
func (o *order) steps() (all []int) {
	for ; o.before != nil; o = o.before {
		all = append(all, o.step)
	}
	slices.Reverse(all)
	return all
}

// key is what two orders must agree in, so that the better one is enough.
func (o *order) key(lane int) string {
	var b bytes.Buffer
	for _, w := range o.taken {
		b.Write(binary.LittleEndian.AppendUint64(nil, w))
	}
	b.Write(o.state)
	b.Write(binary.LittleEndian.AppendUint32(nil, uint32(lane)))
	return b.String()
}

func (r *reordering) run() {
	n := r.b.Steps()
	level := []*order{{step: -1, taken: make([]uint64, (n+63)/64), state: r.b.States[0]}}
	for size := 1; size <= n; size++ {
		var next []*order
		known := map[string]int{}
		for _, o := range level {
			for i := range n {
				c := r.after(o, i, size == n)
				if c == nil {
					continue
				}
				key := c.key(r.lanes[i])
				at, met := known[key]
				if !met {
					known[key] = len(next)
					next = append(next, c)
				} else if c.changes < next[at].changes {
					next[at] = c
				}
			}
		}
		// Of equally good ones the first is the nearest to the order there was:
		// levels are in that order, and a stable sort keeps it.
		slices.SortStableFunc(next, func(a, b *order) int { return cmp.Compare(a.changes, b.changes) })
		level = next[:min(len(next), reorderWidth)]
	}
	if len(level) > 0 && level[0].changes < r.changes {
		r.keep(level[0])
	}
}

// after is an order with one more step, or nil if that cannot be taken there,
// or shows the finding too early, or does not show it at the end.
func (r *reordering) after(o *order, i int, last bool) *order {
	if o.has(i) {
		return nil
	}
	// One instance taken several times is taken in turn.
	for j := range i {
		if r.b.Labels[j] == r.b.Labels[i] && !o.has(j) {
			return nil
		}
	}
	next, blocked, fault := r.eval.Step(o.state, r.b.Labels[i])
	if blocked != "" || fault != nil || bytes.Equal(next, o.state) {
		return nil
	}
	c := &order{before: o, step: i, taken: slices.Clone(o.taken), state: slices.Clone(next), changes: o.changes}
	c.taken[i/64] |= 1 << (i % 64)
	if o.before != nil && r.lanes[o.step] != r.lanes[i] {
		c.changes++
	}
	if r.shows(o.state, c.state) != last {
		return nil
	}
	if within, fault := r.eval.Within(c.state); !last && (!within || fault != nil) {
		return nil
	}
	return c
}

// shows says whether a behaviour with this last step shows the finding.
func (r *reordering) shows(from, to []byte) bool {
	asked := []int{r.property}
	switch r.m.Properties[r.property].Kind {
	case model.StepInvariant:
		at, fault := r.eval.JudgeStep(from, to, asked)
		return at == 0 && fault == nil
	case model.NoDeadlock:
		return (&causal{eval: r.eval, fan: r.m.NewBatch(16)}).stuck(to)
	}
	at, fault := r.eval.Judge(to, asked)
	return at == 0 && fault == nil
}

// keep makes the behaviour of an order.
func (r *reordering) keep(o *order) {
	b := &model.Behaviour{States: r.b.States[:1:1], Loop: -1}
	for _, i := range o.steps() {
		next, _, _ := r.eval.Step(b.States[b.Steps()], r.b.Labels[i])
		b.States, b.Labels = append(b.States, slices.Clone(next)), append(b.Labels, r.b.Labels[i])
	}
	if err := r.m.Shows(b, r.property); err != nil {
		panic(Mismatch{err})
	}
	r.best, r.changes = b, o.changes
}
