package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mc/checker"
	"mc/model"
	"mc/traces"
)

func (a *app) checkCommand() *cobra.Command {
	var sel selection
	var lim limits
	var walk walking
	var store word
	var stop, symmetry, minimize bool
	show := showing{sel: &sel}
	var outs texts
	var expect expecting
	c := &cobra.Command{
		Use:   "check",
		Short: "search specs for behaviours that their properties forbid",
		Long: `Check searches every state that a spec can reach, judges each property, and
prints the shortest behaviour against one that is violated.

Without --spec it checks every spec that stands for a bug, as the system is:
without fixes, in the scenarios that the spec runs by default. Names given with
--fix, --scenario, --set and --property must be known to each spec named with
--spec; without --spec, the specs that lack one are skipped.

Guarantees are checked by default, questions when they are named. A witness is
printed when it is named. One counterexample is printed for each spec; each
scenario and each property that is named has its own.

With --mode walk check takes random walks, for spaces too large to search. They
find violations, prove nothing, and come again from the same seed.

What a search finds is shortest, and the first of its length; --minimize puts
its steps in an order with few changes from one component to another, unless it
goes on for ever. What random walks find is shortened and put in order so,
unless --minimize=false.

See mc help exit-codes.`,
		Example: `  mc check --spec bcsid-map             the system as it is
  mc check --spec bcsid-map --fix on    with the fix
  mc check --spec die-hard --set want=3 --property Solved
  mc check --timeout 1m --out json=found.json --out svg=found.svg
  mc check --expect expected.yaml --out junit=mc.junit.xml`,
		Args: cobra.ArbitraryArgs,
	}
	sel.flags(c.Flags())
	lim.flags(c.Flags())
	c.Flags().BoolVar(&stop, "stop-at-first", false, "end with the first level that decides a property")
	c.Flags().BoolVar(&symmetry, "symmetry", false, "search up to renaming members of symmetric sets")
	c.Flags().Var(&store, "store", "of each state keep `WHAT`: exact, or a fingerprint")
	c.Flags().BoolVar(&minimize, "minimize", false, "put each component's steps together (default in walks)")
	walk.flags(c.Flags())
	show.flags(c.Flags())
	outs.flag(c.Flags())
	expect.flags(c.Flags())
	a.githubFlag(c.Flags())
	c.Flags().SortFlags = false
	c.RunE = func(_ *cobra.Command, args []string) error {
		a.noArguments(args)
		var targets []target
		expected := a.expectations(&expect, &sel, walk.mode.text == "walk")
		if expected != nil {
			targets = expected.targets()
		} else {
			targets = a.targets(&sel)
		}
		o := a.options(&lim)
		o.StopAtFirst, o.Symmetry, o.Coverage = stop, symmetry, show.coverage
		o.Fingerprints = a.store(store)
		a.refuse(targets, o)
		walks := a.walkOptions(&walk, &lim, store, o)
		if walks != nil {
			walks.Raw = c.Flags().Changed("minimize") && !minimize
			minimize = !walks.Raw
		}
		files := a.outputs(outs)
		if err := a.usage(); err != nil {
			return err
		}
		if len(targets) == 0 && expected == nil {
			return errors.New("check: there is no spec")
		}

		ctx, cancel := lim.context()
		defer cancel()
		doc := &traces.Document{Version: traces.Version}
		var codes []int
		var unprinted []traces.Run // of one spec
		for i, t := range targets {
			if ctx.Err() != nil {
				a.unchecked(ctx, targets[i:])
				codes = append(codes, exitIncomplete)
				break
			}
			if len(sel.properties) == 0 && len(outs) == 0 {
				o.Behaviours = exceptWitnesses(t.machine)
			}
			run, err := a.searchOrWalk(ctx, t, o, walks, minimize, lim.quiet)
			if err != nil {
				return err
			}
			if expected == nil || expected.judge(i, run) {
				unprinted = append(unprinted, *run)
			}
			a.ended(run)
			doc.Runs = append(doc.Runs, *run)
			codes = append(codes, exitOf(run))
			if i+1 == len(targets) || targets[i+1].entry != t.entry || ctx.Err() != nil {
				if len(unprinted) > 0 {
					a.print(unprinted, show)
				}
				unprinted = nil
			}
			// A reader that went away is told at the end: the files are wanted
			// all the same.
			_ = a.out.Flush()
		}
		if expected != nil {
			expected.tell(a, doc)
			codes = append(codes, exitOfLost(doc))
		}
		return a.conclude(ctx, doc, codes, plural(len(targets), "search"), show, files)
	}
	return c
}

// exceptWitnesses wants the behaviours that are printed when no property is
// named: the others take time.
func exceptWitnesses(m *model.Machine) func(int) bool {
	return func(p int) bool { return m.Properties[p].Kind != model.Witness }
}

// searchOrWalk takes walks if it is told how. The error is a mistake of the
// user that shows only in a search.
func (a *app) searchOrWalk(ctx context.Context, t target, o checker.Options, walks *checker.WalkOptions, minimize, quiet bool) (*traces.Run, error) {
	if walks != nil {
		return a.walk(ctx, t, *walks, quiet), nil
	}
	r := a.report(ctx, t, o, quiet)
	if minimize {
		inOrder(r)
	}
	return runOf(t, r, o), namesMember(r)
}

// refuse notes the searches that cannot be made as they are asked for.
func (a *app) refuse(targets []target, o checker.Options) {
	for _, t := range targets {
		o.Properties = t.properties
		if err := checker.Refuse(t.machine, o); err != nil {
			a.mistake(err)
		}
	}
}

// unchecked tells which searches were not begun.
func (a *app) unchecked(ctx context.Context, rest []target) {
	var names []string
	for _, t := range rest {
		names = append(names, t.String())
	}
	a.note("%v; not searched: %s", context.Cause(ctx), strings.Join(names, ", "))
}

// conclude prints the last line, which says what the exit code means, and
// writes the files.
func (a *app) conclude(ctx context.Context, doc *traces.Document, codes []int, counts string, show showing, files outputs) error {
	doc.Exit = interruptedExit(ctx, worst(codes...))
	a.code = doc.Exit
	line := fmt.Sprintf("%s: %s (exit code %d)", counts, meaning(doc.Exit), doc.Exit)
	page{a.out}.text(0, line)
	if !files.printed() {
		a.note("%s", line)
	}
	err := errors.Join(a.flush(), files.write(a, doc, a.choice(show)))
	a.tellGitHub(doc, a.choice(show), files)
	return err
}

// interruptedExit is the signal's code if all else is that the search was cut short.
func interruptedExit(ctx context.Context, code int) int {
	var in *interrupted
	if code == exitIncomplete && errors.As(context.Cause(ctx), &in) {
		return exitSignal + int(in.signal)
	}
	return code
}
