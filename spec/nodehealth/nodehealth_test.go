package nodehealth

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mc/checker"
	"mc/checker/checkertest"
	"mc/model"
	"mc/model/modeltest"
)

func TestSpec(t *testing.T) { modeltest.Run(t, Entry) }

// TestFix searches the default scenarios to their end, without the fix and
// with it.
func TestFix(t *testing.T) {
	const bug = "NoStrandedReplicaOnDeadNode DeadNodeEventuallyForgotten HealthyContainerHasReachableCopy FullReplicationIsReal " +
		"NoEraseByLateDeadline NoEraseOutsideCheckWindow NoEraseAfterResurrection"
	for _, row := range []struct {
		scenario, fix       string
		distinct, generated uint64
		depth               int
		violated            string
	}{
		{"scm", "off", 4091, 12646, 36, bug},
		{"scm", "on", 930, 2876, 34, ""},
		{"recon", "off", 7102, 22047, 40, bug},
		{"recon", "on", 2351, 7454, 36, ""},
		{"recon-network", "off", 4638, 14108, 38, bug},
		{"recon-network", "on", 1389, 4126, 36, ""},
		{"recon-sync", "off", 14204, 51195, 41, bug},
		{"recon-sync", "on", 4702, 17258, 37, ""},
		{"scm-pair", "off", 8182, 32526, 43, strings.Replace(bug, "HealthyContainerHasReachableCopy ", "", 1)},
		{"scm-pair", "on", 1860, 7394, 41, ""},
	} {
		r := checkertest.Search(t, Entry, model.Selection{Scenario: row.scenario, Fix: []string{row.fix}})
		var violated []string
		for _, res := range r.Results {
			if res.Verdict == model.Violated || res.Verdict == model.Unreachable {
				violated = append(violated, r.Machine.Properties[res.Property].Name)
			}
		}
		if got := strings.Join(violated, " "); got != row.violated || !r.Exhausted {
			t.Errorf("%s, fix %s: got violated: %s; want: %s; exhausted %v", row.scenario, row.fix, got, row.violated, r.Exhausted)
		}
		if r.Distinct != row.distinct || r.Generated != row.generated || r.Depth != row.depth {
			t.Errorf("%s, fix %s: got %d distinct, %d generated, depth %d; want %d, %d, %d", row.scenario, row.fix,
				r.Distinct, r.Generated, r.Depth, row.distinct, row.generated, row.depth)
		}
	}
}

// TestBehaviours pins the counterexamples to read first, and replays them.
func TestBehaviours(t *testing.T) {
	const (
		tick, check = "Tick", "HealthCheck"
		stop, back  = "Stop(datanode=dn1)", "Return(datanode=dn1)"
		register    = "Register(datanode=dn1)"
		heartbeat   = "Heartbeat(datanode=dn1)"
		apply       = "ApplyReport(datanode=dn1)"
		start       = "HandlerStart"
		containers  = "CloseContainers"
		pipelines   = "DestroyPipelines"
		begin       = "BeginRemoval"
		remove      = "RemoveReplica(container=c1)"
	)
	late := []string{tick, check, stop, tick, check, tick}
	dead := append(slices.Clone(late), check, start, containers, pipelines)
	for _, row := range []struct {
		name, scenario, fix, property string
		before, steps                 []string
		loop                          int
		closedBy                      string // the fix that makes it go away
	}{
		{"stopped again", "scm", "off", "NoStrandedReplicaOnDeadNode",
			dead, []string{begin, remove, back, register, stop, apply}, -1, "on"},
		{"late deadline", "scm", "off", "NoEraseByLateDeadline",
			late, []string{back, register, check, start, containers, pipelines, begin, apply, remove}, -1, "on"},
		{"back too early", "scm", "off", "NoEraseOutsideCheckWindow",
			dead, []string{begin, back, register, apply, remove}, -1, "on"},
		{"back to life", "scm", "off", "NoEraseAfterResurrection",
			dead, []string{back, register, heartbeat, check, begin, apply, remove}, -1, "on"},
		{"lost network", "recon-network", "off", "NoStrandedReplicaOnDeadNode",
			dead, []string{begin, remove, back, heartbeat, register, stop, apply}, -1, "on"},
		{"for ever", "scm", "off", "DeadNodeEventuallyForgotten",
			dead, []string{begin, remove, back, register, stop, apply, tick, check}, 16, "on"},
		{"what the fix leaves", "scm", "on", "NoEraseInCheckWindow",
			dead, []string{back, register, apply, begin, remove}, -1, "refresh-on-register,recheck-heartbeat-age"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := checkertest.Search(t, Entry, model.Selection{Scenario: row.scenario, Fix: []string{row.fix}}, row.property)
			b := r.Results[0].Behaviour
			if b == nil {
				t.Fatalf("%s: got %s, want violated", row.property, r.Results[0].Verdict)
			}
			var steps []string
			for _, l := range b.Labels {
				steps = append(steps, r.Machine.Instance(l).String())
			}
			if want := slices.Concat(row.before, row.steps); !slices.Equal(steps, want) || b.Loop != row.loop {
				t.Errorf("got %v, loop %d; want %v, loop %d", steps, b.Loop, want, row.loop)
			}
			if err := r.Machine.Replay(b); err != nil {
				t.Error(err)
			}
			closed := checkertest.Search(t, Entry, model.Selection{Scenario: row.scenario, Fix: strings.Split(row.closedBy, ",")}, row.property)
			if v := closed.Results[0].Verdict; v != model.Holds {
				t.Errorf("with %s: got %s, want holds", row.closedBy, v)
			}
		})
	}
}

// TestStrandedIsForEver compares the invariant with the temporal property that
// it stands for, wherever no change of an operational state is sure to come.
func TestStrandedIsForEver(t *testing.T) {
	seen := map[string]bool{}
	for _, claim := range claims {
		for _, c := range claim.Cases {
			for _, sel := range c.Selections() {
				key := fmt.Sprint(sel)
				if seen[key] || sel.Set["op-changes"] == "fair" || c.Long {
					continue
				}
				seen[key] = true
				r := checkertest.Search(t, Entry, sel, "NoStrandedReplicaOnDeadNode", "DeadNodeEventuallyForgotten")
				if a, b := r.Results[0].Verdict, r.Results[1].Verdict; a != b {
					t.Errorf("%s %v fix %v: the invariant %s, the temporal property %s", sel.Scenario, sel.Set, sel.Fix, a, b)
				}
			}
		}
	}
}

// TestNext pins what a health check makes of a heartbeat time.
func TestNext(t *testing.T) {
	r := &rules{stale: 2, dead: 3}
	for _, row := range []struct {
		health Health
		want   [4]Health // by age
	}{
		{Healthy, [4]Health{Healthy, Healthy, Stale, Stale}},
		{ReadOnly, [4]Health{Healthy, Healthy, Stale, Stale}},
		{Stale, [4]Health{ReadOnly, ReadOnly, Stale, Dead}},
		{Dead, [4]Health{ReadOnly, ReadOnly, Dead, Dead}},
	} {
		for age, want := range row.want {
			if got := r.next(&DN{Health: row.health, Age: Ticks(age)}); got != want {
				t.Errorf("%v, age %d: got %v, want %v", row.health, age, got, want)
			}
		}
	}
}

func TestEnqueue(t *testing.T) {
	for _, row := range []struct {
		reports []Report
		want    string
	}{
		{[]Report{REG, FCR}, "[FCR]"},
		{[]Report{REG, ICR, FCR}, "[ICR(c1) FCR]"},
		{[]Report{FCR, ICR + 1, ICR, ICR + 1, REG}, "[ICR(c2) ICR(c1) REG]"},
	} {
		var d DN
		for _, p := range row.reports {
			d.enqueue(p)
		}
		if got := d.ReportQ.String(); got != row.want {
			t.Errorf("%v: got %s, want %s", row.reports, got, row.want)
		}
	}
}

// TestSymmetry compares searches with and without it: the same verdicts, and
// about half the states.
func TestSymmetry(t *testing.T) {
	for _, row := range []struct {
		set map[string]string
		fix string
	}{
		{map[string]string{"faulty": "2", "stops": "1"}, "on"},
		{map[string]string{"containers": "2", "report-on-heartbeat": "incremental", "stops": "1"}, "off"},
	} {
		m, err := Entry.Machine(model.Selection{Set: row.set, Fix: []string{row.fix}})
		if err != nil {
			t.Fatal(err)
		}
		var o checker.Options
		for i, p := range m.Properties {
			if !p.Question && !p.Kind.Temporal() {
				o.Properties = append(o.Properties, i)
			}
		}
		whole := checker.Check(t.Context(), m, o)
		o.Symmetry = true
		half := checker.Check(t.Context(), m, o)
		if half.Fault != nil {
			t.Fatalf("%v: %v", row.set, half.Fault.Fault)
		}
		if half.Distinct < whole.Distinct/2 || half.Distinct > whole.Distinct*7/10 {
			t.Errorf("%v: got %d orbits of %d states, want about half", row.set, half.Distinct, whole.Distinct)
		}
		for i, r := range half.Results {
			if r.Verdict != whole.Results[i].Verdict {
				t.Errorf("%v: %s: got %s, want %s", row.set, m.Properties[r.Property].Name, r.Verdict, whole.Results[i].Verdict)
			}
		}
	}
}

func TestStory(t *testing.T) {
	if s := Entry.Story; !strings.HasPrefix(s, "Apache") || strings.Contains(s, "//") || strings.Contains(s, "package") {
		t.Errorf("story: %s", s)
	}
}
