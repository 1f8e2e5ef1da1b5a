package traces

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mc/model"
)

func TestSummaryGolden(t *testing.T) {
	var b bytes.Buffer
	for i := range document().Runs {
		for _, o := range []TextOptions{{}, {Coverage: true, Width: 60}} {
			fmt.Fprintf(&b, "--- run %d, coverage %v, width %d\n", i, o.Coverage, o.Width)
			if err := Summary(&b, document().Runs[i:i+1], o); err != nil {
				t.Fatal(err)
			}
		}
	}
	golden(t, "summary.txt", b.Bytes())
}

// scenarios are searches that share a table, and one that does not.
func scenarios() []Run {
	run := func(scenario string, change func(r *Run)) Run {
		r := document().Runs[0]
		r.Config.Scenario, r.Growth = scenario, ""
		change(&r)
		return r
	}
	return []Run{
		run("crash", func(*Run) {}),
		run("calm", func(r *Run) {
			r.Config.Settings = slices.Clone(r.Config.Settings)
			r.Config.Settings[0].Value, r.Cut, r.NeverTaken = "0", 0, nil
			r.Results[0] = Result{Property: "ReplicasAgree", Kind: model.Invariant, Verdict: model.Holds}
			r.Results[1].Bound = 0
			r.Results = append(r.Results,
				Result{Property: "AskedIsServed", Kind: model.Leads, Verdict: model.Holds, Vacuous: true},
				Result{Property: "Settles", Kind: model.Stable, Verdict: model.Holds, NeedsNoFairness: true})
		}),
		run("cut short", func(r *Run) {
			r.Exhausted, r.Incomplete, r.Cut = false, "time limit of 1s", 0
			for i := range r.Results {
				r.Results[i] = Result{Property: r.Results[i].Property, Kind: model.Invariant, Verdict: model.Incomplete}
			}
		}),
		run("walk", func(r *Run) {
			r.Exhausted, r.Incomplete, r.Walk = false, "random walks: 5 walks of up to 10 steps, seed 3", &Walk{Seed: 3, Walks: 5}
			r.Results = []Result{{Property: "ReplicasAgree", Kind: model.Invariant, Verdict: model.Incomplete}}
		}),
	}
}

func TestScenariosGolden(t *testing.T) {
	var b bytes.Buffer
	if err := Summary(&b, scenarios(), TextOptions{}); err != nil {
		t.Fatal(err)
	}
	golden(t, "scenarios.txt", b.Bytes())
}

func TestWhy(t *testing.T) {
	stays := Result{Property: "P", Kind: model.Leads, Verdict: model.Violated, Trace: stutter()}
	loops := stays
	loops.Trace = lasso()
	for _, test := range []struct {
		name string
		r    Result
		why  Explanation
		want string
	}{
		{"deadlock", stays, Explanation{}, "stays there for ever, because no step leads out of this state"},
		{"unfair", stays, Explanation{Neglected: []Neglect{{"Ask", 1, 1, nil}, {"Crash", 1, 1, nil}}, Remedy: []string{"WF(Ask)"}, Tried: 1},
			"stays there for ever, because nothing fair is enabled, but only Ask, Crash/would hold with further fairness: WF(Ask) (judged with it)"},
		{"all taken", loops, Explanation{}, "takes every action that is enabled in the loop"},
		{"alike", loops, Explanation{Neglected: []Neglect{{"A", 1, 3, nil}, {"B", 3, 3, nil}, {"C", 1, 3, nil}}, Tried: 5},
			"neglects A, C (enabled in 1 of 3 states of the loop; no fairness)/neglects B (enabled in 3 of 3 states of the loop; no fairness)/" +
				"further fairness does not help: judged with 5 sets of conditions"},
		{"fair", loops, Explanation{Neglected: []Neglect{{"A", 1, 3, []string{"WF(A)"}}, {"B", 1, 3, []string{"WF(x=1)", "WF(x=2)"}}}, Remedy: []string{"SF(A)"}, Tried: 1, Part: true},
			"neglects A (enabled in 1 of 3 states of the loop; WF(A) allows that)/neglects B (enabled in 1 of 3 states of the loop; WF(x=1), WF(x=2) allow that)/" +
				"would hold, as far as was searched, with further fairness: SF(A) (judged with it)"},
	} {
		test.r.Explanation = &test.why
		if got := strings.Join(whys(&test.r), "/"); got != test.want {
			t.Errorf("%s: got  %s\nwant %s", test.name, got, test.want)
		}
	}
}

// TestSummaryFits: a report of long and hostile names keeps to its width.
func TestSummaryFits(t *testing.T) {
	r := document().Runs[0]
	r.Bug = "\x1b]0;title\a"
	for i := range r.Results {
		r.Results[i].Property += strings.Repeat("Long", 5*i)
		r.Results[i].Meaning += " \u202e"
	}
	r.NeverTaken = []string{strings.Repeat("Never", 40)}
	r.Incomplete = "a\nb"
	other := r
	other.Config.Scenario = strings.Repeat("scenario \u202e", 2)
	for _, width := range []int{30, 50, 80, 200} {
		var b bytes.Buffer
		if err := Summary(&b, []Run{r, other}, TextOptions{Coverage: true, Width: width}); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if columns(line) > width || plain(line) != line {
				t.Errorf("width %d: got %q with %d columns", width, line, columns(line))
			}
		}
	}
}

func TestVerdictText(t *testing.T) {
	for _, test := range []struct {
		verdict model.Verdict
		bound   uint64
		want    string
	}{
		{model.Holds, 0, "holds"},
		{model.Holds, 1, "holds (bounded: 1 state cut)"},
		{model.Holds, 12345678, "holds (bounded: 12,345,678 states cut)"},
		{model.Unreachable, 12, "unreachable (bounded: 12 states cut)"},
		{model.Violated, 0, "violated"},
		{model.Incomplete, 0, "incomplete"},
	} {
		if got := VerdictText(&Result{Verdict: test.verdict, Bound: test.bound}); got != test.want {
			t.Errorf("%s, %d: got %s, want %s", test.verdict, test.bound, got, test.want)
		}
	}
}
