package model

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

type located struct{ N uint8 }

// TestLocations: each line that makes an action, a property or a spec is the
// one that its location names, whichever function makes it.
func TestLocations(t *testing.T) {
	params := Below[uint8]("n", 2)
	yes := func(*located) bool { return true }
	e := Define("located", "here", func(*Config) *Spec[located] { // Define
		return &Spec[located]{
			Init: []located{{}},
			Actions: []Action[located]{
				Act("Act", yes, func(*located) {}),
				Act1("Act1", params,
					func(*located, uint8) bool { return true },
					func(*located, uint8) {}).Fair(Weak).Doc("on several lines"),
				Act2("Act2", params, params, All(If("no", func(*located, uint8, uint8) bool { return false })), func(*located, uint8, uint8) {}),
				Act3("Act3", params, params, params, func(*located, uint8, uint8, uint8) bool { return true }, func(*located, uint8, uint8, uint8) {}).When(false),
			},
			Properties: []Property[located]{
				Always("Always", yes),
				Implies("Implies", yes, yes).Doc("text"),
				EveryStep("EveryStep", func(_, _ *located) bool { return true }),
				Reachable("Reachable", yes),
				DeadlockFree[located]("DeadlockFree"),
				LeadsTo("LeadsTo", yes, yes),
				Eventually("Eventually", yes),
			},
			Questions: []Property[located]{
				EventuallyAlways("EventuallyAlways", yes),
				AlwaysEventually("AlwaysEventually", yes),
			},
		}
	})
	_, self, _, _ := runtime.Caller(0)
	text, err := os.ReadFile(filepath.Base(self)) // tests run in the folder of their package
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	check := func(name, made string, l Location) {
		t.Helper()
		if l.File != "model/location_test.go" {
			t.Fatalf("%s: got file %s, want model/location_test.go", name, l.File)
		}
		if line := lines[l.Line-1]; !strings.Contains(line, made) {
			t.Errorf("%s: got line %d, %q, want one with %s", name, l.Line, line, made)
		}
	}
	m := mustMachine(t, e, Selection{})
	check("spec", "Define(", e.Location())
	for _, a := range m.Actions {
		check(a.Name, fmt.Sprintf("%s(%q,", a.Name, a.Name), a.Location())
	}
	for _, p := range m.Properties {
		check(p.Name, fmt.Sprintf("(%q", p.Name), p.Location())
	}
	if l := (&ActionInfo{}).Location(); l != (Location{}) {
		t.Errorf("an action that nobody made: got %v", l)
	}
}

func TestFolderOf(t *testing.T) {
	for _, c := range [][3]string{
		{"mc/spec/lock", "mc", "spec/lock"}, {"mc", "mc", ""}, {"example.com/a/b", "example.com/a", "b"},
		{"mc/spec/lock", "example.com/a", "mc/spec/lock"}, // of another module
		{"mcs/spec", "mc", "mcs/spec"},
		{"main", "mc", ""}, {"mc/spec", "", "mc/spec"},
	} {
		if got := folderOf(c[0], c[1]); got != c[2] {
			t.Errorf("package %s, module %q: got %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// TestSettingLocations: a setting's location is the line that reads it, whatever
// its kind.
func TestSettingLocations(t *testing.T) {
	read := map[string]int{}
	line := func(name string) string {
		_, _, n, _ := runtime.Caller(1)
		read[name] = n
		return name
	}
	e := Define("settings", "", func(c *Config) *Spec[located] {
		c.Int(line("int"), 1, 0, 2, "")
		c.Bool(line("bool"), false, "")
		Choice(c, line("choice"), "a", "", "a", "b")
		c.Fix(line("fix"), "")
		c.Alternative(line("alternative"), "")
		return &Spec[located]{Init: []located{{}}}
	})
	m, err := e.Machine(Selection{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range read {
		if got := m.SettingLocation(name); got.Line != want || got.File != "model/location_test.go" {
			t.Errorf("%s: got %v, want line %d", name, got, want)
		}
	}
}
