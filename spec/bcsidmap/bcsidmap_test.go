package bcsidmap

import (
	"slices"
	"strings"
	"testing"

	"mc/checker"
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
		{"raft1", "off", 703, 961, 18, "NoUpdateBcsidFailure NoApplyFailure NoStuckMissing StateMachineStaysHealthy NoPipelineCloseAsked ReplicaCompleteWhenCaughtUp"},
		{"raft1", "on", 885, 1156, 21, ""},
		{"noraft2", "off", 1242, 2529, 15, "NoUpdateBcsidFailure NoStreamFailure NoStuckMissing"},
		{"noraft2", "on", 1548, 3019, 17, ""},
		{"mix", "off", 10967, 21075, 21, "NoUpdateBcsidFailure NoApplyFailure NoStreamFailure NoStuckMissing StateMachineStaysHealthy NoPipelineCloseAsked ReplicaCompleteWhenCaughtUp"},
		{"mix", "on", 17045, 31685, 25, ""},
		{"npsf", "off", 659, 1092, 15, "NoUpdateBcsidFailure NoApplyFailure NoStuckMissing StateMachineStaysHealthy NoPipelineCloseAsked"},
		{"npsf", "on", 776, 1209, 17, ""},
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

// TestShortest pins the counterexamples to read first: one for each mode.
func TestShortest(t *testing.T) {
	for _, row := range []struct {
		scenario string
		steps    []string
	}{
		{"raft1", []string{"StreamInit(writer=w1)", "AppendMid(writer=w1)", "Crash", "Restart", "ApplyBegin", "ApplyBegin", "ApplyUpd"}},
		{"noraft2", []string{"StreamInit(writer=w1)", "Crash", "Restart", "StreamInit(writer=w2)", "StreamBegin(writer=w2, kind=mid)", "StreamUpd(writer=w2)"}},
	} {
		r := checkertest.Search(t, Entry, model.Selection{Scenario: row.scenario}, "NoUpdateBcsidFailure")
		var steps []string
		if b := r.Results[0].Behaviour; b != nil {
			for _, l := range b.Labels {
				steps = append(steps, r.Machine.Instance(l).String())
			}
		}
		if !slices.Equal(steps, row.steps) {
			t.Errorf("%s: got %v, want %v", row.scenario, steps, row.steps)
		}
	}
}

func TestStory(t *testing.T) {
	if s := Entry.Story; !strings.HasPrefix(s, "Apache") || strings.Contains(s, "//") || strings.Contains(s, "package") {
		t.Errorf("story: %s", s)
	}
}

// TestSymmetry compares searches with and without it: the same verdicts, and
// about half the states.
func TestSymmetry(t *testing.T) {
	for _, set := range []map[string]string{
		{"writer-1": "raft", "writer-2": "raft", "log": "4"},
		{"writer-1": "noraft", "writer-2": "noraft", "container-2": "c2"},
		{"writer-1": "wc", "writer-2": "wc", "close-container": "true", "lose-container": "true", "log": "4"},
	} {
		m, err := Entry.Machine(model.Selection{Set: set})
		if err != nil {
			t.Fatal(err)
		}
		whole := checker.Check(t.Context(), m, checker.Options{})
		half := checker.Check(t.Context(), m, checker.Options{Symmetry: true})
		if half.Fault != nil {
			t.Fatalf("%v: %v", set, half.Fault.Fault)
		}
		if half.Distinct < whole.Distinct/2 || half.Distinct > whole.Distinct*6/10 {
			t.Errorf("%v: got %d orbits of %d states, want about half", set, half.Distinct, whole.Distinct)
		}
		for i, r := range half.Results {
			if r.Verdict != whole.Results[i].Verdict {
				t.Errorf("%v: %s: got %s, want %s", set, m.Properties[r.Property].Name, r.Verdict, whole.Results[i].Verdict)
			}
		}
	}
}
