package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mc/checker/vet"
	"mc/model"
)

func (a *app) vetCommand() *cobra.Command {
	var lim limits
	var format word
	c := &cobra.Command{
		Use:   "vet SPEC...",
		Short: "find mistakes of a spec's author",
		Long: `Vet looks for what is wrong with a spec itself, and tells each mistake with the
line of the spec that it is about:

- a guard or property that writes, a step or property that is not a function of
  the state (the order of a map, time, chance, a global variable), a renaming
  that does not commute, anything that panics, String and Draw included;
- an action that no default scenario enables, a witness that none reaches, an
  implication or leads-to whose premise is never true, a spec without a witness;
- a setting or fix that changes nothing: neither states nor verdicts, in any of
  the scenarios and claims; a parameter of which all values do the same;
- a fix without a claim.

It searches the default scenarios, with the fix and without, to their ends, and
looks at single states of all other configurations that the spec speaks of.
Without SPEC it vets all specs. A mistake makes the exit code 14, something that
could not be looked for 20.`,
		Example: `  mc vet
  mc vet bcsid-map node-health
  mc vet die-hard --format json`,
		Args: cobra.ArbitraryArgs,
	}
	f := c.Flags()
	f.Var(&format, "format", "text or json (default text)")
	lim.flags(f)
	f.SortFlags = false
	c.RunE = func(_ *cobra.Command, args []string) error {
		if format.given && format.text != "text" && format.text != "json" {
			a.mistakef("--format %s: want text or json", format.typed())
		}
		if lim.depth.given {
			a.mistakef("--max-depth: not with vet, which searches to the end")
		}
		entries := a.specs
		if len(args) > 0 {
			entries = nil
			for _, name := range args {
				if a.flagsUnknown { // it may be meant as the value of one
					break
				}
				if e := a.entry("vet", name); e != nil && !slices.Contains(entries, e) {
					entries = append(entries, e)
				}
			}
		}
		o := a.options(&lim)
		v := &vetRun{a: a, quiet: lim.quiet, o: vet.Options{
			Workers: o.Workers, MaxStates: o.MaxStates, MaxMemory: o.MaxMemory, StepTimeout: o.StepTimeout,
		}}
		if err := a.usage(); err != nil {
			return err
		}
		ctx, cancel := lim.context()
		defer cancel()
		return v.run(ctx, entries, format.text == "json")
	}
	return c
}

// vetRun is one call of mc vet.
type vetRun struct {
	a     *app
	o     vet.Options
	quiet bool
	told  int // findings
	specs []vetted
}

// vetted is what was found of a spec.
type vetted struct {
	Spec       string        `json:"spec"`
	Findings   []vet.Finding `json:"findings"`
	Incomplete []string      `json:"incomplete,omitempty"`
}

func (v *vetRun) run(ctx context.Context, entries []*model.Entry, asJSON bool) error {
	codes := []int{0}
	for i, e := range entries {
		if ctx.Err() != nil {
			v.a.note("%v; not vetted: %s", context.Cause(ctx), strings.Join(specNames(entries[i:]), ", "))
			codes = append(codes, exitIncomplete)
			break
		}
		r := v.vet(ctx, e)
		v.specs = append(v.specs, vetted{e.Name, append([]vet.Finding{}, r.Findings...), r.Incomplete})
		v.told += len(r.Findings)
		if len(r.Findings) > 0 {
			codes = append(codes, exitSpecAtFault)
		}
		if len(r.Incomplete) > 0 {
			codes = append(codes, exitIncomplete)
		}
		if !asJSON {
			v.print(e, r)
		}
		if r.Hangs { // and takes a core until the process ends
			codes = append(codes, exitHangs)
			v.a.hangs = true
			v.a.cancel(fmt.Errorf("a step of %s does not end", e.Name))
		}
	}
	v.a.code = interruptedExit(ctx, worst(codes...))
	if asJSON {
		enc := json.NewEncoder(v.a.out)
		enc.SetIndent("", "  ")
		return enc.Encode(struct {
			Exit  int      `json:"exit"`
			Specs []vetted `json:"specs"`
		}{v.a.code, v.specs})
	}
	page{v.a.out}.text(0, fmt.Sprintf("%s: %s (exit code %d)", plural(len(v.specs), "spec"), plural(v.told, "mistake"), v.a.code))
	return nil
}

func (v *vetRun) vet(ctx context.Context, e *model.Entry) *vet.Result {
	o := v.o
	if f, ok := v.a.err.(*os.File); ok && !v.quiet && plainTerminal(f) {
		o.Progress = func(what string) { fmt.Fprintf(f, "%s%s: %s", wipe, e.Name, what) }
		defer fmt.Fprint(f, wipe)
	}
	return vet.Spec(ctx, e, o)
}

// print tells the mistakes of a spec, each behind its place, as compilers do.
func (v *vetRun) print(e *model.Entry, r *vet.Result) {
	for _, f := range r.Findings {
		for i, line := range wrap(fmt.Sprintf("%s: %s: %s", where(f.Location), e.Name, f.Text), columns-4) {
			fmt.Fprintf(v.a.out, "%s%s\n", strings.Repeat(" ", min(i, 1)*4), line)
		}
	}
	for _, what := range r.Incomplete {
		v.a.note("%s: incomplete: %s", e.Name, what)
	}
	_ = v.a.out.Flush() // an error is told at the end
}
