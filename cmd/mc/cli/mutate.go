package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mc/checker/mutate"
	"mc/model"
)

func (a *app) mutateCommand() *cobra.Command {
	var sel selection
	var lim limits
	var claims bool
	var each, known, format word
	c := &cobra.Command{
		Use:   "mutate SPEC",
		Short: "leave out guards and actions: does any property notice?",
		Long: `Mutate leaves out each action of a spec in turn, and each named conjunct of a
guard, searches what is left, and compares the verdicts with those of the spec.
A mutant that no property notices is a piece of the system that nothing is said
about: a property is missing, or the piece is of no use, or there is a reason.

Mutants are searched in the scenarios run by default, with the fix and without,
unless --fix says otherwise. One that has no other step than the spec is
equivalent, and survives nothing. One whose search does not end within ` + fmt.Sprint(mutate.GrowthFactor) + ` times
the states of the spec, or which panics, is noticed. With --by-claims what
survives is held against the claims of the spec, too.

--known names a file with a reason for each mutant that may survive, in a line:

  Restart / up: nothing depends on when it restarts

A mutant that survives without a reason, or a reason whose mutant does not
survive, makes the exit code 21.`,
		Example: `  mc mutate bcsid-map
  mc mutate bcsid-map --known reasons.txt
  mc mutate die-hard --property all --format json`,
		Args: cobra.ArbitraryArgs,
	}
	f := c.Flags()
	f.Var(&sel.fixes, "fix", "on, off, or `NAMES` of fixes (default on, and then off)")
	f.Var(&sel.scenarios, "scenario", "`NAMES` of scenarios (default those run by default)")
	f.Var(&sel.set, "set", "settings `k=v,...`, on top of the scenario's")
	f.Var(&sel.properties, "property", "`NAMES` of properties, or all (default guarantees)")
	f.BoolVar(&claims, "by-claims", false, "hold what survives against the claims, too")
	f.Var(&known, "known", "`FILE` with the reasons of what survives")
	f.Var(&each, "each", "give up one search after `TIME` (default 1m)")
	f.Var(&format, "format", "text or json (default text)")
	lim.flags(f)
	f.SortFlags = false
	c.RunE = func(_ *cobra.Command, args []string) error {
		if args = a.orOnly(args); len(args) != 1 {
			a.mistakef("want the name of one spec; mc list has them")
		}
		var e *model.Entry
		for _, name := range args {
			if e = a.entry("mutate", name); e != nil {
				sel.specs = words{name}
			}
		}
		if format.given && format.text != "text" && format.text != "json" {
			a.mistakef("--format %s: want text or json", format.typed())
		}
		if lim.depth.given {
			a.mistakef("--max-depth: not with mutate, which searches to the end")
		}
		m := &mutation{a: a, entry: e, quiet: lim.quiet, claimsToo: claims}
		m.options(&lim, each)
		m.reasons = a.reasons(known)
		if e != nil && len(args) == 1 {
			m.choose(&sel)
		}
		if err := a.usage(); err != nil {
			return err
		}
		ctx, cancel := lim.context()
		defer cancel()
		return m.run(ctx, format.text == "json")
	}
	return c
}

// mutation is one call of mc mutate.
type mutation struct {
	a         *app
	entry     *model.Entry
	o         mutate.Options
	quiet     bool
	claimsToo bool
	subjects  []mutate.Subject
	reasons   mutate.Known

	mutants []mutate.Mutant
}

func (m *mutation) options(lim *limits, each word) {
	o := m.a.options(lim)
	m.o = mutate.Options{Workers: o.Workers, MaxStates: o.MaxStates, MaxMemory: o.MaxMemory, StepTimeout: o.StepTimeout, Each: time.Minute}
	if each.given {
		d, err := time.ParseDuration(each.text)
		if err != nil || d <= 0 {
			m.a.mistakef("--each %s: want a time above 0, such as 30s or 5m", each.typed())
		}
		m.o.Each = d
	}
}

// reasons reads the file of a flag; what is wrong with it is a mistake.
func (a *app) reasons(file word) mutate.Known {
	if !file.given {
		return nil
	}
	if file.text == "" {
		a.mistakef("--known: want the name of a file")
		return nil
	}
	text, err := readText(file.text, maxReasons)
	if err != nil {
		a.mistake(fmt.Errorf("--known %w", err))
		return nil
	}
	known, err := mutate.ReadKnown(string(text))
	if err != nil {
		for _, one := range leaves(err) {
			a.mistakef("--known %s: %w", file.text, one)
		}
	}
	return known
}

// Reasons are not larger than this.
const maxReasons = 1 << 20

// choose makes the configurations that the flags name, or the default ones.
func (m *mutation) choose(sel *selection) {
	fixes := []words{sel.fixes}
	if len(sel.fixes) == 0 {
		fixes = []words{{"off"}}
		if plain, err := m.entry.Machine(model.Selection{Scenario: defaultScenarios(m.entry)[0]}); err == nil &&
			slices.ContainsFunc(plain.Config.Settings, func(s model.Setting) bool { return s.Part }) {
			fixes = []words{{"on"}, {"off"}}
		}
	}
	for _, fix := range fixes {
		sel.fixes = fix
		for _, t := range m.a.targets(sel) {
			m.subjects = append(m.subjects, mutate.Subject{Machine: t.machine, Properties: t.properties})
		}
		if len(m.a.mistakes) > 0 {
			return // the same again, with the other fixes
		}
	}
	if m.claimsToo {
		claims, err := mutate.Claims(m.entry)
		if err != nil {
			m.a.mistake(err)
		}
		if len(m.entry.Claims) == 0 {
			m.a.mistakef("--by-claims: %s makes no claims", m.entry.Name)
		}
		m.subjects = append(m.subjects, claims...)
	}
}

func (m *mutation) run(ctx context.Context, asJSON bool) error {
	if f, ok := m.a.err.(*os.File); ok && !m.quiet && plainTerminal(f) {
		m.o.Progress = func(done, all int) {
			fmt.Fprintf(f, "%s%s: %d of %s", wipe, m.entry.Name, done, plural(all, "mutant"))
			if done == all {
				fmt.Fprint(f, wipe)
			}
		}
	}
	var err error
	m.mutants, err = mutate.Run(ctx, m.subjects, m.o)
	var incomplete *mutate.Incomplete
	switch {
	case errors.As(err, &incomplete):
		m.a.note("%v, so nothing is known of its mutants", err)
		m.a.code = interruptedExit(ctx, exitIncomplete)
		return nil
	case err != nil:
		return err
	}
	m.a.code = interruptedExit(ctx, m.exit())
	if asJSON {
		return m.json()
	}
	m.text()
	return nil
}

func (m *mutation) count(o mutate.Outcome) (n int) {
	for i := range m.mutants {
		if m.mutants[i].Outcome == o {
			n++
		}
	}
	return n
}

// unexplained are the survivors without a reason.
func (m *mutation) unexplained() (n int) {
	for _, mu := range m.mutants {
		if mu.Outcome == mutate.Survives && m.reasons[mu.Mutation] == "" {
			n++
		}
	}
	return n
}

func (m *mutation) exit() int {
	switch {
	case m.unexplained() > 0, len(m.reasons.Stale(m.mutants)) > 0:
		return exitMutant
	case m.count(mutate.Undecided) > 0:
		return exitIncomplete
	}
	return 0
}

// configurations names the searches that the guarantees are judged in.
func (m *mutation) configurations() (scenarios []string, fixes []string) {
	for _, s := range m.subjects {
		if s.Claim != "" {
			continue
		}
		if sc := s.Machine.Config.Scenario; sc != "" && !slices.Contains(scenarios, sc) {
			scenarios = append(scenarios, sc)
		}
		fix := strings.Join(s.Machine.Config.Fixes(), " + ")
		if fix == "" {
			fix = "no fix"
		}
		if !slices.Contains(fixes, fix) {
			fixes = append(fixes, fix)
		}
	}
	return scenarios, fixes
}

func (m *mutation) text() {
	p := page{m.a.out}
	scenarios, fixes := m.configurations()
	title := m.entry.Name + ": " + plural(len(m.mutants), "mutant")
	if len(scenarios) > 0 {
		title += " in " + strings.Join(scenarios, ", ")
	}
	if len(fixes) > 1 || fixes[0] != "no fix" {
		title += "; " + strings.Join(fixes, ", then ")
	}
	p.text(0, title)
	action := ""
	for i := range m.mutants {
		mu := &m.mutants[i]
		if mu.Action != action {
			p.heading("%s", mu.Action)
			action = mu.Action
		}
		mark, text := m.row(mu)
		name := "the action"
		if mu.Conjunct != "" {
			name = "/ " + mu.Conjunct
		}
		p.item(0, mutantHang, mark+" "+name, text)
	}
	fmt.Fprintln(m.a.out)
	by := map[string]int{}
	for _, mu := range m.mutants {
		for _, name := range mu.By {
			by[name]++
		}
	}
	var names []string
	for _, name := range propertyNames(m.subjects[0].Machine) {
		if by[name] > 0 {
			names = append(names, fmt.Sprintf("%s %d", name, by[name]))
		}
	}
	if len(names) > 0 {
		p.item(0, 2, "", "noticed by "+strings.Join(names, ", "))
	}
	for _, mu := range m.reasons.Stale(m.mutants) {
		p.item(0, 2, "", fmt.Sprintf("a reason out of date, since it does not survive: %v", mu))
	}
	line := plural(len(m.mutants), "mutant") + ":"
	sep := " "
	for _, o := range []mutate.Outcome{mutate.Noticed, mutate.Claimed, mutate.Equivalent, mutate.Survives, mutate.Undecided} {
		if n := m.count(o); n > 0 {
			line += fmt.Sprintf("%s%d %s", sep, n, verb(o, n))
			sep = ", "
		}
	}
	if m.reasons != nil && m.count(mutate.Survives) > 0 {
		line += fmt.Sprintf(" (%d without a reason)", m.unexplained())
	}
	p.text(0, fmt.Sprintf("%s (exit code %d)", line, m.a.code))
}

// mutantHang is the column where it is said what became of a mutant.
const mutantHang = 34

func verb(o mutate.Outcome, n int) string {
	if o == mutate.Survives && n > 1 {
		return "survive"
	}
	return string(o)
}

// row says what became of a mutant.
func (m *mutation) row(mu *mutate.Mutant) (mark, text string) {
	reason := m.reasons[mu.Mutation]
	switch mu.Outcome {
	case mutate.Survives:
		if reason != "" {
			return "~", "survives: " + reason
		}
		return "!", "survives (" + where(mu.Location) + ")"
	case mutate.Equivalent:
		return " ", "equivalent: changes no step"
	case mutate.Undecided:
		return "?", "undecided: " + mu.How
	case mutate.Claimed:
		return "~", fmt.Sprintf("claim %s: %s", mu.Claim, mu.How)
	}
	return " ", mu.How
}

// where is a line of a spec.
func where(l model.Location) string { return fmt.Sprintf("%s:%d", l.File, l.Line) }

// json writes everything for a program.
func (m *mutation) json() error {
	type row struct {
		mutate.Mutant
		Reason string `json:"reason,omitempty"`
	}
	scenarios, fixes := m.configurations()
	doc := struct {
		Spec      string                 `json:"spec"`
		Scenarios []string               `json:"scenarios"`
		Fixes     []string               `json:"fixes"`
		Exit      int                    `json:"exit"`
		Counts    map[mutate.Outcome]int `json:"counts"`
		Mutants   []row                  `json:"mutants"`
		Stale     []model.Mutation       `json:"stale,omitempty"`
	}{Spec: m.entry.Name, Scenarios: scenarios, Fixes: fixes, Exit: m.a.code, Counts: map[mutate.Outcome]int{}, Mutants: []row{}, Stale: m.reasons.Stale(m.mutants)}
	for _, mu := range m.mutants {
		doc.Counts[mu.Outcome]++
		doc.Mutants = append(doc.Mutants, row{mu, m.reasons[mu.Mutation]})
	}
	e := json.NewEncoder(m.a.out)
	e.SetIndent("", "  ")
	return e.Encode(doc)
}
