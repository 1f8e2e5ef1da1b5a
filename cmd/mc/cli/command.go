package cli

import (
	"strings"

	"mc/model"
)

// command is the command line that makes the search of a target again.
func (t target) command() string {
	m := t.machine
	line := []string{"mc check", "--spec", t.entry.Name}
	add := func(flag string, values []string) {
		if len(values) > 0 {
			line = append(line, flag, quoted(strings.Join(values, ",")))
		}
	}
	base, scenario := t.base()
	if scenario != "" {
		add("--scenario", []string{scenario})
	}
	var set, fixes []string
	parts := true // the fixes that are on are those that on stands for
	for i, s := range m.Config.Settings {
		switch {
		case s.Fix:
			parts = parts && s.Part == (s.Value == "on")
			if s.Value == "on" {
				fixes = append(fixes, s.Name)
			}
		case i >= len(base) || base[i].Value != s.Value:
			set = append(set, s.Name+"="+s.Value)
		}
	}
	add("--set", set)
	if parts && len(fixes) > 0 {
		fixes = []string{"on"}
	}
	add("--fix", fixes)
	if len(t.properties) == len(m.Properties) {
		add("--property", []string{"all"})
	} else {
		var names []string
		for _, p := range t.properties {
			names = append(names, m.Properties[p].Name)
		}
		add("--property", names)
	}
	return strings.Join(line, " ")
}

// base are the settings that the command line starts from without --set, and
// the scenario to name for them. Where a spec has scenarios that are searched by
// default, one has to be named even for a configuration that is none of them.
func (t target) base() ([]model.Setting, string) {
	name := t.machine.Config.Scenario
	if name == "" {
		name = defaultScenarios(t.entry)[0]
	}
	m, err := t.entry.Machine(model.Selection{Scenario: name})
	if err != nil {
		return nil, name
	}
	return m.Config.Settings, name
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !strings.ContainsRune("-_=,.:/@+%", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
