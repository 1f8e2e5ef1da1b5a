package traces

import (
	"fmt"
	"strings"

	"mc/model"
)

// because writes which steps something needs, if that is wanted.
func (p *printer) because(indent int, causes []model.Cause) {
	if text := becauseOf(causes); p.causes && text != "" {
		p.para(indent, indent+2, span{faint, text})
	}
}

// becauseOf says which steps something needs; empty if it needs none.
func becauseOf(causes []model.Cause) string {
	parts := make([]string, len(causes))
	for i, c := range causes {
		parts[i] = fmt.Sprintf("%d (%s)", c.Step, strings.Join(grouped(c.Fields), ", "))
	}
	switch len(parts) {
	case 0:
		return ""
	case 1:
		return "because of step " + parts[0]
	}
	return "because of steps " + strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// grouped joins elements of one array: Status[w1], Status[w2] are
// Status[w1, w2].
func grouped(fields []string) (names []string) {
	cs := make([]change, len(fields))
	for i, f := range fields {
		cs[i] = change{name: f}
	}
	for _, c := range gather(cs) {
		names = append(names, c.name)
	}
	return names
}
