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
// rewritten, elsewhere in a line from time to time.
type progress struct {
	w    io.Writer
	what string
	// width is that of the terminal; 0 for no terminal.
	width int
	last  checker.Progress
}

// progressOn adds the progress of a search to its options. The function
// returned wipes the line from a terminal.
func (a *app) progressOn(t target, o *checker.Options) (end func()) {
	p := &progress{w: a.err, what: t.String()}
	o.ProgressEvery = 10 * time.Second
	if f, ok := a.err.(*os.File); ok && plainTerminal(f) {
		o.ProgressEvery = time.Second / 4
		if p.width, _, _ = term.GetSize(int(f.Fd())); p.width <= 0 {
			p.width = columns
		}
	}
	o.Progress = p.show
	return p.end
}

const wipe = "\r\x1b[K" // to the start of the line, and erase it

func (p *progress) show(now checker.Progress) {
	line := p.line(now)
	p.last = now
	if p.width == 0 {
		fmt.Fprintf(p.w, "mc: %s\n", line)
		return
	}
	fmt.Fprint(p.w, wipe, line[:min(len(line), p.width-1)])
}

func (p *progress) end() {
	if p.width > 0 && p.last != (checker.Progress{}) {
		fmt.Fprint(p.w, wipe)
	}
}

// line tells the rate since the last line, not since the start.
func (p *progress) line(now checker.Progress) string {
	rate := 0.0
	if d := (now.Elapsed - p.last.Elapsed).Seconds(); d > 0 {
		rate = float64(now.Distinct-p.last.Distinct) / d
	}
	if now.Walks > 0 {
		return fmt.Sprintf("%s: %s walks, about %s states", p.what, number(now.Walks), number(now.Distinct))
	}
	return fmt.Sprintf("%s: %s states, depth %d, %s/s, frontier %s, %s", p.what,
		number(now.Distinct), now.Depth, number(uint64(rate)), number(now.Frontier), humanize.IBytes(uint64(now.Memory)))
}

// number writes thousands apart.
func number(n uint64) string { return humanize.Comma(int64(n)) }
