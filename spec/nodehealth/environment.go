package nodehealth

import "mc/model"

// environment is what happens to datanodes and servers from outside.
func (r *rules) environment() []model.Action[State] {
	back := "DatanodeStateMachine starts: GETVERSION, then REGISTER"
	if r.how == Reconnect {
		back = "the network is back; the datanode's endpoint is still in HEARTBEAT"
	}
	return []model.Action[State]{
		model.Act1("Stop", r.nodes, model.All(
			model.If("may stop", func(_ *State, n Node) bool { return int(n) < r.faulty }),
			nodeIs("up", func(d *DN) bool { return d.Up }),
			nodeIs("stops left", func(d *DN) bool { return d.Stops < r.stops })), r.stop).
			Doc("the datanode's process ends, or its network fails").
			When(r.stops > 0),
		model.Act1("Return", r.nodes, model.All(
			nodeIs("down", func(d *DN) bool { return !d.Up })), r.comeBack).
			Doc(back).
			When(r.stops > 0),

		model.Act("SnapshotSync", model.All(
			model.If("syncs left", func(s *State) bool { return s.Syncs < r.syncs })), r.sync).
			Doc("Recon takes over a snapshot of SCM's DB: ReconNodeManager.reinitialize, loadExistingNodes registers every datanode in it").
			When(r.syncs > 0),
		r.opStateChange(),
	}
}

func (r *rules) stop(s *State, n Node) {
	d := &s.DN[n]
	d.Up, d.Phase, d.Due = false, HB, 0
	d.Stops++
	d.Ghost.Registered, d.Ghost.Seen, d.Ghost.Applied = false, false, false
	d.Ghost.Erased = Erasure{}
}

func (r *rules) comeBack(s *State, n Node) {
	d := &s.DN[n]
	d.Up, d.Phase, d.Due = true, Boot, r.initial
	if r.how == Reconnect {
		d.Phase, d.Due = HB, r.interval
	}
	d.Ghost.SinceReg, d.Ghost.LateAt = 0, 0
}

// sync rebuilds the container manager from a DB, which has no replicas. To
// register the datanodes of the DB changes nothing of known ones, until
// registrations refresh.
func (r *rules) sync(s *State) {
	s.Syncs++
	for _, n := range r.nodes.Values {
		d := &s.DN[n]
		if !r.keepReplicas {
			d.Replicas.Clear()
		}
		if r.refresh && !r.skipKnown {
			d.Age = 0
		}
	}
}

func (r *rules) opStateChange() model.Action[State] {
	a := model.Act1("OpStateChange", r.nodes, model.All(
		model.If("changes left", func(s *State, _ Node) bool { return r.ops == Fair || s.Ops < uint8(r.ops) }),
		model.If("fires", func(s *State, n Node) bool {
			return r.ops != Fair || s.DN[n].Health == Dead && s.DeadQ.Empty()
		})), r.changeOpState).
		Doc("NodeStateManager.setNodeOperationalState, by an operator or as learned from another SCM: fires DEAD_NODE if the datanode is DEAD").
		When(r.ops > 0)
	if r.ops == Fair {
		return a.FairEach(model.Weak)
	}
	return a
}

func (r *rules) changeOpState(s *State, n Node) {
	if r.ops != Fair {
		s.Ops++
	}
	if s.DN[n].Health == Dead {
		s.DeadQ.Push(Event{n, Op})
	}
}
