// Package vet finds mistakes of a spec's author: those that show in single
// states, which package inspect looks for, and those that take whole searches to
// see. An action that is never enabled, a witness that is never reached and a
// property whose premise is never true are told only of spaces that were
// searched to their end; a setting that changes nothing, after its values were
// tried in all that the spec says of itself.
package vet

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"mc/checker"
	"mc/model"
	"mc/model/inspect"
)

// Options bound the work. Zero values stand for no limit, or the defaults.
type Options struct {
	Workers   int
	MaxStates uint64 // of one search; 0 for DefaultStates
	MaxMemory int64
	// StepTimeout is that of checker.Options. A spec that hangs is not looked
	// into any further.
	StepTimeout time.Duration
	Budget      inspect.Budget
	// Progress, if given, is told what is being done.
	Progress func(what string)
}

// DefaultStates bounds the searches of a vetting.
const DefaultStates = 5_000_000

// Finding is a mistake, at a line of the spec.
type Finding struct {
	model.Location
	Text string `json:"text"` // one sentence
}

// Result is what was found of one spec.
type Result struct {
	Findings []Finding // sorted by place, then text
	// Incomplete says what could not be looked for, and why.
	Incomplete []string
	// Hangs says that a step did not end, and goes on.
	Hangs bool
}

// Spec vets a spec.
func Spec(ctx context.Context, e *model.Entry, o Options) *Result {
	if o.MaxStates == 0 {
		o.MaxStates = DefaultStates
	}
	v := &vetting{ctx: ctx, e: e, o: o}
	v.run()
	slices.SortFunc(v.res.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Text, b.Text))
	})
	v.res.Findings = slices.Compact(v.res.Findings)
	return &v.res
}

type vetting struct {
	ctx   context.Context
	e     *model.Entry
	o     Options
	res   Result
	spoil bool // searches say nothing, since the spec itself is at fault
}

func (v *vetting) find(at model.Location, format string, a ...any) {
	v.res.Findings = append(v.res.Findings, Finding{at, fmt.Sprintf(format, a...)})
}

func (v *vetting) incomplete(format string, a ...any) {
	v.res.Incomplete = append(v.res.Incomplete, fmt.Sprintf(format, a...))
}

func (v *vetting) tell(format string, a ...any) {
	if v.o.Progress != nil {
		v.o.Progress(fmt.Sprintf(format, a...))
	}
}

func (v *vetting) run() {
	machines := v.machines()
	v.fixesWithoutClaim(machines)
	// The searches come first: they notice what hangs.
	v.searches(machines)
	if v.res.Hangs {
		v.incomplete("nothing else was looked for, since a step does not end")
		return
	}
	v.tell("single states")
	seen := v.o.Budget.Spec(v.e)
	for _, p := range seen.Problems {
		v.find(p.Location, "%s", p.Text)
	}
	if len(seen.Problems) > 0 || v.spoil {
		v.incomplete("the rest was not looked for, since the spec itself is at fault")
		return
	}
	trials := v.trials()
	for _, p := range seen.Idle {
		v.idleParameter(p, trials)
	}
	v.idleSettings(machines, trials)
}

// machines are the default scenarios, without and with the fix.
func (v *vetting) machines() (all []*model.Machine) {
	var names []string
	for _, s := range v.e.Scenarios {
		if s.Default {
			names = append(names, s.Name)
		}
	}
	if len(names) == 0 {
		names = []string{""}
	}
	for _, fix := range []string{"off", "on"} {
		for _, name := range names {
			m, err := v.e.Machine(model.Selection{Scenario: name, Fix: []string{fix}})
			if err != nil {
				v.spoil = true // inspect says why
				continue
			}
			if fix == "on" && len(m.Config.Fixes()) == 0 {
				continue
			}
			all = append(all, m)
		}
	}
	return all
}

// fixesWithoutClaim finds fixes that no case of a claim switches on.
func (v *vetting) fixesWithoutClaim(machines []*model.Machine) {
	if len(machines) == 0 {
		return
	}
	claimed := map[string]bool{}
	for _, c := range v.e.Claims {
		for i := range c.Cases {
			for _, name := range strings.Split(c.Cases[i].Fix, ",") {
				claimed[strings.TrimSpace(name)] = true
			}
		}
	}
	m := machines[0]
	for _, s := range m.Config.Settings {
		if s.Fix && !claimed[s.Name] && !(s.Part && claimed["on"]) {
			v.find(m.SettingLocation(s.Name), "fix %s is in no claim: nothing says what it mends", s.Name)
		}
	}
}

// where names the searches that a finding speaks of.
func where(machines []*model.Machine) string {
	var names []string
	for _, m := range machines {
		if s := m.Config.Scenario; s != "" && !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	switch len(names) {
	case 0:
		return "in the default configuration"
	case 1:
		return "in scenario " + names[0]
	}
	return "in the scenarios " + strings.Join(names, ", ")
}

func (v *vetting) options() checker.Options {
	return checker.Options{
		Workers: v.o.Workers, MaxStates: v.o.MaxStates, MaxMemory: v.o.MaxMemory, StepTimeout: v.o.StepTimeout,
		NoCoverage: true, Behaviours: func(int) bool { return false },
	}
}

// searches looks at the whole of each default scenario.
func (v *vetting) searches(machines []*model.Machine) {
	enabled := map[string]bool{}              // by action that some scenario has
	shown := map[string]bool{}                // by witness, and by property with a premise
	infos := map[string]model.PropertyInfo{}  // of these
	actions := map[string]*model.ActionInfo{} // of the first scenario that has it
	var witnesses, whole = false, true
	for _, m := range machines {
		for i := range m.Properties {
			witnesses = witnesses || m.Properties[i].Kind == model.Witness
		}
		v.tell("%s", strings.TrimSpace("scenario "+m.Config.Scenario))
		r := v.search(m)
		if r == nil {
			whole = false
			if v.res.Hangs {
				return
			}
			continue
		}
		for i := range m.Actions {
			a := &m.Actions[i]
			if a.Excluded {
				continue
			}
			if actions[a.Name] == nil {
				actions[a.Name] = a
			}
			enabled[a.Name] = enabled[a.Name] || r.Coverage.Actions[i].Enabled > 0
		}
		for _, res := range r.Results {
			p := m.Properties[res.Property]
			infos[p.Name] = p
			if p.Kind == model.Witness {
				shown[p.Name] = shown[p.Name] || res.Verdict != model.Unreachable
			} else {
				shown[p.Name] = shown[p.Name] || !res.Vacuous
			}
		}
	}
	if !witnesses && len(machines) > 0 {
		v.find(v.e.Location(), "the spec has no witness: nothing shows that it gets anywhere")
	}
	if !whole {
		return
	}
	for name, a := range actions {
		if !enabled[name] {
			v.find(a.Location(), "action %s is never enabled %s: it leads from no state to another one", name, where(machines))
		}
	}
	for name, p := range infos {
		switch {
		case shown[name]:
		case p.Kind == model.Witness:
			v.find(p.Location(), "witness %s is never reached %s", name, where(machines))
		default:
			v.find(p.Location(), "property %s holds, but vacuously: what it speaks of never happens %s", name, where(machines))
		}
	}
}

// search searches one machine to its end; nil if it did not get there.
func (v *vetting) search(m *model.Machine) *checker.Report {
	// A first search judges the guarantees; it may end before the space does,
	// when all are decided.
	o := v.options()
	judged := v.check(m, o)
	if judged == nil {
		return nil
	}
	o.Properties, o.NoCoverage, o.Coverage = []int{}, false, true
	whole := v.check(m, o)
	if whole == nil {
		return nil
	}
	whole.Results = judged.Results
	return whole
}

func (v *vetting) check(m *model.Machine, o checker.Options) *checker.Report {
	r := checker.Check(v.ctx, m, o)
	switch {
	case r.Fault != nil:
		p := inspect.Tell(m, v.e, r.Fault.Fault)
		v.find(p.Location, "%s", p.Text)
		v.spoil, v.res.Hangs = true, r.Hangs()
		return nil
	case r.Incomplete == checker.NoInitialState:
		v.spoil = true // inspect says so
		return nil
	case r.Incomplete != "":
		v.incomplete("%s, so nothing is said of what is never enabled, reached or true %s", r.Incomplete, where([]*model.Machine{m}))
		return nil
	}
	return r
}
