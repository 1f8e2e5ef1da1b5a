package nodehealth

import "mc/model"

// checks is time, and the health checker's thread.
func (r *rules) checks() []model.Action[State] {
	asItIs := r.everyone(func(d *DN) bool { return r.next(d) == d.Health })
	news := func(s *State) bool { return s.SinceCheck > 0 || !asItIs(s) }
	check := model.Act("HealthCheck", model.All(model.If("news", news)),
		func(s *State) { r.healthCheck(s, 0) })
	if r.faulty > 1 {
		// Which of two that die in one check is queued first is the order of a
		// hash map, that is, anybody's guess.
		check = model.Act1("HealthCheck", model.Param[Node]{Name: "first", Values: r.nodes.Values[:r.faulty]}, model.All(
			model.If("news", func(s *State, _ Node) bool { return news(s) }),
			model.If("order matters", func(s *State, first Node) bool {
				return first == 0 || r.dies(&s.DN[0]) && r.dies(&s.DN[first])
			})), r.healthCheck)
	}
	return []model.Action[State]{
		model.Act("Tick", model.All(
			model.If("no check owed", func(s *State) bool { return s.SinceCheck < r.checkDelay }),
			model.If("no RPC owed", r.everyone(func(d *DN) bool { return !d.Up || d.Due > 0 })),
			model.If("no report owed", r.everyone(func(d *DN) bool { return d.ReportQ.Empty() || d.QueueWait < r.queueDelay }))),
			r.tick).
			Doc("time passes; live datanodes, health checker and report threads were in time").
			Fair(model.Weak),
		check.Doc("NodeStateManager.checkNodesHealth: compares all heartbeat times with the stale and dead intervals, fires an event for each transition").
			Fair(model.Weak),
	}
}

func (r *rules) tick(s *State) {
	s.SinceCheck++
	for _, n := range r.nodes.Values {
		d := &s.DN[n]
		d.Age = min(d.Age+1, r.dead)
		if r.variant == Recon {
			d.Gap = min(d.Gap+1, r.gap)
		}
		if d.Up {
			d.Due-- // > 0, says the guard
		}
		if !d.ReportQ.Empty() {
			d.QueueWait++
		}
		if r.measure && d.Up && d.Ghost.Registered {
			d.Ghost.SinceReg = min(d.Ghost.SinceReg+1, maxSinceReg)
		}
	}
}

// next is the health that a check gives to a datanode. One that is DEAD stays
// so until its heartbeat time is fresh, not just younger than the dead interval.
func (r *rules) next(d *DN) Health {
	old := d.Age >= r.stale
	switch d.Health {
	case Healthy, ReadOnly:
		if old {
			return Stale
		}
		return Healthy
	case Stale:
		if d.Age >= r.dead {
			return Dead
		}
	}
	if !old {
		return ReadOnly
	}
	return d.Health
}

func (r *rules) dies(d *DN) bool { return d.Health == Stale && r.next(d) == Dead }

func (r *rules) healthCheck(s *State, first Node) {
	s.SinceCheck = 0
	r.checkNode(s, first)
	for _, n := range r.nodes.Values {
		if n != first {
			r.checkNode(s, n)
		}
	}
}

func (r *rules) checkNode(s *State, n Node) {
	d := &s.DN[n]
	was := d.Health
	d.Health = r.next(d)
	switch {
	case d.Health == was:
	case d.Health == Dead:
		e := Event{n, Pre}
		if d.Up && d.Ghost.Registered {
			e.Tag = Post
			if r.measure {
				d.Ghost.LateAt = Late(d.Ghost.SinceReg) + 1
			}
		}
		s.DeadQ.Push(e)
		d.Ghost.Contact = false
	case d.Health == ReadOnly:
		if was == Dead && !d.Ghost.Contact {
			s.Ghost.BadResurrection = true
		}
		if r.topology {
			d.ROEvents++
		}
	}
}
