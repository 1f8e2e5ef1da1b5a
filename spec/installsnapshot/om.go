package installsnapshot

import "mc/model"

// om is the thread InstallSnapshotThread of F's Ozone Manager. Replacing the
// DB, completing the future, and the reload that a notification starts later
// are three steps.
func (r *rules) om() []model.Action[State] {
	phase := func(p Phase) model.Conjunct[func(*State) bool] {
		return model.If(p.String(), func(s *State) bool { return s.Phase == p })
	}
	noStall := func(s *State) bool { return !r.stallEnds || s.Acc.Empty() }
	return []model.Action[State]{
		model.Act("TakeCheckpoint", model.All(phase(Requested)),
			func(s *State) { s.Phase, s.Ckpt = Downloading, s.Commit }).
			Doc("OmRatisSnapshotProvider.downloadDBSnapshotFromLeader: a checkpoint of the notifying leader's DB").
			Fair(model.Weak),
		model.Act("DownloadFails", model.All(
			model.If("requested or downloading", func(s *State) bool { return s.Phase == Requested || s.Phase == Downloading })),
			(*State).nothing).
			Doc("OzoneManager.installSnapshotFromLeader returns null").
			When(r.nullReturn),
		model.Act("SwapDb", model.All(phase(Downloading), model.If("stall over", noStall),
			model.If("all applied", func(s *State) bool { return !r.waitApplied || s.Applied == s.FCommit })),
			r.swap).
			Doc("OzoneManager.installCheckpoint: the checkpoint becomes the DB").
			Fair(model.Weak).
			When(!r.scm),
		model.Act("CompleteFuture", model.All(
			model.If("install over", func(s *State) bool {
				return s.Phase == Swapped || r.scm && s.Phase == Downloading && noStall(s)
			})), r.complete).
			Doc("the callback of OzoneManagerStateMachine.notifyInstallSnapshotFromLeader stores the checkpoint's index").
			Fair(model.Weak),
	}
}

// nothing completes the future with null.
func (s *State) nothing() { s.Phase, s.Ckpt = Null, 0 }

// hasFirst says that F's log has the entry that it lacked when the leader
// notified it.
func (s *State) hasFirst() bool { return s.LogEnd >= s.InProg }

func (r *rules) swap(s *State) {
	switch {
	case r.preSwap && s.hasFirst(), r.leaderPreSwap && s.Moved:
		s.endInstall() // the future fails
	case s.Ckpt < s.DB:
		s.nothing()
	case s.Ckpt > s.DB:
		s.DB, s.OSnap = s.Ckpt, s.Ckpt
		s.Phase = Swapped
	default:
		s.Phase = Swapped
	}
}

func (r *rules) complete(s *State) {
	switch {
	case r.postSwap && s.hasFirst(), r.leaderAtEnd && s.Moved:
		s.endInstall() // the future fails, but the DB stays replaced
	case s.Phase == Downloading && s.Ckpt <= s.DB:
		s.nothing()
	case r.reloadAtEnd:
		r.reload(s)
		s.endInstall()
	case r.reloadEarly:
		r.reload(s)
		s.Phase = Done
	default:
		s.Phase = Done
	}
}
