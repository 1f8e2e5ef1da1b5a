package appendwindow

import (
	"fmt"
	"slices"

	"mc/model"
)

// appender is the leader: its clients, the daemon thread of the appender, and
// the threads that take replies. All but the clients hold the appender's write
// lock in each of these steps.
func (r *rules) appender() []model.Action[State] {
	noInstall := part{"no notification under way", func(s *State) bool { return s.Inst.Phase == Idle }}
	sendable := []part{alive, noInstall,
		{"no heartbeat due", func(s *State) bool { return !s.MustHb }},
		{"entry to send", func(s *State) bool { return s.Next < s.LNext }},
		{"not purged", func(s *State) bool { return !s.mustInstall() }},
		{"window open", func(s *State) bool { return !r.tooMany(s) }},
	}
	known := part{"previous known", func(s *State) bool { return s.previousKnown() }}
	unknown := part{"previous not known", func(s *State) bool { return !s.previousKnown() }}
	room := part{"room on the wire", func(s *State) bool { return s.ReqQ.Len() < r.wires }}

	return []model.Action[State]{
		model.Act("ClientAppend", with(alive,
			part{"bound", func(s *State) bool { return s.LNext <= r.entries }}), r.clientAppend).
			Doc("RaftServerImpl.appendTransaction: a client's entry enters the leader's log"),

		model.Act1("SendLog", model.Between[Index]("last", 1, int(r.entries)),
			with1(slices.Concat(sendable, []part{known, room}), model.If("batch", r.batchTo)), r.sendLog).
			Doc("GrpcLogAppender.appendLog: a request with entries; nextIndex goes up at once").
			Fair(model.Weak),
		model.Act("AppenderRestart", with(slices.Concat(sendable, []part{unknown})...), r.appenderRestart).
			Doc("LogAppenderBase.assertProtos throws, LeaderStateImpl.restart makes a new appender").
			Fair(model.Weak).
			When(r.leaderPurges > 0),
		model.Act("SendHeartbeat", with(alive, noInstall,
			part{"none under way", func(s *State) bool { return s.Hb.Phase == Idle }},
			part{"due, or not purged", func(s *State) bool { return s.MustHb || !s.mustInstall() }}), r.sendHeartbeat).
			Doc("GrpcLogAppender.appendLog without entries, on the heartbeats' own stream").
			Fair(model.Weak),

		model.Act("RecvLogReply", with(alive,
			part{"reply under way", func(s *State) bool { return !s.RepQ.Empty() }}), r.recvLogReply).
			Doc("GrpcLogAppender.AppendLogResponseHandler.onNext: the request leaves the RequestMap").
			Fair(model.Weak),
		model.Act("RecvHeartbeatReply", with(alive,
			part{"reply under way", func(s *State) bool { return s.Hb.Phase == Accepted || s.Hb.Phase == Refused }}), r.recvHeartbeatReply).
			Doc("GrpcLogAppender.AppendLogResponseHandler.onNext: SUCCESS of a heartbeat acknowledges no entry").
			Fair(model.Weak),
	}
}

// tooMany is GrpcLogAppender.haveTooManyPendingRequests: the window is full,
// or a new stream's first request has no reply yet.
func (r *rules) tooMany(s *State) bool {
	n := s.pending()
	return n >= r.window || n > 0 && !s.FirstReply
}

// previous is LogAppenderBase.getPrevious: the entry before the next one if
// the leader's log or its snapshot has it, or else 0.
func (s *State) previous() Index {
	if p := s.Next - 1; p >= s.LStart || p == s.LSnap {
		return p
	}
	return 0
}

// previousKnown is what LogAppenderBase.assertProtos demands of a request: it
// names the entry before its first, or needs none.
func (s *State) previousKnown() bool {
	return s.Next == 1 || s.Next == s.LfSnap+1 || s.previous() != 0
}

func (r *rules) clientAppend(s *State) {
	s.LNext++
	if r.majority {
		s.LCommit = s.LNext - 1
	}
}

// batchTo says whether a request may go up to last.
func (r *rules) batchTo(s *State, last Index) bool {
	return s.Next <= last && last < s.LNext && last < s.Next+r.batch
}

func (r *rules) sendLog(s *State, last Index) {
	s.ReqQ.Push(Request{First: s.Next, Last: last, Prev: s.previous(), Track: Armed})
	s.Next = last + 1
}

func (r *rules) appenderRestart(s *State) {
	s.Next, s.Match, s.LfSnap, s.FirstReply = 1, 0, 0, false
	s.dropStreams()
}

// sendHeartbeat names the previous entry only while no log request is in the
// map. Without it the follower has nothing to refuse.
func (r *rules) sendHeartbeat(s *State) {
	s.MustHb = false
	s.Hb = Heartbeat{Phase: Sent}
	if s.pending() == 0 {
		s.Hb.At = s.previous()
	}
}

func (r *rules) recvLogReply(s *State) {
	p := s.RepQ.Pop()
	s.FirstReply = true
	if p.Verdict == Inconsistency {
		s.inconsistent(p.First, p.At)
		return
	}
	s.Match, s.Next = max(s.Match, p.At), max(s.Next, p.At+1)
	r.acknowledged(s)
}

// acknowledged is LeaderStateImpl.updateCommit where this follower counts.
func (r *rules) acknowledged(s *State) {
	if !r.majority {
		s.LCommit = max(s.LCommit, s.Match)
	}
}

func (r *rules) recvHeartbeatReply(s *State) {
	h := s.Hb
	s.Hb = Heartbeat{}
	s.FirstReply = true
	if h.Phase == Refused {
		s.inconsistent(0, h.At)
	}
}

// inconsistent is GrpcLogAppender.updateNextIndex and, before it,
// LogAppenderBase.getNextIndexForInconsistency, for a request that began at
// first, or at 0 if it is not in the map.
func (s *State) inconsistent(first, wanted Index) {
	s.clearMap()
	s.Next = wanted
	if s.Match+1 > wanted && s.Match+1 != first {
		s.Next = s.Match + 1
	}
	if s.Next == first && s.Next > 1 {
		s.Next--
	}
}

// timers is the thread that looks after requests some seconds after they were
// sent.
func (r *rules) timers() []model.Action[State] {
	outcome := "the request stays in the map"
	if r.removeOnTimeout {
		outcome = "the request leaves the map"
	}
	return []model.Action[State]{
		model.Act1("RequestTimeout", model.Values("of", places...), with1([]part{alive},
			model.If("timer runs", func(s *State, p Place) bool { return s.trackAt(p) == Armed }),
			model.If("bound", func(s *State, p Place) bool { return p.queue != reqQ || s.Ghost.EarlyTimeouts < r.earlyTimeouts })), r.requestTimeout).
			Doc("GrpcLogAppender.timeoutAppendRequest, RequestMap.handleTimeout: no reply for 3 s; " + outcome).
			Fair(model.Weak),
	}
}

// requestTimeout is the bug, and its fix is one word: as it was,
// handleTimeout gets the request from the map; now it removes it.
func (r *rules) requestTimeout(s *State, p Place) {
	t := Fired
	if r.removeOnTimeout {
		t = Untracked
	}
	switch i := int(p.i); p.queue {
	case reqQ:
		q := s.ReqQ.At(i)
		q.Track = t
		s.ReqQ.Put(i, q)
		s.Ghost.EarlyTimeouts++
	case owed:
		o := s.Owed.At(i)
		o.track(t)
		s.Owed.Put(i, o)
	case repQ:
		q := s.RepQ.At(i)
		q.track(t)
		s.RepQ.Put(i, q)
	case leaked:
		s.LeakU--
		if t == Fired {
			s.LeakT++
		}
	}
}

// Place is where a request may be that times out.
type Place struct {
	queue queue
	i     uint8
}

type queue uint8

const (
	reqQ queue = iota
	owed
	repQ
	leaked
)

func (p Place) String() string {
	if p.queue == leaked {
		return "LeakU"
	}
	return fmt.Sprintf("%s[%d]", [...]string{"ReqQ", "Owed", "RepQ"}[p.queue], p.i)
}

var places = func() (all []Place) {
	for q, n := range [...]uint8{reqQ: maxWire, owed: maxOwed, repQ: maxWire, leaked: 1} {
		for i := range n {
			all = append(all, Place{queue(q), i})
		}
	}
	return all
}()

// trackAt is the Track of the request at a place, Untracked if there is none.
func (s *State) trackAt(p Place) Track {
	i := int(p.i)
	switch {
	case p.queue == reqQ && i < s.ReqQ.Len():
		return s.ReqQ.At(i).Track
	case p.queue == owed && i < s.Owed.Len():
		return s.Owed.At(i).Track
	case p.queue == repQ && i < s.RepQ.Len():
		return s.RepQ.At(i).Track
	case p.queue == leaked && s.LeakU > 0:
		return Armed
	}
	return Untracked
}
