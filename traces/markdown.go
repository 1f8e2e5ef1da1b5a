package traces

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"mc/model"
)

// markdown is a document in GitHub's dialect of Markdown, as it goes into pull
// requests and issues: a table of verdicts for each search, then behaviours as
// lists of steps, each with its sequence diagram.
type markdown struct{ strings.Builder }

// Markdown writes all searches of a document and the behaviours chosen.
func Markdown(w io.Writer, d *Document, c *Choice) error {
	var m markdown
	for _, runs := range BySpec(d.Runs) {
		for i := range runs {
			m.run(&runs[i])
		}
		shown, others := c.Of(runs)
		for i := range shown {
			m.behaviour(&shown[i], c.Text)
		}
		if others > 0 {
			m.line("%s not shown.\n", count(uint64(others), "other behaviour"))
		}
	}
	_, err := io.WriteString(w, strings.TrimRight(m.String(), "\n")+"\n")
	return err
}

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

func (m *markdown) run(r *Run) {
	m.line("## %s\n", prose(selection(r.Spec, r.Bug, r.Config)))
	if len(r.Results) > 0 {
		m.line("| | property | verdict | what it says |\n| --- | --- | --- | --- |")
		for i := range r.Results {
			res := &r.Results[i]
			mark, _ := verdictStyle(res.Verdict)
			m.line("| %s | %s | %s | %s |", mark, tableCode(res.Property), prose(outcome(res)), prose(res.Meaning))
		}
		m.line("")
	}
	m.line("%s\n", prose(searched(r)))
	for _, s := range warnings(r) {
		m.line("- %s", prose(s.text))
	}
	m.line("")
}

func (m *markdown) behaviour(b *Behaviour, o TextOptions) {
	t := b.Trace
	m.line("### %s\n", prose(headline(t)))
	if strings.TrimSpace(t.Meaning) != "" {
		m.line("%s\n", prose(t.Meaning))
	}
	m.line("%s\n", prose(selection(t.Spec, "", t.Config)+"; "+extent(t)))
	m.steps(t, o)
	text, _ := verdictMark(t)
	lines := []string{text}
	if o.Causes {
		lines = append(lines, becauseOf(t.Because))
	}
	lines = append(lines, b.also()...)
	if b.Result != nil {
		lines = append(lines, whys(b.Result)...)
	}
	for i, line := range lines {
		switch {
		case line == "":
		case i == 0:
			m.line("%s\n", bold(line))
		default:
			m.line("- %s", prose(line))
		}
	}
	var diagram strings.Builder
	_ = Mermaid(&diagram, t) // a builder takes everything
	if diagram.Len() > diagramBytes {
		m.line("\nThe sequence diagram is too large for GitHub.\n")
		return
	}
	m.line("\n<details><summary>Sequence diagram</summary>\n\n```mermaid\n%s```\n\n</details>\n", diagram.String())
}

func (m *markdown) steps(t *model.Trace, o TextOptions) {
	c := chartOf(t)
	end := endingOf(t)
	m.line("0. initial state")
	shown, others := notable(t.Steps[0].Fields)
	if o.Full {
		shown, others = gather(compare(nil, t.Steps[0].Fields)), 0
	}
	m.fields(indentOf(0), shown)
	if others > 0 {
		m.line("   - %s", othersText(len(shown), others))
	}
	seen := map[string]bool{}
	for i := range t.Steps {
		if i > 0 {
			m.step(t, c, i, o, seen)
		}
		if end != stops && i == t.Loop {
			m.line("\n**For ever:**\n")
		}
	}
	switch end {
	case stutters:
		m.line("nothing happens any more\n")
	case repeats:
		m.line("\nand back to the state after step %d.\n", t.Loop)
	default:
		m.line("")
	}
}

func (m *markdown) step(t *model.Trace, c *chart, i int, o TextOptions, seen map[string]bool) {
	s := &t.Steps[i]
	lane := ""
	if len(c.lanes) > 1 {
		lane = bold(c.lanes[c.at[i]]) + " "
	}
	m.line("%d. %s%s", i, lane, code(s.String()))
	in := indentOf(i)
	if strings.TrimSpace(s.Doc) != "" && !seen[s.Action] { // an empty item would underline the line above
		m.line(in+"- %s", prose(s.Doc))
	}
	seen[s.Action] = true
	for j, msg := range s.Messages {
		a := &c.arrows[c.messages[i][j]]
		switch {
		case a.call:
			m.line(in+"- calls %s: %s", bold(c.lanes[a.to]), code(a.text))
		case sends(msg) && a.inFlight():
			m.line(in+"- sends %s to %s (%s)", code(a.text), bold(c.lanes[a.to]), a.later())
		case sends(msg):
			m.line(in+"- sends %s to %s", code(a.text), bold(c.lanes[a.to]))
		case a.from < 0:
			m.line(in+"- takes %s, under way from the start", code(a.text))
		default:
			m.line(in+"- takes %s from %s, step %d", code(a.text), bold(c.lanes[c.at[a.from]]), a.from)
		}
	}
	if o.Full {
		m.fields(in, gather(compare(t.Steps[i-1].Fields, s.Fields)))
	} else {
		m.fields(in, changes(t.Steps[i-1].Fields, s.Fields))
	}
	if text := becauseOf(s.Because); o.Causes && text != "" {
		m.line(in+"- %s", prose(text))
	}
}

// indentOf is as far as the text of a numbered item begins: so far is indented
// what belongs to it.
func indentOf(i int) string { return strings.Repeat(" ", len(strconv.Itoa(i))+len(". ")) }

func (m *markdown) fields(in string, cs []change) {
	for _, c := range cs {
		if c.changed {
			m.line(in+"- %s: %s → %s", code(c.name), code(value(c.from)), code(value(c.to)))
		} else {
			m.line(in+"- %s: %s", code(c.name), code(value(c.to)))
		}
	}
}

var backticks = regexp.MustCompile("`+")

// code is text between backticks, more of them than are in it.
func code(s string) string {
	s = plain(s)
	longest := 0
	for _, run := range backticks.FindAllString(s, -1) {
		longest = max(longest, len(run))
	}
	fence := strings.Repeat("`", longest+1)
	// One space on both sides is taken off again, but not from spaces alone.
	if strings.Trim(s, " ") == "" {
		return fence + strconv.Quote(s) + fence
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") {
		s = " " + s + " "
	}
	return fence + s + fence
}

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`,
	"&", `\&`, "~", `\~`, "|", `\|`, "#", `\#`, "!", `\!`, "$", `\$`)

// prose is text that says in Markdown what it says, wherever it stands. A word
// with an @ would call somebody, if it were not code.
func prose(s string) string {
	words := strings.Split(plain(s), " ")
	for i, w := range words {
		if strings.Contains(w, "@") {
			words[i] = tableCode(w)
		} else {
			words[i] = markdownEscapes.Replace(w)
		}
	}
	text := strings.TrimLeft(strings.Join(words, " "), " ")
	if m := blockStart.FindString(text); m != "" {
		digits := strings.IndexAny(m, ".)-+=:")
		text = m[:digits] + `\` + text[digits:]
	}
	return text
}

// bold is prose that stands out, between spaces or punctuation.
func bold(s string) string { return "**" + prose(value(strings.TrimSpace(s))) + "**" }

// blockStart is what makes a list or a heading of the line that it begins.
var blockStart = regexp.MustCompile(`^(?:\d+[.)](?: |$)|[-+=:])`)

// tableCode is code in a table, where a | needs a backslash.
func tableCode(s string) string { return strings.ReplaceAll(code(s), "|", `\|`) }
