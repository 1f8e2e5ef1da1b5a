package traces

import (
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mc/model"
)

// htmlBehaviour is a behaviour as a page shows it.
type htmlBehaviour struct {
	Behaviour
	run    *Run // nil if no search of ours has found it
	chosen bool
	text   template.HTML // that of the whole, if it fits

	ID, Class, Sign, Headline, Extent, Configuration, Command string
	Lines                                                     []string // what else is to be said
	Heads, Picture                                            template.HTML
	Width                                                     string // its class
	NoPicture                                                 bool
	Entries                                                   []htmlEntry
	Grid                                                      []htmlTruth
	Steady                                                    []htmlSteady // properties of which each step says the same
	Legend                                                    []htmlMark
	Data                                                      template.JS
}

// htmlDetail is how much of a behaviour is shown.
type htmlDetail struct {
	picture bool
	steps   int // at most; 0 for all
	value   int // characters of a value
}

// htmlEntry is a step, or several that are left out.
type htmlEntry struct {
	ID, Number string
	Gap        bool
	Step       *model.TraceStep
	Lane       string
	LaneClass  string
	Doc        string
	Messages   []string
	Changes    []htmlChange
	Others     string // of an initial state
	Truths     []htmlMark
	Because    []htmlCause
	Mark       *htmlMark // where the property is decided
	Ends       []htmlCause
	Loop       string
	InLoop     bool

	at int // the index of the step whose state it shows
}

type htmlChange struct {
	Name, From, To string
	Changed        bool
}

type htmlCause struct {
	ID, Fields string
	Step       int
}

// htmlTruth is a row of the grid of properties and steps.
type htmlTruth struct {
	Name  string
	Own   bool // the property that the behaviour is about
	Kind  model.Kind
	Cells []htmlMark
}

type htmlSteady struct{ Name, Sign, Text string }

// rank orders behaviours by what is shown rather.
func (b *htmlBehaviour) rank() int {
	switch {
	case b.chosen:
		return 0
	case b.Verdict == model.Reached:
		return 2
	}
	return 1
}

// link notes the place of a behaviour under every trace that is equal to its own.
func (b *htmlBehaviour) link(links map[*model.Trace]string) {
	links[b.Trace] = b.ID
	for _, r := range b.Also {
		links[r.Trace] = b.ID
	}
}

func (b *htmlBehaviour) fill(much htmlDetail) {
	t := b.Trace
	m, _ := traceMark(t)
	b.Class, b.Sign = markClass(m), map[mark]string{breaks: "✗", reaches: "✓"}[m]
	b.Headline, b.Extent, b.Configuration = headline(t), extent(t), selection(t.Spec, "", t.Config)
	b.Lines = b.also()
	if b.Result != nil {
		b.Lines = append(b.Lines, whys(b.Result)...)
	}
	if b.run != nil {
		b.Configuration = selection(b.run.Spec, b.run.Bug, b.run.Config)
		b.Command = b.run.Command
		if b.Result != nil {
			b.Command = commandFor(b.Command, b.Result.Property)
		}
	}
	b.Heads, b.Picture, b.Width, b.NoPicture = "", "", "slim", !much.picture
	if much.picture {
		b.draw()
	}
	b.entries(much)
	b.grid()
	b.Data = b.data(much.value)
}

// commandFor is the command line of a search, for one of its properties alone.
func commandFor(command, property string) string {
	if command == "" || !plainWord.MatchString(property) {
		return command
	}
	before, after, _ := strings.Cut(command, " --property ")
	_, rest, more := strings.Cut(after, " --")
	if more {
		rest = " --" + rest
	}
	return before + " --property " + property + rest
}

// plainWord is a word that means nothing else to a shell.
var plainWord = regexp.MustCompile(`^[\w.-]+$`)

// draw makes the picture without what the page says around it: the heads of the
// lanes, which stay in view, and what is below them.
func (b *htmlBehaviour) draw() {
	s := &svgWriter{picture: pictureOf(b.Trace), trace: b.Trace, inPage: true}
	switch {
	case s.w <= 800:
	case s.w <= 1000:
		b.Width = "medium"
	case s.w <= 1300:
		b.Width = "broad"
	default:
		b.Width = "huge"
	}
	top := margin + s.titleH
	if lanes := s.picture.lanes; len(lanes) > 0 {
		s.svg(lanes[0].y-pad, lanes[0].h+pad+1, "")
		for i, l := range lanes {
			s.printf(`<g class="l%d">`, i%laneColours)
			s.laneHead(l, l.y)
			s.printf("</g>")
		}
		s.printf("</svg>\n")
		b.Heads = template.HTML(s.String())
		s.Reset()
		top = lanes[0].y + lanes[0].h
	}
	s.svg(top, s.h-top, ` role="img"`)
	s.loop()
	s.lanes()
	s.routes()
	s.steps()
	s.printf("</svg>\n")
	b.Picture = template.HTML(s.String())
}

// svg begins a picture of the rows from y on.
func (s *svgWriter) svg(y, h int, attributes string) {
	s.printf(`<svg width="%d" height="%d" viewBox="0 %d %d %d"%s>`+"\n", s.w, h, y, s.w, h, attributes)
}

// entries are the steps, or the first and the last ones of very many.
func (b *htmlBehaviour) entries(much htmlDetail) {
	t := b.Trace
	x := &htmlSteps{htmlBehaviour: b, chart: chartOf(t), seen: map[string]bool{}, value: much.value}
	b.Entries = nil
	n := len(t.Steps)
	if much.steps == 0 || n <= much.steps {
		much.steps = n
	}
	first := (much.steps + 1) / 2
	for i := 0; i < n; i++ {
		if gap := n - much.steps; i == first && gap > 0 {
			b.Entries = append(b.Entries, htmlEntry{ID: fmt.Sprintf("%s-%d", b.ID, i), Number: fmt.Sprintf("%d–%d", i, i+gap-1), Gap: true, at: i + gap - 1})
			i += gap
		}
		b.Entries = append(b.Entries, x.entry(i))
	}
}

// htmlSteps makes entries, one after the other.
type htmlSteps struct {
	*htmlBehaviour
	chart *chart
	seen  map[string]bool // actions whose Doc was shown
	value int
}

func (x *htmlSteps) entry(i int) htmlEntry {
	t := x.Trace
	s := &t.Steps[i]
	e := htmlEntry{ID: fmt.Sprintf("%s-%d", x.ID, i), Number: strconv.Itoa(i), Step: s, at: i}
	end := endingOf(t)
	e.InLoop = end == repeats && i > t.Loop
	var cs []change
	if i == 0 {
		var others int
		if cs, others = notable(s.Fields); others > 0 {
			e.Others = othersText(len(cs), others)
		}
	} else {
		if len(x.chart.lanes) > 1 {
			e.Lane, e.LaneClass = x.chart.lanes[x.chart.at[i]], fmt.Sprintf("l%d", x.chart.at[i]%laneColours)
		}
		if !x.seen[s.Action] {
			e.Doc = s.Doc
		}
		x.seen[s.Action] = true
		for j, m := range s.Messages {
			e.Messages = append(e.Messages, x.message(m, &x.chart.arrows[x.chart.messages[i][j]]))
		}
		if cs = changes(t.Steps[i-1].Fields, s.Fields); len(cs) == 0 {
			e.Others = "changes nothing"
		}
	}
	for _, c := range cs {
		e.Changes = append(e.Changes, htmlChange{c.name, htmlText(value(c.from), x.value), htmlText(value(c.to), x.value), c.changed})
	}
	e.Because = x.causes(s.Because)
	e.Truths = x.turns(i)
	if end == repeats && i == t.Loop+1 {
		e.Loop = "Here begins what repeats for ever: " + loopSteps(t) + " repeated."
	}
	if i == len(t.Steps)-1 {
		x.ending(&e, end)
	}
	return e
}

// ending says what comes after the last step.
func (x *htmlSteps) ending(e *htmlEntry, end ending) {
	t := x.Trace
	switch end {
	case repeats:
		e.Loop = strings.TrimSpace(e.Loop + fmt.Sprintf(" Back to the state after step %d, and so for ever.", t.Loop))
	case stutters:
		e.Loop = "Nothing happens any more."
	}
	if text, _ := verdictMark(t); text != "" {
		e.Mark = &htmlMark{Class: x.Class, Text: text}
		e.Ends = x.causes(t.Because)
	}
}

// message says in words what a step sends, takes or calls.
func (x *htmlSteps) message(m model.Message, a *arrow) string {
	lanes := x.chart.lanes
	switch {
	case m.Call && a.text == "":
		return "calls " + lanes[a.to]
	case m.Call:
		return "calls " + lanes[a.to] + ": " + a.text
	case sends(m) && a.later() != "":
		return "sends " + a.text + " to " + lanes[a.to] + " (" + a.later() + ")"
	case sends(m):
		return "sends " + a.text + " to " + lanes[a.to]
	case a.from < 0:
		return "takes " + a.text + ", under way from the start"
	}
	return fmt.Sprintf("takes %s from %s, step %d", a.text, lanes[x.chart.at[a.from]], a.from)
}

func (x *htmlSteps) causes(causes []model.Cause) (all []htmlCause) {
	for _, c := range causes {
		all = append(all, htmlCause{fmt.Sprintf("%s-%d", x.ID, c.Step), strings.Join(grouped(c.Fields), ", "), c.Step})
	}
	return all
}

// turns are the properties that a step turns over.
func (x *htmlSteps) turns(i int) (marks []htmlMark) {
	for _, p := range x.Trace.Truths {
		was, is := byte(model.Unknown), p.Steps[i]
		if i > 0 {
			was = p.Steps[i-1]
		}
		cell := truthMark(p.Kind, is)
		switch add := func(text string) { marks = append(marks, htmlMark{cell.Class, cell.Sign, p.Property + " " + text}) }; {
		case p.Kind == model.StepInvariant && is == model.No:
			add("is broken by this step")
		case p.Kind == model.StepInvariant || is == was || is == model.Unknown:
		case was == model.Unknown && is == model.Yes && p.Kind != model.Witness: // as it should be from the start
		case was == model.Unknown && is == model.No && safety(p.Kind):
			add("does not hold")
		case was == model.Unknown && is == model.No && p.Kind != model.Leads:
		default:
			add(turnWords[p.Kind][is])
		}
	}
	return marks
}

// safety says whether properties of a kind are to hold in every state, or step.
func safety(k model.Kind) bool {
	return k == model.Invariant || k == model.StepInvariant || k == model.NoDeadlock
}

// turnWords say that a property has turned over, by what it is now.
var turnWords = map[model.Kind]map[byte]string{
	model.Invariant:  {model.Yes: "holds again", model.No: "no longer holds"},
	model.NoDeadlock: {model.Yes: "holds again", model.No: "no longer holds: no step leads on"},
	model.Witness:    {model.Yes: "is reached", model.No: "is left"},
	model.Leads:      {model.Yes: "is answered", model.No: "waits for its answer from here on"},
	model.Eventual:   {model.Yes: "is met", model.No: "is no longer met"},
	model.Stable:     {model.Yes: "is met", model.No: "is no longer met"},
	model.Recurrent:  {model.Yes: "is met", model.No: "is no longer met"},
}

// truthMark is a cell of the grid.
func truthMark(k model.Kind, is byte) htmlMark {
	switch {
	case is == model.Unknown:
		return htmlMark{"", " ", "not known"}
	case safety(k) && is == model.Yes:
		return htmlMark{"fine", "✓", "holds"}
	case safety(k):
		return htmlMark{"bad", "✗", "does not hold"}
	case k == model.Leads && is == model.Yes:
		return htmlMark{"fine", "·", "nothing waits"}
	case k == model.Leads:
		return htmlMark{"open", "…", "waits for its answer"}
	case is == model.Yes:
		return htmlMark{"good", "●", "is so"}
	}
	return htmlMark{"fine", "·", "is not so"}
}

// grid fills the rows of properties: that of the behaviour first, and without the
// steady ones, which are always as they should be.
func (b *htmlBehaviour) grid() {
	b.Grid, b.Steady, b.Legend = nil, nil, nil
	for _, p := range b.Truths {
		row := htmlTruth{Name: p.Property, Own: p.Property == b.Property, Kind: p.Kind}
		steady := !row.Own
		for _, e := range b.Entries {
			cell := htmlMark{"", " ", "left out"}
			if !e.Gap {
				cell = truthMark(p.Kind, p.Steps[e.at])
			}
			row.Cells = append(row.Cells, cell)
			steady = steady && (cell.Class == "" || cell.Class == "fine")
		}
		switch last := row.Cells[len(row.Cells)-1]; {
		case steady && last.Class == "":
			continue // it says nothing
		case steady:
			b.Steady = append(b.Steady, htmlSteady{p.Property, last.Sign, last.Text})
			continue
		case row.Own:
			b.Grid = slices.Insert(b.Grid, 0, row)
		default:
			b.Grid = append(b.Grid, row)
		}
		for _, cell := range row.Cells {
			if cell.Class != "" && !slices.Contains(b.Legend, cell) {
				b.Legend = append(b.Legend, cell)
			}
		}
	}
}

// data is what the page's script shows on demand: the first state, and for each
// entry the values that differ from the state of the one before.
func (b *htmlBehaviour) data(most int) template.JS {
	type set struct {
		Field int    `json:"f"`
		Value string `json:"v"`
	}
	states := struct {
		Names  []string `json:"names"`
		First  []string `json:"first"`
		Sets   [][]set  `json:"sets"`
		Repeat int      `json:"repeat"` // the entry after the last one, in a loop; or -1
	}{Names: []string{}, First: []string{}, Repeat: -1}
	steps := b.Trace.Steps
	for _, f := range steps[0].Fields {
		states.Names = append(states.Names, htmlText(f.Name, most))
		states.First = append(states.First, htmlText(value(f.Value), most))
	}
	before := steps[0].Fields
	for i, e := range b.Entries {
		sets := []set{}
		for j, f := range steps[e.at].Fields {
			if f.Value != before[j].Value {
				sets = append(sets, set{j, htmlText(value(f.Value), most)})
			}
		}
		before = steps[e.at].Fields
		states.Sets = append(states.Sets, sets)
		if endingOf(b.Trace) == repeats && e.at == b.Loop+1 && !e.Gap {
			states.Repeat = i
		}
	}
	text, err := json.Marshal(states) // with <, >, & and separators of lines escaped
	if err != nil {
		panic(err) // strings and numbers alone
	}
	return template.JS(text)
}
