package vet

import (
	"slices"

	"mc/checker"
	"mc/model"
	"mc/model/inspect"
)

// idleParameter finds a parameter of which all values do the same. That single
// states showed no difference makes it suspect; whole spaces have to confirm it.
func (v *vetting) idleParameter(p inspect.Parameter, trials []*trial) {
	var a *model.ActionInfo // of some machine that can take the action
	for _, t := range trials {
		i := slices.IndexFunc(t.machine.Actions, func(a model.ActionInfo) bool { return a.Name == p.Action && !a.Excluded })
		if i < 0 {
			continue
		}
		v.tell("action %s", p.Action)
		space, err := checker.Explore(v.ctx, t.machine, checker.SpaceOptions{Properties: []int{}, MaxNodes: trialStates, MaxStates: trialStates})
		if err != nil {
			continue // too large
		}
		if a = &t.machine.Actions[i]; parameterMatters(a, p.At, space) {
			return
		}
	}
	if a == nil {
		v.incomplete("action %s: whether its parameters change anything: every space is larger than %d states", p.Action, trialStates)
		return
	}
	v.find(a.Location(), "action %s: parameter %s changes nothing: all its values lead to the same states", a.Name, a.Params[p.At].Name)
}

// parameterMatters says whether some step has an instance of an action, and not
// all that differ from it in one parameter alone.
func parameterMatters(a *model.ActionInfo, at int, space *checker.Space) bool {
	stride, values := 1, len(a.Params[at].Values)
	for _, d := range a.Params[at+1:] {
		stride *= len(d.Values)
	}
	for _, arc := range space.Arcs {
		for _, l := range arc.Labels {
			n := int(l) - int(a.First)
			if n < 0 || n >= a.Instances {
				continue
			}
			first := n - n/stride%values*stride
			for k := range values {
				if _, has := slices.BinarySearch(arc.Labels, a.First+model.Label(first+k*stride)); !has {
					return true
				}
			}
		}
	}
	return false
}
