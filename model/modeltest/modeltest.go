// Package modeltest holds the checks that every spec should pass. A spec's
// own test calls Run:
//
//	func TestSpec(t *testing.T) { modeltest.Run(t, lock.Entry) }
//
// A Counterexample is a regression test for one bug; mc trace test writes it.
package modeltest

import (
	"fmt"
	"slices"
	"testing"

	"mc/model"
	"mc/model/inspect"
)

// Budget says how far the checks look, in each configuration of a spec.
type Budget inspect.Budget

// Run checks a spec with the default budget.
func Run(t testing.TB, e *model.Entry) { t.Helper(); Budget{}.Run(t, e) }

// Run checks all that inspect.Budget.Spec looks for, and that every action is
// taken in some configuration.
func (b Budget) Run(t testing.TB, e *model.Entry) {
	t.Helper()
	for _, problem := range b.problems(e) {
		t.Error(problem)
	}
}

func (b Budget) problems(e *model.Entry) (problems []string) {
	seen := inspect.Budget(b).Spec(e)
	for _, p := range seen.Problems {
		problems = append(problems, fmt.Sprintf("%s:%d: %s: %s", p.Location.File, p.Location.Line, e.Name, p.Text))
	}
	var never []string
	for name, taken := range seen.Taken {
		if !taken {
			never = append(never, name)
		}
	}
	slices.Sort(never)
	for _, name := range never {
		problems = append(problems, fmt.Sprintf("%s: action %s is taken in no scenario and no claim, within %v", e.Name, name, inspect.Budget(b)))
	}
	return problems
}
