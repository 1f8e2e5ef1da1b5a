package nodehealth

import (
	"fmt"

	"mc/model"
)

// The lanes are the datanodes and the server's threads. RPCs stand on the lane
// of the datanode that sends them, ticks on that of the thread that counts them.
func (r *rules) lanes() (lanes []string) {
	if r.ops > 0 {
		lanes = append(lanes, operator)
	}
	for _, n := range r.nodes.Values {
		lanes = append(lanes, n.String())
	}
	if r.syncs > 0 {
		lanes = append(lanes, r.lane(syncThread))
	}
	lanes = append(lanes, r.lane(healthThread), r.lane(reportThread), r.lane(deadThread))
	if r.topology {
		lanes = append(lanes, r.lane(readOnlyThread))
	}
	return lanes
}

// The lanes of a server, by the name of the thread, and that of an operator.
const (
	operator       = "operator"
	syncThread     = "DB sync"
	healthThread   = "health checker"
	reportThread   = "report thread"
	deadThread     = "DEAD_NODE thread"
	readOnlyThread = "READONLY thread"
)

func (r *rules) lane(thread string) string {
	return [...]string{"SCM: ", "Recon: "}[r.variant] + thread
}

// The messages within the server: a report, of which a full one replaces an
// older full one, and the transition of a datanode to HEALTHY_READONLY. The
// third kind is an Event.
type (
	reportMsg struct {
		node Node
		icr  Report // 0 if full
	}
	backMsg struct{ node Node }
)

func reportOf(n Node, p Report) reportMsg {
	if p.full() {
		return reportMsg{node: n}
	}
	return reportMsg{n, p}
}

func (r *rules) draw(d *model.Drawing, s, t *State) {
	switch d.Action {
	case "Tick":
		d.On(r.lane(healthThread))
	case "HealthCheck":
		r.drawCheck(d.On(r.lane(healthThread)), s, t)
	case "HandlerStart":
		r.drawStart(d.On(r.lane(deadThread)), s, t)
	case "CloseContainers", "DestroyPipelines", "RereadStatus", "LeaveTopology":
		d.On(r.lane(deadThread))
	case "BeginRemoval":
		d.On(r.lane(deadThread))
		if n := s.Handler.Node; t.Handler.PC == Idle && !s.DN[n].NodeSet.Empty() {
			d.Call(r.lane(healthThread), fmt.Sprintf("%v may be alive: nothing removed", n))
		}
	case "RemoveReplica":
		d.On(r.lane(deadThread))
		r.drawErasure(d, s, t)
	case "ApplyReport":
		n := r.nodes.Values[d.Arg(0)]
		d.On(r.lane(reportThread)).Take(reportOf(n, s.DN[n].ReportQ.First()))
		r.drawEvents(d, s, t)
		r.drawStranded(d, s, t, n)
	case "JoinTopology":
		d.On(r.lane(readOnlyThread)).Take(backMsg{r.nodes.Values[d.Arg(0)]})
	case "OpStateChange":
		d.On(operator)
		r.drawEvents(d, s, t)
	case "SnapshotSync":
		d.On(r.lane(syncThread))
		for _, n := range r.nodes.Values {
			if t.DN[n].Age != s.DN[n].Age {
				d.Call(r.lane(healthThread), fmt.Sprintf("%v registered: age %d → %d", n, s.DN[n].Age, t.DN[n].Age))
			}
		}
	default:
		r.drawDatanode(d, s, t, r.nodes.Values[d.Arg(0)])
	}
}

// drawDatanode says what an RPC does to the heartbeat time, which the health
// checker reads, and sends the report that it carries.
func (r *rules) drawDatanode(d *model.Drawing, s, t *State, n Node) {
	d.On(n.String())
	from, to := &s.DN[n], &t.DN[n]
	age := fmt.Sprintf(": age %d → %d", from.Age, to.Age)
	if from.Age == to.Age {
		age = fmt.Sprintf(": age stays %d", to.Age)
	}
	report := REG
	switch d.Action {
	case "Stop", "Return":
		r.drawStranded(d, s, t, n)
		return
	case "Register":
		d.Call(r.lane(healthThread), "registration"+age)
	case "RegisterChanged":
		d.Call(r.lane(healthThread), "registration, new DatanodeInfo"+age)
	default:
		text := "heartbeat" + age
		if to.Phase == Rereg {
			text += "; please register"
		}
		d.Call(r.lane(healthThread), text)
		switch d.Action {
		case "Heartbeat":
			return
		case "HeartbeatFCR":
			report = FCR
		case "HeartbeatICR":
			report = ICR + Report(d.Arg(1))
		}
	}
	d.Send(reportOf(n, report), r.lane(reportThread), "report "+report.String())
}

func (r *rules) drawCheck(d *model.Drawing, s, t *State) {
	r.drawEvents(d, s, t)
	for _, n := range r.nodes.Values {
		if t.DN[n].ROEvents > s.DN[n].ROEvents {
			d.Send(backMsg{n}, r.lane(readOnlyThread), fmt.Sprintf("HEALTHY_READONLY %v", n))
		}
	}
}

// drawEvents sends the DEAD_NODE events that a step adds.
func (r *rules) drawEvents(d *model.Drawing, s, t *State) {
	for i := s.DeadQ.Len(); i < t.DeadQ.Len(); i++ {
		e := t.DeadQ.At(i)
		d.Send(e, r.lane(deadThread), fmt.Sprintf("DEAD_NODE %v", e.Node))
	}
}

func (r *rules) drawStart(d *model.Drawing, s, t *State) {
	e := s.DeadQ.First()
	d.Take(e)
	if s.DN[e.Node].Health != Dead {
		d.Call(r.lane(healthThread), fmt.Sprintf("%v is not DEAD: nothing to do", e.Node))
	}
	r.drawErasure(d, s, t)
}

// drawStranded says why nothing follows.
func (r *rules) drawStranded(d *model.Drawing, s, t *State, n Node) {
	if r.stranded(t, n) && !r.stranded(s, n) {
		d.Call(r.lane(deadThread), fmt.Sprintf("%v was DEAD before: no event", n))
	}
}

// drawErasure tells a datanode that is up what it lost.
func (r *rules) drawErasure(d *model.Drawing, s, t *State) {
	for _, n := range r.nodes.Values {
		if lost := s.DN[n].Replicas.Minus(t.DN[n].Replicas); !lost.Empty() && s.DN[n].Up {
			d.Call(n.String(), fmt.Sprintf("removes %v of a live datanode", lost))
		}
	}
}
