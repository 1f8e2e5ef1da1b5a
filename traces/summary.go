package traces

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"mc/model"
)

// Summary writes the reports of searches of one spec without their traces: what
// was checked, a verdict for each property, and how much was searched. Searches
// that differ in their scenarios alone share a table, if it fits.
func Summary(w io.Writer, runs []Run, o TextOptions) error {
	p := newPrinter(o)
	p.summary(runs, o.Coverage)
	return p.writeTo(w)
}

func (p *printer) summary(runs []Run, coverage bool) {
	for first := true; len(runs) > 0; first = false {
		if !first {
			p.blank()
		}
		n := p.sideBySide(runs)
		if n == 1 {
			p.report(&runs[0], coverage)
		} else {
			p.reports(runs[:n], coverage)
		}
		runs = runs[n:]
	}
}

// report writes that of one search.
func (p *printer) report(r *Run, coverage bool) {
	p.para(0, 2, span{strong, selection(r.Spec, r.Bug, r.Config)})
	p.blank()
	verdicts(p, r.Results)
	if len(r.Results) > 0 {
		p.blank()
	}
	p.para(2, 4, span{normal, searched(r)})
	for _, s := range warnings(r) {
		p.para(2, 4, s)
	}
	if coverage {
		p.coverage(r)
	}
}

// VerdictText is a verdict in words, with what qualifies it.
func VerdictText(r *Result) string {
	switch {
	case r.Bound > 0:
		return fmt.Sprintf("%s (bounded: %s cut)", r.Verdict, count(r.Bound, "state"))
	case r.Vacuous:
		return string(r.Verdict) + " (vacuously)"
	case r.Omission > 0:
		return fmt.Sprintf("%s (omission probability about %.0e)", r.Verdict, r.Omission)
	}
	return string(r.Verdict)
}

// decided says whether a behaviour shows the verdict, though it may not be
// kept.
func decided(r *Result) bool { return r.Verdict == model.Violated || r.Verdict == model.Reached }

// leastMeaning is the width below which what a property means goes on lines
// of its own.
const leastMeaning = 32

// verdicts writes the table of properties. The mark and the colour repeat
// what the words say.
func verdicts(p *printer, rs []Result) {
	names, words := 0, 0
	for i := range rs {
		names = max(names, columns(plain(rs[i].Property)))
		words = max(words, columns(plain(outcome(&rs[i]))))
	}
	third := 4 + names + 2 + words + 2
	for i := range rs {
		r := &rs[i]
		mark, s := verdictStyle(r.Verdict)
		row := []span{
			{s, mark}, {normal, " " + padded(r.Property, names) + "  "},
			{s, outcome(r)},
		}
		switch {
		case r.Meaning == "":
			p.para(2, 4, row...)
		case p.width-third < leastMeaning:
			p.para(2, 4, row...)
			p.para(6, 6, span{faint, r.Meaning})
		default:
			pad := strings.Repeat(" ", words+2-columns(plain(outcome(r))))
			p.para(2, third, append(row, span{normal, pad}, span{faint, r.Meaning})...)
		}
	}
}

// outcome is the verdict and the length of the trace that shows it, and how it
// stands to what was expected.
func outcome(r *Result) string {
	s := VerdictText(r)
	if decided(r) {
		s += ", " + count(uint64(max(r.Steps, 0)), "step")
	}
	switch {
	case r.AsExpected() && (r.Verdict == model.Violated || r.Verdict == model.Unreachable):
		s += ", as expected"
	case r.Expected != "" && !r.AsExpected():
		s += ", want " + string(r.Expected)
	}
	return s
}

func verdictStyle(v model.Verdict) (mark string, s style) {
	switch v {
	case model.Holds, model.Reached:
		return "✓", good
	case model.Violated, model.Unreachable:
		return "✗", bad
	}
	return "?", strong
}

// steadySeconds is the duration from which a summary tells it. Shorter ones
// say nothing, and a small search should print the same each time.
const steadySeconds = 2

// cost is what a search took: time, memory, and edges where some were kept.
func cost(r *Run) string {
	if r.Distinct == 0 || r.Seconds <= 0 {
		return ""
	}
	text := fmt.Sprintf("%.2f s, %s generated states/s; at most %s held, %d bytes for each state of %d",
		r.Seconds, humanize.Comma(int64(float64(r.Generated)/r.Seconds)), humanize.Bytes(uint64(max(0, r.MemoryBytes))),
		r.MemoryBytes/int64(r.Distinct), r.StateBytes)
	if r.Edges > 0 {
		text += fmt.Sprintf("; %s, %.1f bytes each", count(r.Edges, "edge"), float64(r.EdgeBytes)/float64(r.Edges))
	}
	return text
}

func searched(r *Run) string {
	noun := "distinct state"
	if len(r.Symmetry) > 0 {
		noun = "orbit"
	}
	s := fmt.Sprintf("%s, %s generated, depth %d", count(r.Distinct, noun), humanize.Comma(int64(r.Generated)), r.Depth)
	if r.Walk != nil {
		s = fmt.Sprintf("%s (seed %d): about %s seen, the longest of %s", count(r.Walk.Walks, "random walk"), r.Walk.Seed,
			count(r.Distinct, noun), count(uint64(max(r.Depth-1, 0)), "step"))
	}
	if r.Seconds >= steadySeconds {
		s += fmt.Sprintf(", %.0f s", r.Seconds)
	}
	switch {
	case r.Walk != nil && r.Incomplete == "":
		s += "; ended when every verdict was found"
	case r.Exhausted && r.Cut > 0:
		s += "; searched to its bound"
	case r.Exhausted:
		s += "; searched to its end"
	case r.Incomplete == "" && r.Fault == nil:
		s += "; not searched to its end, since every verdict was found before"
	}
	return s
}

func warnings(r *Run) (ws []span) {
	warn := func(s style, format string, a ...any) { ws = append(ws, span{s, fmt.Sprintf(format, a...)}) }
	if r.Seconds >= steadySeconds && r.Walk == nil {
		warn(normal, "%s", cost(r))
	}
	if r.Fault != nil {
		warn(bad, "the spec is at fault: %s", r.Fault.Fault)
	}
	if r.Incomplete != "" {
		warn(bad, "incomplete: %s", r.Incomplete)
	}
	if r.Walk != nil && r.Incomplete != "" {
		warn(strong, "what random walks do not find may be there all the same")
	}
	if r.Growth != "" {
		warn(normal, "grows by %s", r.Growth)
	}
	switch {
	case r.Cut > 0 && r.Walk != nil:
		warn(normal, "bounded: walks turned back %s", count(r.Cut, "time"))
	case r.Cut > 0:
		warn(strong, "bounded: %s cut, and what lies behind was not searched", count(r.Cut, "state"))
	}
	if i := slices.IndexFunc(r.Results, func(res Result) bool { return res.Omission > 0 }); i >= 0 {
		warn(normal, "fingerprints were kept, not states: one was omitted with a probability of about %.0e", r.Results[i].Omission)
	}
	if len(r.Symmetry) > 0 {
		warn(normal, "an orbit is all states that differ by renaming members of %s", strings.Join(r.Symmetry, ", "))
	}
	for _, res := range r.Results {
		if res.Vacuous {
			warn(strong, "%s holds, but vacuously: its p is never true", res.Property)
		}
		if res.NeedsNoFairness {
			warn(normal, "%s holds even without fairness", res.Property)
		}
	}
	switch {
	case len(r.NeverTaken) > 0 && r.Walk != nil:
		warn(normal, "not taken in these walks: %s", strings.Join(r.NeverTaken, ", "))
	case len(r.NeverTaken) > 0:
		warn(strong, "never taken: %s", strings.Join(r.NeverTaken, ", "))
	}
	return ws
}
