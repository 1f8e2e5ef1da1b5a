package nodehealth

import "mc/model"

// handler is the DEAD_NODE thread: DeadNodeHandler.onMessage, for one event
// after the other, of whichever datanode. It may take any time between steps.
func (r *rules) handler() []model.Action[State] {
	at := func(pc PC) model.Conjunct[func(*State) bool] {
		return model.If("at "+pc.String(), func(s *State) bool { return s.Handler.PC == pc })
	}
	to := func(pc PC) func(*State) { return func(s *State) { s.Handler.PC = pc } }
	return []model.Action[State]{
		model.Act("HandlerStart", model.All(at(Idle),
			model.If("event queued", func(s *State) bool { return !s.DeadQ.Empty() })), r.start).
			Doc("DeadNodeHandler.onMessage reads the status: leaves unless it is DEAD"),
		model.Act("CloseContainers", model.All(at(Close)), to(Destroy)).
			Doc("DeadNodeHandler.closeContainers").
			When(!r.atomic),
		model.Act("DestroyPipelines", model.All(at(Destroy)), to(Check)).
			Doc("DeadNodeHandler.destroyPipelines").
			When(!r.atomic),
		model.Act("BeginRemoval", model.All(at(Check)), r.beginRemoval).
			Doc("DeadNodeHandler.removeContainerReplicas: takes a copy of the datanode's container set").
			When(!r.atomic),
		model.Act1("RemoveReplica", r.containers, model.All(
			model.If("at remove", func(s *State, _ Container) bool { return s.Handler.PC == Remove }),
			model.If("to do", func(s *State, c Container) bool { return s.Handler.Todo.Has(c) })), r.removeReplica).
			Doc("DeadNodeHandler.removeContainerReplicas: ContainerManager.removeContainerReplica, for one container").
			When(!r.atomic),

		model.Act("RereadStatus", model.All(at(Reread)), r.reread).
			Doc("DeadNodeHandler.onMessage reads the status again: leaves unless it is DEAD (HDDS-14834)").
			When(r.topology && r.topologyRecheck),
		model.Act("LeaveTopology", model.All(at(Leave)),
			func(s *State) { s.DN[s.Handler.Node].Absent = true; s.Handler = Handler{} }).
			Doc("DeadNodeHandler.onMessage: NetworkTopology.remove").
			When(r.topology),
		model.Act1("JoinTopology", r.nodes, model.All(
			nodeIs("event queued", func(d *DN) bool { return d.ROEvents > 0 })),
			func(s *State, n Node) { s.DN[n].ROEvents--; s.DN[n].Absent = false }).
			Doc("HealthyReadOnlyNodeHandler.onMessage, on a thread of its own: NetworkTopology.add").
			FairEach(model.Weak).
			When(r.topology),
	}
}

func (r *rules) start(s *State) {
	e := s.DeadQ.Pop()
	if s.DN[e.Node].Health != Dead {
		return
	}
	s.Handler = Handler{PC: Close, Node: e.Node, Tag: e.Tag}
	if !r.atomic {
		return
	}
	if r.beginRemoval(s); s.Handler.PC == Remove {
		for c := range s.Handler.Todo.All() {
			r.removeReplica(s, c)
		}
	}
}

// beginRemoval decides, and is the last to look: with the fix at the health,
// as it takes the monitor.
func (r *rules) beginRemoval(s *State) {
	h := &s.Handler
	d := &s.DN[h.Node]
	switch {
	case d.Health != Dead:
		h.Why = Resurrected
	case d.Age < r.stale:
		h.Why = Window
	default:
		h.Why = Unrefreshed
	}
	if r.recheck && h.Why == Resurrected || r.recheckAge && h.Why == Window {
		*h = Handler{}
		return
	}
	h.PC, h.Todo, h.Gen = Remove, d.NodeSet, d.Gen
	if h.Todo.Empty() {
		r.removed(s)
	}
}

func (r *rules) removeReplica(s *State, c Container) {
	h := &s.Handler
	d := &s.DN[h.Node]
	if d.Replicas.Has(c) && d.Up && d.Ghost.Applied {
		d.Ghost.Erased = Erasure{h.Tag, h.Why}
	}
	d.Replicas.Remove(c)
	if h.Todo.Remove(c); h.Todo.Empty() {
		r.removed(s)
	}
}

// removed is what follows the removal: the topology, where it is looked at.
func (r *rules) removed(s *State) {
	h := Handler{Node: s.Handler.Node, Tag: s.Handler.Tag}
	switch {
	case r.topology && r.topologyRecheck:
		h.PC = Reread
	case r.topology:
		h.PC = Leave
	default:
		h = Handler{}
	}
	s.Handler = h
}

func (r *rules) reread(s *State) {
	if s.DN[s.Handler.Node].Health == Dead {
		s.Handler.PC = Leave
	} else {
		s.Handler = Handler{}
	}
}
