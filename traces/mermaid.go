package traces

import (
	"fmt"
	"io"
	"strings"

	"mc/model"
)

// Mermaid writes a trace as a sequence diagram in the language of Mermaid, which
// draws it in the text of pull requests and wikis. A message is drawn where it
// is taken, with the step that sent it; only one that nobody takes is drawn
// where it is sent.
func Mermaid(w io.Writer, t *model.Trace) error {
	m := &mermaid{trace: t, chart: chartOf(t)}
	m.line("sequenceDiagram")
	m.line("  title %s", mermaidText(headline(t)+" ("+selection(t.Spec, "", t.Config)+")"))
	for i, name := range m.chart.lanes {
		m.line("  participant p%d as %s", i, mermaidText(shorten(name, laneCols)))
	}
	if len(m.chart.lanes) == 0 {
		m.line("  participant p0 as %s", mermaidText(t.Spec))
	}
	m.steps()
	_, err := io.WriteString(w, m.String())
	return err
}

type mermaid struct {
	strings.Builder
	trace *model.Trace
	chart *chart
}

func (m *mermaid) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

func (m *mermaid) steps() {
	t := m.trace
	shown, others := notable(t.Steps[0].Fields)
	lines := []string{"0 initial state"}
	for _, c := range shown {
		lines = append(lines, c.name+" = "+value(c.to))
	}
	if others > 0 {
		lines = append(lines, othersText(len(shown), others))
	}
	m.note(m.everywhere(), lines)
	end := endingOf(t)
	for i := range t.Steps {
		if i > 0 {
			m.step(i)
		}
		if end != stops && i == t.Loop {
			m.line("  loop for ever")
		}
	}
	if end == stutters {
		m.note(m.everywhere(), []string{"nothing happens any more"})
	}
	if end != stops {
		m.line("  end")
	}
	if text, _ := verdictMark(t); text != "" {
		m.note(m.everywhere(), []string{text})
	}
}

// everywhere is the place of a note over all lanes.
func (m *mermaid) everywhere() string {
	if n := len(m.chart.lanes); n > 1 {
		return fmt.Sprintf("p0,p%d", n-1)
	}
	return "p0"
}

// step writes what Steps[i] takes, itself, and what it sends at once.
func (m *mermaid) step(i int) {
	s, at := &m.trace.Steps[i], m.chart.at[i]
	lines := []string{fmt.Sprintf("%d %s", i, s)}
	var after []string
	for j, msg := range s.Messages {
		a := &m.chart.arrows[m.chart.messages[i][j]]
		text := mermaidText(shorten(a.text, 80))
		switch {
		case a.call:
			after = append(after, fmt.Sprintf("  p%d->>p%d: %s", at, a.to, text))
		case sends(msg) && a.inFlight():
			after = append(after, fmt.Sprintf("  p%d--)p%d: %s (%s)", at, a.to, text, a.later()))
		case sends(msg):
			lines = append(lines, "sends "+a.text+" to "+m.chart.lanes[a.to])
		case a.from < 0:
			lines = append(lines, "takes "+a.text+", under way from the start")
		default:
			m.line("  p%d-)p%d: %s (sent in step %d)", m.chart.at[a.from], at, text, a.from)
		}
	}
	for _, c := range changes(m.trace.Steps[i-1].Fields, s.Fields) {
		lines = append(lines, c.name+": "+value(c.from)+" → "+value(c.to))
	}
	m.note(fmt.Sprintf("p%d", at), lines)
	for _, line := range after {
		m.line("%s", line)
	}
}

// note writes lines in a box, as many and as wide as Mermaid draws well.
func (m *mermaid) note(over string, lines []string) {
	const most, wide = 12, 48
	var texts []string
	for _, line := range lines {
		for _, part := range few(wrap(plain(line), wide), mostLines) {
			texts = append(texts, mermaidText(part))
		}
	}
	m.line("  Note over %s: %s", over, strings.Join(few(texts, most), "<br/>"))
}

// mermaidText is text that Mermaid takes as it is. Its # begins a comment or
// names a character, ; ends a statement, %% a comment or directive, $$ a formula;
// a line that seems to have a style loses characters, and one that begins with
// wrap: that word. The others would be HTML, or end the block in Markdown.
func mermaidText(s string) string {
	return mermaidEscapes.Replace(value(strings.TrimSpace(shorten(plain(s), 300))))
}

var mermaidEscapes = strings.NewReplacer("#", "#35;", ";", "#59;", "%", "#37;", "$", "#36;", "`", "#96;", "&", "#amp;",
	"<", "#lt;", ">", "#gt;", `"`, "#quot;", `\`, "#92;", "wrap:", "wrap#58;", "style", "styl#101;", "classDef", "classDe#102;")
