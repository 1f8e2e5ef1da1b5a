package appendwindow

import "mc/model"

// follower is the server of the follower, which takes requests and answers
// them, and the thread of its log.
func (r *rules) follower() []model.Action[State] {
	return []model.Action[State]{
		model.Act("RecvLog", with(
			part{"request under way", func(s *State) bool { return !s.ReqQ.Empty() }}),
			func(s *State) { q := s.ReqQ.Pop(); s.Owed.Push(r.receive(s, q)) }).
			Doc("RaftServerImpl.appendEntriesAsync, checkInconsistentAppendEntries: checked and appended in memory, to be answered when flushed").
			Fair(model.Weak),
		model.Act("RecvOldLog", with(
			part{"request under way", func(s *State) bool { return !s.OldQ.Empty() }}),
			func(s *State) { r.receive(s, s.OldQ.Pop()) }).
			Doc("RaftServerImpl.appendEntriesAsync, for a request whose stream is broken: the reply goes nowhere").
			Fair(model.Weak).
			When(r.old > 0 && r.resets > 0),
		model.Act("RecvHeartbeat", with(
			part{"heartbeat under way", func(s *State) bool { return s.Hb.Phase == Sent }}), r.recvHeartbeat).
			Doc("RaftServerImpl.appendEntriesAsync without entries: answered at once, in no order").
			Fair(model.Weak),
		model.Act("SendReply", with(
			part{"reply owed", func(s *State) bool { return !s.Owed.Empty() }},
			part{"flushed", func(s *State) bool { return !s.unflushed(s.Owed.First()) }},
			part{"room on the wire", func(s *State) bool { return s.RepQ.Len() < r.wires }}), r.sendReply).
			Doc("GrpcServerProtocolService.ServerRequestStreamObserver: replies in the order of the requests").
			Fair(model.Weak),

		model.Act("WorkerStep", with(
			part{"runs", func(s *State) bool { return !s.Stuck }},
			part{"task queued", func(s *State) bool { return !s.idle() }}), r.workerStep).
			Doc("SegmentedRaftLogWorker.run: the next task; after a WriteLog it flushes if the queue is empty").
			Fair(model.Weak),

		model.Act("ElectionTimeout", with(
			part{"leader dead", func(s *State) bool { return !s.LAlive }},
			part{"follower", func(s *State) bool { return !s.Cand }},
			part{"no outstanding operation", func(s *State) bool { return s.outstandingOps() == 0 }},
			part{"nothing arrives", func(s *State) bool {
				return s.ReqQ.Empty() && s.OldQ.Empty() && s.Hb.Phase != Sent && s.Inst.Phase != Sent
			}}), func(s *State) { s.Cand = true }).
			Doc("FollowerState.run: no RPC for long enough, and outstandingOp is 0").
			Fair(model.Weak).
			When(r.leaderMayDie),
	}
}

// receive checks a request and appends what is new of it, under the server's
// monitor and the log's lock. The order of the checks is the server's.
func (r *rules) receive(s *State, q Request) Owed {
	refuse := func(wanted Index) Owed {
		p := Reply{Verdict: Inconsistency, At: wanted, First: q.First}
		p.track(q.Track)
		return Owed{Reply: p}
	}
	settled := max(s.FSnap, s.FCommit)
	switch {
	case s.InProg != 0:
		return refuse(s.FLast + 1)
	case settled >= q.First && !r.noExistsCheck:
		return refuse(settled + 1)
	case q.Prev > s.FLast && !r.noPrevCheck:
		return refuse(min(s.FLast+1, q.Prev))
	}
	s.Ghost.Bad = s.Ghost.Bad || q.First > s.FLast+1 || q.First <= s.FSnap
	o := Owed{Reply: Reply{Verdict: Success, At: q.Last, Track: q.Track}}
	if q.Last > s.FLast || r.dupAckWaits {
		o.Need = q.Last
	}
	s.FLast = max(s.FLast, q.Last)
	return o
}

func (r *rules) recvHeartbeat(s *State) {
	previous := s.Hb.At
	switch {
	case s.InProg != 0:
		s.Hb = Heartbeat{Refused, s.FLast + 1}
	case previous > s.FLast:
		s.Hb = Heartbeat{Refused, min(s.FLast+1, previous)}
	default:
		s.Hb = Heartbeat{Phase: Accepted}
		s.commit(previous)
	}
}

// commit raises the follower's commit index as far as the leader's, what the
// two are known to agree on, and the disk allow.
func (s *State) commit(agreed Index) {
	s.FCommit = max(s.FCommit, min(s.LCommit, agreed, s.FFlushed))
}

func (r *rules) sendReply(s *State) {
	o := s.Owed.Pop()
	s.RepQ.Push(o.Reply)
	if o.Verdict == Success {
		s.commit(o.At)
	}
}

// workerStep takes one task. The flush is left to the next task if there is
// one, and a PurgeLog does not flush: RATIS-2116.
func (r *rules) workerStep(s *State) {
	if s.Pq.Has(s.FWritten) {
		s.Pq.Remove(s.FWritten)
		return
	}
	s.FWritten++
	purgeNext := s.Pq.Has(s.FWritten)
	if s.idle() || purgeNext && r.flushBeforeNonWrite {
		s.FFlushed = s.FWritten
	}
}

// outstandingOps is FollowerState's outstandingOp: requests accepted and not
// flushed.
func (s *State) outstandingOps() (n int) {
	for i := range s.Owed.Len() {
		if s.unflushed(s.Owed.At(i)) {
			n++
		}
	}
	return n
}
