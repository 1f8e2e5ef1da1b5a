package traces

import (
	"bytes"
	"encoding/json"
	"io"

	"mc/model"
)

// Event is what a line of NDJSON has besides what it tells of: the fields of a
// Run, of a Result or of a Claim, as the JSON form of a Document has them.
type Event struct {
	Event string `json:"event"`
	Run   *int   `json:"run,omitempty"` // the search it belongs to, counted from 0
}

// The events, in the order in which they come. Those of searches come again for
// each of them, those of results and claims for each of these.
const (
	Started    = "started"
	RunStarted = "run started"
	RunGoesOn  = "run goes on" // only while it is watched
	ResultIs   = "result"
	FaultIs    = "fault"
	RunEnded   = "run ended"
	ClaimIs    = "claim"
	Ended      = "ended"
)

// NDJSON writes a document as a JSON object in each line: what happened, in the
// order in which it did.
func NDJSON(w io.Writer, d *Document, _ *Choice) error {
	var b bytes.Buffer
	s := Stream{w: &b}
	for i := range d.Runs {
		s.RunStarted(&d.Runs[i])
		s.RunEnded(&d.Runs[i])
	}
	err := s.End(d)
	if err == nil {
		_, err = w.Write(b.Bytes())
	}
	return err
}

// Stream writes the events of a document while it comes into being, each in one
// Write. It keeps the first error for the end. One goroutine at a time may use it.
type Stream struct {
	w     io.Writer
	begun bool
	runs  int // ended
	err   error
}

func NewStream(w io.Writer) *Stream { return &Stream{w: w} }

func (s *Stream) put(event any) {
	if !s.begun {
		s.begun = true
		s.put(struct {
			Event
			Version int `json:"version"`
		}{Event{Event: Started}, Version})
	}
	if s.err != nil {
		return
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if s.err = e.Encode(event); s.err == nil {
		_, s.err = s.w.Write(escaped(b.Bytes()))
	}
}

// RunStarted tells what a run searches. It reads what RunEnded does not tell.
func (s *Stream) RunStarted(r *Run) {
	config := r.Config
	fill(&config.Settings)
	s.put(struct {
		Event
		Spec     string              `json:"spec"`
		Bug      string              `json:"bug,omitempty"`
		Config   model.Configuration `json:"config"`
		Location model.Location      `json:"location,omitzero"`
		Command  string              `json:"command,omitempty"`
	}{Event{RunStarted, &s.runs}, r.Spec, r.Bug, config, r.Location, r.Command})
}

// Progress is how far a search is: states, each counted once and each time it is
// made, levels begun, states of the last level, bytes, and walks of random ones.
type Progress struct {
	Distinct    uint64  `json:"distinct"`
	Generated   uint64  `json:"generated"`
	Level       int     `json:"level,omitempty"`
	Frontier    uint64  `json:"frontier,omitempty"`
	Walks       uint64  `json:"walks,omitempty"`
	MemoryBytes int64   `json:"memoryBytes"`
	Seconds     float64 `json:"seconds"`
}

// RunGoesOn tells how far the run is that was started last.
func (s *Stream) RunGoesOn(p Progress) {
	s.put(struct {
		Event
		Progress
	}{Event{RunGoesOn, &s.runs}, p})
}

// RunEnded tells what the run that was started last has found.
func (s *Stream) RunEnded(r *Run) {
	i := s.runs
	for j := range r.Results {
		s.put(struct {
			Event
			*Result
		}{Event{ResultIs, &i}, &r.Results[j]})
	}
	if r.Fault != nil {
		s.put(struct {
			Event
			*model.Trace
		}{Event{FaultIs, &i}, r.Fault})
	}
	run := *r
	fill(&run.Actions)
	fill(&run.Levels)
	fill(&run.Fields)
	// Fields of this struct hide those of the run that other events have.
	s.put(struct {
		Event
		*Run
		Spec     *struct{} `json:"spec,omitempty"`
		Bug      *struct{} `json:"bug,omitempty"`
		Config   *struct{} `json:"config,omitempty"`
		Location *struct{} `json:"location,omitempty"`
		Command  *struct{} `json:"command,omitempty"`
		Results  *struct{} `json:"results,omitempty"`
		Fault    *struct{} `json:"fault,omitempty"`
	}{Event: Event{RunEnded, &i}, Run: &run})
	s.runs++
}

// End tells what is left of a document whose runs were told, and returns the
// first error of all.
func (s *Stream) End(d *Document) error {
	for i := range d.Claims {
		s.put(struct {
			Event
			*Claim
		}{Event{Event: ClaimIs}, &d.Claims[i]})
	}
	s.put(struct {
		Event
		Exit        int      `json:"exit"`
		Differences []string `json:"differences,omitempty"`
	}{Event{Event: Ended}, d.Exit, d.Differences})
	return s.err
}
