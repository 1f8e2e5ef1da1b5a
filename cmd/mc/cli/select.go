package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"mc/model"
)

// selection is what the flags of a command choose to search.
type selection struct {
	specs, fixes, scenarios, set, properties words
}

func (s *selection) flags(f *pflag.FlagSet) {
	f.Var(&s.specs, "spec", "`NAMES` of specs")
	f.Var(&s.fixes, "fix", "on, off, or `NAMES` of fixes (default off)")
	f.Var(&s.scenarios, "scenario", "`NAMES` of scenarios, each searched by itself")
	f.Var(&s.set, "set", "settings `k=v,...`, on top of the scenario's")
	f.Var(&s.properties, "property", "`NAMES` of properties, or all (default guarantees)")
}

// target is one search to make.
type target struct {
	entry      *model.Entry
	machine    *model.Machine
	properties []int // nil for the guarantees
}

func (t target) String() string {
	return strings.TrimSpace(t.entry.Name + " " + t.machine.Config.Scenario)
}

// targets are the searches chosen: each scenario of each spec.
func (a *app) targets(s *selection) []target {
	a.needNames("--spec", s.specs)
	s.scenarios = a.needNames("--scenario", s.scenarios)
	s.fixes = a.needNames("--fix", s.fixes)
	s.properties = a.needNames("--property", s.properties)
	set := a.settings(s.set)

	var found []target
	var skipped []string
	var lacks [][]error // for each spec skipped
	entries := a.entries(s.specs, func(e *model.Entry) bool { return e.Bug != "" })
	for _, e := range entries {
		ts, errs := s.of(e, set)
		unknown := slices.DeleteFunc(slices.Clone(errs), func(err error) bool {
			return !errors.As(err, new(*model.NameError))
		})
		if len(s.specs) == 0 && len(unknown) > 0 {
			skipped, lacks = append(skipped, e.Name), append(lacks, unknown)
			continue
		}
		found = append(found, ts...)
		a.mistakes = append(a.mistakes, errs...)
	}
	switch len(skipped) {
	case 0:
	case len(entries):
		a.mistake(lackedByAll(lacks))
	default:
		a.aside("skipped, for they lack a name given: %s", strings.Join(skipped, ", "))
	}
	return found
}

// entries are the specs named, or by default those that fit, or all if none does.
func (a *app) entries(names words, fits func(*model.Entry) bool) []*model.Entry {
	var chosen []*model.Entry
	for _, name := range names {
		if name == "" {
			continue // needNames has told it
		}
		if e := a.entry("--spec", name); e != nil {
			chosen = append(chosen, e)
		}
	}
	if len(names) == 0 {
		chosen = slices.DeleteFunc(slices.Clone(a.specs), func(e *model.Entry) bool { return !fits(e) })
		if len(chosen) == 0 {
			chosen = a.specs
		}
	}
	return chosen
}

// orOnly are names of specs: if there are none, that of the only spec there is.
func (a *app) orOnly(names []string) []string {
	if len(names) == 0 && len(a.specs) == 1 && a.specs[0] != nil {
		return []string{a.specs[0].Name}
	}
	return names
}

// entry is the spec of a name, or nil and a mistake.
func (a *app) entry(flag, name string) *model.Entry {
	var have []string
	for _, e := range a.specs {
		if e.Name == name {
			return e
		}
		have = append(have, e.Name)
	}
	a.mistake(&model.NameError{Flag: flag, Kind: "spec", Name: cmp.Or(name, `""`), Have: have})
	return nil
}

// of makes the machines of one spec, and says everything that is wrong.
func (s *selection) of(e *model.Entry, set map[string]string) (found []target, errs []error) {
	scenarios := []string(s.scenarios)
	if len(scenarios) == 0 {
		scenarios = defaultScenarios(e)
	}
	for _, name := range scenarios {
		m, err := e.Machine(model.Selection{Scenario: name, Set: set, Fix: s.fixes})
		if err != nil {
			errs = append(errs, leaves(err)...)
			continue
		}
		t := target{entry: e, machine: m}
		for _, p := range s.properties {
			if i := m.Property(p); i >= 0 {
				t.properties = append(t.properties, i)
			} else if p != "all" {
				err := &model.NameError{Flag: "--property", Kind: "property", Name: p, Have: propertyNames(m)}
				errs = append(errs, fmt.Errorf("%s: %w", e.Name, err))
			}
		}
		if slices.Contains(s.properties, "all") {
			t.properties = nil
			for i := range m.Properties {
				t.properties = append(t.properties, i)
			}
		}
		slices.Sort(t.properties)
		found = append(found, t)
	}
	return found, errs
}

// defaultScenarios are those that a spec is searched in when none is named;
// "" stands for its settings' defaults.
func defaultScenarios(e *model.Entry) []string {
	var names []string
	for _, sc := range e.Scenarios {
		if sc.Default {
			names = append(names, sc.Name)
		}
	}
	if len(names) == 0 {
		return []string{""}
	}
	return names
}

func propertyNames(m *model.Machine) []string {
	var names []string
	for _, p := range m.Properties {
		names = append(names, p.Name)
	}
	return names
}

// lackedByAll says which names no spec has; Have then lists those of all specs.
func lackedByAll(lacks [][]error) error {
	var errs []error
	for _, err := range lacks[0] {
		var first *model.NameError
		errors.As(err, &first)
		all := &model.NameError{Flag: first.Flag, Kind: first.Kind, Name: first.Name}
		specs := 0
		for _, of := range lacks {
			for _, err := range of {
				var n *model.NameError
				if errors.As(err, &n); n.Flag == all.Flag && n.Name == all.Name {
					specs++
					all.Have = append(all.Have, n.Have...)
					break
				}
			}
		}
		if slices.Sort(all.Have); specs == len(lacks) {
			all.Have = slices.Compact(all.Have)
			errs = append(errs, all)
		}
	}
	if len(errs) == 0 {
		return errors.New("no spec has all the names given; choose one with --spec")
	}
	return errors.Join(errs...)
}

// needNames notes that a name is empty, and returns the others.
func (a *app) needNames(flag string, names words) words {
	if slices.Contains(names, "") {
		a.mistakef("%s: want names separated by commas", flag)
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "" })
}

// settings reads --set, each part by itself so that all mistakes are found.
func (a *app) settings(parts words) map[string]string {
	set := map[string]string{}
	for _, kv := range parts {
		one, err := model.ParseSet(kv)
		if err == nil && len(one) == 0 {
			err = errors.New("--set: want name=value")
		}
		if err != nil {
			a.mistake(err)
		}
		for k, v := range one {
			if _, twice := set[k]; twice {
				a.mistakef("--set %s: %s is set twice", kv, k)
			}
			set[k] = v
		}
	}
	return set
}

// noArguments notes arguments that a command does not take. After an unknown
// flag they may be meant as its value.
func (a *app) noArguments(args []string) {
	if a.flagsUnknown {
		return
	}
	for _, arg := range args {
		a.mistakef("%s: want no argument here", arg)
	}
}
