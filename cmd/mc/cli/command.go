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
	scenario, set := t.chosen()
	if scenario != "" {
		add("--scenario", []string{scenario})
	}
	var fixes []string
	parts := true // the fixes that are on are those that on stands for
	for _, s := range m.Config.Settings {
		if s.Fix {
			parts = parts && s.Part == (s.Value == "on")
			if s.Value == "on" {
				fixes = append(fixes, s.Name)
			}
		}
	}
	add("--set", set)
	if parts && len(fixes) > 0 {
		fixes = []string{"on"}
	}
	add("--fix", fixes)
	if n := len(t.properties); n > 0 && n == len(m.Properties) {
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

// chosen are a scenario and settings that make the configuration of a target.
// Where a spec has scenarios that are searched by default, one has to be named
// even for a configuration that is none of them.
func (t target) chosen() (scenario string, set []string) {
	scenario = t.machine.Config.Scenario
	if scenario == "" {
		scenario = defaultScenarios(t.entry)[0]
	}
	settings := t.machine.Config.Settings
	sel := model.Selection{Scenario: scenario, Set: map[string]string{}, Fix: t.machine.Config.Fixes()}
	// One setting may be the default of another, so what was set shows what else
	// has to be.
	for more := true; more; {
		more = false
		m, err := t.entry.Machine(sel)
		for i, s := range settings {
			same := err == nil && i < len(m.Config.Settings) && m.Config.Settings[i].Value == s.Value
			if _, has := sel.Set[s.Name]; !same && !has && !s.Fix {
				sel.Set[s.Name], more = s.Value, true
			}
		}
	}
	for _, s := range settings {
		if v, has := sel.Set[s.Name]; has && !s.Fix {
			set = append(set, s.Name+"="+v)
		}
	}
	return scenario, set
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
