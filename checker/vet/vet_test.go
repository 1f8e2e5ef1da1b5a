package vet_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"mc/checker/vet"
	"mc/model"
)

// S is the state of the specs of these tests: two clients, and a counter.
type S struct {
	In model.Set[Client, uint8]
	N  Number
}

type Client uint8

// Number is written as a word; 9 has none.
type Number uint8

func (n Number) String() string {
	return [...]string{"zero", "one", "two", "three"}[n%4+n/9*9]
}

// spec is one without a mistake, and draw what a test puts into it.
type spec struct {
	*model.Spec[S]
	c *model.Config
}

var clients = model.Below[Client]("client", 2)

// line is the place of the call, and what it is given: a mistake stands there.
type line struct{ at int }

func (l *line) here() bool {
	_, _, l.at, _ = runtime.Caller(1)
	return true
}

// vetted vets a spec of clients that come and go, with a mistake or repaired.
func vetted(t *testing.T, spoil func(s spec)) []vet.Finding {
	t.Helper()
	e := model.Define("s", "", func(c *model.Config) *model.Spec[S] {
		limit := Number(c.Int("limit", 2, 1, 3, "comings"))
		fixed := c.Fix("patient", "clients come one by one")
		s := &model.Spec[S]{
			Init: []S{{}},
			Actions: []model.Action[S]{
				model.Act1("Come", clients, model.All(
					model.If("out", func(s *S, c Client) bool { return !s.In.Has(c) }),
					model.If("limit", func(s *S, _ Client) bool { return s.N < limit && (!fixed || s.In.Empty()) })),
					func(s *S, c Client) { s.In.Add(c); s.N++ }),
				model.Act1("Go", clients, func(s *S, c Client) bool { return s.In.Has(c) }, func(s *S, c Client) { s.In.Remove(c) }),
			},
			Properties: []model.Property[S]{
				model.Always("Limited", func(s *S) bool { return s.N <= limit }),
				model.Implies("OneByOne", func(s *S) bool { return s.In.Len() > 1 }, func(s *S) bool { return !fixed }),
				model.LeadsTo("NoneStays", func(s *S) bool { return s.In.Len() > 0 }, func(s *S) bool { return s.In.Len() < 2 }),
				model.Reachable("Both", func(s *S) bool { return s.N == 2 }),
			},
			Symmetry: []model.Symmetry[S]{
				model.Interchangeable("client", 2, func(s *S, r *model.Renaming[Client]) { s.In = s.In.Renamed(r) }),
			},
			Lanes: []string{"server"},
			Draw:  func(d *model.Drawing, _, _ *S) { d.On("server") },
		}
		spoil(spec{s, c})
		return s
	}).With(model.About{Claims: []model.Claim{{ID: "1", Text: "", Cases: []model.Case{{Fix: "on", Holds: "OneByOne"}}}}})
	timeout := time.Minute // in vain on a busy machine
	if strings.Contains(t.Name(), "does_not_end") {
		timeout = 50 * time.Millisecond
	}
	r := vet.Spec(t.Context(), e, vet.Options{StepTimeout: timeout})
	if len(r.Incomplete) > 0 && len(r.Findings) == 0 {
		t.Errorf("incomplete: %v", r.Incomplete)
	}
	return r.Findings
}

// TestMistakes: each mistake is told with the line that makes it, and no other;
// the twin without it is silent. A mistake is made while l.here is called, on
// the line that is to be told.
func TestMistakes(t *testing.T) {
	calls := 0
	cities := map[string]int{"Ulm": 1, "Bonn": 2, "Kiel": 3}
	started := time.Now()
	up := func(s *S) bool { return s.N < 2 }
	for _, c := range []struct {
		name string
		want string // in the finding
		make func(s spec, bad bool, l *line)
	}{
		{"guard that writes", "guard of Rise: a guard or property that writes", func(s spec, bad bool, l *line) {
			_ = l.here() && s.act(model.Act("Rise", func(s *S) bool {
				if bad {
					s.N = 1
				}
				return s.N < 2
			}, func(s *S) { s.N = 2 }))
		}},
		{"property that writes", "property Low: a guard or property that writes", func(s spec, bad bool, l *line) {
			_ = l.here() && s.ask(model.Always("Low", func(s *S) bool {
				if bad {
					s.In.Clear()
				}
				return s.N < 9
			}))
		}},
		{"step invariant that writes", "property Steady: a guard or property that writes", func(s spec, bad bool, l *line) {
			_ = l.here() && s.ask(model.EveryStep("Steady", func(_, t *S) bool {
				if bad {
					t.In.Clear()
				}
				return true
			}))
		}},
		{"map order", "Rise: not a function of the state", func(s spec, bad bool, l *line) {
			_ = l.here() && s.act(model.Act("Rise", up, func(s *S) {
				s.N = 2
				for _, n := range cities {
					if bad {
						s.N = Number(n)
						break
					}
				}
			}))
		}},
		{"time", "Rise: not a function of the state", func(s spec, bad bool, l *line) {
			_ = l.here() && s.act(model.Act("Rise", up, func(s *S) {
				s.N = 2
				if bad && time.Since(started)/time.Microsecond%2 == 0 {
					s.N = 3
				}
			}))
		}},
		{"chance in a guard", "Rise: not a function of the state", func(s spec, bad bool, l *line) {
			_ = l.here() && s.act(model.Act("Rise", func(s *S) bool { return up(s) && (!bad || rand.IntN(2) == 0) }, func(s *S) { s.N = 2 }))
		}},
		{"a global that changes once", "Rise: not a function of the state", func(s spec, bad bool, l *line) {
			calls = 0
			_ = l.here() && s.act(model.Act("Rise", up, func(s *S) {
				s.N = 2
				if calls++; bad && calls > 200 {
					s.N = 3
				}
			}))
		}},
		{"chance in a property", "property Maybe: not a function of the state", func(s spec, bad bool, l *line) {
			_ = l.here() && s.ask(model.Always("Maybe", func(*S) bool { return !bad || rand.IntN(2) == 0 }))
		}},
		{"renaming that does not commute", "action Enter: a symmetric set whose members are not interchangeable", func(s spec, bad bool, l *line) {
			_ = l.here() && s.act(model.Act1("Enter", clients, func(s *S, c Client) bool { return s.N == 0 && (!bad || c > 0) }, func(s *S, c Client) { s.In.Add(c); s.N = 3 }))
		}},
		{"property that names a member", "property First: a property that names a member of a symmetric set", func(s spec, bad bool, l *line) {
			_ = l.here() && s.ask(model.Always("First", func(s *S) bool { return !bad || s.In.Len() != 1 || s.In.Has(0) }))
		}},
		{"action that is never enabled", "action Burst is never enabled in the default configuration", func(s spec, bad bool, l *line) {
			_ = l.here() && s.act(model.Act("Burst", func(s *S) bool { return s.N == 7 || !bad && s.N == 2 }, func(s *S) { s.N = 3 }))
		}},
		{"action that stutters", "action Rest is never enabled in the default configuration", func(s spec, bad bool, l *line) {
			_ = l.here() && s.act(model.Act("Rest", func(s *S) bool { return s.N == 2 }, func(s *S) {
				if !bad {
					s.N = 3
				}
			}))
		}},
		{"setting that changes nothing", "setting colour changes nothing: the same states and verdicts with each of red, green, blue", func(s spec, bad bool, l *line) {
			if colour := l.here() && model.Choice(s.c, "colour", "red", "", "red", "green", "blue") == "blue"; colour && !bad {
				s.Init[0].N = 1
			}
		}},
		{"number that changes nothing", "setting most changes nothing: the same states and verdicts with each of 5, 0, 1, 4, 6, 9", func(s spec, bad bool, l *line) {
			if l.here() && s.c.Int("most", 5, 0, 9, "") == 9 && !bad {
				s.Init[0].N = 1
			}
		}},
		{"parameter that changes nothing", "action Enter: parameter how changes nothing", func(s spec, bad bool, l *line) {
			_ = l.here() && s.act(model.Act1("Enter", model.Values("how", "fast", "slow"), func(s *S, _ string) bool { return s.N == 0 }, func(s *S, how string) {
				if s.N = 2; how == "slow" && !bad {
					s.N = 3
				}
			}))
		}},
		{"fix without a claim", "fix other is in no claim", func(s spec, bad bool, l *line) {
			read := s.c.Alternative
			if !bad {
				read = s.c.Fix // on, which a claim names, is all parts of the fix
			}
			if l.here() && read("other", "") {
				s.Init[0].N = 1
			}
		}},
		{"witness that is not reached", "witness Ten is never reached in the default configuration", func(s spec, bad bool, l *line) {
			_ = l.here() && s.ask(model.Reachable("Ten", func(s *S) bool { return s.N == 10 || !bad }))
		}},
		{"implication that is vacuous", "property Ten holds, but vacuously", func(s spec, bad bool, l *line) {
			_ = l.here() && s.ask(model.Implies("Ten", func(s *S) bool { return s.N == 10 || !bad }, func(s *S) bool { return true }))
		}},
		{"leads-to that is vacuous", "property Ten holds, but vacuously", func(s spec, bad bool, l *line) {
			_ = l.here() && s.ask(model.LeadsTo("Ten", func(s *S) bool { return s.N == 10 || !bad }, func(s *S) bool { return true }))
		}},
		{"String that panics", "field N: its String method panics", func(s spec, bad bool, _ *line) {
			s.act(model.Act("Rise", up, func(s *S) {
				if s.N = 3; bad {
					s.N = 9
				}
			}))
		}},
		{"String of a parameter that panics", "action Enter: parameter number: its String method panics", func(s spec, bad bool, l *line) {
			values := []Number{1, 3}
			if bad {
				values[1] = 9
			}
			_ = l.here() && s.act(model.Act1("Enter", model.Values("number", values...), func(s *S, n Number) bool { return s.N == 0 }, func(s *S, n Number) { s.N = n % 4 }))
		}},
		{"Draw that panics", "Rise: Draw: panic: no pen at vet_test.go", func(s spec, bad bool, l *line) {
			s.Draw = func(d *model.Drawing, _, _ *S) {
				if d.On("server"); bad && d.Action == "Rise" {
					panic("no pen")
				}
			}
			_ = l.here() && s.act(model.Act("Rise", up, func(s *S) { s.N = 2 }))
		}},
		{"guard that panics", "Rise: panic: boom at vet_test.go", func(s spec, bad bool, l *line) {
			_ = l.here() && s.act(model.Act("Rise", func(s *S) bool {
				if bad && s.N == 1 {
					panic("boom")
				}
				return s.N < 2
			}, func(s *S) { s.N = 2 }))
		}},
		{"step that does not end", "Rise: it does not end: more than 50ms, in the state", func(s spec, bad bool, l *line) {
			_ = l.here() && s.act(model.Act("Rise", up, func(s *S) {
				for end := time.Now().Add(time.Second); bad && s.N == 1 && time.Now().Before(end); {
					runtime.Gosched()
				}
				s.N = 2
			}))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var l line
			if found := vetted(t, func(s spec) { c.make(s, false, &l) }); len(found) > 0 {
				t.Errorf("repaired: got %v, want nothing", found)
			}
			l = line{}
			found := vetted(t, func(s spec) { c.make(s, true, &l) })
			if len(found) != 1 || !strings.Contains(found[0].Text, c.want) {
				t.Fatalf("got %v, want one with %q", found, c.want)
			}
			if f := found[0]; filepath.Base(f.File) != "vet_test.go" || l.at > 0 && f.Line != l.at {
				t.Errorf("got %s:%d, want line %d", f.File, f.Line, l.at)
			}
		})
	}
}

// act and ask add to a spec. They return true so that they follow l.here on its
// line.
func (s spec) act(a model.Action[S]) bool   { s.Actions = append(s.Actions, a); return true }
func (s spec) ask(p model.Property[S]) bool { s.Properties = append(s.Properties, p); return true }

func TestNoWitness(t *testing.T) {
	found := vetted(t, func(s spec) { s.Properties = s.Properties[:3] })
	if got := fmt.Sprint(found); !strings.Contains(got, "the spec has no witness") || len(found) != 1 {
		t.Errorf("got %s", got)
	}
}

// TestUnbuilt: a spec that cannot be built is told as one.
func TestUnbuilt(t *testing.T) {
	found := vetted(t, func(s spec) {
		if s.c.Bool("bad", true, "") {
			panic("no plan")
		}
	})
	if len(found) != 1 || !strings.Contains(found[0].Text, "no plan") {
		t.Errorf("got %v", found)
	}
}
