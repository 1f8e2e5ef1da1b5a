package bcsidmap

import "mc/model"

// guarantees are what the fix makes true in the scenarios run by default.
func (r *rules) guarantees() []model.Property[State] {
	return []model.Property[State]{
		model.Always("NoUpdateBcsidFailure", func(s *State) bool { return s.Ghost.Fails.Empty() }).
			Doc("no PutBlock fails after it wrote its block, because the map lacks the container"),
		model.Always("NoApplyFailure", func(s *State) bool {
			return !s.Ghost.Fails.Has(InReplay) && !s.Ghost.Fails.Has(Live) && !s.Ghost.Fails.Has(InSmallFile)
		}).Doc("no PutBlock from the log fails like that"),
		model.Always("NoStreamFailure", func(s *State) bool {
			return !s.Ghost.Fails.Has(InMid) && !s.Ghost.Fails.Has(InClose)
		}).Doc("no PutBlock on a stream thread fails like that"),
		model.Always("NoStuckMissing", r.each(func(s *State, c Container) bool {
			return !(s.Up && s.Group == On && s.quiet() && s.Ghost.Touched.Has(c)) || s.Map.Has(c)
		})).Doc("a container that a PutBlock wrote to is in the map; if not, the next one fails too"),
		model.Always("StateMachineStaysHealthy", func(s *State) bool { return s.Healthy }).
			Doc("the state machine goes on taking snapshots and data"),
		model.Always("NoPipelineCloseAsked", func(s *State) bool { return !s.CloseAsked }).
			Doc("SCM is not asked to close the pipeline"),
		model.EveryStep("ReaddOnlyFillsHoles", r.readdOnlyFillsHoles).
			Doc("only updateBCSID changes a value that is in the map"),
		model.EveryStep("DiskBcsidNeverGoesBackwards", func(s, t *State) bool {
			for _, c := range r.containers.Values {
				if !t.faulty() && s.exists(c) && t.exists(c) && t.BCSID[c] < s.BCSID[c] {
					return false
				}
			}
			return true
		}).Doc("a BCSID on disk does not fall"),
		model.EveryStep("PersistedStaysPersisted", func(s, t *State) bool {
			for _, w := range r.writers.Values {
				retried := s.Status[w] == Failed && t.Status[w] == Idle
				if t.Blk[w] < s.Blk[w] && !retried && t.exists(r.into[w]) {
					return false
				}
			}
			return true
		}).Doc("no block's record on disk is replaced by an earlier one"),
		model.EveryStep("SnapshotsAreOrderly", func(s, t *State) bool {
			taken := s.SnapIdx != t.SnapIdx || s.SnapMap != t.SnapMap
			return !taken || s.Healthy && s.Apc == Ready && (s.SnapIdx < t.SnapIdx || r.alwaysOnStop)
		}).Doc("a snapshot is of a healthy state machine, between two entries, and newer than the last"),
		model.Always("ReplicaCompleteWhenCaughtUp", func(s *State) bool {
			for _, w := range r.writers.Values {
				if s.caughtUp() && !s.faulty() && s.Status[w] == Done && s.Blk[w] != Final {
					return false
				}
			}
			return true
		}).Doc("a replica that applied the log has every block that a client was promised"),
		model.Always("MapNotAheadOfDisk", r.each(func(s *State, c Container) bool {
			return s.faulty() || s.Map.Get(c) <= s.BCSID[c]
		})).Doc("the map claims no more than the disk has"),
		model.Always("NoFalseUnhealthy", r.each(func(s *State, c Container) bool {
			return !s.Ghost.Corrupted.Empty() || s.CState[c] != Unhealthy
		})).Doc("no good container is marked UNHEALTHY"),
		model.Always("SnapshotHides", r.each(func(s *State, c Container) bool {
			return !(s.Up && s.SnapMap.Has(c)) || s.Map.Has(c)
		})).Doc("what the snapshot has is in the map"),
		model.Always("LoggedTrackedAfterReplay", r.tracked(func(s *State, c Container) bool {
			return r.logged(s, c, func(e LogEntry) bool { return e.putsBlock() || e.Op == PSF || e.Op == WC })
		})).Doc("after replay the map has every open container with a write in the log"),
		model.Always("MissingHasNoBcsid", r.tracked(func(s *State, c Container) bool { return s.BCSID[c] != 0 })).
			Doc("after replay an open container out of the map has BCSID 0"),

		model.Reachable("WritesDone", func(s *State) bool { return s.caughtUp() && r.done(s) }).
			Doc("all writers are done and all is applied"),
		model.Reachable("TrackedAfterRestart", r.some(func(s *State, c Container) bool {
			return s.Ghost.Crashes > 0 && s.caughtUp() && s.Healthy && r.used(s, c) && s.Map.Has(c)
		})).Doc("a crashed datanode comes back and knows its container"),
	}
}

// questions are what holds in some configurations only, ways to reach each
// face of the bug, and what is to happen in the end.
func (r *rules) questions() []model.Property[State] {
	fails := func(f Failure) func(*State) bool { return func(s *State) bool { return s.Ghost.Fails.Has(f) } }
	return []model.Property[State]{
		model.EveryStep("MapNeverGoesBackwards", func(s, t *State) bool {
			for c, v := range s.Map.All() {
				if s.Up && t.Up && (!t.Map.Has(c) || t.Map.Get(c) < v) {
					return false
				}
			}
			return true
		}).Doc("until the datanode goes down, no value in the map falls or goes"),
		model.Always("QuietMapMatchesDisk", r.each(func(s *State, c Container) bool {
			return !(s.caughtUp() && s.Healthy && s.Ghost.Touched.Has(c) && s.Map.Has(c)) || s.Map.Get(c) == s.BCSID[c]
		})).Doc("when all is applied, the map says of a container what its disk says"),
		model.Always("UsedTrackedAfterReplay", r.tracked(r.used)).
			Doc("after replay an open container with blocks is in the map"),
		model.Always("AnyEntryTrackedAfterReplay", r.tracked(func(s *State, c Container) bool {
			return r.logged(s, c, func(e LogEntry) bool { return e.Op != CC })
		})).Doc("after replay an open container with an entry in the log, a stream's included, is in the map"),
		model.Always("SnapshotsCoverContainers", func(s *State) bool { return !s.Ghost.SnapMissed }).
			Doc("a snapshot has every container that is on disk"),
		model.Always("NothingLostUndetected", func(s *State) bool { return !s.Ghost.Undetected }).
			Doc("a restart notices a container that vanished or whose BCSID fell"),
		model.Always("GroupRemoveClosesUsed", r.each(func(s *State, c Container) bool {
			return s.Group == On || s.CState[c] != Open || !r.used(s, c)
		})).Doc("leaving the group leaves no container with blocks open"),
		model.Always("GroupRemoveClosesAll", r.each(func(s *State, c Container) bool {
			return s.Group == On || s.CState[c] != Open
		})).Doc("leaving the group leaves no container open"),

		model.Reachable("ReachReplayFails", fails(InReplay)).Doc("a PutBlock fails while the log is replayed"),
		model.Reachable("ReachLiveFails", fails(Live)).Doc("a new PutBlock from the log fails"),
		model.Reachable("ReachPsfFails", fails(InSmallFile)).Doc("a PutSmallFile fails"),
		model.Reachable("ReachMidFails", fails(InMid)).Doc("a stream's PutBlock in the middle of a block fails"),
		model.Reachable("ReachCloseFails", fails(InClose)).Doc("a stream's closing PutBlock fails"),
		model.Reachable("ReachAbortedBlockStays", func(s *State) bool {
			for _, w := range r.writers.Values {
				if s.Up && s.Status[w] == Failed && s.Blk[w] != NoRecord && (s.Ghost.Fails.Has(InMid) || s.Ghost.Fails.Has(InClose)) {
					return true
				}
			}
			return false
		}).Doc("the block of a stream that failed stays on disk"),
		model.Reachable("ReachUnhealthyWithoutClose", func(s *State) bool {
			return s.caughtUp() && !s.Healthy && !s.CloseAsked
		}).Doc("the state machine is unhealthy, all is applied, and nobody was asked to close the pipeline"),
		model.Reachable("ReachMissingAfterReplay", r.some(func(s *State, c Container) bool {
			return s.caughtUp() && s.Healthy && s.CState[c] == Open && !s.Map.Has(c)
		})).Doc("all is applied and an open container is out of the map"),
		model.Reachable("ReachMissingAgain", r.some(func(s *State, c Container) bool {
			return s.caughtUp() && s.Healthy && s.Ghost.Crashes > 0 && s.Ghost.Stops > 0 &&
				s.Ghost.SnapMissed && s.SnapIdx > 0 && s.lacks(c)
		})).Doc("a snapshot taken after the first restart lacks the container, so the second restart misses it again"),
		model.Reachable("ReachHealedByWriteChunk", r.some(r.healedByWriteChunk)).
			Doc("a replayed WriteChunk puts back a streamed container ahead of its PutBlock"),
		model.Reachable("ReachOtherContainerRefused", func(s *State) bool {
			for _, w := range r.writers.Values {
				if r.mode[w] == WriteChunk && s.Status[w] == Refused {
					return true
				}
			}
			return false
		}).Doc("WriteChunk data are refused"),
	}
}

// temporal are promised only to clients that try again: a writer whose stream
// was cut short is not done otherwise.
func (r *rules) temporal() []model.Property[State] {
	return []model.Property[State]{
		model.Eventually("WritesEventuallySucceed", r.done).
			Doc("all writers are done one day, and stay so"),
		model.EventuallyAlways("ReplicaRecovers", func(s *State) bool {
			return s.Up && s.Healthy && int(s.Applied) == s.Log.Len()
		}).Doc("in the end the replica is up, healthy, and has applied the log"),
	}
}

// each and some say of a state that all containers, or any, satisfy p.
func (r *rules) each(p func(*State, Container) bool) func(*State) bool {
	return func(s *State) bool {
		for _, c := range r.containers.Values {
			if !p(s, c) {
				return false
			}
		}
		return true
	}
}

func (r *rules) some(p func(*State, Container) bool) func(*State) bool {
	none := r.each(func(s *State, c Container) bool { return !p(s, c) })
	return func(s *State) bool { return !none(s) }
}

// tracked says that, with all applied, the open containers that satisfy p are
// in the map.
func (r *rules) tracked(p func(*State, Container) bool) func(*State) bool {
	return r.each(func(s *State, c Container) bool {
		return !(s.caughtUp() && s.Healthy && s.CState[c] == Open && p(s, c)) || s.Map.Has(c)
	})
}

// used says that c has the record of a block.
func (r *rules) used(s *State, c Container) bool {
	for _, w := range r.writers.Values {
		if r.into[w] == c && s.Blk[w] != NoRecord {
			return true
		}
	}
	return false
}

// faulty says that the disk has lied once; what holds of an honest one need not.
func (s *State) faulty() bool { return !s.Ghost.Lost.Empty() || !s.Ghost.Corrupted.Empty() }

func (r *rules) done(s *State) bool {
	for _, w := range r.writers.Values {
		if s.Status[w] != Done {
			return false
		}
	}
	return true
}

func (r *rules) readdOnlyFillsHoles(s, t *State) bool {
	for _, c := range r.containers.Values {
		if !s.Up || !t.Up || s.Map.Has(c) == t.Map.Has(c) && s.Map.Get(c) == t.Map.Get(c) {
			continue
		}
		if !s.Map.Has(c) && t.exists(c) || r.updates(s, t, c) {
			continue
		}
		return false
	}
	return true
}

// updates says that the step is one of updateBCSID for c.
func (r *rules) updates(s, t *State, c Container) bool {
	if s.Apc == Update && t.Apc == Ready {
		return r.container(s.next()) == c
	}
	for _, w := range r.writers.Values {
		if s.Spc[w] == Update && t.Spc[w] == Ready {
			return r.into[w] == c
		}
	}
	return false
}

func (r *rules) healedByWriteChunk(s *State, c Container) bool {
	if s.Ghost.Crashes == 0 || !s.caughtUp() || !s.Healthy || !s.Map.Has(c) || s.SnapMap.Has(c) {
		return false
	}
	for i, e := range s.Log.All() {
		if i < int(s.Ghost.RecLen) && e.putsBlock() && r.into[e.Of] == c && r.mode[e.Of] == Raft {
			return r.logged(s, c, func(e LogEntry) bool { return e.Op == WC })
		}
	}
	return false
}
