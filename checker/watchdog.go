package checker

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"mc/checker/memory"
	"mc/checker/seen"
	"mc/model"
)

// A spec whose guard or effect never returns would hang a search for ever: its
// goroutine cannot be stopped from outside. So a search that is given a
// StepTimeout is watched. Its workers note which run of states they are at, of
// which each is some hundred steps, and so cost nothing. When one of them stays
// too long at a run, the watch takes the same steps one at a time, on a
// goroutine of its own, and notes each before it takes it: the one that does not
// come back is to blame. A run that is merely slow comes to its end there too.
// Then the search is left to itself, and what was found until then is reported.

// Endless is the fault of a spec whose step does not end, and StepDoesNotEnd why
// the search that met it is incomplete.
const (
	Endless        model.FaultKind = "it does not end"
	StepDoesNotEnd string          = "a step does not end"
)

// Hangs says that the search ended since a step of the spec does not. The
// goroutine that is in the step goes on, and holds what the search held: the
// process should end soon.
func (r *Report) Hangs() bool {
	return r.Fault != nil && r.Fault.Fault.Kind == Endless
}

// post is where a worker says what it is at. A nil post is not watched.
type post struct {
	mu   sync.Mutex
	turn uint64 // counts what it was at
	busy bool
	// What it is at, and was at before: a batch may still have successors of
	// those.
	at [2]stretch
}

// stretch is a run of states of a level: the places from, …, to-1 of one
// writer. Without them it is the initial states; for walks, a walk by number.
type stretch struct{ level, owner, from, to, walk int }

// initially is the stretch of the initial states.
var initially = stretch{level: -1}

func (p *post) take(at stretch) {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.turn++
	p.at[0], p.at[1], p.busy = p.at[1], at, true
	p.mu.Unlock()
}

func (p *post) rest() {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.turn++
	p.at, p.busy = [2]stretch{initially, initially}, false
	p.mu.Unlock()
}

func (p *post) look() (turn uint64, busy bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.turn, p.busy
}

// hang is a step that does not come back.
type hang struct {
	call
	after   time.Duration
	initial int           // of a walk: where it began,
	labels  []model.Label // and the steps that it had taken
}

// fault puts a hang into words.
func (h *hang) fault(m *model.Machine) *model.Fault {
	f := &model.Fault{Kind: Endless, Where: h.where, Label: h.label, InStep: h.inStep}
	if h.state == nil {
		f.Where = "a step"
		f.What = fmt.Sprintf("more than %v, but it comes back when it is taken again; does it wait for something?", h.after)
		return f
	}
	f.What = fmt.Sprintf("more than %v, in the state %s", h.after, fieldsText(m, h.state))
	return f
}

// fieldsText is the fields of a state that are not as in an empty one.
func fieldsText(m *model.Machine, state []byte) string {
	var parts []string
	for _, f := range m.Fields(state) {
		switch f.Value {
		case "", "0", "false", "{}", "[]":
		default:
			parts = append(parts, f.Name+"="+f.Value)
		}
	}
	if parts == nil {
		return "where all fields are 0, false or empty"
	}
	return strings.Join(parts, ", ")
}

// call is something that is asked of a spec.
type call struct {
	state  []byte
	where  string
	label  model.Label
	inStep bool
}

// copied is a copy of a state, aligned as states are.
func copied(state []byte) []byte {
	if len(state) == 0 {
		return nil
	}
	return memory.Bytes(slices.Clone(seen.Words(state)))
}

// probe is a Worker that notes what it is about to ask of the spec, one
// instance and one property at a time.
type probe struct {
	model.Worker
	m     *model.Machine
	mu    sync.Mutex
	now   call
	since time.Time
	ended bool
}

func newProbe(m *model.Machine) *probe { return &probe{Worker: m.NewWorker(), m: m} }

func (p *probe) about(state []byte, where string) { p.begin(call{state: state, where: where}) }

func (p *probe) begin(c call) {
	c.state = copied(c.state)
	p.mu.Lock()
	p.now, p.since = c, time.Now()
	p.mu.Unlock()
}

// stuck is what it has been at for longer than allowed.
func (p *probe) stuck(allowed time.Duration) (c call, stuck, ended bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.now, !p.ended && time.Since(p.since) >= allowed, p.ended
}

// run makes f's calls on a goroutine of its own.
func (p *probe) run(f func()) {
	p.about(nil, "")
	go func() {
		// Whatever goes wrong here goes wrong in the search too, and is told there.
		defer func() { _ = recover() }()
		defer func() { p.mu.Lock(); p.ended = true; p.mu.Unlock() }()
		f()
	}()
}

// Expand takes every instance by itself.
func (p *probe) Expand(state []byte, out *model.Batch) *model.Fault {
	first := out.Len()
	for l := range model.Label(p.m.Instances) {
		p.begin(call{state: state, where: p.m.Instance(l).String(), label: l, inStep: true})
		next, blocked, fault := p.Worker.Step(state, l)
		if fault != nil {
			out.Truncate(first)
			return fault
		}
		if blocked == "" {
			copy(out.Next(state, l), next)
		}
	}
	return nil
}

func (p *probe) Within(state []byte) (bool, *model.Fault) {
	p.about(state, "bound Within")
	return p.Worker.Within(state)
}

func (p *probe) Terminal(state []byte) (bool, *model.Fault) {
	p.about(state, "Terminal")
	return p.Worker.Terminal(state)
}

func (p *probe) Judge(state []byte, properties []int) (int, *model.Fault) {
	for i := range properties {
		p.about(state, "property "+p.m.Properties[properties[i]].Name)
		if found, fault := p.Worker.Judge(state, properties[i:i+1]); found == 0 || fault != nil {
			return i + found, fault
		}
	}
	return -1, nil
}

func (p *probe) JudgeStep(from, to []byte, properties []int) (int, *model.Fault) {
	for i := range properties {
		p.about(from, "property "+p.m.Properties[properties[i]].Name)
		if found, fault := p.Worker.JudgeStep(from, to, properties[i:i+1]); found == 0 || fault != nil {
			return i + found, fault
		}
	}
	return -1, nil
}

func (p *probe) Holds(property int, state []byte) (bool, bool, *model.Fault) {
	p.about(state, "property "+p.m.Properties[property].Name)
	return p.Worker.Holds(property, state)
}

func (p *probe) Canonize(state []byte) *model.Fault {
	p.about(state, "renaming")
	return p.Worker.Canonize(state)
}

// visit asks of a state all that a search asks of it and of its successors.
func (p *probe) visit(state []byte, properties []int, symmetry bool, batch *model.Batch) {
	p.ask(state, properties)
	if within, fault := p.Within(state); !within || fault != nil {
		return
	}
	batch.Truncate(0)
	if p.Expand(state, batch) != nil {
		return
	}
	_, _ = p.Terminal(state)
	for i := range batch.Len() {
		t := batch.State(i)
		if seen.Equal(t, state) {
			continue
		}
		for _, n := range properties {
			if p.m.Properties[n].Kind == model.StepInvariant {
				_, _ = p.JudgeStep(state, t, []int{n})
			}
		}
		p.ask(t, properties)
		if symmetry {
			_ = p.Canonize(t)
		}
	}
}

// ask evaluates the properties that speak of states.
func (p *probe) ask(state []byte, properties []int) {
	for _, n := range properties {
		if k := p.m.Properties[n].Kind; k != model.StepInvariant && k != model.NoDeadlock {
			_, _, _ = p.Holds(n, state)
		}
	}
}

// watchdog looks after the workers of one search.
type watchdog struct {
	timeout time.Duration
	posts   []*post
	// again makes what asks again all that a worker is at. While it runs the
	// worker does not leave where it is, nor may its memory go away; what it
	// makes has the states that it needs of its own. Of a walk it says, when a
	// step hangs, how it went.
	again func(p *probe, at [2]stretch) (ask func(), tell func(*hang))
	// busy, if given, says that workers wait for what is no step.
	busy func() bool
	m    *model.Machine
}

const (
	// A run of states is looked into after timeout/suspect, and from then on
	// each time after twice as long.
	suspect = 4
	// What stays at one run so many times the timeout is to blame, even if its
	// steps come back when they are taken again.
	certain = 30
)

// watch returns when a step does not end, or when done is closed.
func (d *watchdog) watch(done <-chan struct{}) *hang {
	tick := time.NewTicker(max(d.timeout/16, time.Millisecond))
	defer tick.Stop()
	turns, since := make([]uint64, len(d.posts)), make([]time.Time, len(d.posts))
	patience := make([]time.Duration, len(d.posts))
	for i := range d.posts {
		since[i], patience[i] = time.Now(), d.timeout/suspect
	}
	for {
		select {
		case <-done:
			return nil
		case <-tick.C:
		}
		for i, p := range d.posts {
			turn, busy := p.look()
			if !busy || turn != turns[i] || d.busy != nil && d.busy() {
				turns[i], since[i] = turn, time.Now()
				continue
			}
			waited := time.Since(since[i])
			if waited < patience[i] {
				continue
			}
			patience[i] *= 2
			h, cleared := d.suspect(p, turn, done)
			if h == nil && cleared && waited > certain*d.timeout {
				return &hang{after: certain * d.timeout}
			}
			if h != nil {
				h.after = d.timeout
				return h
			}
		}
	}
}

// suspect takes the steps again that a worker is at. It is nil if they all
// come back, or if the worker goes on meanwhile.
func (d *watchdog) suspect(p *post, turn uint64, done <-chan struct{}) (h *hang, cleared bool) {
	pr := newProbe(d.m)
	p.mu.Lock()
	if p.turn != turn {
		p.mu.Unlock()
		return nil, false
	}
	ask, tell := d.again(pr, p.at)
	p.mu.Unlock()
	pr.run(ask)
	tick := time.NewTicker(max(d.timeout/16, time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-done:
			return nil, false
		case <-tick.C:
		}
		if now, _ := p.look(); now != turn {
			return nil, false
		}
		c, stuck, ended := pr.stuck(d.timeout)
		if ended {
			return nil, true
		}
		if stuck {
			h := &hang{call: c}
			tell(h)
			return h, true
		}
	}
}

// guarded runs a search on a goroutine of its own and returns its report, or
// nil and what hangs. A panic belongs to the caller, as a Crash.
func guarded(d *watchdog, search func() *Report) (*Report, *hang) {
	done := make(chan struct{})
	var report *Report
	var broken any
	go func() {
		defer close(done)
		defer func() {
			if r := recover(); r != nil {
				broken = Caught(r)
			}
		}()
		report = search()
	}()
	h := d.watch(done)
	if h != nil {
		return nil, h
	}
	<-done
	if broken != nil {
		panic(broken)
	}
	return report, nil
}

// watched is run and report, while a watchdog looks on.
func (s *search) watched(run func() *Report) *Report {
	for _, w := range s.crew {
		w.post = &post{}
		w.post.rest()
	}
	d := &watchdog{timeout: s.o.StepTimeout, m: s.m, again: s.again, busy: s.grows}
	for _, w := range s.crew {
		d.posts = append(d.posts, w.post)
	}
	var telling sync.Mutex
	left := false
	if show := s.o.Progress; show != nil {
		s.o.Progress = func(p Progress) {
			telling.Lock()
			defer telling.Unlock()
			if !left {
				show(p)
			}
		}
	}
	r, h := guarded(d, run)
	if h == nil {
		return r
	}
	telling.Lock()
	left = true
	telling.Unlock()
	s.giveUp(StepDoesNotEnd) // the other workers end
	return s.hungReport(h)
}

// grows says that the table of states is growing, which takes seconds when it is
// large.
func (s *search) grows() bool {
	if s.growing.TryLock() {
		s.growing.Unlock()
		return false
	}
	return true
}

// again asks all of the states of a stretch, and of their successors.
func (s *search) again(p *probe, at [2]stretch) (ask func(), tell func(*hang)) {
	var states [][]byte
	initial := false
	for _, a := range at {
		initial = initial || a.level < 0
		for seq := a.from; seq < a.to; seq++ {
			state := s.stateOf(s.known[a.owner].Ref(seq), a.owner, a.level, seq-s.levels[a.level][a.owner])
			states = append(states, copied(state))
		}
	}
	properties, symmetry := s.o.Properties, s.o.Symmetry
	return func() {
		if initial {
			for _, state := range s.m.Init {
				p.ask(state, properties)
				if symmetry {
					_ = p.Canonize(copied(state))
				}
			}
		}
		batch := s.m.NewBatch(16)
		for _, state := range states {
			p.visit(state, properties, symmetry, batch)
		}
	}, func(*hang) {}
}

// retraceStates bounds the searches that are made again to show how a state is
// reached in which a step hangs.
const retraceStates = 1 << 20

// hungReport is the report of a search that hangs. Everything up to the level of
// the state in question is searched again, which says how it is reached and
// what was found on the way. Where that would take too long, the report has the
// counts alone.
func (s *search) hungReport(h *hang) *Report {
	fault := h.fault(s.m)
	if r := s.retraced(h, fault); r != nil {
		return r
	}
	r := &Report{
		Machine: s.m, Incomplete: StepDoesNotEnd, Distinct: uint64(s.set.Known()), Generated: s.generated(),
		Depth: int(s.nextDepth.Load()), Steps: make([]uint64, len(s.m.Actions)), StateBytes: s.m.StateBytes,
		Memory: s.bytes(), Elapsed: time.Since(s.started),
		Fault: &model.Behaviour{States: s.m.Init[:1], Loop: -1, Fault: fault},
	}
	for _, p := range s.o.Properties {
		r.Results = append(r.Results, Result{Property: p, Verdict: model.Incomplete})
	}
	return r
}

// aimed is the property of the goal that is one state.
const aimed = -2

func (s *search) retraced(h *hang, fault *model.Fault) *Report {
	if s.set.Known() > retraceStates || h.state == nil {
		return nil
	}
	again := make(chan *Report, 1)
	go func() {
		// The search is new: none of what the one that hangs may still touch.
		defer func() { _ = recover() }()
		again <- s.retrace(h, fault)
	}()
	select {
	case r := <-again:
		return r
	case <-time.After(2*time.Since(s.started) + time.Second):
		return nil
	}
}

func (s *search) retrace(h *hang, fault *model.Fault) *Report {
	o := s.o
	o.Fingerprints, o.Progress, o.MaxDepth, o.StepTimeout = false, nil, 0, 0
	left := []int{} // all but the one that hangs, and those that need the whole graph
	for _, p := range s.o.Properties {
		if info := &s.m.Properties[p]; !info.Kind.Temporal() && h.where != "property "+info.Name {
			left = append(left, p)
		}
	}
	o.Properties = left
	if o.MaxMemory > 0 {
		o.MaxMemory = max(1, o.MaxMemory-s.bytes())
	}
	t := newSearch(s.m, o)
	defer t.close()
	t.started, t.aimFault = s.started, fault
	if !t.runTo(h.state) {
		return nil
	}
	r := t.report()
	r.Incomplete, r.Exhausted, r.Coverage = StepDoesNotEnd, false, nil
	found := r.Results
	r.Results = nil
	for _, p := range s.o.Properties {
		res := Result{Property: p, Verdict: model.Incomplete}
		for _, f := range found {
			if f.Property == p && (f.Verdict == model.Violated || f.Verdict == model.Reached) {
				res = f
			}
		}
		r.Results = append(r.Results, res)
	}
	return r
}

// runTo searches level by level until a state is known, and no further: from
// there the step might be taken that does not end.
func (s *search) runTo(state []byte) bool {
	s.levels = []level{s.mark()}
	s.crew[0].insertInit()
	for s.levelEnds(); s.why.Load() == nil && !s.faultsFound && s.size(s.last()) > 0; s.levelEnds() {
		if s.aim = s.crew[0].refOf(state); s.aim != seen.Missing {
			s.goals = append(s.goals, goal{s.last(), aimed})
			return true
		}
		s.expandLevel()
	}
	return false
}

// watched is the walks' twin.
func (s *walks) watched(ctx context.Context) *Report {
	d := &watchdog{timeout: s.o.StepTimeout, m: s.m, again: s.again}
	for _, w := range s.crew {
		w.post = &post{}
		w.post.rest()
		d.posts = append(d.posts, w.post)
	}
	r, h := guarded(d, func() *Report { s.run(ctx); return s.report() })
	if h == nil {
		return r
	}
	s.stop.Store(true)
	return s.hungReport(h)
}

// again takes the same walk again.
func (s *walks) again(p *probe, at [2]stretch) (ask func(), tell func(*hang)) {
	w := newWalker(s)
	w.eval = p
	return func() { w.take(at[1].walk) },
		func(h *hang) { h.initial, h.labels = w.initial, slices.Clone(w.labels) }
}

// hungReport has the findings of the rounds of walks that came to their end, and
// counts what the workers saw that are at rest.
func (s *walks) hungReport(h *hang) *Report {
	o := s.o
	o.Progress, o.StepTimeout = nil, 0
	t := newWalks(s.m, o)
	t.finds, t.done, t.started = s.finds, s.done, s.started
	r := t.report()
	rested := &walks{m: s.m, incomplete: StepDoesNotEnd}
	for deadline := time.Now().Add(time.Second); len(rested.crew) < len(s.crew)-1 && time.Now().Before(deadline); {
		rested.crew = rested.crew[:0]
		for _, w := range s.crew {
			if _, busy := w.post.look(); !busy {
				rested.crew = append(rested.crew, w)
			}
		}
		time.Sleep(time.Millisecond)
	}
	c := rested.counts()
	c.Results, c.Elapsed = r.Results, r.Elapsed
	c.Walks = max(c.Walks, uint64(s.done)) + 1 // the one that hangs
	c.Fault = &model.Behaviour{States: [][]byte{s.m.Init[h.initial]}, Loop: -1, Fault: h.fault(s.m)}
	w := s.m.NewWorker()
	for _, l := range h.labels {
		next, _, _ := w.Step(c.Fault.States[c.Fault.Steps()], l)
		c.Fault.Labels = append(c.Fault.Labels, l)
		c.Fault.States = append(c.Fault.States, slices.Clone(next))
	}
	return c
}
