package checker

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"mc/model"
)

// grid is a space of (side+1)^4 states: counters that only go up.
type grid struct{ N [4]uint8 }

// gridEntry counts each of four counters up to side; bad, if given, is where a
// property is false.
func gridEntry(side uint8, change func(*model.Spec[grid])) *model.Entry {
	return model.Define("grid", "counters", func(*model.Config) *model.Spec[grid] {
		s := &model.Spec[grid]{
			Init: []grid{{}},
			Actions: []model.Action[grid]{model.Act1("Up", model.Below[uint8]("i", 4),
				func(s *grid, i uint8) bool { return s.N[i] < side },
				func(s *grid, i uint8) { s.N[i]++ })},
			Properties: []model.Property[grid]{
				model.Always("InRange", func(s *grid) bool { return s.N[0] <= side }),
			},
		}
		if change != nil {
			change(s)
		}
		return s
	})
}

func TestGridHasItsClosedForm(t *testing.T) {
	const side = 20
	agreeCount := func(n uint64) uint64 { return n * n * n * n }
	r := Check(context.Background(), machine(t, gridEntry(side, nil), model.Selection{}), Options{})
	if want := agreeCount(side + 1); r.Distinct != want || r.Depth != 4*side+1 || !r.Exhausted || r.Results[0].Verdict != model.Holds {
		t.Errorf("got %d states, depth %d, %s, want %d, %d, holds", r.Distinct, r.Depth, r.Results[0].Verdict, want, 4*side+1)
	}
}

func TestLimits(t *testing.T) {
	canceled, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("interrupt"))
	for _, c := range []struct {
		name string
		ctx  context.Context
		o    Options
		want string
	}{
		{"states", context.Background(), Options{MaxStates: 5000}, "limit of 5,000 states"},
		{"depth", context.Background(), Options{MaxDepth: 5}, "depth limit of 5 levels"},
		{"memory", context.Background(), Options{MaxMemory: 1 << 20}, "memory limit of 1,048,576 bytes"},
		{"interrupt", canceled, Options{}, "interrupt"},
	} {
		for workers := 1; workers <= 3; workers++ {
			t.Run(fmt.Sprint(c.name, workers), func(t *testing.T) {
				o := c.o
				o.Workers = workers
				r := Check(c.ctx, machine(t, gridEntry(30, nil), model.Selection{}), o)
				if r.Incomplete != c.want || r.Exhausted || r.Results[0].Verdict != model.Incomplete {
					t.Errorf("got %q, exhausted %v, %s, want %q, false, incomplete", r.Incomplete, r.Exhausted, r.Results[0].Verdict, c.want)
				}
				if o.MaxMemory > 0 && r.Memory > o.MaxMemory {
					t.Errorf("got %d bytes, want at most %d", r.Memory, o.MaxMemory)
				}
				if o.MaxStates > 0 && (r.Distinct < o.MaxStates || r.Distinct > o.MaxStates+uint64(4096*workers)) {
					t.Errorf("got %d states, want about %d", r.Distinct, o.MaxStates)
				}
				if o.MaxDepth > 0 && r.Depth != o.MaxDepth {
					t.Errorf("got depth %d, want %d", r.Depth, o.MaxDepth)
				}
			})
		}
	}
	t.Run("a limit that is just enough", func(t *testing.T) {
		r := Check(context.Background(), machine(t, gridEntry(3, nil), model.Selection{}), Options{MaxStates: 256, MaxDepth: 14})
		if !r.Exhausted || r.Incomplete != "" {
			t.Errorf("got exhausted %v, %q", r.Exhausted, r.Incomplete)
		}
	})
}

// TestLimitKeepsWhatWasFound cuts a search short after a violation.
func TestLimitKeepsWhatWasFound(t *testing.T) {
	m := machine(t, gridEntry(40, func(s *model.Spec[grid]) {
		s.Properties = append(s.Properties, model.Always("Low", func(s *grid) bool { return s.N[1] < 2 }))
	}), model.Selection{})
	r := Check(context.Background(), m, Options{MaxStates: 10000})
	if r.Results[0].Verdict != model.Incomplete || r.Results[1].Verdict != model.Violated || r.Results[1].Behaviour.Steps() != 2 {
		t.Errorf("got %+v", r.Results)
	}
	r = Check(context.Background(), m, Options{StopAtFirst: true})
	if r.Incomplete != "stopped at the first finding" || r.Depth != 3 || r.Results[1].Verdict != model.Violated {
		t.Errorf("stop at first: got %q, depth %d, %+v", r.Incomplete, r.Depth, r.Results)
	}
	r = Check(context.Background(), m, Options{Properties: []int{1}})
	if r.Incomplete != "" || r.Exhausted || r.Depth != 3 || len(r.Results) != 1 {
		t.Errorf("all decided: got %q, exhausted %v, depth %d, %+v", r.Incomplete, r.Exhausted, r.Depth, r.Results)
	}
}

func TestFaultsAreFindings(t *testing.T) {
	at := func(s *grid) bool { return s.N == [4]uint8{1, 0, 1, 0} }
	act := func(guard func(*grid) bool, effect func(*grid)) func(*model.Spec[grid]) {
		return func(s *model.Spec[grid]) { s.Actions = append(s.Actions, model.Act("Odd", guard, effect)) }
	}
	for _, c := range []struct {
		name   string
		change func(*model.Spec[grid])
		want   string
		steps  int
	}{
		{"panicking effect", act(at, func(*grid) { panic("boom") }), "Odd: panic: boom at limits_test.go:", 2},
		{"panicking guard", act(func(s *grid) bool {
			if at(s) {
				panic("boom")
			}
			return false
		}, func(*grid) {}), "Odd: panic: boom at limits_test.go:", 2},
		{"full sequence", act(at, func(*grid) {
			var q model.Seq[uint8, [1]uint8]
			q.Push(1)
			q.Push(1)
		}), "Odd: full sequence", 2},
		{"writing guard", act(func(s *grid) bool {
			if at(s) {
				s.N[3] = 1
			}
			return false
		}, func(*grid) {}), "guard of Odd", 2},
		{"panicking property", func(s *model.Spec[grid]) {
			s.Properties = append(s.Properties, model.Always("Odd", func(s *grid) bool {
				if at(s) {
					panic("boom")
				}
				return true
			}))
		}, "property Odd: panic: boom at limits_test.go:", 2},
		{"panicking step property", func(s *model.Spec[grid]) {
			s.Properties = append(s.Properties, model.EveryStep("Odd", func(s, t *grid) bool {
				if at(t) {
					panic("boom")
				}
				return true
			}))
		}, "property Odd: panic: boom", 1},
		{"writing property", func(s *model.Spec[grid]) {
			s.Properties = append(s.Properties, model.Reachable("Odd", func(s *grid) bool {
				if at(s) {
					s.N[0] = 9
				}
				return false
			}))
		}, "property Odd: a guard or property that writes", 2},
		{"panicking bound", func(s *model.Spec[grid]) {
			s.Within = func(s *grid) bool {
				if at(s) {
					panic("boom")
				}
				return true
			}
		}, "bound Within: panic: boom", 2},
		{"panicking terminal", func(s *model.Spec[grid]) {
			s.Properties = append(s.Properties, model.DeadlockFree[grid]("D"))
			s.Terminal = func(s *grid) bool { panic("boom") }
		}, "Terminal: panic: boom", 12},
	} {
		t.Run(c.name, func(t *testing.T) {
			var first *Report
			for _, workers := range []int{1, 2, 8} {
				r := Check(context.Background(), machine(t, gridEntry(3, c.change), model.Selection{}), Options{Workers: workers})
				if r.Fault == nil || !strings.HasPrefix(r.Fault.Fault.Error(), c.want) || r.Fault.Steps() != c.steps {
					t.Fatalf("got fault %+v, want %q after %d steps", r.Fault, c.want, c.steps)
				}
				if r.Exhausted || r.Results[0].Verdict != model.Incomplete {
					t.Errorf("got exhausted %v, %s, want false, incomplete", r.Exhausted, r.Results[0].Verdict)
				}
				if first == nil {
					first = r
				}
				if !reflect.DeepEqual(r.Fault, first.Fault) {
					t.Errorf("%d workers: got %+v, want %+v", workers, r.Fault, first.Fault)
				}
			}
		})
	}
}

// TestStepsMustBeFunctions runs specs whose effects draw lots. Whatever the
// search notices, it must blame the spec and not itself; with that many lots it
// must notice.
func TestStepsMustBeFunctions(t *testing.T) {
	for _, violated := range []bool{false, true} {
		for range 20 {
			m := machine(t, gridEntry(8, func(s *model.Spec[grid]) {
				s.Actions = append(s.Actions, model.Act("Lots",
					func(s *grid) bool { return s.N[0] < 8 },
					func(s *grid) { s.N[0] += uint8(rand.IntN(2)) }))
				if violated {
					s.Properties[0] = model.Always("InRange", func(s *grid) bool { return s.N[0] < 7 || s.N[3] < 7 })
				}
			}), model.Selection{})
			r := Check(context.Background(), m, Options{Workers: 2})
			if r.Fault == nil {
				if r.Results[0].Verdict != model.Violated {
					t.Fatalf("got no fault and %s", r.Results[0].Verdict)
				}
				continue
			}
			if r.Fault.Fault.Kind != model.NotAFunction || r.Fault.Fault.Where != "Lots" {
				t.Fatalf("got %v", r.Fault.Fault)
			}
		}
	}
}

// When the model does not do again what it did, no initial state may lead to
// what the search found.
func TestChanceHidesTheStart(t *testing.T) {
	faults := 0
	for range 500 {
		m := machine(t, gridEntry(1, func(s *model.Spec[grid]) {
			s.Actions = []model.Action[grid]{model.Act("Lots",
				func(s *grid) bool { return s.N[0] == 0 },
				func(s *grid) { s.N[0] = uint8(1 + rand.IntN(3)) })}
			s.Properties = []model.Property[grid]{model.Always("InRange", func(s *grid) bool { return s.N[0] < 3 })}
		}), model.Selection{})
		r := Check(context.Background(), m, Options{Workers: 1})
		if r.Fault == nil {
			continue
		}
		faults++
		if r.Fault.Fault.Kind != model.NotAFunction || r.Fault.Fault.Where != "Lots" || len(r.Fault.States) != 1 {
			t.Fatalf("got %v after %d states", r.Fault.Fault, len(r.Fault.States))
		}
	}
	if faults == 0 {
		t.Error("chance was never seen")
	}
}

func TestNoInitialState(t *testing.T) {
	m := machine(t, gridEntry(1, func(s *model.Spec[grid]) { s.Init = nil }), model.Selection{})
	if r := Check(context.Background(), m, Options{}); r.Distinct != 0 || r.Depth != 0 || r.Exhausted || r.Results[0].Verdict != model.Incomplete {
		t.Errorf("got %d states, depth %d, exhausted %v, %s", r.Distinct, r.Depth, r.Exhausted, r.Results[0].Verdict)
	}
}

func TestProgress(t *testing.T) {
	var seen []Progress
	Check(context.Background(), machine(t, gridEntry(20, nil), model.Selection{}), Options{
		ProgressEvery: time.Millisecond,
		Progress:      func(p Progress) { seen = append(seen, p) },
	})
	for i, p := range seen {
		if p.Depth < 1 || p.Generated < p.Distinct && i > 0 && p.Generated == 0 || p.Memory <= 0 {
			t.Errorf("got %+v", p)
		}
		if i > 0 && (p.Distinct < seen[i-1].Distinct || p.Depth < seen[i-1].Depth) {
			t.Errorf("progress went back from %+v to %+v", seen[i-1], p)
		}
	}
	if len(seen) == 0 {
		t.Error("got no progress")
	}
}

// TestSearchAllocatesNothingPerState compares the allocations of two searches,
// one 16 times as large.
func TestSearchAllocatesNothingPerState(t *testing.T) {
	allocs := func(side uint8) float64 {
		m := machine(t, gridEntry(side, nil), model.Selection{})
		return testing.AllocsPerRun(1, func() { Check(context.Background(), m, Options{Workers: 1}) })
	}
	small, large := allocs(9), allocs(19) // 10^4 and 16·10^4 states
	if large-small > 1000 {
		t.Errorf("got %v allocations for 10,000 states and %v for 160,000", small, large)
	}
}
