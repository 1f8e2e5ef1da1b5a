package checker

import (
	"bytes"
	"slices"

	"mc/model"
)

// Obstacles answers why instances are not enabled in one state: the first
// conjunct of the guard that is false, and the fields whose values make it so.
//
// The fields are found by comparing with states in which the conjunct is true,
// and all before it: of what differs, as much is set back as leaves it true.
// What remains is a smallest set of fields that would have to be otherwise, and
// of those found the smallest one is told. The states to compare with are those
// given, some around the state, and some around the initial ones; if the
// conjunct is true in none of them, no fields are told.
type Obstacles struct {
	m     *model.Machine
	eval  model.Worker
	state []byte
	parts []part
	like  [][]byte
	trial *model.Batch
}

// Obstacle is why an instance is not enabled.
type Obstacle struct {
	Conjunct string
	// Fields would have to be as they are in Enough; Hidden is not among them.
	Fields []int
	Enough []byte
	// Nowhere says that the conjunct is true in none of the states looked at.
	Nowhere bool
}

const (
	likeStates = 2000 // to compare with, around each start
	likeTried  = 8    // in which a conjunct is true
)

// NewObstacles makes an Obstacles. The states given are looked at first.
func NewObstacles(m *model.Machine, state []byte, others [][]byte) *Obstacles {
	o := &Obstacles{m: m, eval: m.NewWorker(), state: state, parts: partsOf(m), trial: m.NewBatch(1)}
	known := map[string]bool{}
	add := func(s []byte) bool {
		if known[string(s)] {
			return false
		}
		known[string(s)] = true
		o.like = append(o.like, slices.Clone(s))
		return true
	}
	for _, s := range others {
		add(s)
	}
	o.around([][]byte{state}, add)
	o.around(m.Init, add)
	return o
}

// around adds states that are few steps from some.
func (o *Obstacles) around(from [][]byte, add func([]byte) bool) {
	first := len(o.like)
	queue := slices.Clone(from)
	for _, s := range from {
		add(s)
	}
	batch := o.m.NewBatch(16)
	for i := 0; i < len(queue) && len(o.like)-first < likeStates; i++ {
		if within, fault := o.eval.Within(queue[i]); !within || fault != nil {
			continue
		}
		batch.Truncate(0)
		if o.eval.Expand(queue[i], batch) != nil {
			continue
		}
		for j := range batch.Len() {
			if add(batch.State(j)) {
				queue = append(queue, o.like[len(o.like)-1])
			}
		}
	}
}

// Of is why an instance is not enabled, or nil if it is. Fault is what goes
// wrong when it is taken.
func (o *Obstacles) Of(l model.Label) (found *Obstacle, fault *model.Fault) {
	_, blocked, fault := o.eval.Step(o.state, l)
	if blocked == "" || fault != nil {
		return nil, fault
	}
	found = &Obstacle{Conjunct: blocked}
	guard := o.m.Actions[o.m.ActionOf(l)].Guard
	at := slices.Index(guard, blocked) // -1 for a guard without named parts
	tried := 0
	for _, s := range o.like {
		if tried == likeTried {
			break
		}
		if !o.passes(s, l, guard, at) {
			continue
		}
		tried++
		if fields, enough := o.least(s, l, guard, at); enough != nil && (found.Enough == nil || len(fields) < len(found.Fields)) {
			found.Fields, found.Enough = fields, enough
		}
	}
	found.Nowhere = tried == 0
	return found, nil
}

// passes says whether a conjunct, and all before it, are true in a state.
func (o *Obstacles) passes(s []byte, l model.Label, guard []string, at int) bool {
	_, blocked, fault := o.eval.Step(s, l)
	// A fault of the effect comes after the guard, but cannot be told from one
	// of the guard.
	return fault == nil && (blocked == "" || at >= 0 && slices.Index(guard, blocked) > at)
}

// least sets back what differs in a state that passes, as long as it passes.
// There is nothing to tell if it takes what is not shown.
func (o *Obstacles) least(s []byte, l model.Label, guard []string, at int) (fields []int, enough []byte) {
	o.trial.Truncate(0)
	o.trial.Append(s)
	trial := o.trial.State(0)
	for i := range o.parts {
		p := &o.parts[i]
		if p.same(trial, o.state) {
			continue
		}
		p.copy(trial, o.state)
		if o.passes(trial, l, guard, at) {
			continue
		}
		p.copy(trial, s)
		if p.field == Hidden {
			return nil, nil
		}
		fields = append(fields, p.field)
	}
	return fields, bytes.Clone(trial)
}
