package model

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
)

// FuzzParseSet: settings that are read are written and read the same, and a
// mistake quotes a part of the text.
func FuzzParseSet(f *testing.F) {
	for _, text := range []string{"a=1,b=2", "a=1,a=2", "a", "=", "a==", " a = 1 ,", ",", "", "a=\n", "\xff=x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		set, err := ParseSet(text)
		if err != nil {
			if part, ok := strings.CutPrefix(err.Error(), "--set "); !ok || !strings.Contains(text, part[:strings.LastIndex(part, ": ")]) {
				t.Errorf("got %q", err)
			}
			return
		}
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(set)) {
			parts = append(parts, k+"="+set[k])
		}
		if again, err := ParseSet(strings.Join(parts, ",")); err != nil || !maps.Equal(set, again) {
			t.Errorf("got %q, %v, want %q", again, err, set)
		}
	})
}

// FuzzSelection: a selection makes a machine whose configuration chooses it
// again, or each mistake starts with the spec's name.
func FuzzSelection(f *testing.F) {
	type state = struct{ N uint8 }
	e := Define("e", "an entry", func(c *Config) *Spec[state] {
		c.Int("n", 1, 0, 3, "a number")
		Choice(c, "how", "so", "a choice", "so", "or so")
		c.Fix("mend", "a fix")
		c.Alternative("other", "another")
		return &Spec[state]{Init: []state{{}}}
	}).With(About{Scenarios: []Scenario{{Name: "two", Set: "n=2"}}})
	for _, s := range [][4]string{{"two", "n", "3", "on"}, {"", "how", "or so", "mend other"}, {"tow", "m", "", "off"}, {"two", "n", "010", "off on"}, {"", "mend", "on", ""}, {"", "n", "+1", "x"}} {
		f.Add(s[0], s[1], s[2], s[3])
	}
	f.Fuzz(func(t *testing.T, scenario, name, value, fixes string) {
		m, err := e.Machine(Selection{Scenario: scenario, Set: map[string]string{name: value}, Fix: strings.Fields(fixes)})
		if err != nil {
			var spec *SpecError
			if errors.As(err, &spec) || !strings.HasPrefix(err.Error(), "e: ") {
				t.Errorf("got %q", err)
			}
			return
		}
		set := map[string]string{}
		for _, s := range m.Config.Settings {
			if !s.Fix {
				set[s.Name] = s.Value
			}
		}
		again, err := e.Machine(Selection{Scenario: m.Config.Scenario, Set: set, Fix: m.Config.Fixes()})
		if err != nil || !slices.Equal(again.Config.Settings, m.Config.Settings) {
			t.Errorf("got %v, %v, want %v", again, err, m.Config.Settings)
		}
	})
}
