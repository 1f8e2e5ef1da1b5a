package installsnapshot

import "mc/model"

// peers is what happens outside F and its leader's appender. Nothing of it is
// bound to happen, but that two peers that are up commit what they have.
func (r *rules) peers() []model.Action[State] {
	peerUp := model.If("peer up", func(s *State) bool { return !s.PeerDown })
	return []model.Action[State]{
		model.Act("Write", model.All(
			model.If("bound", func(s *State) bool { return s.Last < r.indices })),
			func(s *State) { s.Last++ }).
			Doc("RaftServerImpl.appendTransaction: a client's request enters the leader's log").
			When(r.writes),
		model.Act("CommitPair", model.All(peerUp),
			func(s *State) { s.Commit = s.Last }).
			Doc("LeaderStateImpl.updateCommit: the two peers have the entries, which is a majority").
			Fair(model.Weak),
		model.Act("PeerDown", model.All(peerUp), func(s *State) { s.PeerDown = true }).
			Doc("the peer that does not lead stops").
			When(r.peerDown),
		model.Act("PeerUp", model.All(model.If("peer down", func(s *State) bool { return s.PeerDown })),
			func(s *State) { s.PeerDown = false }).
			Doc("it starts again").
			When(r.peerDown),
		model.Act2("SnapshotAndPurge", model.Values("peer", A, B), model.Between[Index]("first", 2, int(r.indices)), model.All(
			model.If("bound", func(s *State, _ Peer, _ Index) bool { return int(s.Used.Purges) < r.purges }),
			model.If("peer up", func(s *State, p Peer, _ Index) bool { return p == s.Leader || !s.PeerDown }),
			model.If("snapshot", func(s *State, p Peer, f Index) bool { return s.First[p] < f && f <= s.Commit }),
			model.If("F has it", func(s *State, p Peer, f Index) bool { return r.purgeFreely || f <= s.commitOfF(p)+1 })),
			r.purge).
			Doc("StateMachineUpdater.takeSnapshot: the log up to the snapshot is purged, whatever F has").
			When(r.purges > 0),
		model.Act("TransferLeadership", model.All(peerUp,
			model.If("bound", func(s *State) bool { return int(s.Used.LeaderChanges) < r.leaderChanges && s.Last < r.indices }),
			model.If("all committed", func(s *State) bool { return s.Commit == s.Last }),
			model.If("stable leader", func(s *State) bool { return !r.stableLeader || s.InProg == 0 })),
			r.transfer).
			Doc("RaftServerImpl.changeToLeader on the other peer, by election or transfer: a new appender, a configuration entry").
			When(r.leaderChanges > 0),
		model.Act1("StreamReset", model.Values("lost", false, true), model.All(
			model.If("bound", func(s *State, _ bool) bool { return int(s.Used.Resets) < r.resets }),
			model.If("entry to lose", func(s *State, lost bool) bool { return !lost || !s.shouldNotify() && s.View <= s.Last })),
			r.reset).
			Doc("GrpcLogAppender.resetClient: the stream broke, perhaps with an append on it").
			When(r.resets > 0),
		model.Act("RestartFollower", model.All(
			model.If("bound", func(s *State) bool { return int(s.Used.Restarts) < r.restarts })),
			r.restart).
			Doc("OzoneManagerStateMachine.loadSnapshotInfoFromDB, ServerState.initRaftLog: the DB and the flushed log survive").
			When(r.restarts > 0),
	}
}

// commitOfF is F's commit index as a peer knows it. The peer that follows has
// heard nothing of F since the start.
func (s *State) commitOfF(p Peer) Index {
	if p == s.Leader {
		return max(s.Match, 1)
	}
	return 1
}

func (r *rules) purge(s *State, p Peer, f Index) {
	stuck := s.stuck()
	s.Used.Purges++
	s.First[p] = f
	if p == s.Leader {
		s.opens(Purge, stuck && f > s.next())
	}
}

func (r *rules) transfer(s *State) {
	stuck := s.stuck()
	s.Used.LeaderChanges++
	s.Leader = s.Leader.other()
	s.Last++
	s.View, s.Match = s.Last, 0
	s.dropReplies()
	s.Moved = s.InProg != 0
	s.opens(NewLeader, stuck && s.First[s.Leader] > s.next())
}

func (r *rules) reset(s *State, lost bool) {
	s.Used.Resets++
	s.dropReplies()
	if lost {
		s.View++
	}
}

func (r *rules) restart(s *State) {
	stuck := s.stuck()
	s.Used.Restarts++
	s.LogEnd, s.Snap = max(s.flushed(), s.DB), max(s.Snap, s.DB)
	s.FCommit, s.Applied, s.OSnap = s.DB, s.DB, s.DB
	s.Acc.Clear()
	s.Chain = Alive
	s.endInstall()
	s.dropReplies()
	s.opens(Restart, stuck)
}

// opens notes whether a step opens a way out of the stuck state. A step of
// its kind that does not may close the way that was open.
func (s *State) opens(way Escape, out bool) {
	s.Ghost.Escape = NoEscape
	if out {
		s.Ghost.Escape = way
	}
}
