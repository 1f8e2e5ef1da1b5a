package cli

import (
	"context"

	"mc/checker"
	"mc/model"
	"mc/traces"
)

// search makes one search and puts what it found in the form that text, JSON
// and exit code are made of.
func (a *app) search(ctx context.Context, t target, o checker.Options, quiet bool) *traces.Run {
	o.Properties = t.properties
	if !quiet {
		defer a.progressOn(t, &o)()
	}
	return runOf(t, checker.Check(ctx, t.machine, o))
}

func runOf(t target, r *checker.Report) *traces.Run {
	m := t.machine
	run := &traces.Run{
		Spec: m.Name, Bug: t.entry.Bug, Config: m.Config, Incomplete: r.Incomplete,
		Distinct: r.Distinct, Generated: r.Generated, Depth: r.Depth, Cut: r.Cut, Exhausted: r.Exhausted,
		Seconds: r.Elapsed.Seconds(), MemoryBytes: r.Memory, StateBytes: r.StateBytes,
	}
	for i, n := range r.Steps {
		run.Actions = append(run.Actions, traces.Count{Action: m.Actions[i].Name, Steps: n})
		if n == 0 {
			run.NeverTaken = append(run.NeverTaken, m.Actions[i].Name)
		}
	}
	for _, res := range r.Results {
		run.Results = append(run.Results, resultOf(m, res, r.Cut))
	}
	if r.Fault != nil {
		run.Fault = m.Trace(r.Fault)
	}
	return run
}

func resultOf(m *model.Machine, r checker.Result, cut uint64) traces.Result {
	p := m.Properties[r.Property]
	res := traces.Result{Property: p.Name, Kind: p.Kind, Meaning: p.Doc, Verdict: r.Verdict}
	if r.Verdict == model.Holds || r.Verdict == model.Unreachable {
		res.Bound = cut
	}
	if r.Behaviour != nil {
		res.Steps = r.Behaviour.Steps()
		res.Trace = m.Trace(r.Behaviour)
		res.Trace.Property, res.Trace.Meaning, res.Trace.Verdict = p.Name, p.Doc, r.Verdict
	}
	return res
}
