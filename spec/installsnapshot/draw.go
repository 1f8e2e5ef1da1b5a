package installsnapshot

import (
	"fmt"

	"mc/model"
)

// The lanes are the peers, and F's server, log threads and install thread. A
// request is drawn on the lane of the leader that sends it.
const (
	server  = "F: Ratis server"
	logs    = "F: Ratis log"
	install = "F: install thread"
)

func lane(p Peer) string { return "peer " + p.String() }

var lanes = []string{lane(A), lane(B), server, logs, install}

// The messages. An accepted append is under way until it is in the log.
type (
	appendMsg  struct{ from Index }
	entryReply struct{ next Index }
)

const (
	hbReply      = "heartbeat reply"
	ack          = "ack"
	installReply = "install reply"
	request      = "install"
)

func (r *rules) draw(d *model.Drawing, s, t *State) {
	d.On(lane(t.Leader))
	switch d.Action {
	case "CommitPair":
		d.Call(lane(t.Leader.other()), fmt.Sprintf("commit %d", t.Commit))
	case "PeerDown", "PeerUp":
		d.On(lane(t.Leader.other()))
	case "SnapshotAndPurge":
		d.On(lane([]Peer{A, B}[d.Arg(0)]))
	case "TransferLeadership":
		d.Call(lane(s.Leader), fmt.Sprintf("leads from entry %d on", t.Last))
	case "RestartFollower":
		d.On(server)
	case "Write", "StreamReset":

	case "SendEntry":
		r.drawEntry(d, s, t)
	case "SendHeartbeat":
		r.drawHeartbeat(d, s, t)
	case "NotifyInstall":
		drawNotify(d, s, t)
	case "ReceiveHeartbeatReply":
		d.Take(hbReply)
	case "ReceiveEntryReply":
		d.Take(entryReply{s.EntryReplies.First().Next})
	case "ReceiveAck":
		d.Take(ack)
	case "ReceiveInstallReply":
		d.Take(installReply)

	case "LandQueued":
		d.On(logs).Take(appendMsg{s.Acc.At(s.count(Written)).From})
		drawLanding(d, s, t)
	case "Flush":
		d.On(logs)
		if r.atomic {
			d.Take(appendMsg{s.Acc.First().From})
		}
		if t.Ack > s.Ack {
			d.Send(ack, lane(t.Leader), fmt.Sprintf("SUCCESS, match %d", t.Ack))
		}
		drawLanding(d, s, t)
	case "Apply":
		d.On(logs).Call(install, fmt.Sprintf("DB: entry %d", t.Applied))

	default:
		drawInstall(d.On(install), s, t)
	}
}

func (r *rules) drawEntry(d *model.Drawing, s, t *State) {
	text := fmt.Sprintf("append %d", s.View)
	if t.View > s.View+1 {
		text += fmt.Sprintf("..%d", t.View-1)
	}
	switch r.answer(s) {
	case accept:
		d.Send(appendMsg{s.View}, logs, text+": accepted")
		return
	case again:
		d.Call(server, text+": accepted before")
		return
	case present:
		d.Call(server, text+": in the log")
		d.Send(ack, lane(t.Leader), fmt.Sprintf("SUCCESS, match %d", t.Ack))
		return
	case busy:
		text += busyText(s, t)
	case old:
		text += ": F has it"
	case gap:
		text += fmt.Sprintf(": entry %d missing", s.View-1)
	}
	next := t.EntryReplies.Last().Next
	d.Call(server, text)
	d.Send(entryReply{next}, lane(t.Leader), fmt.Sprintf("INCONSISTENCY, next %d", next))
}

func (r *rules) drawHeartbeat(d *model.Drawing, s, t *State) {
	var text string
	next := t.next()
	switch {
	case s.InProg != 0:
		text = "heartbeat" + busyText(s, t)
	case t.FCommit > s.FCommit:
		d.Call(server, fmt.Sprintf("heartbeat: commit %d", t.FCommit))
		return
	default:
		text = fmt.Sprintf("heartbeat: entry %d missing", s.View-1)
		next = min(next, s.View-1)
	}
	if r.prompt {
		d.Call(server, fmt.Sprintf("%s; next %d", text, next))
		return
	}
	d.Call(server, text)
	d.Send(hbReply, lane(t.Leader), fmt.Sprintf("INCONSISTENCY, next %d", next))
}

// busyText says what F makes of an append during an install. With the fix it
// reads the result of one that is over.
func busyText(s, t *State) string {
	switch {
	case t.InProg == 0:
		return ": reads the result"
	case s.Phase.finished():
		return ": install in progress, result unread"
	}
	return ": install in progress"
}

func drawNotify(d *model.Drawing, s, t *State) {
	text := fmt.Sprintf("first index %d", s.First[s.Leader])
	switch {
	case s.InProg != 0:
		d.Call(server, text+": reads the result")
	case t.InProg != 0:
		d.Call(server, text+": install")
		d.Send(request, install, text)
	default:
		d.Call(server, text+": already installed")
	}
	if t.InstallReply != 0 {
		d.Send(installReply, lane(t.Leader), fmt.Sprintf("installed %d", t.InstallReply))
	}
}

func drawLanding(d *model.Drawing, s, t *State) {
	switch {
	case s.Chain != t.Chain:
		d.Call(server, "refused: the chain is dead")
	case s.count(Queued) > t.count(Queued) && t.LogEnd == s.LogEnd && s.Acc.Len() > t.Acc.Len():
		d.Call(server, "refused")
	case t.LogEnd > s.LogEnd:
		d.Call(server, fmt.Sprintf("next index %d", t.next()))
	}
}

func drawInstall(d *model.Drawing, s, t *State) {
	if s.Phase == Requested {
		d.Take(request)
	}
	switch {
	case t.Phase == Downloading && t.Moved: // the notifier need not lead any more
	case t.Phase == Downloading:
		d.Call(lane(t.Leader), fmt.Sprintf("checkpoint at %d", t.Ckpt))
	case t.Phase == Swapped:
	case t.Phase == Done:
		d.Call(server, fmt.Sprintf("result %d, unread", t.Ckpt))
	case t.Phase == Null:
		d.Call(server, "result null, unread")
	case t.Snap > s.Snap:
		d.Call(server, fmt.Sprintf("reload at %d", t.Snap))
	default:
		d.Call(server, "failed; may be tried again")
	}
}
