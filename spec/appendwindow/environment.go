package appendwindow

import "mc/model"

// environment is what may happen a few times or not at all: nothing here is
// fair.
func (r *rules) environment() []model.Action[State] {
	bound := func(count func(*Ghost) uint8, most uint8) part {
		return part{"bound", func(s *State) bool { return count(&s.Ghost) < most }}
	}
	return []model.Action[State]{
		model.Act("FollowerPurge", with(
			bound(func(g *Ghost) uint8 { return g.FollowerPurges }, r.followerPurges)), r.followerPurge).
			Doc("StateMachineUpdater.takeSnapshot, SegmentedRaftLog.purge on the follower: a PurgeLog task is queued").
			When(r.followerPurges > 0),
		model.Act1("LeaderPurge", model.Between[Index]("start", 1, int(r.entries)+1), with1([]part{alive,
			bound(func(g *Ghost) uint8 { return g.LeaderPurges }, r.leaderPurges)},
			model.If("purgeable", r.purgeable)), r.leaderPurge).
			Doc("StateMachineUpdater.takeSnapshot, SegmentedRaftLog.purge on the leader: whole segments, so up to anywhere").
			When(r.leaderPurges > 0),
		model.Act2("StreamReset", model.Values("kind", r.kinds...), model.Between[uint8]("survive", 0, int(r.old)), model.All(
			model.If("leader alive", func(s *State, _ ResetKind, _ uint8) bool { return s.LAlive }),
			model.If("bound", func(s *State, _ ResetKind, _ uint8) bool { return s.Ghost.Resets < r.resets }),
			model.If("so many under way", func(s *State, _ ResetKind, n uint8) bool {
				return int(n) <= s.ReqQ.Len() && s.OldQ.Len()+int(n) <= maxOld
			})), r.streamReset).
			Doc("GrpcLogAppender.resetClient, from AppendLogResponseHandler.onError or onCompleted").
			When(r.resets > 0),
		model.Act1("FollowerRestart", model.Values("kept", KeptFlushed, KeptWritten), with1[Kept]([]part{alive,
			bound(func(g *Ghost) uint8 { return g.Restarts }, r.restarts)}), r.followerRestart).
			Doc("the follower's process restarts; the leader sees an error of the streams").
			When(r.restarts > 0),
		model.Act("LoseReply", with(alive,
			bound(func(g *Ghost) uint8 { return g.LostReplies }, r.lostReplies),
			part{"reply under way", func(s *State) bool { return !s.RepQ.Empty() }}), r.loseReply).
			Doc("a reply does not arrive and the stream goes on").
			When(r.lostReplies > 0),
		model.Act("WorkerSticks", with(
			part{"runs", func(s *State) bool { return !s.Stuck }}),
			func(s *State) { s.Stuck = true }).
			Doc("SegmentedRaftLogWorker hangs in a call to the disk").
			When(r.stuckWorker),
		model.Act("LeaderDies", with(alive), func(s *State) { s.LAlive = false }).
			Doc("the leader's process ends; what it has sent still arrives").
			When(r.leaderMayDie),
	}
}

func (r *rules) followerPurge(s *State) {
	s.Ghost.FollowerPurges++
	s.FSnap = s.FCommit
	s.Pq.Add(s.FLast)
}

// purgeable says whether the leader's log may begin at start after a purge.
func (r *rules) purgeable(s *State, start Index) bool {
	bound := s.LCommit
	if !r.purgeUpToSnapshot {
		bound = min(bound, s.FCommit)
	}
	return s.LStart <= start && start <= bound+1
}

func (r *rules) leaderPurge(s *State, start Index) {
	s.Ghost.LeaderPurges++
	if r.hung(s) {
		s.Ghost.Escape = Purged
	}
	s.LSnap, s.LStart = s.LCommit, start
}

// streamReset loses what is under way, but for the first requests.
func (r *rules) streamReset(s *State, kind ResetKind, survive uint8) {
	s.Ghost.Resets++
	s.Ghost.ResetWhenStuck = s.Ghost.ResetWhenStuck || r.stuck(s)
	for i := range int(survive) {
		q := s.ReqQ.At(i)
		q.Track = Untracked
		s.OldQ.Push(q)
	}
	s.dropStreams()
	s.FirstReply = kind == Complete
	if kind == Complete {
		s.Next = s.Match + 1
	}
}

func (r *rules) followerRestart(s *State, kept Kept) {
	s.Ghost.Restarts++
	s.Ghost.ResetWhenStuck = s.Ghost.ResetWhenStuck || r.stuck(s)
	s.dropStreams()
	s.FirstReply = false
	s.OldQ.Clear()
	s.Inst = Notification{}
	last := s.FFlushed
	if kept == KeptWritten {
		last = s.FWritten
	}
	last = max(last, s.FSnap)
	s.FLast, s.FWritten, s.FFlushed = last, last, last
	s.Pq.Clear()
	s.InProg, s.Installed, s.Stuck = 0, 0, false
}

func (r *rules) loseReply(s *State) {
	s.Ghost.LostReplies++
	switch s.RepQ.Pop().Track {
	case Armed:
		s.LeakU++
	case Fired:
		s.LeakT++
	}
}
