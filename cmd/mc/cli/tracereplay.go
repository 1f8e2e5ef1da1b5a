package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mc/checker"
	"mc/model"
	"mc/traces"
)

func (a *app) traceReplayCommand() *cobra.Command {
	var e examining
	c := &cobra.Command{
		Use:   "replay FILE",
		Short: "take a saved trace through its spec again, or a changed one",
		Long: `Replay makes the system of a saved trace again and takes the same steps, one
by one. Each must be possible and lead to the state that the trace says. Where
one does not, replay says why: what is unknown, or which part of the guard is
false for which values, or which fields come out differently. If all steps fit
it judges whether the behaviour still shows what it was saved for.

With --fix, --set or --on the system is another one: does the fix prevent it?
There the steps go on as far as they are possible, whatever they lead to.

The exit code is that of mc check if the property is violated, and 0 if a
changed system prevents it. It is 18 if a trace does not show what it should on
the very configuration that it was saved from, whatever the flags, if a witness
is not reached, or if a step names what the changed system does not have.`,
		Example: `  mc trace replay found.json
  mc trace replay found.json --property NoApplyFailure --fix on
  mc trace replay found.json --set crashes=0`,
		Args: cobra.ArbitraryArgs,
	}
	e.choiceFlags(c.Flags())
	e.configFlags(c.Flags())
	c.Flags().SortFlags = false
	c.RunE = func(_ *cobra.Command, args []string) error {
		var own, here *subject
		if file, ok := a.oneFile(args); ok {
			own, here = a.subjects(file, &e)
		}
		if err := a.usage(); err != nil {
			return err
		}
		r, err := within(a, &e, func() (*traces.Replay, error) { return replay(own, false) })
		elsewhere := e.elsewhere()
		switch {
		case err != nil:
			return err
		case elsewhere && !r.AsSaved(): // another system would prevent it for nothing
			a.note("the trace does not show what it should on its own configuration, which comes before a changed one")
			elsewhere = false
		case elsewhere:
			if r, err = within(a, &e, func() (*traces.Replay, error) { return replay(here, true) }); err != nil {
				return err
			}
		}
		if err := r.Write(a.out, a.textOptions(false)); err != nil {
			return err
		}
		a.code = replayExit(r, elsewhere)
		fmt.Fprintln(a.out)
		page{a.out}.text(0, fmt.Sprintf("1 replay: %s (exit code %d)", replayMeaning(r, a.code), a.code))
		return nil
	}
	return c
}

// replay takes a trace through a machine. The error is that the property is
// unknown there.
func replay(s *subject, elsewhere bool) (*traces.Replay, error) {
	property, err := s.property()
	if err != nil {
		return nil, err
	}
	m := s.machine
	b, differs, misfit := s.follow(elsewhere)
	if misfit != nil && misfit.Unknown != "" {
		misfit.Unknown += nearestAction(m, misfit.Instance.Action)
	}
	r := &traces.Replay{Trace: s.Trace, Here: m.Config, Differs: differs, Misfit: misfit, Shown: -1}
	if misfit != nil && misfit.Blocked != "" {
		at := b.States[b.Steps()]
		if o, _ := checker.NewObstacles(m, at, b.States).Of(misfit.Label); o != nil {
			r.Values = obstacle(m, o, at)
		}
	}
	if len(b.States) == 0 {
		return r, nil
	}
	if n, err := m.ShownAfter(b, property); err == nil {
		r.Shown = n
	} else {
		r.Missing = err.Error()
	}
	return r, nil
}

// nearestAction asks whether an action was meant by a name that none has.
func nearestAction(m *model.Machine, name string) string {
	var have []string
	for _, a := range m.Actions {
		have = append(have, a.Name)
	}
	near := nearest(name, have)
	if name == "" || slices.Contains(have, name) || len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// replayExit is the exit code of a replay.
func replayExit(r *traces.Replay, elsewhere bool) int {
	reached := r.Trace.Verdict == model.Reached && r.Trace.Fault == ""
	switch {
	case !elsewhere && !r.AsSaved():
		return exitClaim
	case r.Shown >= 0 && r.Trace.Fault != "":
		return exitSpecAtFault
	case r.Shown >= 0:
		return exitOfVerdict(r.Trace.Kind, r.Trace.Verdict)
	case reached || r.Misfit != nil && r.Misfit.Unknown != "": // not prevented, but not to be asked there
		return exitClaim
	}
	return 0
}

func replayMeaning(r *traces.Replay, code int) string {
	switch {
	case code == exitClaim && r.Misfit != nil && r.Misfit.Unknown != "" && r.Misfit.Step > 0:
		return "it names what the system does not have"
	case code == exitClaim:
		return "it does not come out as saved"
	case code == 0 && r.Shown < 0:
		return "prevented"
	}
	return meaning(code)
}
