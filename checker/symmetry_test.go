package checker

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"mc/model"
)

// TestPublishedOrbits compares with published numbers of orbits.
func TestPublishedOrbits(t *testing.T) {
	for rms, want := range map[string]uint64{"3": 80, "4": 166, "5": 314} {
		for _, workers := range []int{1, 2, 8} {
			m := machine(t, entry(t, "two-phase"), model.Selection{Set: map[string]string{"rms": rms}})
			r := Check(context.Background(), m, Options{Symmetry: true, Workers: workers})
			if r.Distinct != want || !r.Exhausted {
				t.Errorf("%s resource managers, %d workers: got %d orbits, %v, want %d", rms, workers, r.Distinct, r.Fault, want)
			}
		}
	}
}

const members = 3

// club is a state with a symmetric set: what each member is, who points to
// whom, and a queue of members.
type club struct {
	Kind  [members]uint8
	Next  [members]uint8 // a member, or members for none
	In    model.Set[uint8, uint8]
	Queue model.Seq[uint8, [3]uint8]
}

// clubEntry makes a symmetric machine by chance: actions by what a member is,
// never by its name. forget leaves out a field when renaming.
func clubEntry(r *rand.Rand, keyed bool, forget string, change func(*model.Spec[club])) *model.Entry {
	n := 1 + r.IntN(members)
	who := model.Below[uint8]("m", n)
	kinds := 2 + r.IntN(2)
	table := func() []bool {
		b := make([]bool, kinds*4)
		for i := range b {
			b[i] = r.IntN(3) > 0
		}
		return b
	}
	g1, g2, g3, bad := table(), table(), table(), table()
	look := func(s *club, m uint8) int {
		i := int(s.Kind[m]) * 4
		if s.In.Has(m) {
			i++
		}
		if s.Next[m] != members {
			i += 2
		}
		return i
	}
	init := club{}
	for i := range init.Next {
		init.Next[i] = members
	}
	spec := &model.Spec[club]{
		Init: []club{init},
		Actions: []model.Action[club]{
			model.Act1("Turn", who, func(s *club, m uint8) bool { return g1[look(s, m)] },
				func(s *club, m uint8) { s.Kind[m] = (s.Kind[m] + 1) % uint8(kinds) }),
			model.Act2("Point", who, who, func(s *club, m, k uint8) bool { return g2[look(s, m)] && s.Kind[k] == 0 },
				func(s *club, m, k uint8) { s.Next[m] = k }),
			model.Act1("Join", who, func(s *club, m uint8) bool { return g3[look(s, m)] && !s.In.Has(m) && s.Queue.Len() < 3 },
				func(s *club, m uint8) { s.In.Add(m); s.Queue.Push(m) }),
			model.Act("Leave", func(s *club) bool { return s.Queue.Len() > 1 },
				func(s *club) { s.In.Remove(s.Queue.Pop()) }),
		},
		Properties: []model.Property[club]{
			model.Always("NoBad", func(s *club) bool {
				for _, m := range who.Values {
					if bad[look(s, m)] && s.Next[m] == m {
						return false
					}
				}
				return true
			}),
			model.EveryStep("Step", func(s, t *club) bool { return t.Queue.Len() < 3 || s.Queue.Len() == 3 || s.Kind[t.Queue.At(0)] != 1 }),
			model.Reachable("Full", func(s *club) bool { return s.In.Len() == n && s.Queue.Len() > 1 }),
			model.DeadlockFree[club]("D"),
		},
	}
	y := model.Interchangeable("m", n, func(s *club, r *model.Renaming[uint8]) {
		if forget != "Kind" {
			model.Move(r, s.Kind[:])
		}
		model.Move(r, s.Next[:])
		for i, m := range s.Next {
			if forget != "Next" {
				s.Next[i] = r.To(m)
			}
		}
		s.In = s.In.Renamed(r)
		for i, m := range s.Queue.All() {
			if forget != "Queue" {
				s.Queue.Put(i, r.To(m))
			}
		}
	})
	if keyed {
		y = y.By(func(s *club, m int) uint64 { return uint64(s.Kind[m])*2 + map[bool]uint64{true: 1}[s.In.Has(uint8(m))] })
	}
	spec.Symmetry = []model.Symmetry[club]{y}
	if change != nil {
		change(spec)
	}
	return model.Define("club", "", func(*model.Config) *model.Spec[club] { return spec })
}

// orbits counts, without the engine's canonical form, the classes of the
// reachable states under all renamings of n members.
func orbits(t *testing.T, m *model.Machine, n int) uint64 {
	t.Helper()
	var states []string
	known := map[string]bool{}
	w, batch := m.NewWorker(), m.NewBatch(1)
	add := func(s string) {
		if !known[s] {
			known[s] = true
			states = append(states, s)
		}
	}
	for _, s := range m.Init {
		add(string(s))
	}
	for i := 0; i < len(states); i++ {
		batch.Truncate(0)
		w.Expand(aligned(states[i]), batch)
		for j := range batch.Len() {
			add(string(batch.State(j)))
		}
	}
	// Random renamings join what belongs together; enough of them find all
	// n! of each state with near certainty.
	class := map[string]string{}
	var find func(s string) string
	find = func(s string) string {
		if class[s] == "" || class[s] == s {
			return s
		}
		class[s] = find(class[s])
		return class[s]
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, s := range states {
		for range 12 * n {
			b := aligned(s)
			w.Rename(b, r)
			if !known[string(b)] {
				t.Fatalf("the renaming of a reachable state is not reachable")
			}
			class[find(string(b))] = find(s)
		}
	}
	roots := map[string]bool{}
	for _, s := range states {
		roots[find(s)] = true
	}
	return uint64(len(roots))
}

// TestSymmetryAgreesWithTheWholeSpace compares searches with and without
// symmetry on random symmetric machines: the number of orbits, the verdicts
// and the lengths.
func TestSymmetryAgreesWithTheWholeSpace(t *testing.T) {
	machines := 150
	if testing.Short() {
		machines = 40
	}
	smaller := 0
	for seed := range uint64(machines) {
		m := machine(t, clubEntry(rand.New(rand.NewPCG(seed, 3)), seed%2 == 0, "", nil), model.Selection{})
		whole := Check(context.Background(), m, Options{})
		var first *Report
		for _, workers := range []int{1, 2, 8} {
			r := Check(context.Background(), m, Options{Symmetry: true, Workers: workers, Fingerprints: workers == 2})
			if r.Fault != nil {
				t.Fatalf("seed %d: %v", seed, r.Fault.Fault)
			}
			if r.Omission > 0 {
				r.Coverage = first.Coverage // it has none
			}
			if r.Exhausted && whole.Exhausted {
				if whole.Distinct < 400 {
					if want := orbits(t, m, m.Symmetry[0].Members); r.Distinct != want {
						t.Fatalf("seed %d: got %d orbits, want %d", seed, r.Distinct, want)
					}
				}
				if r.Distinct < whole.Distinct {
					smaller++
				}
			}
			for i, res := range r.Results {
				want := whole.Results[i]
				if res.Verdict != want.Verdict {
					t.Fatalf("seed %d: %s: got %s, want %s", seed, m.Properties[res.Property].Name, res.Verdict, want.Verdict)
				}
				if res.Behaviour != nil {
					if res.Behaviour.Steps() != want.Behaviour.Steps() {
						t.Fatalf("seed %d: %s: got %d steps, want %d", seed, m.Properties[res.Property].Name, res.Behaviour.Steps(), want.Behaviour.Steps())
					}
					if err := m.Replay(res.Behaviour); err != nil {
						t.Fatal(err)
					}
					showsIt(t, m, res)
				}
			}
			if first == nil {
				first = r
			}
			if got, want := figures(r), figures(first); !reflect.DeepEqual(got.Results, want.Results) || got.Distinct != want.Distinct || got.Depth != want.Depth {
				t.Fatalf("seed %d: %d workers differ:\n%+v\n%+v", seed, workers, got, want)
			}
		}
	}
	if smaller == 0 {
		t.Error("no space became smaller")
	}
}

func TestBrokenSymmetryIsNoticed(t *testing.T) {
	for _, c := range []struct {
		name   string
		forget string
		change func(*model.Spec[club])
		kind   model.FaultKind
		where  string
	}{
		{"forgotten field", "Kind", nil, model.Asymmetric, ""},
		{"forgotten values", "Next", nil, model.Asymmetric, ""},
		{"forgotten queue", "Queue", nil, model.Asymmetric, ""},
		{"property that names a member", "", func(s *model.Spec[club]) {
			s.Properties[0] = model.Always("Zero", func(s *club) bool { return s.Kind[0] == 0 || s.Kind[1] == 0 })
		}, model.NamesMember, "property Zero"},
		{"action that names a member", "", func(s *model.Spec[club]) {
			s.Actions = append(s.Actions, model.Act("First", func(s *club) bool { return s.Kind[0] == 1 && s.Kind[1] == 0 },
				func(s *club) { s.Kind[0] = 0 }))
		}, model.Asymmetric, "action First"},
		{"key that names a member", "", func(s *model.Spec[club]) {
			s.Symmetry[0] = s.Symmetry[0].By(func(s *club, m int) uint64 { return uint64(m) })
		}, model.Asymmetric, "renaming"},
	} {
		t.Run(c.name, func(t *testing.T) {
			noticed := false
			for seed := range uint64(20) {
				m := machine(t, clubEntry(rand.New(rand.NewPCG(seed, 3)), false, c.forget, c.change), model.Selection{})
				if m.Symmetry[0].Members < 3 {
					continue
				}
				r := Check(context.Background(), m, Options{Symmetry: true})
				if r.Fault == nil {
					continue // too small a space to tell
				}
				noticed = true
				// A property may be the first to see that a field was forgotten.
				if k := r.Fault.Fault.Kind; k != c.kind && (c.forget == "" || k != model.NamesMember) || !strings.HasPrefix(r.Fault.Fault.Where, c.where) {
					t.Fatalf("seed %d: got %v", seed, r.Fault.Fault)
				}
			}
			if !noticed {
				t.Error("nothing was noticed")
			}
		})
	}
}

func TestSymmetryIsRefused(t *testing.T) {
	m := machine(t, clubEntry(rand.New(rand.NewPCG(1, 3)), false, "", func(s *model.Spec[club]) {
		s.Questions = []model.Property[club]{model.Eventually("E", func(*club) bool { return true })}
	}), model.Selection{})
	if err := Refuse(m, Options{Symmetry: true}); err != nil {
		t.Errorf("got %v though no temporal property is asked", err)
	}
	err := Refuse(m, Options{Symmetry: true, Properties: []int{m.Property("E")}})
	if err == nil || !strings.Contains(err.Error(), "club: --symmetry: E is temporal (eventually)") {
		t.Errorf("got %v", err)
	}
	plain := machine(t, entry(t, "die-hard"), model.Selection{})
	if err := Refuse(plain, Options{Symmetry: true}); err == nil {
		t.Error("a spec without symmetric sets is not refused")
	}
}

func BenchmarkSymmetry(b *testing.B) {
	for _, rms := range []string{"5", "7"} {
		for _, on := range []bool{false, true} {
			b.Run(fmt.Sprint("two-phase-", rms, "/", on), func(b *testing.B) {
				m := machine(b, entry(b, "two-phase"), model.Selection{Set: map[string]string{"rms": rms}})
				for b.Loop() {
					Check(context.Background(), m, Options{Symmetry: on, Workers: 1})
				}
			})
		}
	}
}
