package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mc/model"
	"mc/traces"
)

// plannedClaim is a claim and the searches that it takes.
type plannedClaim struct {
	model.Claim
	entry  *model.Entry
	trials []*trial
	width  int // of the longest name of a property
}

// trial is a case of a claim in one scenario. All its properties are judged in
// one search.
type trial struct {
	target
	fix, set string
	expected []expectation
	long     bool
	known    string // why some verdict differs
	sameAs   *trial // must find as many states as this one, if not nil
	run      *traces.Run
}

// widestName is the width to which the other columns leave room; a longer name
// has a line of its own.
const widestName = 28

type expectation struct {
	property string
	verdict  model.Verdict
}

// heading says in which configuration a trial runs.
func (t *trial) heading() string {
	parts := []string{t.machine.Config.Scenario, "fix " + t.fix, strings.ReplaceAll(t.set, ",", ", ")}
	if t.run != nil && t.run.Cut > 0 {
		parts = append(parts, "bounded: "+plural(int(t.run.Cut), "state")+" cut")
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// idsOf names claims, of which there may be hundreds.
func idsOf(claims []*plannedClaim) string {
	const most = 10
	var ids []string
	for i, c := range claims {
		if i == most {
			ids = append(ids, fmt.Sprintf("and %d more", len(claims)-most))
			break
		}
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, ", ")
}

// plan reads the claims of the specs named, or of all that make claims. What
// is wrong with a claim is a mistake of its spec, and all are noted.
func (a *app) plan(specs, ids words) (plan []*plannedClaim) {
	a.needNames("--spec", specs)
	ids = a.needNames("--id", ids)
	var have []string
	for _, e := range a.entries(specs, func(e *model.Entry) bool { return len(e.Claims) > 0 }) {
		if len(specs) > 0 && len(e.Claims) == 0 {
			a.mistakef("--spec %s: it makes no claims", e.Name)
		}
		for _, c := range e.Claims {
			have = append(have, c.ID)
			if len(ids) > 0 && !slices.Contains(ids, c.ID) {
				continue
			}
			planned, errs := planClaim(e, c)
			for _, err := range errs {
				a.mistake(&model.SpecError{Spec: e.Name, Err: fmt.Errorf("claim %s: %w", c.ID, err)})
			}
			plan = append(plan, planned)
		}
	}
	for _, id := range ids {
		if !slices.Contains(have, id) && len(have) > 0 { // else the specs are wrong
			a.mistake(&model.NameError{Flag: "--id", Kind: "claim", Name: id, Have: have})
		}
	}
	if len(plan) == 0 && len(a.mistakes) == 0 {
		a.mistake(errors.New("claims: no spec makes any"))
	}
	for _, c := range plan {
		for _, t := range c.trials {
			for _, e := range t.expected {
				c.width = min(max(c.width, len(e.property)), widestName)
			}
		}
	}
	return plan
}

func planClaim(e *model.Entry, c model.Claim) (p *plannedClaim, errs []error) {
	p = &plannedClaim{Claim: c, entry: e}
	if (len(c.Cases) == 0) != (c.NotModelled != "") {
		errs = append(errs, errors.New("want either cases or why it is not modelled"))
	}
	var before []*trial
	for i, k := range c.Cases {
		trials, bad := planCase(e, k)
		for _, err := range bad {
			errs = append(errs, fmt.Errorf("case %d: %w", i+1, err))
		}
		if k.SameStates && len(before) != len(trials) {
			errs = append(errs, fmt.Errorf("case %d: want as many scenarios as the case before, to compare their states", i+1))
		} else if k.SameStates {
			for j := range trials {
				trials[j].sameAs = before[j]
			}
		}
		before = trials
		p.trials = append(p.trials, trials...)
	}
	return p, errs
}

// planCase makes the searches of one case: one for each scenario.
func planCase(e *model.Entry, k model.Case) (trials []*trial, errs []error) {
	for _, sel := range k.Selections() {
		m, err := e.Machine(sel)
		if err != nil {
			for _, one := range leaves(err) {
				errs = append(errs, errors.Unwrap(one)) // without the spec's name
			}
			continue
		}
		t := &trial{target: target{entry: e, machine: m}, fix: k.Fix, set: k.Set, long: k.Long, known: k.Known}
		if t.fix == "" {
			t.fix = "off"
		}
		errs = append(errs, t.expect(k)...)
		trials = append(trials, t)
	}
	return trials, errs
}

// expect reads the verdicts that a case expects.
func (t *trial) expect(k model.Case) (errs []error) {
	want := k.Expected()
	for _, name := range k.Properties() {
		i, verdict := t.machine.Property(name), want[name]
		if i < 0 {
			errs = append(errs, &model.NameError{Flag: "claim", Kind: "property", Name: name, Have: propertyNames(t.machine)})
			continue
		}
		kind := t.machine.Properties[i].Kind
		if (kind == model.Witness) != (verdict == model.Reached || verdict == model.Unreachable) {
			errs = append(errs, fmt.Errorf("%s: want a verdict that fits the kind, which is %s", name, kind))
		}
		if slices.Contains(t.properties, i) {
			errs = append(errs, fmt.Errorf("%s is named twice", name))
		}
		t.properties = append(t.properties, i)
		t.expected = append(t.expected, expectation{name, verdict})
	}
	if len(t.expected) == 0 {
		errs = append(errs, errors.New("want a verdict to expect"))
	}
	return errs
}
