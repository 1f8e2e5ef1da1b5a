package traces

import (
	"fmt"
	"html"
	"strings"

	"github.com/emicklei/dot"

	"mc/model"
)

// Dot writes a trace as a Graphviz digraph: steps are nodes, messages are
// edges, and each has its place, which the layout nop2 keeps. Every Graphviz
// program draws it: dot -Tsvg FILE.
func Dot(t *model.Trace) string {
	p := pictureOf(t)
	g := dot.NewGraph(dot.Directed)
	g.Attrs("layout", "nop2", "outputorder", "edgesfirst", "bgcolor", "white",
		"comment", plain(headline(t)+"; "+selection(t.Spec, "", t.Config)))
	w := &dotWriter{picture: p, graph: g}
	w.loop()
	w.title()
	w.lanes()
	w.steps()
	w.messages()
	return g.String()
}

// Colours from those that colour-blind readers tell apart; each comes with a
// word, a shape or a thick line.
const (
	ink      = "#1a1a1a"
	grey     = "#707070"
	paleGrey = "#e9e9ec"
	red      = "#b2182b"
	blue     = "#2166ac"
	shade    = "#f3efe0"
	font     = "monospace"
)

type dotWriter struct {
	*picture
	graph *dot.Graph
	nodes []dot.Node // of the boxes
	heads []dot.Node // of the lanes
}

// node makes a node at a place. The name orders the file.
func (w *dotWriter) node(name string, a area, label dot.HTML) dot.Node {
	n := w.graph.Node(name)
	n.Attrs("pos", w.at(a.x*2+a.w, a.y*2+a.h), "shape", "plain", "fontname", font, "fontsize", fontSize, "fontcolor", ink, "label", label)
	return n
}

// at is a place that is given in half points, as Graphviz writes it: with y
// upwards.
func (w *dotWriter) at(x2, y2 int) string {
	return half(x2) + "," + half(2*w.h-y2)
}

func half(n int) string {
	s := fmt.Sprint(n / 2)
	if n%2 != 0 {
		s += ".5"
	}
	return s
}

func (w *dotWriter) title() {
	lines := make([]string, len(w.picture.title))
	for i, l := range w.picture.title {
		lines[i] = text(l)
		if i == 0 {
			lines[i] = fmt.Sprintf(`<FONT POINT-SIZE="%d"><B>%s</B></FONT>`, titleSize, text(l))
		}
	}
	a := area{margin, margin, w.w - 2*margin, w.titleH}
	w.node("a title", a, dot.HTML(table(a, 0, "", []cell{{lines: lines}})))
}

func (w *dotWriter) lanes() {
	for i, l := range w.picture.lanes {
		label := dot.HTML(table(l.area, 1, "white", []cell{{
			lines: []string{fmt.Sprintf(`<FONT POINT-SIZE="%d"><B>%s</B></FONT>`, laneSize, text(l.name))}, centred: true, fill: paleGrey}}))
		w.heads = append(w.heads, w.node(fmt.Sprintf("b lane %06d", i), l.area, label))
		end := w.graph.Node(fmt.Sprintf("d end %06d", i))
		if w.foot {
			foot := l.area
			foot.y = l.y1
			end = w.node(fmt.Sprintf("d end %06d", i), foot, label)
		} else {
			end.Attrs("pos", w.at(2*l.x0, 2*l.y1), "shape", "point", "width", "0.02", "label", "", "color", grey)
		}
		line := w.graph.Edge(w.heads[i], end)
		line.Attrs("pos", w.spline([]point{{l.x0, l.y + l.h}, {l.x0, l.y1}}, 0), "arrowhead", "none", "style", "dashed", "color", grey)
	}
}

func (w *dotWriter) steps() {
	for i, b := range w.boxes {
		colour, border := markColour(b.mark)
		head, headInk := paleGrey, ink
		if b.mark != unmarked {
			head, headInk = colour, "white"
		}
		cells := []cell{{lines: each(b.head, `<FONT COLOR="`+headInk+`"><B>`, `</B></FONT>`), fill: head, h: partH(b.head)}}
		for _, c := range []cell{
			{lines: each(b.doc, `<FONT COLOR="`+grey+`"><I>`, `</I></FONT>`), h: partH(b.doc)},
			{lines: each(b.body, "", ""), h: partH(b.body)},
			{lines: each(b.foot, `<FONT COLOR="`+colour+`"><B>`, `</B></FONT>`), h: partH(b.foot)},
		} {
			if len(c.lines) > 0 {
				cells = append(cells, c)
			}
		}
		n := w.node(fmt.Sprintf("c step %06d", i), b.area, dot.HTML(table(b.area, border, "white", cells)))
		n.Attrs("color", colour)
		w.nodes = append(w.nodes, n)
	}
}

func (w *dotWriter) messages() {
	for i, r := range w.routes {
		from := w.nodes[r.from]
		var to dot.Node
		length := 7
		if r.to >= 0 {
			to = w.nodes[r.to]
		} else {
			// Where a message ends that no step takes is a point on a lane.
			to = w.graph.Node(fmt.Sprintf("e point %06d", i))
			end := r.points[len(r.points)-1]
			to.Attrs("pos", w.at(2*end.x, 2*end.y), "shape", "point", "width", "0.08", "label", "", "color", ink)
			if r.kind == inFlight {
				to.Attrs("fillcolor", "white", "width", "0.1")
				length = 5
			}
		}
		e := w.graph.Edge(from, to)
		e.Attrs("pos", w.spline(r.points, length), "color", ink, "arrowsize", "0.7")
		switch r.kind {
		case taken:
			e.Attrs("arrowhead", "vee")
		case inFlight:
			e.Attrs("style", "dashed", "arrowhead", "vee")
		case again:
			e.Attrs("style", "bold", "penwidth", "2")
		}
		if len(r.label) > 0 {
			e.Attrs("label", dot.HTML(strings.Join(each(r.label, "", ""), "<BR/>")), "fontname", font, "fontsize", labelSize,
				"lp", w.at(2*r.lx, 2*r.ly))
		}
	}
}

// loop shades what repeats for ever.
func (w *dotWriter) loop() {
	l := w.picture.loop
	if l == nil {
		return
	}
	colour, width := markColour(l.mark)
	lines := each(l.label, `<FONT COLOR="`+colour+`"><B>`, `</B></FONT>`)
	g := w.graph.Subgraph("loop", dot.ClusterOption{})
	g.Attrs("bb", w.at(2*l.x, 2*(l.y+l.h))+","+w.at(2*(l.x+l.w), 2*l.y), "style", "filled", "fillcolor", shade,
		"color", colour, "penwidth", width, "fontname", font, "fontsize", fontSize,
		"label", dot.HTML(strings.Join(lines, `<BR ALIGN="LEFT"/>`)+`<BR ALIGN="LEFT"/>`),
		"lp", w.at(2*(l.x+pad)+textW(widest(l.label), fontSize), 2*(l.y+pad)+len(l.label)*lineH))
}

// markColour is the colour and the thickness of what stands out.
func markColour(m mark) (colour string, width int) {
	switch m {
	case breaks:
		return red, 4
	case reaches:
		return blue, 4
	}
	return ink, 1
}

// spline is a line through points with rounded corners, as Graphviz has it:
// an arrow's tip, if one of some length is wanted, then a Bézier curve.
func (w *dotWriter) spline(points []point, arrow int) string {
	const radius = 5
	last := len(points) - 1
	end := points[last]
	var b strings.Builder
	if arrow > 0 {
		b.WriteString("e," + w.at(2*end.x, 2*end.y) + " ")
		end = towards(end, points[last-1], arrow)
	}
	at := points[0]
	b.WriteString(w.at(2*at.x, 2*at.y))
	curve := func(p, q, r point) {
		for _, c := range []point{p, q, r} {
			b.WriteString(" " + w.at(2*c.x, 2*c.y))
		}
		at = r
	}
	for i := 1; i < last; i++ {
		corner := points[i]
		before, after := towards(corner, points[i-1], radius), towards(corner, points[i+1], radius)
		curve(at, before, before)
		curve(corner, corner, after)
	}
	curve(at, end, end)
	return b.String()
}

// towards is the point at a distance from p in the direction of q, which lies
// straight above, below or beside it.
func towards(p, q point, distance int) point {
	step := func(from, to int) int {
		return from + max(-distance, min(distance, to-from))
	}
	return point{step(p.x, q.x), step(p.y, q.y)}
}

// cell is a row of a box.
type cell struct {
	lines   []string // HTML
	fill    string
	centred bool
	h       int // at least, in points
}

// table is a box as a Graphviz HTML label. The widths are those of the cells,
// because a table that is wider than its cells leaves them narrow.
func table(a area, border int, fill string, cells []cell) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<TABLE BORDER="%d" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2"`, border)
	if fill != "" {
		fmt.Fprintf(&b, ` BGCOLOR="%s"`, fill)
	}
	b.WriteString(">")
	left := a.h - 2*border
	for i, c := range cells {
		h := c.h
		if i == len(cells)-1 {
			h = left
		}
		left -= h
		align, valign := "LEFT", "TOP"
		if c.centred {
			align, valign = "CENTER", "MIDDLE"
		}
		fmt.Fprintf(&b, `<TR><TD ALIGN="%s" BALIGN="%s" VALIGN="%s" WIDTH="%d" HEIGHT="%d"`, align, align, valign, a.w-2*border, max(h, 0))
		if c.fill != "" {
			fmt.Fprintf(&b, ` BGCOLOR="%s"`, c.fill)
		}
		b.WriteString(">" + strings.Join(c.lines, "<BR/>") + "</TD></TR>")
	}
	b.WriteString("</TABLE>")
	return b.String()
}

func each(lines []string, before, after string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = before + text(l) + after
	}
	return out
}

// text is a plain line as HTML that keeps its spaces at the beginning and where
// there are several. Graphviz takes \N, \G and others for names of its own, here
// as in any label, after it has decoded entities: only a second backslash helps.
func text(s string) string {
	s = strings.ReplaceAll(html.EscapeString(s), `\`, `\\`)
	if rest, ok := strings.CutPrefix(s, " "); ok {
		s = "&#160;" + rest
	}
	return strings.ReplaceAll(s, "  ", "&#160;&#160;")
}
