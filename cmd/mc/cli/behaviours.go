package cli

import (
	"github.com/spf13/pflag"

	"mc/traces"
)

// showing is what is printed of what was found.
type showing struct {
	sel       *selection
	all, full bool
	coverage  bool
	causes    bool
}

func (s *showing) flags(f *pflag.FlagSet) {
	f.BoolVar(&s.all, "all-traces", false, "print every counterexample, not only the shortest")
	f.BoolVar(&s.full, "full", false, "print every field of every state")
	f.BoolVar(&s.causes, "causes", false, "print which earlier steps each step needs, and why")
	f.BoolVar(&s.coverage, "coverage", false, "print what was seen of actions, fields and depths, in text")
}

// choice is what a document shows then.
func (a *app) choice(s showing) traces.Choice {
	c := traces.Choice{Scenarios: s.sel.scenarios, Properties: s.sel.properties, All: s.all, Text: a.textOptions(s.full)}
	c.Text.Coverage, c.Text.Causes = s.coverage, s.causes
	return c
}

// print prints the searches of one spec and the behaviours they found. The
// writer keeps the first error; flush returns it.
func (a *app) print(runs []traces.Run, s showing) {
	c := a.choice(s)
	_ = traces.Report(a.out, runs, &c)
}
