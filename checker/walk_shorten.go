package checker

import (
	"errors"
	"slices"

	"mc/checker/seen"
	"mc/model"
)

// shortening makes one behaviour shorter while it still ends with what it is
// to show:
//
//   - it ends where that is shown first;
//   - between two visits of one state nothing stays;
//   - steps are left out, halves of all of them first and single ones last,
//     while the others still lead there (Zeller and Hildebrandt, "Simplifying
//     and Isolating Failure-Inducing Input", 2002). A step that the others have
//     made possible, and that is not when they are left out, goes with them;
//   - a small search around each state looks for a shorter way to a later one,
//     or to another state that shows the same.
//
// What comes out shows it no longer when any one of its steps is left out,
// unless the behaviour was so long that retries ran out first. It is not always
// a shortest one.
type shortening struct {
	*walker
	property int // index, or that of faults
	retries  int // steps that may still be tried
	tried    *model.Batch
	fan      *model.Batch // successors, while looking for shortcuts
}

const (
	// maxRetries bounds the time for one finding to about a quarter of a
	// second.
	maxRetries = 1 << 20
	// shortcutStates is how many states a search for shortcuts looks at: some
	// four steps ahead in most specs, a millisecond.
	shortcutStates = 256
)

func (w *walker) newShortening(property int) *shortening {
	m := w.s.m
	return &shortening{walker: w, property: property, retries: maxRetries,
		tried: m.NewBatch(1), fan: m.NewBatch(1)}
}

// shorten makes the behaviour of a finding, as short as leaving out steps makes
// it.
func (w *walker) shorten(property int, f find) *model.Behaviour {
	s := w.newShortening(property)
	b, err := s.retrace(f)
	switch {
	case f.odd != nil:
		return s.blame(b, f.odd)
	case err != nil:
		return s.unexplained(b, err)
	case w.run.o.Raw:
		return b
	}
	return s.drop(s.withoutLoops(b))
}

// polish makes a behaviour as short as it can, and adds the fault that it
// leads to.
func (w *walker) polish(property int, b *model.Behaviour) *model.Behaviour {
	if b.Fault != nil {
		return b
	}
	s := w.newShortening(property)
	for c := s.shortcut(b); c != nil && !w.run.o.Raw; c = s.shortcut(b) {
		b = s.drop(s.withoutLoops(c))
	}
	last := b.Steps()
	if property == w.run.fault() {
		b.Fault = w.faultAt(seen.Missing, b.States[last])
	}
	if err := w.s.m.Replay(b); err != nil {
		return s.unexplained(b, err)
	}
	var previous []byte
	if last > 0 {
		previous = b.States[last-1]
	}
	if !s.shows(previous, b.States[last]) {
		return s.unexplained(b, errors.New("it shows nothing"))
	}
	return b
}

// rejoins is the number of a behaviour's states at which another way to the
// state may replace what leads there: all, but for the last one where the step
// to it is what counts.
func (s *shortening) rejoins(b *model.Behaviour) int {
	if s.property < s.run.fault() && s.s.m.Properties[s.property].Kind == model.StepInvariant {
		return len(b.States) - 1
	}
	return len(b.States)
}

// withoutLoops leaves out what lies between two visits of one state.
func (s *shortening) withoutLoops(b *model.Behaviour) *model.Behaviour {
	n := s.rejoins(b)
	last := make(map[string]int, n)
	for i := range n {
		last[string(b.States[i])] = i
	}
	c := &model.Behaviour{Loop: -1}
	for i := 0; i < len(b.States); i++ {
		if i < n {
			i = last[string(b.States[i])]
		}
		c.States = append(c.States, b.States[i])
		if i < len(b.Labels) {
			c.Labels = append(c.Labels, b.Labels[i])
		}
	}
	return c
}

// drop leaves out chunks of steps, ever smaller ones, until no single step can
// be left out.
func (s *shortening) drop(b *model.Behaviour) *model.Behaviour {
	for size := max(1, b.Steps()/2); ; {
		dropped := false
		for at := 0; at+size <= b.Steps() && s.retries > 0; {
			if c := s.without(b, at, at+size); c != nil {
				b, dropped = c, true
			} else {
				at += size
			}
		}
		switch {
		case size > 1:
			size /= 2
		case !dropped:
			return b
		}
	}
}

// without takes the steps of a behaviour but for those from one up to another,
// passing over those that cannot be taken, until the finding shows. It returns
// nil if that never happens.
func (s *shortening) without(b *model.Behaviour, from, to int) *model.Behaviour {
	s.tried.Truncate(0)
	at := b.States[from]
	if within, fault := s.eval.Within(at); !within || fault != nil {
		return nil
	}
	for _, l := range b.Labels[to:] {
		s.retries--
		next, blocked, fault := s.eval.Step(at, l)
		if fault != nil {
			return nil
		}
		if blocked != "" || seen.Equal(next, at) {
			continue
		}
		s.tried.Append(next)
		i := s.tried.Len() - 1
		s.tried.Labels[i] = l
		previous := at
		at = s.tried.State(i)
		if s.shows(previous, at) {
			return s.spliced(b, from)
		}
		if within, fault := s.eval.Within(at); !within || fault != nil {
			return nil
		}
	}
	return nil
}

// spliced is the beginning of a behaviour with the steps tried after it.
func (s *shortening) spliced(b *model.Behaviour, from int) *model.Behaviour {
	c := &model.Behaviour{Loop: -1, States: slices.Clone(b.States[:from+1]), Labels: slices.Clone(b.Labels[:from])}
	for i, l := range s.tried.Labels {
		c.States, c.Labels = append(c.States, slices.Clone(s.tried.State(i))), append(c.Labels, l)
	}
	return c
}
