package modeltest

import (
	"fmt"
	"strings"
	"testing"

	"mc/model"
)

// Counterexample is a behaviour by the names of its steps, as mc trace test
// writes it down: a regression test of a spec, which says what must become of
// the bug in which configuration.
type Counterexample struct {
	// Property is what it violates; empty for a fault of the spec itself.
	Property string
	Initial  int        // the number of the initial state, from 0
	Steps    [][]string // an action and its arguments, each "name=value"
	// Lasso says that the last step is back in the state after Loop steps, and
	// so on for ever.
	Lasso bool
	Loop  int
}

// Outcome is what becomes of a counterexample.
type Outcome bool

// The two outcomes. Violated: the steps can be taken and violate the property.
// Prevented: some step is not possible any more, or the property holds all the
// same.
const (
	Violated  Outcome = true
	Prevented Outcome = false
)

// Want takes the steps in a configuration of the spec, whatever they lead to
// there, and fails the test unless that has the outcome.
func (c Counterexample) Want(t testing.TB, e *model.Entry, on model.Selection, want Outcome) {
	t.Helper()
	got, why, err := c.outcome(e, on)
	switch {
	case err != nil:
		t.Fatal(err)
	case got != want && want == Prevented:
		t.Errorf("%s; want it prevented", why)
	case got != want:
		t.Errorf("prevented: %s; want %s", why, c.what())
	}
}

func (c Counterexample) what() string {
	if c.Property == "" {
		return "the spec at fault"
	}
	return c.Property + " violated"
}

// outcome says what becomes of it, and why.
func (c Counterexample) outcome(e *model.Entry, on model.Selection) (got Outcome, why string, err error) {
	m, err := e.Machine(on)
	if err != nil {
		return got, "", err
	}
	property := -1
	if c.Property != "" {
		if property = m.Property(c.Property); property < 0 {
			return got, "", fmt.Errorf("%s: no property %s", e.Name, c.Property)
		}
	}
	if c.Initial >= len(m.Init) {
		return got, "", fmt.Errorf("%s: initial state %d of %d", e.Name, c.Initial, len(m.Init))
	}
	b, misfit := m.Take(m.Init[c.Initial], c.instances())
	if misfit != nil && misfit.Unknown != "" {
		return got, "", fmt.Errorf("%s: %w", e.Name, misfit)
	}
	if c.Lasso && misfit == nil {
		if c.Loop > b.Steps() {
			return got, "", fmt.Errorf("loop after %d steps of %d", c.Loop, b.Steps())
		}
		b.Loop = c.Loop
	}
	switch n, missing := m.ShownAfter(b, property); {
	case missing == nil && n == 0:
		return Violated, c.what() + " in the initial state", nil
	case missing == nil:
		return Violated, fmt.Sprintf("%s after step %d, %s", c.what(), n, m.Instance(b.Labels[n-1])), nil
	case misfit != nil:
		return Prevented, misfit.Error(), nil
	default:
		return Prevented, missing.Error(), nil
	}
}

func (c Counterexample) instances() []model.Instance {
	all := make([]model.Instance, len(c.Steps))
	for i, s := range c.Steps {
		for j, word := range s {
			if j == 0 {
				all[i].Action = word
				continue
			}
			name, value, _ := strings.Cut(word, "=")
			all[i].Args = append(all[i].Args, model.Arg{Name: name, Value: value})
		}
	}
	return all
}
