package traces

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"mc/model"
)

// htmlTable is the verdicts of the searches of one spec. Few searches are its
// columns; many are its rows.
type htmlTable struct {
	Caption, Legend string
	Many, Says      bool // as rows; with what the properties mean
	Heads           []string
	Rows            []htmlRow
}

type htmlRow struct {
	Name, Note string
	Cells      []htmlCell
}

type htmlCell struct{ Class, Sign, Text, Link, Title string }

// fewRuns is how many searches stand side by side.
const fewRuns = 5

// searchTables are the verdicts of the first n searches of a document.
func searchTables(d *Document, n int, links map[*model.Trace]string) (all template.HTML, err error) {
	specs := BySpec(d.Runs[:n])
	for _, of := range specs {
		text, err := render("table", tableOf(of, len(specs) == 1, links))
		if err != nil {
			return "", err
		}
		all += text
	}
	return all, nil
}

// tableOf is the table of one spec's searches; alone says that it is the only one,
// so that there is room for what the properties mean.
func tableOf(runs []Run, alone bool, links map[*model.Trace]string) *htmlTable {
	t := &htmlTable{Many: len(runs) > fewRuns, Says: alone && len(runs) <= fewRuns}
	one := len(runs) == 1 && alone
	same := inCommon(runs)
	if !one {
		t.Legend = legend(runs)
		t.Caption = selection(runs[0].Spec, runs[0].Bug, same)
		if len(runs) > 1 {
			t.Heads = headsOf(runs, same)
		}
	}
	names := properties(runs)
	for _, name := range names {
		row := htmlRow{Name: name}
		for i := range runs {
			r := runs[i].result(name)
			if r != nil {
				row.Note = cmp.Or(row.Note, r.Meaning)
			}
			row.Cells = append(row.Cells, cellOf(r, links, !one))
		}
		t.Rows = append(t.Rows, row)
	}
	t.faults(runs, links)
	if t.Many {
		t.turn()
		for i := range runs {
			t.Rows[i].Note = runs[i].Incomplete
		}
	}
	return t
}

// turn makes columns of the rows, and rows of the columns.
func (t *htmlTable) turn() {
	was := *t
	t.Heads, t.Rows = nil, nil
	for _, row := range was.Rows {
		t.Heads = append(t.Heads, row.Name)
	}
	for i, head := range was.Heads {
		row := htmlRow{Name: head}
		for _, property := range was.Rows {
			row.Cells = append(row.Cells, property.Cells[i])
		}
		t.Rows = append(t.Rows, row)
	}
}

// headsOf are what tells searches from each other: their scenarios, if these do,
// or what they do not have in common.
func headsOf(runs []Run, same model.Configuration) []string {
	names := heads(runs)
	if distinct := slices.Compact(slices.Sorted(slices.Values(names))); len(distinct) == len(runs) && distinct[0] != "" {
		return names
	}
	for i, r := range runs {
		own := r.Config
		if same.Scenario != "" {
			own.Scenario = ""
		}
		own.Settings = slices.DeleteFunc(slices.Clone(own.Settings), func(s model.Setting) bool { return slices.Contains(same.Settings, s) })
		names[i] = strings.TrimPrefix(runName(&Run{Config: own, Walk: r.Walk}), "scenario ")
	}
	return names
}

// faults adds a row for mistakes of the spec itself.
func (t *htmlTable) faults(runs []Run, links map[*model.Trace]string) {
	row, any := htmlRow{Name: "the spec itself"}, false
	for i := range runs {
		cell := htmlCell{}
		if f := runs[i].Fault; f != nil {
			any = true
			cell = htmlCell{"bad", "✗", "at fault, " + count(uint64(len(f.Steps)-1), "step"), links[f], f.Fault}
		}
		row.Cells = append(row.Cells, cell)
	}
	if any {
		t.Rows = append(t.Rows, row)
	}
}

func cellOf(r *Result, links map[*model.Trace]string, short bool) htmlCell {
	if r == nil {
		return htmlCell{}
	}
	sign, _ := verdictStyle(r.Verdict)
	c := htmlCell{Class: verdictClass(r.Verdict), Sign: sign, Text: outcome(r)}
	if short {
		c.Title, c.Text = outcome(r), strings.TrimSpace(strings.TrimPrefix(verdictCell(r).text, sign))
	}
	if r.Trace != nil {
		c.Link = links[r.Trace]
	}
	return c
}

// runName is what tells a search from others of its spec.
func runName(r *Run) string {
	name := strings.TrimPrefix(selection("", "", r.Config), " · ")
	if r.Walk != nil {
		name += " · random walks"
	}
	return cmp.Or(name, "as it is")
}

// htmlRun is one search: its configuration and what it has seen.
type htmlRun struct {
	Name, Searched, Command string
	Open                    bool
	Warnings                []string
	Fixes, Settings         []htmlSetting
	Actions                 []htmlAction
	Counted                 bool // more than the steps of the actions
	Fields                  []htmlValues
	Levels                  []htmlBar
	Deepest                 int
	Most                    string // states in a level
}

type htmlSetting struct {
	model.Setting
	On, Own bool // switched on; not the default
}

type htmlAction struct {
	Name, Steps, Enabled, Distinct string
	Width                          int // of its bar, of 100
	Never                          bool
}

type htmlValues struct{ Name, Values string }

// htmlBar is one of the bars of levels, from the left and from the top.
type htmlBar struct {
	X, Y, W, H int
	Title      string
}

// searches renders what there is to say of each search, as far as it fits.
func (p *htmlPage) searches(runs []Run) error {
	left, room := 0, p.spare/3 // the rest is for behaviours
	for i := range runs {
		r := searchOf(&runs[i], len(runs) == 1)
		if len(BySpec(runs)) > 1 {
			r.Name = selection(runs[i].Spec, runs[i].Bug, runs[i].Config)
		}
		text, err := render("run", r)
		if err != nil {
			return err
		}
		if len(text) > room {
			left++
			continue
		}
		room -= len(text)
		p.spare -= len(text)
		p.Runs = append(p.Runs, text)
	}
	p.leave(left, "description", "narrow the searches with --spec and --scenario")
	return nil
}

func searchOf(r *Run, open bool) *htmlRun {
	h := &htmlRun{Name: runName(r), Searched: searched(r), Command: r.Command, Open: open, Counted: len(r.Fields) > 0}
	for _, w := range warnings(r) {
		h.Warnings = append(h.Warnings, w.text)
	}
	for _, s := range r.Config.Settings {
		set := htmlSetting{s, s.Fix && s.Value == "on", s.Value != s.Default}
		if s.Fix {
			h.Fixes = append(h.Fixes, set)
		} else {
			h.Settings = append(h.Settings, set)
		}
	}
	var most uint64 = 1
	for _, a := range r.Actions {
		most = max(most, a.Steps)
	}
	for _, a := range r.Actions {
		h.Actions = append(h.Actions, htmlAction{
			a.Action, commas(a.Steps), commas(a.Enabled), commas(a.Distinct), scaled(a.Steps, most, 100), a.Steps == 0,
		})
	}
	for _, f := range r.Fields {
		text := commas(uint64(max(0, f.Values)))
		if f.More {
			text += "+"
		}
		h.Fields = append(h.Fields, htmlValues{f.Field, text})
	}
	h.levels(r.Levels)
	return h
}

// The chart of levels. Its sizes are in its own units.
const (
	chartW, chartH = 600, 80
	mostBars       = 120
)

// levels makes a chart of the states of each depth. Where there are too many
// bars, one stands for several levels and is as high as the highest.
func (h *htmlRun) levels(levels []uint64) {
	if len(levels) == 0 {
		return
	}
	each := (len(levels) + mostBars - 1) / mostBars
	bars := (len(levels) + each - 1) / each
	var most uint64
	for _, n := range levels {
		most = max(most, n)
	}
	h.Deepest, h.Most = len(levels)-1, count(most, "state")
	step := chartW / bars
	for i := range bars {
		last := min((i+1)*each, len(levels)) - 1
		var n uint64
		for _, l := range levels[i*each : last+1] {
			n = max(n, l)
		}
		title := fmt.Sprintf("depth %d: %s", i*each, count(n, "state"))
		if each > 1 {
			title = fmt.Sprintf("depths %d to %d: at most %s each", i*each, last, count(n, "state"))
		}
		height := scaled(n, most, chartH)
		h.Levels = append(h.Levels, htmlBar{i * step, chartH - height, max(1, step-max(1, step/8)), height, title})
	}
}

// scaled is n of most as a length of a whole; what is not nothing is seen.
func scaled(n, most uint64, whole int) int {
	if n == 0 || most == 0 {
		return 0
	}
	return max(1, int(float64(n)/float64(most)*float64(whole)))
}

func commas(n uint64) string { return humanize.Comma(int64(n)) }
