package appendwindow

import "mc/model"

// install is the way a follower gets what the leader's log no longer has: the
// appender notifies it, and its state machine installs a snapshot.
func (r *rules) install() []model.Action[State] {
	return []model.Action[State]{
		model.Act("Notify", with(alive,
			part{"no notification under way", func(s *State) bool { return s.Inst.Phase == Idle }},
			part{"no heartbeat due", func(s *State) bool { return !s.MustHb }},
			part{"purged", func(s *State) bool { return s.mustInstall() }}),
			func(s *State) { s.Inst = Notification{Sent, s.LStart} }).
			Doc("GrpcLogAppender.notifyInstallSnapshot, in a daemon's round where shouldNotifyToInstallSnapshot").
			Fair(model.Weak).
			When(r.leaderPurges > 0),
		model.Act("RecvNotify", with(
			part{"notification under way", func(s *State) bool { return s.Inst.Phase == Sent }}), r.recvNotify).
			Doc("SnapshotInstallationHandler.notifyStateMachineToInstallSnapshot").
			Fair(model.Weak).
			When(r.leaderPurges > 0),
		model.Act("InstallDone", with(
			part{"in progress", func(s *State) bool { return s.InProg != 0 && s.Installed == 0 }}),
			func(s *State) { s.Installed = s.LSnap }).
			Doc("StateMachine.FollowerEventApi.notifyInstallSnapshotFromLeader: its future completes").
			Fair(model.Weak).
			When(r.leaderPurges > 0 && !r.sync),
		model.Act("RecvNotifyReply", with(alive,
			part{"reply under way", func(s *State) bool { return s.Inst.Phase > Sent }}), r.recvNotifyReply).
			Doc("GrpcLogAppender.InstallSnapshotResponseHandler.onNext: the RequestMap stays as it is; a heartbeat follows").
			Fair(model.Weak).
			When(r.leaderPurges > 0),
	}
}

func (r *rules) recvNotify(s *State) {
	switch first := s.Inst.At; {
	case s.InProg == 0 && s.FSnap+1 >= first:
		s.Inst = Notification{Already, s.FSnap}
	case s.InProg == 0 && r.sync:
		r.reload(s, s.LSnap)
	case s.InProg == 0:
		s.InProg = first
		s.Inst = Notification{Phase: InProgress}
	case s.Installed != 0:
		snapshot := s.Installed
		s.InProg, s.Installed = 0, 0
		r.reload(s, snapshot)
	default:
		s.Inst = Notification{Phase: InProgress}
	}
}

// reload makes an installed snapshot the follower's state, and its log begin
// after it. To close the log's open segment flushes it, so that replies which
// waited for a flush may go. With orphan, the writes that are still queued
// are dropped instead, and their replies wait for ever.
func (r *rules) reload(s *State, snapshot Index) {
	s.Inst = Notification{SnapshotInstalled, snapshot}
	if r.orphan {
		for i, o := range s.Owed.All() {
			if o.Need > s.FWritten {
				o.Need = Never
				s.Owed.Put(i, o)
			}
		}
	}
	s.Pq.Clear()
	if snapshot >= s.FLast {
		s.FLast, s.FWritten, s.FFlushed = snapshot, snapshot, snapshot
	}
	s.FSnap, s.FCommit = max(s.FSnap, snapshot), max(s.FCommit, snapshot)
	if s.Ghost.Escape == Purged {
		s.Ghost.Escape = Installed
	}
}

func (r *rules) recvNotifyReply(s *State) {
	n := s.Inst
	s.Inst = Notification{}
	s.MustHb = true
	if n.Phase == Already || n.Phase == SnapshotInstalled {
		s.Match, s.LfSnap, s.Next = n.At, n.At, n.At+1
		r.acknowledged(s)
	}
}
