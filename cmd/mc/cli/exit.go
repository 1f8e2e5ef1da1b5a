package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mc/checker"
	"mc/model"
	"mc/traces"
)

// The exit codes that do not come from a verdict.
const (
	exitUsage       = 2
	exitNoInitial   = 10
	exitSpecAtFault = 14
	exitUnexpected  = 17
	exitClaim       = 18
	exitHangs       = 19
	exitIncomplete  = 20
	exitMutant      = 21
	exitOurFault    = 70
	exitIO          = 74
	exitSignal      = 128 // plus its number
)

// meanings are the exit codes of a search. When several apply, the first
// counts; 0 if none does.
var meanings = []struct {
	code int
	text string
}{
	{exitHangs, "a step of the spec does not end"},
	{exitSpecAtFault, "the spec itself is at fault"},
	{12, "an invariant is violated"},
	{15, "a step invariant is violated"},
	{11, "a deadlock can be reached"},
	{13, "a liveness property is violated"},
	{exitNoInitial, "a spec has no initial state"},
	{exitUnexpected, "something is not as expected"},
	{exitClaim, "a claim came out differently"},
	{16, "a witness is unreachable"},
	{exitIncomplete, "incomplete"},
	{0, "everything came out as expected"},
}

// meaning says what an exit code stands for.
func meaning(code int) string {
	for _, m := range meanings {
		if m.code == code {
			return m.text
		}
	}
	return fmt.Sprintf("interrupted by signal %d", code-exitSignal)
}

// worst is the code among these that counts.
func worst(codes ...int) int {
	for _, m := range meanings {
		if slices.Contains(codes, m.code) {
			return m.code
		}
	}
	return 0
}

// exitOf is the code of one search.
func exitOf(r *traces.Run) int {
	codes := []int{0}
	if r.Incomplete == checker.NoInitialState {
		codes = append(codes, exitNoInitial)
	}
	if r.Incomplete == checker.StepDoesNotEnd {
		codes = append(codes, exitHangs)
	}
	if r.Fault != nil {
		codes = append(codes, exitSpecAtFault)
	}
	if r.Incomplete != "" {
		codes = append(codes, exitIncomplete)
	}
	for _, res := range r.Results {
		code := exitOfVerdict(res.Kind, res.Verdict)
		switch {
		case res.AsExpected():
			code = 0
		case res.Expected != "" && code == 0:
			code = exitUnexpected
		}
		codes = append(codes, code)
	}
	if len(r.Differences) > 0 {
		codes = append(codes, exitUnexpected)
	}
	return worst(codes...)
}

// exitOfLost is the code of what was expected and has no search any more.
func exitOfLost(d *traces.Document) int {
	if len(d.Differences) > 0 {
		return exitUnexpected
	}
	return 0
}

func exitOfVerdict(k model.Kind, v model.Verdict) int {
	switch {
	case v == model.Incomplete:
		return exitIncomplete
	case v == model.Unreachable:
		return 16
	case v != model.Violated:
		return 0
	case k == model.StepInvariant:
		return 15
	case k == model.NoDeadlock:
		return 11
	case k.Temporal():
		return 13
	}
	return 12
}

// ioError is one of a file or stream.
type ioError struct{ err error }

func (e *ioError) Error() string { return e.err.Error() }
func (e *ioError) Unwrap() error { return e.err }

// exitOfError is the code when a command could not do its work. Mistakes of
// the user come before those of a spec's author: the user is there to mend
// them.
func exitOfError(err error) int {
	codes := map[int]bool{}
	for _, one := range leaves(err) {
		var spec *model.SpecError
		var file *ioError
		switch {
		case errors.As(one, &spec):
			codes[exitSpecAtFault] = true
		case errors.As(one, &file):
			codes[exitIO] = true
		default:
			codes[exitUsage] = true
		}
	}
	for _, c := range []int{exitUsage, exitIO} {
		if codes[c] {
			return c
		}
	}
	return exitSpecAtFault
}

// leaves takes joined errors apart.
func leaves(err error) []error {
	many, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return []error{err}
	}
	var all []error
	for _, one := range many.Unwrap() {
		all = append(all, leaves(one)...)
	}
	return all
}

func exitCodesHelp() *cobra.Command {
	var b strings.Builder
	b.WriteString("The exit code of mc, when several apply the first of:\n\n")
	for _, m := range meanings {
		fmt.Fprintf(&b, "  %3d    %s\n", m.code, m.text)
	}
	b.WriteString(`
and when no search was made:

    2    a mistake on the command line, or in a file that it names
   14    mc vet: a spec has a mistake
   18    mc trace replay: a saved trace came out differently
   20    mc vet, mc mutate: incomplete
   21    mc mutate: a mutant survives, or a reason is out of date
   70    mc itself is at fault
   74    a file or stream cannot be read or written
  128+n  ended by signal n, before a search found anything
`)
	return &cobra.Command{Use: "exit-codes", Short: "what the exit code says", Long: strings.TrimRight(b.String(), "\n")}
}
