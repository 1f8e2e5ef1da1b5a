package checker

import (
	"slices"

	"mc/checker/seen"
	"mc/model"
)

// detour is a breadth-first search around one state of a behaviour, and the
// best way found there to do with fewer steps.
type detour struct {
	*shortening
	b     *model.Behaviour
	from  int            // index of the state it begins at
	later map[string]int // the states further on in b, with their index
	met   map[string]bool
	trail []trail // of the states in the queue

	steps int   // of the best behaviour known
	best  trail // the last step of the way to it, unless steps is that of b
	join  int   // index of the state of b where it ends, or -1 if it shows the finding
}

// trail is a step of the search: from a state of the queue, or -1 where it
// begins.
type trail struct {
	parent int
	label  model.Label
	state  []byte // it leads to
	steps  int    // since the search began
}

// shortcut is a behaviour of fewer steps, or nil if none is near.
func (s *shortening) shortcut(b *model.Behaviour) *model.Behaviour {
	for from := range b.Steps() {
		if s.retries <= 0 {
			return nil
		}
		d := &detour{shortening: s, b: b, from: from, later: map[string]int{}, met: map[string]bool{}, steps: b.Steps()}
		for i := from + 1; i < s.rejoins(b); i++ {
			d.later[string(b.States[i])] = i
		}
		d.search()
		if d.steps < b.Steps() {
			return d.behaviour()
		}
	}
	return nil
}

// search looks around the state it begins at. For the first state of a
// behaviour it begins at all initial ones.
func (d *detour) search() {
	if d.from > 0 {
		d.meet(nil, trail{parent: -1, state: d.b.States[d.from]})
	} else {
		for _, state := range d.s.m.Init {
			d.meet(nil, trail{parent: -1, state: state})
		}
	}
	for n := 0; n < len(d.trail) && len(d.trail) < shortcutStates; n++ {
		at := d.trail[n]
		d.retries--
		d.fan.Truncate(0)
		if !d.expandInto(d.fan, at.state) {
			continue
		}
		for i, l := range d.fan.Labels {
			if t := d.fan.State(i); !seen.Equal(t, at.state) {
				d.meet(at.state, trail{n, l, t, at.steps + 1})
			}
		}
	}
}

// meet judges a step of the search, and lets the search go on from it if it
// leads to a new state.
func (d *detour) meet(from []byte, t trail) {
	better := func(steps, join int) {
		if steps < d.steps {
			t.state = slices.Clone(t.state)
			d.steps, d.best, d.join = steps, t, join
		}
	}
	// Only what would be better is worth judging.
	if d.from+t.steps < d.steps && d.shows(from, t.state) {
		better(d.from+t.steps, -1)
	}
	if d.met[string(t.state)] {
		return
	}
	if i, ok := d.later[string(t.state)]; ok {
		better(d.from+t.steps+d.b.Steps()-i, i)
	}
	t.state = slices.Clone(t.state)
	d.met[string(t.state)] = true
	d.trail = append(d.trail, t)
}

// behaviour puts the best way together.
func (d *detour) behaviour() *model.Behaviour {
	var way []trail
	for t := d.best; ; t = d.trail[t.parent] {
		way = append(way, t)
		if t.parent < 0 {
			break
		}
	}
	slices.Reverse(way)
	c := &model.Behaviour{Loop: -1}
	if d.from > 0 {
		c.States, c.Labels = slices.Clone(d.b.States[:d.from]), slices.Clone(d.b.Labels[:d.from])
	}
	for i, t := range way {
		c.States = append(c.States, t.state)
		if i > 0 {
			c.Labels = append(c.Labels, t.label)
		}
	}
	if d.join >= 0 {
		c.States = append(c.States, d.b.States[d.join+1:]...)
		c.Labels = append(c.Labels, d.b.Labels[d.join:]...)
	}
	return c
}
