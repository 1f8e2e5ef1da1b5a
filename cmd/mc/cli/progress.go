package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/dustin/go-humanize"
	"golang.org/x/term"

	"mc/checker"
)

// progress tells how far a search is: on a terminal in one line that is
// rewritten, elsewhere in a line from time to time, or as events of a log.
type progress struct {
	telling
	w    io.Writer
	what string
	// width is that of the terminal; 0 for no terminal.
	width int
	every time.Duration    // between lines, by the clock of the search
	last  checker.Progress // that was told
	seen  []seenLevel
}

// seenLevel is a complete level whose states are being expanded.
type seenLevel struct {
	depth  int
	states uint64
	begun  time.Duration // when it was seen first
	memory int64
}

// progressOn adds the progress of a search to its options. The function
// returned wipes the line from a terminal, and tells what came out.
func (a *app) progressOn(t target, o *checker.Options, quiet bool) (end func(*checker.Report)) {
	p := &progress{telling: a.telling, w: a.err, what: t.String(), every: 10 * time.Second}
	a.goesOn(o)
	if quiet {
		return p.incomplete
	}
	o.ProgressEvery = time.Second / 20 // to see levels begin
	if f, ok := a.err.(*os.File); ok && p.log == nil && plainTerminal(f) {
		p.every = time.Second / 4
		if p.width, _, _ = term.GetSize(int(f.Fd())); p.width <= 0 {
			p.width = columns
		}
	}
	if live := o.Progress; live != nil {
		o.Progress = func(now checker.Progress) { live(now); p.show(now) }
	} else {
		o.Progress = p.show
	}
	p.begun()
	return p.end
}

const wipe = "\r\x1b[K" // to the start of the line, and erase it

func (p *progress) show(now checker.Progress) {
	if now.Walks == 0 && (len(p.seen) == 0 || p.seen[len(p.seen)-1].depth != now.Depth) {
		p.seen = append(p.seen, seenLevel{now.Depth, now.Frontier, now.Elapsed, now.Memory})
		p.level(now)
	}
	if now.Elapsed-p.last.Elapsed < p.every {
		return
	}
	switch line := p.line(now); {
	case p.log != nil:
		p.event(now)
	case p.width == 0:
		fmt.Fprintf(p.w, "mc: %s\n", line)
	default:
		fmt.Fprint(p.w, wipe, line[:min(len(line), p.width-1)])
	}
	p.last = now
}

func (p *progress) end(r *checker.Report) {
	if p.width > 0 && p.last != (checker.Progress{}) {
		fmt.Fprint(p.w, wipe)
	}
	p.ended(r)
	p.incomplete(r)
}

// line tells the rate since the last line, not since the start.
func (p *progress) line(now checker.Progress) string {
	if now.Walks > 0 {
		return fmt.Sprintf("%s: %s walks, about %s states", p.what, number(now.Walks), number(now.Distinct))
	}
	left := ""
	if least, most, ok := forecast(p.seen, now.Elapsed); ok {
		left = fmt.Sprintf(", %s to %s left if levels shrink on", rough(least), rough(most))
	}
	return fmt.Sprintf("%s: %s states, depth %d%s, %s/s, frontier %s, %s", p.what, number(now.Distinct), now.Depth,
		left, number(p.rate(now)), number(now.Frontier), humanize.IBytes(uint64(now.Memory)))
}

// rate is of new states in a second.
func (p *progress) rate(now checker.Progress) uint64 {
	if d := (now.Elapsed - p.last.Elapsed).Seconds(); d > 0 {
		return uint64(float64(now.Distinct-p.last.Distinct) / d)
	}
	return 0
}

const (
	shrinking   = 4   // levels in a row, each smaller than the one before
	shrinkBelow = 0.9 // of the one before: a sum of levels that hardly shrink says nothing
	forecastGap = 3   // times the shortest, at most, that the longest forecast is
)

// forecast is the time that a search still takes if its levels go on to shrink
// as the last of them did. The levels to come are then a geometric series with a
// ratio between the least and the greatest of those seen, and take as long for
// each state as those did. There is none unless four levels shrank in a row,
// each seen as it began, over two seconds, and by ratios that tell about the
// same.
func forecast(seen []seenLevel, now time.Duration) (least, most time.Duration, ok bool) {
	if len(seen) <= shrinking {
		return 0, 0, false
	}
	seen = seen[len(seen)-shrinking-1:]
	low, high, expanded := 1.0, 0.0, 0.0
	for i, l := range seen[1:] {
		if l.depth != seen[i].depth+1 {
			return 0, 0, false
		}
		ratio := float64(l.states) / float64(max(1, seen[i].states))
		low, high = min(low, ratio), max(high, ratio)
		expanded += float64(seen[i].states)
	}
	last := seen[shrinking]
	took := last.begun - seen[0].begun
	if high > shrinkBelow || took < 2*time.Second || (1-low) > forecastGap*(1-high) {
		return 0, 0, false
	}
	left := func(ratio float64) time.Duration {
		states := float64(last.states) / (1 - ratio)
		return max(0, time.Duration(states/expanded*float64(took))-(now-last.begun))
	}
	least, most = left(low), left(high)
	return least, most, most >= time.Second
}

// rough is a time to a second, or to a minute if it is long.
func rough(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < 2*time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	}
	return fmt.Sprintf("%dh", d/time.Hour)
}

// number writes thousands apart.
func number(n uint64) string { return humanize.Comma(int64(n)) }
