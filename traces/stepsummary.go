package traces

import (
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"

	"mc/model"
)

// What GitHub takes of Markdown: so much of the summary of a step, all of which
// it refuses otherwise, and so much of one diagram.
const (
	SummaryBytes = 1 << 20
	diagramBytes = 50_000
)

// StepSummary writes a document as GitHub shows it on the page of a workflow's
// run: a line for each search, and what is wrong with its steps and diagram, as
// far as it fits into most bytes.
func StepSummary(w io.Writer, d *Document, c *Choice, most int) error {
	var m markdown
	suites := suitesOf(d)
	m.line("### mc: %s\n", prose(tally(suites)))
	left := m.suites(suites, most-1000) // the lines that say what is left out
	if left > 0 {
		m.line("\n%s not shown, for GitHub takes no more.\n", count(uint64(left), "other row"))
	}
	m.line("")
	m.problems(d, c, most-500)
	text := strings.TrimRight(m.String(), "\n") + "\n"
	if len(text) > most {
		return nil // not even the first line fits
	}
	_, err := io.WriteString(w, text)
	return err
}

// tally counts what CIs tell apart.
func tally(suites []suite) string {
	var n [skipped + 1]uint64
	for _, s := range suites {
		for _, t := range s.tests {
			n[t.status]++
		}
	}
	parts := []string{fmt.Sprintf("%s: %d as expected", count(n[passed]+n[failed]+n[broken], "verdict"), n[passed])}
	for _, p := range []struct {
		status status
		text   string
	}{{failed, "not"}, {broken, "incomplete or at fault"}, {skipped, "skipped"}} {
		if n[p.status] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[p.status], p.text))
		}
	}
	return strings.Join(parts, ", ")
}

// suites writes the table, and says how many rows do not fit.
func (m *markdown) suites(suites []suite, most int) (left int) {
	m.line("| | searched | verdicts | states |\n| --- | --- | --- | ---: |")
	for i, s := range suites {
		mark, states := "✓", ""
		var wrong []string
		good := 0
		for _, t := range s.tests {
			switch t.status {
			case failed, broken:
				mark = "✗"
				wrong = append(wrong, m.wrong(&t))
			case passed:
				good++
			case skipped:
				wrong = append(wrong, prose(shorten(t.message, 200)))
			}
		}
		if s.run != nil {
			states = humanize.Comma(int64(s.run.Distinct))
		}
		if good > 0 || len(wrong) == 0 {
			wrong = append(wrong, fmt.Sprintf("%d as expected", good))
		}
		row := fmt.Sprintf("| %s | %s | %s | %s |\n", mark, prose(s.name), strings.Join(wrong, "<br>"), states)
		if m.Len()+len(row) > most {
			return len(suites) - i
		}
		m.WriteString(row)
	}
	return 0
}

func (m *markdown) wrong(t *test) string {
	if t.result != nil && t.kind != "claim" {
		return tableCode(t.result.Property) + " " + prose(outcome(t.result))
	}
	return prose(shorten(t.message, 300))
}

// problems writes the behaviours that mc check prints, or those of claims that
// differ, each with the command that finds it again.
func (m *markdown) problems(d *Document, c *Choice, most int) {
	left := 0
	for _, p := range wrongs(d, c, &left) {
		var one markdown
		one.behaviour(&p.Behaviour, c.Text)
		if p.run.Command != "" {
			one.line("```\n%s\n```\n", strings.ReplaceAll(plain(p.run.Command), "```", ""))
		}
		if m.Len()+one.Len() > most {
			left++
			continue
		}
		m.WriteString(one.String())
	}
	if left > 0 {
		m.line("%s not shown.", count(uint64(left), "other behaviour"))
	}
}

type wrong struct {
	Behaviour
	run *Run
}

// wrongs are the behaviours to show; it adds how many are left out.
func wrongs(d *Document, c *Choice, left *int) (all []wrong) {
	if len(d.Claims) > 0 {
		for _, t := range problems(d) {
			if t.trace != nil {
				all = append(all, wrong{Behaviour{Trace: t.trace, Result: t.result}, t.run})
			}
		}
		return all
	}
	runOf := map[*model.Trace]*Run{}
	for i := range d.Runs {
		r := &d.Runs[i]
		runOf[r.Fault] = r
		for j := range r.Results {
			runOf[r.Results[j].Trace] = r
		}
	}
	for _, runs := range BySpec(d.Runs) {
		shown, others := c.Of(runs)
		*left += others
		for _, b := range shown {
			all = append(all, wrong{b, runOf[b.Trace]})
		}
	}
	return all
}
