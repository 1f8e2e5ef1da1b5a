package model

import (
	"testing"
)

type counter struct{ N uint8 }

// TestTruths: each kind of property, along 0, 1, 2, 3.
func TestTruths(t *testing.T) {
	is := func(n uint8) func(*counter) bool { return func(s *counter) bool { return s.N == n } }
	entry := Define("counter", "counts to three", func(*Config) *Spec[counter] {
		return &Spec[counter]{
			Init:    []counter{{}},
			Actions: []Action[counter]{Act("Inc", func(s *counter) bool { return s.N < 3 }, func(s *counter) { s.N++ })},
			Properties: []Property[counter]{
				Always("Small", func(s *counter) bool { return s.N < 2 }),
				Implies("ZeroFirst", is(1), is(1)),
				EveryStep("NotToTwo", func(s, t *counter) bool { return t.N != 2 }),
				Reachable("Two", is(2)),
				DeadlockFree[counter]("GoesOn"),
				LeadsTo("OneToThree", is(1), is(3)),
				LeadsTo("TwoToTwo", is(2), is(2)),
				Eventually("Three", is(3)),
			},
			Questions: []Property[counter]{
				EventuallyAlways("Settles", is(3)),
				AlwaysEventually("Again", is(1)),
				Always("Panics", func(s *counter) bool { return [2]bool{true, true}[s.N] }),
				Always("Writes", func(s *counter) bool { s.N = 0; return true }),
			},
		}
	})
	m, err := entry.Machine(Selection{})
	if err != nil {
		t.Fatal(err)
	}
	b, misfit := m.Take(m.Init[0], []Instance{{Action: "Inc"}, {Action: "Inc"}, {Action: "Inc"}})
	if misfit != nil {
		t.Fatal(misfit)
	}
	want := map[string]string{
		"Small": "1100", "ZeroFirst": "1111", "NotToTwo": "-101", "Two": "0010", "GoesOn": "1110", "OneToThree": "1001", "TwoToTwo": "1111",
		"Three": "0001", "Settles": "0001", "Again": "0100", "Panics": "11--", "Writes": "1---",
	}
	got := m.Truths(b)
	if len(got) != len(want) {
		t.Errorf("got %d properties, want %d", len(got), len(want))
	}
	for i, p := range got {
		if p.Steps != want[p.Property] || p.Kind != m.Properties[i].Kind {
			t.Errorf("%s (%s): got %s, want %s", p.Property, p.Kind, p.Steps, want[p.Property])
		}
	}
}

// TestTruthsTerminal: where a behaviour may end, freedom from deadlock holds.
func TestTruthsTerminal(t *testing.T) {
	entry := Define("counter", "counts to three, and may end there", func(*Config) *Spec[counter] {
		return &Spec[counter]{
			Init:       []counter{{N: 2}},
			Actions:    []Action[counter]{Act("Inc", func(s *counter) bool { return s.N < 3 }, func(s *counter) { s.N++ })},
			Properties: []Property[counter]{DeadlockFree[counter]("GoesOn")},
			Terminal:   func(s *counter) bool { return s.N == 3 },
		}
	})
	m, err := entry.Machine(Selection{})
	if err != nil {
		t.Fatal(err)
	}
	b, _ := m.Take(m.Init[0], []Instance{{Action: "Inc"}})
	if got := m.Truths(b)[0].Steps; got != "11" {
		t.Errorf("got %s, want 11", got)
	}
}
