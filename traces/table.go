package traces

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"mc/model"
)

// sideBySide is how many searches, from the first on, share a table: those that
// differ in their scenarios alone, and in a property that some scenarios have.
func (p *printer) sideBySide(runs []Run) int {
	n := 1
	for n < len(runs) && alike(runs[:n], &runs[n]) && p.gridWidth(heads(runs[:n+1]), verdictRows(runs[:n+1])) <= p.width {
		n++
	}
	return n
}

// alike says whether one more search goes with others.
func alike(runs []Run, r *Run) bool {
	first := &runs[0]
	return !first.compared() && !r.compared() && r.Config.Scenario != "" && !slices.Contains(heads(runs), r.Config.Scenario) &&
		first.Config.Scenario != "" && first.Spec == r.Spec &&
		slices.Equal(first.Config.Fixes(), r.Config.Fixes()) && slices.Equal(first.Symmetry, r.Symmetry) && (first.Walk == nil) == (r.Walk == nil) &&
		(r.has(properties(runs)) || len(properties(append(slices.Clone(runs), *r))) == len(properties(runs)))
}

// compared says whether something was expected of the verdicts, which there is
// no room to say in a cell.
func (r *Run) compared() bool {
	return slices.ContainsFunc(r.Results, func(res Result) bool { return res.Expected != "" })
}

// properties are those of any of the searches.
func properties(runs []Run) (names []string) {
	for _, r := range runs {
		for _, res := range r.Results {
			if !slices.Contains(names, res.Property) {
				names = append(names, res.Property)
			}
		}
	}
	return names
}

// result is that of a property, or nil.
func (r *Run) result(property string) *Result {
	i := slices.IndexFunc(r.Results, func(res Result) bool { return res.Property == property })
	if i < 0 {
		return nil
	}
	return &r.Results[i]
}

func (r *Run) has(properties []string) bool {
	return !slices.ContainsFunc(properties, func(name string) bool { return r.result(name) == nil })
}

// heads are the scenarios, which head the columns.
func heads(runs []Run) (names []string) {
	for _, r := range runs {
		names = append(names, r.Config.Scenario)
	}
	return names
}

// inCommon is what is the same in the configurations of all searches.
func inCommon(runs []Run) model.Configuration {
	same := runs[0].Config
	if slices.ContainsFunc(runs, func(r Run) bool { return r.Config.Scenario != same.Scenario }) {
		same.Scenario = ""
	}
	same.Settings = slices.DeleteFunc(slices.Clone(same.Settings), func(s model.Setting) bool {
		return slices.ContainsFunc(runs, func(r Run) bool { return !slices.Contains(r.Config.Settings, s) })
	})
	return same
}

// reports writes those of several searches that go together.
func (p *printer) reports(runs []Run, coverage bool) {
	same := inCommon(runs)
	p.para(0, 2, span{strong, selection(runs[0].Spec, runs[0].Bug, same)})
	p.blank()
	if len(properties(runs)) > 0 {
		p.grid(heads(runs), verdictRows(runs))
		p.blank()
		p.para(2, 4, span{faint, legend(runs)})
	}
	names := 0
	for _, h := range heads(runs) {
		names = max(names, columns(plain(h)))
	}
	for i := range runs {
		r := &runs[i]
		text := searched(r)
		if own := set(r.Config, same); own != "" {
			text = own + ": " + text
		}
		p.para(2, 4+names, span{strong, padded(r.Config.Scenario, names)}, span{normal, "  " + text})
		for _, s := range warnings(r) {
			p.para(4+names, 4+names, s)
		}
	}
	for i := range runs {
		if coverage {
			p.blank()
			p.para(2, 4, span{strong, runs[i].Config.Scenario})
			p.coverage(&runs[i])
		}
	}
}

// verdictRows are the properties, each with its verdict in every search.
func verdictRows(runs []Run) (rows []gridRow) {
	for _, name := range properties(runs) {
		row := gridRow{name: name}
		for i := range runs {
			if r := runs[i].result(name); r != nil {
				row.cells, row.note = append(row.cells, verdictCell(r)), cmp.Or(row.note, r.Meaning)
			} else {
				row.cells = append(row.cells, span{})
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// verdictCell is a verdict in a few columns; legend explains it.
func verdictCell(r *Result) span {
	mark, s := verdictStyle(r.Verdict)
	if decided(r) {
		mark += " " + humanize.Comma(int64(r.Steps))
	}
	switch {
	case r.Bound > 0:
		mark += " bounded"
	case r.Vacuous:
		mark += " vacuous"
	}
	return span{s, mark}
}

// legend explains the verdicts that occur.
func legend(runs []Run) string {
	var parts []string
	for _, v := range verdictWords {
		if !slices.ContainsFunc(runs, func(r Run) bool {
			return slices.ContainsFunc(r.Results, func(res Result) bool { return res.Verdict == v })
		}) {
			continue
		}
		mark, _ := verdictStyle(v)
		text := mark + " " + string(v)
		if v == model.Violated || v == model.Reached {
			text = mark + " n " + string(v) + " in n steps"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// coverage writes what a search has seen: what each action did, how many
// values each field took, and the states of each depth.
func (p *printer) coverage(r *Run) {
	number := func(n uint64) span { return span{normal, humanize.Comma(int64(n))} }
	var rows []gridRow
	for _, a := range r.Actions {
		row := gridRow{name: a.Action, cells: []span{number(a.Steps)}}
		if len(r.Fields) > 0 {
			row.cells = append(row.cells, number(a.Enabled), number(a.Distinct))
		}
		rows = append(rows, row)
	}
	if len(rows) > 0 {
		p.blank()
		p.grid([]string{"steps", "states enabled in", "different states led to"}[:len(rows[0].cells)], alignRight(rows))
	}
	if len(r.Fields) > 0 {
		var texts []string
		for _, f := range r.Fields {
			text := fmt.Sprintf("%s %s", f.Field, humanize.Comma(int64(f.Values)))
			if f.More {
				text += "+"
			}
			texts = append(texts, text)
		}
		p.blank()
		p.para(2, 4, span{normal, "values of each field: " + strings.Join(texts, ", ")})
	}
	if cost := cost(r); cost != "" && r.Seconds < steadySeconds {
		p.blank()
		p.para(2, 4, span{normal, cost})
	}
	if len(r.Levels) > 0 {
		var texts []string
		for _, n := range r.Levels {
			texts = append(texts, humanize.Comma(int64(n)))
		}
		p.blank()
		p.para(2, 4, span{normal, "states of each depth: " + strings.Join(texts, ", ")})
	}
}

// alignRight makes the cells of each column equally wide.
func alignRight(rows []gridRow) []gridRow {
	for j := range rows[0].cells {
		widest := 0
		for _, r := range rows {
			widest = max(widest, columns(r.cells[j].text))
		}
		for _, r := range rows {
			r.cells[j].text = fmt.Sprintf("%*s", widest, r.cells[j].text)
		}
	}
	return rows
}

// gridRow is a line of a table: a name, cells, and a note on a line below.
type gridRow struct {
	name  string
	cells []span
	note  string
}

// gridLayout is the width of the names and of each column.
func gridLayout(heads []string, rows []gridRow) (names int, widths []int) {
	widths = make([]int, len(heads))
	for j, h := range heads {
		widths[j] = columns(plain(h))
	}
	for _, row := range rows {
		names = max(names, columns(plain(row.name)))
		for j, c := range row.cells {
			widths[j] = max(widths[j], columns(c.text))
		}
	}
	return names, widths
}

func (p *printer) gridWidth(heads []string, rows []gridRow) int {
	names, widths := gridLayout(heads, rows)
	total := 2 + names
	for _, w := range widths {
		total += 2 + w
	}
	return total
}

// grid writes a table that fits.
func (p *printer) grid(heads []string, rows []gridRow) {
	names, widths := gridLayout(heads, rows)
	line := func(name string, cell func(int) span) {
		spans, end := []span{{normal, name}}, names
		for j := range heads {
			c := cell(j)
			before := spans[len(spans)-1].text
			spans = append(spans, span{normal, strings.Repeat(" ", 2+max(0, end-columns(plain(before))))}, c)
			end = widths[j]
		}
		p.para(2, 4, spans...)
	}
	line("", func(j int) span { return span{strong, heads[j]} })
	for _, row := range rows {
		line(row.name, func(j int) span { return row.cells[j] })
		if row.note != "" {
			p.para(6, 6, span{faint, row.note})
		}
	}
}
