package cli

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/pflag"

	"mc/checker"
	"mc/traces"
)

// walking are the flags of random walks, which mode chooses.
type walking struct{ mode, seed, walks, depth word }

func (w *walking) flags(f *pflag.FlagSet) {
	f.Var(&w.mode, "mode", "`HOW`: search all states (default), or walk at random")
	f.Var(&w.seed, "seed", "`N` that the random walks come from (default 0)")
	f.Var(&w.walks, "walks", "take `N` random walks (default "+number(checker.DefaultWalks)+")")
	f.Var(&w.depth, "depth", "of up to `N` steps each (default "+number(checker.DefaultDepth)+")")
}

// walkOptions say how to walk; nil if all states are to be searched. Flags of the
// one mode are mistakes in the other.
func (a *app) walkOptions(w *walking, l *limits, store word, s checker.Options) *checker.WalkOptions {
	o := &checker.WalkOptions{
		Workers: s.Workers, StopAtFirst: s.StopAtFirst, StepTimeout: s.StepTimeout,
		Walks: int(a.number("--walks", w.walks, math.MaxInt32)),
		Depth: int(a.number("--depth", w.depth, math.MaxInt32)),
	}
	var err error
	if o.Seed, err = strconv.ParseUint(w.seed.text, 10, 64); err != nil && w.seed.given {
		a.mistakef("--seed %s: want 0 to %d", w.seed.typed(), uint64(math.MaxUint64))
	}
	walk := w.mode.text == "walk"
	if w.mode.given && !walk && w.mode.text != "search" {
		a.mistakef("--mode %s: want search or walk", w.mode.typed())
		return nil
	}
	for _, f := range []struct {
		name        string
		given, walk bool
	}{
		{"--seed", w.seed.given, true}, {"--walks", w.walks.given, true}, {"--depth", w.depth.given, true},
		{"--symmetry", s.Symmetry, false}, {"--store", store.given, false}, {"--coverage", s.Coverage, false}, {"--max-states", l.states.given, false},
		{"--max-depth", l.depth.given, false}, {"--max-memory", l.memory.given, false},
	} {
		if a.origins[f.name[2:]] != "" {
			continue // mc.yaml is for both modes
		}
		if f.given && f.walk && !walk {
			a.mistakef("%s: want --mode walk with it", f.name)
		} else if f.given && !f.walk && walk {
			a.mistakef("%s: not with --mode walk", f.name)
		}
	}
	if !walk {
		return nil
	}
	return o
}

// walk takes random walks instead of a search.
func (a *app) walk(ctx context.Context, t target, o checker.WalkOptions, quiet bool) *traces.Run {
	o.Properties = t.properties
	flags := walkFlags(o)
	a.began(headOf(t, flags))
	var p checker.Options
	end := a.progressOn(t, &p, quiet)
	o.Progress, o.ProgressEvery = p.Progress, p.ProgressEvery
	r := checker.Walk(ctx, t.machine, o)
	end(r)
	a.watched(r)
	if !o.Raw {
		inOrder(r)
	}
	run := runOf(t, r, p)
	run.Walk = &traces.Walk{Seed: o.Seed, Walks: r.Walks}
	run.Command += flags
	return run
}

// walkFlags are those of walks in the command that takes them again.
func walkFlags(o checker.WalkOptions) string {
	flags := fmt.Sprintf(" --mode walk --seed %d", o.Seed)
	if o.Walks > 0 {
		flags += fmt.Sprintf(" --walks %d", o.Walks)
	}
	if o.Depth > 0 {
		flags += fmt.Sprintf(" --depth %d", o.Depth)
	}
	if o.Raw {
		flags += " --minimize=false"
	}
	return flags
}
