package checker

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"mc/model"
)

// Space is the whole graph of a small state space, or of what is left of a
// larger one when states are merged that agree in some fields.
type Space struct {
	Nodes  []Node // in breadth-first order
	Arcs   []Arc  // by From, then To
	States int    // that were searched; more than nodes if some were merged
}

// Node is a state, or those that are merged with it.
type Node struct {
	State  []byte // the first of them
	States int
	// Of merged states, these are so if one of them is so.
	Initial  bool
	Terminal bool  // no step leads out, and a behaviour may end here
	Deadlock bool  // no step leads out, and none may
	Cut      bool  // outside the bound: its steps are not there
	Shows    []int // properties that are violated, witnesses that are reached
}

// Arc is the steps from one node to a different one.
type Arc struct {
	From, To int
	Labels   []model.Label // each once, ascending
	Shows    []int         // step invariants that a step breaks
}

// SpaceOptions say what to draw a graph of.
type SpaceOptions struct {
	Properties []int // to mark; nil for the guarantees
	Fields     []int // merge states that agree in these; nil to merge none
	MaxNodes   int
	MaxStates  int // that are searched
	Symmetry   bool
}

// TooLarge says that a space has more nodes, or states, than asked for.
type TooLarge struct {
	Nodes, States int // found until then
	Limit         int // the one that was met
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf("more than %d: %d states found so far", e.Limit, e.States)
}

// Explore makes the graph of a space. It ends with an error that wraps TooLarge
// if that has too many nodes, and with one that is a fault of the spec.
func Explore(ctx context.Context, m *model.Machine, o SpaceOptions) (*Space, error) {
	if err := Refuse(m, Options{Properties: o.Properties, Symmetry: o.Symmetry}); err != nil {
		return nil, err
	}
	x := &exploring{m: m, o: o, eval: m.NewWorker(), space: &Space{}, known: map[string]int{}, merged: map[string]int{}, arcs: map[[2]int]int{},
		batch: m.NewBatch(16), scratch: m.NewBatch(1)}
	for _, p := range asked(m, o.Properties) {
		switch m.Properties[p].Kind {
		case model.Invariant, model.Witness:
			x.states = append(x.states, p)
		case model.StepInvariant:
			x.steps = append(x.steps, p)
		}
	}
	if err := x.run(ctx); err != nil {
		return nil, err
	}
	slices.SortFunc(x.space.Arcs, func(a, b Arc) int {
		return slices.Compare([]int{a.From, a.To}, []int{b.From, b.To})
	})
	return x.space, nil
}

type exploring struct {
	m             *model.Machine
	o             SpaceOptions
	eval          model.Worker
	states, steps []int // properties

	space  *Space
	known  map[string]int // node of a state
	merged map[string]int // node of the fields that are kept
	arcs   map[[2]int]int
	queue  [][]byte

	batch, scratch *model.Batch
}

func (x *exploring) run(ctx context.Context) error {
	for _, s := range x.m.Init {
		n, err := x.meet(s)
		if err != nil {
			return err
		}
		x.space.Nodes[n].Initial = true
	}
	for i := 0; i < len(x.queue); i++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := x.expand(x.queue[i]); err != nil {
			return err
		}
	}
	return nil
}

// meet is the node of a state, which is new or known.
func (x *exploring) meet(state []byte) (node int, err error) {
	if x.o.Symmetry {
		x.scratch.Truncate(0)
		x.scratch.Append(state)
		state = x.scratch.State(0)
		if fault := x.eval.Canonize(state); fault != nil {
			return 0, fault
		}
	}
	if n, ok := x.known[string(state)]; ok {
		return n, nil
	}
	state = slices.Clone(state)
	key := string(state)
	if x.o.Fields != nil {
		key = ""
		for _, f := range x.o.Fields {
			key += string(x.m.FieldBytes(f, state))
		}
	}
	n, ok := x.merged[key]
	if !ok {
		n = len(x.space.Nodes)
		x.merged[key] = n
		x.space.Nodes = append(x.space.Nodes, Node{State: state})
	}
	x.known[string(state)] = n
	x.queue = append(x.queue, state)
	x.space.Nodes[n].States++
	x.space.States++
	switch {
	case len(x.space.Nodes) > x.o.MaxNodes:
		return 0, &TooLarge{len(x.space.Nodes), x.space.States, x.o.MaxNodes}
	case x.space.States > x.o.MaxStates:
		return 0, &TooLarge{len(x.space.Nodes), x.space.States, x.o.MaxStates}
	}
	return n, x.judge(n, state)
}

// judge notes which properties a state shows.
func (x *exploring) judge(n int, state []byte) error {
	for _, p := range x.states {
		at, fault := x.eval.Judge(state, []int{p})
		if fault != nil {
			return fault
		}
		if node := &x.space.Nodes[n]; at == 0 && !slices.Contains(node.Shows, p) {
			node.Shows = append(node.Shows, p)
		}
	}
	return nil
}

// expand adds the steps out of a state.
func (x *exploring) expand(state []byte) error {
	from := x.known[string(state)]
	within, fault := x.eval.Within(state)
	if fault != nil {
		return fault
	}
	if !within {
		x.space.Nodes[from].Cut = true
		return nil
	}
	x.batch.Truncate(0)
	if fault := x.eval.Expand(state, x.batch); fault != nil {
		return fault
	}
	stuck := true
	for i, l := range x.batch.Labels {
		next := x.batch.State(i)
		if bytes.Equal(next, state) {
			continue
		}
		stuck = false
		to, err := x.meet(next)
		if err != nil {
			return err
		}
		if to != from {
			if err := x.arc(from, to, l, state, next); err != nil {
				return err
			}
		}
	}
	if !stuck {
		return nil
	}
	terminal, fault := x.eval.Terminal(state)
	if fault != nil {
		return fault
	}
	node := &x.space.Nodes[from]
	node.Terminal, node.Deadlock = node.Terminal || terminal, node.Deadlock || !terminal
	return nil
}

func (x *exploring) arc(from, to int, l model.Label, s, t []byte) error {
	at, ok := x.arcs[[2]int{from, to}]
	if !ok {
		at = len(x.space.Arcs)
		x.arcs[[2]int{from, to}] = at
		x.space.Arcs = append(x.space.Arcs, Arc{From: from, To: to})
	}
	a := &x.space.Arcs[at]
	if i, has := slices.BinarySearch(a.Labels, l); !has {
		a.Labels = slices.Insert(a.Labels, i, l)
	}
	for _, p := range x.steps {
		broken, fault := x.eval.JudgeStep(s, t, []int{p})
		if fault != nil {
			return fault
		}
		if broken == 0 && !slices.Contains(a.Shows, p) {
			a.Shows = append(a.Shows, p)
		}
	}
	return nil
}
