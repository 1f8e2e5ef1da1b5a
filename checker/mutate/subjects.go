package mutate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mc/model"
)

// Guarantees are the subjects of a spec's guarantees: its default scenarios,
// with its fix, if it has one, and without it. With the fix all is well, and
// what is amiss in a mutant shows; without it, a mutant may hide the bug.
func Guarantees(e *model.Entry) (all []Subject, err error) {
	plain, err := Machines(e, nil, nil, "off")
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(plain[0].Config.Settings, func(s model.Setting) bool { return s.Part }) {
		fixed, err := Machines(e, nil, nil, "on")
		if err != nil {
			return nil, err
		}
		plain = append(fixed, plain...)
	}
	for _, m := range plain {
		all = append(all, Subject{Machine: m})
	}
	return all, nil
}

// Machines are those of a spec in its default scenarios, or those named.
func Machines(e *model.Entry, scenarios []string, set map[string]string, fixes ...string) (all []*model.Machine, err error) {
	if len(scenarios) == 0 {
		for _, s := range e.Scenarios {
			if s.Default {
				scenarios = append(scenarios, s.Name)
			}
		}
	}
	if len(scenarios) == 0 {
		scenarios = []string{""}
	}
	var errs []error
	for _, name := range scenarios {
		m, err := e.Machine(model.Selection{Scenario: name, Set: set, Fix: fixes})
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, m)
	}
	return all, errors.Join(errs...)
}

// Claims are the cases of a spec's claims, without those that take long or are
// known to come out differently.
func Claims(e *model.Entry) (all []Subject, err error) {
	for _, c := range e.Claims {
		for i := range c.Cases {
			k := &c.Cases[i]
			if k.Long || k.Known != "" {
				continue
			}
			want := k.Expected()
			for _, sel := range k.Selections() {
				m, err := e.Machine(sel)
				if err != nil {
					return nil, err
				}
				s := Subject{Machine: m, Claim: c.ID}
				for _, name := range k.Properties() {
					p := m.Property(name)
					if p < 0 {
						return nil, &model.SpecError{Spec: e.Name, Err: fmt.Errorf("claim %s: no property %s", c.ID, name)}
					}
					s.Properties, s.Want = append(s.Properties, p), append(s.Want, want[name])
				}
				all = append(all, s)
			}
		}
	}
	return all, nil
}

// Known is the reasons why mutants survive the guarantees, though claims may
// notice them. Each is a line: the mutation, a colon, and the reason. Lines that
// begin with # are comments.
type Known map[model.Mutation]string

// ReadKnown reads reasons. The error names every line that is none.
func ReadKnown(text string) (Known, error) {
	known := Known{}
	var errs []error
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, ok := strings.Cut(line, ": ")
		var mu model.Mutation
		mu.Action, mu.Conjunct, _ = strings.Cut(name, " / ")
		switch _, twice := known[mu]; {
		case !ok || mu.Action == "" || strings.TrimSpace(reason) == "":
			errs = append(errs, fmt.Errorf("line %d: want ACTION: REASON, or ACTION / CONJUNCT: REASON", i+1))
		case twice:
			errs = append(errs, fmt.Errorf("line %d: %v is there twice", i+1, mu))
		default:
			known[mu] = strings.TrimSpace(reason)
		}
	}
	return known, errors.Join(errs...)
}

// Stale are the known mutations that do not survive, or do not exist.
func (k Known) Stale(mutants []Mutant) (stale []model.Mutation) {
	for mu := range k {
		if !slices.ContainsFunc(mutants, func(m Mutant) bool { return m.Mutation == mu && (m.Outcome == Survives || m.Outcome == Claimed) }) {
			stale = append(stale, mu)
		}
	}
	slices.SortFunc(stale, func(a, b model.Mutation) int { return strings.Compare(a.String(), b.String()) })
	return stale
}
