package model

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Config hands a spec its settings. Reading a setting declares it: its name,
// default, range and meaning. A spec reads each once, at the top of its build
// function, and reads the same ones whatever their values.
type Config struct {
	set      map[string]string // as given, not yet known to exist
	fixes    []string          // names, "on" or "off", as given
	declared []Setting
	sites    []site // where they are read
	errs     []error
}

// Setting is a declared setting and its value.
type Setting struct {
	Name    string `json:"name"`
	Value   string `json:"value"`
	Default string `json:"default"`
	Want    string `json:"want"` // "0 to 5", "raft|noraft", "true|false"
	Doc     string `json:"doc"`
	// Fix says that it is a repair, switched by --fix and not by --set. Part
	// says that the repair is part of the real one, which "on" stands for.
	Fix  bool `json:"fix,omitempty"`
	Part bool `json:"part,omitempty"`
}

// Int reads a number from lo to hi.
func (c *Config) Int(name string, def, lo, hi int, doc string) int {
	want := fmt.Sprintf("%d to %d", lo, hi)
	s := c.declare(Setting{Name: name, Default: strconv.Itoa(def), Want: want, Doc: doc})
	n, err := strconv.Atoi(s.Value)
	if err != nil || n < lo || n > hi {
		c.errs = append(c.errs, fmt.Errorf("--set %s=%s: want %s", name, s.Value, want))
		return def
	}
	s.Value = strconv.Itoa(n)
	return n
}

// Bool reads a switch that is no repair.
func (c *Config) Bool(name string, def bool, doc string) bool {
	return Choice(c, name, def, doc, false, true)
}

// Choice reads one of several values, written as fmt prints them.
func Choice[T any](c *Config, name string, def T, doc string, options ...T) T {
	names := make([]string, len(options))
	for i, o := range options {
		names[i] = fmt.Sprint(o)
	}
	want := strings.Join(names, "|")
	s := c.declare(Setting{Name: name, Default: fmt.Sprint(def), Want: want, Doc: doc})
	i := slices.Index(names, s.Value)
	if i < 0 {
		c.errs = append(c.errs, fmt.Errorf("--set %s=%s: want %s", name, s.Value, want))
		return def
	}
	return options[i]
}

// Fix reads whether a repair is made that is part of the real one. It is off
// unless --fix names it or is "on".
func (c *Config) Fix(name, doc string) bool {
	return c.fix(Setting{Name: name, Doc: doc, Fix: true, Part: true})
}

// Alternative reads whether a repair is made that the real one does not
// contain: a rejected variant, a follow-up, an idea. Only --fix with its name
// switches it on.
func (c *Config) Alternative(name, doc string) bool {
	return c.fix(Setting{Name: name, Doc: doc, Fix: true})
}

func (c *Config) fix(s Setting) bool {
	on := slices.Contains(c.fixes, s.Name) || s.Part && slices.Contains(c.fixes, "on")
	s.Default, s.Want = "off", "on|off"
	d := c.declare(s)
	d.Value = map[bool]string{false: "off", true: "on"}[on]
	return on
}

// declare records a setting with the value given for it, or its default.
func (c *Config) declare(s Setting) *Setting {
	if slices.ContainsFunc(c.declared, func(d Setting) bool { return d.Name == s.Name }) {
		c.errs = append(c.errs, fmt.Errorf("setting %s is read twice", s.Name))
	}
	s.Value = s.Default
	if v, ok := c.set[s.Name]; ok && !s.Fix {
		s.Value = v
	}
	c.declared, c.sites = append(c.declared, s), append(c.sites, reader())
	return &c.declared[len(c.declared)-1]
}

// unknown reports the names that were given and that no setting has.
func (c *Config) unknown() error {
	var settings, fixes []string
	for _, s := range c.declared {
		if s.Fix {
			fixes = append(fixes, s.Name)
		} else {
			settings = append(settings, s.Name)
		}
	}
	var errs []error
	for name := range c.set {
		if !slices.Contains(settings, name) {
			errs = append(errs, &NameError{Flag: "--set", Kind: "setting", Name: name, Have: settings})
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	for _, name := range c.fixes {
		if name != "on" && name != "off" && !slices.Contains(fixes, name) {
			errs = append(errs, &NameError{Flag: "--fix", Kind: "fix", Name: name, Have: slices.Concat([]string{"on", "off"}, fixes)})
		}
	}
	if len(c.fixes) > 1 && slices.Contains(c.fixes, "off") {
		errs = append(errs, errors.New("--fix off: want it alone"))
	}
	return errors.Join(errs...)
}

// NameError says that a name on the command line is not known.
type NameError struct {
	Flag string   // "--fix"
	Kind string   // "fix"
	Name string   // as typed
	Have []string // the known names
}

func (e *NameError) Error() string {
	if len(e.Have) == 0 {
		return fmt.Sprintf("%s %s: no such %s; there is none", e.Flag, e.Name, e.Kind)
	}
	return fmt.Sprintf("%s %s: no such %s; have %s", e.Flag, e.Name, e.Kind, strings.Join(e.Have, ", "))
}
