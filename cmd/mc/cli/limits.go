package cli

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/spf13/pflag"

	"mc/checker"
)

// limits are the flags about how to search, and when to give up.
type limits struct {
	workers, states, depth, memory, timeout, step word

	quiet, verbose bool
	log            word
	app            *app // that ends the search when a step hangs
}

func (l *limits) flags(f *pflag.FlagSet) {
	f.Var(&l.workers, "workers", "`N` goroutines that search (default one on each core)")
	f.Var(&l.states, "max-states", "give up after `N` distinct states")
	f.Var(&l.depth, "max-depth", "give up after `N` levels")
	f.Var(&l.memory, "max-memory", "give up when states take `SIZE`, as 2GiB (default 80 % of what there is)")
	f.Var(&l.timeout, "timeout", "give up after `TIME` for all searches: 90s, 5m, 1h30m")
	f.Var(&l.step, "step-timeout", "give up on a step that takes `TIME` (default 10s); 0 never")
	f.BoolVarP(&l.quiet, "quiet", "q", false, "no progress on standard error")
	f.BoolVarP(&l.verbose, "verbose", "v", false, "tell each level, and how memory grows")
	f.Var(&l.log, "log-format", "tell events in this `FORMAT`, text or json; see mc help progress")
}

// options reads the limits, and notes what is wrong with them.
func (a *app) options(l *limits) checker.Options {
	o := checker.Options{
		Workers:   int(a.number("--workers", l.workers, 1024)),
		MaxStates: a.number("--max-states", l.states, math.MaxUint64),
		MaxDepth:  int(a.number("--max-depth", l.depth, math.MaxInt32)),
	}
	if l.memory.given {
		n, err := humanize.ParseBytes(l.memory.text)
		if err != nil || n == 0 || n > math.MaxInt64 {
			a.mistakef("--max-memory %s: want a size below 8EiB, such as 2GiB, 512MiB or 1000000", l.memory.typed())
		}
		o.MaxMemory = int64(n)
	} else {
		o.MaxMemory = memoryOfHost().share()
	}
	a.tell(l)
	l.app, o.StepTimeout = a, a.stepTimeout(l.step)
	if d, err := time.ParseDuration(l.timeout.text); l.timeout.given && (err != nil || d <= 0) {
		a.mistakef("--timeout %s: want a time above 0, up to 2562047h, such as 90s, 5m or 1h30m", l.timeout.typed())
	}
	return o
}

// stepTimeout is how long a guard, an effect or a property of a spec may take.
func (a *app) stepTimeout(w word) time.Duration {
	return a.timeOr("--step-timeout", w, 10*time.Second)
}

// timeOr is the time that a flag gives, 0 for no limit.
func (a *app) timeOr(flag string, w word, otherwise time.Duration) time.Duration {
	if !w.given {
		return otherwise
	}
	d, err := time.ParseDuration(w.text)
	if err != nil || d < 0 {
		a.mistakef("%s %s: want a time such as 30s or 5m, or 0", flag, w.typed())
	}
	return d
}

// store says whether fingerprints are to be kept, and not states.
func (a *app) store(w word) bool {
	if w.given && w.text != "exact" && w.text != "fingerprint" {
		a.mistakef("--store %s: want exact or fingerprint", w.typed())
	}
	return w.text == "fingerprint"
}

func (a *app) number(flag string, w word, most uint64) uint64 {
	n, err := strconv.ParseUint(w.text, 10, 64)
	if !w.given || err == nil && 1 <= n && n <= most {
		return n
	}
	a.mistakef("%s %s: want 1 to %d", flag, w.typed(), most)
	return 0
}

// interrupted is why a search ended when a signal came.
type interrupted struct{ signal syscall.Signal }

func (i *interrupted) Error() string {
	name := map[syscall.Signal]string{syscall.SIGINT: "SIGINT", syscall.SIGTERM: "SIGTERM", syscall.SIGHUP: "SIGHUP"}[i.signal]
	return "interrupted by " + name
}

// context ends with the time limit or the first SIGINT, SIGTERM or SIGHUP. A second
// signal ends the process at once; whatever file it writes then keeps what it had.
func (l *limits) context() (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.Background())
	if l.app != nil {
		l.app.cancel = cancel
	}
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		cancel(&interrupted{(<-signals).(syscall.Signal)})
		// Timeout(1) and others that pass a signal on send it twice, to the process
		// and to its group: that is one.
		time.Sleep(100 * time.Millisecond)
		for len(signals) > 0 {
			<-signals
		}
		os.Exit(exitSignal + int((<-signals).(syscall.Signal)))
	}()
	if !l.timeout.given {
		return ctx, func() { cancel(nil) }
	}
	d, _ := time.ParseDuration(l.timeout.text) // options has looked at it
	return context.WithTimeoutCause(ctx, d, fmt.Errorf("time limit of %s", l.timeout.text))
}
