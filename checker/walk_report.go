package checker

import (
	"cmp"
	"slices"
	"time"

	"mc/model"
)

// find is the walk to something found: where it began and the steps it took.
type find struct {
	walk    int
	initial int // index into Machine.Init
	labels  []model.Label
	odd     *model.Fault // a state whose expansions differed, at the end
}

// candidates is how many findings of a property are kept to be shortened, and
// the shortest of what comes out is shown: a long walk often comes out shorter
// than a short one.
const candidates = 4

// before orders findings of one property, so that those kept do not depend on
// who found them: by their steps, then by the number of the walk, which has at
// most one of a property.
func before(a, b find) int {
	return cmp.Or(len(a.labels)-len(b.labels), a.walk-b.walk)
}

// keep adds a finding if it is among the first candidates of them.
func keep(fs []find, f find) []find {
	at, _ := slices.BinarySearchFunc(fs, f, before)
	fs = slices.Insert(fs, at, f)
	return fs[:min(len(fs), candidates)]
}

// collect takes over what the workers found and no longer judges what that
// decides.
func (s *walks) collect() {
	for _, w := range s.crew {
		for p, fs := range w.finds {
			for _, f := range fs {
				s.finds[p] = keep(s.finds[p], f)
			}
			w.finds[p] = w.finds[p][:0]
		}
	}
	decided := func(p int) bool { return len(s.finds[p]) > 0 }
	s.states = slices.DeleteFunc(s.states, decided)
	s.steps = slices.DeleteFunc(s.steps, decided)
	if s.deadlock >= 0 && decided(s.deadlock) {
		s.deadlock = -1
	}
}

// behaviours makes a behaviour for each property with findings, and nil for
// the others; the last is that of a fault.
func (s *walks) behaviours() []*model.Behaviour {
	type task struct{ property, at int }
	var tasks []task
	made := make([][]*model.Behaviour, len(s.finds))
	for p, fs := range s.finds {
		made[p] = make([]*model.Behaviour, len(fs))
		for i := range fs {
			tasks = append(tasks, task{p, i})
		}
	}
	s.each(len(tasks), func(w *walker, i int) {
		t := tasks[i]
		made[t.property][t.at] = w.shorten(t.property, s.finds[t.property][t.at])
	})
	best := make([]*model.Behaviour, len(s.finds))
	s.each(len(best), func(w *walker, p int) {
		if len(made[p]) > 0 {
			best[p] = w.polish(p, slices.MinFunc(made[p], shorter))
		}
	})
	return best
}

// shorter orders behaviours by their steps, then by their labels. One that
// blames the spec for not being a function is not chosen while there is a
// better one.
func shorter(a, b *model.Behaviour) int {
	blames := func(b *model.Behaviour) int {
		if b.Fault != nil && b.Fault.Kind == model.NotAFunction {
			return 1
		}
		return 0
	}
	return cmp.Or(blames(a)-blames(b), a.Steps()-b.Steps(), slices.Compare(a.Labels, b.Labels))
}

// counts are the figures of a report.
func (s *walks) counts() *Report {
	r := &Report{
		Machine: s.m, Incomplete: s.incomplete, StateBytes: s.m.StateBytes,
		Steps: make([]uint64, len(s.m.Actions)),
	}
	var all sketch
	for _, w := range s.crew {
		all.merge(&w.sketch)
		r.Walks += w.taken
		r.Generated += w.generated
		r.Cut += w.cut
		r.Depth = max(r.Depth, w.longest)
		for label, n := range w.steps {
			if n > 0 {
				r.Steps[s.m.ActionOf(model.Label(label))] += n
			}
		}
	}
	r.Distinct = min(all.estimate(), r.Generated)
	return r
}

// tell tells progress when it is time.
func (s *walks) tell() {
	if s.o.Progress == nil || time.Since(s.told) < s.o.ProgressEvery {
		return
	}
	s.told = time.Now()
	r := s.counts()
	s.o.Progress(Progress{
		Distinct: r.Distinct, Generated: r.Generated, Depth: r.Depth,
		Walks: r.Walks, Elapsed: time.Since(s.started),
	})
}

// report puts together what was found.
func (s *walks) report() *Report {
	r := s.counts()
	behaviours := s.behaviours()
	for _, b := range behaviours {
		if b != nil && b.Fault != nil && (r.Fault == nil || shorter(b, r.Fault) < 0) {
			r.Fault = b
		}
	}
	for _, p := range s.o.Properties {
		res := Result{Property: p, Verdict: model.Incomplete}
		if b := behaviours[p]; b != nil && b.Fault == nil {
			res.Verdict, res.Steps, res.Behaviour = model.Violated, b.Steps(), b
			if s.m.Properties[p].Kind == model.Witness {
				res.Verdict = model.Reached
			}
		}
		r.Results = append(r.Results, res)
	}
	if r.Fault != nil {
		r.Incomplete = "the spec is at fault"
	}
	r.Elapsed = time.Since(s.started)
	return r
}
