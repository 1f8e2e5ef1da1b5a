package bcsidmap

import (
	"fmt"

	"mc/model"
)

// The lanes are the clients, the threads of their streams, the apply thread,
// and the datanode's process with its disk.
const (
	applyLane    = "apply thread"
	datanodeLane = "datanode"
)

func clientLane(w Writer) string { return "client " + w.String() }
func streamLane(w Writer) string { return "stream " + w.String() }

// onStream says that the PutBlocks of a mode have a thread of their own.
func (m Mode) onStream() bool { return m == NoRaft || m == Close }

func (r *rules) lanes() (lanes []string) {
	for _, w := range r.writers.Values {
		lanes = append(lanes, clientLane(w))
	}
	for _, w := range r.writers.Values {
		if r.mode[w].onStream() {
			lanes = append(lanes, streamLane(w))
		}
	}
	return append(lanes, applyLane, datanodeLane)
}

// draw puts an append on the lane of who causes it; the message it sends has
// the entry's index for a name, and is taken whenever the entry is applied.
func (r *rules) draw(d *model.Drawing, s, t *State) {
	switch d.Action {
	case "ApplyBegin", "ApplyPut", "ApplyBody", "ApplyUpd":
		r.drawApply(d.On(applyLane), s, t)
	case "StreamBegin", "StreamPut", "StreamBody", "StreamUpd":
		w := r.writers.Values[d.Arg(0)]
		r.drawStream(d.On(streamLane(w)), s, t, w)
	case "Snapshot", "Crash", "Stop", "Restart", "GroupRemove", "Lose", "Corrupt":
		d.On(datanodeLane)
	case "AppendCC":
		r.drawAppend(d.On(datanodeLane), t)
	default:
		r.drawClient(d, s, t, r.writers.Values[d.Arg(0)])
	}
}

func (r *rules) drawClient(d *model.Drawing, s, t *State, w Writer) {
	d.On(clientLane(w))
	c := r.into[w]
	switch {
	case t.Log.Len() > s.Log.Len():
		r.drawAppend(d, t)
	case t.Status[w] == Refused:
		d.Call(datanodeLane, d.Action+": refused")
	case d.Action == "CreatePut":
		d.Call(datanodeLane, fmt.Sprintf("map %v", t.Map))
	case d.Action != "Retry" && s.exists(c):
		d.Call(datanodeLane, fmt.Sprintf("%s: %v exists", d.Action, c))
	case d.Action != "Retry":
		d.Call(datanodeLane, fmt.Sprintf("%s: creates %v", d.Action, c))
	}
}

func (r *rules) drawAppend(d *model.Drawing, t *State) {
	d.Send(t.Log.Len(), applyLane, fmt.Sprintf("%v@%d", t.Log.Last().Op, t.Log.Len()))
}

func (r *rules) drawApply(d *model.Drawing, s, t *State) {
	e := s.next()
	if d.Action == "ApplyBegin" && e.Op != Conf {
		d.Take(int(s.Applied) + 1)
	}
	switch {
	case !s.CloseAsked && t.CloseAsked:
		d.Call(datanodeLane, "failed; asks SCM to close")
	case d.Action == "ApplyUpd" && s.Bad != t.Bad:
		d.Call(datanodeLane, fmt.Sprintf("%v not in map: unhealthy", r.container(e)))
	default:
		r.drawEffect(d, s, t)
	}
}

func (r *rules) drawStream(d *model.Drawing, s, t *State, w Writer) {
	r.drawEffect(d, s, t)
	switch {
	case t.Status[w] == Failed:
		d.Call(clientLane(w), fmt.Sprintf("%v not in map: failed", r.into[w]))
	case t.Status[w] != s.Status[w]:
		d.Call(clientLane(w), t.Status[w].String())
	}
}

// drawEffect shows what a command's step does to the disk or the map.
func (r *rules) drawEffect(d *model.Drawing, s, t *State) {
	for _, c := range r.containers.Values {
		if s.CState[c] != t.CState[c] {
			d.Call(datanodeLane, fmt.Sprintf("%v %v", c, t.CState[c]))
		}
	}
	for _, w := range r.writers.Values {
		if s.Blk[w] != t.Blk[w] {
			d.Call(datanodeLane, fmt.Sprintf("block of %v: %v", w, t.Blk[w]))
		}
	}
	if s.Map != t.Map {
		d.Call(datanodeLane, fmt.Sprintf("map %v", t.Map))
	}
}
