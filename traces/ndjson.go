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
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	var err error
	put := func(event any) {
		if err == nil {
			err = e.Encode(event)
		}
	}
	put(struct {
		Event
		Version int `json:"version"`
	}{Event{Event: Started}, Version})
	d = d.filled()
	for i := range d.Runs {
		runEvents(i, &d.Runs[i], put)
	}
	for i := range d.Claims {
		put(struct {
			Event
			*Claim
		}{Event{Event: ClaimIs}, &d.Claims[i]})
	}
	put(struct {
		Event
		Exit        int      `json:"exit"`
		Differences []string `json:"differences,omitempty"`
	}{Event{Event: Ended}, d.Exit, d.Differences})
	if err == nil {
		_, err = w.Write(escaped(b.Bytes()))
	}
	return err
}

func runEvents(i int, r *Run, put func(any)) {
	put(struct {
		Event
		Spec     string              `json:"spec"`
		Bug      string              `json:"bug,omitempty"`
		Config   model.Configuration `json:"config"`
		Location model.Location      `json:"location,omitzero"`
		Command  string              `json:"command,omitempty"`
	}{Event{RunStarted, &i}, r.Spec, r.Bug, r.Config, r.Location, r.Command})
	for j := range r.Results {
		put(struct {
			Event
			*Result
		}{Event{ResultIs, &i}, &r.Results[j]})
	}
	if r.Fault != nil {
		put(struct {
			Event
			*model.Trace
		}{Event{FaultIs, &i}, r.Fault})
	}
	// Fields of this struct hide those of the run that other events have.
	put(struct {
		Event
		*Run
		Spec     *struct{} `json:"spec,omitempty"`
		Bug      *struct{} `json:"bug,omitempty"`
		Config   *struct{} `json:"config,omitempty"`
		Location *struct{} `json:"location,omitempty"`
		Command  *struct{} `json:"command,omitempty"`
		Results  *struct{} `json:"results,omitempty"`
		Fault    *struct{} `json:"fault,omitempty"`
	}{Event: Event{RunEnded, &i}, Run: r})
}
