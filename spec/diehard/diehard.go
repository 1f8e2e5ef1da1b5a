// Package diehard is the puzzle of the two jugs, from the film: a jug of 3 and
// one of 5 gallons, a tap, and the wish for exactly 4 gallons. It is the
// shortest spec there is to read. The witness is the solution.
package diehard

import "mc/model"

// State is the water in each jug, in gallons.
type State struct{ Small, Big uint8 }

const small, big = 3, 5 // gallons each holds

// Entry is the spec.
var Entry = model.Define("die-hard", "two jugs, a tap, and exactly four gallons wanted", build)

func build(c *model.Config) *model.Spec[State] {
	want := uint8(c.Int("want", 4, 1, big, "gallons to measure out in the big jug"))
	always := func(*State) bool { return true }

	return &model.Spec[State]{
		Init: []State{{}},
		Actions: []model.Action[State]{
			model.Act("FillSmall", always, func(s *State) { s.Small = small }),
			model.Act("FillBig", always, func(s *State) { s.Big = big }),
			model.Act("EmptySmall", always, func(s *State) { s.Small = 0 }),
			model.Act("EmptyBig", always, func(s *State) { s.Big = 0 }),
			model.Act("SmallToBig", always, func(s *State) { pour(&s.Small, &s.Big, big) }),
			model.Act("BigToSmall", always, func(s *State) { pour(&s.Big, &s.Small, small) }),
		},
		Properties: []model.Property[State]{
			model.Always("NoSpill", func(s *State) bool { return s.Small <= small && s.Big <= big }).
				Doc("no jug holds more than it can"),
			model.Reachable("Solved", func(s *State) bool { return s.Big == want }).
				Doc("the big jug holds the gallons wanted"),
		},
	}
}

// pour empties one jug into another until that one is full.
func pour(from, to *uint8, size uint8) {
	n := min(*from, size-*to)
	*from -= n
	*to += n
}
