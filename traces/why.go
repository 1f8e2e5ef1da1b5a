package traces

import (
	"fmt"
	"strings"
)

// why writes why the lasso of a temporal property is possible, and with what
// fairness it would not be: lines that follow its text. It writes nothing if
// there is no explanation.
func (p *printer) why(r *Result) {
	p.margin = "  " // as in the text
	for _, line := range whys(r) {
		p.para(detail, detail+2, span{normal, line})
	}
	p.margin = ""
}

func whys(r *Result) (lines []string) {
	e := r.Explanation
	if e == nil {
		return nil
	}
	switch stays := endingOf(r.Trace) == stutters; {
	case stays && len(e.Neglected) == 0:
		lines = append(lines, "stays there for ever, because no step leads out of this state")
	case stays:
		lines = append(lines, "stays there for ever, because nothing fair is enabled, but only "+actions(e.Neglected))
	case len(e.Neglected) == 0:
		lines = append(lines, "takes every action that is enabled in the loop")
	default:
		lines = neglects(e.Neglected)
	}
	would := "would hold"
	if e.Part {
		would += ", as far as was searched,"
	}
	switch {
	case len(e.Remedy) > 0:
		lines = append(lines, would+" with further fairness: "+strings.Join(e.Remedy, ", ")+" (judged with it)")
	case e.Tried > 0:
		lines = append(lines, "further fairness does not help: judged with "+count(uint64(e.Tried), "set")+" of conditions")
	}
	return lines
}

// neglects names the actions that a loop neglects, those together of which the
// same is to be said.
func neglects(all []Neglect) (lines []string) {
	alike := map[string][]Neglect{}
	var order []string
	for _, n := range all {
		what := fmt.Sprintf("enabled in %d of %s of the loop; ", n.Enabled, count(uint64(n.States), "state"))
		switch len(n.Conditions) {
		case 0:
			what += "no fairness"
		case 1:
			what += n.Conditions[0] + " allows that"
		default:
			what += strings.Join(n.Conditions, ", ") + " allow that"
		}
		if alike[what] == nil {
			order = append(order, what)
		}
		alike[what] = append(alike[what], n)
	}
	for _, what := range order {
		lines = append(lines, fmt.Sprintf("neglects %s (%s)", actions(alike[what]), what))
	}
	return lines
}

func actions(all []Neglect) string {
	names := make([]string, len(all))
	for i, n := range all {
		names[i] = n.Action
	}
	return strings.Join(names, ", ")
}
