package spec

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mc/checker"
	"mc/model"
)

var (
	update = flag.Bool("update", false, "write the goldens anew")
	long   = flag.Bool("long", false, "also run the cases that take long")
)

// TestClaims runs every case of every claim of every spec. Each must come out
// as the claim says, and find exactly the states that the golden file pins, so
// that no change of a model goes unseen; with 1, 2 and 8 workers, but for the
// larger spaces, where 2 must do.
func TestClaims(t *testing.T) {
	for _, e := range All {
		if len(e.Claims) == 0 {
			continue
		}
		t.Run(e.Name, func(t *testing.T) { runClaims(t, e) })
	}
}

func runClaims(t *testing.T, e *model.Entry) {
	path := filepath.Join(strings.ReplaceAll(e.Name, "-", ""), "testdata", "claims.golden")
	pinned := readGolden(t, path)
	var lines []string
	runs := 0
	for _, claim := range e.Claims {
		var before []string // the figures of the case before, by scenario
		for n := range claim.Cases {
			c := &claim.Cases[n]
			var now []string
			for _, sel := range c.Selections() {
				key := strings.Join([]string{claim.ID, sel.Scenario, c.Set, c.Fix}, " | ")
				if c.Long && !*long || testing.Short() && runs%5 != 0 {
					runs++
					if old, ok := pinned[key]; ok {
						lines = append(lines, old)
					}
					continue
				}
				runs++
				started := time.Now()
				line := key + " | " + runCase(t, e, claim.ID, c, sel, 2)
				now = append(now, line)
				if time.Since(started) < time.Second {
					for _, workers := range []int{1, 8} {
						if other := key + " | " + runCase(t, e, claim.ID, c, sel, workers); other != line {
							t.Errorf("%d workers: got %s, want %s", workers, other, line)
						}
					}
				}
				if *update {
					lines = append(lines, line)
				} else if pinned[key] != line {
					t.Errorf("got  %s\nwant %s\nif the change is meant, run go test ./spec -update", line, pinned[key])
				}
			}
			if c.SameStates && len(now) == len(before) {
				for i := range now {
					if states(now[i]) != states(before[i]) {
						t.Errorf("claim %s: got %s, want as many states as in %s", claim.ID, now[i], before[i])
					}
				}
			}
			before = now
		}
	}
	if *update {
		text := "# claim | scenario | settings | fixes | distinct states, generated, depth, steps of each property\n" + strings.Join(lines, "\n") + "\n"
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// states are the distinct and generated states in a line.
func states(line string) string {
	return strings.Join(strings.SplitN(line[strings.LastIndex(line, " | ")+3:], ", ", 3)[:2], ", ")
}

func readGolden(t *testing.T, path string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	pinned := map[string]string{}
	for _, line := range strings.Split(string(text), "\n") {
		if i := strings.LastIndex(line, " | "); i >= 0 && !strings.HasPrefix(line, "#") {
			pinned[line[:i]] = line
		}
	}
	return pinned
}

// runCase judges one case in one scenario and returns its figures.
func runCase(t *testing.T, e *model.Entry, id string, c *model.Case, sel model.Selection, workers int) string {
	t.Helper()
	m, err := e.Machine(sel)
	if err != nil {
		t.Fatal(err)
	}
	var properties []int
	for _, name := range c.Properties() {
		p := m.Property(name)
		if p < 0 {
			t.Fatalf("claim %s: no property %s", id, name)
		}
		properties = append(properties, p)
	}
	r := checker.Check(t.Context(), m, checker.Options{Properties: properties, Workers: workers})
	if r.Fault != nil {
		t.Errorf("claim %s: %v", id, r.Fault.Fault)
	}
	figures := []string{fmt.Sprint(r.Distinct), fmt.Sprint(r.Generated), fmt.Sprint(r.Depth)}
	want := c.Expected()
	known := false
	for _, res := range r.Results {
		name := m.Properties[res.Property].Name
		if differs := res.Verdict != want[name]; differs && c.Known != "" {
			known = true
		} else if differs {
			t.Errorf("claim %s, %s %s, fix %q: %s: got %s, want %s", id, sel.Scenario, c.Set, c.Fix, name, res.Verdict, want[name])
		}
		figures = append(figures, name+" "+string(res.Verdict))
		if b := res.Behaviour; b != nil {
			figures[len(figures)-1] += fmt.Sprintf(" %d", b.Steps())
			if err := m.Replay(b); err != nil {
				t.Errorf("claim %s: %s: %v", id, name, err)
			}
		}
	}
	if known != (c.Known != "") {
		t.Errorf("claim %s, %s %s, fix %q: it agrees, and is said to be known to differ", id, sel.Scenario, c.Set, c.Fix)
	}
	return strings.Join(figures, ", ")
}
