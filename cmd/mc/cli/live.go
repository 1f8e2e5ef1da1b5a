package cli

import (
	"bufio"
	"errors"
	"time"

	"mc/checker"
	"mc/traces"
)

// follow lets the events go out as they happen where somebody may be reading.
func (o *out) follow(a *app) {
	if o.format.Name != "ndjson" || len(a.mistakes) > 0 {
		return
	}
	switch {
	case o.file == nil:
		o.live = traces.NewStream(flushed{o.stdout})
	case o.file.direct != nil:
		o.live = traces.NewStream(o.file.direct)
	default:
		return
	}
	a.live = append(a.live, o.live)
}

// flushed writes through.
type flushed struct{ *bufio.Writer }

func (w flushed) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	return n, errors.Join(err, w.Flush())
}

// began, ended and goesOn tell the events of a run to those who follow.
func (a *app) began(head *traces.Run) {
	for _, s := range a.live {
		s.RunStarted(head)
	}
}

func (a *app) ended(run *traces.Run) {
	for _, s := range a.live {
		s.RunEnded(run)
	}
}

const liveEvery = time.Second // by the clock of the search

// goesOn adds to the options of a search what tells how far it is. A search
// reports from one goroutine, and no more once it has come back.
func (a *app) goesOn(o *checker.Options) {
	if len(a.live) == 0 {
		return
	}
	var last time.Duration
	o.ProgressEvery = liveEvery
	o.Progress = func(now checker.Progress) {
		if now.Elapsed-last < liveEvery {
			return
		}
		last = now.Elapsed
		for _, s := range a.live {
			s.RunGoesOn(traces.Progress{
				Distinct: now.Distinct, Generated: now.Generated, Level: now.Depth, Frontier: now.Frontier,
				Walks: now.Walks, MemoryBytes: now.Memory, Seconds: now.Elapsed.Seconds(),
			})
		}
	}
}
