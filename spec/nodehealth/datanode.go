package nodehealth

import "mc/model"

// datanode is its RPCs. Each is one step, on a thread of the server: it changes
// what the node manager knows and puts reports into the queue.
func (r *rules) datanode() []model.Action[State] {
	up := nodeIs("up", func(d *DN) bool { return d.Up })
	heartbeats := nodeIs("to heartbeat", func(d *DN) bool { return d.Phase == HB })
	reports := r.reports == Full || r.reports == FullFair
	full := model.Act1("HeartbeatFCR", r.nodes, model.All(up, heartbeats),
		func(s *State, n Node) { r.heartbeat(s, n, FCR) }).
		Doc("HeartbeatEndpointTask: as Heartbeat, and a full report is queued").
		When(reports)
	if r.reports == FullFair {
		full = full.FairEach(model.Strong)
	}

	return []model.Action[State]{
		model.Act1("Register", r.nodes, model.All(up,
			nodeIs("to register", func(d *DN) bool { return d.Phase == Rereg || d.Phase == Boot && !r.changed })), r.register).
			Doc("SCMDatanodeProtocolServer.register, SCMNodeManager.register: finds the datanode known, and queues its full report").
			FairEach(model.Weak),
		model.Act1("RegisterChanged", r.nodes, model.All(up,
			nodeIs("to register", func(d *DN) bool { return d.Phase == Boot })), r.registerChanged).
			Doc("SCMNodeManager.register of a datanode whose address, ports or version changed: NodeStateManager.updateNode makes a new DatanodeInfo").
			FairEach(model.Weak).
			When(r.changed),

		model.Act1("Heartbeat", r.nodes, model.All(up, heartbeats),
			func(s *State, n Node) { r.heartbeat(s, n, 0) }).
			Doc("SCMDatanodeProtocolServer.sendHeartbeat; SCMNodeManager.processHeartbeat or ReconNodeManager.processHeartbeat"),
		full,
		model.Act2("HeartbeatICR", r.nodes, r.containers, model.All(
			model.If("up", func(s *State, n Node, _ Container) bool { return s.DN[n].Up }),
			model.If("to heartbeat", func(s *State, n Node, _ Container) bool { return s.DN[n].Phase == HB })),
			func(s *State, n Node, c Container) { r.heartbeat(s, n, ICR+Report(c)) }).
			Doc("HeartbeatEndpointTask: as Heartbeat, and an incremental report of one container is queued").
			When(r.reports == Incremental),
	}
}

// register leaves the heartbeat time and the health of a known datanode as they
// are. The fix refreshes the time.
func (r *rules) register(s *State, n Node) {
	d := &s.DN[n]
	d.Due = r.interval
	if d.Phase == Boot {
		d.Due = r.initial
	}
	if r.refresh {
		d.Age = 0
	}
	d.Phase = HB
	d.enqueue(REG)
	d.Ghost.Registered, d.Ghost.Seen, d.Ghost.Contact = true, true, true
}

func (r *rules) registerChanged(s *State, n Node) {
	r.register(s, n)
	d := &s.DN[n]
	d.Health, d.Age = Healthy, 0
	d.NodeSet.Clear()
	d.Gen ^= 1
}

// heartbeat brings a report, or none. Recon asks a datanode that was away to
// register, and does not refresh its time then; the report is queued anyway.
func (r *rules) heartbeat(s *State, n Node, carried Report) {
	d := &s.DN[n]
	if r.variant == Recon && d.Gap >= r.gap {
		d.Phase, d.Due = Rereg, 0
	} else {
		d.Age, d.Due = 0, r.interval
		d.Ghost.Seen = true
	}
	d.Gap = 0
	d.Ghost.Contact = true
	if carried != 0 {
		d.enqueue(carried)
	}
}
