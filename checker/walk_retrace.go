package checker

import (
	"errors"
	"fmt"
	"slices"

	"mc/checker/seen"
	"mc/model"
)

// shows says whether a behaviour whose last step is the one given, if it has
// any, shows the finding.
func (s *shortening) shows(from, to []byte) bool {
	if s.property == s.run.fault() {
		return s.faultAt(seen.Missing, to) != nil
	}
	switch s.s.m.Properties[s.property].Kind {
	case model.StepInvariant:
		if from == nil || seen.Equal(from, to) {
			return false
		}
		at, fault := s.eval.JudgeStep(from, to, []int{s.property})
		return at == 0 && fault == nil
	case model.NoDeadlock:
		s.batch.Truncate(0)
		if !s.expandInto(s.batch, to) {
			return false
		}
		s.batch.Truncate(s.batch.Sift(0, 0, s.batch.Len(), to))
		terminal, fault := s.eval.Terminal(to)
		return s.batch.Len() == 0 && !terminal && fault == nil
	default:
		at, fault := s.eval.Judge(to, []int{s.property})
		return at == 0 && fault == nil
	}
}

// retrace takes the steps of a finding to where it shows first.
func (s *shortening) retrace(f find) (*model.Behaviour, error) {
	b := &model.Behaviour{States: [][]byte{s.s.m.Init[f.initial]}, Loop: -1}
	if f.odd == nil && s.shows(nil, b.States[0]) {
		return b, nil
	}
	for i, l := range f.labels {
		next, blocked, fault := s.eval.Step(b.States[i], l)
		if blocked != "" || fault != nil {
			return b, fmt.Errorf("step %d of a walk cannot be taken again", i+1)
		}
		b.States, b.Labels = append(b.States, slices.Clone(next)), append(b.Labels, l)
		if f.odd == nil && s.shows(b.States[i], b.States[i+1]) {
			return b, nil
		}
	}
	return b, errors.New("the finding of a walk is missing")
}

// unexplained is called when the model does not do again what it did in the
// walk. If expansions of some state differ, the spec is to blame; if none
// does, we are.
func (s *shortening) unexplained(b *model.Behaviour, why error) *model.Behaviour {
	for i, state := range b.States {
		if f := s.differs(state); f != nil {
			return s.blame(&model.Behaviour{States: b.States[:i+1], Labels: b.Labels[:i], Loop: -1}, f)
		}
	}
	panic(Mismatch{why})
}

// blame ends a behaviour with the fault of not being a function, if it can be
// taken again so far.
func (s *shortening) blame(b *model.Behaviour, f *model.Fault) *model.Behaviour {
	if s.s.m.Replay(b) != nil {
		b = &model.Behaviour{States: b.States[:1], Loop: -1}
	}
	b.Fault = f
	return b
}
