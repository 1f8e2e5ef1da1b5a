package traces

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"mc/model"
)

// sideBySide is how many searches, from the first on, share a table: those of
// the same properties that differ in their scenarios alone.
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
	return r.Config.Scenario != "" && !slices.Contains(heads(runs), r.Config.Scenario) &&
		first.Config.Scenario != "" && first.Spec == r.Spec &&
		slices.Equal(first.Config.Fixes(), r.Config.Fixes()) && slices.Equal(first.Symmetry, r.Symmetry) &&
		slices.EqualFunc(first.Results, r.Results, func(a, b Result) bool { return a.Property == b.Property })
}

// heads are the scenarios, which head the columns.
func heads(runs []Run) (names []string) {
	for _, r := range runs {
		names = append(names, r.Config.Scenario)
	}
	return names
}

// reports writes those of several searches that go together.
func (p *printer) reports(runs []Run, full bool) {
	same := runs[0].Config
	same.Scenario = ""
	same.Settings = slices.DeleteFunc(slices.Clone(same.Settings), func(s model.Setting) bool {
		return slices.ContainsFunc(runs, func(r Run) bool { return !slices.Contains(r.Config.Settings, s) })
	})
	p.para(0, 2, span{strong, selection(runs[0].Spec, runs[0].Bug, same)})
	p.blank()
	if len(runs[0].Results) > 0 {
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
	if full {
		p.coverage(runs)
	}
}

// verdictRows are the properties, each with its verdict in every search.
func verdictRows(runs []Run) (rows []gridRow) {
	for i, first := range runs[0].Results {
		row := gridRow{name: first.Property, note: first.Meaning}
		for j := range runs {
			row.cells = append(row.cells, verdictCell(&runs[j].Results[i]))
		}
		rows = append(rows, row)
	}
	return rows
}

// verdictCell is a verdict in a few columns; legend explains it.
func verdictCell(r *Result) span {
	mark, s := verdictStyle(r.Verdict)
	if r.Trace != nil {
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

// coverage writes how many steps each action made in each search.
func (p *printer) coverage(runs []Run) {
	var rows []gridRow
	widths := make([]int, len(runs))
	for j, r := range runs {
		for _, a := range r.Actions {
			widths[j] = max(widths[j], len(humanize.Comma(int64(a.Steps))))
			if !slices.ContainsFunc(rows, func(row gridRow) bool { return row.name == a.Action }) {
				rows = append(rows, gridRow{name: a.Action, cells: make([]span, len(runs))})
			}
		}
	}
	for j, r := range runs {
		for _, a := range r.Actions {
			i := slices.IndexFunc(rows, func(row gridRow) bool { return row.name == a.Action })
			rows[i].cells[j] = span{normal, fmt.Sprintf("%*s", widths[j], humanize.Comma(int64(a.Steps)))}
		}
	}
	names := heads(runs)
	if len(runs) == 1 {
		names = []string{"steps"}
	}
	switch half := len(runs) / 2; {
	case len(rows) == 0:
	case half > 0 && p.gridWidth(names, rows) > p.width:
		p.coverage(runs[:half])
		p.coverage(runs[half:])
	default:
		p.blank()
		p.grid(names, rows)
	}
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
