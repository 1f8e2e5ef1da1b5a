package mutate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mc/checker/mutate"
	"mc/model"
)

type state struct {
	N     uint8
	Up    bool
	Fails model.Seq[uint8, [2]uint8]
}

// counter counts to 3 and starts again. What is left out of it shows in every
// way that there is.
var counter = model.Define("counter", "", func(c *model.Config) *model.Spec[state] {
	fixed := c.Fix("bounded", "counting ends in time")
	most := uint8(c.Int("most", 3, 1, 9, ""))
	up := model.If("up", func(s *state) bool { return s.Up })
	return &model.Spec[state]{
		Init: []state{{Up: true}},
		Actions: []model.Action[state]{
			model.Act("Count", model.All(up,
				model.If("small", func(s *state) bool { return s.N < most || !fixed && s.N == most }),
				model.If("a number", func(s *state) bool { return s.N < 100 })),
				func(s *state) { s.N++ }),
			model.Act("Reset", model.All(up, model.If("at the end", func(s *state) bool { return s.N >= most })), func(s *state) { s.N = 0 }),
			model.Act("Stop", model.All(up), func(s *state) { s.Up = false }),
			model.Act("Start", model.All(model.If("down", func(s *state) bool { return !s.Up })), func(s *state) { s.Up = true }).Fair(model.Weak),
			model.Act("Fail", model.All(up, model.If("first", func(s *state) bool { return s.Fails.Empty() })), func(s *state) { s.Fails.Push(s.N) }),
			model.Act("Note", model.All(model.If("failed", func(s *state) bool { return !s.Fails.Empty() })), func(s *state) { s.Fails.Pop() }),
			model.Act("Never", func(s *state) bool { return s.N > 200 }, func(s *state) { s.N = 0 }),
			model.Act("Gone", model.All(up), func(s *state) { s.N = 0 }).When(false),
		},
		Properties: []model.Property[state]{
			model.Always("Bounded", func(s *state) bool { return s.N <= most }),
			model.Reachable("End", func(s *state) bool { return s.N == most }),
			model.AlwaysEventually("Serves", func(s *state) bool { return s.Up }),
		},
		Questions: []model.Property[state]{
			model.Reachable("TwoFails", func(s *state) bool { return s.Fails.Len() == 1 && !s.Up }),
		},
	}
}).With(model.About{Claims: []model.Claim{{ID: "7", Cases: []model.Case{
	{Fix: "on", Reachable: "TwoFails"},
	{Fix: "on", Reachable: "TwoFails", Set: "most=2", Known: "in doubt"},
	{Fix: "off", Reachable: "TwoFails", Long: true},
}}}})

func outcomes(t *testing.T, o mutate.Options, claims bool) (all []mutate.Mutant, text string) {
	t.Helper()
	subjects, err := mutate.Guarantees(counter)
	if err != nil {
		t.Fatal(err)
	}
	if claims {
		more, err := mutate.Claims(counter)
		if err != nil {
			t.Fatal(err)
		}
		if len(more) != 1 {
			t.Errorf("got %d cases of claims, want 1 that is neither long nor in doubt", len(more))
		}
		subjects = append(subjects, more...)
	}
	all, err = mutate.Run(t.Context(), subjects, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, mu := range all {
		text += fmt.Sprintf("%v: %s", mu.Mutation, mu.Outcome)
		if mu.How != "" {
			text += ": " + mu.How
		}
		text += "\n"
	}
	return all, text
}

const want = `Count: noticed: End: unreachable, not reachable
Count / up: survives
Count / small: noticed: Bounded: violated, not holds
Count / a number: equivalent
Reset: survives
Reset / up: survives
Reset / at the end: survives
Stop: survives
Stop / up: equivalent
Start: noticed: Serves: violated, not holds
Start / down: equivalent
Fail: survives
Fail / up: survives
Fail / first: noticed: Fail: full sequence: sequence is full: its bound is 2
Note: survives
Note / failed: noticed: Note: panic: sequence index 0: want 0 to -1
Never: equivalent
`

// TestOutcomes: the guards of Stop and Start only keep them from doing nothing,
// and what "a number" forbids never comes.
func TestOutcomes(t *testing.T) {
	_, got := outcomes(t, mutate.Options{Workers: 1}, false)
	var lines []string
	for _, line := range strings.Split(got, "\n") {
		line, _, _ = strings.Cut(line, " at mutate_test.go")
		lines = append(lines, line)
	}
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for _, workers := range []int{2, 7} {
		if _, again := outcomes(t, mutate.Options{Workers: workers}, false); again != got {
			t.Errorf("%d workers: got\n%swant\n%s", workers, again, got)
		}
	}
}

// TestClaims: what a claim says of the fixed system kills a survivor, and says by
// which claim.
func TestClaims(t *testing.T) {
	all, _ := outcomes(t, mutate.Options{}, true)
	var claimed []string
	for _, mu := range all {
		if mu.Outcome == mutate.Claimed {
			claimed = append(claimed, fmt.Sprint(mu.Mutation, " by claim ", mu.Claim, ": ", mu.By))
		}
	}
	if got, want := strings.Join(claimed, "; "), "Stop by claim 7: [TwoFails]; Fail by claim 7: [TwoFails]"; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// TestBounds: a mutant that grows is noticed, and one that takes too long is not
// decided.
func TestBounds(t *testing.T) {
	how := func(all []mutate.Mutant, mu model.Mutation) string {
		i := slices.IndexFunc(all, func(m mutate.Mutant) bool { return m.Mutation == mu })
		return string(all[i].Outcome) + ": " + all[i].How
	}
	all, _ := outcomes(t, mutate.Options{MaxStates: 40}, false)
	if got, want := how(all, model.Mutation{Action: "Fail", Conjunct: "up"}), "noticed: more than 40 states"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	all, _ = outcomes(t, mutate.Options{Each: time.Nanosecond}, false)
	if got, want := how(all, model.Mutation{Action: "Stop"}), "undecided: time limit of one search"; !strings.HasPrefix(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestHang: a mutant whose step does not end is noticed, and the others are
// searched all the same.
func TestHang(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	e := model.Define("hang", "", func(*model.Config) *model.Spec[state] {
		return &model.Spec[state]{
			Init: []state{{}},
			Actions: []model.Action[state]{
				model.Act("Count", model.All(
					model.If("small", func(s *state) bool { return s.N < 3 }),
					model.If("positive", func(s *state) bool { return s.N > 0 })),
					func(s *state) {
						if s.N == 0 {
							<-end
						}
						s.N++
					}),
				model.Act("Begin", model.All(model.If("new", func(s *state) bool { return s.N == 0 })), func(s *state) { s.N = 1 }),
			},
			Properties: []model.Property[state]{model.Always("Small", func(s *state) bool { return s.N < 4 })},
		}
	})
	m, err := e.Machine(model.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := mutate.Run(t.Context(), []mutate.Subject{{Machine: m}}, mutate.Options{StepTimeout: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, mu := range all {
		got = append(got, fmt.Sprintf("%v: %s %s", mu.Mutation, mu.Outcome, mu.How))
	}
	want := []string{
		"Count: survives ", "Count / small: noticed Small: violated, not holds",
		"Count / positive: noticed Count: it does not end: more than 50ms, in the state where all fields are 0, false or empty",
		"Begin: survives ", "Begin / new: survives ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestUnfit: nothing is said of the mutants of a spec that is at fault itself, or
// that has too many states.
func TestUnfit(t *testing.T) {
	for want, effect := range map[string]func(*state){
		"bad: the spec itself is at fault: Count: panic: boom": func(*state) { panic("boom") },
		"bad: incomplete: limit of 1,000,000 states":           func(s *state) { s.N++; s.Fails.Clear(); s.Fails.Push(s.N) },
	} {
		e := model.Define("bad", "", func(*model.Config) *model.Spec[wide] {
			return &model.Spec[wide]{Init: []wide{{}}, Actions: []model.Action[wide]{
				model.Act("Count", func(*wide) bool { return true }, func(s *wide) { effect(&s.state); s.M++ }),
				model.Act("More", func(*wide) bool { return true }, func(s *wide) { s.M += 1 << 10 }),
			}}
		})
		m, err := e.Machine(model.Selection{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = mutate.Run(t.Context(), []mutate.Subject{{Machine: m}}, mutate.Options{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

type wide struct {
	state
	M uint32
}

func TestKnown(t *testing.T) {
	known, err := mutate.ReadKnown("# why\n\nReset: it is: of no use\nFail / up: none cares\n")
	if err != nil || len(known) != 2 || known[model.Mutation{Action: "Reset"}] != "it is: of no use" {
		t.Errorf("got %v, %v", known, err)
	}
	all, _ := outcomes(t, mutate.Options{}, false)
	known[model.Mutation{Action: "Count"}] = "noticed by now"
	known[model.Mutation{Action: "Fail", Conjunct: "down"}] = "gone"
	if got := fmt.Sprint(known.Stale(all)); got != "[Count Fail / down]" {
		t.Errorf("got %s", got)
	}
	if _, err := mutate.ReadKnown("Reset\nFail: \nA: b\nA: c\n"); err == nil ||
		err.Error() != "line 1: want ACTION: REASON, or ACTION / CONJUNCT: REASON\nline 2: want ACTION: REASON, or ACTION / CONJUNCT: REASON\nline 4: A is there twice" {
		t.Errorf("got %v", err)
	}
}
