package traces

import (
	"fmt"
	"io"
	"strings"

	"mc/model"
)

// Possible is what can be done after a step of a trace, and why the rest
// cannot.
type Possible struct {
	Trace    *model.Trace
	Here     model.Configuration
	Step     int
	Enabled  []Enabled
	Blocked  []Blocked
	Excluded []string // actions, by the settings
}

// Enabled is an action and those of its instances that can be taken.
type Enabled struct {
	Action    string
	Instances []Option
}

// Option is an instance that can be taken.
type Option struct {
	Instance model.Instance
	Taken    bool // it is the next step of the trace
	Nothing  bool // it changes nothing
	Fault    string
}

// Blocked is an action and those of its instances, of so many, that one
// conjunct forbids for the same values.
type Blocked struct {
	Action    string
	Instances []model.Instance
	Of        int
	Conjunct  string
	Values    []Needed
	Nowhere   bool // it is true in none of the states looked at
}

// Write writes it for a person.
func (x *Possible) Write(w io.Writer, o TextOptions) error {
	p := newPrinter(o)
	t := x.Trace
	p.para(0, 2, span{strong, selection(t.Spec, "", x.Here)})
	at := "in the initial state"
	if x.Step > 0 {
		at = fmt.Sprintf("after step %d, %s,", x.Step, t.Steps[x.Step])
	}
	p.para(0, 2, span{faint, at + " of the " + kindOf(t) + " " + subject(t)})
	p.blank()
	p.para(2, 2, span{strong, "possible"})
	if len(x.Enabled) == 0 {
		p.para(4, 6, span{normal, "nothing"})
	}
	for _, e := range x.Enabled {
		p.options(e)
	}
	if len(x.Blocked) > 0 {
		p.blank()
		p.para(2, 2, span{strong, "not possible"})
	}
	for _, b := range x.Blocked {
		p.blocked(&b)
	}
	if len(x.Excluded) > 0 {
		p.blank()
		p.para(2, 2, span{strong, "excluded by the settings"})
		p.para(4, 6, span{normal, strings.Join(x.Excluded, ", ")})
	}
	return p.writeTo(w)
}

// mostInstances is how many of an action are named, where all is not asked for.
const mostInstances = 6

func (p *printer) options(e Enabled) {
	others := 0
	for i, o := range e.Instances {
		if i >= mostInstances && !o.Taken {
			others++
			continue
		}
		note := ""
		switch {
		case o.Fault != "":
			note = "  and the spec fails: " + o.Fault
		case o.Taken:
			note = "  is taken next"
		case o.Nothing:
			note = "  would change nothing"
		}
		p.para(4, 6, span{good, o.Instance.String()}, span{faint, note})
	}
	if others > 0 {
		p.para(4, 6, span{faint, fmt.Sprintf("%s, %s", e.Action, count(uint64(others), "more instance"))})
	}
}

func (p *printer) blocked(b *Blocked) {
	name := b.Action
	switch n := len(b.Instances); {
	case n == b.Of && n > 1:
		name = fmt.Sprintf("%s, all %s", b.Action, count(uint64(n), "instance"))
	case n == b.Of && len(b.Instances[0].Args) == 0:
	case n == 1:
		name = b.Instances[0].String()
	default:
		name = fmt.Sprintf("%s, %d of %d: %s", b.Action, n, b.Of, someArgs(b.Instances))
	}
	p.para(4, 6, span{where, name})
	p.para(8, 10, span{normal, model.FalsePart(b.Conjunct) + allOf(b.Values)})
	if b.Nowhere {
		p.para(8, 10, span{faint, "and is so in every state that was looked at"})
	}
	p.needed(8, b.Values)
}

// someArgs names the parameters of a few instances.
func someArgs(all []model.Instance) string {
	var texts []string
	for i, in := range all {
		if i == mostInstances {
			texts = append(texts, "…")
			break
		}
		text := strings.TrimPrefix(in.String(), in.Action)
		if len(in.Args) == 1 {
			text = strings.Trim(text, "()")
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}
