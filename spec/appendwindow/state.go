package appendwindow

import (
	"fmt"

	"mc/model"
)

const (
	maxWindow  = 3
	maxEntries = 6
	maxWire    = 3 // requests, or replies, under way on one stream
	maxOld     = 2 // requests that outlive their stream
	maxOwed    = 8
)

// Index is an index of the Raft log, from 1 on. 0 is none.
type Index int8

// Never is the index that a request waits for whose write was dropped.
const Never Index = 127

// Track is what the leader's RequestMap knows of a request.
type Track uint8

// The places of a request in the RequestMap.
const (
	Untracked Track = iota // not in the map any more
	Armed                  // in the map, and its timer runs
	Fired                  // in the map, although its timer has fired
)

func (t Track) String() string { return [...]string{"untracked", "armed", "timed-out"}[t] }

// suffix is what is worth telling of it.
func (t Track) suffix() string {
	if t == Armed {
		return ""
	}
	return "," + t.String()
}

// Request is an AppendEntries request with entries, on the wire.
type Request struct {
	First, Last Index
	Prev        Index // the entry before First; 0 if there is none, or it is purged
	Track       Track
}

func (q Request) String() string { return span(q.First, q.Last) + q.Track.suffix() }

// span is a range of the log as people read it.
func span(first, last Index) string {
	if first == last {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d..%d", first, last)
}

// Verdict is the result of a request.
type Verdict uint8

// The two results.
const (
	Success Verdict = iota
	Inconsistency
)

func (v Verdict) String() string { return [...]string{"SUCCESS", "INCONSISTENCY"}[v] }

// Reply answers a Request.
type Reply struct {
	Verdict Verdict
	At      Index // SUCCESS: the request's last; INCONSISTENCY: the next one wanted
	First   Index // of a request in the map that gets INCONSISTENCY, or 0
	Track   Track
}

func (p Reply) String() string { return p.text() + p.Track.suffix() }

// text is the reply as the follower sends it.
func (p Reply) text() string {
	if p.Verdict == Inconsistency {
		return fmt.Sprintf("INCONSISTENCY(next=%d)", p.At)
	}
	return fmt.Sprintf("SUCCESS(%d)", p.At)
}

// track sets the Track. What is not in the map has no first index to look up.
func (p *Reply) track(t Track) {
	if p.Track = t; t == Untracked {
		p.First = 0
	}
}

// Owed is a reply that the follower has not sent yet.
type Owed struct {
	Reply
	Need Index // it waits until this one is flushed; 0 for nothing
}

func (o Owed) String() string {
	waits := ",awaits-flush"
	switch o.Need {
	case 0:
		waits = ""
	case Never:
		waits = ",never"
	}
	return o.text() + waits + o.Track.suffix()
}

// Phase is where a message stands of which there is one at a time.
type Phase uint8

// The phases of a heartbeat and of an install notification: a request or a
// reply under way.
const (
	Idle              Phase = iota
	Sent                    // the request
	Accepted                // a heartbeat's reply SUCCESS
	Refused                 // a heartbeat's reply INCONSISTENCY
	InProgress              // a notification's reply IN_PROGRESS
	Already                 // a notification's reply ALREADY_INSTALLED
	SnapshotInstalled       // a notification's reply SNAPSHOT_INSTALLED
)

// Heartbeat is an AppendEntries request without entries, and its reply.
type Heartbeat struct {
	Phase Phase
	At    Index // Sent: the previous entry, or 0; Refused: the next one wanted
}

func (h Heartbeat) String() string {
	switch {
	case h.Phase == Idle:
		return "-"
	case h.Phase == Accepted:
		return "SUCCESS"
	case h.Phase == Refused:
		return fmt.Sprintf("INCONSISTENCY(next=%d)", h.At)
	case h.At == 0:
		return "heartbeat"
	}
	return fmt.Sprintf("heartbeat(previous=%d)", h.At)
}

// Notification is a request to install a snapshot, and its reply.
type Notification struct {
	Phase Phase
	At    Index // Sent: the leader's first index; Already, SnapshotInstalled: the snapshot's
}

func (n Notification) String() string {
	switch n.Phase {
	case Sent:
		return fmt.Sprintf("install(first=%d)", n.At)
	case InProgress:
		return "IN_PROGRESS"
	case Already:
		return fmt.Sprintf("ALREADY_INSTALLED(%d)", n.At)
	case SnapshotInstalled:
		return fmt.Sprintf("SNAPSHOT_INSTALLED(%d)", n.At)
	}
	return "-"
}

// Escape is how far the way out by an install has been gone.
type Escape uint8

// The stages of that way.
const (
	NoEscape  Escape = iota
	Purged           // the leader purged its log while the appender hung
	Installed        // then the follower installed a snapshot
)

func (e Escape) String() string { return [...]string{"none", "purged", "installed"}[e] }

// State is a leader, its appender for one follower, and that follower.
type State struct {
	// The leader's log.
	LNext   Index // its end plus 1
	LStart  Index // the first entry that is not purged
	LSnap   Index // of the last snapshot; LSnap ≤ LCommit
	LCommit Index // LCommit < LNext
	LAlive  bool

	// What the leader knows of the follower: FollowerInfo, ReplyState.
	Next       Index // to be sent next; 1 ≤ Next ≤ LNext
	Match      Index // acknowledged
	LfSnap     Index // the last snapshot that the follower reported
	FirstReply bool  // the stream has had a reply
	MustHb     bool  // the daemon owes a heartbeat after a notification

	// The stream of log requests. Each is in one of these places, and keeps
	// its entry in the RequestMap, its Track, wherever it goes.
	ReqQ  model.Seq[Request, [maxWire]Request]
	Owed  model.Seq[Owed, [maxOwed]Owed] // received and not answered, in order
	RepQ  model.Seq[Reply, [maxWire]Reply]
	LeakT uint8                               // in the map, fired, and the reply is lost
	LeakU uint8                               // the same, not fired
	OldQ  model.Seq[Request, [maxOld]Request] // of a stream that broke; not answered

	Hb   Heartbeat
	Inst Notification

	// The follower's log: 0 ≤ FFlushed ≤ FWritten ≤ FLast, but for gaps.
	FLast    Index                   // in memory
	FWritten Index                   // in the file
	FFlushed Index                   // on disk
	Pq       model.Set[Index, uint8] // i: a PurgeLog task is behind the write of i
	Stuck    bool                    // the log's thread has stopped for ever

	// The follower's server.
	FCommit   Index
	FSnap     Index // FSnap ≤ FCommit
	InProg    Index // an install is in progress, for this first index; or 0
	Installed Index // the state machine has installed this; or 0
	Cand      bool  // it became a candidate

	Ghost Ghost
}

// Ghost is what happened so far. Nobody reads it but properties and bounds.
type Ghost struct {
	Bad            bool // a gap was appended, or an entry that was purged
	ResetWhenStuck bool // a reset or restart ended a hang
	Escape         Escape

	FollowerPurges, LeaderPurges, LostReplies, Resets, Restarts, EarlyTimeouts uint8
}

// pending is RequestMap.logRequestsSize.
func (s *State) pending() int { n, _ := s.tracked(); return n }

// tracked counts the log requests in the map, and those whose timer runs.
func (s *State) tracked() (pending, armed int) {
	count := func(t Track) {
		if t != Untracked {
			pending++
		}
		if t == Armed {
			armed++
		}
	}
	for i := range s.ReqQ.Len() {
		count(s.ReqQ.At(i).Track)
	}
	for i := range s.Owed.Len() {
		count(s.Owed.At(i).Track)
	}
	for i := range s.RepQ.Len() {
		count(s.RepQ.At(i).Track)
	}
	return pending + int(s.LeakT+s.LeakU), armed + int(s.LeakU)
}

// outstanding counts the requests without a reply, in the map or not.
func (s *State) outstanding() int {
	return s.ReqQ.Len() + s.Owed.Len() + s.RepQ.Len() + int(s.LeakT+s.LeakU)
}

// clearMap is RequestMap.clear.
func (s *State) clearMap() {
	for i, q := range s.ReqQ.All() {
		q.Track = Untracked
		s.ReqQ.Put(i, q)
	}
	for i, o := range s.Owed.All() {
		o.track(Untracked)
		s.Owed.Put(i, o)
	}
	for i, p := range s.RepQ.All() {
		p.track(Untracked)
		s.RepQ.Put(i, p)
	}
	s.LeakT, s.LeakU = 0, 0
}

// dropStreams breaks the log stream and the heartbeats' stream, and clears
// the map.
func (s *State) dropStreams() {
	s.ReqQ.Clear()
	s.Owed.Clear()
	s.RepQ.Clear()
	s.LeakT, s.LeakU = 0, 0
	s.Hb = Heartbeat{}
}

// mustInstall is LogAppenderBase.shouldNotifyToInstallSnapshot: the log begins
// after the entry to be sent.
func (s *State) mustInstall() bool { return s.Next < s.LNext && s.Next < s.LStart }

// unflushed says that an owed reply waits for a flush.
func (s *State) unflushed(o Owed) bool { return o.Verdict == Success && o.Need > s.FFlushed }

// idle says that the follower's log thread has nothing to do.
func (s *State) idle() bool { return s.FWritten == s.FLast && s.Pq.Empty() }

// quiet says that nothing is under way that could change the leader's mind. A
// heartbeat may be, if the follower will accept it.
func (s *State) quiet() bool {
	return s.ReqQ.Empty() && s.RepQ.Empty() && s.OldQ.Empty() &&
		(s.idle() || s.Stuck) &&
		(s.Owed.Empty() || s.unflushed(s.Owed.First())) &&
		s.Inst.Phase == Idle && s.InProg == 0 &&
		s.Hb.Phase != Refused && !(s.Hb.Phase == Sent && s.Hb.At > s.FLast)
}

// hung says that the window is full of requests that have all timed out, that
// there is more to send, and that nothing is under way.
func (r *rules) hung(s *State) bool {
	pending, armed := s.tracked()
	return s.LAlive && pending >= r.window && armed == 0 && s.Next < s.LNext && s.quiet()
}

// stuck says that it hangs and that no install is coming either.
func (r *rules) stuck(s *State) bool { return !s.mustInstall() && r.hung(s) }
