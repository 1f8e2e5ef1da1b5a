package checker

import (
	"context"
	"slices"
	"testing"
	"time"
	"unsafe"

	"mc/model"
	"mc/spec/twophase"
)

// byHand is two-phase commit as one would write it for this engine alone: one
// function without actions, guards or closures.
type byHand struct {
	model.Worker
	rms int
}

func (h byHand) Expand(state []byte, out *model.Batch) *model.Fault {
	s := view(state)
	next := func(label int) *twophase.State { return view(out.Next(state, model.Label(label))) }
	n := h.rms
	all := uint8(1<<n - 1)
	heard, prepared := bitsOf(&s.Heard), bitsOf(&s.Prepared)
	label := 0
	if s.Decision == twophase.Working {
		for r := range n {
			if prepared>>r&1 == 1 {
				next(label + r).Heard.Add(twophase.RM(r))
			}
		}
		if heard == all {
			t := next(n)
			t.Decision, t.MsgCommit = twophase.Committed, true
		}
		t := next(n + 1)
		t.Decision, t.MsgAbort = twophase.Aborted, true
	}
	label = n + 2
	for r := range n {
		if s.Phase[r] == twophase.Working {
			t := next(label + r)
			t.Phase[r] = twophase.Prepared
			t.Prepared.Add(twophase.RM(r))
			next(label + n + r).Phase[r] = twophase.Aborted
		}
	}
	label += 2 * n
	for r := range n {
		if s.MsgCommit {
			next(label + r).Phase[r] = twophase.Committed
		}
		if s.MsgAbort {
			next(label + n + r).Phase[r] = twophase.Aborted
		}
	}
	return nil
}

func view(state []byte) *twophase.State { return (*twophase.State)(unsafe.Pointer(&state[0])) }

func bitsOf(s *model.Set[twophase.RM, uint8]) uint8 { return *(*uint8)(unsafe.Pointer(s)) }

// searchByHand is Check with the machine's steps written by hand.
func searchByHand(m *model.Machine, rms int, o Options) *Report {
	s := newSearch(m, o)
	defer s.close()
	for _, w := range s.crew {
		w.eval = byHand{w.eval, rms}
	}
	s.run(context.Background())
	return s.report()
}

func TestByHandIsTheSameSearch(t *testing.T) {
	m := machine(t, entry(t, "two-phase"), model.Selection{Set: map[string]string{"rms": "4"}})
	o := Options{Workers: 1, Properties: []int{0}}
	want, got := Check(context.Background(), m, o), searchByHand(m, 4, o)
	if got.Distinct != want.Distinct || got.Generated != want.Generated || !slices.Equal(got.Steps, want.Steps) {
		t.Errorf("got %d distinct of %d generated, steps %d, want %d, %d, %d",
			got.Distinct, got.Generated, got.Steps, want.Distinct, want.Generated, want.Steps)
	}
}

// BenchmarkSpecAgainstByHand searches two-phase commit through the public API
// and with steps written by hand, in turn, and reports the ratio of the
// medians: what the API costs.
func BenchmarkSpecAgainstByHand(b *testing.B) {
	m := machine(b, entry(b, "two-phase"), model.Selection{Set: map[string]string{"rms": "8"}})
	o := Options{Workers: 1, Properties: []int{0}}
	var spec, hand []time.Duration
	for b.Loop() {
		spec = append(spec, Check(context.Background(), m, o).Elapsed)
		hand = append(hand, searchByHand(m, 8, o).Elapsed)
	}
	slices.Sort(spec)
	slices.Sort(hand)
	b.ReportMetric(float64(spec[len(spec)/2])/float64(hand[len(hand)/2]), "ratio")
}
