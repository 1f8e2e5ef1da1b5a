package modeltest

import (
	"fmt"
	"strings"
	"testing"

	"mc/model"
)

// cup holds up to three, and leaks unless it is mended.
var cup = model.Define("cup", "", func(c *model.Config) *model.Spec[state] {
	tight := c.Fix("tight", "")
	c.Alternative("deep", "")
	lidded := c.Alternative("lid", "")
	by := model.Param[uint8]{Name: "by", Values: []uint8{1, 2}}
	return &model.Spec[state]{
		Init: []state{{N: 1}, {}},
		Actions: []model.Action[state]{
			model.Act1("Pour", by, model.All(model.If("no lid", func(s *state, n uint8) bool { return !lidded && s.N+n <= 3 })),
				func(s *state, n uint8) { s.N += n }),
			model.Act("Drip", func(s *state) bool { return s.N == 3 }, func(s *state) {
				if s.N = 0; !tight {
					s.M = 1
				}
			}),
		},
		Properties: []model.Property[state]{
			model.Always("Dry", func(s *state) bool { return s.M == 0 }),
			model.LeadsTo("Emptied", func(s *state) bool { return s.N == 3 }, func(s *state) bool { return s.N == 0 }),
		},
	}
})

// judge is a testing.TB that keeps what it is told.
type judge struct {
	testing.TB
	said []string
}

func (j *judge) Helper()                        {}
func (j *judge) Errorf(format string, a ...any) { j.said = append(j.said, fmt.Sprintf(format, a...)) }
func (j *judge) Fatal(a ...any)                 { j.said = append(j.said, "fatal: "+fmt.Sprint(a...)) }

func TestCounterexample(t *testing.T) {
	leak := Counterexample{Property: "Dry", Initial: 1, Steps: [][]string{{"Pour", "by=1"}, {"Pour", "by=2"}, {"Drip"}}}
	stays := Counterexample{Property: "Emptied", Steps: [][]string{{"Pour", "by=2"}}, Lasso: true, Loop: 1}
	for _, c := range []struct {
		name string
		bug  Counterexample
		fix  string
		want Outcome
		says string // empty for nothing
	}{
		{"violated", leak, "off", Violated, ""},
		{"and should not be", leak, "off", Prevented, "Dry violated after step 3, Drip; want it prevented"},
		{"holds with the fix", leak, "on", Prevented, ""},
		{"and should not", leak, "on", Violated, "prevented: Dry holds there; want Dry violated"},
		{"not possible", leak, "lid", Prevented, ""},
		{"and should be", leak, "lid", Violated, `prevented: step 1, Pour(by=1), is not possible: "no lid" is false; want Dry violated`},
		{"no such fix", leak, "loose", Prevented, "fatal: cup: --fix loose: no such fix; have on, off, tight, deep, lid"},
		{"no such property", Counterexample{Property: "Wet"}, "off", Prevented, "fatal: cup: no property Wet"},
		{"no such step", Counterexample{Property: "Dry", Steps: [][]string{{"Pour", "by=9"}}}, "off", Prevented,
			"fatal: cup: step 1, Pour(by=9): there is no by 9, only 1, 2"},
		{"no such initial state", Counterexample{Property: "Dry", Initial: 2}, "off", Prevented, "fatal: cup: initial state 2 of 2"},
		{"another initial state", Counterexample{Property: "Dry", Steps: leak.Steps}, "off", Prevented, ""},
		{"a lasso", stays, "off", Violated, ""},
		{"no lasso", Counterexample{Property: "Emptied", Steps: stays.Steps}, "off", Violated, "prevented: it does not go on for ever; want Emptied violated"},
		{"an open loop", Counterexample{Property: "Emptied", Steps: stays.Steps, Lasso: true}, "off", Violated,
			"prevented: the loop does not close; want Emptied violated"},
		{"a loop too far", Counterexample{Property: "Emptied", Steps: stays.Steps, Lasso: true, Loop: 2}, "off", Violated, "fatal: loop after 2 steps of 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := &judge{}
			c.bug.Want(j, cup, model.Selection{Fix: []string{c.fix}}, c.want)
			if got := strings.Join(j.said, "\n"); got != c.says {
				t.Errorf("got  %q\nwant %q", got, c.says)
			}
		})
	}
}

// TestPackageOf finds the package of a spec that a variable defines.
func TestPackageOf(t *testing.T) {
	if got := cup.Package; got != "mc/model/modeltest" {
		t.Errorf("got %s", got)
	}
}
