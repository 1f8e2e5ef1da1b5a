package appendwindow

import "mc/model"

// scenarios are what makes requests go unanswered, and what ends a hang.
var scenarios = []model.Scenario{
	{Name: "stall-1", Set: "window=1,follower-purges=1", Default: true,
		Doc: "the report's trigger, with a window of one request"},
	{Name: "stall-2", Set: "window=2,follower-purges=1", Default: true,
		Doc: "the same, with a window of two"},
	{Name: "stall-3", Set: "window=3,follower-purges=1",
		Doc: "the same, with a window of three"},
	{Name: "lost-1", Set: "window=1,lost-replies=1", Default: true,
		Doc: "a reply is lost, whatever the reason"},
	{Name: "lost-2", Set: "window=2,lost-replies=2",
		Doc: "two replies are lost, as many as the window admits"},
	{Name: "stuck-worker", Set: "window=2,stuck-worker=true",
		Doc: "the thread of the follower's log stops for ever"},
	{Name: "purge-escape", Set: "window=1,follower-purges=1,leader-purges=1",
		Doc: "the report's trigger, and the leader may purge its log: how the report's cluster got out"},
	{Name: "leader-dies", Set: "window=1,follower-purges=1,leader-may-die=true",
		Doc: "the report's trigger, and the leader may go down"},
	{Name: "clean-1", Set: "window=1",
		Doc: "nothing unusual but late replies"},
	{Name: "clean-2", Set: "window=2",
		Doc: "the same, with a window of two"},
	{Name: "clean-3", Set: "window=3",
		Doc: "the same, with a window of three"},
}

const (
	report = "RATIS-2145"
	ours   = "ours"

	flushOnly = "flush-before-non-write"
	bothFixes = "on," + flushOnly

	// Configurations in which requests are sent again: two requests under way
	// of up to two entries each, or one at a time of one entry. With the fix,
	// ever more of them may be unanswered.
	dup2  = "window=2,entries=2,batch=2,early-timeouts=1,resets=1"
	dup1  = "window=1,entries=3,wires=1,early-timeouts=1,resets=1"
	safe2 = dup2 + ",old-stream=2"
	safe1 = dup1 + ",old-stream=1"
)

// claims are the statements of the report, and what a closer look added.
var claims = []model.Claim{
	{ID: "1", Source: report,
		Text: "A follower may get no entry any more, for ever, with more of them at the leader.",
		Cases: []model.Case{
			{Scenarios: "stall-1 stall-2", Violated: "NoPermanentHang FollowerCatchesUp"}}},
	{ID: "2", Source: ours,
		Text: "A larger window does not help: it takes one purge behind the last write of a window's worth of requests.",
		Cases: []model.Case{
			{Scenarios: "stall-3", Set: "entries=4", Violated: "NoPermanentHang"},
			{Scenarios: "stall-3", Violated: "NoPermanentHang"}}},
	{ID: "3", Source: report,
		Text: "All the while heartbeats are answered.",
		Cases: []model.Case{
			{Scenarios: "stall-1 stall-2", Holds: "HeartbeatsFlow"}}},
	{ID: "4", Source: report,
		Text: "There is no election: the follower is no candidate while its leader lives. This is so by construction; see 32.",
		Cases: []model.Case{
			{Scenarios: "leader-dies", Holds: "NoElectionWhileLed"}}},
	{ID: "5", Source: report,
		Text: "The entry that timed out last is the one before nextIndex; the follower has it, and all of the window's; and the map has exactly as many requests as the window admits.",
		Cases: []model.Case{
			{Scenarios: "stall-1 stall-2 stall-3", Holds: "StuckShape WindowRespected"}}},
	{ID: "6", Source: ours,
		Text: "A hang outlasts every other step: only a reset of the stream, a restart of the follower, or a purge of the leader's log beyond nextIndex ends it.",
		Cases: []model.Case{
			{Scenarios: "stall-1 stall-2 stall-3", Holds: "StuckStable"},
			{Scenarios: "stall-1 stall-2", Set: "resets=1", Holds: "StuckStable"},
			{Scenarios: "stall-1 stall-2", Set: "restarts=1", Holds: "StuckStable"},
			{Scenarios: "stall-3", Set: "entries=4,owed=4,resets=1", Holds: "StuckStable", Long: true},
			{Scenarios: "stall-3", Set: "entries=4,owed=4,restarts=1", Holds: "StuckStable", Long: true},
			{Scenarios: "purge-escape", Holds: "StuckStable"}}},
	{ID: "7", Source: ours,
		Text: "Timeouts alone are harmless: if replies are late but come, the follower gets every entry and the leader learns of it.",
		Cases: []model.Case{
			{Scenarios: "clean-1 clean-2 clean-3", Holds: "NoPermanentHang FollowerCatchesUp LeaderLearns"}}},
	{ID: "7b", Source: ours,
		Text: "A reply that comes after its request timed out is found in the map, and opens the window again.",
		Cases: []model.Case{
			{Scenarios: "clean-1", Reachable: "LateReplyAfterTimeout"}}},
	{ID: "8", Source: ours,
		Text: "It takes a full window: with fewer entries than the window admits, the follower gets all of them.",
		Cases: []model.Case{
			{Scenarios: "stall-3", Set: "entries=2", Holds: "NoPermanentHang FollowerCatchesUp"}}},
	{ID: "9", Source: ours,
		Text: "Even so the last of them stay unflushed, and their replies unsent.",
		Cases: []model.Case{
			{Scenarios: "stall-3", Set: "entries=2", Violated: "LeaderLearns"}}},
	{ID: "10", Source: ours,
		Text: "Any reply that never comes costs a place in the window, for good, and as many of them as the window has places close it, however the follower flushes.",
		Cases: []model.Case{
			{Scenarios: "lost-1 lost-2", Violated: "NoPermanentHang"},
			{Scenarios: "lost-1 lost-2", Fix: flushOnly, Violated: "NoPermanentHang"}}},
	{ID: "11", Source: ours,
		Text: "One fewer only makes the window narrower.",
		Cases: []model.Case{
			{Scenarios: "lost-2", Set: "lost-replies=1", Holds: "NoPermanentHang FollowerCatchesUp"}}},
	{ID: "12", Source: ours,
		Text: "It is the same with a follower whose log thread is stuck; there, at least, the window bounds the unanswered requests.",
		Cases: []model.Case{
			{Scenarios: "stuck-worker", Violated: "NoPermanentHang", Holds: "OutstandingBounded"}}},
	{ID: "13", Source: ours,
		Text: "The follower's own fix mends neither of these.",
		Cases: []model.Case{
			{Scenarios: "lost-1 lost-2 stuck-worker", Fix: flushOnly, Violated: "NoPermanentHang"}}},
	{ID: "14", Source: report,
		Text: "With the fix the follower gets every entry: after a purge that skips a flush, with lost replies, with a stuck thread.",
		Cases: []model.Case{
			{Scenarios: "stall-1", Set: "entries=2", Fix: "on", Holds: "NoPermanentHang FollowerCatchesUp"},
			{Scenarios: "stall-2", Set: "entries=3", Fix: "on", Holds: "NoPermanentHang FollowerCatchesUp"},
			{Scenarios: "stall-3", Set: "entries=4", Fix: "on", Holds: "NoPermanentHang"},
			{Scenarios: "lost-1 lost-2 stuck-worker", Fix: "on", Holds: "NoPermanentHang FollowerCatchesUp"}}},
	{ID: "15", Source: ours,
		Text: "The fix does not have the last entries flushed, nor a lost reply sent again: the leader may never learn what the follower has.",
		Cases: []model.Case{
			{Scenarios: "stall-1", Set: "entries=2", Fix: "on", Violated: "LeaderLearns"},
			{Scenarios: "lost-1 stuck-worker", Fix: "on", Violated: "LeaderLearns"}}},
	{ID: "16", Source: ours,
		Text: "With both fixes the leader learns of every entry, too.",
		Cases: []model.Case{
			{Scenarios: "stall-1", Set: "entries=2", Fix: bothFixes, Holds: "FollowerCatchesUp LeaderLearns HeartbeatsFlow FirstReplyComes"},
			{Scenarios: "stall-2", Set: "entries=3", Fix: bothFixes, Holds: "FollowerCatchesUp LeaderLearns HeartbeatsFlow FirstReplyComes"}}},
	{ID: "17", Source: ours,
		Text: "The follower's fix alone ends the deadlock that was reported.",
		Cases: []model.Case{
			{Scenarios: "stall-1 stall-2", Fix: flushOnly, Holds: "NoPermanentHang FollowerCatchesUp LeaderLearns HeartbeatsFlow FirstReplyComes"}}},
	{ID: "18", Source: ours,
		Text: "The price of the fix: the window no longer bounds the requests that are unanswered.",
		Cases: []model.Case{
			{Scenarios: "clean-1 stuck-worker", Fix: "on", Violated: "OutstandingBounded"}}},
	{ID: "19", Source: report,
		Text: "A hang ends exactly when the leader's first entry comes to be after nextIndex; then it does end, and the follower gets every entry.",
		Cases: []model.Case{
			{Scenarios: "purge-escape", Holds: "ExitOnlyByPurge"},
			{Scenarios: "purge-escape", Set: "entries=2", Holds: "ExitOnlyByPurge PurgeFrees PurgeRestores"}}},
	{ID: "20", Source: ours,
		Text: "This happens; a purge up to nextIndex, or to before it, leaves the hang as it is.",
		Cases: []model.Case{
			{Scenarios: "purge-escape", Reachable: "HungAndPurged PurgedToBoundaryStillStuck"},
			{Scenarios: "purge-escape", Set: "entries=4", Reachable: "PurgedBelowStillStuck"}}},
	{ID: "21", Source: ours,
		Text: "If the leader purges only what every follower has committed, which is Ratis' default, there is no such way out.",
		Cases: []model.Case{
			{Scenarios: "purge-escape", Set: "purge-upto-snapshot=off", Unreachable: "HungAndPurged", Violated: "NoPermanentHang"}}},
	{ID: "22", Source: ours,
		Text: "Nor is there one if the leader cannot commit without this follower; there the fix is as good.",
		Cases: []model.Case{
			{Scenarios: "purge-escape", Set: "majority-without-follower=off", Unreachable: "HungAndPurged", Violated: "NoPermanentHang"},
			{Scenarios: "purge-escape", Set: "majority-without-follower=off,entries=2", Fix: "on", Unreachable: "HungAndPurged", Holds: "NoPermanentHang FollowerCatchesUp"}}},
	{ID: "23", Source: ours,
		Text: "A snapshot installed within the call is as good a way out of the reported deadlock: installing it flushes the log.",
		Cases: []model.Case{
			{Scenarios: "purge-escape", Set: "install=sync,entries=2", Holds: "PurgeFrees PurgeRestores"},
			{Scenarios: "purge-escape", Set: "install=sync", Unreachable: "StillStuckAfterInstall"}}},
	{ID: "24", Source: ours,
		Text: "Places lost to lost replies outlast an install, since only a refused heartbeat or request clears the map: always if the install is done within the call, and in the background if no heartbeat falls into it.",
		Cases: []model.Case{
			{Scenarios: "lost-1", Set: "leader-purges=1,install=sync", Reachable: "StillStuckAfterInstall"},
			{Scenarios: "lost-1", Set: "leader-purges=1", Reachable: "StillStuckAfterInstall"}}},
	{ID: "25", Source: ours,
		Text: "A reset of the stream, by an error or in good order, and a restart of the follower end a hang, and the follower gets every entry.",
		Cases: []model.Case{
			{Scenarios: "stall-1 stall-2", Set: "resets=1", Holds: "ResetCures StuckStable"},
			{Scenarios: "stall-1 stall-2", Set: "restarts=1", Holds: "ResetCures StuckStable"}}},
	{ID: "26", Source: ours,
		Text: "To send more after a timeout is safe, with and without the fix, with resets and requests that outlive their stream: the follower appends no gap and nothing twice that it has purged.",
		Cases: []model.Case{
			{Set: safe2, Holds: "NoBadAppend CommitWithinLog"},
			{Set: safe1, Holds: "NoBadAppend CommitWithinLog"},
			{Set: safe2, Fix: "on", Holds: "NoBadAppend CommitWithinLog"},
			{Set: safe1 + ",owed=5", Fix: "on", Holds: "NoBadAppend CommitWithinLog"}}},
	{ID: "27", Source: ours,
		Text: "It is safe because the follower checks. Without the check of the previous entry there are gaps; without that of the first one, entries come back that were purged. Resets suffice for this, without the fix.",
		Cases: []model.Case{
			{Set: safe2 + ",no-prev-check=true", Violated: "NoBadAppend"},
			{Set: safe1 + ",no-prev-check=true", Violated: "NoBadAppend"},
			{Set: safe2 + ",no-prev-check=true", Fix: "on", Violated: "NoBadAppend"},
			{Set: safe1 + ",no-prev-check=true", Fix: "on", Violated: "NoBadAppend"},
			{Set: safe2 + ",no-exists-check=true,follower-purges=1", Violated: "NoBadAppend"},
			{Set: safe1 + ",no-exists-check=true,follower-purges=1", Violated: "NoBadAppend"},
			{Set: safe2 + ",no-exists-check=true,follower-purges=1", Fix: "on", Violated: "NoBadAppend"},
			{Set: safe1 + ",no-exists-check=true,follower-purges=1", Fix: "on", Violated: "NoBadAppend"}}},
	{ID: "27b", Source: ours,
		Text: "On one stream that does not break, its order is enough.",
		Cases: []model.Case{
			{Scenarios: "clean-1 clean-2", Set: "early-timeouts=1,no-prev-check=true", Fix: "on", Holds: "NoBadAppend"}}},
	{ID: "28", Source: ours,
		Text: "New with the fix: a heartbeat that overtakes a request which timed out early names an entry that the follower lacks, is refused, and the request is sent twice.",
		Cases: []model.Case{
			{Scenarios: "clean-1 clean-2", Set: "early-timeouts=1", Unreachable: "DuplicateSent"},
			{Scenarios: "clean-1 clean-2", Set: "early-timeouts=1", Fix: "on", Reachable: "DuplicateSent"}}},
	{ID: "29", Source: ours,
		Text: "Nearby: an install that drops queued writes leaves their requests unanswered for ever, and it hangs again, the follower's fix or not.",
		Cases: []model.Case{
			{Set: "leader-purges=1,orphan-on-install=true", Fix: flushOnly, Violated: "NoPermanentHang FollowerCatchesUp"},
			{Set: "leader-purges=1,orphan-on-install=true,entries=4", Fix: flushOnly, Violated: "NoPermanentHang FollowerCatchesUp"}}},
	{ID: "29b", Source: ours,
		Text: "With both fixes the entries then get through; their acknowledgement does not.",
		Cases: []model.Case{
			{Set: "leader-purges=1,orphan-on-install=true", Fix: bothFixes, Holds: "FollowerCatchesUp", Violated: "LeaderLearns"},
			{Set: "leader-purges=1,orphan-on-install=true,entries=4", Fix: bothFixes, Holds: "FollowerCatchesUp", Violated: "LeaderLearns"}}},
	{ID: "30", Source: ours,
		Text: "Nearby: a request that brings nothing new is acknowledged at once, even if its entries are not flushed yet. If it waits, as from Ratis 3.2 on, what is acknowledged is on disk.",
		Cases: []model.Case{
			{Set: dup2, Violated: "AckedIsDurable"},
			{Set: dup1, Violated: "AckedIsDurable"},
			{Set: dup2, Fix: "on", Violated: "AckedIsDurable"},
			{Set: dup1, Fix: "on", Violated: "AckedIsDurable"},
			{Set: dup2 + ",dup-ack-waits-flush=true", Holds: "AckedIsDurable"},
			{Set: dup1 + ",dup-ack-waits-flush=true", Holds: "AckedIsDurable"},
			{Set: dup2 + ",dup-ack-waits-flush=true", Fix: "on", Holds: "AckedIsDurable"},
			{Set: dup1 + ",dup-ack-waits-flush=true,owed=5", Fix: "on", Holds: "AckedIsDurable"}}},
	{ID: "31", Source: ours,
		Text: "Nearby: a stream that breaks by an error keeps nextIndex. With nothing more to send, the leader never learns whether the last entries arrived.",
		Cases: []model.Case{
			{Set: "window=2,entries=3,resets=1,reset-kinds=error", Violated: "LeaderLearns"}}},
	{ID: "32", Source: ours,
		Text: "A follower that waits for a flush is no candidate even after its leader died, so that there was no election is no proof of heartbeats. The leader's fix changes nothing here, the follower's does.",
		Cases: []model.Case{
			{Scenarios: "leader-dies", Violated: "OrphanElects"},
			{Scenarios: "leader-dies", Set: "entries=2", Fix: "on", Violated: "OrphanElects"},
			{Scenarios: "leader-dies", Fix: flushOnly, Holds: "OrphanElects"},
			{Scenarios: "leader-dies", Set: "entries=2", Fix: bothFixes, Holds: "OrphanElects"}}},
	{ID: "33", Source: ours,
		Text: "A new stream is held to one request until its first reply; a heartbeat's will do, so this passes.",
		Cases: []model.Case{
			{Scenarios: "clean-1 clean-2", Set: "resets=1,reset-kinds=error", Holds: "FirstReplyComes"}}},
	{ID: "34", Source: ours,
		Text:        "From Ratis 3.2 on each append waits for the one before it to be flushed; there only the follower's fix could end the deadlock.",
		NotModelled: "the spec is of Ratis before 3.2, and leaves out real time, the data of state machines, other terms and leaders, changes of membership, and the appender for Netty"},
}
