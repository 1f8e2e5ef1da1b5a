package appendwindow

import (
	"slices"
	"strings"
	"testing"

	"mc/checker/checkertest"
	"mc/model"
	"mc/model/modeltest"
)

func TestSpec(t *testing.T) { modeltest.Run(t, Entry) }

// TestFix searches the default scenarios to their end, without the fix and
// with it.
func TestFix(t *testing.T) {
	const hang = "NoPermanentHang FollowerCatchesUp"
	for _, row := range []struct {
		scenario, fix       string
		distinct, generated uint64
		depth               int
		violated            string
	}{
		{"stall-1", "off", 1360, 4289, 23, hang},
		{"stall-1", "on", 8964, 31541, 26, ""},
		{"stall-1", "flush-before-non-write", 1236, 3977, 23, ""},
		{"stall-2", "off", 8208, 32060, 29, hang},
		{"stall-2", "on", 50971, 212828, 32, ""},
		{"lost-1", "off", 331, 941, 22, hang},
		{"lost-1", "on", 1813, 6071, 25, ""},
		{"lost-1", "flush-before-non-write", 331, 941, 22, hang},
	} {
		r := checkertest.Search(t, Entry, model.Selection{Scenario: row.scenario, Fix: []string{row.fix}})
		var violated []string
		for _, res := range r.Results {
			if res.Verdict == model.Violated || res.Verdict == model.Unreachable {
				violated = append(violated, r.Machine.Properties[res.Property].Name)
			}
		}
		if got := strings.Join(violated, " "); got != row.violated || !r.Exhausted || r.Cut > 0 {
			t.Errorf("%s, fix %s: got violated: %s; want: %s; exhausted %v, %d cut", row.scenario, row.fix, got, row.violated, r.Exhausted, r.Cut)
		}
		if r.Distinct != row.distinct || r.Generated != row.generated || r.Depth != row.depth {
			t.Errorf("%s, fix %s: got %d distinct, %d generated, depth %d; want %d, %d, %d", row.scenario, row.fix,
				r.Distinct, r.Generated, r.Depth, row.distinct, row.generated, row.depth)
		}
	}
}

// stepsOf spells out a behaviour.
func stepsOf(m *model.Machine, b *model.Behaviour) (steps []string) {
	for _, l := range b.Labels {
		steps = append(steps, m.Instance(l).String())
	}
	return steps
}

// TestShortest pins the counterexamples to read first.
func TestShortest(t *testing.T) {
	for _, row := range []struct{ scenario, steps string }{
		{"stall-1", `ClientAppend ClientAppend SendLog(last=1) RecvLog FollowerPurge WorkerStep WorkerStep RequestTimeout(of=Owed[0])`},
		{"stall-2", `ClientAppend ClientAppend ClientAppend SendLog(last=1) SendHeartbeat RecvLog RecvHeartbeat RecvHeartbeatReply SendLog(last=2) RecvLog ` +
			`WorkerStep FollowerPurge WorkerStep WorkerStep RequestTimeout(of=Owed[0]) RequestTimeout(of=Owed[1])`},
		{"lost-1", `ClientAppend ClientAppend SendLog(last=1) RecvLog WorkerStep SendReply LoseReply RequestTimeout(of=LeakU)`},
	} {
		r := checkertest.Search(t, Entry, model.Selection{Scenario: row.scenario}, "NoPermanentHang")
		b := r.Results[0].Behaviour
		if b == nil {
			t.Fatalf("%s: NoPermanentHang holds", row.scenario)
		}
		if got, want := stepsOf(r.Machine, b), strings.Fields(row.steps); !slices.Equal(got, want) {
			t.Errorf("%s:\ngot  %v\nwant %v", row.scenario, got, want)
		}
	}
}

// TestLasso takes the hang round its loop: nothing but heartbeats, which are
// answered.
func TestLasso(t *testing.T) {
	for _, scenario := range []string{"stall-1", "stall-2", "lost-1"} {
		r := checkertest.Search(t, Entry, model.Selection{Scenario: scenario}, "FollowerCatchesUp")
		b := r.Results[0].Behaviour
		if b == nil {
			t.Fatalf("%s: FollowerCatchesUp holds", scenario)
		}
		if err := r.Machine.Replay(b); err != nil {
			t.Errorf("%s: %v", scenario, err)
		}
		if b.Loop < 0 || !slices.Equal(b.States[b.Loop], b.States[b.Steps()]) {
			t.Fatalf("%s: no loop: %d", scenario, b.Loop)
		}
		loop := slices.Sorted(slices.Values(stepsOf(r.Machine, b)[b.Loop:]))
		if want := []string{"RecvHeartbeat", "RecvHeartbeatReply", "SendHeartbeat"}; !slices.Equal(loop, want) {
			t.Errorf("%s: got a loop of %v, want %v", scenario, loop, want)
		}
	}
}

// TestInconsistent is the table of LogAppenderBase.getNextIndexForInconsistency.
func TestInconsistent(t *testing.T) {
	for _, row := range []struct {
		name                       string
		match, first, wanted, next Index
	}{
		{"what the follower asks for", 0, 3, 1, 1},
		{"not what it has acknowledged", 2, 4, 1, 3},
		{"unless the request began there", 2, 3, 2, 2},
		{"not the same request again", 0, 2, 2, 1},
		{"but never before the first entry", 0, 1, 1, 1},
		{"a request that is not in the map", 0, 0, 2, 2},
	} {
		s := State{Next: 6, Match: row.match, LeakT: 1}
		s.ReqQ.Push(Request{First: 5, Last: 5, Prev: 4, Track: Armed})
		s.inconsistent(row.first, row.wanted)
		if s.Next != row.next || s.pending() != 0 {
			t.Errorf("%s: got next %d, %d pending; want %d, 0", row.name, s.Next, s.pending(), row.next)
		}
	}
}

// TestPlaces: the parameter of RequestTimeout names every place that a state
// has room for.
func TestPlaces(t *testing.T) {
	var s State
	if want := s.ReqQ.Cap() + s.Owed.Cap() + s.RepQ.Cap() + 1; len(places) != want {
		t.Errorf("got %d places, want %d", len(places), want)
	}
}

func TestStory(t *testing.T) {
	if s := Entry.Story; !strings.HasPrefix(s, "Apache") || strings.Contains(s, "//") || strings.Contains(s, "package") {
		t.Errorf("story: %s", s)
	}
}
