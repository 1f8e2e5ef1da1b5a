package cli

import (
	"fmt"
	"log/slog"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"mc/checker"
)

// telling is how much a search tells of itself on standard error.
type telling struct {
	verbose bool
	log     *slog.Logger // nil for lines that people read
}

// tell reads the flags about it. Of two that exclude each other, the one on the
// command line counts.
func (a *app) tell(l *limits) {
	if l.quiet && l.verbose {
		switch {
		case a.origins["quiet"] != "":
			l.quiet = false
		case a.origins["verbose"] != "":
			l.verbose = false
		default:
			a.mistakef("--quiet: not with --verbose")
		}
	}
	a.telling = telling{verbose: l.verbose}
	o := &slog.HandlerOptions{}
	if l.verbose {
		o.Level = slog.LevelDebug
	}
	switch {
	case l.log.text == "text" && l.log.given:
		a.telling.log = slog.New(slog.NewTextHandler(a.err, o))
	case l.log.text == "json" && l.log.given:
		a.telling.log = slog.New(slog.NewJSONHandler(a.err, o))
	case l.log.given:
		a.mistakef("--log-format %s: want text or json", l.log.typed())
	}
}

// told is a line of its own, above that of a terminal.
func (p *progress) told(format string, args ...any) {
	if p.width > 0 && p.last != (checker.Progress{}) {
		fmt.Fprint(p.w, wipe)
	}
	fmt.Fprintf(p.w, "mc: %s: %s\n", p.what, fmt.Sprintf(format, args...))
}

func (p *progress) begun() {
	switch {
	case p.log != nil:
		p.log.Info("search started", "search", p.what)
	case p.verbose:
		p.told("search started")
	}
}

// level is told when a level is seen to be complete. Of several that went by
// between two looks, only the last is.
func (p *progress) level(now checker.Progress) {
	var before seenLevel
	if n := len(p.seen); n > 1 {
		before = p.seen[n-2]
	}
	switch {
	case p.log != nil:
		p.log.Debug("level ended", "search", p.what, "level", now.Depth, "levelsSinceLast", now.Depth-before.depth, "states", now.Frontier,
			"distinct", now.Distinct, "generated", now.Generated, "memoryBytes", now.Memory, "seconds", now.Elapsed.Seconds())
	case p.verbose:
		which := fmt.Sprintf("level %d complete", now.Depth)
		if now.Depth > before.depth+1 {
			which = fmt.Sprintf("levels %d to %d complete, the last", before.depth+1, now.Depth)
		}
		grown := ""
		if d := now.Memory - before.memory; d > 0 {
			grown = " (+" + humanize.IBytes(uint64(d)) + ")"
		}
		p.told("%s with %s states; %s%s, %.1fs", which, number(now.Frontier), humanize.IBytes(uint64(now.Memory)), grown, now.Elapsed.Seconds())
	}
}

// event is progress in a log.
func (p *progress) event(now checker.Progress) {
	attrs := []any{"search", p.what, "distinct", now.Distinct}
	if now.Walks > 0 {
		attrs = append(attrs, "walks", now.Walks)
	} else {
		attrs = append(attrs, "generated", now.Generated, "level", now.Depth, "perSecond", p.rate(now), "frontier", now.Frontier, "memoryBytes", now.Memory)
		if least, most, ok := forecast(p.seen, now.Elapsed); ok {
			attrs = append(attrs, "leastSecondsLeft", least.Seconds(), "mostSecondsLeft", most.Seconds())
		}
	}
	p.log.Info("search goes on", append(attrs, "seconds", now.Elapsed.Seconds())...)
}

func (p *progress) ended(r *checker.Report) {
	switch {
	case p.log != nil:
		attrs := []any{"search", p.what, "distinct", r.Distinct, "generated", r.Generated, "depth", r.Depth,
			"exhausted", r.Exhausted, "memoryBytes", r.Memory, "seconds", r.Elapsed.Seconds()}
		if p.verbose {
			attrs = append(attrs, "levels", r.Levels)
		}
		p.log.Info("search ended", attrs...)
	case p.verbose:
		p.told("search ended: %s states in %d levels, %s, %.1fs", number(r.Distinct), r.Depth, humanize.IBytes(uint64(r.Memory)), r.Elapsed.Seconds())
	}
}

// incomplete warns in a log, be it quiet. Elsewhere the results say so.
func (p *progress) incomplete(r *checker.Report) {
	if p.log != nil && r.Incomplete != "" {
		p.log.Warn("search incomplete", "search", p.what, "reason", r.Incomplete, "distinct", r.Distinct, "depth", r.Depth)
	}
}

func progressHelp() *cobra.Command {
	return &cobra.Command{Use: "progress", Short: "what is told while a search runs", Long: `While a search runs, standard error says how far it is: on a terminal in one
line, elsewhere in a line every ten seconds. --quiet leaves that out; --verbose
adds a line for each level that is complete, with the memory it took.

How long a search takes cannot be known from its beginning. A forecast is made
when four levels in a row have shrunk, each to nine tenths or less of the one
before and over two seconds or more: if the rest shrinks by ratios between the
least and the greatest of these four, at the time for each state that these
took, the search ends between the two times. Where these are more than three
times apart, there is no forecast. Judging temporal properties, which follows,
is not in it.

--log-format text and json make events of it, one a line:

  search started     search
  level ended        level, states, distinct, memoryBytes; with --verbose
  search goes on     distinct, frontier, perSecond; every ten seconds
  search ended       distinct, generated, depth, exhausted, memoryBytes
  search incomplete  reason; a warning, with --quiet as well

Other messages are events as well, but for mistakes on the command line.`}
}
