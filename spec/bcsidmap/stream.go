package bcsidmap

import "mc/model"

// stream is what the thread of a stream does with a PutBlock that avoids the
// log. Its steps are those of the apply thread; its failures reach the client
// alone.
func (r *rules) stream() []model.Action[State] {
	kinds := model.Values("kind", Mid, Final)
	at := func(pc PC) model.Conjunct[func(*State, Writer) bool] {
		return model.If("at "+pc.String(), func(s *State, w Writer) bool { return s.Spc[w] == pc })
	}
	return []model.Action[State]{
		model.Act2("StreamBegin", r.writers, kinds, serving2(
			model.If("thread free", func(s *State, w Writer, _ Record) bool { return s.Spc[w] == Ready }),
			model.If("mode", func(_ *State, w Writer, k Record) bool {
				return r.mode[w] == NoRaft || r.mode[w] == Close && k == Final
			}),
			model.If("status", func(s *State, w Writer, k Record) bool {
				return s.Status[w] == Streaming || s.Status[w] == MidSent && k == Final
			}),
			model.If("after a WriteChunk", func(s *State, w Writer, _ Record) bool { return r.mayPutBlock(s, w) })), r.streamBegin).
			Doc("ContainerStateMachine, a PutBlock that arrives on a stream (STREAM_LINK): HddsDispatcher.dispatchRequest looks into the map").
			When(r.has(NoRaft, Close)),
		model.Act1("StreamPut", r.writers, serving1(at(Put)),
			func(s *State, w Writer) { r.putBack(s, r.into[w], s.Sval[w]); s.Spc[w], s.Sval[w] = Body, 0 }).
			Doc("HddsDispatcher.dispatchRequest: the container goes back into the map").
			When(r.readdStream && r.has(NoRaft, Close)),
		model.Act1("StreamBody", r.writers, serving1(at(Body)), r.streamBody).
			Doc("KeyValueHandler.handlePutBlock: the block is written, the container's BCSID read").
			When(r.readdStream && r.has(NoRaft, Close)),
		model.Act1("StreamUpd", r.writers, serving1(at(Update)), r.streamUpdate).
			Doc("HddsDispatcher.updateBCSID: the map must have the container").
			When(r.has(NoRaft, Close)),
	}
}

func (r *rules) streamBegin(s *State, w Writer, k Record) {
	c := r.into[w]
	s.Skind[w] = k
	if r.readdStream && s.lacks(c) {
		s.Spc[w], s.Sval[w] = Put, s.BCSID[c]
		return
	}
	r.streamBody(s, w)
}

func (r *rules) streamBody(s *State, w Writer) {
	c := r.into[w]
	if !s.exists(c) || !s.writable(c) {
		s.Status[w] = Refused
		s.Spc[w], s.Skind[w] = Ready, NoRecord
		return
	}
	r.persist(s, w, s.Skind[w], 0, false)
	s.Spc[w], s.Sval[w] = Update, s.BCSID[c]
}

// streamUpdate fails the client if the map lacks the container; its block, of
// no use to anybody, stays on disk.
func (r *rules) streamUpdate(s *State, w Writer) {
	c, k, v := r.into[w], s.Skind[w], s.Sval[w]
	s.Spc[w], s.Skind[w], s.Sval[w] = Ready, NoRecord, 0
	failure, next := InMid, MidSent
	if k == Final {
		failure, next = InClose, StreamClosed
	}
	if !s.Map.Has(c) {
		s.Ghost.Fails.Add(failure)
		s.Status[w] = Failed
		return
	}
	r.update(s, c, v)
	s.Status[w] = next
}
