package cli

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"mc/checker"
	"mc/model"
	"mc/traces"
)

func TestHelpFitsThePage(t *testing.T) {
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		for _, line := range strings.Split(c.Long+"\n"+c.UsageString(), "\n") {
			if n := utf8.RuneCountInString(line); n > columns && c.Name() != "completion" {
				t.Errorf("help of %s: got a line of %d columns, want at most %d: %s", c.Name(), n, columns, line)
			}
		}
		for _, sub := range c.Commands() {
			check(sub)
		}
	}
	check((&app{}).root())
}

func TestExitOf(t *testing.T) {
	result := func(k model.Kind, v model.Verdict) traces.Result { return traces.Result{Kind: k, Verdict: v} }
	invariant := result(model.Invariant, model.Violated)
	step := result(model.StepInvariant, model.Violated)
	deadlock := result(model.NoDeadlock, model.Violated)
	lasso := result(model.Leads, model.Violated)
	witness := result(model.Witness, model.Unreachable)
	open := result(model.Invariant, model.Incomplete)
	for name, c := range map[string]struct {
		run  traces.Run
		want int
	}{
		"all well": {traces.Run{Distinct: 1, Results: []traces.Result{
			result(model.Invariant, model.Holds), result(model.Witness, model.Reached), result(model.Leads, model.Holds),
		}}, 0},
		"invariant":        {traces.Run{Distinct: 1, Results: []traces.Result{witness, deadlock, step, invariant}, Incomplete: "x"}, 12},
		"step invariant":   {traces.Run{Distinct: 1, Results: []traces.Result{deadlock, lasso, step}}, 15},
		"deadlock":         {traces.Run{Distinct: 1, Results: []traces.Result{lasso, deadlock}}, 11},
		"liveness":         {traces.Run{Distinct: 1, Results: []traces.Result{witness, lasso}}, 13},
		"witness":          {traces.Run{Distinct: 1, Results: []traces.Result{open, witness}}, 16},
		"fault":            {traces.Run{Distinct: 1, Results: []traces.Result{invariant}, Fault: &model.Trace{}}, 14},
		"no initial state": {traces.Run{Incomplete: "no initial state", Results: []traces.Result{open}}, 10},
		"incomplete":       {traces.Run{Distinct: 1, Incomplete: "x"}, 20},
		"undecided":        {traces.Run{Distinct: 1, Results: []traces.Result{open}}, 20},
	} {
		if got := exitOf(&c.run); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	have := []string{"bcsid-map", "die-hard", "two-phase", "on", "off"}
	for name, want := range map[string]string{
		"bcsidmap": "bcsid-map", "BCSID": "bcsid-map", "diehard": "die-hard", "phase": "two-phase", "of": "on off",
		"zz": "", "raft": "", "": "",
	} {
		if got := strings.Join(nearest(name, have), " "); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestProgress(t *testing.T) {
	first := checker.Progress{Distinct: 1_000_000, Depth: 7, Frontier: 2_500, Memory: 3 << 20, Elapsed: 10 * time.Second}
	second := first
	second.Distinct, second.Elapsed = 4_000_000, 20*time.Second

	var out bytes.Buffer
	p := &progress{w: &out, what: "lock usual"}
	p.show(first)
	p.show(second)
	p.end(&checker.Report{})
	want := "mc: lock usual: 1,000,000 states, depth 7, 100,000/s, frontier 2,500, 3.0 MiB\n" +
		"mc: lock usual: 4,000,000 states, depth 7, 300,000/s, frontier 2,500, 3.0 MiB\n"
	if out.String() != want {
		t.Errorf("elsewhere: got %q, want %q", out.String(), want)
	}

	out.Reset()
	p = &progress{w: &out, what: "lock usual", width: 20}
	p.show(first)
	p.show(second)
	p.end(&checker.Report{})
	if want := wipe + "lock usual: 1,000,0" + wipe + "lock usual: 4,000,0" + wipe; out.String() != want {
		t.Errorf("on a terminal: got %q, want %q", out.String(), want)
	}
}

// TestTooLargeToRead: a file that mc writes and cannot read again is told.
func TestTooLargeToRead(t *testing.T) {
	var told bytes.Buffer
	a := &app{err: &told}
	o := out{format: &traces.Format{Name: "json", Reads: 1 << 20}, stdout: bufio.NewWriter(io.Discard)}
	write := func(bytes int) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, strings.Repeat("x", bytes))
			return err
		}
	}
	if err := o.write(a, write(1<<20)); err != nil || told.Len() > 0 {
		t.Errorf("got %q, %v", told.String(), err)
	}
	if err := o.write(a, write(1<<20+1)); err != nil || told.String() != "mc: standard output is larger than the 1 MB that mc trace reads; choose less\n" {
		t.Errorf("got %q, %v", told.String(), err)
	}
}

// TestNamesOfTests: whatever a scenario is called, a test has a name.
func TestNamesOfTests(t *testing.T) {
	for text, want := range map[string]string{"": "", "raft-1": "Raft1", "übung 2": "Übung2", "日本 123-x": "日本123X", "--": ""} {
		if got := title(identifier(text)); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
