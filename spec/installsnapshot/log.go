package installsnapshot

import "mc/model"

// log is what F's threads do with accepted appends and committed entries.
// None of them looks at the install.
func (r *rules) log() []model.Action[State] {
	return []model.Action[State]{
		model.Act("LandQueued", model.All(
			model.If("append queued", func(s *State) bool { return s.count(Queued) > 0 }),
			model.If("earlier ones flushed", func(s *State) bool { return !r.compose || s.count(Written) == 0 })),
			r.land).
			Doc("RaftServerImpl.appendLog: an accepted append goes into the log, unchecked, when the one before it is flushed").
			Fair(model.Weak).
			When(!r.atomic),
		model.Act("Flush", model.All(
			model.If("append written", func(s *State) bool { return s.count(Written) > 0 })),
			r.flush).
			Doc("SegmentedRaftLogWorker.flushIfNecessary: the commit index follows, and SUCCESS is sent").
			Fair(model.Weak),
		model.Act("Apply", model.All(
			model.If("entry committed", func(s *State) bool { return s.Applied < s.FCommit }),
			model.If("entry in the log", func(s *State) bool { return s.Snap <= s.Applied && s.Applied < s.LogEnd }),
			model.If("not held", func(s *State) bool { return !r.holdApply || s.Phase != Swapped && s.Phase != Done })),
			func(s *State) {
				s.Applied++
				s.Ghost.DoubleApplied = s.Ghost.DoubleApplied || s.Applied <= s.DB
				s.DB = max(s.DB, s.Applied)
			}).
			Doc("StateMachineUpdater.applyLog: the next entry by Ratis' own count, whatever the DB has").
			Fair(model.Weak),
	}
}

// land puts the first queued append into the log. One that does not fit fails,
// and in a chain all later ones fail with it.
func (r *rules) land(s *State) {
	at := s.count(Written)
	a := s.Acc.At(at)
	if s.Snap < a.From && a.From <= s.next() {
		a.Stage = Written
		s.Acc.Put(at, a)
		s.LogEnd = max(s.LogEnd, a.To)
		return
	}
	s.dropQueued()
	if r.compose {
		s.Chain = Dead
	}
}

func (r *rules) flush(s *State) {
	a := s.Acc.Pop()
	s.FCommit = max(s.FCommit, min(a.Commit, a.To))
	if a.Current {
		s.Ack = max(s.Ack, a.To)
	}
	if r.atomic && s.count(Queued) > 0 {
		r.land(s)
	}
}
