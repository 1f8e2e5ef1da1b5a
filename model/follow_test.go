package model

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// jar is a state with a part that is not shown.
type jar struct {
	N, M   uint8
	Hidden uint8 `show:"-"`
}

func jarMachine(t *testing.T, change func(*Spec[jar])) *Machine {
	t.Helper()
	m, err := Define("jar", "", func(*Config) *Spec[jar] {
		by := Param[uint8]{Name: "by", Values: []uint8{1, 2}}
		s := &Spec[jar]{
			Init: []jar{{}, {N: 4}, {N: 4, Hidden: 1}},
			Actions: []Action[jar]{
				Act1("Add", by,
					All(If("room", func(s *jar, n uint8) bool { return s.N+n <= 5 }), If("closed", func(s *jar, _ uint8) bool { return s.Hidden < 2 })),
					func(s *jar, n uint8) { s.N += n }),
				Act("Empty", func(s *jar) bool { return s.N > 0 }, func(s *jar) { s.N = 0 }),
				Act("Peek", func(s *jar) bool { return s.Hidden == 1 }, func(s *jar) { s.M = 7 }),
			},
			Properties: []Property[jar]{
				Always("Small", func(s *jar) bool { return s.N < 3 }),
				EveryStep("Grows", func(s, t *jar) bool { return s.N <= t.N }),
				Reachable("Seven", func(s *jar) bool { return s.M == 7 }),
				DeadlockFree[jar]("Moves"),
				LeadsTo("Emptied", func(s *jar) bool { return s.N == 2 }, func(s *jar) bool { return s.N == 0 }),
			},
		}
		change(s)
		return s
	}).Machine(Selection{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// steps reads instances: "Add by=1; Empty".
func steps(text string) (all []Instance) {
	for _, one := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' }) {
		words := strings.Fields(one)
		in := Instance{Action: words[0]}
		for _, w := range words[1:] {
			name, value, _ := strings.Cut(w, "=")
			in.Args = append(in.Args, Arg{name, value})
		}
		all = append(all, in)
	}
	return all
}

func TestFind(t *testing.T) {
	m := jarMachine(t, func(*Spec[jar]) {})
	for l := range m.Instances {
		if got, unknown := m.Find(m.Instance(Label(l))); got != Label(l) || unknown != "" {
			t.Errorf("%s: got %d, %q, want %d", m.Instance(Label(l)), got, unknown, l)
		}
	}
	for text, want := range map[string]string{
		"Ad by=1": "there is no action Ad", "Add": "Add has the parameters (by)", "Add of=1": "Add has the parameters (by)",
		"Add by=1 to=2": "Add has the parameters (by)", "Add by=3": "there is no by 3, only 1, 2",
	} {
		if _, got := m.Find(steps(text)[0]); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// TestFollow takes traces that were made with one machine, and spoilt, through
// another.
func TestFollow(t *testing.T) {
	plain := func(*Spec[jar]) {}
	for _, c := range []struct {
		name, take string
		from       int // initial state
		loop       int // 0 for none
		spoil      func(*Trace)
		change     func(*Spec[jar])
		steps      int    // that fit, -1 if not even the initial state does
		want       string // the misfit; empty for none
	}{
		{name: "fits", take: "Add by=2; Empty", change: plain, steps: 2},
		{name: "no step", change: plain, steps: 0},
		{name: "hidden", take: "Peek", from: 2, change: plain, steps: 1},
		{name: "lasso", take: "Add by=1; Add by=2; Empty; Add by=1", loop: 1, change: plain, steps: 4},
		{name: "open loop", take: "Add by=1; Add by=2; Empty; Add by=1", loop: 2, change: plain, steps: 4,
			want: "step 4, Add(by=1): the loop does not close"},
		{name: "conjunct", take: "Add by=2; Empty", change: func(s *Spec[jar]) {
			s.Actions[0] = Act1("Add", Param[uint8]{Name: "by", Values: []uint8{1, 2}},
				All(If("one by one", func(_ *jar, n uint8) bool { return n == 1 })), func(s *jar, n uint8) { s.N += n })
		}, steps: 0, want: `step 1, Add(by=2), is not possible: "one by one" is false`},
		{name: "guard", take: "Add by=2; Empty", change: func(s *Spec[jar]) {
			s.Actions[1] = Act("Empty", func(s *jar) bool { return s.N > 2 }, func(s *jar) { s.N = 0 })
		}, steps: 1, want: `step 2, Empty, is not possible: its guard is false`},
		{name: "another state", take: "Add by=2; Empty", change: func(s *Spec[jar]) {
			s.Actions[1] = Act("Empty", func(s *jar) bool { return true }, func(s *jar) { s.N, s.M = 1, 3 })
		}, steps: 1, want: "step 2, Empty, leads to another state"},
		{name: "another beginning", take: "Add by=2", change: func(s *Spec[jar]) { s.Init = []jar{{N: 1, M: 1}, {M: 1}} },
			steps: -1, want: "no initial state is the one of the trace"},
		{name: "no beginning", take: "Add by=2", change: func(s *Spec[jar]) { s.Init = nil }, steps: -1, want: "the initial state: there is none"},
		{name: "unknown", take: "Add by=2; Empty", change: func(s *Spec[jar]) { s.Actions = s.Actions[:1] }, steps: 1,
			want: "step 2, Empty: there is no action Empty"},
		{name: "fault", take: "Add by=2; Empty", change: func(s *Spec[jar]) {
			s.Actions[1] = Act("Empty", func(s *jar) bool { return true }, func(s *jar) { panic("broken") })
		}, steps: 1, want: "step 2, Empty: Empty: panic: broken"},
		{name: "another field", take: "Add by=2", change: plain, steps: -1, spoil: func(t *Trace) {
			for i := range t.Steps {
				t.Steps[i].Fields = append(t.Steps[i].Fields[:1:1], Field{"New", "0"})
			}
		}, want: "no initial state is the one of the trace"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := jarMachine(t, plain)
			made, misfit := m.Take(m.Init[c.from], steps(c.take))
			if misfit != nil {
				t.Fatal(misfit)
			}
			if made.Loop = -1; c.loop > 0 {
				made.Loop = c.loop
			}
			trace := m.Trace(made)
			if c.spoil != nil {
				c.spoil(trace)
			}
			b, misfit := jarMachine(t, c.change).Follow(trace)
			got := ""
			if misfit != nil {
				got, _, _ = strings.Cut(misfit.Error(), " at ")
			}
			if got != c.want || len(b.States)-1 != c.steps || b.Loop >= 0 != (c.loop > 0 && misfit == nil) {
				t.Errorf("got %d steps, loop %d, %q, want %d steps, %q", len(b.States)-1, b.Loop, got, c.steps, c.want)
			}
		})
	}
}

// TestFollowDiffers says which fields differ, and chooses the nearest state.
func TestFollowDiffers(t *testing.T) {
	plain := jarMachine(t, func(*Spec[jar]) {})
	b, _ := plain.Take(plain.Init[0], steps("Add by=2"))
	trace := plain.Trace(b)
	near := jarMachine(t, func(s *Spec[jar]) { s.Init = []jar{{N: 1, M: 1}, {M: 1}} })
	_, f := near.Follow(trace)
	if want := (Difference{Name: "M", Want: "0", Got: "1"}); len(f.Differ) != 1 || f.Differ[0] != want {
		t.Errorf("got %v, want %v", f.Differ, want)
	}
	trace.Steps[0].Fields = []Field{{"N", "0"}, {"Old", "x"}}
	_, f = plain.Follow(trace)
	if want := []Difference{{Name: "Old", Want: "x", NoGot: true}, {Name: "M", Got: "0", NoWant: true}}; len(f.Differ) != 2 || f.Differ[0] != want[0] || f.Differ[1] != want[1] {
		t.Errorf("got %v, want %v", f.Differ, want)
	}
}

func TestShows(t *testing.T) {
	stuck := func(s *Spec[jar]) { s.Actions = s.Actions[:1]; s.Actions[0] = s.Actions[0].Fair(Weak) }
	fair := func(s *Spec[jar]) { s.Actions[1] = s.Actions[1].Fair(Weak) }
	strong := func(s *Spec[jar]) { s.Actions[2] = s.Actions[2].Fair(Strong) }
	for _, c := range []struct {
		name, property, take string
		from, loop           int
		change               func(*Spec[jar])
		want                 string // what is missing; empty if it shows
		after                int    // steps, if it shows
	}{
		{"invariant", "Small", "Add by=2; Add by=1", 0, -1, nil, "", 2},
		{"shown before the end", "Small", "Add by=2; Add by=1; Add by=1", 0, -1, nil, "", 2},
		{"at once", "Small", "", 1, -1, nil, "", 0},
		{"not yet", "Small", "Add by=2", 0, -1, nil, "Small holds there", 0},
		{"step", "Grows", "Add by=2; Empty", 0, -1, nil, "", 2},
		{"good step", "Grows", "Add by=2", 0, -1, nil, "Grows holds there", 0},
		{"no step", "Grows", "", 0, -1, nil, "it has no last step", 0},
		{"witness", "Seven", "Peek", 2, -1, nil, "", 1},
		{"not reached", "Seven", "Add by=1", 0, -1, nil, "Seven is not reached there", 0},
		{"deadlock", "Moves", "Add by=1", 1, -1, stuck, "", 1},
		{"not stuck", "Moves", "Add by=1", 0, -1, stuck, "Moves holds there", 0},
		{"may end", "Moves", "Add by=1", 1, -1, func(s *Spec[jar]) {
			stuck(s)
			s.Terminal = func(s *jar) bool { return s.N == 5 }
		}, "Moves holds there", 0},
		{"cut", "Moves", "Add by=1", 1, -1, func(s *Spec[jar]) { stuck(s); s.Within = func(s *jar) bool { return s.N < 5 } }, "Moves holds there", 0},
		{"lasso that stays", "Emptied", "Add by=2", 0, 1, nil, "", 1},
		{"no lasso", "Emptied", "Add by=2", 0, -1, nil, "it does not go on for ever", 0},
		{"never begun", "Emptied", "Add by=1", 0, 1, nil, "the lasso satisfies Emptied", 0},
		{"open", "Emptied", "Add by=2; Add by=1", 0, 1, nil, "the loop does not close", 0},
		{"unfair", "Emptied", "Add by=2", 0, 1, fair, "the loop is not fair: WF(Empty)", 0},
		{"strongly fair", "Emptied", "Add by=2", 0, 1, strong, "", 1},
		{"fault", "", "Add by=2", 0, -1, func(s *Spec[jar]) {
			s.Actions[1] = Act("Empty", func(s *jar) bool { return s.N == 2 }, func(*jar) { panic("x") })
		}, "", 1},
		{"no fault", "", "Add by=1", 0, -1, func(s *Spec[jar]) {
			s.Actions[1] = Act("Empty", func(s *jar) bool { return s.N == 2 }, func(*jar) { panic("x") })
		}, "nothing goes wrong in its last state", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.change == nil {
				c.change = func(*Spec[jar]) {}
			}
			m := jarMachine(t, c.change)
			b, misfit := m.Take(m.Init[c.from], steps(c.take))
			if misfit != nil {
				t.Fatal(misfit)
			}
			b.Loop = c.loop
			property := -1
			if c.property != "" {
				property = m.Property(c.property)
			}
			n, err := m.ShownAfter(b, property)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != c.want || got == "" && n != c.after {
				t.Errorf("got %q after %d steps, want %q after %d", got, n, c.want, c.after)
			}
		})
	}
}

// TestShowsReplays: what the machine does not do shows nothing.
func TestShowsReplays(t *testing.T) {
	m := jarMachine(t, func(*Spec[jar]) {})
	b, _ := m.Take(m.Init[0], steps("Add by=2; Add by=1"))
	b.States[1] = m.Init[1]
	if m.Shows(b, 0) == nil {
		t.Error("a step that leads elsewhere is taken for one of the machine")
	}
}

// raw is a byte, whose text need not be UTF-8.
type raw uint8

func (r raw) String() string { return string([]byte{'x', byte(r)}) }

// TestFollowSaved: what a trace says survives JSON, whatever bytes a String
// method returns.
func TestFollowSaved(t *testing.T) {
	type state struct {
		V    raw
		Each [2]raw `index:"v"`
	}
	m, err := Define("raw", "", func(*Config) *Spec[state] {
		return &Spec[state]{
			Init: []state{{V: 0xfd}},
			Actions: []Action[state]{Act1("Put", Values[raw]("v", 0xfe, 0xff),
				func(s *state, v raw) bool { return s.V != v }, func(s *state, v raw) { s.V = v })},
		}
	}).Machine(Selection{})
	if err != nil {
		t.Fatal(err)
	}
	w := m.NewWorker()
	b := &Behaviour{States: [][]byte{m.Init[0]}, Loop: -1}
	next, _, _ := w.Step(m.Init[0], 1)
	b.States, b.Labels = append(b.States, slices.Clone(next)), []Label{1}

	text, err := json.Marshal(m.Trace(b))
	if err != nil {
		t.Fatal(err)
	}
	saved := &Trace{}
	if err := json.Unmarshal(text, saved); err != nil {
		t.Fatal(err)
	}
	if got, want := saved.Steps[1].Fields[0], (Field{"V", `x\xff`}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, misfit := m.Follow(saved); misfit != nil {
		t.Errorf("the saved trace does not fit: %v", misfit)
	}
}
