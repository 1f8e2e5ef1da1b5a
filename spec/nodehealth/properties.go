package nodehealth

import (
	"fmt"

	"mc/model"
)

// guarantees are what the fix makes true in the scenarios run by default.
func (r *rules) guarantees() []model.Property[State] {
	return []model.Property[State]{
		model.Always("NoStrandedReplicaOnDeadNode", func(s *State) bool { return !r.some(r.stranded)(s) }).
			Doc("no dead datanode keeps replicas that nothing will remove"),
		model.EventuallyAlways("DeadNodeEventuallyForgotten", r.everyone(func(d *DN) bool { return d.Up || d.Replicas.Empty() })).
			Doc("a datanode that stays down has no replicas in the end (stops are bounded, so one day each is up or down for good)"),
		model.Always("HealthyContainerHasReachableCopy", r.fullyReplicated(func(stranded int) bool { return stranded < len(r.nodes.Values) })).
			Doc("a container with as many replicas as datanodes has one that is not stranded: what Recon shows as HEALTHY can be read"),
		model.Always("FullReplicationIsReal", r.fullyReplicated(func(stranded int) bool { return stranded == 0 })).
			Doc("such a container has no stranded replica: what SCM will not replicate again needs no replication"),
		model.Always("NoEraseByLateDeadline", r.noErase(func(e Erasure) bool { return e.Tag == Post })).
			Doc("no live datanode loses its replicas because it was declared DEAD after it registered"),
		model.Always("NoEraseOutsideCheckWindow", r.noErase(func(e Erasure) bool { return e.Why == Unrefreshed || e.Why == Resurrected })).
			Doc("no live datanode loses its replicas to a handler that saw its heartbeat time old, or saw it not DEAD"),
		model.Always("NoEraseAfterResurrection", r.noErase(func(e Erasure) bool { return e.Why == Resurrected })).
			Doc("no live datanode loses its replicas to a handler that began to remove when it was not DEAD any more"),
		r.implies("NoLostRegistrationReport",
			func(s *State, n Node) bool { return s.registeredHealthy(n) && s.DN[n].Replicas != r.disk },
			func(s *State, n Node) bool { return s.DN[n].Ghost.Erased != (Erasure{}) }).
			Doc("what a registered datanode lacks, a handler removed; its report was not lost"),
		model.Always("NoResurrectionWithoutContact", func(s *State) bool { return !s.Ghost.BadResurrection }).
			Doc("no datanode leaves DEAD without a sign of life"),
		model.EveryStep("DeadEventOnlyOnTransition", r.deadEventOnlyOnTransition).
			Doc("DEAD_NODE is fired when a datanode becomes DEAD, or when its operational state changes while it is"),
		model.Always("BystanderUntouched", func(s *State) bool {
			for _, n := range r.nodes.Values[r.faulty:] {
				if s.DN[n].Health != Healthy || s.DN[n].Replicas != r.disk {
					return false
				}
			}
			return true
		}).Doc("a datanode that never stops is HEALTHY and keeps its replicas"),

		model.Reachable("DeclaredDead", r.some(func(s *State, n Node) bool { return s.DN[n].Health == Dead })).
			Doc("a datanode is declared DEAD"),
		model.Reachable("HandlerRemoves", func(s *State) bool { return s.Handler.PC == Remove }).
			Doc("the handler removes replicas"),
		model.Reachable("BackBeforeHandlerEnds", r.some(func(s *State, n Node) bool {
			return s.DN[n].Health == ReadOnly && s.handling(n)
		})).Doc("a datanode leaves DEAD while the handler is still at work on it"),
		model.Reachable("BackInService", r.some(func(s *State, n Node) bool {
			return s.DN[n].Stops > 0 && s.registeredHealthy(n) && s.DN[n].Replicas == r.disk
		})).Doc("a datanode that stopped is registered and HEALTHY, with all its replicas"),
	}
}

// questions are what the fix does not promise, and what only some
// configurations show. The first one, which it does promise, is no guarantee
// because it does no harm by itself to violate it, and takes fewer steps than
// what does.
func (r *rules) questions() []model.Property[State] {
	return []model.Property[State]{
		model.EveryStep("RegisteredNodeLeavesDeadAtNextCheck", r.leavesDeadAtNextCheck).
			Doc("the health check that follows a registration finds the datanode alive"),
		model.Always("NoEraseByEarlierDeadEvent", r.noErase(func(e Erasure) bool { return e.Tag == Pre })).
			Doc("no live datanode loses its replicas to the event of an earlier death"),
		model.Always("NoEraseInCheckWindow", r.noErase(func(e Erasure) bool { return e.Why == Window })).
			Doc("no live datanode loses its replicas to a handler that saw it DEAD, with a fresh heartbeat time"),
		model.Always("NoEraseOfReturnedNode", r.noErase(func(e Erasure) bool { return e != Erasure{} })).
			Doc("no live datanode loses its replicas"),
		model.Always("NoEraseByOpStateEvent", r.noErase(func(e Erasure) bool { return e.Tag == Op })).
			Doc("no live datanode loses its replicas to the event that a change of its operational state fired"),
		model.Always("NoEraseByRefiredEvent", r.noErase(func(e Erasure) bool { return e.Tag == Refire })).
			Doc("no live datanode loses its replicas to the event that its own report fired"),
		r.implies("NoMissingReplicaOnRegisteredNode", (*State).registeredHealthy,
			func(s *State, n Node) bool { return s.DN[n].Replicas == r.disk }).
			Doc("a registered and HEALTHY datanode has all its replicas: none of its containers is MISSING"),
		r.implies("NoMissingReplicaOnReconnectedNode",
			func(s *State, n Node) bool { return s.DN[n].settled() && !s.DN[n].Ghost.Registered },
			func(s *State, n Node) bool { return s.DN[n].Replicas == r.disk }).
			Doc("a datanode that came back by a heartbeat alone has all its replicas"),
		r.implies("LiveNodeInTopology",
			func(s *State, n Node) bool {
				d := &s.DN[n]
				return r.topology && d.settled() && d.Health == Healthy && d.ROEvents == 0 && !s.handling(n) && !s.queued(n)
			},
			func(s *State, n Node) bool { return !s.DN[n].Absent }).
			Doc("a HEALTHY datanode of which no event waits is in the network topology"),
		model.LeadsTo("MissingReplicaEventuallyRestored",
			func(s *State) bool { return s.DN[0].settled() && s.DN[0].Replicas != r.disk },
			func(s *State) bool { return !s.DN[0].Up || s.DN[0].Replicas == r.disk }).
			Doc("replicas that the first datanode lacks come back, or it stops"),

		model.Reachable("HealedByIncrementalReport", func(s *State) bool { return s.Ghost.HealedByICR }).
			Doc("one incremental report puts back one of two erased replicas"),
	}
}

// windows tell after how many ticks the bug may still strike.
func (r *rules) windows() (questions []model.Property[State]) {
	for k := range Ticks(maxSinceReg + 1) {
		text := fmt.Sprintf("%d ticks", k)
		if k == maxSinceReg {
			text += " or more"
		}
		questions = append(questions,
			model.Reachable(fmt.Sprintf("StrandedAfter%d", k), r.some(func(s *State, n Node) bool {
				return r.stranded(s, n) && s.DN[n].Ghost.SinceReg == k
			})).Doc("a datanode that stopped "+text+" after it registered is stranded"),
			model.Reachable(fmt.Sprintf("DeclaredDeadAfter%d", k), r.some(func(s *State, n Node) bool {
				return s.DN[n].Ghost.LateAt == Late(k)+1
			})).Doc("a datanode is declared DEAD "+text+" after it registered"))
	}
	return questions
}

// liveLeavesDead speaks of one datanode, so it is judged by default only where
// there are no others like it.
func (r *rules) liveLeavesDead() model.Property[State] {
	return model.LeadsTo("LiveNodeLeavesDead",
		func(s *State) bool { return s.DN[0].Health == Dead && s.DN[0].Up },
		func(s *State) bool { return s.DN[0].Health != Dead || !s.DN[0].Up }).
		Doc("the first datanode, if it is up and DEAD, stops being one of these")
}

// everyone says of a state that all datanodes satisfy p.
func (r *rules) everyone(p func(*DN) bool) func(*State) bool {
	return func(s *State) bool {
		for _, n := range r.nodes.Values {
			if !p(&s.DN[n]) {
				return false
			}
		}
		return true
	}
}

// some says of a state that a datanode satisfies p.
func (r *rules) some(p func(*State, Node) bool) func(*State) bool {
	return func(s *State) bool {
		for _, n := range r.nodes.Values {
			if p(s, n) {
				return true
			}
		}
		return false
	}
}

// implies is the invariant that each datanode that satisfies p satisfies q.
func (r *rules) implies(name string, p, q func(*State, Node) bool) model.Property[State] {
	exception := r.some(func(s *State, n Node) bool { return p(s, n) && !q(s, n) })
	return model.Implies(name, r.some(p), func(s *State) bool { return !exception(s) })
}

// noErase says that no datanode that is settled has lost replicas so. While
// its report is queued, it will have them back.
func (r *rules) noErase(so func(Erasure) bool) func(*State) bool {
	return r.everyone(func(d *DN) bool { return !d.settled() || !so(d.Ghost.Erased) })
}

// registeredHealthy says that n is registered, settled and HEALTHY.
func (s *State) registeredHealthy(n Node) bool {
	d := &s.DN[n]
	return d.settled() && d.Ghost.Registered && d.Health == Healthy
}

// fullyReplicated says that the number of stranded holders of each container
// that every datanode holds is as p wants it.
func (r *rules) fullyReplicated(p func(stranded int) bool) func(*State) bool {
	return func(s *State) bool {
		for _, c := range r.containers.Values {
			holders, stranded := 0, 0
			for _, n := range r.nodes.Values {
				if s.DN[n].Replicas.Has(c) {
					holders++
					if r.stranded(s, n) {
						stranded++
					}
				}
			}
			if holders == len(r.nodes.Values) && !p(stranded) {
				return false
			}
		}
		return true
	}
}

// leavesDeadAtNextCheck looks at health checks that end an interval.
func (r *rules) leavesDeadAtNextCheck(s, t *State) bool {
	if s.SinceCheck == 0 || t.SinceCheck != 0 {
		return true
	}
	for _, n := range r.nodes.Values {
		d := &s.DN[n]
		if d.Up && d.Ghost.Registered && d.Health == Dead && t.DN[n].Health != ReadOnly {
			return false
		}
	}
	return true
}

// deadEventOnlyOnTransition looks at the events that a step adds.
func (r *rules) deadEventOnlyOnTransition(s, t *State) bool {
	for i := s.DeadQ.Len(); i < t.DeadQ.Len(); i++ {
		e := t.DeadQ.At(i)
		died := s.DN[e.Node].Health != Dead && t.DN[e.Node].Health == Dead
		if !died && e.Tag != Op && !(r.refire && e.Tag == Refire) {
			return false
		}
	}
	return true
}
