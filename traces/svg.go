package traces

import (
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"mc/model"
)

// SVG writes a trace as a picture that needs no other program: the same as that
// of Dot, with a colour for each lane, in light or dark as its reader has it.
func SVG(w io.Writer, t *model.Trace) error {
	s := &svgWriter{picture: pictureOf(t), trace: t}
	s.head()
	s.loop()
	s.lanes()
	s.routes()
	s.steps()
	s.printf("</svg>\n")
	_, err := io.WriteString(w, s.String())
	return err
}

type svgWriter struct {
	strings.Builder
	*picture
	trace *model.Trace
	// inPage says that the picture is part of a page, which has texts and styles
	// of its own and wants to know what belongs to which step.
	inPage bool
}

func (s *svgWriter) printf(format string, args ...any) { fmt.Fprintf(s, format, args...) }

// svgStyle has light colours, and dark ones for readers who want them. Some
// programs that draw SVG know neither variables nor media queries, so that the
// light ones stand by themselves. Lanes have hues that colour-blind readers
// tell apart. All text is monospaced, for its width to be known: no other font
// keeps the name of a lane within its box.
const svgStyle = `
text { font: 10px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #24292f; white-space: pre }
.page { fill: #ffffff } .card { fill: #ffffff; stroke: #d0d7de } .band { fill: currentColor; fill-opacity: .13 }
.edge { fill: currentColor } .line { stroke: #d0d7de; stroke-dasharray: 2 4; stroke-width: 1.5 }
.h1 { font-size: 13px; font-weight: 600 } .lane { font-size: 11px; font-weight: 600; fill: currentColor }
.b { font-weight: 700 } .dim { fill: #656d76 } .doc { fill: #656d76; font-style: italic }
.arrow { fill: none; stroke: currentColor; stroke-width: 1.4 } .tip { fill: currentColor }
.dash { stroke-dasharray: 5 3 } .say { font-size: 9px; fill: currentColor; stroke: #ffffff; stroke-width: 3; stroke-linejoin: round; paint-order: stroke }
.loop { fill: #8c959f; fill-opacity: .1; stroke: currentColor } .back { stroke-width: 2.5 }
.bad { color: #cf222e } .good { color: #0969da } .plain { color: #57606a } .mark { fill: none; stroke: currentColor; stroke-width: 2.5 }
.say2 { fill: currentColor; font-weight: 700 } .new { fill: #24292f; font-weight: 700 } .idle { opacity: .5 }
.l0 { color: #0b62a8 } .l1 { color: #a84f00 } .l2 { color: #107052 } .l3 { color: #a3316f } .l4 { color: #6b5500 } .l5 { color: #5b4bb5 }
@media (prefers-color-scheme: dark) {
text, .new { fill: #e6edf3 } .page { fill: #0d1117 } .card { fill: #161b22; stroke: #3d444d } .line { stroke: #3d444d } .band { fill-opacity: .22 }
.dim, .doc { fill: #9198a1 } .say { fill: currentColor; stroke: #0d1117 } .lane, .say2 { fill: currentColor }
.bad { color: #ff7b72 } .good { color: #79c0ff } .plain { color: #9198a1 }
.l0 { color: #6cb6ff } .l1 { color: #f0a35e } .l2 { color: #57c99f } .l3 { color: #f28cc0 } .l4 { color: #d6bd4f } .l5 { color: #b3a6ff }
}
`

const laneColours = 6

func (s *svgWriter) head() {
	label := headline(s.trace) + "; " + selection(s.trace.Spec, "", s.trace.Config)
	s.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="img">`+"\n", s.w, s.h, s.w, s.h)
	s.printf("<title>%s</title>\n<style>%s</style>\n", xmlText(label), svgStyle)
	s.printf(`<rect class="page" width="%d" height="%d"/>`+"\n", s.w, s.h)
	mark, _ := traceMark(s.trace)
	for i, line := range s.title {
		if i == 0 {
			s.text(margin, margin+titleLineH-3, "h1 say2 "+markClass(mark), line)
		} else {
			s.text(margin, margin+titleLineH+i*lineH-1, "dim", line)
		}
	}
}

// text puts a line at a place: the left end of its baseline.
func (s *svgWriter) text(x, y int, class, line string) {
	if class != "" {
		class = ` class="` + strings.TrimSpace(class) + `"`
	}
	s.printf(`<text x="%d" y="%d"%s>%s</text>`+"\n", x, y, class, xmlText(line))
}

func (s *svgWriter) lanes() {
	for i, l := range s.picture.lanes {
		s.printf(`<g class="l%d"><line class="line" x1="%d" y1="%d" x2="%d" y2="%d"/>`+"\n", i%laneColours, l.x0, l.y+l.h, l.x0, l.y1)
		s.laneHead(l, l.y)
		if s.foot {
			s.laneHead(l, l.y1)
		}
		s.printf("</g>\n")
	}
}

// laneHead is the name of a lane.
func (s *svgWriter) laneHead(l laneBox, y int) {
	s.printf(`<rect class="card" x="%d" y="%d" width="%d" height="%d" rx="6"/><rect class="band" x="%d" y="%d" width="%d" height="%d" rx="6"/>`,
		l.x, y, l.w, l.h, l.x, y, l.w, l.h)
	s.printf(`<text class="lane" text-anchor="middle" x="%d" y="%d">%s</text>`+"\n", l.x0, y+l.h/2+4, xmlText(l.name))
}

// of is the attribute that tells a page which step a part belongs to.
func (s *svgWriter) of(step int) string {
	if !s.inPage || step >= len(s.trace.Steps) {
		return ""
	}
	return fmt.Sprintf(` data-step="%d"`, step)
}

// steps draws the boxes, each with all that its step changes as a tooltip.
func (s *svgWriter) steps() {
	for i, b := range s.boxes {
		idle := ""
		if i < len(s.trace.Steps) && s.trace.Steps[i].Idle {
			idle = " idle"
		}
		s.printf(`<g class="%s%s"%s>`, s.colour(b), idle, s.of(i))
		if !s.inPage {
			s.printf(`<title>%s</title>`, xmlText(s.tooltip(i)))
		}
		s.printf("\n")
		s.printf(`<rect class="card" x="%d" y="%d" width="%d" height="%d" rx="5"/>`+"\n", b.x, b.y, b.w, b.h)
		head := 1 + partH(b.head)
		s.printf(`<path class="band" d="M%d %dv-%da5 5 0 0 1 5 -5h%da5 5 0 0 1 5 5v%dz"/>`+"\n", b.x, b.y+head, head-5, b.w-10, head-5)
		if b.mark != unmarked {
			s.printf(`<rect class="mark %s" x="%d" y="%d" width="%d" height="%d" rx="5"/>`+"\n", markClass(b.mark), b.x, b.y, b.w, b.h)
		}
		y := b.y + 1
		for _, part := range []struct {
			lines []string
			class string
		}{{b.head, "b"}, {b.doc, "doc"}, {b.body, "body"}, {b.foot, "say2 " + markClass(b.mark)}} {
			for j, line := range part.lines {
				at := point{b.x + pad + 2, y + j*lineH + lineH - 1}
				if part.class == "body" && b.lane >= 0 {
					s.change(at, part.lines[:j], line)
				} else {
					s.text(at.x, at.y, part.class, line)
				}
			}
			y += partH(part.lines)
		}
		s.printf("</g>\n")
	}
}

// change writes a line of fieldLines, the new value as what matters. A value
// that has an arrow itself only looks odd.
func (s *svgWriter) change(at point, before []string, line string) {
	const arrow = "→ "
	i := strings.LastIndex(line, arrow)
	switch {
	case i >= 0:
		i += len(arrow)
		s.printf(`<text class="dim" x="%d" y="%d">%s<tspan class="new">%s</tspan></text>`+"\n", at.x, at.y, xmlText(line[:i]), xmlText(line[i:]))
	case strings.HasPrefix(line, "    ") && slices.ContainsFunc(before, func(l string) bool { return strings.HasPrefix(l, "  "+arrow) }):
		s.text(at.x, at.y, "new", line) // it goes on
	default:
		s.text(at.x, at.y, "dim", line)
	}
}

// colour is the class of a box: that of its lane.
func (s *svgWriter) colour(b *box) string {
	if b.lane < 0 {
		return "plain"
	}
	return fmt.Sprintf("l%d", b.lane%laneColours)
}

// tooltip says what a step does, with values that its box has shortened.
func (s *svgWriter) tooltip(i int) string {
	if i >= len(s.trace.Steps) {
		return strings.Join(s.boxes[i].head, " ")
	}
	step := &s.trace.Steps[i]
	lines := []string{"initial state"}
	cs, _ := notable(step.Fields)
	if i > 0 {
		lines = []string{fmt.Sprintf("step %d, on %s: %s", i, laneName(step.Lane), step)}
		cs = changes(s.trace.Steps[i-1].Fields, step.Fields)
	}
	for _, c := range cs {
		line := c.name + ": " + value(c.to)
		if c.changed {
			line = c.name + ": " + value(c.from) + " → " + value(c.to)
		}
		lines = append(lines, line)
	}
	for j, line := range lines {
		lines[j] = plain(line)
	}
	return shorten(strings.Join(lines, "\n"), 4000)
}

// routes draws the messages, in the colour of their senders.
func (s *svgWriter) routes() {
	for _, r := range s.picture.routes {
		class, line := s.colour(s.boxes[r.from]), "arrow"
		switch r.kind {
		case again:
			class, line = markClass(s.picture.loop.mark), "arrow back"
		case inFlight:
			line = "arrow dash"
		}
		s.printf(`<g class="%s"%s><path class="%s" d="%s"/>`, class, s.of(r.from), line, roundedPath(r.points))
		end := r.points[len(r.points)-1]
		switch r.kind {
		case call:
			s.printf(`<circle class="tip" cx="%d" cy="%d" r="3.5"/>`, end.x, end.y)
		default:
			s.printf(`<path class="tip" d="%s"/>`, arrowHead(end, r.points[len(r.points)-2]))
		}
		for i, l := range r.label {
			s.printf(`<text class="say" text-anchor="middle" x="%d" y="%d">%s</text>`, r.lx,
				r.ly-len(r.label)*labelLineH/2+i*labelLineH+labelSize-1, xmlText(l))
		}
		s.printf("</g>\n")
	}
}

// roundedPath is a line through points with rounded corners.
func roundedPath(points []point) string {
	const radius = 6
	var b strings.Builder
	fmt.Fprintf(&b, "M%d %d", points[0].x, points[0].y)
	last := len(points) - 1
	for i := 1; i < last; i++ {
		p := points[i]
		before, after := towards(p, points[i-1], radius), towards(p, points[i+1], radius)
		fmt.Fprintf(&b, "L%d %dQ%d %d %d %d", before.x, before.y, p.x, p.y, after.x, after.y)
	}
	fmt.Fprintf(&b, "L%d %d", points[last].x, points[last].y)
	return b.String()
}

// arrowHead is a triangle at the end of a line that comes from another point.
func arrowHead(end, from point) string {
	const length, half = 8, 4
	base := towards(end, from, length)
	dx, dy := 0, half
	if base.x == end.x {
		dx, dy = half, 0
	}
	return fmt.Sprintf("M%d %dL%d %dL%d %dz", end.x, end.y, base.x-dx, base.y-dy, base.x+dx, base.y+dy)
}

// loop shades what repeats for ever.
func (s *svgWriter) loop() {
	l := s.picture.loop
	if l == nil {
		return
	}
	class := markClass(l.mark)
	s.printf(`<g class="%s"><rect class="loop" x="%d" y="%d" width="%d" height="%d" rx="8"/>`+"\n", class, l.x, l.y, l.w, l.h)
	for i, line := range l.label {
		s.text(l.x+2*pad, l.y+pad+(i+1)*lineH-1, "say2", line)
	}
	s.printf("</g>\n")
}

// markClass is the colour of what stands out.
func markClass(m mark) string {
	switch m {
	case breaks:
		return "bad"
	case reaches:
		return "good"
	}
	return "plain"
}

// xmlText is text that XML takes as it is, made plain but for line breaks, which a
// tooltip has.
func xmlText(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = html.EscapeString(plain(l))
	}
	return strings.Join(lines, "\n")
}
