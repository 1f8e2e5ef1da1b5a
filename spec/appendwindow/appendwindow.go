package appendwindow

import (
	_ "embed"
	"slices"

	"mc/model"
)

// Entry is the spec.
var Entry = model.Define("append-window", "a Ratis leader stops sending entries to a follower that looks well", build).
	With(model.About{Bug: "RATIS-2145", Story: model.PackageComment(source), Scenarios: scenarios, Claims: claims})

//go:embed doc.go
var source string

// ResetKind is how a stream ends.
type ResetKind uint8

// The two ends of a stream.
const (
	Error ResetKind = iota
	Complete
)

func (k ResetKind) String() string { return [...]string{"error", "complete"}[k] }

// Kept is what a follower's log has after a restart.
type Kept uint8

// The two cases: the operating system lost what was not flushed, or did not.
const (
	KeptFlushed Kept = iota
	KeptWritten
)

func (k Kept) String() string { return [...]string{"flushed", "written"}[k] }

// rules are the settings and what follows from them.
type rules struct {
	removeOnTimeout, flushBeforeNonWrite bool // repairs

	// The system.
	window                            int
	purgeUpToSnapshot, majority, sync bool
	noPrevCheck, noExistsCheck        bool
	dupAckWaits, orphan               bool

	// The environment.
	followerPurges, leaderPurges, lostReplies, resets, restarts, earlyTimeouts uint8

	stuckWorker, leaderMayDie bool
	kinds                     []ResetKind
	old                       uint8

	// The bounds.
	entries, batch Index
	wires, owed    int
}

func read(c *model.Config) *rules {
	r := &rules{}
	r.removeOnTimeout = c.Fix("remove-on-timeout", "a log request that times out leaves the RequestMap")
	r.flushBeforeNonWrite = c.Alternative("flush-before-non-write", "the follower's log flushes before a task that is no write (RATIS-2116)")

	count := func(name string, most int, doc string) uint8 { return uint8(c.Int(name, 0, 0, most, doc)) }
	onOff := func(name, def, doc string) bool { return model.Choice(c, name, def, doc, "on", "off") == "on" }

	r.window = c.Int("window", 1, 1, maxWindow, "log requests in the RequestMap that stop the appender (raft.grpc.server.leader.outstanding.appends.max, 8)")
	r.entries = Index(c.Int("entries", r.window+2, 1, maxEntries, "entries that clients append to the leader's log"))
	r.batch = Index(c.Int("batch", 1, 1, maxEntries, "entries of a request at most"))
	r.wires = c.Int("wires", max(2, r.window), 1, maxWire, "requests under way, and replies under way, on the log stream")
	r.owed = c.Int("owed", maxOwed, 1, maxOwed, "replies that the follower owes; a state in which one more is to come is not followed further")
	r.followerPurges = count("follower-purges", 2, "times the follower takes a snapshot and purges its log")
	r.leaderPurges = count("leader-purges", 2, "times the leader does")
	r.lostReplies = count("lost-replies", maxWindow, "replies lost without an error of the stream, which gRPC does not do")
	r.stuckWorker = c.Bool("stuck-worker", false, "the thread of the follower's log may stop for ever")
	r.resets = count("resets", 2, "times the streams break")
	r.kinds = model.Choice(c, "reset-kinds", resetKinds{Error, Complete}, "how they may break",
		resetKinds{Error}, resetKinds{Complete}, resetKinds{Error, Complete})
	r.old = count("old-stream", maxOld, "requests that reach the follower after their stream broke")
	r.restarts = count("restarts", 2, "times the follower restarts")
	r.earlyTimeouts = count("early-timeouts", 2, "requests that time out before they reach the follower")
	r.leaderMayDie = c.Bool("leader-may-die", false, "the leader may go down for good")

	r.purgeUpToSnapshot = onOff("purge-upto-snapshot", "on", "the leader purges what its snapshot has, whether this follower has it or not (raft.server.log.purge.upto.snapshot.index; Ratis' default is off, Ozone Manager's on)")
	r.majority = onOff("majority-without-follower", "on", "another follower keeps up, so that the leader commits without this one")
	r.sync = model.Choice(c, "install", "async", "the follower's state machine installs a snapshot in the background, or in the call that asks for it", "async", "sync") == "sync"
	r.noPrevCheck = c.Bool("no-prev-check", false, "the follower does not check that it has the entry before the request's first")
	r.noExistsCheck = c.Bool("no-exists-check", false, "the follower does not check whether the request's first entry is committed or purged")
	r.dupAckWaits = c.Bool("dup-ack-waits-flush", false, "a request that brings nothing new is answered when its entries are flushed, as in Ratis 3.2")
	r.orphan = c.Bool("orphan-on-install", false, "an install drops queued writes, and the requests that brought them are never answered")
	return r
}

// resetKinds is a list of kinds that prints as a setting's value.
type resetKinds []ResetKind

func (k resetKinds) String() string {
	if len(k) == 2 {
		return "both"
	}
	return k[0].String()
}

func build(c *model.Config) *model.Spec[State] {
	r := read(c)
	return &model.Spec[State]{
		Init: []State{{LNext: 1, LStart: 1, LAlive: true, Next: 1}},
		// Timers are slow: where they are last, equally short counterexamples
		// are told in the likely order.
		Actions:    slices.Concat(r.appender(), r.follower(), r.install(), r.environment(), r.timers()),
		Properties: r.guarantees(),
		Questions:  r.questions(),
		Within:     func(s *State) bool { return s.Owed.Len() < r.owed || s.ReqQ.Empty() },
		Lanes:      lanes,
		Draw:       r.draw,
	}
}

// part is a named condition on a state.
type part struct {
	name  string
	holds func(*State) bool
}

// with is the guard of an action without a parameter, with1 that of one with
// a parameter, which may have conditions on it.
func with(parts ...part) (all model.Conjuncts[func(*State) bool]) {
	for _, p := range parts {
		all = append(all, model.If(p.name, p.holds))
	}
	return all
}

func with1[A any](parts []part, more ...model.Conjunct[func(*State, A) bool]) model.Conjuncts[func(*State, A) bool] {
	return slices.Concat(model.For1[A](with(parts...)...), more)
}

// alive is what every action of the leader needs.
var alive = part{"leader alive", func(s *State) bool { return s.LAlive }}
