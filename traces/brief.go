package traces

import (
	"fmt"
	"net/url"
	"strings"

	"mc/model"
)

// brief is a trace with a line for each of its states, and then for what is to
// be said of its end. The lines are not yet plain.
func brief(t *model.Trace) (lines []string) {
	c := chartOf(t)
	shown, others := notable(t.Steps[0].Fields)
	first := assigned(shown)
	if others > 0 {
		first = append(first, othersText(len(shown), others))
	}
	lines = append(lines, "0 initial state: "+strings.Join(first, "; "))
	for i := range t.Steps {
		if i == 0 {
			continue
		}
		s := &t.Steps[i]
		line := fmt.Sprint(i, " ")
		if len(c.lanes) > 1 {
			line += c.lanes[c.at[i]] + ": "
		}
		line += s.String()
		if did := assigned(changes(t.Steps[i-1].Fields, s.Fields)); len(did) > 0 {
			line += ": " + strings.Join(did, "; ")
		}
		lines = append(lines, line)
	}
	switch endingOf(t) {
	case stutters:
		lines = append(lines, "nothing happens any more")
	case repeats:
		lines = append(lines, fmt.Sprintf("back to the state after step %d, for ever", t.Loop))
	}
	if text, _ := verdictMark(t); text != "" {
		lines = append(lines, text)
	}
	return lines
}

func assigned(cs []change) (texts []string) {
	for _, c := range cs {
		if c.changed {
			texts = append(texts, c.name+" "+value(c.from)+" → "+value(c.to))
		} else {
			texts = append(texts, c.name+" "+value(c.to))
		}
	}
	return texts
}

// uri is a path as a relative reference.
func uri(file string) string { return (&url.URL{Path: file}).String() }
