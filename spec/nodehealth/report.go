package nodehealth

import "mc/model"

// reportThreads apply the reports of a datanode one after the other, each as a
// whole under the monitor of its DatanodeInfo. None looks at health.
func (r *rules) reportThreads() []model.Action[State] {
	return []model.Action[State]{
		model.Act1("ApplyReport", r.nodes, model.All(
			nodeIs("report queued", func(d *DN) bool { return !d.ReportQ.Empty() }),
			model.If("monitor free", func(s *State, n Node) bool { return !r.monitor || !s.removing(n) })), r.applyReport).
			Doc("ContainerReportHandler.onMessage and its incremental twin: under the monitor of the DatanodeInfo, whatever its health").
			FairEach(model.Weak),
	}
}

// removing says that the handler removes replicas of n and, if it locks, holds
// the monitor of the DatanodeInfo that n has.
func (s *State) removing(n Node) bool {
	return s.Handler.PC == Remove && s.Handler.Node == n && s.Handler.Gen == s.DN[n].Gen
}

func (r *rules) applyReport(s *State, n Node) {
	d := &s.DN[n]
	p := d.ReportQ.Pop()
	d.QueueWait = 0
	if r.ignoreDead && p == REG && d.Health == Dead {
		return
	}
	if p.full() {
		d.NodeSet, d.Replicas = r.disk, r.disk
	} else {
		c := Container(p - ICR)
		if d.Replicas.Empty() && r.disk.Len() > 1 && d.Up && d.Ghost.Erased != (Erasure{}) {
			s.Ghost.HealedByICR = true
		}
		d.NodeSet.Add(c)
		d.Replicas.Add(c)
	}
	d.Ghost.Applied = d.Up && d.Ghost.Seen
	if d.Replicas == r.disk {
		d.Ghost.Erased = Erasure{}
	}
	if r.refire && d.Health == Dead && d.Age >= r.stale && !s.queued(n) {
		s.DeadQ.Push(Event{n, Refire})
	}
}
