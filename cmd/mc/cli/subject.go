package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"mc/checker"
	"mc/model"
	"mc/traces"
)

// examining are the flags that choose a saved trace, and the configuration that
// it is examined on where that is not its own.
type examining struct {
	sel     selection // specs, scenarios and properties are those of the file
	on      words     // a scenario
	timeout word
}

func (e *examining) choiceFlags(f *pflag.FlagSet) {
	f.Var(&e.sel.specs, "spec", "the trace of the spec `NAME`, if the file has several")
	f.Var(&e.sel.scenarios, "scenario", "the trace of the scenario `NAME`")
	f.Var(&e.sel.properties, "property", "the trace of the property `NAME`; a witness only so")
}

func (e *examining) configFlags(f *pflag.FlagSet) {
	f.Var(&e.sel.fixes, "fix", "on, off, or `NAMES` of fixes (default the trace's)")
	f.Var(&e.sel.set, "set", "settings `k=v,...`, in place of the trace's")
	f.Var(&e.on, "on", "in the scenario `NAME`, in place of all settings")
	f.Var(&e.timeout, "timeout", "give up after `TIME`, for a step may not end (default 1m); 0 never")
}

// elsewhere says whether a configuration is asked for.
func (e *examining) elsewhere() bool { return len(e.sel.fixes)+len(e.sel.set)+len(e.on) > 0 }

// saved is the behaviour of a file that is chosen, the one that mc trace render
// prints first; nil, and a mistake noted, if there is none.
func (a *app) saved(file string, sel *selection) *traces.Behaviour {
	doc := a.read(file)
	if doc == nil {
		return nil
	}
	before := len(a.mistakes)
	if a.narrow(file, doc, sel); len(a.mistakes) > before {
		return nil
	}
	c := traces.Choice{Scenarios: sel.scenarios, Properties: sel.properties}
	all := 0
	for _, runs := range traces.BySpec(doc.Runs) {
		shown, others := c.Of(runs)
		all += len(shown) + others
	}
	b, ok := c.First(doc)
	if !ok {
		a.mistake(fmt.Errorf("%s: there is no behaviour; a witness counts when named with --property", file))
		return nil
	}
	if all > 1 {
		a.aside("%s has %d behaviours; this is %s: choose with --spec, --scenario, --property", file, all, b.Title())
	}
	return b
}

// subject is a saved trace and a machine that it is examined on.
type subject struct {
	*traces.Behaviour
	entry   *model.Entry
	file    string
	machine *model.Machine
	chosen  model.Selection // that the machine was made of
}

// examined is the behaviour that is chosen. It notes a mistake in --timeout,
// which only within uses, too late to note one.
func (a *app) examined(file string, e *examining) *traces.Behaviour {
	_ = a.timeOr("--timeout", e.timeout, 0)
	return a.saved(file, &e.sel)
}

// subject makes the machine of a saved trace, in its own configuration or the
// one that the flags ask for. It is nil, with mistakes noted, if that fails.
func (a *app) subject(file string, e *examining) *subject {
	b := a.examined(file, e)
	if b == nil {
		return nil
	}
	return a.subjectOf(file, b, e)
}

// subjects makes two machines of a saved trace: its own, and the one that the
// flags ask for. They are the same if the flags ask for nothing.
func (a *app) subjects(file string, e *examining) (own, here *subject) {
	b := a.examined(file, e)
	if b == nil {
		return nil, nil
	}
	if own = a.subjectOf(file, b, &examining{}); own == nil || !e.elsewhere() {
		return own, own
	}
	return own, a.subjectOf(file, b, e)
}

func (a *app) subjectOf(file string, b *traces.Behaviour, e *examining) *subject {
	entry := a.entry(file+": spec", b.Spec)
	if entry == nil {
		return nil
	}
	s := &subject{Behaviour: b, entry: entry, file: file}
	s.chosen = a.configuration(entry, b.Config, e)
	m, err := entry.Machine(s.chosen)
	if err != nil {
		for _, one := range leaves(err) {
			if name := new(model.NameError); errors.As(one, &name) && name.Flag == "--scenario" && len(e.on) > 0 {
				on := *name // --scenario chooses the trace
				on.Flag = "--on"
				one = fmt.Errorf("%s: %w", entry.Name, &on)
			}
			a.mistake(fmt.Errorf("%s: %w", file, one))
		}
		return nil
	}
	s.machine = m
	return s
}

// configuration is a saved one, changed by flags. Settings that the spec no
// longer has are left out, and told.
func (a *app) configuration(entry *model.Entry, saved model.Configuration, e *examining) model.Selection {
	e.sel.fixes = a.needNames("--fix", e.sel.fixes)
	e.on = a.needNames("--on", e.on)
	if len(e.on) > 1 {
		a.mistakef("--on: want one scenario")
	}
	sel := model.Selection{Scenario: saved.Scenario, Set: map[string]string{}, Fix: saved.Fixes()}
	if len(e.on) == 1 {
		sel.Scenario = e.on[0]
	} else {
		a.keepSettings(entry, saved, &sel)
	}
	for k, v := range a.settings(e.sel.set) {
		sel.Set[k] = v
	}
	if len(e.sel.fixes) > 0 {
		sel.Fix = e.sel.fixes
	}
	return sel
}

// keepSettings puts the values of a saved configuration into a selection.
func (a *app) keepSettings(entry *model.Entry, saved model.Configuration, sel *model.Selection) {
	if !slices.ContainsFunc(entry.Scenarios, func(s model.Scenario) bool { return s.Name == saved.Scenario }) {
		sel.Scenario = "" // its settings are all saved
	}
	now, err := entry.Machine(model.Selection{Scenario: sel.Scenario})
	if err != nil {
		return // told when the machine is made
	}
	var gone []string
	for _, s := range saved.Settings {
		i := slices.IndexFunc(now.Config.Settings, func(n model.Setting) bool { return n.Name == s.Name && n.Fix == s.Fix })
		switch {
		case i < 0:
			gone = append(gone, s.Name+"="+s.Value)
			sel.Fix = slices.DeleteFunc(sel.Fix, func(name string) bool { return s.Fix && name == s.Name })
		case !s.Fix && s.Value != now.Config.Settings[i].Value:
			sel.Set[s.Name] = s.Value
		}
	}
	const most = 3 // of another spec's trace it is all of them
	switch n := len(gone); {
	case n == 1:
		a.aside("the trace's setting %s is left out, for %s has none of that name now", gone[0], entry.Name)
	case n > most:
		gone = append(gone[:most:most], fmt.Sprintf("%d more", n-most))
		fallthrough
	case n > 1:
		a.aside("the trace's settings %s are left out, for %s has none of those names now", strings.Join(gone, ", "), entry.Name)
	}
}

// within takes steps of a spec for as long as --timeout allows. What does not
// end goes on until the process does, which is then to come soon.
func within[T any](a *app, e *examining, examine func() (T, error)) (T, error) {
	type outcome struct {
		result T
		err    error
		crash  *checker.Crash
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if r := recover(); r != nil {
				crash := checker.Caught(r)
				o.crash = &crash
			}
			done <- o
		}()
		o.result, o.err = examine()
	}()
	var late <-chan time.Time
	allowed := a.timeOr("--timeout", e.timeout, time.Minute)
	if allowed > 0 {
		late = time.After(allowed)
	}
	select {
	case o := <-done:
		if o.crash != nil {
			panic(*o.crash)
		}
		return o.result, o.err
	case <-late:
		a.hangs = true
		var none T
		return none, fmt.Errorf("not done after %v: some step does not end, as mc check would say, or takes long; allow more with --timeout", allowed)
	}
}

// property is the index of what the trace shows, or -1 for a fault.
func (s *subject) property() (int, error) {
	if s.Trace.Fault != "" {
		return -1, nil
	}
	p := s.machine.Property(s.Property)
	if p < 0 {
		unknown := &model.NameError{Flag: s.Spec + ": property", Kind: "property", Name: s.Property, Have: propertyNames(s.machine)}
		return 0, fmt.Errorf("%s: %w", s.file, unknown)
	}
	if kind := s.machine.Properties[p].Kind; kind != s.Trace.Kind {
		return 0, fmt.Errorf("%s: %s has the kind %q in the trace; in %s it has the kind %q", s.file, s.Property, s.Trace.Kind, s.machine.Name, kind)
	}
	return p, nil
}

// follow takes the trace through the machine. Where that is another one than
// the trace is from, the steps go on where they lead to other states, of which
// differs is the first; the rest is as model.Follow has it.
func (s *subject) follow(elsewhere bool) (b *model.Behaviour, differs, misfit *model.Misfit) {
	m := s.machine
	b, misfit = m.Follow(s.Trace)
	if misfit == nil || misfit.Differ == nil || !elsewhere {
		return b, nil, misfit
	}
	from, ok := nearestInitial(m, s.Trace)
	if !ok {
		return b, nil, misfit
	}
	steps := s.Trace.Instances()
	b, misfit = m.Take(from, steps)
	if misfit == nil && s.Loop >= 0 {
		b.Loop = s.Loop
	}
	for i, state := range b.States {
		if d := model.Differences(s.Steps[i].Fields, m.Fields(state)); len(d) > 0 {
			return b, &model.Misfit{Step: i, Instance: s.Steps[i].Instance, Differ: d}, misfit
		}
	}
	return b, nil, misfit
}

// nearestInitial is the initial state most like that of a trace.
func nearestInitial(m *model.Machine, t *model.Trace) (state []byte, ok bool) {
	fewest := -1
	for _, s := range m.Init {
		if n := len(model.Differences(t.Steps[0].Fields, m.Fields(s))); fewest < 0 || n < fewest {
			state, fewest = s, n
		}
	}
	return state, fewest >= 0
}

// obstacle is why an instance is not possible, as it is told.
func obstacle(m *model.Machine, o *checker.Obstacle, state []byte) (values []traces.Needed) {
	if o.Enough == nil {
		return nil
	}
	is, would := m.Fields(state), m.Fields(o.Enough)
	for _, f := range o.Fields {
		values = append(values, traces.Needed{Name: is[f].Name, Is: is[f].Value, Would: would[f].Value})
	}
	return values
}

// oneFile notes unless there is one argument.
func (a *app) oneFile(args []string) (file string, ok bool) {
	if len(args) != 1 {
		a.mistake(errors.New("want the name of one file, or - for standard input"))
		return "", false
	}
	return args[0], true
}
