package installsnapshot

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
	for _, row := range []struct {
		scenario, fix       string
		distinct, generated uint64
		depth               int
		violated            string
	}{
		{"slow-disk", "off", 15895, 77137, 22, "NeverStuckInstalled FinishedInstallIsUsed"},
		{"slow-disk", "on", 15568, 75249, 23, ""},
		{"stall-ends", "off", 12161, 60854, 22, "NeverStuckInstalled FinishedInstallIsUsed FollowerCatchesUp"},
		{"stall-ends", "on", 12176, 60886, 24, ""},
		{"leader-moves", "off", 5727, 28459, 17, "NeverStuckInstalled FinishedInstallIsUsed FollowerCatchesUp"},
		{"leader-moves", "on", 5745, 28503, 17, ""},
	} {
		r := checkertest.Search(t, Entry, model.Selection{Scenario: row.scenario, Fix: []string{row.fix}})
		var violated []string
		for _, res := range r.Results {
			if res.Verdict == model.Violated || res.Verdict == model.Unreachable {
				violated = append(violated, r.Machine.Properties[res.Property].Name)
			}
		}
		if got := strings.Join(violated, " "); got != row.violated || !r.Exhausted {
			t.Errorf("%s, fix %s: got violated: %s; want: %s; exhausted %v", row.scenario, row.fix, got, row.violated, r.Exhausted)
		}
		if r.Distinct != row.distinct || r.Generated != row.generated || r.Depth != row.depth {
			t.Errorf("%s, fix %s: got %d distinct, %d generated, depth %d; want %d, %d, %d", row.scenario, row.fix,
				r.Distinct, r.Generated, r.Depth, row.distinct, row.generated, row.depth)
		}
	}
}

// TestBehaviours pins the counterexamples to read first, and replays them.
func TestBehaviours(t *testing.T) {
	for _, row := range []struct {
		name, scenario, set, property string
		steps                         []string
		loop                          int
	}{
		{"slow disk", "slow-disk", "", "NeverStuckInstalled", []string{
			"SnapshotAndPurge(peer=B, first=3)", "SendEntry(entries=2)", "TransferLeadership",
			"SendHeartbeat", "NotifyInstall", "LandQueued",
			"TakeCheckpoint", "SwapDb", "CompleteFuture", "SendHeartbeat"}, -1},
		{"flush stall alone", "slow-disk", "check-append-atomic=true,indices=6,last=5", "NeverStuckInstalled", []string{
			"SnapshotAndPurge(peer=B, first=4)", "SendEntry(entries=1)", "SendEntry(entries=2)", "TransferLeadership",
			"SendHeartbeat", "NotifyInstall",
			"TakeCheckpoint", "SwapDb", "Flush", "CompleteFuture", "SendHeartbeat"}, -1},
		{"leader moves", "leader-moves", "", "NeverStuckInstalled", []string{
			"SnapshotAndPurge(peer=A, first=3)", "NotifyInstall", "TransferLeadership",
			"TakeCheckpoint", "SwapDb", "CompleteFuture", "SendEntry(entries=1)"}, -1},
		{"for ever", "slow-disk", "", "FinishedInstallIsUsed", []string{
			"SnapshotAndPurge(peer=B, first=3)", "SendEntry(entries=2)", "TransferLeadership", "CommitPair",
			"SendHeartbeat", "NotifyInstall", "LandQueued", "Flush", "Apply", "Apply",
			"TakeCheckpoint", "SwapDb", "CompleteFuture", "SendHeartbeat",
			"SendEntry(entries=1)", "ReceiveEntryReply(request=known)", "SendHeartbeat"}, 14},
	} {
		t.Run(row.name, func(t *testing.T) {
			set, err := model.ParseSet(row.set)
			if err != nil {
				t.Fatal(err)
			}
			r := checkertest.Search(t, Entry, model.Selection{Scenario: row.scenario, Set: set}, row.property)
			b := r.Results[0].Behaviour
			if b == nil {
				t.Fatalf("%s: got %s, want violated", row.property, r.Results[0].Verdict)
			}
			var steps []string
			for _, l := range b.Labels {
				steps = append(steps, r.Machine.Instance(l).String())
			}
			if !slices.Equal(steps, row.steps) || b.Loop != row.loop {
				t.Errorf("got %v, loop %d; want %v, loop %d", steps, b.Loop, row.steps, row.loop)
			}
			if err := r.Machine.Replay(b); err != nil {
				t.Error(err)
			}
			fixed := checkertest.Search(t, Entry, model.Selection{Scenario: row.scenario, Set: set, Fix: []string{"on"}}, row.property)
			if v := fixed.Results[0].Verdict; v != model.Holds {
				t.Errorf("with the fix: got %s, want holds", v)
			}
		})
	}
}

// TestAfterReject pins the leader's arithmetic after a rejection.
func TestAfterReject(t *testing.T) {
	for _, row := range []struct {
		name               string
		match, first, next Index
		want               Index
	}{
		{"takes what F asks for", 0, 5, 2, 2},
		{"not the same first entry again", 0, 3, 3, 2},
		{"unknown request", 0, 0, 3, 3},
		{"match is higher", 3, 5, 2, 4},
		{"match leads back to the request", 3, 4, 2, 2},
		{"nothing before the first entry", 0, 1, 1, 1},
	} {
		s := State{Match: row.match}
		if got := s.afterReject(row.first, row.next); got != row.want {
			t.Errorf("%s: got %d, want %d", row.name, got, row.want)
		}
	}
}

func TestStory(t *testing.T) {
	if s := Entry.Story; !strings.HasPrefix(s, "Apache") || strings.Contains(s, "//") || strings.Contains(s, "package") {
		t.Errorf("story: %s", s)
	}
}
