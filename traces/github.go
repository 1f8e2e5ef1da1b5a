package traces

import (
	"fmt"
	"io"
	"strings"

	"mc/model"
)

// Of one message, GitHub's runner keeps so many bytes. The title is to fit in a
// line.
const githubMessage, githubTitle = 4096, 200

// GitHub writes a workflow command for everything that is wrong: GitHub Actions
// puts it next to the line of the spec.
func GitHub(w io.Writer, d *Document, _ *Choice) error {
	var b strings.Builder
	for _, t := range problems(d) {
		command := "error"
		if t.status == broken && t.trace == nil { // nothing bad was found
			command = "warning"
		}
		var properties []string
		if t.at != (model.Location{}) {
			properties = append(properties, "file="+githubProperty(t.at.File), fmt.Sprintf("line=%d", t.at.Line))
		}
		properties = append(properties, "title="+githubProperty(clip(t.title(), githubTitle)))
		fmt.Fprintf(&b, "::%s %s::%s\n", command, strings.Join(properties, ","), githubEscape(clip(t.annotation(), githubMessage)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// title names a test out of its suite.
func (t *test) title() string {
	switch {
	case t.run == nil:
		return plain(t.name)
	case t.trace != nil && t.trace.Fault == "":
		return plain(t.run.Spec + ": " + headline(t.trace))
	}
	return plain(t.run.Spec + ": " + t.name)
}

// annotation is what stands next to a line: what is wrong, the steps to it in a
// line each, and how to see it again.
func (t *test) annotation() string {
	lines := []string{t.message}
	if t.run != nil {
		lines = append(lines, selection(t.run.Spec, t.run.Bug, t.run.Config))
	}
	if t.trace != nil {
		lines = append(lines, brief(t.trace)...)
	}
	if t.run != nil && t.run.Command != "" {
		lines = append(lines, "again: "+t.run.Command)
	}
	for i := range lines {
		lines[i] = plain(lines[i])
	}
	return strings.Join(lines, "\n")
}

// clip cuts text that is longer than so many bytes, at a line or a character.
func clip(s string, most int) string {
	const dots = "…"
	if len(s) <= most {
		return s
	}
	s = strings.ToValidUTF8(s[:most-len(dots)], "")
	if i := strings.LastIndexByte(s, '\n'); i > 0 {
		s = s[:i+1]
	}
	return s + dots
}

// GitHub's runner takes these back in messages, and the others in properties.
var (
	githubEscapes  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperts = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func githubEscape(s string) string   { return githubEscapes.Replace(s) }
func githubProperty(s string) string { return githubProperts.Replace(s) }
