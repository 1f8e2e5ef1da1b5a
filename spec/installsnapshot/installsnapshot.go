package installsnapshot

import (
	_ "embed"
	"slices"

	"mc/model"
)

// Entry is the spec.
var Entry = model.Define("install-snapshot", "an Ozone Manager never uses the checkpoint that it installed", build).
	With(model.About{Bug: "HDDS-17573", Story: model.PackageComment(source), Scenarios: scenarios, Claims: claims})

//go:embed doc.go
var source string

// Toggle is the value of a setting that Ozone has too.
type Toggle bool

// The two values.
const (
	On  Toggle = true
	Off Toggle = false
)

func (t Toggle) String() string {
	if t {
		return "on"
	}
	return "off"
}

// Service is whose state machine F runs.
type Service uint8

// The two services.
const (
	OM Service = iota
	SCM
)

func (s Service) String() string { return [...]string{"om", "scm"}[s] }

// rules are the settings and what follows from them.
type rules struct {
	// Repairs.
	appendPath, preSwap, postSwap, leaderAtEnd, leaderPreSwap bool
	cancelStale, holdApply, reloadAtEnd                       bool

	// The system.
	compose, purgeFreely, scm, waitApplied, reloadEarly bool

	// The schedules.
	stableLeader, atomic, stallEnds, prompt bool
	writes, peerDown, nullReturn            bool
	notify                                  model.Strength

	// The bounds.
	indices, last, commit                   Index
	accepted, rejections                    int
	sizes                                   model.Param[Index] // entries of a request
	leaderChanges, purges, resets, restarts int
}

func read(c *model.Config) *rules {
	r := &rules{}
	r.appendPath = c.Fix("ratis-append-path", "an append or a heartbeat uses the result of a finished install, too")
	r.preSwap = c.Alternative("om-check-preswap", "OM gives up before it replaces its DB if the log has the leader's first entry by then")
	r.postSwap = c.Alternative("om-check-postswap", "OM looks for that entry after it replaced its DB, and fails the future")
	r.leaderAtEnd = c.Alternative("leader-check-complete", "the future fails if the leader changed since the notification (HDDS-16932)")
	r.leaderPreSwap = c.Alternative("leader-check-preswap", "OM gives up before it replaces its DB if the leader changed")
	r.cancelStale = c.Alternative("cancel-stale-appends", "the reload fails accepted appends that are not in the log yet, each by itself")
	r.holdApply = c.Alternative("hold-apply", "the updater waits from the replacement of the DB until the reload")
	r.reloadAtEnd = c.Alternative("reload-at-completion", "the future's callback reloads and ends the install itself")

	r.compose = bool(model.Choice(c, "append-compose", On, "ozone.om.ha.raft.server.log.append-entries.compose.enabled: accepted appends form a chain", On, Off))
	r.purgeFreely = bool(model.Choice(c, "purge-upto-snapshot", On, "ozone.om.ratis.log.purge.upto.snapshot.index: a purge need not wait for F", On, Off))
	r.scm = model.Choice(c, "state-machine", OM, "whose state machine F runs; SCM replaces its DB in the reload", OM, SCM) == SCM
	r.waitApplied = c.Bool("om-waits-for-applied", true, "OM replaces its DB only when all that F knows to be committed is applied")
	r.reloadEarly = c.Bool("pre-ratis-1481", false, "without RATIS-1481: the callback reloads, and a notification ends the install")

	r.stableLeader = c.Bool("stable-leader", true, "the leader does not change during an install")
	r.atomic = c.Bool("check-append-atomic", false, "an accepted append is in the log at once, unless it waits for a flush")
	r.stallEnds = c.Bool("stall-ends-before-swap", false, "no accepted append is waiting when the DB is replaced (SCM: when the future completes)")
	r.prompt = c.Bool("prompt-heartbeat-replies", true, "the reply to a heartbeat takes effect at once")
	r.writes = c.Bool("writes", false, "clients write, as far as the indices go")
	r.peerDown = c.Bool("peer-down", false, "the other peer may be down")
	r.nullReturn = c.Bool("null-return", false, "the download may fail, and OM returns null")

	fairness := model.Strong
	if r.appendPath {
		fairness = model.Weak
	}
	r.notify = model.Choice(c, "notify-fairness", fairness, "of NotifyInstall; strong, for each kind of ReceiveEntryReply as well; weak by default with the fix", model.Weak, model.Strong)

	r.indices = Index(c.Int("indices", 5, 4, maxIndex, "the highest index of the log"))
	r.last = Index(c.Int("last", 4, 2, maxIndex, "the end of the peers' log at the start"))
	r.commit = r.last
	if c.Bool("lag", false, "only entry 1 is committed at the start") {
		r.commit = 1
	}
	r.accepted = c.Int("accepted", 2, 1, maxQueued, "appends that F has accepted and not flushed")
	r.sizes = model.Between[Index]("entries", 1, c.Int("entries", 2, 1, 2, "entries of an append"))
	r.rejections = c.Int("rejections", 1, 1, maxQueued, "rejections of entries under way")
	r.leaderChanges = c.Int("leader-changes", 1, 0, 2, "times the leader may change")
	r.purges = c.Int("purges", 1, 0, 2, "times a peer may purge its log")
	r.resets = c.Int("resets", 0, 0, 1, "times the leader's stream to F may break")
	r.restarts = c.Int("restarts", 0, 0, 1, "times F may restart")
	return r
}

func build(c *model.Config) *model.Spec[State] {
	r := read(c)
	return &model.Spec[State]{
		Init: []State{{
			First: [peers]Index{1, 1}, Last: r.last, Commit: r.commit,
			View: 2, Match: 1,
			LogEnd: 1, FCommit: 1, Applied: 1, DB: 1,
		}},
		Actions:    slices.Concat(r.peers(), r.appender(), r.log(), r.om()),
		Properties: r.guarantees(),
		Questions:  r.questions(),
		Lanes:      lanes,
		Draw:       r.draw,
	}
}
