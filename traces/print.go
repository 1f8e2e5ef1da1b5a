package traces

import (
	"bytes"
	"io"
	"strings"
)

// TextOptions say how text is laid out.
type TextOptions struct {
	Full     bool // all fields of every state, and not only those that change
	Coverage bool // in a summary, all that the search has seen
	Causes   bool // which earlier steps each step needs
	Color    bool // with the escape sequences of a terminal
	Width    int  // columns; 0 for 80
}

// style is how a span stands out. Text without colour loses nothing by it.
type style string

const (
	normal style = ""
	strong style = "1"
	faint  style = "2"
	where  style = "36"   // cyan: lanes
	bad    style = "1;31" // bold red
	good   style = "1;32" // bold green
)

// span is text in one style, not yet made plain.
type span struct {
	style style
	text  string
}

// printer lays out paragraphs. It collects them, so that only one write can
// fail.
type printer struct {
	buf    bytes.Buffer
	width  int
	color  bool
	causes bool
	margin string // before every line
}

// A page is not narrower than narrowest, and what stands furthest right has at
// least leastText of it: nothing can be read in less.
const narrowest, leastText = 30, 15

func newPrinter(o TextOptions) *printer {
	p := &printer{width: o.Width, color: o.Color, causes: o.Causes}
	if p.width == 0 {
		p.width = 80
	}
	p.width = max(p.width, narrowest)
	return p
}

func (p *printer) writeTo(w io.Writer) error {
	_, err := w.Write(p.buf.Bytes())
	return err
}

func (p *printer) blank() {
	p.buf.WriteString(strings.TrimRight(p.margin, " ") + "\n")
}

// para writes a paragraph: the first line begins after indent columns, the
// others after hang. It breaks at the spaces within spans, and inside of a
// word only if that is wider than a line.
func (p *printer) para(indent, hang int, spans ...span) {
	width := p.width - columns(p.margin)
	indent, hang = min(indent, width-leastText), min(hang, width-leastText)
	line := strings.Repeat(" ", indent)
	column := indent
	begun := false // the line has a word
	end := func() {
		p.buf.WriteString(strings.TrimRight(p.margin+line, " ") + "\n")
		line, column, begun = strings.Repeat(" ", hang), hang, false
	}
	for _, w := range words(spans) {
		space := 0
		if begun && w.spaced {
			space = 1
		}
		if begun && column+space+w.columns() > width && w.spaced {
			end()
			space = 0
		}
		line += strings.Repeat(" ", space)
		column += space
		for _, s := range w.spans {
			for text := s.text; text != ""; {
				head, tail := cut(text, width-column)
				if column+columns(head) > width && column > hang {
					end()
					continue
				}
				line += p.paint(span{s.style, head})
				column += columns(head)
				if text = tail; tail != "" {
					end()
				}
			}
		}
		begun = true
	}
	end()
}

func (p *printer) paint(s span) string {
	if !p.color || s.style == normal || s.text == "" {
		return s.text
	}
	return "\x1b[" + string(s.style) + "m" + s.text + "\x1b[0m"
}

// word is what para does not break if it can: the text between two spaces.
type word struct {
	spans  []span
	spaced bool // a space is before it
}

func (w word) columns() (n int) {
	for _, s := range w.spans {
		n += columns(s.text)
	}
	return n
}

// words takes spans apart and makes them plain.
func words(spans []span) []word {
	var ws []word
	for _, s := range spans {
		for i, text := range strings.Split(plain(s.text), " ") {
			part := span{s.style, text}
			if i > 0 || len(ws) == 0 {
				ws = append(ws, word{spaced: i > 0})
			}
			last := &ws[len(ws)-1]
			last.spans = append(last.spans, part)
		}
	}
	return ws
}

// padded is text with spaces up to a width. Para keeps them, as it keeps all
// spaces but those at the end of a line.
func padded(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-columns(plain(text))))
}
