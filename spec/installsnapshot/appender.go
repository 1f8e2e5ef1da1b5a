package installsnapshot

import "mc/model"

// appender is the leader's daemon thread for F, with what F's server answers
// under its monitor: a request is handled in the step that sends it, replies
// take a step of their own.
func (r *rules) appender() []model.Action[State] {
	entryReply := model.Act1("ReceiveEntryReply", model.Values("request", known, forgotten), model.All(
		model.If("under way", func(s *State, of memory) bool {
			return !s.EntryReplies.Empty() && (s.EntryReplies.First().First != 0) == (of == known)
		}),
		model.If("no earlier reply", func(s *State, _ memory) bool { return !s.awaited() })),
		func(s *State, _ memory) { s.rejected(s.EntryReplies.Pop()) }).
		Doc("GrpcLogAppender.AppendLogResponseHandler.onNext: INCONSISTENCY, after the stream's earlier replies").
		Fair(model.Weak)
	// Where F's next index is the leader's first, a rejection of which the
	// leader knows the request brings a notification. Strong fairness rules
	// out that a heartbeat makes the leader forget in time, time and again.
	if r.notify == model.Strong {
		entryReply = entryReply.FairEach(model.Strong)
	}
	notWaiting := model.If("no notification unanswered", func(s *State) bool { return s.InstallReply == 0 })
	return []model.Action[State]{
		model.Act1("SendEntry", r.sizes, model.All(
			model.If("no notification unanswered", func(s *State, _ Index) bool { return s.InstallReply == 0 }),
			model.If("leader has it", func(s *State, _ Index) bool { return !s.shouldNotify() }),
			model.If("entry to send", func(s *State, _ Index) bool { return s.View <= s.Last }),
			model.If("room for a rejection", func(s *State, _ Index) bool { return s.EntryReplies.Len() < r.rejections }),
			model.If("size matters", r.sizeMatters),
			model.If("chain alive", func(s *State, _ Index) bool { return s.Chain == Alive || r.answer(s) != accept }),
			model.If("room in F", func(s *State, _ Index) bool { return r.answer(s) != accept || r.room(s) })),
			r.sendEntry).
			Doc("GrpcLogAppender.appendLog; RaftServerImpl.appendEntriesAsync, checkInconsistentAppendEntries").
			Fair(model.Weak),
		model.Act("SendHeartbeat", model.All(notWaiting,
			model.If("no reply under way", func(s *State) bool { return s.HbReply == 0 })), r.sendHeartbeat).
			Doc("GrpcLogAppender.appendLog without entries; RaftServerImpl.appendEntriesAsync").
			Fair(model.Weak),
		model.Act("NotifyInstall", model.All(notWaiting,
			model.If("leader lacks it", func(s *State) bool { return s.shouldNotify() })), r.notifyInstall).
			Doc("GrpcLogAppender.notifyInstallSnapshot; SnapshotInstallationHandler.notifyStateMachineToInstallSnapshot").
			Fair(r.notify),

		model.Act("ReceiveHeartbeatReply", model.All(
			model.If("under way", func(s *State) bool { return s.HbReply != 0 })),
			func(s *State) { s.rejected(Rejection{Next: s.HbReply}); s.HbReply = 0 }).
			Doc("GrpcLogAppender.AppendLogResponseHandler.onNext: INCONSISTENCY, on the heartbeats' own channel").
			Fair(model.Weak).
			When(!r.prompt),
		entryReply,
		model.Act("ReceiveAck", model.All(
			model.If("under way", func(s *State) bool { return s.Ack != 0 })), r.receiveAck).
			Doc("GrpcLogAppender.AppendLogResponseHandler.onNext: SUCCESS; LeaderStateImpl.updateCommit").
			Fair(model.Weak),
		model.Act("ReceiveInstallReply", model.All(
			model.If("under way", func(s *State) bool { return s.InstallReply != 0 })),
			func(s *State) { s.Match, s.View = s.InstallReply, s.InstallReply+1; s.InstallReply = 0 }).
			Doc("GrpcLogAppender.InstallSnapshotResponseHandler.onNext: SNAPSHOT_INSTALLED or ALREADY_INSTALLED").
			Fair(model.Weak),
	}
}

// memory is whether the leader knows, when a reply arrives, which entry the
// request began with. A rejection makes it forget all that it has requested.
type memory uint8

const (
	known memory = iota
	forgotten
)

func (m memory) String() string { return [...]string{"known", "forgotten"}[m] }

// answer is what F does with the entry at the leader's view.
type answer uint8

const (
	busy    answer = iota // rejected: an install is in progress
	old                   // rejected: committed, or inside a snapshot
	gap                   // rejected: the entry before it is unknown
	again                 // accepted before, and not flushed yet
	present               // in the log
	accept
)

func (r *rules) answer(s *State) answer {
	i := s.View
	switch {
	case s.InProg != 0:
		return busy
	case i <= max(s.OSnap, s.FCommit):
		return old
	case !r.contained(s, i-1):
		return gap
	case s.accepted(i) >= 0:
		return again
	case i <= s.LogEnd:
		return present
	}
	return accept
}

// sizeMatters is false for the second and further sizes of a request where
// the first says it all.
func (r *rules) sizeMatters(s *State, n Index) bool {
	return n == 1 || r.answer(s) == accept && s.View+n-1 <= s.Last
}

// room says whether F can accept another append. Without the chain the thread
// that appends is the one that would read the next request.
func (r *rules) room(s *State) bool {
	return s.Acc.Len() < r.accepted && (r.compose || s.count(Queued) == 0)
}

func (r *rules) sendEntry(s *State, n Index) {
	i, answer := s.View, r.answer(s)
	s.View = i + 1
	switch answer {
	case busy:
		s.EntryReplies.Push(Rejection{r.rejectInProgress(s), i})
	case old:
		s.EntryReplies.Push(Rejection{max(s.OSnap, s.FCommit) + 1, i})
	case gap:
		s.EntryReplies.Push(Rejection{min(s.next(), i-1), i})
	case again:
		at := s.accepted(i)
		a := s.Acc.At(at)
		a.Current = true
		s.Acc.Put(at, a)
		s.View = a.To + 1
	case present:
		s.Ack = max(s.Ack, i)
	case accept:
		s.View = i + n
		s.Acc.Push(Append{From: i, To: i + n - 1, Commit: s.Commit, Current: true})
		if r.atomic && (!r.compose || s.Acc.Len() == 1) {
			r.land(s)
		}
	}
}

// rejectInProgress is the next index that F asks for while an install is in
// progress. The fix looks for a result first.
func (r *rules) rejectInProgress(s *State) Index {
	switch {
	case !s.Phase.finished():
	case r.appendPath:
		r.useResult(s)
	default:
		s.Ghost.Ignored = true
	}
	return s.next()
}

// sendHeartbeat also tells F the commit index, as far as F is known to agree
// with the leader: up to the entry before the next one, if nothing is unanswered.
func (r *rules) sendHeartbeat(s *State) {
	var previous Index
	if s.View >= s.First[s.Leader] && !s.awaited() && s.EntryReplies.Empty() {
		previous = s.View - 1
	}
	switch {
	case s.InProg != 0:
		s.HbReply = r.rejectInProgress(s)
	case !r.contained(s, previous):
		s.HbReply = min(s.next(), previous)
	default:
		s.FCommit = max(s.FCommit, min(s.Commit, previous, s.flushed()))
	}
	if r.prompt && s.HbReply != 0 {
		s.rejected(Rejection{Next: s.HbReply})
		s.HbReply = 0
	}
}

// notifyInstall is the only reader of the result of an install. It sends a
// reply only if that changes something at the leader.
func (r *rules) notifyInstall(s *State) {
	first := s.First[s.Leader]
	switch {
	case s.InProg == 0 && s.Snap > 0 && s.Snap+1 >= first:
		s.InstallReply = s.Snap
	case s.InProg == 0:
		s.InProg, s.Phase, s.Moved = first, Requested, false
		s.Ghost.Escape = NoEscape
	case s.InProg > first: // an assertion throws
	case s.Phase.finished():
		if s.Phase == Done {
			s.InstallReply = s.Ckpt
		}
		r.useResult(s)
	}
}

// awaited says that an append will be, or was, answered with SUCCESS.
func (s *State) awaited() bool {
	current := false
	for _, a := range s.Acc.All() {
		current = current || a.Current
	}
	return current || s.Ack != 0
}

// rejected is the leader's side of a rejection: it forgets what was requested.
func (s *State) rejected(by Rejection) {
	s.View = s.afterReject(by.First, by.Next)
	for i, later := range s.EntryReplies.All() {
		later.First = 0
		s.EntryReplies.Put(i, later)
	}
}

func (r *rules) receiveAck(s *State) {
	s.Match, s.View, s.Commit = max(s.Match, s.Ack), max(s.View, s.Ack+1), max(s.Commit, s.Ack)
	s.Ack = 0
}
