package cli

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// page prints text wrapped at the width of a page.
type page struct{ w io.Writer }

// text prints paragraphs, which blank lines separate, each line behind the
// indent. No text is no line.
func (p page) text(indent int, text string) {
	for i, para := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			fmt.Fprintln(p.w)
		}
		for _, line := range wrap(para, columns-indent) {
			fmt.Fprintf(p.w, "%*s%s\n", indent, "", line)
		}
	}
}

// item prints a term and, in the column hang, what there is to say about it.
// Parts start lines of their own; empty ones are left out.
func (p page) item(indent, hang int, term string, parts ...string) {
	var lines []string
	for _, part := range parts {
		lines = append(lines, wrap(part, columns-hang)...)
	}
	head := strings.Repeat(" ", indent) + term
	if len(lines) == 0 || utf8.RuneCountInString(head)+2 > hang {
		fmt.Fprintln(p.w, head)
	} else {
		fmt.Fprintf(p.w, "%-*s%s\n", hang, head, lines[0])
		lines = lines[1:]
	}
	for _, line := range lines {
		fmt.Fprintf(p.w, "%*s%s\n", hang, "", line)
	}
}

// heading starts a section.
func (p page) heading(format string, args ...any) { fmt.Fprintf(p.w, "\n"+format+"\n", args...) }

// wrap breaks text between words into lines of at most width.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// plural is "1 state" or "2 states".
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "y") {
		return number(uint64(n)) + " " + strings.TrimSuffix(noun, "y") + "ies"
	}
	if strings.HasSuffix(noun, "ch") || strings.HasSuffix(noun, "x") {
		return number(uint64(n)) + " " + noun + "es"
	}
	return number(uint64(n)) + " " + noun + "s"
}
