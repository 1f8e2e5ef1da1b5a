package bcsidmap

import "mc/model"

// environment is what happens to the datanode as a whole, and to its disk.
func (r *rules) environment() []model.Action[State] {
	down := model.If("down", func(s *State, _ Container) bool { return !s.Up })
	exists := model.If("container exists", func(s *State, c Container) bool { return s.exists(c) })
	caughtUp := model.If("caught up", func(s *State) bool { return s.caughtUp() })
	free := model.If("apply thread free", func(s *State) bool { return s.Apc == Ready })

	return []model.Action[State]{
		model.Act("Snapshot", serving0(
			model.If("bound", func(s *State) bool { return int(s.Ghost.Snapshots) < r.snapshots }), free,
			model.If("healthy", func(s *State) bool { return s.Healthy }),
			model.If("news", func(s *State) bool { return s.SMApplied > s.SnapIdx })),
			func(s *State) { s.Ghost.Snapshots++; r.snapshot(s) }).
			Doc("ContainerStateMachine.takeSnapshot: the map and the last applied index; streams may be half-way").
			When(r.snapshots > 0),
		model.Act("Crash", serving0(
			model.If("bound", func(s *State) bool { return int(s.Ghost.Crashes) < r.crashes }),
			model.If("snapshot has all", func(s *State) bool { return !r.crashIfSnapshotHasAll || r.snapshotHasAll(s) })),
			func(s *State) { s.Ghost.Crashes++; r.goDown(s) }).
			Doc("the datanode's process is killed").
			When(r.crashes > 0),
		model.Act("Stop", serving0(
			model.If("bound", func(s *State) bool { return int(s.Ghost.Stops) < r.stops }), free,
			model.If("all applied", func(s *State) bool { return int(s.Applied) == s.Log.Len() })), r.stop).
			Doc("StateMachineUpdater.stopAndJoin: a stop in good order takes a snapshot, if anything was applied since the last").
			When(r.stops > 0),
		model.Act("Restart", model.All(model.If("down", func(s *State) bool { return !s.Up })), r.restart).
			Doc("ContainerStateMachine.loadSnapshot, HddsDispatcher.buildMissingContainerSetAndValidate").
			Fair(model.Weak).
			When(r.crashes+r.stops > 0),

		model.Act1("AppendCC", r.containers, serving1(exists,
			model.If("first time", func(s *State, c Container) bool { return s.Log.Index(LogEntry{Op: CC, Of: uint8(c)}) < 0 }),
			model.If("room in the log", func(s *State, _ Container) bool { return s.Log.Len() < r.log })),
			func(s *State, c Container) { s.Log.Push(LogEntry{Op: CC, Of: uint8(c)}) }).
			Doc("CloseContainerCommandHandler: SCM has the container closed, through the log").
			When(r.close),
		model.Act("GroupRemove", serving0(caughtUp), r.leave).
			Doc("ContainerStateMachine.notifyGroupRemove: the containers in the map are quasi-closed").
			When(r.remove),
		model.Act1("Lose", r.containers, model.All(down, exists,
			model.If("first time", func(s *State, _ Container) bool { return s.Ghost.Lost.Empty() })), r.vanish).
			Doc("a disk loses a container").
			When(r.lose),
		model.Act1("Corrupt", r.containers, model.All(down, exists,
			model.If("first time", func(s *State, _ Container) bool { return s.Ghost.Corrupted.Empty() }),
			model.If("in the snapshot", func(s *State, c Container) bool { return 0 < s.BCSID[c] && s.BCSID[c] <= s.SnapIdx })),
			func(s *State, c Container) { s.BCSID[c] = 0; s.Ghost.Corrupted.Add(c) }).
			Doc("a container's database falls back to BCSID 0").
			When(r.corrupt),
	}
}

// quiet says that no command is half-way.
func (s *State) quiet() bool { return s.Apc == Ready && s.Spc == [maxWriters]PC{} }

func (s *State) caughtUp() bool {
	return s.Up && s.Group == On && s.quiet() && int(s.Applied) == s.Log.Len()
}

func (r *rules) snapshot(s *State) {
	s.SnapIdx, s.SnapMap = s.SMApplied, s.Map
	s.Ghost.Covered.Clear()
	for _, c := range r.containers.Values {
		s.Ghost.SnapMissed = s.Ghost.SnapMissed || s.lacks(c)
	}
	for i, e := range s.Log.All() {
		if i < int(s.SnapIdx) && e.Op != Conf && e.Op != CC && s.exists(r.container(e)) {
			s.Ghost.Covered.Add(r.container(e))
		}
	}
}

func (r *rules) snapshotHasAll(s *State) bool {
	for _, c := range r.containers.Values {
		if s.exists(c) && !s.SnapMap.Has(c) {
			return false
		}
	}
	return true
}

func (r *rules) stop(s *State) {
	s.Ghost.Stops++
	if r.snapshotOnStop && s.Healthy && (r.alwaysOnStop || s.Applied > s.SnapIdx) {
		r.snapshot(s)
	}
	r.goDown(s)
}

// goDown forgets what is not on disk. Streams break; writers without a stream
// carry on, since they talk to the leader, another datanode.
func (r *rules) goDown(s *State) {
	s.Up, s.Applied, s.SMApplied = false, 0, 0
	s.Healthy = true
	s.Bad.Clear()
	s.Map.Clear()
	s.Missing.Clear()
	s.Ghost.Touched.Clear()
	s.Apc, s.Aval = Ready, 0
	for _, w := range r.writers.Values {
		s.Spc[w], s.Skind[w], s.Sval[w] = Ready, NoRecord, 0
		switch mode := r.mode[w]; {
		case s.Status[w] == Creating && mode == WriteChunk:
			s.Status[w] = Written
		case s.Status[w] != Idle && s.Status[w] != Done && s.Status[w] != Refused && mode.streams():
			s.Status[w] = Failed
		}
	}
}

func (r *rules) restart(s *State) {
	s.Up, s.Map, s.Applied, s.SMApplied = true, s.SnapMap, s.SnapIdx, s.SnapIdx
	for _, c := range r.containers.Values {
		switch {
		case !s.exists(c):
			s.Missing.Put(c, s.SnapMap.Has(c) || r.witnessTable && s.Witnessed.Has(c))
		case s.BCSID[c] < s.SnapMap.Get(c):
			s.CState[c] = Unhealthy
		}
		lost := s.Ghost.Covered.Has(c) && !s.exists(c) && !s.Missing.Has(c)
		corrupt := s.Ghost.Corrupted.Has(c) && s.exists(c) && s.CState[c] != Unhealthy
		s.Ghost.Undetected = s.Ghost.Undetected || lost || corrupt
	}
	s.Ghost.RecLen = Index(s.Log.Len())
	if r.confOnRestart {
		s.Log.Push(LogEntry{Op: Conf})
	}
}

func (r *rules) leave(s *State) {
	s.Group = Removed
	for c := range s.Map.All() {
		if s.CState[c] == Open {
			s.CState[c] = QuasiClosed
		}
	}
}

func (r *rules) vanish(s *State, c Container) {
	s.CState[c], s.BCSID[c] = Nowhere, 0
	s.Ghost.Lost.Add(c)
	for _, w := range r.writers.Values {
		if r.into[w] == c {
			s.Blk[w], s.BlkBCSID[w] = NoRecord, 0
		}
	}
}
