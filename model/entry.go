package model

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
)

// Entry is a spec as a list of specs holds it: a name and what makes its
// machines, without the state type.
type Entry struct {
	Name string
	Doc  string // one line
	About

	// Package is the import path of the package that defines the spec, as far as
	// it can be told: that of the function which builds it.
	Package string

	site  site
	err   error // what is wrong with the state type
	build func(*Config) (*Machine, error)
}

// About is what a spec may say about itself beyond its name.
type About struct {
	Bug       string // the report it stands for, "HDDS-17430"; empty for none
	Story     string // the system and the bug, for a reader who knows neither
	Scenarios []Scenario
	Claims    []Claim
}

// Scenario is a named preset of settings.
type Scenario struct {
	Name    string
	Doc     string
	Set     string // as --set takes it: "writer-1=raft,crashes=1"
	Default bool   // run when none is named
}

// PackageComment is the package comment of a Go file, without its first three
// words, "Package x is": a spec embeds its doc.go and is its own Story.
func PackageComment(source string) string {
	comment, _, _ := strings.Cut(source, "\npackage ")
	if words := strings.SplitN(comment, " ", 5); len(words) == 5 && words[1] == "Package" {
		comment = words[4]
	}
	return strings.TrimSpace(strings.NewReplacer("\n//\n// ", "\n\n", "\n// ", "\n").Replace(comment))
}

// Define makes a spec. build reads the settings and returns the state machine
// for them; it is called for every configuration that is checked. What is
// wrong with S is reported when the spec is first used.
func Define[S any](name, doc string, build func(*Config) *Spec[S]) *Entry {
	e := &Entry{site: caller(), Name: name, Doc: doc, Package: packageOf(runtime.FuncForPC(reflect.ValueOf(build).Pointer()).Name())}
	if _, err := layoutOf(reflect.TypeFor[S]()); err != nil {
		e.err = err
	}
	e.build = func(c *Config) (*Machine, error) {
		spec := build(c)
		if spec == nil {
			return nil, errors.New("build returned no spec")
		}
		m, err := newMachine(name, spec, Configuration{Settings: c.declared})
		if m != nil {
			m.settings = c.sites
		}
		return m, err
	}
	return e
}

// packageOf is the import path in the full name of a function, in which only
// the last part of the path is followed by a dot.
func packageOf(function string) string {
	last := strings.LastIndexByte(function, '/') + 1
	name, _, _ := strings.Cut(function[last:], ".")
	return function[:last] + name
}

// With adds what a spec says about itself.
func (e *Entry) With(a About) *Entry { e.About = a; return e }

// Selection chooses a configuration.
type Selection struct {
	Scenario string            // a scenario's name, or empty for the settings' defaults
	Set      map[string]string // settings on top
	Fix      []string          // names of repairs, "on", or "off"
}

// Configuration is a selection and the settings it comes to.
type Configuration struct {
	Scenario string    `json:"scenario,omitempty"`
	Settings []Setting `json:"settings"`
}

// Fixes are the names of the repairs that are switched on.
func (c Configuration) Fixes() []string {
	var on []string
	for _, s := range c.Settings {
		if s.Fix && s.Value == "on" {
			on = append(on, s.Name)
		}
	}
	return on
}

// Machine makes the state machine of a configuration. Its errors name every
// mistake of the selection, or of the spec, at once, and start with the
// spec's name.
func (e *Entry) Machine(sel Selection) (m *Machine, err error) {
	defer func() {
		if r := recover(); r != nil {
			m, err = nil, &SpecError{e.Name, fmt.Errorf("build: %s", faultOf(r, "").What)}
		}
	}()
	if e.err != nil {
		return nil, &SpecError{e.Name, e.err}
	}
	var errs []error
	set := map[string]string{}
	if sel.Scenario != "" {
		i := slices.IndexFunc(e.Scenarios, func(s Scenario) bool { return s.Name == sel.Scenario })
		if i < 0 {
			var have []string
			for _, s := range e.Scenarios {
				have = append(have, s.Name)
			}
			return nil, e.prefix(&NameError{Flag: "--scenario", Kind: "scenario", Name: sel.Scenario, Have: have})
		}
		if set, err = ParseSet(e.Scenarios[i].Set); err != nil {
			return nil, &SpecError{e.Name, fmt.Errorf("scenario %s: %w", sel.Scenario, err)}
		}
	}
	for k, v := range sel.Set {
		set[k] = v
	}
	c := &Config{set: set, fixes: sel.Fix}
	m, err = e.build(c)
	errs = append(errs, c.errs...)
	errs = append(errs, c.unknown())
	if joined := errors.Join(errs...); joined != nil {
		// A scenario that does not fit its own spec is not the user's mistake.
		if alone := (Selection{Scenario: sel.Scenario}); sel.Scenario != "" {
			if len(sel.Set)+len(sel.Fix) == 0 {
				return nil, &SpecError{e.Name, fmt.Errorf("scenario %s: %w", sel.Scenario, joined)}
			}
			if _, err := e.Machine(alone); err != nil {
				return nil, err
			}
		}
		return nil, e.prefix(joined)
	}
	if err != nil {
		return nil, &SpecError{e.Name, err}
	}
	m.Config.Scenario = sel.Scenario
	return m, nil
}

// prefix puts the spec's name before each line of an error of the user.
func (e *Entry) prefix(err error) error {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var errs []error
		for _, one := range many.Unwrap() {
			errs = append(errs, e.prefix(one))
		}
		return errors.Join(errs...)
	}
	return fmt.Errorf("%s: %w", e.Name, err)
}

// SpecError says that a spec cannot be used: a mistake of its author.
type SpecError struct {
	Spec string
	Err  error
}

func (e *SpecError) Error() string {
	return e.Spec + ": " + strings.ReplaceAll(e.Err.Error(), "\n", "\n"+e.Spec+": ")
}
func (e *SpecError) Unwrap() error { return e.Err }

// ParseSet reads settings written as k=v,k=v.
func ParseSet(text string) (map[string]string, error) {
	set := map[string]string{}
	for _, kv := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		k, v, ok := strings.Cut(strings.TrimSpace(kv), "=")
		if !ok || k == "" {
			return nil, fmt.Errorf("--set %s: want name=value", kv)
		}
		if _, twice := set[k]; twice {
			return nil, fmt.Errorf("--set %s: %s is set twice", kv, k)
		}
		set[k] = v
	}
	return set, nil
}
