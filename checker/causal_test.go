package checker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"mc/model"
)

// dice is a state of a few numbers, for machines made by chance whose reads and
// writes are known.
type dice struct{ F [diceFields]uint8 }

const (
	diceFields = 4
	diceSides  = 3
)

// table is a function of two fields.
type table struct {
	reads [2]int
	out   [diceSides * diceSides]uint8
}

func (t *table) of(d *dice) uint8 {
	return t.out[int(d.F[t.reads[0]])*diceSides+int(d.F[t.reads[1]])]
}

func newTable(r *rand.Rand, values int) *table {
	t := &table{reads: [2]int{r.IntN(diceFields), r.IntN(diceFields)}}
	for i := range t.out {
		t.out[i] = uint8(r.IntN(values))
	}
	return t
}

// diceAction writes a field where its guard is not 0.
type diceAction struct {
	guard, effect *table
	writes        int
}

// take is the successor, without any of the checker's code.
func (a *diceAction) take(d dice) (dice, bool) {
	if a.guard.of(&d) == 0 {
		return d, false
	}
	v := a.effect.of(&d)
	d.F[a.writes] = v
	return d, true
}

// diceMachine makes a machine and the parts it was made of: an invariant that
// is rarely false.
func diceMachine(t testing.TB, r *rand.Rand) (m *model.Machine, actions []*diceAction, bad *table) {
	t.Helper()
	bad = newTable(r, 3)
	spec := &model.Spec[dice]{
		Init:       []dice{{}},
		Properties: []model.Property[dice]{model.Always("Good", func(d *dice) bool { return bad.of(d) != 2 })},
	}
	for i := range 3 + r.IntN(4) {
		a := &diceAction{newTable(r, 3), newTable(r, diceSides), r.IntN(diceFields)}
		actions = append(actions, a)
		spec.Actions = append(spec.Actions, model.Act(fmt.Sprintf("A%d", i), func(d *dice) bool { return a.guard.of(d) != 0 },
			func(d *dice) { d.F[a.writes] = a.effect.of(d) }))
	}
	m, err := model.Define("dice", "", func(*model.Config) *model.Spec[dice] { return spec }).Machine(model.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	return m, actions, bad
}

// stroll walks at random to a state that shows the property, by steps that
// change the state; nil if it meets none.
func stroll(m *model.Machine, r *rand.Rand, most int) *model.Behaviour {
	b := &model.Behaviour{States: [][]byte{m.Init[0]}, Loop: -1}
	w, batch := m.NewWorker(), m.NewBatch(8)
	for range most {
		if m.Shows(b, 0) == nil {
			return b
		}
		here := b.States[b.Steps()]
		batch.Truncate(0)
		w.Expand(here, batch)
		var moves []int
		for i := range batch.Len() {
			if !slices.Equal(batch.State(i), here) {
				moves = append(moves, i)
			}
		}
		if len(moves) == 0 {
			return nil
		}
		i := moves[r.IntN(len(moves))]
		b.States, b.Labels = append(b.States, slices.Clone(batch.State(i))), append(b.Labels, batch.Labels[i])
	}
	return nil
}

func diceOf(state []byte) (d dice) { copy(d.F[:], state); return d }

// TestCausesOnRandomMachines compares with the definition, evaluated on the
// machine's parts, and with all subsets of the steps.
func TestCausesOnRandomMachines(t *testing.T) {
	behaviours, causes, idle := 0, 0, 0
	for seed := uint64(0); behaviours < 700; seed++ {
		r := rand.New(rand.NewPCG(seed, 1))
		m, actions, bad := diceMachine(t, r)
		b := stroll(m, r, 10)
		if b == nil || b.Steps() < 2 {
			continue
		}
		behaviours++
		c := Causes(m, 0, b)
		if c == nil {
			t.Fatalf("seed %d: no causes", seed)
		}
		for i, l := range b.Labels {
			a := actions[l]
			was := diceOf(b.States[i])
			became, _ := a.take(was)
			same := func(d dice) bool {
				next, ok := a.take(d)
				if !ok {
					return false
				}
				for f := range next.F {
					changed := was.F[f] != became.F[f]
					if next.F[f] != became.F[f] && (changed || next.F[f] != d.F[f]) {
						return false
					}
				}
				return true
			}
			reads := append(slices.Clone(a.guard.reads[:]), append(a.effect.reads[:], a.writes)...)
			checkCauses(t, fmt.Sprintf("seed %d, step %d", seed, i+1), b, i, c.Steps[i], reads, same)
			causes += len(c.Steps[i])
		}
		last := b.Steps()
		checkCauses(t, fmt.Sprintf("seed %d, end", seed), b, last, c.End, bad.reads[:], func(d dice) bool { return bad.of(&d) == 2 })
		idle += checkIdle(t, seed, b, c, actions, bad)
	}
	if causes < 1000 || idle < 100 {
		t.Errorf("got %d causes and %d idle steps in %d behaviours: too few to say anything", causes, idle, behaviours)
	}
}

// checkCauses: with the fields of the causes as these left them, and all others
// as they were initially, it is the same; and each cause mattered when it was
// tried, with the fields after it as they are.
func checkCauses(t *testing.T, where string, b *model.Behaviour, at int, causes []Cause, reads []int, same func(dice) bool) {
	t.Helper()
	writer := map[int]int{}
	for _, c := range causes {
		if c.Step < 1 || c.Step > at {
			t.Fatalf("%s: caused by step %d", where, c.Step)
		}
		for _, f := range c.Fields {
			if diceOf(b.States[c.Step-1]).F[f] == diceOf(b.States[c.Step]).F[f] {
				t.Errorf("%s: caused by field %d of step %d, which does not write it", where, f, c.Step)
			}
			if !slices.Contains(reads, f) {
				t.Errorf("%s: caused by field %d, which it does not read", where, f)
			}
			writer[f] = c.Step
		}
	}
	back := diceOf(b.States[0])
	for f, w := range writer {
		back.F[f] = diceOf(b.States[w]).F[f]
	}
	if !same(back) {
		t.Errorf("%s: the causes %v are not enough", where, causes)
	}
	for f, w := range writer {
		tried := diceOf(b.States[at])
		copy(tried.F[:f], back.F[:f])
		tried.F[f] = diceOf(b.States[w-1]).F[f]
		if same(tried) {
			t.Errorf("%s: field %d of step %d makes no difference", where, f, w)
		}
	}
}

// checkIdle: the steps that are not idle show the finding without the others,
// and a step without which no choice of steps does is never idle.
func checkIdle(t *testing.T, seed uint64, b *model.Behaviour, c *Causality, actions []*diceAction, bad *table) (idle int) {
	t.Helper()
	enough := func(steps uint) bool {
		d := diceOf(b.States[0])
		for i, l := range b.Labels {
			if steps>>i&1 == 1 {
				var ok bool
				if d, ok = actions[l].take(d); !ok {
					return false
				}
			}
		}
		return bad.of(&d) == 2
	}
	var kept uint
	for i, is := range c.Idle {
		if is {
			idle++
		} else {
			kept |= 1 << i
		}
	}
	if !enough(kept) {
		t.Errorf("seed %d: the steps that are not idle are not enough: %v", seed, c.Idle)
	}
	needed := uint(1)<<b.Steps() - 1
	for steps := range uint(1) << b.Steps() {
		if enough(steps) {
			needed &= steps
		}
	}
	if needed&^kept != 0 {
		t.Errorf("seed %d: got idle %v, and yet %b are always needed", seed, c.Idle, needed)
	}
	return idle
}

// TestShortestHasNoIdleSteps: of a shortest behaviour no step can be left out,
// so an idle one would be a dependency that was missed.
func TestShortestHasNoIdleSteps(t *testing.T) {
	for seed := range uint64(300) {
		m, _, _ := diceMachine(t, rand.New(rand.NewPCG(seed, 2)))
		b := Check(context.Background(), m, Options{Workers: 1}).Results[0].Behaviour
		if b == nil || b.Steps() == 0 {
			continue
		}
		if c := Causes(m, 0, b); c == nil || slices.Contains(c.Idle, true) {
			t.Errorf("seed %d: got %v", seed, c)
		}
	}
}

// desk is a state for behaviours told by hand.
type desk struct {
	A, B, C, D uint8
	Secret     uint8 `show:"-"`
}

// causesOf takes steps of a machine and writes their causes: "2: 1[A]" for each
// step that has some, "end: …", and the idle ones.
func causesOf(t *testing.T, spec *model.Spec[desk], take string, loop int) string {
	t.Helper()
	m, err := model.Define("desk", "", func(*model.Config) *model.Spec[desk] { return spec }).Machine(model.Selection{})
	if err != nil {
		t.Fatal(err)
	}
	var steps []model.Instance
	for _, name := range strings.Fields(take) {
		steps = append(steps, model.Instance{Action: name})
	}
	b, misfit := m.Take(m.Init[0], steps)
	if misfit != nil {
		t.Fatal(misfit)
	}
	b.Loop = loop
	property := 0
	if len(m.Properties) == 0 {
		property = -1
	}
	c := Causes(m, property, b)
	if c == nil {
		return "nil"
	}
	names := append(m.FieldNames(), "hidden")
	show := func(causes []Cause) string {
		var all []string
		for _, x := range causes {
			var fields []string
			for _, f := range x.Fields {
				if f == Hidden {
					f = len(names) - 1
				}
				fields = append(fields, names[f])
			}
			all = append(all, fmt.Sprintf("%d%v", x.Step, fields))
		}
		return strings.Join(all, " ")
	}
	var lines []string
	for i, causes := range c.Steps {
		if len(causes) > 0 {
			lines = append(lines, fmt.Sprintf("%d: %s", i+1, show(causes)))
		}
	}
	lines = append(lines, "end: "+show(c.End))
	for i, is := range c.Idle {
		if is {
			lines = append(lines, fmt.Sprintf("idle %d", i+1))
		}
	}
	return strings.Join(lines, "; ")
}

func TestCauses(t *testing.T) {
	act := func(name string, guard func(*desk) bool, effect func(*desk)) model.Action[desk] {
		return model.Act(name, guard, effect)
	}
	yes := func(*desk) bool { return true }
	setA, setB, setC := act("SetA", yes, func(s *desk) { s.A = 1 }), act("SetB", yes, func(s *desk) { s.B = 1 }), act("SetC", yes, func(s *desk) { s.C = 1 })
	incA, clearA := act("IncA", yes, func(s *desk) { s.A++ }), act("ClearA", func(s *desk) bool { return s.A > 0 }, func(s *desk) { s.A = 0 })
	hide := act("Hide", yes, func(s *desk) { s.Secret = 1 })
	spec := func(p model.Property[desk], actions ...model.Action[desk]) *model.Spec[desk] {
		return &model.Spec[desk]{Init: []desk{{}}, Actions: actions, Properties: []model.Property[desk]{p}}
	}
	never := func(p func(*desk) bool) model.Property[desk] {
		return model.Always("Never", func(s *desk) bool { return !p(s) })
	}
	for _, c := range []struct {
		name, take string
		loop       int
		spec       *model.Spec[desk]
		want       string
	}{
		{"a step that nothing needs", "SetB SetA", -1, spec(never(func(s *desk) bool { return s.A == 1 }), setA, setB), "end: 2[A]; idle 1"},
		{"a guard", "SetA SetB", -1, spec(never(func(s *desk) bool { return s.B == 1 }), setA,
			act("SetB", func(s *desk) bool { return s.A == 1 }, func(s *desk) { s.B = 1 })), "2: 1[A]; end: 2[B]"},
		{"a counter", "IncA SetC IncA", -1, spec(never(func(s *desk) bool { return s.A == 2 }), incA, setC), "3: 1[A]; end: 3[A]; idle 2"},
		{"what is set back is needed", "IncA SetB ClearA", -1, spec(never(func(s *desk) bool { return s.B == 1 && s.A == 0 }), incA, setB, clearA),
			"3: 1[A]; end: 2[B] 3[A]"},
		{"either of two will do", "SetA SetB", -1, spec(never(func(s *desk) bool { return s.A+s.B > 0 }), setA, setB), "end: 2[B]; idle 1"},
		{"both together", "SetA SetB", -1, spec(never(func(s *desk) bool { return s.A == 1 && s.A == s.B }), setA, setB), "end: 1[A] 2[B]"},
		{"writing what is there reads nothing", "SetA SetB SetC", -1, spec(never(func(s *desk) bool { return s.C == 1 }), setA, setB,
			act("SetC", yes, func(s *desk) { s.A, s.C = 1, 1 })), "end: 3[C]; idle 1; idle 2"},
		{"hidden", "Hide SetA", -1, spec(never(func(s *desk) bool { return s.A == 1 }), hide,
			act("SetA", func(s *desk) bool { return s.Secret == 1 }, func(s *desk) { s.A = 1 })), "2: 1[hidden]; end: 2[A]"},
		{"a step invariant", "SetA SetB SetC", -1, spec(model.EveryStep("P", func(s, t *desk) bool { return s.A == 0 || s.C == t.C }), setA, setB, setC),
			"end: 1[A]; idle 2"},
		{"a deadlock", "SetA SetB", -1, spec(model.DeadlockFree[desk]("P"), act("SetA", func(s *desk) bool { return s.A == 0 && s.B == 0 }, func(s *desk) { s.A = 1 }),
			act("SetB", func(s *desk) bool { return s.B == 0 }, func(s *desk) { s.B = 1 }), act("Wait", yes, func(*desk) {})), "end: 2[B]; idle 1"},
		{"a fault", "SetB SetA", -1, &model.Spec[desk]{Init: []desk{{}}, Actions: []model.Action[desk]{setA, setB,
			act("Break", func(s *desk) bool { return s.A == 1 }, func(*desk) { panic("broken") })}}, "end: 2[A]; idle 1"},
		{"a lasso that stays", "SetC SetA SetB", 3, spec(model.LeadsTo("P", func(s *desk) bool { return s.A == 1 }, func(s *desk) bool { return s.D == 1 }), setA, setB, setC,
			act("Wait", func(s *desk) bool { return s.C == 0 }, func(*desk) {}).Fair(model.Weak),
			act("SetD", func(s *desk) bool { return s.B == 0 }, func(s *desk) { s.D = 1 }).Fair(model.Weak)), "end: 2[A] 3[B]; idle 1"},
		{"a loop", "SetC SetA SetB UnsetB", 2, spec(model.Eventually("P", func(s *desk) bool { return s.D == 1 }), setA, setC,
			act("SetB", func(s *desk) bool { return s.A == 1 && s.B == 0 }, func(s *desk) { s.B = 1 }),
			act("UnsetB", func(s *desk) bool { return s.B == 1 }, func(s *desk) { s.B = 0 })),
			"3: 2[A]; 4: 3[B]; end: ; idle 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := causesOf(t, c.spec, c.take, c.loop); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestCausesOfNothing: what shows nothing has no causes, and a guard that never
// returns from a state that cannot be is left behind.
func TestCausesOfNothing(t *testing.T) {
	never := make(chan bool)
	spec := &model.Spec[desk]{Init: []desk{{}},
		Actions: []model.Action[desk]{
			model.Act("Both", func(*desk) bool { return true }, func(s *desk) { s.A, s.B = 1, 1 }),
			model.Act("SetC", func(s *desk) bool {
				if s.A != s.B {
					<-never
				}
				return true
			}, func(s *desk) { s.C = 1 }),
		},
		Properties: []model.Property[desk]{model.Always("P", func(s *desk) bool { return s.C == 0 })},
	}
	if got := causesOf(t, spec, "Both", -1); got != "nil" {
		t.Errorf("got %s of a behaviour that shows nothing, want none", got)
	}
	if testing.Short() {
		t.Skip("waits for a guard that hangs")
	}
	if got := causesOf(t, spec, "Both SetC", -1); got != "nil" {
		t.Errorf("got %s though a guard hangs, want none", got)
	}
}

// TestCausesOfTheBugs: every finding of every bug has causes; of a shortest
// behaviour every step is needed; and each is followed by the names of its
// steps and what is shown of its states.
func TestCausesOfTheBugs(t *testing.T) {
	for _, name := range []string{"append-window", "bcsid-map", "install-snapshot", "node-health"} {
		e := entry(t, name)
		for _, sc := range e.Scenarios {
			if !sc.Default {
				continue
			}
			m := machine(t, e, model.Selection{Scenario: sc.Name})
			for _, res := range Check(context.Background(), m, Options{}).Results {
				b := res.Behaviour
				if b == nil {
					continue
				}
				where := fmt.Sprintf("%s %s: %s", name, sc.Name, m.Properties[res.Property].Name)
				c := Causes(m, res.Property, b)
				if c == nil || len(c.End) == 0 {
					t.Errorf("%s: no causes", where)
				} else if b.Loop < 0 && slices.Contains(c.Idle, true) {
					t.Errorf("%s: a step of a shortest behaviour is not needed: %v", where, c.Idle)
				}
				again, misfit := m.Follow(m.Trace(b))
				if misfit != nil || !slices.Equal(again.Labels, b.Labels) || again.Loop != b.Loop {
					t.Errorf("%s: followed to %v: %v", where, again.Labels, misfit)
				}
			}
		}
	}
}
