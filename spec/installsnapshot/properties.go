package installsnapshot

import "mc/model"

// guarantees are what the fix makes true in the scenarios run by default. Full
// recovery is among them where an append cannot land after the install, and
// where the environment does not keep F from it.
func (r *rules) guarantees() []model.Property[State] {
	all := []model.Property[State]{
		model.Always("NeverStuckInstalled", func(s *State) bool { return !s.stuck() }).
			Doc("F never holds a finished install that nothing will use"),
		model.LeadsTo("FinishedInstallIsUsed",
			func(s *State) bool { return s.Phase.finished() },
			func(s *State) bool { return s.InProg == 0 }).
			Doc("the result of an install is used, and appends are taken again"),
		model.EveryStep("StuckIsAbsorbing", func(s, t *State) bool {
			rescue := s.Used.Restarts != t.Used.Restarts || s.Used.LeaderChanges != t.Used.LeaderChanges ||
				s.First[s.Leader] != t.First[s.Leader]
			return !s.stuck() || rescue || t.stuck()
		}).Doc("only a restart of F, a new leader, or a purge by the leader ends the stuck state"),
	}
	if r.recovers() {
		all = append(all, r.recovery()...)
	}
	return append(all,
		model.Reachable("InstallFinishes", func(s *State) bool { return s.Phase == Done }).
			Doc("an install comes to its end"),
		model.Reachable("InstallUsed", func(s *State) bool {
			return s.InProg == 0 && s.Snap > 1 && s.Applied == s.Last
		}).Doc("F has used a checkpoint and caught up"))
}

func (r *rules) recovers() bool { return r.stallEnds && !r.nullReturn && !r.peerDown }

// recovery is that F gets well again, and not only unstuck.
func (r *rules) recovery() []model.Property[State] {
	return []model.Property[State]{
		model.EventuallyAlways("FollowerCatchesUp", func(s *State) bool { return s.InProg == 0 && s.Applied == s.Last }).
			Doc("in the end no install is in progress and F has applied the log"),
		model.Always("NoDoubleApply", func(s *State) bool { return !s.Ghost.DoubleApplied }).
			Doc("F applies no entry that its DB has; OM would terminate"),
		model.Always("AppendChainAlive", func(s *State) bool { return s.Chain == Alive }).
			Doc("no accepted append is refused by the log, which would fail all later ones"),
	}
}

// questions are what holds in some configurations only, and ways to reach each
// face of the bug.
func (r *rules) questions() []model.Property[State] {
	escaped := func(way Escape) func(*State) bool {
		return func(s *State) bool { return s.Ghost.Escape == way && s.InProg == 0 }
	}
	var all []model.Property[State]
	if !r.recovers() {
		all = r.recovery()
	}
	return append(all,
		model.Always("NeverStuckNull", func(s *State) bool { return !(s.stuck() && s.Phase == Null) }).
			Doc("F never holds a failed install that nothing will look at"),
		model.Always("NeverStuckRefused", func(s *State) bool {
			return !(s.stuck() && s.refused() && s.next() < s.First[s.Leader])
		}).Doc("F is never stuck where its leader keeps notifying it, below the index of the install"),
		model.LeadsTo("NotStuckIsUsed",
			func(s *State) bool { return s.Phase.finished() },
			func(s *State) bool { return s.InProg == 0 || s.stuck() }).
			Doc("a finished install that is not stuck is used or becomes stuck: the invariant overlooks nothing"),
		model.EveryStep("CommitIndexFixedDuringInstall", func(s, t *State) bool {
			return s.InProg == 0 || t.InProg == 0 || s.FCommit == t.FCommit
		}).Doc("F's commit index does not move while an install is in progress, as a comment in OM says"),
		model.EveryStep("RestartEndsInstall", func(s, t *State) bool {
			return s.Used.Restarts == t.Used.Restarts || t.InProg == 0
		}).Doc("after a restart no install is in progress"),
		model.LeadsTo("CommitsWithPeerDown",
			func(s *State) bool { return s.PeerDown && s.Commit < s.Last },
			func(s *State) bool { return !s.PeerDown || s.Commit == s.Last }).
			Doc("with the other peer down, the leader and F commit what is written"),
		model.LeadsTo("EscapeWorks",
			func(s *State) bool { return s.Ghost.Escape != NoEscape },
			func(s *State) bool { return s.InProg == 0 || s.Ghost.Escape == NoEscape }).
			Doc("a way out of the stuck state, once open, is taken unless another event closes it"),
		model.LeadsTo("EscapeAboveInstallWorks",
			func(s *State) bool { return s.Ghost.Escape != NoEscape && !s.refused() },
			func(s *State) bool { return s.InProg == 0 || s.Ghost.Escape == NoEscape }).
			Doc("it is taken where the leader's first index is not below that of the install"),

		model.Reachable("CommitsWhileStuck", func(s *State) bool { return s.stuck() && s.Commit > s.Ckpt && s.Ckpt > 0 }).
			Doc("the cluster commits beyond the checkpoint while F is stuck"),
		model.Reachable("StuckWithNoMargin", func(s *State) bool { return s.stuck() && s.PeerDown && s.Commit < s.Last }).
			Doc("F is stuck, the other peer is down, and a write waits for a majority"),
		model.Reachable("EscapeByRestart", escaped(Restart)).Doc("F was stuck and got out by a restart"),
		model.Reachable("EscapeByPurge", escaped(Purge)).Doc("F was stuck and got out by a purge beyond its next index"),
		model.Reachable("EscapeByLeader", escaped(NewLeader)).Doc("F was stuck and got out by a leader whose log begins beyond its next index"))
}

// stuck says that F holds a finished install, has rejected an append because
// of it, and that nothing will make the leader notify F, or F will throw when
// it does.
func (s *State) stuck() bool {
	return s.Phase.finished() && s.Ghost.Ignored && (s.unnotified() || s.refused())
}

// unnotified says that the leader has no reason to notify F: its view, F's
// next index, and what each reply under way makes of the view are entries that
// it has. F's next index has to lie strictly above the leader's first: at that
// index a rejected append takes the view one lower, and a notification follows.
func (s *State) unnotified() bool {
	first := s.First[s.Leader]
	if s.next() <= first || s.View < first {
		return false
	}
	if s.HbReply != 0 && s.afterReject(0, s.HbReply) < first ||
		s.InstallReply != 0 && s.InstallReply+1 < first {
		return false
	}
	for _, by := range s.EntryReplies.All() {
		if s.afterReject(by.First, by.Next) < first {
			return false
		}
	}
	return true
}

// refused says that F throws at the leader's notifications: they name an index
// below that of the install in progress.
func (s *State) refused() bool { return s.InProg > s.First[s.Leader] }
