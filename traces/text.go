package traces

import (
	"fmt"
	"io"

	"mc/model"
)

// Text writes a trace for a person: its steps by number, each with its lane,
// action, messages, and the fields that it changes. A trace has at least its
// initial state.
func Text(w io.Writer, t *model.Trace, o TextOptions) error {
	p := newPrinter(o)
	p.text(t, o.Full)
	return p.writeTo(w)
}

func (p *printer) text(t *model.Trace, full bool) {
	x := &textTrace{printer: p, trace: t, chart: chartOf(t), full: full, seen: map[string]bool{}}
	x.header()
	x.steps()
	p.margin = ""
}

// textTrace is a trace while it is written.
type textTrace struct {
	*printer
	trace *model.Trace
	chart *chart
	full  bool
	seen  map[string]bool // actions whose Doc was shown
}

// Columns of a step: its number, right-aligned up to numberEnd; then lane and
// action from detail on; and what it does further in.
const (
	numberEnd = 4
	detail    = 6
	deeper    = 4 // columns from detail to the fields, and for each continuation
)

func (x *textTrace) header() {
	t := x.trace
	s := strong
	switch {
	case t.Fault != "" || t.Verdict == model.Violated:
		s = bad
	case t.Verdict == model.Reached:
		s = good
	}
	spans := []span{{s, headline(t)}}
	if t.Meaning != "" {
		spans = append(spans, span{normal, ": " + t.Meaning})
	}
	x.para(0, 2, spans...)
	x.para(0, 2, span{faint, selection(t.Spec, "", t.Config)})
	x.para(0, 2, span{faint, extent(t)})
	x.blank()
}

func (x *textTrace) steps() {
	t := x.trace
	end := endingOf(t)
	x.margin = "  "
	for i := range t.Steps {
		x.step(i)
		if end != stops && i == t.Loop {
			x.margin = "  "
			x.para(0, 0, span{strong, "┌─ for ever:"})
			x.margin = "  │ "
		}
	}
	if end != stops {
		back := fmt.Sprintf("└─ back to the state after step %d", t.Loop)
		if end == stutters {
			x.para(detail, detail, span{normal, "nothing happens any more"})
			back = fmt.Sprintf("└─ still the state after step %d", t.Loop)
		}
		x.margin = "  "
		x.para(0, 0, span{strong, back})
	}
	if v, s := verdictMark(t); v != "" {
		x.para(detail, detail+2, span{s, v})
		x.because(detail+2, t.Because)
	}
}

// step writes Steps[i].
func (x *textTrace) step(i int) {
	s := &x.trace.Steps[i]
	number := fmt.Sprintf("%*d  ", numberEnd, i)
	if i == 0 {
		x.para(0, detail, span{faint, number}, span{strong, "initial state"})
		x.initial(s.Fields)
		return
	}
	spans := []span{{faint, number}}
	hang, look := detail+deeper, strong
	if s.Idle {
		look = faint
	}
	if len(x.chart.lanes) > 1 {
		lane := x.laneColumn()
		spans = append(spans, span{where, padded(x.chart.lanes[x.chart.at[i]], lane)}, span{normal, "  "})
		hang = detail + lane + 2 + 2
	}
	x.para(0, hang, append(spans, span{look, s.String()})...)
	if s.Doc != "" && (x.full || !x.seen[s.Action]) {
		x.para(detail+deeper, detail+deeper, span{faint, s.Doc})
		x.seen[s.Action] = true
	}
	for j, m := range s.Messages {
		x.message(m, &x.chart.arrows[x.chart.messages[i][j]])
	}
	before := x.trace.Steps[i-1].Fields
	switch cs := changes(before, s.Fields); {
	case x.full:
		x.table(gather(compare(before, s.Fields)))
	case len(cs) == 0:
		x.para(detail+deeper, detail+deeper, span{faint, "changes nothing"})
	default:
		x.table(cs)
	}
	if s.Idle {
		x.para(detail+deeper, detail+deeper, span{faint, "(not needed for what this shows)"})
	}
	x.because(detail+deeper, s.Because)
}

// laneColumn is the width of the widest lane's name, within reason.
func (x *textTrace) laneColumn() int {
	widest := 0
	for _, l := range x.chart.lanes {
		widest = max(widest, columns(plain(l)))
	}
	return min(widest, x.width/4)
}

// message says in words what a step sends, takes or calls.
func (x *textTrace) message(m model.Message, a *arrow) {
	lanes := x.chart.lanes
	var spans []span
	switch {
	case m.Call:
		spans = []span{{normal, "calls "}, {where, lanes[a.to]}}
		if a.text != "" {
			spans = append(spans, span{normal, ": " + a.text})
		}
	case sends(m):
		spans = []span{{normal, "sends " + a.text + " to "}, {where, lanes[a.to]}}
		if later := a.later(); later != "" {
			spans = append(spans, span{normal, " (" + later + ")"})
		}
	case a.from < 0:
		spans = []span{{normal, "takes " + a.text + ", under way from the start"}}
	default:
		spans = []span{
			{normal, "takes " + a.text + " from "}, {where, lanes[x.chart.at[a.from]]},
			{normal, fmt.Sprintf(", step %d", a.from)},
		}
	}
	x.para(detail+deeper, detail+2*deeper, spans...)
}

// initial writes the first state.
func (x *textTrace) initial(fields []model.Field) {
	if x.full {
		x.table(gather(compare(nil, fields)))
		return
	}
	shown, others := notable(fields)
	x.table(shown)
	if others > 0 {
		x.para(detail+deeper, detail+deeper, span{faint, othersText(len(shown), others)})
	}
}

// widestName bounds the column of names: a longer one pushes its value aside.
const widestName = 24

// table writes fields and their values in two columns.
func (x *textTrace) table(cs []change) {
	names := 0
	for _, c := range cs {
		if n := columns(plain(c.name)); n <= widestName {
			names = max(names, n)
		}
	}
	hang := detail + deeper + names + 2
	for _, c := range cs {
		lead := span{normal, padded(c.name, names) + "  "}
		from, to := value(c.from), value(c.to)
		switch {
		case !c.changed:
			x.para(detail+deeper, hang, lead, span{normal, to})
		case hang+columns(plain(from))+3+columns(plain(to)) <= x.width-columns(x.margin):
			x.para(detail+deeper, hang, lead, span{faint, from}, span{normal, " → "}, span{strong, to})
		default:
			// Old below new, so that the eye finds what differs.
			x.para(detail+deeper, hang+2, lead, span{normal, "  "}, span{faint, from})
			x.para(hang, hang+2, span{normal, "→ "}, span{strong, to})
		}
	}
}
