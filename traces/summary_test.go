package traces

import (
	"bytes"
	"fmt"
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
	for _, width := range []int{30, 50, 80} {
		var b bytes.Buffer
		if err := Summary(&b, []Run{r}, TextOptions{Coverage: true, Width: width}); err != nil {
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
