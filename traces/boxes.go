package traces

import (
	"fmt"
	"slices"
	"strings"

	"mc/model"
)

// mark is what a box stands out for.
type mark int

const (
	unmarked mark = iota
	breaks        // the property, or the spec itself
	reaches       // the witness
)

// box is a step, or a note as wide as all lanes.
type box struct {
	area
	lane       int // -1 for a note
	head, body []string
	doc        []string // what the action stands for, where it is first taken
	foot       []string // why it is marked
	mark       mark
	left       side
	right      side
}

// boxCols is the width at which the text of boxes is wrapped: fewer lanes
// leave more for each.
func (d *drawing) boxCols() int {
	switch len(d.chart.lanes) {
	case 0, 1:
		return 64
	case 2:
		return 44
	case 3:
		return 36
	}
	return 32
}

// Notes are wrapped at a width that depends on the lanes, but not below the
// least one.
const noteCols, leastNoteCols = 100, 48

// fill decides what stands in every box.
func (d *drawing) fill() {
	t := d.trace
	d.title = wrap(plain(headline(t)), 80)
	if t.Meaning != "" {
		d.title = append(d.title, wrap(plain(t.Meaning), noteCols)...)
	}
	d.title = append(d.title, wrap(plain(selection(t.Spec, "", t.Config)), noteCols)...)
	legend := extent(t) + ". Time goes down; a step shows the fields that it changes."
	if slices.ContainsFunc(d.chart.arrows, func(a arrow) bool { return a.call }) {
		legend += " An arrow to a dot takes effect in the same step."
	}
	d.title = append(d.title, wrap(plain(legend), noteCols)...)

	// The fields of the initial state follow when it is known how wide it is.
	d.boxes = append(d.boxes, &box{lane: -1, head: []string{"0  initial state"}})
	seen := map[string]bool{}
	for i, s := range t.Steps[1:] {
		i++
		b := &box{lane: d.chart.at[i]}
		b.head = hanging(fmt.Sprintf("%d  ", i), plain(s.String()), d.boxCols())
		if s.Doc != "" && !seen[s.Action] {
			b.doc = wrap(plain(s.Doc), d.boxCols())
		}
		seen[s.Action] = true
		b.body = fieldLines(changes(t.Steps[i-1].Fields, s.Fields), d.boxCols())
		b.body = append(b.body, d.takenFromStart(i)...)
		d.boxes = append(d.boxes, b)
	}
	d.finish()
}

// finish adds what comes after the last step, and marks where the property is
// decided: in a loop, or in a step.
func (d *drawing) finish() {
	t := d.trace
	note := func(head string) { d.boxes = append(d.boxes, &box{lane: -1, head: []string{head}}) }
	end := endingOf(t)
	switch {
	case end == stutters:
		note("nothing happens any more")
	case t.Fault != "":
		note("what comes next is not defined")
	}
	text, _ := verdictMark(t)
	m := unmarked
	switch {
	case t.Fault != "" || t.Verdict == model.Violated:
		m = breaks
	case t.Verdict == model.Reached:
		m = reaches
	}
	if end != stops {
		label := "for ever"
		if text != "" {
			label += " — " + text
		}
		d.loop = &loopArea{label: wrap(plain(label), noteCols), mark: m}
		return
	}
	if last := d.boxes[len(d.boxes)-1]; text != "" {
		cols := noteCols
		if last.lane >= 0 {
			cols = d.boxCols()
		}
		last.foot, last.mark = wrap(plain(text), cols), m
	}
}

// initial is the first state: several fields on a line, since it is a note
// that is as wide as the picture.
func initial(fields []model.Field, cols int) []string {
	shown, others := notable(fields)
	var items []string
	for _, c := range shown {
		items = append(items, plain(c.name)+" = "+plain(value(c.to)))
	}
	lines := flow(items, "    ", cols)
	if others > 0 {
		lines = append(lines, wrap(othersText(len(shown), others), cols)...)
	}
	return lines
}

// takenFromStart notes the messages that no step has sent; they have no line.
func (d *drawing) takenFromStart(i int) (lines []string) {
	for j, m := range d.trace.Steps[i].Messages {
		a := &d.chart.arrows[d.chart.messages[i][j]]
		if !sends(m) && a.from < 0 {
			lines = append(lines, wrap(plain("takes "+a.text+", under way from the start"), d.boxCols())...)
		}
	}
	return lines
}

// fieldLines are changes, one on a line or, when that is too long, the old
// value and the new one on lines of their own.
func fieldLines(cs []change, cols int) (lines []string) {
	for _, c := range cs {
		name, from, to := plain(c.name), plain(value(c.from)), plain(value(c.to))
		one := name + ": " + from + " → " + to
		if columns(one) <= cols {
			lines = append(lines, one)
			continue
		}
		lines = append(lines, hanging(name+": ", from, cols)...)
		lines = append(lines, hanging("  → ", to, cols)...)
	}
	return lines
}

// hanging wraps text behind a lead, which the other lines are indented by.
func hanging(lead, text string, cols int) []string {
	indent := columns(lead)
	if indent > cols/2 {
		return append(wrap(lead, cols), hanging("  ", text, cols)...)
	}
	lines := wrap(text, cols-indent)
	for i, l := range lines {
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		lines[i] = lead + l
	}
	return lines
}

// flow puts items on lines, several on one where they fit.
func flow(items []string, space string, cols int) (lines []string) {
	for _, s := range items {
		if n := len(lines); n > 0 && columns(lines[n-1])+columns(space)+columns(s) <= cols {
			lines[n-1] += space + s
			continue
		}
		lines = append(lines, hanging("", s, cols)...)
	}
	return lines
}

// textW is the width that a box needs for what stands in it.
func (b *box) textW() int {
	return textW(max(widest(b.head), widest(b.doc), widest(b.body), widest(b.foot)), fontSize) + 2*pad + 4
}

// partH is the height of some lines of a box.
func partH(lines []string) int {
	if len(lines) == 0 {
		return 0
	}
	return len(lines)*lineH + pad
}
