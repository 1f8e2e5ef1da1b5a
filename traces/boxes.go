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
	d.title = few(wrap(plain(headline(t)), 80), mostLines)
	if t.Meaning != "" {
		d.title = append(d.title, few(wrap(plain(t.Meaning), noteCols), mostLines)...)
	}
	d.title = append(d.title, few(wrap(plain(selection(t.Spec, "", t.Config)), noteCols), mostLines)...)
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
		b.head = few(hanging(fmt.Sprintf("%d  ", i), plain(s.String()), d.boxCols()), mostLines)
		if s.Doc != "" && !seen[s.Action] {
			b.doc = few(wrap(plain(s.Doc), d.boxCols()), mostLines)
		}
		seen[s.Action] = true
		b.body = few(fieldLines(changes(t.Steps[i-1].Fields, s.Fields), d.boxCols()), 8*mostLines)
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
	m, text := traceMark(t)
	if end != stops {
		label := "for ever"
		if text != "" {
			label += " — " + text
		}
		d.loop = &loopArea{label: few(wrap(plain(label), noteCols), mostLines), mark: m}
		return
	}
	if last := d.boxes[len(d.boxes)-1]; text != "" {
		cols := noteCols
		if last.lane >= 0 {
			cols = d.boxCols()
		}
		last.foot, last.mark = few(wrap(plain(text), cols), mostLines), m
	}
}

// traceMark is what a trace stands out for, and the text that says so.
func traceMark(t *model.Trace) (mark, string) {
	text, _ := verdictMark(t)
	switch {
	case t.Fault != "" || t.Verdict == model.Violated:
		return breaks, text
	case t.Verdict == model.Reached:
		return reaches, text
	}
	return unmarked, text
}

// initial is the first state: several fields on a line, since it is a note
// that is as wide as the picture.
func initial(fields []model.Field, cols int) []string {
	shown, others := notable(fields)
	var items []string
	for _, c := range shown {
		items = append(items, plain(c.name)+" = "+plain(value(c.to)))
	}
	lines := few(flow(items, "    ", cols), 8*mostLines)
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
			lines = append(lines, few(wrap(plain("takes "+a.text+", under way from the start"), d.boxCols()), mostLines)...)
		}
	}
	return lines
}

// mostLines bounds what one text takes of a picture. A name of some lines is
// understood; a value of a thousand would push everything else aside.
const mostLines = 6

// few is the first of some lines, with a mark if there are more.
func few(lines []string, most int) []string {
	if len(lines) > most {
		lines = append(slices.Clone(lines[:most-1]), lines[most-1]+"…")
	}
	return lines
}

// fieldLines are changes, one on a line or, when that is too long, with the name
// or both values on lines of their own.
func fieldLines(cs []change, cols int) (lines []string) {
	for _, c := range cs {
		name, from, to := plain(c.name), plain(value(c.from)), plain(value(c.to))
		one := name + ": " + from + " → " + to
		if columns(one) <= cols {
			lines = append(lines, one)
			continue
		}
		if both := "  " + from + " → " + to; columns(both) <= cols {
			lines = append(append(lines, few(wrap(name+":", cols), mostLines)...), both)
			continue
		}
		lines = append(lines, few(hanging(name+": ", from, cols), mostLines)...)
		lines = append(lines, few(hanging("  → ", to, cols), mostLines)...)
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
		lines = append(lines, few(hanging("", s, cols), mostLines)...)
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
