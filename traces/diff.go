package traces

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"mc/model"
)

// Diff compares two behaviours step by step.
type Diff struct{ A, B Side }

// Side is one of two behaviours that are compared.
type Side struct {
	Name  string // of the file, or how the configuration differs
	Trace *model.Trace
	End   string // what comes of it
}

// Write writes where the two part, then from there on both, side by side: steps
// by the same instance stand in one row. Of such steps the fields are written
// that come out differently, of others all that change. On a narrow page one
// stands below the other.
func (d *Diff) Write(w io.Writer, o TextOptions) error {
	p := newPrinter(o)
	for _, s := range []struct {
		mark string
		side *Side
	}{{"A", &d.A}, {"B", &d.B}} {
		p.para(0, 3, span{strong, s.mark + "  " + s.side.Name + ": "}, span{normal, selection(s.side.Trace.Spec, "", s.side.Trace.Config)})
		p.para(3, 3, span{faint, s.side.End})
	}
	p.blank()
	same := d.same()
	a, b := d.A.Trace.Steps, d.B.Trace.Steps
	switch {
	case same == len(a) && same == len(b) && d.A.Trace.Loop != d.B.Trace.Loop:
		p.para(0, 0, span{strong, fmt.Sprintf("the same %s, the same states, but for what comes then", count(uint64(len(a)-1), "step"))})
		d.loops(p)
		return p.writeTo(w)
	case same == len(a) && same == len(b):
		p.para(0, 0, span{good, fmt.Sprintf("both are alike: the same %s, the same states", count(uint64(len(a)-1), "step"))})
		return p.writeTo(w)
	case same == 0:
		p.para(0, 0, span{strong, "they differ from the initial state on"})
	case same == 1:
		p.para(0, 0, span{strong, "they part at the first step"})
	default:
		p.para(0, 0, span{strong, fmt.Sprintf("alike for %s; they part at step %d", count(uint64(same-1), "step"), same)})
	}
	p.blank()
	c := p.columnsOf()
	c.row("A", "B")
	if same == 0 {
		d.writeRow(c, 0, 0)
		same = 1
	} else if same > 1 {
		c.row(fmt.Sprintf("    … %d as in B", same-1), fmt.Sprintf("    … %d as in A", same-1))
	}
	for _, row := range align(a[same:], b[same:]) {
		i, j := -1, -1
		if row[0] >= 0 {
			i = same + row[0]
		}
		if row[1] >= 0 {
			j = same + row[1]
		}
		d.writeRow(c, i, j)
	}
	d.ends(p)
	d.loops(p)
	return p.writeTo(w)
}

// same is the number of states, from the initial one on, in which the two are
// alike, and with them the steps to these.
func (d *Diff) same() (n int) {
	a, b := d.A.Trace.Steps, d.B.Trace.Steps
	for n < len(a) && n < len(b) && a[n].Instance.String() == b[n].Instance.String() && len(model.Differences(a[n].Fields, b[n].Fields)) == 0 {
		n++
	}
	return n
}

// writeRow writes a step of one side or of both. -1 is none.
func (d *Diff) writeRow(c *columnPair, i, j int) {
	a, b := d.A.Trace.Steps, d.B.Trace.Steps
	left, right := c.cell(), c.cell()
	var shown map[string]bool // of both, what one of them changes and what differs then
	if i >= 0 && j >= 0 {
		changed := map[string]bool{}
		for _, c := range slices.Concat(changesAt(a, i), changesAt(b, j)) {
			changed[c.name] = c.changed || i == 0
		}
		shown = map[string]bool{}
		for _, f := range model.Differences(a[i].Fields, b[j].Fields) {
			shown[f.Name] = changed[f.Name]
		}
	}
	left.cellStep(a, i, shown)
	right.cellStep(b, j, shown)
	c.row(left.buf.String(), right.buf.String())
}

// changesAt compares a step's state with the one before, if there is one.
func changesAt(steps []model.TraceStep, i int) []change {
	if i == 0 {
		return compare(nil, steps[0].Fields)
	}
	return slices.DeleteFunc(compare(steps[i-1].Fields, steps[i].Fields), func(c change) bool { return !c.changed })
}

// cellStep writes a step into a column, with the fields named, or with all that
// it changes.
func (p *printer) cellStep(steps []model.TraceStep, i int, shown map[string]bool) {
	if i < 0 {
		return
	}
	name, cs := "initial state", compare(nil, steps[0].Fields)
	if i > 0 {
		name, cs = steps[i].String(), compare(steps[i-1].Fields, steps[i].Fields)
	}
	p.para(0, 8, span{normal, fmt.Sprintf("%*d  %s", numberEnd, i, name)})
	cs = slices.DeleteFunc(cs, func(c change) bool { return shown != nil && !shown[c.name] || shown == nil && !c.changed })
	for _, c := range gather(cs) {
		text := c.name + ": " + value(c.to)
		if c.changed {
			text = c.name + ": " + value(c.from) + " → " + value(c.to)
		}
		p.para(6, 8, span{normal, text})
	}
}

// ends writes the fields in which the last states differ.
func (d *Diff) ends(p *printer) {
	a, b := d.A.Trace.Steps, d.B.Trace.Steps
	all := model.Differences(a[len(a)-1].Fields, b[len(b)-1].Fields)
	p.blank()
	if len(all) == 0 {
		p.para(0, 0, span{strong, "both end in the same state"})
		return
	}
	p.para(0, 0, span{strong, "their last states differ in"})
	for _, f := range all {
		p.para(2, 4, span{normal, f.Name + ": "}, span{where, valueOr(f.NoWant, f.Want)}, span{normal, " in A, "},
			span{where, valueOr(f.NoGot, f.Got)}, span{normal, " in B"})
	}
}

// loops writes how the two go on after their last step, if one of them does.
func (d *Diff) loops(p *printer) {
	if d.A.Trace.Loop < 0 && d.B.Trace.Loop < 0 {
		return
	}
	for _, s := range []struct {
		mark string
		t    *model.Trace
	}{{"A ", d.A.Trace}, {"B ", d.B.Trace}} {
		then := "ends there"
		switch endingOf(s.t) {
		case stutters:
			then = "stays in its last state for ever"
		case repeats:
			then = fmt.Sprintf("goes back to its state after step %d, and so on for ever", s.t.Loop)
		}
		p.para(0, 2, span{normal, s.mark + then})
	}
}

// maxAligned bounds the table by which steps are aligned. Longer behaviours are
// shown by the number of their steps.
const maxAligned = 1 << 22

// align puts steps by the same instance in one row, as many as possible: a
// longest common subsequence. A row has an index on each side, or -1.
func align(a, b []model.TraceStep) (rows [][2]int) {
	if len(a)*len(b) > maxAligned {
		for i := range max(len(a), len(b)) {
			row := [2]int{-1, -1}
			if i < len(a) {
				row[0] = i
			}
			if i < len(b) {
				row[1] = i
			}
			rows = append(rows, row)
		}
		return rows
	}
	name := func(steps []model.TraceStep) []string {
		all := make([]string, len(steps))
		for i, s := range steps {
			all[i] = s.String()
		}
		return all
	}
	x, y := name(a), name(b)
	width := len(b) + 1
	longest := make([]int32, (len(a)+1)*width) // of a[i:] and b[j:]
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				longest[i*width+j] = longest[(i+1)*width+j+1] + 1
			} else {
				longest[i*width+j] = max(longest[(i+1)*width+j], longest[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && x[i] == y[j]:
			rows = append(rows, [2]int{i, j})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && longest[(i+1)*width+j] >= longest[i*width+j+1]:
			rows = append(rows, [2]int{i, -1})
			i++
		default:
			rows = append(rows, [2]int{-1, j})
			j++
		}
	}
	return rows
}

// columnPair is two columns, or one below the other if the page is narrow.
type columnPair struct {
	p     *printer
	width int // of each; 0 if narrow
}

const between = " │ "

func (p *printer) columnsOf() *columnPair {
	w := (p.width - columns(between)) / 2
	if w < narrowest {
		w = 0
	}
	return &columnPair{p, w}
}

// cell is a printer for one column. It does not colour, so that what it prints
// has its width.
func (c *columnPair) cell() *printer {
	w := c.width
	if w == 0 {
		w = c.p.width - 2
	}
	p := newPrinter(TextOptions{})
	p.width = w
	return p
}

// row writes what stands side by side.
func (c *columnPair) row(left, right string) {
	l, r := strings.Split(strings.TrimSuffix(left, "\n"), "\n"), strings.Split(strings.TrimSuffix(right, "\n"), "\n")
	if c.width == 0 {
		for _, side := range []struct {
			mark  string
			lines []string
		}{{"A ", l}, {"B ", r}} {
			for _, line := range side.lines {
				if line != "" && line != strings.TrimSpace(side.mark) {
					c.p.buf.WriteString(side.mark + line + "\n")
				}
			}
		}
		return
	}
	for i := range max(len(l), len(r)) {
		var x, y string
		if i < len(l) {
			x = l[i]
		}
		if i < len(r) {
			y = r[i]
		}
		c.p.buf.WriteString(strings.TrimRight(padded(x, c.width)+between+y, " ") + "\n")
	}
}
