package vet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mc/checker"
	"mc/model"
)

// A setting that changes nothing is a mistake: it is read and not used, or used
// where it makes no difference. Most settings matter only together with others,
// so their values are tried in every configuration that the spec speaks of, its
// default scenarios first, until one of them makes a difference: in the number
// of states, of steps, or in a verdict.

// trial is a configuration in which settings are tried. It is searched when a
// setting first needs it.
type trial struct {
	sel      model.Selection
	machine  *model.Machine
	counts   func() string
	verdicts func() string
}

// idleSettings finds settings of which no value makes a difference.
func (v *vetting) idleSettings(machines []*model.Machine, trials []*trial) {
	if len(machines) == 0 {
		return
	}
	for _, s := range machines[0].Config.Settings {
		if v.ctx.Err() != nil {
			v.incomplete("settings that change nothing: not all were tried")
			return
		}
		v.tell("setting %s", s.Name)
		tried, differs := v.differs(s, trials)
		what := "setting"
		if s.Fix {
			what = "fix"
		}
		switch {
		case differs:
			continue
		case len(tried) < 2:
			v.incomplete("%s %s was not tried: every space is larger than %d states", what, s.Name, min(trialStates, v.o.MaxStates))
			continue
		}
		v.find(machines[0].SettingLocation(s.Name), "%s %s changes nothing: the same states and verdicts with each of %s",
			what, s.Name, strings.Join(tried, ", "))
	}
}

// trials are the default scenarios, and then the others and the cases of claims,
// each once.
func (v *vetting) trials() (all []*trial) {
	seen := map[string]bool{}
	add := func(sel model.Selection) {
		m, err := v.e.Machine(sel)
		if err != nil {
			return
		}
		if key := fmt.Sprint(m.Config.Settings); !seen[key] {
			seen[key] = true
			all = append(all, &trial{sel: sel, machine: m,
				counts:   sync.OnceValue(func() string { return v.counts(m) }),
				verdicts: sync.OnceValue(func() string { return v.verdicts(m) })})
		}
	}
	for _, defaults := range []bool{true, false} {
		for _, fix := range []string{"off", "on"} {
			for _, s := range v.e.Scenarios {
				if s.Default == defaults {
					add(model.Selection{Scenario: s.Name, Fix: []string{fix}})
				}
			}
			add(model.Selection{Fix: []string{fix}})
		}
	}
	for _, c := range v.e.Claims {
		for i := range c.Cases {
			if !c.Cases[i].Long {
				for _, sel := range c.Cases[i].Selections() {
					add(sel)
				}
			}
		}
	}
	return all
}

// values are what a setting is tried with: all of a few, or the ends and the
// neighbours of the default.
func values(s model.Setting) []string {
	if s.Fix {
		return []string{"off", "on"}
	}
	lo, hi, numbers := strings.Cut(s.Want, " to ")
	from, err1 := strconv.Atoi(lo)
	to, err2 := strconv.Atoi(hi)
	if !numbers || err1 != nil || err2 != nil {
		return strings.Split(s.Want, "|")
	}
	def, _ := strconv.Atoi(s.Default)
	var all []string
	for n := from; n <= to; n++ {
		if n <= from+1 || n >= to || def-1 <= n && n <= def+1 {
			all = append(all, strconv.Itoa(n))
		}
	}
	return all
}

// differs says whether some value of a setting makes a difference in some trial,
// and which values were tried.
func (v *vetting) differs(s model.Setting, trials []*trial) (tried []string, differs bool) {
	tried = []string{s.Default}
	for _, t := range trials {
		for _, value := range values(s) {
			m := v.with(t, s, value)
			if m == nil || v.ctx.Err() != nil {
				continue
			}
			if t.counts() == "" {
				continue // too large to compare with
			}
			if !slices.Contains(tried, value) {
				tried = append(tried, value)
			}
			if v.counts(m) != t.counts() || v.verdicts(m) != t.verdicts() {
				return tried, true
			}
		}
	}
	return tried, false
}

// with is a trial's machine with another value of a setting, or nil if it has
// that value, or may not have it.
func (v *vetting) with(t *trial, s model.Setting, value string) *model.Machine {
	for _, now := range t.machine.Config.Settings {
		if now.Name == s.Name && now.Value == value {
			return nil
		}
	}
	sel := t.sel
	if s.Fix {
		sel.Fix = slices.DeleteFunc(t.machine.Config.Fixes(), func(name string) bool { return name == s.Name })
		if value == "on" {
			sel.Fix = append(sel.Fix, s.Name)
		}
	} else {
		sel.Set = map[string]string{s.Name: value}
		for k, v := range t.sel.Set {
			if k != s.Name {
				sel.Set[k] = v
			}
		}
	}
	m, err := v.e.Machine(sel)
	if err != nil {
		return nil
	}
	return m
}

// trialStates bounds the searches in which settings are tried. What has more
// states differs from what has fewer, and is not compared with what has more
// as well.
const trialStates = 20_000

// counts are those of a search, in a text to compare; empty if it did not come
// to its end.
func (v *vetting) counts(m *model.Machine) string {
	o := v.options()
	o.MaxStates = min(trialStates, v.o.MaxStates)
	o.Properties = []int{}
	r := checker.Check(v.ctx, m, o)
	if r.Incomplete != "" || r.Fault != nil {
		return ""
	}
	return fmt.Sprint(r.Distinct, r.Generated, r.Depth, r.Cut, r.Steps)
}

// verdicts are those on all properties, questions included, and how soon they
// show.
func (v *vetting) verdicts(m *model.Machine) (text string) {
	o := v.options()
	for i := range m.Properties {
		o.Properties = append(o.Properties, i)
	}
	for _, res := range checker.Check(v.ctx, m, o).Results {
		text += fmt.Sprint(m.Properties[res.Property].Name, " ", res.Verdict, " ", res.Steps, "; ")
	}
	return text
}
