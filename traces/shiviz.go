package traces

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"mc/model"
)

// shivizPattern is the first line of a log: how ShiViz finds the parts of an
// event. The second line would separate executions, and there is one.
const shivizPattern = `(?<event>.*)\n(?<host>\S*) (?<clock>\{.*\})`

// ShiViz writes a trace as a log with vector clocks, from which ShiViz draws
// what happened before what. Each step is an event of its lane, and so is a call
// of the lane that it acts on. ShiViz knows no initial state and no loops: what
// happens for ever is said in words, in the last event. A trace of no steps is
// one event.
func ShiViz(w io.Writer, t *model.Trace) error {
	c := chartOf(t)
	if len(c.lanes) == 0 { // there is no step
		c.lanes = []string{t.Spec}
	}
	hosts := shivizHosts(c.lanes)
	var b strings.Builder
	b.WriteString(shivizPattern + "\n\n")
	clocks := make([]map[string]int, len(hosts))
	for i := range clocks {
		clocks[i] = map[string]int{}
	}
	event := func(lane int, text string) {
		clocks[lane][hosts[lane]]++
		clock, _ := json.Marshal(clocks[lane]) // sorts, and cannot fail
		fmt.Fprintf(&b, "%s\n%s %s\n", shorten(plain(text), 2000), hosts[lane], escaped(clock))
	}
	sent := make([]map[string]int, len(c.arrows)) // the clock a message takes along
	for i := 1; i < len(t.Steps); i++ {
		s, lane := &t.Steps[i], c.at[i]
		var calls []int
		for j, m := range s.Messages {
			a := c.messages[i][j]
			switch {
			case c.arrows[a].call:
				calls = append(calls, a)
			case !sends(m) && sent[a] != nil:
				learn(clocks[lane], sent[a])
			}
		}
		event(lane, shivizText(t, c, i))
		for _, a := range c.messages[i] {
			if c.arrows[a].from == i {
				sent[a] = copyOf(clocks[lane])
			}
		}
		for _, a := range calls {
			if to := c.arrows[a].to; to != lane {
				learn(clocks[to], clocks[lane])
				event(to, fmt.Sprintf("step %d: called: %s", i, c.arrows[a].text))
			}
		}
	}
	if len(t.Steps) == 1 { // or the log would say nothing
		event(0, strings.Join(append([]string{"initial state"}, shivizEnd(t)...), "; "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// learn takes what another clock knows.
func learn(clock, other map[string]int) {
	for host, n := range other {
		clock[host] = max(clock[host], n)
	}
}

func copyOf(clock map[string]int) map[string]int {
	c := map[string]int{}
	learn(c, clock)
	return c
}

// shivizText is what a step does, in a line. The word step keeps what follows
// from being found as a clock.
func shivizText(t *model.Trace, c *chart, i int) string {
	s := &t.Steps[i]
	parts := []string{fmt.Sprintf("step %d: %s", i, s)}
	for j, m := range s.Messages {
		switch a := &c.arrows[c.messages[i][j]]; {
		case a.call:
			parts = append(parts, "calls "+c.lanes[a.to]+": "+a.text)
		case sends(m):
			parts = append(parts, "sends "+a.text+" to "+c.lanes[a.to])
		default:
			parts = append(parts, "takes "+a.text)
		}
	}
	for _, f := range changes(t.Steps[i-1].Fields, s.Fields) {
		parts = append(parts, f.name+": "+value(f.from)+" → "+value(f.to))
	}
	if i == len(t.Steps)-1 {
		parts = append(parts, shivizEnd(t)...)
	}
	return strings.Join(parts, "; ")
}

// shivizEnd is how a trace goes on after its last step, and what that shows.
func shivizEnd(t *model.Trace) (parts []string) {
	switch endingOf(t) {
	case stutters:
		parts = append(parts, "nothing happens any more")
	case repeats:
		parts = append(parts, fmt.Sprintf("back to the state after step %d, and so on for ever", t.Loop))
	}
	if text, _ := verdictMark(t); text != "" {
		parts = append(parts, text)
	}
	return parts
}

// shivizHosts are the names of lanes as the pattern finds them: without spaces,
// each different.
func shivizHosts(lanes []string) []string {
	hosts, taken := make([]string, len(lanes)), map[string]bool{}
	for i, l := range lanes {
		name := strings.ReplaceAll(shorten(plain(l), 60), " ", "_")
		for hosts[i] = name; taken[hosts[i]]; {
			hosts[i] += "'"
		}
		taken[hosts[i]] = true
	}
	return hosts
}
