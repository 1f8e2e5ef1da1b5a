package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mc/checker"
	"mc/model"
	"mc/traces"
)

func (a *app) claimsCommand() *cobra.Command {
	var specs, ids words
	var lim limits
	var long, full bool
	var outs texts
	c := &cobra.Command{
		Use:   "claims",
		Short: "check what specs claim about their systems",
		Long: `Claims runs the searches that each claim names and compares the verdicts with
those that the claim expects. A row that differs is marked with ! in front, or
with ~ where it is known to.
Without --spec it takes every spec that makes claims.`,
		Example: `  mc claims --spec bcsid-map
  mc claims --spec bcsid-map --id C3 --full`,
		Args: cobra.ArbitraryArgs,
	}
	f := c.Flags()
	f.Var(&specs, "spec", "`NAMES` of specs")
	f.Var(&ids, "id", "only the claims with these `IDS`")
	f.BoolVar(&long, "long", false, "run the cases that take over about 10 seconds as well")
	f.BoolVar(&full, "full", false, "print the behaviours of the rows that differ")
	lim.flags(f)
	outs.flag(f)
	a.githubFlag(f)
	f.SortFlags = false
	c.RunE = func(_ *cobra.Command, args []string) error {
		a.noArguments(args)
		plan := a.plan(specs, ids)
		o := a.options(&lim)
		o.NoCoverage = true
		files := a.outputs(outs)
		if err := a.usage(); err != nil {
			return err
		}
		ctx, cancel := lim.context()
		defer cancel()
		r := &claimRun{a: a, ctx: ctx, o: o, quiet: lim.quiet, long: long, full: full, doc: traces.Document{Version: traces.Version}}
		for i, claim := range plan {
			if ctx.Err() != nil {
				a.note("%v; not run: %s", context.Cause(ctx), idsOf(plan[i:]))
				r.codes = append(r.codes, exitIncomplete)
				break
			}
			r.run(claim, i == 0 || plan[i-1].entry != claim.entry)
			_ = a.out.Flush() // as in check
		}
		return a.conclude(ctx, &r.doc, r.codes, r.counts(), showing{sel: &selection{}}, files)
	}
	return c
}

// claimRun runs claims and keeps count.
type claimRun struct {
	a                 *app
	ctx               context.Context
	o                 checker.Options
	quiet, long, full bool

	doc   traces.Document
	codes []int

	agree, differ, known, incomplete, skipped, notModelled int
}

func (r *claimRun) counts() string {
	text := fmt.Sprintf("%s: %d agree, %d differ", plural(r.agree+r.differ+r.known+r.incomplete+r.skipped, "verdict"), r.agree, r.differ)
	for _, c := range []struct {
		n    int
		what string
	}{{r.known, "known to differ"}, {r.incomplete, "incomplete"}, {r.skipped, "skipped (long)"}, {r.notModelled, "not modelled"}} {
		if c.n > 0 {
			text += fmt.Sprintf(", %d %s", c.n, c.what)
		}
	}
	return text
}

// run runs the trials of one claim and prints what came out.
func (r *claimRun) run(c *plannedClaim, firstOfSpec bool) {
	w := r.a.out
	if firstOfSpec {
		fmt.Fprintf(w, "%s (%s%s)\n\n", c.entry.Name, bug(c.entry), plural(len(c.entry.Claims), "claim"))
	}
	r.doc.Claims = append(r.doc.Claims, traces.Claim{Spec: c.entry.Name, Bug: c.entry.Bug, ID: c.ID, Text: c.Text, Source: c.Source, NotModelled: c.NotModelled})
	p := page{w}
	p.item(0, 6, c.ID, c.Text, sourceOf(c.Claim))
	if len(c.trials) == 0 {
		r.notModelled++
	} else {
		fmt.Fprintf(w, "    %-*s  %-11s  %-15s  %9s  %5s\n", c.width, "", "expected", "found", "states", "steps")
	}
	for _, t := range c.trials {
		r.trial(c, t)
	}
	fmt.Fprintln(w)
}

// saved is the case that is being run, as the document has it.
func (r *claimRun) saved() *traces.Case {
	cases := r.doc.Claims[len(r.doc.Claims)-1].Cases
	return &cases[len(cases)-1]
}

// check keeps one verdict in the document.
func (r *claimRun) check(v traces.Checked) {
	c := r.saved()
	c.Verdicts = append(c.Verdicts, v)
}

func (r *claimRun) trial(c *plannedClaim, t *trial) {
	claim := &r.doc.Claims[len(r.doc.Claims)-1]
	claim.Cases = append(claim.Cases, traces.Case{Scenario: t.machine.Config.Scenario, Fix: t.fix, Set: t.set, Known: t.known})
	skip := t.long && !r.long
	switch {
	case skip:
	case r.ctx.Err() != nil: // the rows below say incomplete
		r.codes = append(r.codes, exitIncomplete)
	default:
		t.run = r.a.search(r.ctx, t.target, r.o, r.quiet)
		made := len(r.doc.Runs)
		r.doc.Runs, r.saved().Run = append(r.doc.Runs, *t.run), &made
	}
	page{r.a.out}.text(2, t.heading())
	if t.run != nil && t.run.Fault != nil {
		r.codes = append(r.codes, exitOf(t.run))
		traces.Text(r.a.out, t.run.Fault, r.a.textOptions(r.full))
	}
	differs := false
	for _, e := range t.expected {
		found := traces.Result{Verdict: model.Incomplete}
		if t.run != nil {
			found = t.run.Results[slices.IndexFunc(t.run.Results, func(res traces.Result) bool { return res.Property == e.property })]
		}
		differs = r.row(c, t, e, found, skip) || differs
	}
	if t.known != "" && !skip && t.run != nil {
		page{r.a.out}.text(4, "known to differ: "+t.known)
		if !differs && t.run.Incomplete == "" {
			fmt.Fprintln(r.a.out, "  ! it agrees; want it no longer known to differ")
			r.check(traces.Checked{Text: "no longer known to differ, for it agrees", Outcome: traces.Differs})
			r.differ++
			r.codes = append(r.codes, exitClaim)
		}
	}
	r.sameStates(t)
}

// row prints and counts one verdict, and says whether it differs.
func (r *claimRun) row(c *plannedClaim, t *trial, e expectation, found traces.Result, skip bool) (differs bool) {
	mark, verdict := " ", string(found.Verdict)
	checked := traces.Checked{Property: e.property, Expected: e.verdict, Found: found.Verdict, Outcome: traces.Agrees}
	switch {
	case skip:
		verdict = "skipped (long)"
		checked.Found, checked.Outcome = "", traces.Skipped
		r.skipped++
	case found.Verdict == e.verdict:
		r.agree++
	case found.Verdict == model.Incomplete:
		checked.Outcome = traces.Open
		r.incomplete++
		r.codes = append(r.codes, exitIncomplete)
	case t.known != "":
		mark, differs, checked.Outcome = "~", true, traces.Known
		r.known++
	default:
		mark, differs, checked.Outcome = "!", true, traces.Differs
		r.differ++
		r.codes = append(r.codes, exitClaim)
	}
	r.check(checked)
	name := e.property
	if len(name) > c.width {
		fmt.Fprintf(r.a.out, "  %s %s\n", mark, name)
		mark, name = " ", ""
	}
	line := fmt.Sprintf("  %s %-*s  %-11s  %-15s", mark, c.width, name, e.verdict, verdict)
	if t.run != nil {
		line += fmt.Sprintf("  %9s", number(t.run.Distinct))
	}
	if found.Trace != nil {
		line += fmt.Sprintf("  %5d", found.Steps)
	}
	fmt.Fprintln(r.a.out, strings.TrimRight(line, " "))
	if differs && r.full && found.Trace != nil {
		fmt.Fprintln(r.a.out)
		b := traces.Behaviour{Trace: found.Trace, Result: &found}
		_ = b.Write(r.a.out, r.a.textOptions(true)) // as in print
		fmt.Fprintln(r.a.out)
	}
	return differs
}

// sameStates compares the size of the space with that of the case before.
func (r *claimRun) sameStates(t *trial) {
	if t.sameAs == nil || t.run == nil || t.sameAs.run == nil || t.run.Incomplete != "" || t.sameAs.run.Incomplete != "" {
		return
	}
	was, is := t.sameAs.run, t.run
	if was.Distinct == is.Distinct && was.Generated == is.Generated {
		fmt.Fprintf(r.a.out, "    as many states as the case before: %s, %s generated\n", number(is.Distinct), number(is.Generated))
		r.agree++
		r.check(traces.Checked{Text: "as many states as the case before", Outcome: traces.Agrees})
		return
	}
	r.check(traces.Checked{Text: fmt.Sprintf("as many states as the case before: %s, %s generated", number(was.Distinct), number(was.Generated)), Outcome: traces.Differs})
	fmt.Fprintf(r.a.out, "  ! want as many states as the case before: %s, %s generated;\n    have %s, %s generated\n",
		number(was.Distinct), number(was.Generated), number(is.Distinct), number(is.Generated))
	r.differ++
	r.codes = append(r.codes, exitClaim)
}
