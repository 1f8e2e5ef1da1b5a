package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"mc/model"
	"mc/traces"
)

func TestParseExpectations(t *testing.T) {
	all, errs := parseExpectations("x.yaml", []byte(`
version: 1
expect:
- spec: lock
  scenario: [usual, small]
  fixes: on
  settings: {clients: 010, fair: yes, "x": "a b"}
  property: [A, B]
  verdict: holds
  verdicts: {C: unreachable}
  states: 12
- spec: jugs
  fixes: one, two
  generated: 7
  depth: 3
`))
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	want := []wanted{
		{
			line: 4, spec: "lock", scenarios: []string{"usual", "small"}, fixes: []string{"on"},
			set: map[string]string{"clients": "010", "fair": "yes", "x": "a b"},
			verdicts: []wantedVerdict{
				{expectation{"C", model.Unreachable}, 10}, {expectation{"A", model.Holds}, 9}, {expectation{"B", model.Holds}, 9},
			},
			states: wantedCount{12, 11},
		},
		{line: 12, spec: "jugs", fixes: []string{"one", "two"}, generated: wantedCount{7, 14}, depth: wantedCount{3, 15}},
	}
	if got := fmt.Sprintf("%+v", all); got != fmt.Sprintf("%+v", want) {
		t.Errorf("got  %s\nwant %+v", got, want)
	}
}

// FuzzExpectations: whatever a file holds, either it is read or each thing that
// is wrong is told in a line with the file's name; and what is read names a spec
// and verdicts that there are.
func FuzzExpectations(f *testing.F) {
	for _, text := range []string{
		"expect:\n- spec: lock\n  property: [A, B]\n  verdict: holds\n  states: 1\n", "expect: [{spec: a, verdicts: {b: violated}}]",
		"expect:\n- &a {spec: x, settings: *a}\n", "a: [", "expect: {<<: {spec: a}}", "---\n---\n", "!!binary x", "? [a]\n: b", "expect:\n- spec: |\n    a\n    b\n",
		"expect:\n- spec: \"\\e[31m\\0\"\n", "version: 2", "%YAML 9.9\n---\n", "\ufeffexpect: []", "expect:\n\t- x",
		"expect: " + strings.Repeat("[", 20000), "expect:\n- spec: x\n  states: 99999999999999999999",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		all, errs := parseExpectations("x.yaml", text)
		if len(all)+len(errs) == 0 {
			t.Error("got nothing, and no mistake")
		}
		for _, err := range errs {
			line := explain(err)
			if !strings.HasPrefix(line, "x.yaml") || strings.ContainsFunc(line, unicode.IsControl) {
				t.Errorf("got %q", line)
			}
		}
		if len(errs) > 0 {
			return
		}
		for _, w := range all {
			if w.spec == "" || w.line < 1 {
				t.Errorf("got %+v", w)
			}
			for _, v := range w.verdicts {
				if !slices.Contains(allVerdicts, v.verdict) || v.line < 1 {
					t.Errorf("got %+v", v)
				}
			}
		}
	})
}

func TestExitOfExpected(t *testing.T) {
	result := func(v, want model.Verdict) traces.Result {
		return traces.Result{Kind: model.Invariant, Verdict: v, Expected: want}
	}
	for name, c := range map[string]struct {
		run  traces.Run
		want int
	}{
		"as expected":  {traces.Run{Results: []traces.Result{result(model.Violated, model.Violated), result(model.Holds, model.Holds)}}, 0},
		"gone":         {traces.Run{Results: []traces.Result{result(model.Holds, model.Violated)}}, exitUnexpected},
		"new":          {traces.Run{Results: []traces.Result{result(model.Violated, model.Holds)}}, 12},
		"new and gone": {traces.Run{Results: []traces.Result{result(model.Violated, model.Holds), result(model.Holds, model.Violated)}}, 12},
		"open":         {traces.Run{Results: []traces.Result{result(model.Incomplete, model.Violated)}}, exitIncomplete},
		"counts":       {traces.Run{Differences: []string{"3 distinct states, want 4"}}, exitUnexpected},
		"fault":        {traces.Run{Results: []traces.Result{result(model.Violated, model.Violated)}, Fault: &model.Trace{}}, exitSpecAtFault},
		"early":        {traces.Run{Results: []traces.Result{result(model.Violated, model.Violated)}, Incomplete: "x"}, exitIncomplete},
	} {
		if got := exitOf(&c.run); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}
