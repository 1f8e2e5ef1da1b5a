package traces

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mc/model"
)

// events is a trace whose steps are written as "lane: message, …" with
// messages "id>lane", "id" for a taken one and "!lane" for a call.
func events(loop int, steps ...string) *model.Trace {
	t := &model.Trace{Lanes: []string{"a", "b", "c", "d"}, Loop: loop, Steps: []model.TraceStep{{}}}
	for i, s := range steps {
		lane, rest, _ := strings.Cut(s, ":")
		step := model.TraceStep{Lane: lane, Instance: model.Instance{Action: fmt.Sprint("Step", i+1)}}
		for m := range strings.SplitSeq(rest, ",") {
			m = strings.TrimSpace(m)
			id, to, sent := strings.Cut(m, ">")
			switch {
			case m == "":
			case m[0] == '!':
				step.Messages = append(step.Messages, model.Message{To: m[1:], Call: true, Text: "call"})
			case sent:
				step.Messages = append(step.Messages, model.Message{ID: id, To: to})
			default:
				step.Messages = append(step.Messages, model.Message{ID: id})
			}
		}
		t.Steps = append(t.Steps, step)
	}
	return t
}

// String of an arrow is "1 m>b: 2 5": from step 1 to lane b, taken by two.
func (c *chart) arrowStrings() (ss []string) {
	for _, a := range c.arrows {
		s := fmt.Sprintf("%d %s", a.from, a.text)
		if a.from >= 0 {
			s += ">" + c.lanes[a.to]
		}
		s += ":"
		for _, n := range a.takers {
			s += fmt.Sprint(" ", n)
		}
		if l := a.later(); l != "" {
			s += " " + l
		}
		ss = append(ss, s)
	}
	return ss
}

func TestChart(t *testing.T) {
	for _, test := range []struct {
		name  string
		trace *model.Trace
		lanes string
		want  []string
	}{
		{"no step", events(-1), "", nil},
		{"taken", events(-1, "a: m>c", "c: m"), "a c", []string{"1 m>c: 2"}},
		{"taken again", events(-1, "a: m>b", "b: m", "c: m"), "a b c", []string{"1 m>b: 2 3"}},
		{"the last one sent counts", events(-1, "a: m>b", "a: m>b", "b: m"), "a b", []string{"1 m>b: in flight", "2 m>b: 3"}},
		{"taken and sent on", events(-1, "a: m>b", "b: m>a, m", "a: m"), "a b", []string{"1 m>b: 2", "2 m>a: 3"}},
		{"in flight", events(-1, "a: m>d"), "a d", []string{"1 m>d: in flight"}},
		{"under way", events(-1, "b: m", "b: m"), "b", []string{"-1 m: 1 2"}},
		{"call", events(-1, "b: !a"), "a b", []string{"1 call>a:"}},
		{"next round", events(1, "a: m>b", "b: m, n>a", "a: n, m>b"), "a b",
			[]string{"1 m>b: 2", "2 n>a: 3", "3 m>b: taken by step 2 in the next round"}},
		{"before the loop", events(2, "a: m>b", "b: m", "a: m>b"), "a b", []string{"1 m>b: 2", "3 m>b: in flight"}},
		{"unknown lanes", events(-1, ": m>z", "a:"), "a (no lane) z", []string{"1 m>z: in flight"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := chartOf(test.trace)
			if got := strings.Join(c.lanes, " "); got != test.lanes {
				t.Errorf("lanes: got %s, want %s", got, test.lanes)
			}
			if got := c.arrowStrings(); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestChanges(t *testing.T) {
	state := func(s string) (fields []model.Field) {
		for f := range strings.FieldsSeq(s) {
			name, v, _ := strings.Cut(f, "=")
			fields = append(fields, model.Field{Name: name, Value: v})
		}
		return fields
	}
	for _, test := range []struct{ name, before, after, want string }{
		{"none", "a=1", "a=1", ""},
		{"one", "a=1 b=1", "a=1 b=2", "b:1→2"},
		{"elements alike", "x[a]=1 x[b]=1 y=0", "x[a]=2 x[b]=2 y=0", "x[a, b]:1→2"},
		{"elements apart", "x[a]=1 x[b]=1", "x[a]=2 x[b]=3", "x[a]:1→2 x[b]:1→3"},
		{"parts of elements", "x[a].p=1 x[a].q=1 x[b].p=1 x[b].q=1", "x[a].p=2 x[a].q=3 x[b].p=2 x[b].q=3", "x[a, b].p:1→2 x[a, b].q:1→3"},
		{"other arrays", "x[a]=1 y[a]=1", "x[a]=2 y[a]=2", "x[a]:1→2 y[a]:1→2"},
		{"emptied", "a=1 b=", "a= b=1", "a:1→ b:→1"},
		{"no index", "x[=1 ]=1", "x[=2 ]=2", "x[:1→2 ]:1→2"},
		{"fields that do not fit", "a=1", "a=2 b=2", "a:1→2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, c := range changes(state(test.before), state(test.after)) {
				got = append(got, c.name+":"+c.from+"→"+c.to)
			}
			if s := strings.Join(got, " "); s != test.want {
				t.Errorf("got %s, want %s", s, test.want)
			}
		})
	}
}
