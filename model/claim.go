package model

import "strings"

// Claim is a statement about the system that the checker confirms or refutes.
type Claim struct {
	ID     string
	Text   string
	Source string // the report, or "ours"
	Cases  []Case
	// NotModelled says why a claim of the report has no cases.
	NotModelled string
}

// Case is a claim in one configuration. Its lists are names separated by
// spaces.
type Case struct {
	Scenarios string // each of these in turn; the settings' defaults if empty
	Set       string // settings on top of the scenario's, as --set takes them
	Fix       string // as --fix takes it; off when empty

	Holds, Violated, Reachable, Unreachable string // properties by the verdict expected

	// SameStates says that the case must find as many distinct states as the
	// case before it, and as many generated.
	SameStates bool
	Long       bool // takes over about 10 seconds
	// Known says why the case is known to come out differently: the claim is
	// in doubt, and the case keeps it in view. It must differ then.
	Known string
}

// Expected maps each property that the case names to the verdict expected.
func (c *Case) Expected() map[string]Verdict {
	want := map[string]Verdict{}
	for verdict, names := range map[Verdict]string{
		Holds: c.Holds, Violated: c.Violated, Reached: c.Reachable, Unreachable: c.Unreachable,
	} {
		for _, name := range strings.Fields(names) {
			want[name] = verdict
		}
	}
	return want
}

// Properties are the properties that the case names, in its order.
func (c *Case) Properties() []string {
	return strings.Fields(c.Holds + " " + c.Violated + " " + c.Reachable + " " + c.Unreachable)
}

// Selections are the configurations of the case, one for each scenario. A
// malformed Set is kept whole, so that making the machine reports it.
func (c *Case) Selections() (all []Selection) {
	set, err := ParseSet(c.Set)
	if err != nil {
		set = map[string]string{c.Set: ""}
	}
	var fix []string
	if c.Fix != "" {
		fix = strings.Split(c.Fix, ",")
	}
	scenarios := strings.Fields(c.Scenarios)
	if len(scenarios) == 0 {
		scenarios = []string{""}
	}
	for _, s := range scenarios {
		all = append(all, Selection{Scenario: s, Set: set, Fix: fix})
	}
	return all
}
