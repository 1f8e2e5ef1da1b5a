package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"mc/checker"
	"mc/model"
	"mc/traces"
)

func (a *app) explainFixCommand() *cobra.Command {
	var sel selection
	var lim limits
	c := &cobra.Command{
		Use:   "explain-fix",
		Short: "show where a fix stops a counterexample, and what is left",
		Long: `Explain-fix takes the shortest counterexample of the system as it is through
the fixed system, step by step, and shows the first step that is no longer
possible or ends differently. Then it searches the fixed system and says what
became of the bug: closed, narrowed (a longer counterexample is left), open (one
as short is), or moved (the property holds, and one that held is violated).`,
		Example: `  mc explain-fix --spec bcsid-map --fix on
  mc explain-fix --spec bcsid-map --fix readd-putblock-apply --scenario noraft2`,
		Args: cobra.ArbitraryArgs,
	}
	f := c.Flags()
	f.Var(&sel.specs, "spec", "`NAME` of the spec")
	f.Var(&sel.fixes, "fix", "on, or `NAMES` of fixes")
	f.Var(&sel.scenarios, "scenario", "`NAMES` of scenarios (default those run by default)")
	f.Var(&sel.set, "set", "settings `k=v,...`, on top of the scenario's")
	f.Var(&sel.properties, "property", "`NAME` of a property (default that violated soonest)")
	lim.flags(f)
	f.SortFlags = false
	c.RunE = func(_ *cobra.Command, args []string) error {
		a.noArguments(args)
		if sel.specs = a.orOnly(sel.specs); len(sel.specs) != 1 {
			a.mistakef("--spec: want the name of one spec")
		}
		if len(sel.fixes) == 0 || len(sel.fixes) == 1 && sel.fixes[0] == "off" {
			a.mistakef("want --fix with on, or with the names of fixes")
		}
		if len(sel.properties) > 1 || slices.Contains(sel.properties, "all") {
			a.mistakef("--property: want one name")
		}
		fixed := a.targets(&sel)
		asIs := sel
		asIs.fixes = nil
		plain := a.targets(&asIs)
		if len(fixed) > 0 && !hasFixes(fixed[0]) {
			a.mistakef("%s: the spec has no fixes", fixed[0].entry.Name)
		}
		o := a.options(&lim)
		if err := a.usage(); err != nil {
			return err
		}
		ctx, cancel := lim.context()
		defer cancel()
		return a.explainFix(ctx, plain, fixed, o, lim.quiet)
	}
	return c
}

func hasFixes(t target) bool {
	return slices.ContainsFunc(t.machine.Config.Settings, func(s model.Setting) bool { return s.Fix })
}

// found is a counterexample of the system as it is.
type found struct {
	target   int
	report   *checker.Report
	property int
	trace    *model.Behaviour
}

func (a *app) explainFix(ctx context.Context, plain, fixed []target, o checker.Options, quiet bool) error {
	var bug *found
	reports := make([]*checker.Report, len(plain))
	for i, t := range plain {
		reports[i] = a.report(ctx, t, o, quiet)
		for _, r := range reports[i].Results {
			if r.Verdict == model.Violated && (bug == nil || r.Behaviour.Steps() < bug.trace.Steps()) {
				bug = &found{i, reports[i], r.Property, r.Behaviour}
			}
		}
		if reports[i].Incomplete != "" || reports[i].Fault != nil {
			run := runOf(t, reports[i], o)
			a.code = interruptedExit(ctx, exitOf(run))
			return traces.Summary(a.out, []traces.Run{*run}, a.textOptions(false))
		}
	}
	p := page{a.out}
	if bug == nil {
		p.text(0, "as it is, nothing asked is violated: there is nothing to fix")
		return nil
	}
	t, u := plain[bug.target], fixed[bug.target]
	name := t.machine.Properties[bug.property].Name
	p.text(0, fmt.Sprintf("%s: as it is, %s is violated in %s", t, name, plural(bug.trace.Steps(), "step")))
	a.divergence(t.machine, u.machine, bug.trace)

	after := a.report(ctx, u, o, quiet)
	run := runOf(u, after, o)
	a.code = interruptedExit(ctx, exitOf(run))
	at := slices.IndexFunc(after.Results, func(r checker.Result) bool { return r.Property == bug.property })
	fmt.Fprintln(a.out)
	switch r := after.Results[at]; {
	case after.Fault != nil, r.Verdict == model.Incomplete:
		return traces.Summary(a.out, []traces.Run{*run}, a.textOptions(false))
	case r.Verdict == model.Violated:
		what := "narrowed: with the fix %s is still violated, in %s"
		if r.Behaviour.Steps() <= bug.trace.Steps() {
			what = "open: with the fix %s is violated as before, in %s"
		}
		p.text(0, fmt.Sprintf(what, name, plural(r.Behaviour.Steps(), "step")))
		fmt.Fprintln(a.out)
		return traces.Text(a.out, run.Results[at].Trace, a.textOptions(false))
	}
	moved := false
	for i, r := range after.Results {
		if r.Verdict == model.Violated && bug.report.Results[i].Verdict == model.Holds {
			moved = true
			p.text(0, fmt.Sprintf("moved: with the fix %s holds, and %s, which held, is violated", name, t.machine.Properties[r.Property].Name))
			fmt.Fprintln(a.out)
			if err := traces.Text(a.out, run.Results[i].Trace, a.textOptions(false)); err != nil {
				return err
			}
		}
	}
	if !moved {
		p.text(0, fmt.Sprintf("closed: with the fix %s holds in all %s states", name, number(after.Distinct)))
		for i, r := range after.Results {
			if r.Verdict == model.Violated {
				p.text(0, fmt.Sprintf("still violated, as before: %s, in %s", run.Results[i].Property, plural(r.Behaviour.Steps(), "step")))
			}
		}
	}
	return nil
}

// divergence takes a behaviour of one machine through another one that has the
// same states, and prints the first step that differs.
func (a *app) divergence(plain, fixed *model.Machine, b *model.Behaviour) {
	p := page{a.out}
	t := plain.Trace(b)
	_, f := fixed.Follow(t)
	if f == nil {
		p.text(0, "the fixed system can do the same, step by step")
		return
	}
	what := fmt.Sprintf("step %d, %s,", f.Step, f.Instance)
	before := max(0, f.Step-1)
	switch {
	case f.Unknown != "":
		p.text(0, "with the fix "+what+" does not exist")
	case f.Fault != nil:
		p.text(0, fmt.Sprintf("with the fix %s is at fault: %v", what, f.Fault))
	case f.Blocked != "":
		p.text(0, fmt.Sprintf("with the fix %s is no longer possible: %q is false there", what, f.Blocked))
		a.differences(plain, b.States[before], b.States[f.Step], b.States[before])
	default:
		if f.Step == 0 {
			what = "the initial state is another one"
		} else {
			what += " ends differently"
		}
		p.text(0, "with the fix "+what)
		for _, d := range f.Differ {
			a.difference(d.Name, value(t.Steps[before].Fields, d.Name), d.Want, d.Got)
		}
	}
}

// value is that of a field of a state.
func value(fields []model.Field, name string) string {
	for _, f := range fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// differences prints the fields that differ between two successors of a state.
func (a *app) differences(m *model.Machine, before, plain, fixed []byte) {
	was, is, with := m.Fields(before), m.Fields(plain), m.Fields(fixed)
	for i, f := range is {
		if f.Value != with[i].Value {
			a.difference(f.Name, was[i].Value, f.Value, with[i].Value)
		}
	}
}

func (a *app) difference(name, before, plain, fixed string) {
	page{a.out}.text(2, fmt.Sprintf("%s: %s before; %s as it is; %s with the fix", name, before, plain, fixed))
}
