package installsnapshot

import (
	"fmt"

	"mc/model"
)

const (
	peers     = 2
	maxIndex  = 6
	maxQueued = 2 // accepted appends; as many rejections under way
)

// Peer is one of the two servers that are not F. One of them leads.
type Peer uint8

// The peers.
const (
	A Peer = iota
	B
)

func (p Peer) String() string { return [...]string{"A", "B"}[p] }

func (p Peer) other() Peer { return 1 - p }

// Index is an index of the Raft log. 0 stands for none: the entry before the
// first one, a reply that is not under way, an install that is not in progress.
type Index uint8

// Rejection is an INCONSISTENCY reply to entries, on its way to the leader.
type Rejection struct {
	Next  Index // the index that F asks for
	First Index // of the request; 0 once the leader has forgotten the request
}

func (r Rejection) String() string {
	if r.First == 0 {
		return fmt.Sprintf("next %d for a forgotten append", r.Next)
	}
	return fmt.Sprintf("next %d for append %d", r.Next, r.First)
}

// Stage is how far an accepted append has come.
type Stage uint8

// The stages of an accepted append.
const (
	Queued  Stage = iota // not in the log yet
	Written              // in the log, not flushed
)

func (s Stage) String() string { return [...]string{"queued", "written"}[s] }

// Append is an AppendEntries request that passed F's check: entries From to To.
type Append struct {
	From, To Index
	Commit   Index // the leader's commit index that it carries
	Current  bool  // the reply still goes to the current leader
	Stage    Stage
}

func (a Append) has(i Index) bool { return a.From <= i && i <= a.To }

func (a Append) String() string {
	text := fmt.Sprintf("%d", a.From)
	if a.To > a.From {
		text += fmt.Sprintf("..%d", a.To)
	}
	text += fmt.Sprintf(" %v, commit %d", a.Stage, a.Commit)
	if !a.Current {
		text += ", old leader"
	}
	return text
}

// Phase is where the install job of F's OM stands.
type Phase uint8

// The phases of an install.
const (
	Idle Phase = iota
	Requested
	Downloading // the checkpoint is fixed
	Swapped     // the checkpoint is F's DB, the future is open
	Done        // the future holds the checkpoint's index, unread
	Null        // the future holds null, unread
)

func (p Phase) String() string {
	return [...]string{"idle", "requested", "downloading", "swapped", "done", "null"}[p]
}

// finished says that the job is over and its result waits to be read.
func (p Phase) finished() bool { return p == Done || p == Null }

// Chain is the state of the future chain that orders accepted appends.
type Chain uint8

// The states of the chain: a link that fails makes all later ones fail.
const (
	Alive Chain = iota
	Dead
)

func (c Chain) String() string { return [...]string{"alive", "dead"}[c] }

// Escape is a way out of the stuck state that something outside has opened.
type Escape uint8

// The ways out.
const (
	NoEscape Escape = iota
	Restart
	Purge
	NewLeader
)

func (e Escape) String() string { return [...]string{"none", "restart", "purge", "new leader"}[e] }

// State is two peers with one committed log, the leader's appender for F,
// and F in detail.
type State struct {
	// The peers.
	Leader   Peer
	First    [peers]Index `index:"peer"` // first index of each peer's log
	Last     Index        // Commit ≤ Last
	Commit   Index        // as the leader knows it
	PeerDown bool         // the peer that does not lead

	// The leader's appender for F, and what F has sent it.
	View, Match  Index // nextIndex and matchIndex
	HbReply      Index // next index in a rejected heartbeat's reply
	EntryReplies model.Seq[Rejection, [maxQueued]Rejection]
	Ack          Index // highest match index in a SUCCESS
	InstallReply Index // index of SNAPSHOT_INSTALLED or ALREADY_INSTALLED

	// F's Ratis.
	LogEnd  Index
	Snap    Index // snapshot index; Snap ≤ LogEnd
	FCommit Index
	Applied Index // of the updater
	Acc     model.Seq[Append, [maxQueued]Append]
	Chain   Chain

	// F's OM.
	DB    Index // what the OM DB contains
	OSnap Index // what OM last published of it

	// The install.
	InProg Index // the leader's first index when it was notified
	Phase  Phase // Idle exactly if InProg = 0
	Ckpt   Index // index of the checkpoint
	Moved  bool  // the leader changed since

	Used  Used
	Ghost Ghost
}

// Used counts what is bounded.
type Used struct{ LeaderChanges, Purges, Resets, Restarts uint8 }

// Ghost is what happened so far. No thread reads it; properties do.
type Ghost struct {
	Ignored       bool // F rejected an append because of an install that is over
	DoubleApplied bool // F applied an entry that its DB had
	Escape        Escape
}

// next is F's next index: entries count once they are in the log.
func (s *State) next() Index { return max(s.LogEnd, s.Snap) + 1 }

// flushed is the end of F's log on disk.
func (s *State) flushed() Index {
	for _, a := range s.Acc.All() {
		if a.Stage == Written {
			return a.From - 1
		}
	}
	return s.LogEnd
}

// count is the number of accepted appends in a stage.
func (s *State) count(stage Stage) (n int) {
	for _, a := range s.Acc.All() {
		if a.Stage == stage {
			n++
		}
	}
	return n
}

// contained says whether F takes p as the entry before new ones.
func (r *rules) contained(s *State, p Index) bool {
	if p == 0 || s.Snap <= p && p <= s.LogEnd || p == s.OSnap {
		return true
	}
	return r.compose && s.accepted(p) >= 0
}

// accepted is the place of the accepted append that has entry i, or -1.
func (s *State) accepted(i Index) int {
	for n, a := range s.Acc.All() {
		if a.has(i) {
			return n
		}
	}
	return -1
}

// shouldNotify says that the leader's log no longer has the entry it would
// send next.
func (s *State) shouldNotify() bool {
	return s.View < s.First[s.Leader] && s.View <= s.Last
}

// afterReject is the leader's view after a rejection that asks for next. The
// request began at first; 0 stands for one that is unknown or had no entries.
func (s *State) afterReject(first, next Index) Index {
	x := next
	if s.Match+1 > next && s.Match+1 != first {
		x = s.Match + 1
	}
	if x == first && x > 1 {
		x-- // the same first entry is not sent again
	}
	return x
}

// dropReplies forgets all that is under way to a leader, or will be.
func (s *State) dropReplies() {
	s.HbReply, s.Ack, s.InstallReply = 0, 0, 0
	s.EntryReplies.Clear()
	for i, a := range s.Acc.All() {
		a.Current = false
		s.Acc.Put(i, a)
	}
}

// endInstall resets the install; nothing that it did is undone.
func (s *State) endInstall() {
	s.InProg, s.Phase, s.Ckpt, s.Moved = 0, Idle, 0, false
	s.Ghost.Ignored = false
}

// reload makes the checkpoint the state that F's Ratis starts from.
func (r *rules) reload(s *State) {
	c := s.Ckpt
	if r.scm {
		s.DB = max(s.DB, c)
	}
	s.Snap, s.FCommit, s.LogEnd = max(s.Snap, c), max(s.FCommit, c), max(s.LogEnd, c)
	s.Applied, s.OSnap = s.DB, s.DB
	if r.cancelStale {
		s.dropQueued()
	}
}

// dropQueued fails the appends that are not in the log yet.
func (s *State) dropQueued() {
	for i := s.Acc.Len() - 1; i >= 0; i-- {
		if s.Acc.At(i).Stage == Queued {
			s.Acc.Remove(i)
		}
	}
}

// useResult is what reads the result of a finished install.
func (r *rules) useResult(s *State) {
	if s.Phase == Done {
		r.reload(s)
	}
	s.endInstall()
}
