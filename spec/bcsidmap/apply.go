package bcsidmap

import "mc/model"

// apply is the thread that applies committed entries in order:
// ContainerStateMachine.applyTransaction and, inside it,
// HddsDispatcher.dispatchRequest.
func (r *rules) apply() []model.Action[State] {
	at := func(pc PC) model.Conjunct[func(*State) bool] {
		return model.If("at "+pc.String(), func(s *State) bool { return s.Apc == pc })
	}
	putsBack := r.has(Raft, Close) && r.readd[PBMid] || r.has(Raft, NoRaft, Close) && r.readd[SE] ||
		r.has(WriteChunk) && (r.readd[WC] || r.readd[PBFin]) || r.has(SmallFile) && r.readd[PSF]
	return []model.Action[State]{
		model.Act("ApplyBegin", serving0(
			model.If("thread free", func(s *State) bool { return s.Apc == Ready }),
			model.If("entry to apply", func(s *State) bool { return int(s.Applied) < s.Log.Len() })), r.applyBegin).
			Doc("ContainerStateMachine.applyTransaction: the next entry; HddsDispatcher.dispatchRequest looks into the map"),
		model.Act("ApplyPut", serving0(at(Put)),
			func(s *State) { r.putBack(s, r.container(s.next()), s.Aval); s.Apc, s.Aval = Body, 0 }).
			Doc("HddsDispatcher.dispatchRequest: the container goes back into the map").
			When(putsBack),
		model.Act("ApplyBody", serving0(at(Body)), r.applyBody).
			Doc("KeyValueHandler.handle: the block is written, the container's BCSID read").
			When(putsBack || r.lose),
		model.Act("ApplyUpd", serving0(at(Update)), r.applyUpdate).
			Doc("HddsDispatcher.updateBCSID: the map must have the container").
			When(r.has(Raft, Close, WriteChunk, SmallFile)),
	}
}

// next is the entry that is being applied or will be.
func (s *State) next() LogEntry { return s.Log.At(int(s.Applied)) }

func (r *rules) applyBegin(s *State) {
	e := s.next()
	if e.Op == Conf {
		s.advance()
		return
	}
	switch c := r.container(e); {
	case s.Bad.Has(c) && !s.Healthy:
		s.fails(c, true)
	case r.readd[e.Op] && s.lacks(c):
		s.Apc, s.Aval = Put, s.BCSID[c]
	default:
		r.applyBody(s)
	}
}

func (r *rules) applyBody(s *State) {
	e := s.next()
	c := r.container(e)
	s.Apc = Ready
	switch {
	case s.Missing.Has(c):
		s.fails(c, true)
	case !s.exists(c):
		s.applyWithout(e, c, r.mode[e.Of] == Raft)
	case s.CState[c] == Unhealthy:
		s.fails(c, true)
	case s.CState[c] != Open, e.Op == WC, e.Op == SE:
		s.advance() // nothing to do, or an error that is tolerated
	case e.Op == CC:
		s.CState[c] = Closed
		s.advance()
	default:
		w := Writer(e.Of)
		record := Final
		if e.Op == PBMid {
			record = Mid
		}
		r.persist(s, w, record, s.Applied+1, e.Try < s.Attempt[w])
		s.Apc, s.Aval = Update, s.BCSID[c]
	}
}

// applyWithout is the body for a container that is not on disk.
func (s *State) applyWithout(e LogEntry, c Container, raftStream bool) {
	switch {
	case e.putsBlock():
		s.create(c)
		s.Map.PutIfAbsent(c, 0)
		s.Apc = Body
	case e.Op == SE && raftStream:
		s.create(c)
		s.Map.PutIfAbsent(c, 0)
		s.advance()
	case e.Op == SE, e.Op == PSF:
		s.create(c) // and then a precondition throws, before the map is reached
		s.fails(c, false)
	default:
		s.fails(c, true)
	}
}

// applyUpdate throws if the map lacks the container: the block is on disk by
// then, and nobody asks SCM for anything.
func (r *rules) applyUpdate(s *State) {
	e := s.next()
	c, v := r.container(e), s.Aval
	s.Apc, s.Aval = Ready, 0
	if s.Map.Has(c) {
		r.update(s, c, v)
		s.advance()
		return
	}
	switch {
	case e.Op == PSF:
		s.Ghost.Fails.Add(InSmallFile)
	case s.Applied < s.Ghost.RecLen:
		s.Ghost.Fails.Add(InReplay)
	default:
		s.Ghost.Fails.Add(Live)
	}
	s.fails(c, false)
}

// advance ends an entry that succeeded. An unhealthy state machine no longer
// counts it as applied, so that it stays above every snapshot.
func (s *State) advance() {
	s.Applied++
	if s.Healthy {
		s.SMApplied = s.Applied
	}
}

// fails ends an entry that failed. Only an error response, not an exception,
// reaches handleApplyTransactionFailure, which asks SCM to close the pipeline.
func (s *State) fails(c Container, response bool) {
	s.Healthy = false
	s.Bad.Add(c)
	s.Applied++
	s.CloseAsked = s.CloseAsked || response
}
