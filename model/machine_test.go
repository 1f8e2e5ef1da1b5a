package model

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

type lock struct {
	Holder  [3]bool `index:"client"`
	Granted bool
	Ghost   uint8 `show:"-"`
	Inner   struct{ Hops uint8 }
}

type colour uint8

func (c colour) String() string { return [...]string{"red", "green"}[c] }

func lockEntry(change func(*Spec[lock])) *Entry {
	return Define("lock", "a lock", func(c *Config) *Spec[lock] {
		n := c.Int("clients", 2, 1, 3, "clients")
		c.Bool("fast", false, "no meaning")
		Choice(c, "paint", colour(0), "no meaning", colour(0), colour(1))
		durable := c.Fix("durable", "grants survive")
		c.Alternative("slow", "waits")
		clients := Between[uint8]("client", 0, n-1)
		s := &Spec[lock]{
			Init:  []lock{{}},
			Lanes: []string{"client", "server"},
			Actions: []Action[lock]{
				Act1("Grant", clients,
					All(If("free", func(s *lock, _ uint8) bool { return !s.Granted }),
						If("not holding", func(s *lock, c uint8) bool { return !s.Holder[c] })),
					func(s *lock, c uint8) { s.Holder[c], s.Granted = true, true }).FairEach(Strong),
				Act("Restart", func(s *lock) bool { return s.Granted }, func(s *lock) { s.Granted = durable }).Fair(Weak),
				Act3("Swap", clients, Values("how", colour(0), colour(1)), Values("x", true),
					func(s *lock, c uint8, how colour, x bool) bool { return s.Holder[c] },
					func(s *lock, c uint8, how colour, x bool) { s.Inner.Hops = c + uint8(how) + 1 }),
			},
			Properties: []Property[lock]{Always("Mutex", func(s *lock) bool { return !(s.Holder[0] && s.Holder[1]) })},
			Questions:  []Property[lock]{Reachable("Both", func(s *lock) bool { return s.Holder[0] && s.Holder[1] })},
			Fairness:   []Fairness{{Name: "clients", Strength: Weak, Actions: []string{"Grant", "Swap"}, Per: "client"}},
			Draw: func(d *Drawing, s, t *lock) {
				d.On("server")
				if d.Action == "Grant" {
					d.Send(d.Arg(0), "client", "granted").Call("client", "now")
				} else {
					d.Take(0)
				}
			},
		}
		if change != nil {
			change(s)
		}
		return s
	}).With(About{Scenarios: []Scenario{{Name: "three", Set: "clients=3,fast=true"}, {Name: "broken", Set: "clients"}, {Name: "wrong", Set: "clients=7"}}})
}

func mustMachine(t *testing.T, e *Entry, sel Selection) *Machine {
	t.Helper()
	m, err := e.Machine(sel)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestLabels(t *testing.T) {
	m := mustMachine(t, lockEntry(nil), Selection{})
	var got []string
	for l := range m.Instances {
		got = append(got, m.Instance(Label(l)).String())
	}
	want := "Grant(client=0) Grant(client=1) Restart " +
		"Swap(client=0, how=red, x=true) Swap(client=0, how=green, x=true) " +
		"Swap(client=1, how=red, x=true) Swap(client=1, how=green, x=true)"
	if strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if got := fmt.Sprint(m.Fairness); got != "[{Grant strong [Grant] *} {Restart weak [Restart] } {clients weak [Grant Swap] client}]" {
		t.Errorf("got fairness %s", got)
	}
}

// TestStepAgreesWithExpand walks a while and compares each successor that
// Expand makes with the one that Step makes, and each missing one with the
// guard that Step names.
func TestStepAgreesWithExpand(t *testing.T) {
	m := mustMachine(t, lockEntry(nil), Selection{})
	w, b := m.NewWorker(), m.NewBatch(1)
	blocked := map[string]bool{}
	s := m.Init[0]
	for i := range 6 {
		b.Truncate(0)
		if f := w.Expand(s, b); f != nil {
			t.Fatal(f)
		}
		made := map[Label]string{}
		for i, l := range b.Labels {
			made[l] = string(b.State(i))
		}
		for l := range m.Instances {
			next, why, f := w.Step(s, Label(l))
			if f != nil {
				t.Fatal(f)
			}
			if string(next) != made[Label(l)] || (why == "") != (made[Label(l)] != "") {
				t.Errorf("%s: got %x %q, want %x", m.Instance(Label(l)), next, why, made[Label(l)])
			}
			blocked[why] = true
		}
		s = append([]byte(nil), b.State(i%b.Len())...)
	}
	for _, want := range []string{"free", "guard"} {
		if !blocked[want] {
			t.Errorf("no step was blocked by %q: %v", want, blocked)
		}
	}
}

func TestSelectionErrors(t *testing.T) {
	for _, c := range []struct {
		name string
		sel  Selection
		want string
	}{
		{"out of range", Selection{Set: map[string]string{"clients": "9"}}, "lock: --set clients=9: want 1 to 3"},
		{"no number", Selection{Set: map[string]string{"clients": "two"}}, "lock: --set clients=two: want 1 to 3"},
		{"no such choice", Selection{Set: map[string]string{"paint": "blue"}}, "lock: --set paint=blue: want red|green"},
		{"no such fix", Selection{Fix: []string{"durabel"}}, "lock: --fix durabel: no such fix; have on, off, durable, slow"},
		{"off and more", Selection{Fix: []string{"off", "slow"}}, "lock: --fix off: want it alone"},
		{"a fix is no setting", Selection{Set: map[string]string{"slow": "on"}}, "lock: --set slow: no such setting; have clients, fast, paint"},
		{"no such scenario", Selection{Scenario: "four"}, "lock: --scenario four: no such scenario; have three, broken, wrong"},
		{"broken scenario", Selection{Scenario: "broken"}, "lock: scenario broken: --set clients: want name=value"},
		{"wrong scenario", Selection{Scenario: "wrong", Fix: []string{"on"}}, "lock: scenario wrong: --set clients=7: want 1 to 3"},
		{"all at once", Selection{Set: map[string]string{"clients": "0", "fats": "1"}, Fix: []string{"x"}},
			"lock: --set clients=0: want 1 to 3\n" +
				"lock: --set fats: no such setting; have clients, fast, paint\n" +
				"lock: --fix x: no such fix; have on, off, durable, slow"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := lockEntry(nil).Machine(c.sel)
			if err == nil || err.Error() != c.want {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
		})
	}
}

func TestSpecErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Spec[lock])
		want   string
	}{
		{"action twice", func(s *Spec[lock]) { s.Actions = append(s.Actions, s.Actions[1]) }, "action Restart is declared twice"},
		{"property twice", func(s *Spec[lock]) { s.Questions = s.Properties }, "property Mutex is declared twice"},
		{"bad name", func(s *Spec[lock]) { s.Actions[1].name = "a b" }, `action name "a b": want a word`},
		{"value twice", func(s *Spec[lock]) {
			s.Actions[0] = Act1("Grant", Values("v", 1, 1), func(*lock, int) bool { return true }, func(*lock, int) {})
			s.Fairness = nil
		}, "action Grant: parameter v has the value 1 twice"},
		{"fairness of nothing", func(s *Spec[lock]) { s.Fairness[0].Actions = []string{"Gone"} }, "fairness clients: no action Gone"},
		{"fairness per nothing", func(s *Spec[lock]) { s.Fairness[0].Per = "how" }, "fairness clients: action Grant has no parameter how"},
		{"lane twice", func(s *Spec[lock]) { s.Lanes = []string{"a", "a"} }, "lane a is declared twice"},
		{"panic", func(s *Spec[lock]) { panic("boom") }, "lock: build: boom"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := lockEntry(c.change).Machine(Selection{})
			var spec *SpecError
			if !errors.As(err, &spec) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want a SpecError with %s", err, c.want)
			}
		})
	}
}

func TestSettings(t *testing.T) {
	m := mustMachine(t, lockEntry(nil), Selection{Scenario: "three", Set: map[string]string{"paint": "green"}, Fix: []string{"on", "slow"}})
	var got []string
	for _, s := range m.Config.Settings {
		got = append(got, s.Name+"="+s.Value)
	}
	if want := "clients=3 fast=true paint=green durable=on slow=on"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	on := mustMachine(t, lockEntry(nil), Selection{Fix: []string{"on"}})
	if got := fmt.Sprint(on.Config.Fixes()); got != "[durable]" {
		t.Errorf("--fix on: got %s, want [durable]", got)
	}
}

func TestTrace(t *testing.T) {
	m := mustMachine(t, lockEntry(nil), Selection{})
	b := &Behaviour{States: [][]byte{m.Init[0]}, Loop: -1}
	w := m.NewWorker()
	for _, l := range []Label{1, 2, 0} {
		next, _, _ := w.Step(b.States[len(b.States)-1], l)
		b.Labels = append(b.Labels, l)
		b.States = append(b.States, append([]byte(nil), next...))
	}
	if err := m.Replay(b); err != nil {
		t.Fatal(err)
	}
	trace := m.Trace(b)
	last := trace.Steps[3]
	if got := fmt.Sprint(last.Fields); got != "[{Holder[0] true} {Holder[1] true} {Granted true} {Inner.Hops 0}]" {
		t.Errorf("got fields %s", got)
	}
	if got := fmt.Sprint(last.String(), last.Lane, last.Messages); got != "Grant(client=0)server[{0 client granted false} { client now true}]" {
		t.Errorf("got step %s", got)
	}

	b.Labels[2] = 1
	if err := m.Replay(b); err == nil || err.Error() != "step 3: Grant(client=1): not holding is false" {
		t.Errorf("replay with a wrong label: got %v", err)
	}
	b.Labels[2] = 0
	b.States[3][0] = 0
	if err := m.Replay(b); err == nil || err.Error() != "step 3: Grant(client=0) leads to another state" {
		t.Errorf("replay with a wrong state: got %v", err)
	}
	b.States[0] = b.States[1]
	if err := m.Replay(b); err == nil || err.Error() != "step 0: the first state is not initial" {
		t.Errorf("replay with a wrong beginning: got %v", err)
	}
}

func TestFaults(t *testing.T) {
	full := func(s *lock) {
		var q Seq[uint8, [1]uint8]
		q.Push(1)
		q.Push(2)
	}
	yes := func(*lock) bool { return true }
	for _, c := range []struct {
		name   string
		action Action[lock]
		kind   FaultKind
		want   string
	}{
		{"panicking effect", Act("A", yes, func(s *lock) { panic("boom") }), Panicked, "A: panic: boom"},
		{"panic of two lines", Act("A", yes, func(s *lock) { panic("boom\nboom \xff") }), Panicked, `A: panic: boom\nboom \xff at `},
		{"panicking guard", Act("A", func(s *lock) bool { panic("boom") }, full), Panicked, "A: panic: boom"},
		{"index out of range", Act1("A", Values("c", 7), func(s *lock, c int) bool { return s.Holder[c] }, func(*lock, int) {}),
			Panicked, "A(c=7): panic: index out of range [7] with length 3"},
		{"full sequence", Act("A", yes, full), SequenceFull, "A: full sequence: sequence is full: its bound is 1"},
		{"writing guard", Act("A", func(s *lock) bool { s.Granted = true; return true }, full), SequenceFull, "A"},
		{"writing guard alone", Act("A", func(s *lock) bool { s.Ghost++; return false }, full), Writes, "guard of A"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := mustMachine(t, lockEntry(func(s *Spec[lock]) { s.Actions, s.Fairness, s.Draw = []Action[lock]{c.action}, nil, nil; noIndex(s) }), Selection{})
			b := m.NewBatch(1)
			f := m.NewWorker().Expand(m.Init[0], b)
			if f == nil || f.Kind != c.kind || !strings.Contains(f.Error(), c.want) || b.Len() != 0 {
				t.Errorf("got %v and %d successors, want %s: %s", f, b.Len(), c.kind, c.want)
			}
		})
	}
}

// noIndex keeps the parameter that names the elements of Holder.
func noIndex(s *Spec[lock]) {
	s.Actions = append(s.Actions, Act1("Other", Below[uint8]("client", 2),
		func(*lock, uint8) bool { return false }, func(*lock, uint8) {}))
}

// TestExpandAllocatesNothing holds the hot path to its promise.
func TestExpandAllocatesNothing(t *testing.T) {
	m := mustMachine(t, lockEntry(nil), Selection{})
	w, b := m.NewWorker(), m.NewBatch(64)
	s := m.Init[0]
	properties := []int{0, 1}
	if n := testing.AllocsPerRun(100, func() {
		b.Truncate(0)
		w.Expand(s, b)
		w.Judge(s, properties)
		w.Within(s)
		w.Holds(0, s)
	}); n != 0 {
		t.Errorf("got %v allocations for each expansion, want 0", n)
	}
}
