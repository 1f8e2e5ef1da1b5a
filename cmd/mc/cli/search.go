package cli

import (
	"context"
	"fmt"

	"mc/checker"
	"mc/model"
	"mc/traces"
)

// search makes one search and puts what it found in the form that text, JSON
// and exit code are made of.
func (a *app) search(ctx context.Context, t target, o checker.Options, quiet bool) *traces.Run {
	return runOf(t, a.report(ctx, t, o, quiet), o.Symmetry)
}

// report makes one search.
func (a *app) report(ctx context.Context, t target, o checker.Options, quiet bool) *checker.Report {
	o.Properties = t.properties
	end := a.progressOn(t, &o, quiet)
	r := checker.Check(ctx, t.machine, o)
	end(r)
	a.watched(r)
	return r
}

// watched ends everything if a step of the spec hangs: what hangs goes on and
// cannot be stopped, so the process is to end with what it has.
func (a *app) watched(r *checker.Report) {
	if !r.Hangs() {
		return
	}
	a.hangs = true
	a.note("%s: %v", r.Machine.Name, r.Fault.Fault)
	a.cancel(fmt.Errorf("a step of %s does not end", r.Machine.Name))
}

// namesMember is an error if a property turned out not to go with symmetry:
// a mistake of who asked for both, and not of the spec.
func namesMember(r *checker.Report) error {
	if r.Fault == nil || r.Fault.Fault.Kind != model.NamesMember {
		return nil
	}
	return fmt.Errorf("%s: --symmetry: %s names a member of a symmetric set; judge it without --symmetry", r.Machine.Name, r.Fault.Fault.Where)
}

func runOf(t target, r *checker.Report, symmetry bool) *traces.Run {
	m := t.machine
	run := &traces.Run{
		Spec: m.Name, Bug: t.entry.Bug, Config: m.Config, Incomplete: r.Incomplete,
		Distinct: r.Distinct, Generated: r.Generated, Depth: r.Depth, Cut: r.Cut, Exhausted: r.Exhausted,
		Edges: r.Edges, EdgeBytes: r.EdgeBytes,
		Seconds: r.Elapsed.Seconds(), MemoryBytes: r.Memory, StateBytes: r.StateBytes,
		Location: t.entry.Location(),
	}
	run.Command = t.command()
	if symmetry {
		run.Command += " --symmetry"
	}
	if r.Omission > 0 {
		run.Command += " --store fingerprint"
	}
	for i := range m.Symmetry {
		if symmetry {
			run.Symmetry = append(run.Symmetry, m.Symmetry[i].Name)
		}
	}
	for i, n := range r.Steps {
		if m.Actions[i].Excluded {
			continue
		}
		count := traces.Count{Action: m.Actions[i].Name, Steps: n}
		if c := r.Coverage; c != nil {
			count.Enabled, count.Distinct = c.Actions[i].Enabled, c.Actions[i].Distinct
		}
		run.Actions = append(run.Actions, count)
		if n == 0 && !r.Hangs() {
			run.NeverTaken = append(run.NeverTaken, m.Actions[i].Name)
		}
	}
	run.Levels = r.Levels
	if c := r.Coverage; c != nil {
		for _, f := range c.Fields {
			run.Fields = append(run.Fields, traces.Values{Field: f.Name, Values: f.Values, More: f.More})
		}
		if g := c.Growth; g != nil && g.Field != "" {
			run.Growth = fmt.Sprintf("field %s (%s in the last level) and action %s (%s of its states)",
				g.Field, plural(g.NewValues, "new value"), m.Actions[g.Action].Name, number(g.NewStates))
		}
	}
	for _, res := range r.Results {
		run.Results = append(run.Results, resultOf(r, res))
	}
	if r.Fault != nil {
		run.Fault = m.Trace(r.Fault)
		run.Fault.Shortest = r.Walks == 0
		if !r.Hangs() { // these would take the step again
			addCauses(run.Fault, m, -1, r.Fault)
			run.Fault.Truths = m.Truths(r.Fault)
		}
	}
	return run
}

func resultOf(r *checker.Report, found checker.Result) traces.Result {
	m, p := r.Machine, r.Machine.Properties[found.Property]
	res := traces.Result{
		Property: p.Name, Kind: p.Kind, Meaning: p.Doc, Verdict: found.Verdict,
		Location: p.Location(), Steps: found.Steps, Vacuous: found.Vacuous, NeedsNoFairness: found.NeedsNoFairness,
	}
	if found.Verdict == model.Holds || found.Verdict == model.Unreachable {
		res.Bound, res.Omission = r.Cut, r.Omission
	}
	if b := found.Behaviour; b != nil {
		res.Trace = m.Trace(b)
		res.Trace.Property, res.Trace.Meaning, res.Trace.Kind, res.Trace.Verdict = p.Name, p.Doc, p.Kind, found.Verdict
		res.Trace.Shortest = b.Loop < 0 && r.Walks == 0
		if !r.Hangs() {
			addCauses(res.Trace, m, found.Property, b)
			res.Trace.Truths = m.Truths(b)
		}
	}
	if e := found.Explanation; e != nil {
		res.Explanation = &traces.Explanation{Tried: e.Tried, Part: !r.Exhausted || r.Cut > 0}
		for _, n := range e.Neglected {
			res.Explanation.Neglected = append(res.Explanation.Neglected,
				traces.Neglect{Action: m.Actions[n.Action].Name, Enabled: n.Enabled, States: n.States, Conditions: n.Conditions})
		}
		for _, c := range e.Remedy {
			res.Explanation.Remedy = append(res.Explanation.Remedy, c.Name)
		}
	}
	return res
}
