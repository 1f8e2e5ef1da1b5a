package appendwindow

import "mc/model"

// guarantees are what the fix makes true in the scenarios run by default.
func (r *rules) guarantees() []model.Property[State] {
	return []model.Property[State]{
		model.Always("NoPermanentHang", func(s *State) bool { return !r.stuck(s) }).
			Doc("no window full of requests that timed out, with entries to send and nothing under way that could open it"),
		model.EventuallyAlways("FollowerCatchesUp", caughtUp).
			Doc("in the end the follower's log has every entry"),
		model.AlwaysEventually("HeartbeatsFlow", func(s *State) bool { return s.Hb.Phase > Sent }).
			Doc("heartbeats are answered again and again"),
		model.LeadsTo("FirstReplyComes",
			func(s *State) bool { return !s.FirstReply },
			func(s *State) bool { return s.FirstReply }).
			Doc("a new stream has a reply one day; until then it has one request only"),
		model.Always("WindowRespected", func(s *State) bool { return s.pending() <= r.window }).
			Doc("the RequestMap never has more log requests than the window"),
		model.Always("NoBadAppend", func(s *State) bool { return !s.Ghost.Bad }).
			Doc("the follower appends no entry beyond a gap and none that it has purged"),
		model.Always("CommitWithinLog", func(s *State) bool { return s.FCommit <= max(s.FFlushed, s.FSnap) }).
			Doc("what the follower takes for committed, it has on disk"),
		model.Always("AckedIsDurable", func(s *State) bool { return s.Match <= max(s.FFlushed, s.FSnap) }).
			Doc("what the leader takes for acknowledged, the follower has on disk"),
		model.Always("NoElectionWhileLed", func(s *State) bool { return !s.Cand || !s.LAlive }).
			Doc("the follower is no candidate while the leader lives"),

		model.Reachable("AllAcknowledged", func(s *State) bool { return s.Match == r.entries }).
			Doc("every entry is acknowledged"),
		model.Reachable("WindowFull", func(s *State) bool { return s.pending() >= r.window && s.Next < s.LNext }).
			Doc("the window is full and there is more to send"),
	}
}

// questions are what holds in some configurations only, what a hang looks
// like, the ways out of it, and what the fix does not promise.
func (r *rules) questions() []model.Property[State] {
	hungAndPurged := func(s *State) bool { return s.mustInstall() && r.hung(s) }
	return []model.Property[State]{
		model.Always("StuckShape", func(s *State) bool {
			return !r.stuck(s) || s.pending() == r.window && s.Next == s.FLast+1 && s.Match < s.FLast
		}).Doc("in a hang the window is exactly full, and the follower has all that was sent but not acknowledged"),
		model.EveryStep("StuckStable", func(s, t *State) bool {
			reset := t.Ghost.Resets > s.Ghost.Resets || t.Ghost.Restarts > s.Ghost.Restarts
			return !r.stuck(s) || r.stuck(t) || reset || !t.LAlive || purgedBeyondNext(s, t)
		}).Doc("a hang ends only by a reset, a restart, the leader's death, or a purge beyond nextIndex"),
		model.EveryStep("ExitOnlyByPurge", func(s, t *State) bool {
			return !r.stuck(s) || r.stuck(t) || purgedBeyondNext(s, t)
		}).Doc("a hang ends only by a purge of the leader's log beyond nextIndex"),
		model.EventuallyAlways("LeaderLearns", func(s *State) bool { return s.Match == s.LNext-1 }).
			Doc("in the end every entry is acknowledged"),
		model.LeadsTo("PurgeFrees", hungAndPurged, func(s *State) bool { return !r.hung(s) }).
			Doc("after a purge beyond nextIndex the hang ends"),
		model.LeadsTo("PurgeRestores", hungAndPurged, caughtUp).
			Doc("and the follower gets every entry"),
		model.LeadsTo("ResetCures", func(s *State) bool { return s.Ghost.ResetWhenStuck }, caughtUp).
			Doc("after a reset or restart in a hang the follower gets every entry"),
		model.Always("OutstandingBounded", func(s *State) bool { return s.outstanding() <= r.window }).
			Doc("there are never more unanswered log requests than the window"),
		model.LeadsTo("OrphanElects",
			func(s *State) bool { return !s.LAlive },
			func(s *State) bool { return s.Cand }).
			Doc("after the leader's death the follower becomes a candidate"),

		model.Reachable("LateReplyAfterTimeout", func(s *State) bool {
			pending, armed := s.tracked()
			return pending >= r.window && armed == 0 && !s.RepQ.Empty() && s.RepQ.First().Track == Fired
		}).Doc("every request of a full window has timed out, and then a reply comes"),
		model.Reachable("HungAndPurged", hungAndPurged).
			Doc("the window hangs and the leader has purged beyond nextIndex"),
		model.Reachable("PurgedToBoundaryStillStuck", func(s *State) bool {
			return s.Ghost.LeaderPurges > 0 && s.LStart == s.Next && r.stuck(s)
		}).Doc("a purge exactly up to nextIndex leaves the hang as it is"),
		model.Reachable("PurgedBelowStillStuck", func(s *State) bool {
			return s.Ghost.LeaderPurges > 0 && 1 < s.LStart && s.LStart < s.Next && r.stuck(s)
		}).Doc("a purge that ends before nextIndex does, too"),
		model.Reachable("StillStuckAfterInstall", func(s *State) bool {
			return s.Ghost.Escape == Installed && r.stuck(s)
		}).Doc("after a hang, a purge and an install it hangs again"),
		model.Reachable("DuplicateSent", func(s *State) bool {
			for i := range s.ReqQ.Len() {
				if s.ReqQ.At(i).Last <= s.FLast {
					return true
				}
			}
			return false
		}).Doc("a request is under way with nothing that the follower lacks"),
	}
}

// caughtUp says that the follower's log has all entries of the leader's.
func caughtUp(s *State) bool { return s.FLast == s.LNext-1 }

// purgedBeyondNext says that the step purges the leader's log beyond
// nextIndex.
func purgedBeyondNext(s, t *State) bool { return t.LStart > s.LStart && t.LStart > t.Next }
