package traces

import (
	"cmp"
	"io"
	"reflect"
	"slices"
	"strings"

	"mc/model"
)

// Behaviour is a trace of a document, whose it is, and what else it shows.
type Behaviour struct {
	*model.Trace
	Result *Result   // nil for a fault
	Also   []*Result // of other properties, with the same trace
}

// Title names a behaviour in a line.
func (b *Behaviour) Title() string {
	what := b.Property
	if b.Trace.Fault != "" {
		what = "the fault"
	}
	return plain(strings.TrimSpace(b.Spec+" "+b.Config.Scenario) + ": " + what)
}

// also says what else a behaviour shows, in sentences; there may be none.
func (b *Behaviour) also() (lines []string) {
	for _, k := range []struct {
		verb    string
		verdict model.Verdict
	}{{"violates", model.Violated}, {"reaches", model.Reached}} {
		var names []string
		for _, r := range b.Also {
			if r.Verdict == k.verdict {
				names = append(names, r.Property)
			}
		}
		if len(names) > 0 {
			lines = append(lines, "this also "+k.verb+" "+strings.Join(names, ", "))
		}
	}
	return lines
}

// Choice says which behaviours of a document are shown, and how fully.
type Choice struct {
	Scenarios, Properties []string // those named: each has its own behaviour
	All                   bool     // every counterexample, and not only the shortest
	Text                  TextOptions
}

// BySpec takes the searches of a document apart.
func BySpec(runs []Run) (specs [][]Run) {
	for i := range runs {
		if i == 0 || runs[i].Spec != runs[i-1].Spec {
			specs = append(specs, nil)
		}
		last := &specs[len(specs)-1]
		*last = append(*last, runs[i])
	}
	return specs
}

// Report writes the searches of one spec and the behaviours they found.
func Report(w io.Writer, runs []Run, c *Choice) error {
	p := newPrinter(c.Text)
	p.summary(runs, c.Text.Coverage)
	p.blank()
	shown, others := c.Of(runs)
	for i := range shown {
		p.behaviour(&shown[i], c.Text.Full)
		p.blank()
	}
	if others > 0 {
		p.para(0, 0, span{normal, count(uint64(others), "other") + ": choose with --scenario and --property, or print all with --all-traces"})
		p.blank()
	}
	return p.writeTo(w)
}

// Write writes a behaviour as Text does, and what is to be said about it.
func (b *Behaviour) Write(w io.Writer, o TextOptions) error {
	p := newPrinter(o)
	p.behaviour(b, o.Full)
	return p.writeTo(w)
}

func (p *printer) behaviour(b *Behaviour, full bool) {
	p.text(b.Trace, full)
	if b.Result != nil {
		p.why(b.Result)
	}
	for i, line := range b.also() {
		if i > 0 {
			p.blank()
		}
		p.para(8, 8, span{normal, line})
	}
}

// First is the behaviour that a picture of a document shows: the first of those
// that are printed.
func (c *Choice) First(d *Document) (*Behaviour, bool) {
	for _, runs := range BySpec(d.Runs) {
		if shown, _ := c.Of(runs); len(shown) > 0 {
			return &shown[0], true
		}
	}
	return nil, false
}

// Of is what there is to show of the searches of one spec: the shortest
// behaviour, a fault before all others, and how many are left out. It is so for
// each scenario and each property by itself that is named.
func (c *Choice) Of(runs []Run) (shown []Behaviour, others int) {
	all := behaviours(runs, c.Properties)
	if c.All {
		return all, 0
	}
	best := map[[2]string]int{}
	for i, b := range all {
		keys := [][2]string{c.key(b.Trace)}
		for _, r := range b.Also {
			keys = append(keys, c.key(r.Trace))
		}
		for _, key := range keys {
			if j, ok := best[key]; !ok || shorter(b.Trace, all[j].Trace) {
				best[key] = i
			}
		}
	}
	chosen := map[int]bool{}
	for _, i := range best {
		chosen[i] = true
	}
	for i, b := range all {
		if chosen[i] {
			shown = append(shown, b)
		}
	}
	return shown, len(all) - len(shown)
}

// key is what of a trace was named.
func (c *Choice) key(t *model.Trace) (key [2]string) {
	if slices.Contains(c.Scenarios, t.Config.Scenario) {
		key[0] = t.Config.Scenario
	}
	if slices.Contains(c.Properties, t.Property) {
		key[1] = t.Property
	}
	return key
}

// shorter says whether a is to be shown rather than b.
func shorter(a, b *model.Trace) bool {
	if (a.Fault != "") != (b.Fault != "") {
		return a.Fault != ""
	}
	return cmp.Less(len(a.Steps), len(b.Steps))
}

// behaviours are the ways to faults, the counterexamples that nobody expects,
// and what was named. Properties often share their shortest counterexample; then
// it is there once.
func behaviours(runs []Run, named []string) (all []Behaviour) {
	for i := range runs {
		first := len(all)
		if f := runs[i].Fault; f != nil {
			all = append(all, Behaviour{Trace: f})
		}
		for j := range runs[i].Results {
			r := &runs[i].Results[j]
			if r.Trace == nil || (r.Verdict == model.Reached || r.AsExpected()) && !slices.Contains(named, r.Property) {
				continue
			}
			same := slices.IndexFunc(all[first:], func(b Behaviour) bool {
				return b.Fault == "" && b.Loop == r.Trace.Loop && reflect.DeepEqual(b.Steps, r.Trace.Steps)
			})
			if same >= 0 {
				all[first+same].Also = append(all[first+same].Also, r)
			} else {
				all = append(all, Behaviour{Trace: r.Trace, Result: r})
			}
		}
	}
	return all
}
