package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mc/checker"
	"mc/model"
)

// maxVaried bounds the fixes that a matrix varies: the searches double with
// each.
const maxVaried = 8

func (a *app) matrixCommand() *cobra.Command {
	var sel selection
	var lim limits
	var vary words
	var format word
	c := &cobra.Command{
		Use:   "matrix",
		Short: "check every combination of a spec's fixes",
		Long: `Matrix searches a spec with every subset of its fixes and shows what each of
them does to each property: how many steps the shortest counterexample has, or
that there is none. Below the table it names the smallest sets of fixes that
suffice, and the fixes that none of them needs, that only make a bug harder to
reach, or that break something. A cell is the worst of all scenarios.

Without --vary the fixes are the parts of the real one.`,
		Example: `  mc matrix --spec bcsid-map
  mc matrix --spec bcsid-map --vary all --property NoUpdateBcsidFailure
  mc matrix --spec bcsid-map --format markdown`,
		Args: cobra.ArbitraryArgs,
	}
	f := c.Flags()
	f.Var(&sel.specs, "spec", "`NAME` of the spec")
	f.Var(&vary, "vary", "`NAMES` of fixes, or all (default the real fix's parts)")
	f.Var(&sel.fixes, "fix", "`NAMES` of fixes that are on in every row")
	f.Var(&sel.scenarios, "scenario", "`NAMES` of scenarios (default those run by default)")
	f.Var(&sel.set, "set", "settings `k=v,...`, on top of the scenario's")
	f.Var(&sel.properties, "property", "`NAMES` of properties, or all (default guarantees)")
	f.Var(&format, "format", "text, markdown or json (default text)")
	lim.flags(f)
	f.SortFlags = false
	c.RunE = func(_ *cobra.Command, args []string) error {
		a.noArguments(args)
		if sel.specs = a.orOnly(sel.specs); len(sel.specs) != 1 {
			a.mistakef("--spec: want the name of one spec")
		}
		if format.given && !slices.Contains([]string{"text", "markdown", "json"}, format.text) {
			a.mistakef("--format %s: want text, markdown or json", format.typed())
		}
		targets := a.targets(&sel)
		o := a.options(&lim)
		o.NoCoverage = true
		fixes := a.varied(targets, vary)
		if err := a.usage(); err != nil {
			return err
		}
		ctx, cancel := lim.context()
		defer cancel()
		m, err := a.matrix(ctx, &sel, fixes, o, lim.quiet)
		if err != nil {
			return err
		}
		m.conclude()
		switch format.text {
		case "json":
			e := json.NewEncoder(a.out)
			e.SetIndent("", "  ")
			if err := e.Encode(m); err != nil {
				return err
			}
		case "markdown":
			m.markdown(a.out)
		default:
			m.text(a.out)
		}
		if m.Incomplete != "" {
			a.note("%s: %s", m.Spec, m.Incomplete)
			a.code = interruptedExit(ctx, exitIncomplete)
		}
		return nil
	}
	return c
}

// varied are the fixes that the rows differ in.
func (a *app) varied(targets []target, vary words) (fixes []string) {
	if len(targets) == 0 {
		return nil
	}
	vary = a.needNames("--vary", vary)
	var have []string
	for _, s := range targets[0].machine.Config.Settings {
		if !s.Fix {
			continue
		}
		have = append(have, s.Name)
		if slices.Contains(vary, s.Name) || slices.Contains(vary, "all") || len(vary) == 0 && s.Part {
			fixes = append(fixes, s.Name)
		}
	}
	for _, name := range vary {
		if name != "all" && !slices.Contains(have, name) {
			a.mistake(&model.NameError{Flag: "--vary", Kind: "fix", Name: name, Have: have})
		}
	}
	switch {
	case len(have) == 0:
		a.mistakef("%s: the spec has no fixes", targets[0].entry.Name)
	case len(fixes) > maxVaried:
		a.mistakef("--vary: %d fixes make %d rows; want at most %d fixes", len(fixes), 1<<len(fixes), maxVaried)
	}
	return fixes
}

// matrix is what every combination of fixes does to every property.
type matrix struct {
	Spec       string   `json:"spec"`
	Scenarios  []string `json:"scenarios"`
	Fixes      []string `json:"fixes"` // those that vary
	Properties []string `json:"properties"`
	Rows       []row    `json:"rows"` // row i has fix k if bit k of i is set
	Incomplete string   `json:"incomplete,omitempty"`

	// Sufficient are the smallest sets with which every property holds that
	// some set makes hold; Unmended the properties that none does.
	Sufficient [][]string `json:"sufficient"`
	Unmended   []string   `json:"unmended,omitempty"`
	Redundant  []string   `json:"redundant,omitempty"` // in none of Sufficient
	Narrows    []effect   `json:"narrows,omitempty"`
	Breaks     []effect   `json:"breaks,omitempty"`
}

type row struct {
	Fixes []string `json:"fixes"`
	Cells []cell   `json:"cells"`
}

// cell is a property's verdict in the scenario where it is worst.
type cell struct {
	Verdict  model.Verdict `json:"verdict"`
	Steps    int           `json:"steps,omitempty"` // of its trace; shortest where violated
	Scenario string        `json:"scenario,omitempty"`
}

// effect is what a fix does to a property where it is added to others.
type effect struct {
	Fix      string   `json:"fix"`
	Property string   `json:"property"`
	With     []string `json:"with,omitempty"` // the fixes that it was added to
	Before   int      `json:"before,omitempty"`
	After    int      `json:"after,omitempty"`
}

// bad says that the property is not as the spec would have it.
func (c cell) bad() bool { return c.Verdict == model.Violated || c.Verdict == model.Unreachable }

// rank orders verdicts from best to worst.
func (c cell) rank() int {
	switch c.Verdict {
	case model.Violated, model.Unreachable:
		return 2
	case model.Incomplete:
		return 1
	}
	return 0
}

func (a *app) matrix(ctx context.Context, sel *selection, fixes []string, o checker.Options, quiet bool) (*matrix, error) {
	m := &matrix{Fixes: fixes, Sufficient: [][]string{}}
	always := sel.fixes
	for i := range 1 << len(fixes) {
		r := row{Fixes: subset(fixes, i)}
		sel.fixes = slices.Concat(words(always), words(r.Fixes))
		targets := a.targets(sel)
		if err := a.usage(); err != nil {
			return nil, err
		}
		for _, t := range targets {
			run := a.search(ctx, t, o, quiet)
			if run.Fault != nil {
				return nil, &model.SpecError{Spec: t.String(), Err: errors.New(run.Fault.Fault)}
			}
			if run.Incomplete != "" && m.Incomplete == "" {
				m.Incomplete = run.Incomplete
			}
			if i == 0 {
				m.Spec = t.entry.Name
				m.Scenarios = append(m.Scenarios, t.machine.Config.Scenario)
			}
			for _, res := range run.Results {
				m.add(&r, res.Property, cell{res.Verdict, res.Steps, t.machine.Config.Scenario})
			}
		}
		m.Rows = append(m.Rows, r)
	}
	return m, nil
}

// add takes one verdict into a row.
func (m *matrix) add(r *row, property string, c cell) {
	at := slices.Index(m.Properties, property)
	if at < 0 {
		at = len(m.Properties)
		m.Properties = append(m.Properties, property)
	}
	if at >= len(r.Cells) {
		r.Cells = append(r.Cells, c)
		return
	}
	if old := &r.Cells[at]; c.rank() > old.rank() || c.rank() == old.rank() && c.rank() == 2 && c.Steps < old.Steps {
		*old = c
	}
}

func subset(names []string, bits int) []string {
	set := []string{}
	for k, name := range names {
		if bits>>k&1 != 0 {
			set = append(set, name)
		}
	}
	return set
}

// conclude draws the conclusions. Nothing is assumed about what a fix does
// together with others: every statement is read off the rows.
func (m *matrix) conclude() {
	mended := func(row, p int) bool { return m.Rows[row].Cells[p].rank() == 0 }
	var wanted []int
	for p, name := range m.Properties {
		some := false
		for i := range m.Rows {
			some = some || mended(i, p)
		}
		if some {
			wanted = append(wanted, p)
		} else {
			m.Unmended = append(m.Unmended, name)
		}
	}
	suffices := func(row int) bool {
		return !slices.ContainsFunc(wanted, func(p int) bool { return !mended(row, p) })
	}
	used := 0
	for i := range m.Rows {
		smaller := func(j int) bool { return j != i && j&i == j && suffices(j) }
		if suffices(i) && !slices.ContainsFunc(numbers(len(m.Rows)), smaller) {
			m.Sufficient = append(m.Sufficient, m.Rows[i].Fixes)
			used |= i
		}
	}
	slices.SortStableFunc(m.Sufficient, func(a, b []string) int { return len(a) - len(b) })
	if len(m.Sufficient) > 0 {
		m.Redundant = subset(m.Fixes, (1<<len(m.Fixes)-1)&^used)
	}
	for k, fix := range m.Fixes {
		for p, name := range m.Properties {
			m.narrows(k, p, fix, name)
			m.breaks(k, p, fix, name)
		}
	}
}

func numbers(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// narrows notes a fix that by itself leaves a property violated, by a longer
// behaviour.
func (m *matrix) narrows(k, p int, fix, name string) {
	before, after := m.Rows[0].Cells[p], m.Rows[1<<k].Cells[p]
	if before.Verdict == model.Violated && after.Verdict == model.Violated && after.Steps > before.Steps {
		m.Narrows = append(m.Narrows, effect{Fix: fix, Property: name, Before: before.Steps, After: after.Steps})
	}
}

// breaks notes the smallest set of others to which adding a fix breaks what
// was well before.
func (m *matrix) breaks(k, p int, fix, name string) {
	best := -1
	for i := range m.Rows {
		if i>>k&1 == 0 && m.Rows[i].Cells[p].rank() == 0 && m.Rows[i|1<<k].Cells[p].bad() &&
			(best < 0 || bits.OnesCount(uint(i)) < bits.OnesCount(uint(best))) {
			best = i
		}
	}
	if best >= 0 {
		m.Breaks = append(m.Breaks, effect{Fix: fix, Property: name, With: m.Rows[best].Fixes, After: m.Rows[best|1<<k].Cells[p].Steps})
	}
}

// shown are the properties that are not well in every row, which make the
// columns of the table.
func (m *matrix) shown() (columns []int, well []string) {
	for p, name := range m.Properties {
		if slices.ContainsFunc(m.Rows, func(r row) bool { return r.Cells[p].rank() > 0 }) {
			columns = append(columns, p)
		} else {
			well = append(well, name)
		}
	}
	return columns, well
}

func (c cell) String() string {
	switch c.Verdict {
	case model.Violated:
		return fmt.Sprint("✗ ", c.Steps)
	case model.Unreachable:
		return "none"
	case model.Incomplete:
		return "?"
	}
	return "✓"
}

func (m *matrix) text(w io.Writer) {
	p := page{w}
	title := m.Spec
	if s := strings.Join(m.Scenarios, ", "); s != "" {
		title += ", worst of the scenarios " + s
	}
	p.text(0, title)
	columns, well := m.shown()
	p.heading("fixes")
	for k, name := range m.Fixes {
		p.item(2, 6, letter(k), name)
	}
	if len(columns) > 0 {
		p.heading("properties: steps of the shortest counterexample, or ✓")
		for i, c := range columns {
			p.item(2, 6, fmt.Sprint(i+1), m.Properties[c])
		}
		width := max(2*len(m.Fixes)+1, len("off")+1)
		perBlock := (columnsWide - width - 2) / cellWide
		for from := 0; from < len(columns); from += perBlock {
			m.block(w, width, columns, from, min(from+perBlock, len(columns)))
		}
	}
	if len(well) > 0 {
		fmt.Fprintln(w)
		p.item(0, 2, "", "well in every row: "+strings.Join(well, ", "))
	}
	fmt.Fprintln(w)
	for _, line := range m.conclusions() {
		p.item(0, 2, "", line)
	}
}

const (
	columnsWide = columns
	cellWide    = 6
)

// block prints some columns of the table.
func (m *matrix) block(w io.Writer, width int, columns []int, from, to int) {
	fmt.Fprintf(w, "\n  %-*s", width, "")
	for i := from; i < to; i++ {
		fmt.Fprintf(w, "%*d", cellWide, i+1)
	}
	fmt.Fprintln(w)
	for i, r := range m.Rows {
		head := "off"
		if i > 0 {
			var on []string
			for k := range m.Fixes {
				if i>>k&1 != 0 {
					on = append(on, letter(k))
				} else {
					on = append(on, "·")
				}
			}
			head = strings.Join(on, " ")
		}
		fmt.Fprintf(w, "  %-*s", width, head)
		for _, c := range columns[from:to] {
			fmt.Fprintf(w, "%*s", cellWide, r.Cells[c])
		}
		fmt.Fprintln(w)
	}
}

func letter(k int) string { return string(rune('A' + k)) }

// conclusions are what the table says, in words.
func (m *matrix) conclusions() (lines []string) {
	list := func(names []string) string {
		if len(names) == 0 {
			return "no fix at all"
		}
		return strings.Join(names, " + ")
	}
	if m.Incomplete != "" {
		lines = append(lines, "incomplete: "+m.Incomplete)
	}
	if len(m.Unmended) > 0 {
		lines = append(lines, "mended by no combination: "+strings.Join(m.Unmended, ", "))
	}
	for i, s := range m.Sufficient {
		lead := "sufficient and minimal: "
		if i > 0 {
			lead = "or: "
		}
		lines = append(lines, lead+list(s))
	}
	if len(m.Sufficient) == 0 {
		lines = append(lines, "no combination mends all that some combination mends")
	}
	for _, fix := range m.Redundant {
		lines = append(lines, "redundant: "+fix)
	}
	for _, e := range m.Narrows {
		lines = append(lines, fmt.Sprintf("only narrows: %s alone leaves %s violated, by %d steps instead of %d", e.Fix, e.Property, e.After, e.Before))
	}
	for _, e := range m.Breaks {
		lines = append(lines, fmt.Sprintf("breaks: %s, added to %s, breaks %s", e.Fix, list(e.With), e.Property))
	}
	return lines
}

func (m *matrix) markdown(w io.Writer) {
	columns, well := m.shown()
	fmt.Fprintf(w, "| %s, with", m.Spec)
	for _, c := range columns {
		fmt.Fprintf(w, " | %s", m.Properties[c])
	}
	fmt.Fprint(w, " |\n| ---")
	fmt.Fprint(w, strings.Repeat(" | ---", len(columns)))
	fmt.Fprintln(w, " |")
	for _, r := range m.Rows {
		name := strings.Join(r.Fixes, " + ")
		if name == "" {
			name = "no fix"
		}
		fmt.Fprintf(w, "| %s", name)
		for _, c := range columns {
			fmt.Fprintf(w, " | %s", r.Cells[c])
		}
		fmt.Fprintln(w, " |")
	}
	fmt.Fprintln(w)
	if len(well) > 0 {
		fmt.Fprintf(w, "- well in every row: %s\n", strings.Join(well, ", "))
	}
	for _, line := range m.conclusions() {
		fmt.Fprintf(w, "- %s\n", line)
	}
}
