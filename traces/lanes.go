package traces

import (
	"fmt"
	"slices"

	"mc/model"
)

// chart is a trace as a sequence of events on lanes: what the text and the
// pictures have in common.
type chart struct {
	lanes  []string // those that a step stands on or a message goes to
	at     []int    // for each step its lane, an index into lanes; -1 for none
	index  map[string]int
	arrows []arrow
	// messages[i][j] is the arrow that Steps[i].Messages[j] sends or takes.
	messages [][]int
}

// arrow is one message from its sending to all of its takings. A message is
// taken again when a log is replayed.
type arrow struct {
	text   string
	from   int   // the step that sends it, or -1 if it was under way from the start
	to     int   // the lane it is for
	takers []int // steps, ascending
	call   bool  // arrives in the step that sends it
	next   int   // in a loop: the step that takes it in the next round, or -1
}

// inFlight says whether nobody takes the message in the trace.
func (a *arrow) inFlight() bool { return len(a.takers) == 0 && !a.call }

// later says what becomes of a message that the trace does not see taken.
func (a *arrow) later() string {
	switch {
	case !a.inFlight():
		return ""
	case a.next >= 0:
		return fmt.Sprintf("taken by step %d in the next round", a.next)
	}
	return "in flight"
}

// sends says whether a message of a step is sent by it, and not taken.
func sends(m model.Message) bool { return m.To != "" || m.Call }

func chartOf(t *model.Trace) *chart {
	c := &chart{index: map[string]int{}, at: make([]int, len(t.Steps)), messages: make([][]int, len(t.Steps))}
	c.useLanes(t)
	last := map[string]int{} // for each ID the arrow that was last sent with it
	for i, s := range t.Steps {
		if i == 0 {
			c.at[i] = -1
			continue
		}
		c.at[i] = c.lane(s.Lane)
		c.messages[i] = make([]int, len(s.Messages))
		// A step takes what earlier steps sent, in whatever order its spec
		// names the two.
		for j, m := range s.Messages {
			if sends(m) {
				continue
			}
			a, ok := last[m.ID]
			if !ok {
				a = len(c.arrows)
				c.arrows = append(c.arrows, arrow{text: m.ID, from: -1, next: -1})
				last[m.ID] = a
			}
			c.messages[i][j] = a
			c.arrows[a].takers = append(c.arrows[a].takers, i)
		}
		for j, m := range s.Messages {
			if !sends(m) {
				continue
			}
			text := m.Text
			if text == "" {
				text = m.ID
			}
			c.messages[i][j] = len(c.arrows)
			if !m.Call {
				last[m.ID] = len(c.arrows)
			}
			c.arrows = append(c.arrows, arrow{text: text, from: i, to: c.lane(m.To), call: m.Call, next: -1})
		}
	}
	if endingOf(t) == repeats {
		c.nextRound(t, last)
	}
	return c
}

// nextRound finds the messages that a loop sends in one round and takes in
// the next.
func (c *chart) nextRound(t *model.Trace, last map[string]int) {
	for i := t.Loop + 1; i < len(t.Steps); i++ {
		for _, m := range t.Steps[i].Messages {
			if a, ok := last[m.ID]; ok && !sends(m) && c.arrows[a].from >= i && c.arrows[a].next < 0 {
				c.arrows[a].next = i
			}
		}
	}
}

// useLanes finds the lanes that something happens on, in the order of the
// spec; those that it draws on and does not declare come last.
func (c *chart) useLanes(t *model.Trace) {
	var used []string
	for _, s := range t.Steps[1:] {
		used = append(used, laneName(s.Lane))
		for _, m := range s.Messages {
			if sends(m) {
				used = append(used, laneName(m.To))
			}
		}
	}
	isUsed := map[string]bool{}
	for _, l := range used {
		isUsed[l] = true
	}
	for _, l := range slices.Concat(t.Lanes, used) {
		if _, have := c.index[l]; isUsed[l] && !have {
			c.index[l] = len(c.lanes)
			c.lanes = append(c.lanes, l)
		}
	}
}

// nowhere is shown for the lane of a step that a spec has put on none.
const nowhere = "(no lane)"

func laneName(lane string) string {
	if lane == "" {
		return nowhere
	}
	return lane
}

func (c *chart) lane(name string) int { return c.index[laneName(name)] }

// ending is how a trace goes on after its last step.
type ending int

const (
	stops    ending = iota
	stutters        // stays in its last state for ever
	repeats         // its last state is that of Steps[Loop], and so it goes on
)

func endingOf(t *model.Trace) ending {
	switch last := len(t.Steps) - 1; {
	case t.Loop < 0 || t.Loop > last:
		return stops
	case t.Loop == last:
		return stutters
	}
	return repeats
}
