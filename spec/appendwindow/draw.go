package appendwindow

import (
	"fmt"

	"mc/model"
)

const (
	leaderLane   = "leader log"
	appenderLane = "appender"
	followerLane = "follower server"
	workerLane   = "follower log"
)

var lanes = []string{leaderLane, appenderLane, followerLane, workerLane}

// draw names a request by its entries, a reply by its text, and a task of the
// log's thread by its index. A call to a step's own lane is a remark: what the
// picture would not show otherwise.
func (r *rules) draw(d *model.Drawing, s, t *State) {
	switch d.Action {
	case "ClientAppend":
		d.On(leaderLane).Call(appenderLane, fmt.Sprintf("entry %d", s.LNext))
	case "LeaderPurge":
		d.On(leaderLane).Call(appenderLane, fmt.Sprintf("log begins at %d", t.LStart))
	case "LeaderDies":
		d.On(leaderLane)
	case "RecvLog", "RecvOldLog", "RecvHeartbeat", "SendReply", "RecvNotify", "InstallDone",
		"ElectionTimeout", "FollowerPurge", "FollowerRestart":
		drawFollower(d.On(followerLane), s, t)
	case "WorkerStep", "WorkerSticks":
		drawWorker(d.On(workerLane), s, t)
	default:
		r.drawAppender(d.On(appenderLane), s, t)
	}
}

func (r *rules) drawAppender(d *model.Drawing, s, t *State) {
	switch d.Action {
	case "SendLog":
		q := t.ReqQ.Last()
		d.Send(q.id(), followerLane, "append "+span(q.First, q.Last))
	case "SendHeartbeat":
		d.Send("heartbeat", followerLane, t.Hb.String())
	case "Notify":
		d.Send("install", followerLane, t.Inst.String())
	case "RequestTimeout":
		r.drawTimeout(d, s)
	case "RecvLogReply", "LoseReply":
		d.Take(s.RepQ.First().text())
	case "RecvHeartbeatReply":
		d.Take("heartbeat reply")
	case "RecvNotifyReply":
		d.Take("install reply")
	}
}

func (r *rules) drawTimeout(d *model.Drawing, s *State) {
	which := "a request"
	switch p := places[d.Arg(0)]; p.queue {
	case reqQ:
		which = r.endingAt(s.ReqQ.At(int(p.i)).Last)
	case owed:
		which = r.endingAt(s.Owed.At(int(p.i)).At)
	case repQ:
		which = r.endingAt(s.RepQ.At(int(p.i)).At)
	}
	if r.removeOnTimeout {
		d.Call(appenderLane, which+" leaves the map")
	} else {
		d.Call(appenderLane, which+" stays in the map")
	}
}

// endingAt names a request of which no more than its last entry is known.
func (r *rules) endingAt(last Index) string {
	if r.batch == 1 {
		return fmt.Sprintf("append %d", last)
	}
	return fmt.Sprintf("append up to %d", last)
}

// id names a request among those under way.
func (q Request) id() string { return "request " + span(q.First, q.Last) }

func drawFollower(d *model.Drawing, s, t *State) {
	switch d.Action {
	case "RecvLog":
		d.Take(s.ReqQ.First().id())
	case "RecvOldLog":
		d.Take(s.OldQ.First().id())
	case "RecvHeartbeat":
		d.Take("heartbeat").Send("heartbeat reply", appenderLane, t.Hb.String())
	case "SendReply":
		text := t.RepQ.Last().text()
		d.Send(text, appenderLane, text)
	case "RecvNotify":
		d.Take("install").Send("install reply", appenderLane, t.Inst.String())
		return
	case "FollowerPurge":
		d.Send(purgeTask(t.FLast), workerLane, "PurgeLog")
	}
	for i := s.FLast + 1; i <= t.FLast; i++ {
		d.Send(writeTask(i), workerLane, fmt.Sprintf("WriteLog %d", i))
	}
}

func drawWorker(d *model.Drawing, s, t *State) {
	wrote := t.FWritten > s.FWritten
	switch {
	case wrote:
		d.Take(writeTask(t.FWritten))
	case s.Pq != t.Pq:
		d.Take(purgeTask(t.FWritten))
	}
	switch {
	case t.FFlushed > s.FFlushed:
		d.Call(followerLane, fmt.Sprintf("flushed up to %d", t.FFlushed))
	case wrote:
		d.Call(workerLane, fmt.Sprintf("%d written, no flush", t.FWritten))
	case t.idle() && t.FFlushed < t.FWritten:
		d.Call(workerLane, fmt.Sprintf("idle, %s not flushed", span(t.FFlushed+1, t.FWritten)))
	}
}

func writeTask(i Index) string { return fmt.Sprintf("write %d", i) }
func purgeTask(i Index) string { return fmt.Sprintf("purge behind %d", i) }
