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
	run := runOf(t, a.report(ctx, t, o, quiet), o)
	a.ended(run)
	return run
}

// report makes one search.
func (a *app) report(ctx context.Context, t target, o checker.Options, quiet bool) *checker.Report {
	o.Properties = t.properties
	a.began(headOf(t, flagsOf(o)))
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

// flagsOf are those of a search in the command that makes it again.
func flagsOf(o checker.Options) (flags string) {
	if o.Symmetry {
		flags += " --symmetry"
	}
	if o.Fingerprints {
		flags += " --store fingerprint"
	}
	return flags
}

// headOf is what is known of a run before it is made.
func headOf(t target, flags string) *traces.Run {
	return &traces.Run{
		Spec: t.machine.Name, Bug: t.entry.Bug, Config: t.machine.Config,
		Location: t.entry.Location(), Command: t.command() + flags,
	}
}

func runOf(t target, r *checker.Report, o checker.Options) *traces.Run {
	m, run := t.machine, headOf(t, flagsOf(o))
	run.Incomplete, run.Exhausted = r.Incomplete, r.Exhausted
	run.Distinct, run.Generated, run.Depth, run.Cut = r.Distinct, r.Generated, r.Depth, r.Cut
	run.Edges, run.EdgeBytes = r.Edges, r.EdgeBytes
	run.Seconds, run.MemoryBytes, run.StateBytes = r.Elapsed.Seconds(), r.Memory, r.StateBytes
	for i := range m.Symmetry {
		if o.Symmetry {
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
