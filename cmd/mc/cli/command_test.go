package cli

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"mc/model"
	"mc/spec"
)

// TestCommand: the command line of a search chooses that search and no other,
// for every search that claims make, and for what mc check does by default.
func TestCommand(t *testing.T) {
	a := &app{specs: spec.All}
	targets := a.targets(&selection{})
	targets = append(targets, a.targets(&selection{fixes: words{"on"}, properties: words{"all"}})...)
	for _, c := range a.plan(nil, nil) {
		for _, trial := range c.trials {
			targets = append(targets, trial.target)
		}
	}
	if len(a.mistakes) > 0 {
		t.Fatal(a.mistakes)
	}
	none := 0
	for _, want := range targets {
		line := want.command()
		var s selection
		f := pflag.NewFlagSet("check", pflag.ContinueOnError)
		s.flags(f)
		if err := f.Parse(strings.Fields(strings.TrimPrefix(line, "mc check "))); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		got := a.targets(&s)
		if len(a.mistakes) > 0 || len(got) != 1 {
			t.Fatalf("%s: %d searches, mistakes %v", line, len(got), a.mistakes)
		}
		if g, w := got[0].machine.Config.Settings, want.machine.Config.Settings; !reflect.DeepEqual(g, w) {
			t.Errorf("%s: got %v, want %v", line, g, w)
		}
		if g, w := fmt.Sprint(got[0].properties), fmt.Sprint(slices.Sorted(slices.Values(want.properties))); got[0].entry != want.entry || g != w {
			t.Errorf("%s: got properties %s, want %s", line, g, w)
		}
		if want.machine.Config.Scenario == "" {
			none++
		}
	}
	if len(targets) < 300 || none == 0 {
		t.Errorf("only %d searches, %d without a scenario", len(targets), none)
	}
}

func TestCommandQuotes(t *testing.T) {
	e := model.Define("s", "a spec", func(c *model.Config) *model.Spec[struct{ N uint8 }] {
		model.Choice(c, "how", "so", "a setting", "so", "it's so", "$(x)")
		return &model.Spec[struct{ N uint8 }]{Init: []struct{ N uint8 }{{}}, Actions: nil}
	})
	for value, want := range map[string]string{
		"so": "mc check --spec s", "it's so": `mc check --spec s --set 'how=it'\''s so'`, "$(x)": "mc check --spec s --set 'how=$(x)'",
	} {
		m, err := e.Machine(model.Selection{Set: map[string]string{"how": value}})
		if err != nil {
			t.Fatal(err)
		}
		if got := (target{entry: e, machine: m}).command(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
