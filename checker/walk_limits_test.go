package checker

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"mc/model"
)

func TestWalksProveNothing(t *testing.T) {
	m := machine(t, gridEntry(2, func(s *model.Spec[grid]) {
		s.Properties = append(s.Properties,
			model.Reachable("Never", func(s *grid) bool { return s.N[0] > 2 }),
			model.DeadlockFree[grid]("D"),
			model.Eventually("Ends", func(s *grid) bool { return s.N[0] == 2 }))
		s.Terminal = func(*grid) bool { return true }
	}), model.Selection{})
	r := Walk(context.Background(), m, WalkOptions{Seed: 7, Walks: 1000})
	for _, x := range r.Results {
		if x.Verdict != model.Incomplete {
			t.Errorf("%s: got %s, want incomplete", m.Properties[x.Property].Name, x.Verdict)
		}
	}
	if want := "random walks: 1,000 walks of up to 100 steps, seed 7; they judge no temporal property"; r.Incomplete != want {
		t.Errorf("got %q, want %q", r.Incomplete, want)
	}
	if r.Distinct < 79 || r.Distinct > 83 || r.Depth != 9 || r.Walks != 1000 || r.Exhausted {
		t.Errorf("got %d distinct states, depth %d, %d walks, exhausted %v, want 81, 9, 1000, false", r.Distinct, r.Depth, r.Walks, r.Exhausted)
	}
	// Each walk starts, and each of its steps makes a state; so does each step
	// that it could have taken.
	if sum := r.Steps[0] + r.Walks; r.Generated != sum {
		t.Errorf("got %d states generated, want %d", r.Generated, sum)
	}
}

func TestWalksEnd(t *testing.T) {
	canceled, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("interrupt"))
	low := func(s *model.Spec[grid]) {
		s.Properties = append(s.Properties, model.Always("Low", func(s *grid) bool { return s.N[1] < 2 }))
	}
	for _, c := range []struct {
		name   string
		ctx    context.Context
		change func(*model.Spec[grid])
		o      WalkOptions
		want   string
		walks  uint64
		depth  int
	}{
		{"interrupt", canceled, low, WalkOptions{}, "interrupt", 0, 0},
		{"no initial state", context.Background(), func(s *model.Spec[grid]) { s.Init = nil }, WalkOptions{}, "no initial state", 0, 0},
		{"walks", context.Background(), low, WalkOptions{Walks: 1001, Depth: 50}, "random walks: 1,001 walks of up to 50 steps, seed 0", 1001, 51},
		{"first finding", context.Background(), low, WalkOptions{StopAtFirst: true}, "stopped at the first finding", roundWalks, 101},
		{"all decided", context.Background(), low, WalkOptions{Properties: []int{1}}, "", roundWalks, 101},
		{"bound", context.Background(), func(s *model.Spec[grid]) {
			s.Within = func(s *grid) bool { return s.N[0]+s.N[1]+s.N[2]+s.N[3] < 5 }
		}, WalkOptions{Walks: 10}, "random walks: 10 walks of up to 100 steps, seed 0", 10, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := Walk(c.ctx, machine(t, gridEntry(40, c.change), model.Selection{}), c.o)
			if r.Incomplete != c.want || r.Walks != c.walks || r.Depth != c.depth {
				t.Errorf("got %q, %d walks, depth %d, want %q, %d, %d", r.Incomplete, r.Walks, r.Depth, c.want, c.walks, c.depth)
			}
			if bounded := c.name == "bound"; bounded != (r.Cut > 0) {
				t.Errorf("got %d cut", r.Cut)
			}
		})
	}
}

func TestWalksFindFaults(t *testing.T) {
	at := func(s *grid) bool { return s.N == [4]uint8{1, 0, 1, 0} }
	boom := func(s *grid) bool {
		if at(s) {
			panic("boom")
		}
		return true
	}
	property := func(p model.Property[grid]) func(*model.Spec[grid]) {
		return func(s *model.Spec[grid]) { s.Properties = append(s.Properties, p) }
	}
	for _, c := range []struct {
		name   string
		change func(*model.Spec[grid])
		want   string
		steps  int
	}{
		{"effect", func(s *model.Spec[grid]) {
			s.Actions = append(s.Actions, model.Act("Odd", at, func(*grid) { panic("boom") }))
		}, "Odd: panic: boom at walk_limits_test.go:", 2},
		{"full sequence", func(s *model.Spec[grid]) {
			s.Actions = append(s.Actions, model.Act("Odd", at, func(*grid) {
				var q model.Seq[uint8, [1]uint8]
				q.Push(1)
				q.Push(1)
			}))
		}, "Odd: full sequence", 2},
		{"writing guard", func(s *model.Spec[grid]) {
			s.Actions = append(s.Actions, model.Act("Odd", func(s *grid) bool {
				if at(s) {
					s.N[3] = 1
				}
				return false
			}, func(*grid) {}))
		}, "guard of Odd", 2},
		{"property", property(model.Always("Odd", boom)), "property Odd: panic: boom", 2},
		{"step property", property(model.EveryStep("Odd", func(_, t *grid) bool { return boom(t) })), "property Odd: panic: boom", 1},
		{"bound", func(s *model.Spec[grid]) { s.Within = boom }, "bound Within: panic: boom", 2},
		{"terminal", func(s *model.Spec[grid]) {
			property(model.DeadlockFree[grid]("D"))(s)
			s.Terminal = func(*grid) bool { panic("boom") }
		}, "Terminal: panic: boom", 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := machine(t, gridEntry(3, c.change), model.Selection{})
			r := sameForAll(t, c.name, m, WalkOptions{Walks: 5000})
			if r.Fault == nil || !strings.HasPrefix(r.Fault.Fault.Error(), c.want) || r.Fault.Steps() != c.steps {
				t.Fatalf("got fault %+v, want %q after %d steps", r.Fault, c.want, c.steps)
			}
			if r.Incomplete != "the spec is at fault" || m.Replay(r.Fault) != nil {
				t.Errorf("got %q, replay: %v", r.Incomplete, m.Replay(r.Fault))
			}
		})
	}
}

// TestWalksBlameLots runs a spec whose effects draw lots.
func TestWalksBlameLots(t *testing.T) {
	for range 20 {
		m := machine(t, gridEntry(8, func(s *model.Spec[grid]) {
			s.Actions = append(s.Actions, model.Act("Lots",
				func(s *grid) bool { return s.N[0] < 8 },
				func(s *grid) { s.N[0] += uint8(rand.IntN(2)) }))
			s.Properties[0] = model.Always("InRange", func(s *grid) bool { return s.N[0] < 7 || s.N[3] < 7 })
		}), model.Selection{})
		r := Walk(context.Background(), m, WalkOptions{Workers: 2, Walks: 100})
		if r.Fault == nil || r.Fault.Fault.Kind != model.NotAFunction || r.Fault.Fault.Where != "Lots" {
			t.Fatalf("got %v", r.Fault)
		}
	}
}

func TestWalksTellProgress(t *testing.T) {
	var told []Progress
	Walk(context.Background(), machine(t, gridEntry(20, nil), model.Selection{}), WalkOptions{
		ProgressEvery: time.Microsecond, Walks: 4 * roundWalks,
		Progress: func(p Progress) { told = append(told, p) },
	})
	for i, p := range told {
		if p.Walks != uint64(i)*roundWalks || i > 0 && p.Distinct == 0 || p.Distinct > p.Generated {
			t.Errorf("got %+v", p)
		}
	}
	if len(told) != 4 {
		t.Errorf("got %d reports, want 4", len(told))
	}
}

// TestWalksAllocateNothingPerStep compares walks with some that are 50 times
// as long.
func TestWalksAllocateNothingPerStep(t *testing.T) {
	m := machine(t, gridEntry(200, nil), model.Selection{})
	allocs := func(depth int) float64 {
		return testing.AllocsPerRun(1, func() {
			Walk(context.Background(), m, WalkOptions{Workers: 1, Walks: 100, Depth: depth})
		})
	}
	if short, long := allocs(10), allocs(500); long-short > 20 {
		t.Errorf("got %v allocations for 1,000 steps and %v for 50,000", short, long)
	}
}
