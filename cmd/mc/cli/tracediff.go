package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mc/model"
	"mc/traces"
)

func (a *app) traceDiffCommand() *cobra.Command {
	var e examining
	c := &cobra.Command{
		Use:   "diff A [B]",
		Short: "compare two saved traces, or one on two configurations",
		Long: `Diff compares the first behaviours of two files and shows where they part, and
both from there on, side by side, with the fields that differ.

With one file and --fix, --set or --on it takes the steps of the trace on the
changed system, as far as they are possible, whatever they lead to.`,
		Example: `  mc trace diff before.json after.json --property NoApplyFailure
  mc trace diff found.json --fix on`,
		Args: cobra.ArbitraryArgs,
	}
	e.choiceFlags(c.Flags())
	e.configFlags(c.Flags())
	c.Flags().SortFlags = false
	c.RunE = func(_ *cobra.Command, args []string) error {
		d := a.diff(args, &e)
		if err := a.usage(); err != nil {
			return err
		}
		return d.Write(a.out, a.textOptions(false))
	}
	return c
}

func (a *app) diff(args []string, e *examining) *traces.Diff {
	switch {
	case len(args) == 2 && e.elsewhere():
		a.mistakef("want --fix, --set and --on with one file alone")
	case len(args) == 2 && args[0] == "-" && args[1] == "-":
		a.mistakef("want - for one of the two files")
	case len(args) == 2:
		x, y := a.saved(args[0], &e.sel), a.saved(args[1], &e.sel)
		if x != nil && y != nil {
			return &traces.Diff{A: sideOf(args[0], x.Trace), B: sideOf(args[1], y.Trace)}
		}
	case len(args) != 1:
		a.mistakef("want the names of two files, or of one with --fix, --set or --on")
	case !e.elsewhere():
		a.mistakef("want another file to compare with, or --fix, --set or --on")
	default:
		if s := a.subject(args[0], e); s != nil {
			d, err := within(a, e, func() (*traces.Diff, error) { return diffElsewhere(s) })
			if err != nil {
				a.mistake(err)
			}
			return d
		}
	}
	return nil
}

func sideOf(name string, t *model.Trace) traces.Side {
	what := "violates " + t.Property
	switch {
	case t.Fault != "":
		what = "the spec fails: " + t.Fault
	case t.Verdict == model.Reached:
		what = "reaches " + t.Property
	}
	return traces.Side{Name: name, Trace: t, End: fmt.Sprintf("%s in %s", what, plural(len(t.Steps)-1, "step"))}
}

// diffElsewhere compares a trace with the same instances on another machine,
// from the initial state that is nearest.
func diffElsewhere(s *subject) (*traces.Diff, error) {
	m := s.machine
	b, _, misfit := s.follow(true)
	if len(b.States) == 0 {
		return nil, fmt.Errorf("%s has no initial state there", m.Name)
	}
	property, err := s.property()
	if err != nil {
		return nil, err
	}
	other := m.Trace(b)
	shown, missing := m.ShownAfter(b, property)
	other.Property, other.Kind, other.Verdict = s.Property, s.Kind, s.Verdict
	end := sideOf("", other).End
	switch {
	case missing == nil && shown < b.Steps():
		end = fmt.Sprintf("%s, after step %d already", strings.TrimSuffix(end, " in "+plural(b.Steps(), "step")), shown)
	case missing != nil && misfit != nil:
		end = "goes no further: " + misfit.Error()
	case missing != nil:
		end = "takes all steps, and yet: " + missing.Error()
	}
	return &traces.Diff{A: sideOf(s.file, s.Trace), B: traces.Side{Name: "the same steps", Trace: other, End: end}}, nil
}
