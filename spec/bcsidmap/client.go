package bcsidmap

import (
	"slices"

	"mc/model"
)

// client is what writers do, and what the datanode does for them before the
// log is involved: no lock, and not the apply thread.
func (r *rules) client() []model.Action[State] {
	type conjunct = model.Conjunct[func(*State, Writer) bool]
	mode := func(modes ...Mode) conjunct {
		return model.If("mode", func(_ *State, w Writer) bool { return slices.Contains(modes, r.mode[w]) })
	}
	status := func(statuses ...Status) conjunct {
		return model.If("status", func(s *State, w Writer) bool { return slices.Contains(statuses, s.Status[w]) })
	}
	room := model.If("room in the log", func(s *State, _ Writer) bool { return s.Log.Len() < r.log })
	notSent := model.If("stream entry not sent", func(s *State, w Writer) bool { return !s.SESent[w] })
	ordered := model.If("after a WriteChunk", func(s *State, w Writer) bool { return r.mayPutBlock(s, w) })

	return []model.Action[State]{
		model.Act1("StreamInit", r.writers, serving1(status(Idle), mode(Raft, NoRaft, Close)), r.streamInit).
			Doc("ContainerStateMachine.stream: StreamInit creates the container if need be").
			When(r.has(Raft, NoRaft, Close)),
		model.Act1("WriteData", r.writers, serving1(status(Idle), mode(WriteChunk)), r.writeData).
			Doc("ContainerStateMachine.write: WriteChunk in stage WRITE_DATA creates the container if need be").
			When(r.has(WriteChunk)),
		model.Act1("CreatePut", r.writers, serving1(status(Creating)),
			func(s *State, w Writer) { s.Map.PutIfAbsent(r.into[w], 0); s.Status[w] = r.created(w) }).
			Doc("HddsDispatcher.dispatchRequest: the container just created enters the map").
			When(r.fineCreate),

		model.Act1("AppendWC", r.writers, serving1(status(Written), room),
			func(s *State, w Writer) { s.send(WC, w); s.Status[w] = Chunked }).
			Doc("BlockOutputStream.writeChunkToContainer: the WriteChunk is committed to the log").
			When(r.has(WriteChunk)),
		model.Act1("AppendPB", r.writers, serving1(status(Chunked), room, ordered),
			func(s *State, w Writer) { s.send(PBFin, w); s.Status[w] = Done }).
			Doc("BlockOutputStream.executePutBlock: the PutBlock of an ordinary write is committed to the log").
			When(r.has(WriteChunk)),
		model.Act1("AppendMid", r.writers, serving1(status(Streaming), mode(Raft, Close), notSent, room, ordered),
			func(s *State, w Writer) { s.send(PBMid, w); s.Status[w] = MidSent }).
			Doc("BlockDataStreamOutput.executePutBlock, not closing: the PutBlock is committed to the log").
			When(r.has(Raft, Close)),
		model.Act1("AppendFin", r.writers, serving1(status(Streaming, MidSent), mode(Raft), room, ordered), r.appendFin).
			Doc("BlockDataStreamOutput.executePutBlock, closing: the PutBlock is committed to the log").
			When(r.has(Raft)),
		model.Act1("AppendSE", r.writers, serving1(
			model.If("status", func(s *State, w Writer) bool {
				if r.mode[w] == Raft {
					return s.Status[w] == Streaming || s.Status[w] == MidSent || s.Status[w] == FinSent
				}
				return s.Status[w] == StreamClosed
			}), notSent, room), r.appendSE).
			Doc("DataStreamManagement: closing a stream commits its entry to the log").
			When(r.has(Raft, NoRaft, Close)),
		model.Act1("AppendPSF", r.writers, serving1(status(Idle), mode(SmallFile),
			model.If("container exists", func(s *State, w Writer) bool { return s.exists(r.into[w]) }), room),
			func(s *State, w Writer) { s.send(PSF, w); s.Status[w] = Done }).
			Doc("ContainerProtocolCalls.writeSmallFile: the PutSmallFile is committed to the log").
			When(r.has(SmallFile)),

		model.Act1("Retry", r.writers, serving1(status(Failed)), r.tryAgain).
			Doc("KeyDataStreamOutput.handleException: the client writes the same data to a new block").
			When(r.retry),
	}
}

// has says whether some writer has one of these modes.
func (r *rules) has(modes ...Mode) bool {
	return slices.ContainsFunc(r.mode[:], func(m Mode) bool { return slices.Contains(modes, m) })
}

func (r *rules) streamInit(s *State, w Writer) {
	if !s.writable(r.into[w]) {
		s.Status[w] = Refused
		return
	}
	r.enter(s, w)
}

func (r *rules) writeData(s *State, w Writer) {
	if !s.Healthy || !s.writable(r.into[w]) {
		s.Status[w] = Refused
		s.CloseAsked = s.CloseAsked || !s.Healthy
		return
	}
	r.enter(s, w)
}

// enter creates the container of w unless it exists. Only the creation puts it
// into the map.
func (r *rules) enter(s *State, w Writer) {
	c := r.into[w]
	s.Status[w] = r.created(w)
	if s.exists(c) {
		return
	}
	s.create(c)
	if r.fineCreate {
		s.Status[w] = Creating
		return
	}
	s.Map.PutIfAbsent(c, 0)
}

// created is the status of w when its container is there.
func (r *rules) created(w Writer) Status {
	if r.mode[w] == WriteChunk {
		return Written
	}
	return Streaming
}

// The last PutBlock and the stream's entry are sent together, so they reach
// the log in either order.

func (r *rules) appendFin(s *State, w Writer) {
	s.send(PBFin, w)
	s.Status[w] = FinSent
	if s.SESent[w] {
		s.Status[w] = Done
	}
}

func (r *rules) appendSE(s *State, w Writer) {
	s.send(SE, w)
	s.SESent[w] = true
	if s.Status[w] == FinSent || s.Status[w] == StreamClosed {
		s.Status[w] = Done
	}
}

// tryAgain starts a new block. The attempt needs a new number only if the log
// has PutBlocks of the old one, which keeps the numbers finite.
func (r *rules) tryAgain(s *State, w Writer) {
	for _, e := range s.Log.All() {
		if e.putsBlock() && Writer(e.Of) == w && e.Try == s.Attempt[w] {
			s.Attempt[w]++
			break
		}
	}
	s.Status[w], s.SESent[w], s.Blk[w], s.BlkBCSID[w] = Idle, false, NoRecord, 0
}

// mayPutBlock is false only where PutBlocks have to wait for a WriteChunk.
func (r *rules) mayPutBlock(s *State, w Writer) bool {
	return !r.putBlockAfterWC || r.logged(s, r.into[w], func(e LogEntry) bool { return e.Op == WC })
}

// logged says whether the log has such an entry of c.
func (r *rules) logged(s *State, c Container, such func(LogEntry) bool) bool {
	for _, e := range s.Log.All() {
		if e.Op != Conf && r.container(e) == c && such(e) {
			return true
		}
	}
	return false
}

func (e LogEntry) putsBlock() bool { return e.Op == PBMid || e.Op == PBFin }

func (s *State) send(op Op, w Writer) {
	s.Log.Push(LogEntry{Op: op, Of: uint8(w), Try: s.Attempt[w]})
}
