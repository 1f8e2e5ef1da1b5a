package cli_test

import (
	"os"
	"runtime"
	"sync"

	"mc/model"
	"mc/spec/diehard"
	"mc/spec/twophase"
)

// Small is the state of the specs of these tests: a number.
type Small struct{ N uint8 }

// counting is a spec that counts from 0 to 3 and starts again, changed by what
// a test wants of it.
func counting(name, doc string, change func(*model.Config, *model.Spec[Small])) *model.Entry {
	return model.Define(name, doc, func(c *model.Config) *model.Spec[Small] {
		s := &model.Spec[Small]{
			Init: []Small{{}},
			Actions: []model.Action[Small]{
				model.Act("Inc", func(s *Small) bool { return s.N < 3 }, func(s *Small) { s.N++ }),
				model.Act("Reset", func(s *Small) bool { return s.N == 3 }, func(s *Small) { s.N = 0 }),
			},
		}
		change(c, s)
		return s
	})
}

func below(name string, n uint8) model.Property[Small] {
	return model.Always(name, func(s *Small) bool { return s.N < n })
}

// specs are found by the command mc of the scripts.
var specs = []*model.Entry{
	counting("bug", "counts one too far", func(c *model.Config, s *model.Spec[Small]) {
		most := uint8(c.Int("most", 2, 1, 3, "the number to stop at"))
		fixed := c.Fix("stop", "counting stops in time")
		c.Alternative("never-start", "nothing is counted")
		s.Actions[0] = model.Act("Inc", model.All(
			model.If("not at the end", func(s *Small) bool { return s.N < 3 && (!fixed || s.N < most) })),
			func(s *Small) { s.N++ }).Doc("adds one").Fair(model.Weak)
		s.Properties = []model.Property[Small]{
			below("Bounded", most+1).Doc("the number stays in its bound"),
			below("NotAbove", most+1).Doc("it is not above the bound"),
			model.Reachable("Two", func(s *Small) bool { return s.N == 2 }).Doc("counting gets somewhere"),
		}
		s.Questions = []model.Property[Small]{below("StaysBelowTwo", 2).Doc("does it stay small?")}
		s.Draw = func(d *model.Drawing, _, _ *Small) { d.On("bug") }
	}).With(model.About{
		Bug:   "TEST-1",
		Story: "A counter that goes on for one step after it should have stopped, which\nis a short story.\n\nIt has two paragraphs.",
		Scenarios: []model.Scenario{
			{Name: "usual", Doc: "as it is shipped", Default: true},
			{Name: "small", Doc: "with a bound of one", Set: "most=1"},
		},
		Claims: []model.Claim{
			{ID: "C1", Text: "The counter passes its bound, and the fix mends that.", Source: "TEST-1", Cases: []model.Case{
				{Scenarios: "usual small", Violated: "Bounded", Reachable: "Two"},
				{Scenarios: "usual", Fix: "on", Holds: "Bounded NotAbove"},
				{Scenarios: "usual", Fix: "stop,never-start", Holds: "Bounded", SameStates: true},
				{Scenarios: "usual", Holds: "StaysBelowTwo", Fix: "stop", Set: "most=1", Long: true},
			}},
			{ID: "C2", Text: "The counter is pretty.", Source: "ours", NotModelled: "beauty is no property"},
		},
	}),
	counting("deadlock", "stops at three", func(_ *model.Config, s *model.Spec[Small]) {
		s.Actions = s.Actions[:1]
		s.Properties = []model.Property[Small]{model.DeadlockFree[Small]("GoesOn")}
	}).With(model.About{Bug: "TEST-2"}),
	diehard.Entry,
	endless,
	counting("full", "a sequence that is too short", func(_ *model.Config, s *model.Spec[Small]) {
		s.Actions[1] = model.Act("Reset", func(s *Small) bool { return s.N == 3 }, func(*Small) {
			var q model.Seq[uint8, [1]uint8]
			q.Push(1)
			q.Push(2)
		})
	}),
	counting("lively", "counts without being made to", func(c *model.Config, s *model.Spec[Small]) {
		if c.Bool("fair", false, "steps are taken if they can be") {
			s.Actions[0] = s.Actions[0].Fair(model.Weak)
			s.Actions[1] = s.Actions[1].Fair(model.Weak)
		}
		if c.Bool("spin", false, "there is something else to do") {
			s.Actions = append(s.Actions, model.Act("Skip", func(s *Small) bool { return s.N == 1 }, func(s *Small) { s.N = 4 }),
				model.Act("Return", func(s *Small) bool { return s.N == 4 }, func(s *Small) { s.N = 1 }).Fair(model.Weak))
			s.Actions[0] = model.Act("Inc", func(s *Small) bool { return s.N < 3 }, func(s *Small) { s.N++ }).Fair(model.Weak)
		}
		is := func(n uint8) func(*Small) bool { return func(s *Small) bool { return s.N == n } }
		s.Properties = []model.Property[Small]{model.LeadsTo("ThreeComes", is(0), is(3)).Doc("from nothing to three")}
		s.Questions = []model.Property[Small]{
			model.LeadsTo("NineGoes", is(9), is(0)),
			model.LeadsTo("TwoIsTwo", is(2), is(2)),
			model.Eventually("FiveComes", is(5)),
		}
	}),
	counting("no-start", "has no initial state", func(_ *model.Config, s *model.Spec[Small]) {
		s.Init = nil
		s.Properties = []model.Property[Small]{below("Bounded", 4)}
	}),
	counting("panic", "an effect that panics", func(_ *model.Config, s *model.Spec[Small]) {
		s.Actions[1] = model.Act("Reset", func(s *Small) bool { return s.N == 3 }, func(*Small) { panic("spilled") })
		s.Properties = []model.Property[Small]{below("Bounded", 4)}
	}),
	seats,
	spins,
	counting("step", "goes back", func(_ *model.Config, s *model.Spec[Small]) {
		s.Properties = []model.Property[Small]{model.EveryStep("NeverBack", func(s, t *Small) bool { return s.N <= t.N })}
	}),
	twophase.Entry,
	counting("vacuous", "never gets there", func(_ *model.Config, s *model.Spec[Small]) {
		s.Properties = []model.Property[Small]{
			model.Reachable("Nine", func(s *Small) bool { return s.N == 9 }),
		}
	}),
	counting("writes", "a guard that writes", func(_ *model.Config, s *model.Spec[Small]) {
		s.Actions[0] = model.Act("Inc", func(s *Small) bool { s.N |= 8; return true }, func(s *Small) { s.N++ })
	}),
}

// Seats are those that are taken.
type Seats struct{ Taken model.Set[Seat, uint8] }

// Seat is one of three.
type Seat uint8

var seats = model.Define("seats", "three seats, one as good as the other", func(c *model.Config) *model.Spec[Seats] {
	crooked := c.Bool("crooked", false, "the first seat cannot be taken")
	all := model.Below[Seat]("seat", 3)
	return &model.Spec[Seats]{
		Init: []Seats{{}},
		Actions: []model.Action[Seats]{
			model.Act1("Sit", all, func(_ *Seats, x Seat) bool { return !crooked || x > 0 }, func(s *Seats, x Seat) { s.Taken.Add(x) }),
			model.Act1("Stand", all, func(s *Seats, x Seat) bool { return s.Taken.Has(x) }, func(s *Seats, x Seat) { s.Taken.Remove(x) }),
		},
		Properties: []model.Property[Seats]{
			model.Always("Fits", func(s *Seats) bool { return s.Taken.Len() <= 3 }),
		},
		Questions: []model.Property[Seats]{
			model.Always("FirstSitsFirst", func(s *Seats) bool { return s.Taken.Len() != 1 || s.Taken.Has(0) }),
		},
		Symmetry: []model.Symmetry[Seats]{
			model.Interchangeable("seat", 3, func(s *Seats, r *model.Renaming[Seat]) { s.Taken = s.Taken.Renamed(r) }),
		},
	}
})

// Grid has more states than any test will see.
type Grid struct{ X, Y uint32 }

var started sync.Once

var endless = model.Define("endless", "a grid without an end", func(c *model.Config) *model.Spec[Grid] {
	stuck := c.Bool("stuck", false, "the first guard never returns")
	return &model.Spec[Grid]{
		Init: []Grid{{}},
		Actions: []model.Action[Grid]{
			model.Act("Right", func(s *Grid) bool {
				if stuck || s.X > 9 { // after the first finding
					started.Do(func() { os.Stderr.WriteString(os.Getenv("SAY_STARTED")) })
				}
				if stuck {
					select {}
				}
				return true
			}, func(s *Grid) { s.X++ }),
			model.Act("Up", func(*Grid) bool { return true }, func(s *Grid) { s.Y++ }),
		},
		Properties: []model.Property[Grid]{
			model.Always("Inside", func(s *Grid) bool { return s.X < 1e9 }),
		},
		Questions: []model.Property[Grid]{
			model.Always("Short", func(s *Grid) bool { return s.X+s.Y < 2 }),
		},
	}
})

var spins = counting("spins", "counts for ever in a guard", func(c *model.Config, s *model.Spec[Small]) {
	gently := c.Fix("gently", "the guard returns")
	s.Actions[1] = model.Act1("Reset", model.Values("to", "zero", "one"), func(s *Small, to string) bool {
		for s.N == 3 && to == "one" && !gently {
			runtime.Gosched()
		}
		return s.N == 3
	}, func(s *Small, _ string) { s.N = 0 })
	s.Properties = []model.Property[Small]{below("Low", 2), below("Bounded", 4)}
})

// chance is what a spec must not depend on.
var chance uint8

// badSpecs are found by the command mcbad: specs with mistakes of their author.
var badSpecs = []*model.Entry{
	model.Define("bad-claims", "claims what makes no sense", func(*model.Config) *model.Spec[Small] {
		return &model.Spec[Small]{Properties: []model.Property[Small]{
			below("Low", 1), model.Reachable("High", func(s *Small) bool { return s.N > 0 }),
		}}
	}).With(model.About{Claims: []model.Claim{
		{ID: "A", Text: "no cases"},
		{ID: "B", Text: "wrong names", Cases: []model.Case{
			{Scenarios: "usual", Holds: "Low"},
			{Fix: "on,all", Set: "x=1", Holds: "Low"},
			{Holds: "Lo High", Violated: "Low"},
			{SameStates: true, Reachable: "High", Unreachable: "High"},
			{},
		}},
	}}),
	counting("bad-chance", "counts by chance", func(_ *model.Config, s *model.Spec[Small]) {
		s.Actions[0] = model.Act("Inc", func(s *Small) bool { return s.N < 100 }, func(s *Small) { chance++; s.N = 1 + chance%100 })
		s.Properties = []model.Property[Small]{below("Below", 200)}
	}),
	model.Define("bad-state", "has a pointer in its state", func(*model.Config) *model.Spec[struct{ P *int }] { return nil }),
	model.Define("bad-words", "claims what is not so", func(*model.Config) *model.Spec[Small] {
		return &model.Spec[Small]{Init: []Small{{}}, Properties: []model.Property[Small]{below("Low", 1), below("Zero", 0)}}
	}).With(model.About{Claims: []model.Claim{
		{ID: "D", Text: "One row differs.", Source: "ours", Cases: []model.Case{{Holds: "Low Zero"}}},
	}}),
}
