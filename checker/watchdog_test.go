package checker

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mc/model"
)

type spinning struct{ N, M uint16 }

// spin is where a spec of these tests hangs.
type spin struct{ guard, effect, property, step, initial, wait bool }

// spins makes a grid that hangs where N is 5 and M is 7, and where a test wants
// it to. Whoever hangs leaves when the test ends.
func spins(t *testing.T, at spin) *model.Machine {
	t.Helper()
	end := make(chan struct{})
	t.Cleanup(func() { close(end) })
	forEver := func(yes bool, s *spinning) {
		for yes && s.N == 5 && s.M == 7 {
			select {
			case <-end:
				return
			default:
			}
		}
	}
	var waited atomic.Bool
	e := model.Define("spins", "", func(*model.Config) *model.Spec[spinning] {
		return &model.Spec[spinning]{
			Init: []spinning{{}},
			Actions: []model.Action[spinning]{
				model.Act1("Right", model.Below[uint8]("by", 2),
					func(s *spinning, by uint8) bool {
						if by == 1 {
							forEver(at.guard, s)
						}
						if at.wait && s.N == 5 && s.M == 7 && !waited.Swap(true) {
							<-end // the first time alone
						}
						return s.N < 40
					},
					func(s *spinning, by uint8) { s.N += uint16(by) }),
				model.Act("Up", func(s *spinning) bool { return s.M < 40 }, func(s *spinning) { forEver(at.effect, s); s.M++ }),
			},
			Properties: []model.Property[spinning]{
				model.Always("Left", func(s *spinning) bool { return s.N < 3 }),
				model.Reachable("Above", func(s *spinning) bool { return s.M == 2 }),
				model.Always("Inside", func(s *spinning) bool { forEver(at.property, s); return s.N <= 40 }),
				model.EveryStep("Grows", func(s, t *spinning) bool { forEver(at.step, s); return s.N+s.M < t.N+t.M }),
				model.Always("Begins", func(s *spinning) bool {
					for at.initial && s.N+s.M == 0 {
						<-end
						return true
					}
					return true
				}),
			},
		}
	})
	m, err := e.Machine(model.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestWatchdog: whatever hangs, the search ends and says what does, in which
// state, and what was found before.
func TestWatchdog(t *testing.T) {
	for _, c := range []struct {
		name  string
		at    spin
		want  string
		steps int // to the state
	}{
		{"guard", spin{guard: true}, "Right(by=1): it does not end: more than 40ms, in the state N=5, M=7", 12},
		{"effect", spin{effect: true}, "Up: it does not end: more than 40ms, in the state N=5, M=7", 12},
		{"property", spin{property: true}, "property Inside: it does not end: more than 40ms, in the state N=5, M=7", 12},
		{"step invariant", spin{step: true}, "property Grows: it does not end: more than 40ms, in the state N=5, M=7", 12},
		{"initial state", spin{initial: true}, "property Begins: it does not end: more than 40ms, in the state where all fields are 0, false or empty", 0},
		{"once", spin{wait: true}, "a step: it does not end: more than 1.2s, but it comes back when it is taken again", 0},
	} {
		for _, workers := range []int{1, 3} {
			t.Run(c.name, func(t *testing.T) {
				m := spins(t, c.at)
				r := Check(t.Context(), m, Options{Workers: workers, StepTimeout: 40 * time.Millisecond})
				if !r.Hangs() || r.Incomplete != StepDoesNotEnd {
					t.Fatalf("got fault %v, incomplete %q", r.Fault, r.Incomplete)
				}
				if got := r.Fault.Fault.Error(); !strings.HasPrefix(got, c.want) {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
				if r.Fault.Steps() != c.steps {
					t.Errorf("got %d steps to the state, want %d", r.Fault.Steps(), c.steps)
				}
				if err := m.Replay(r.Fault); err != nil {
					t.Error(err)
				}
				if c.steps == 0 {
					return
				}
				// 91 states in the 13 complete levels.
				if left, above := r.Results[0], r.Results[1]; left.Verdict != model.Violated || left.Steps != 3 || left.Behaviour == nil ||
					above.Verdict != model.Reached || r.Distinct != 91 || r.Depth != 13 {
					t.Errorf("got %+v, %+v, %d states, depth %d", left, above, r.Distinct, r.Depth)
				}
				for _, res := range r.Results[2:] {
					if res.Verdict != model.Incomplete {
						t.Errorf("%s: got %s, want incomplete", m.Properties[res.Property].Name, res.Verdict)
					}
				}
			})
		}
	}
}

// TestWatchdogIsPatient: a search whose steps are slow, but end, is left alone.
func TestWatchdogIsPatient(t *testing.T) {
	e := model.Define("slow", "", func(*model.Config) *model.Spec[spinning] {
		return &model.Spec[spinning]{
			Init: []spinning{{}},
			Actions: []model.Action[spinning]{
				model.Act("Up", func(s *spinning) bool { time.Sleep(2 * time.Millisecond); return s.N < 100 }, func(s *spinning) { s.N++ }),
				model.Act1("Across", model.Below[uint8]("to", 40), func(s *spinning, _ uint8) bool { return s.N == 0 },
					func(s *spinning, to uint8) { s.M = uint16(to) }),
			},
		}
	})
	m, err := e.Machine(model.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	// A run of 40 states takes 80 ms and more, four times as long as one step may.
	r := Check(t.Context(), m, Options{Workers: 1, MaxDepth: 6, StepTimeout: 20 * time.Millisecond})
	if r.Fault != nil || r.Distinct != 201 {
		t.Errorf("got fault %v and %d states, want none and 201", r.Fault, r.Distinct)
	}
}

func TestWatchdogOfWalks(t *testing.T) {
	m := spins(t, spin{guard: true})
	for _, workers := range []int{1, 3} {
		r := Walk(t.Context(), m, WalkOptions{Workers: workers, Seed: 1, Walks: 20_000, Depth: 40, StepTimeout: 40 * time.Millisecond})
		if !r.Hangs() || r.Incomplete != StepDoesNotEnd {
			t.Fatalf("got fault %v, incomplete %q", r.Fault, r.Incomplete)
		}
		if got, want := r.Fault.Fault.Error(), "Right(by=1): it does not end: more than 40ms, in the state N=5, M=7"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if err := m.Replay(r.Fault); err != nil || m.Fields(r.Fault.States[r.Fault.Steps()])[0].Value != "5" {
			t.Errorf("got %v, %v", err, m.Fields(r.Fault.States[r.Fault.Steps()]))
		}
	}
}
