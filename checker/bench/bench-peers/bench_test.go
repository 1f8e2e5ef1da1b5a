package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestReading gives each reader what its checker prints, and what it prints
// when the search did not end well.
func TestReading(t *testing.T) {
	for _, c := range []struct {
		name, output string
		read         func(string) (counts, error)
		want         counts // zero for an error
	}{
		{"mc", "  ✓ TCConsistent  holds\n\n  1,745,408 distinct states, 18,507,778 generated, depth 26; searched to its end\n", readMC, counts{1745408, 18507778}},
		{"mc broken over two lines", "  1,745,408 distinct states, 18,507,778\n    generated, depth 26\n", readMC, counts{1745408, 18507778}},
		{"mc fails", "mc: no such spec\n", readMC, counts{}},
		{"spin", "State-vector 20 byte, depth reached 10, errors: 0\n      288 states, stored\n\t     288 nominal states (stored-atomic)\n" +
			"      858 states, matched\n     1146 transitions (= stored+matched)\n        0 atomic steps\n", readSPIN, counts{288, 1146}},
		{"spin finds an error", "State-vector 20 byte, depth reached 10, errors: 1\n      288 states, stored\n" +
			"     1146 transitions (= stored+matched)\n", readSPIN, counts{}},
		{"rumur", "\t 200 states explored in 0s, with 800 rules fired and 3 states in the queue.\n\nStatus:\n\n\tNo error found.\n\n" +
			"State Space Explored:\n\n\t288 states, 1145 rules fired in 0s.\n", readRumur, counts{288, 1146}},
		{"rumur finds an error", "Status:\n\n\t1 error(s) found.\n\nState Space Explored:\n\n\t288 states, 1145 rules fired in 0s.\n", readRumur, counts{}},
		{"goat", "Total Worlds: 289\nExecution Time: 75ms\n288 distinct states, 1146 generated\n", readMC, counts{288, 1146}},
		{"tlc", "Progress(5): 1,000 states generated (9 s/min), 200 distinct states found (9 ds/min), 14 states left on queue.\n" +
			"1146 states generated, 288 distinct states found, 0 states left on queue.\n", readTLC, counts{288, 1146}},
		{"tlc stops early", "1146 states generated, 288 distinct states found, 12 states left on queue.\n", readTLC, counts{}},
		{"stateright", "Checking. states=100, unique=50, depth=3\nDone. states=1146, unique=288, depth=11, sec=1\n", readStateright, counts{288, 1146}},
		{"stateright stops early", "Checking. states=100, unique=50, depth=3\n", readStateright, counts{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.read(c.output)
			if (err != nil) != (c.want == counts{}) || err == nil && got != c.want {
				t.Errorf("got %v, error %v, want %v", got, err, c.want)
			}
		})
	}
}

// TestMedians takes medians of pairs: the ratio is not that of the medians.
func TestMedians(t *testing.T) {
	of := func(milliseconds ...int) (all []sample) {
		for _, ms := range milliseconds {
			all = append(all, sample{counts: counts{5, 10}, cpu: time.Duration(ms) * time.Millisecond})
		}
		return all
	}
	mine, others := of(100, 10, 30), of(200, 90, 60)
	if got := median(others).cpu; got != 90*time.Millisecond {
		t.Errorf("got median %v, want 90ms", got)
	}
	if got := median(of(10, 20)).cpu; got != 15*time.Millisecond {
		t.Errorf("got median %v of two, want 15ms", got)
	}
	if got := ratio(mine, others, sample.cpuPerState); got != 2 {
		t.Errorf("got ratio %v, want 2", got)
	}
}

// fake is a peer that prints counts, or what else the script does.
func fake(name, script string) peer {
	return peer{name: name, absent: always, read: readMC, build: func(*workshop, benchModel) ([]string, error) {
		return []string{"sh", "-c", script}, nil
	}}
}

// TestPairs measures scripts instead of checkers.
func TestPairs(t *testing.T) {
	original := mc
	defer func() { mc = original }()
	mc = fake("mc", "echo 12 distinct states, 30 generated")

	absent := fake("absent", "")
	absent.absent = func(*workshop) error { return errors.New("it is not installed") }
	other := fake("other", "")
	other.build = func(*workshop, benchModel) ([]string, error) { return nil, errNoModel }

	for _, c := range []struct {
		name   string
		peers  []peer
		rows   []string // the first four cells
		log    string
		failed bool
	}{
		{"equal", []peer{fake("twin", "echo 12 distinct states, 30 generated")},
			[]string{"| two-phase 4 | mc | 12 | 30", "| two-phase 4 | twin | 12 | 30"}, "round 2 of 2", false},
		{"counts steps differently", []peer{fake("twin", "echo 12 distinct states, 40 generated")},
			[]string{"| two-phase 4 | mc | 12 | 30", "| two-phase 4 | twin | 12 | 40"}, "twin counts 40 generated states, mc 30", false},
		{"another graph", []peer{fake("twin", "echo 13 distinct states, 30 generated")},
			[]string{"| two-phase 4 | mc | 12 | 30"}, "twin has 13 distinct states, mc has 12: not the same graph, not compared", true},
		{"fails", []peer{fake("twin", "echo out of memory >&2; exit 3")},
			[]string{"| two-phase 4 | mc | 12 | 30"}, "two-phase 4: twin: exit status 3: out of memory", true},
		{"says nothing", []peer{fake("twin", "echo hello")},
			[]string{"| two-phase 4 | mc | 12 | 30"}, "no counts in its output, which ends: hello", true},
		{"says that it lacks the model", []peer{fake("twin", "exit 77")},
			[]string{"| two-phase 4 | mc | 12 | 30"}, "two-phase 4: twin: skipped: it has no twin of the model", false},
		{"absent", []peer{absent, fake("twin", "echo 12 distinct states, 30 generated")},
			[]string{"| two-phase 4 | mc | 12 | 30", "| two-phase 4 | twin | 12 | 30"}, "absent: skipped: it is not installed", false},
		{"no twin of the model", []peer{other},
			[]string{"| two-phase 4 | mc | 12 | 30"}, "two-phase 4: mc, round 2 of 2", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log strings.Builder
			b := bench{workshop: &workshop{ctx: context.Background(), folder: t.TempDir()}, rounds: 2, log: &log}
			text := b.measure([]benchModel{twoPhase(4, true)}, c.peers)
			var rows []string
			for line := range strings.Lines(text) {
				if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| two-phase") {
					rows = append(rows, strings.Join(cells[:4], " | "))
				}
			}
			if !slices.Equal(rows, c.rows) {
				t.Errorf("got %q, want %q", rows, c.rows)
			}
			if !strings.Contains(log.String(), c.log) || b.failed != c.failed {
				t.Errorf("got failed %v and %q, want %v and %q", b.failed, log.String(), c.failed, c.log)
			}
		})
	}
}

// TestTwins runs the real checkers on small spaces, as far as they are there.
func TestTwins(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles: run without -short")
	}
	w, err := newWorkshop(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	b := bench{workshop: w}
	for _, m := range []benchModel{twoPhase(3, true), paxosCommit(1), peterson(3)} {
		command, err := mc.build(w, m)
		if err != nil {
			t.Fatal(err)
		}
		want, err := b.run(mc, command)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range peers {
			t.Run(m.String()+"/"+p.name, func(t *testing.T) {
				if err := p.absent(w); err != nil {
					t.Skip(err)
				}
				command, err := p.build(w, m)
				if errors.Is(err, errNoModel) {
					t.Skip(err)
				} else if err != nil {
					t.Fatal(err)
				}
				got, err := b.run(p, command)
				if err != nil {
					t.Fatal(err)
				}
				if got.distinct != want.distinct {
					t.Errorf("got %d distinct states, mc has %d", got.distinct, want.distinct)
				}
				// TLC counts some steps of Paxos commit more than once.
				if got.generated != want.generated && p.name != "tlc" {
					t.Errorf("got %d generated states, mc has %d", got.generated, want.generated)
				}
			})
		}
	}
}
