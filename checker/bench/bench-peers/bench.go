package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// bench measures pairs of mc and a peer.
type bench struct {
	*workshop
	rounds int
	log    io.Writer // progress, and what went wrong
	failed bool
}

// sample is one run of one checker.
type sample struct {
	counts
	cpu, wall time.Duration
	peak      int64 // bytes resident at most; 0 if unknown
}

// cpuPerState is nanoseconds for each generated state.
func (s sample) cpuPerState() float64 { return float64(s.cpu) / float64(max(1, s.generated)) }

// row is a checker's part of the table.
type row struct {
	model, checker      string
	sample              // medians
	cpuRatio, wallRatio float64
}

// measure returns the table, and notes on what is not in it.
func (b *bench) measure(list []benchModel, chosen []peer) string {
	var present []peer
	for _, p := range chosen {
		if err := p.absent(b.workshop); err != nil {
			b.note("%s: skipped: %v", p.name, err)
		} else {
			present = append(present, p)
		}
	}
	var rows []row
	for _, m := range list {
		rows = append(rows, b.model(m, present)...)
	}
	if len(rows) == 0 {
		return ""
	}
	return table(rows) + "\n" + b.conditions(present) + "\n"
}

// conditions are what the figures depend on besides the programs.
func (b *bench) conditions(present []peer) string {
	parts := []string{fmt.Sprintf("Medians of %s", count(b.rounds, "round"))}
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if m := cpuName.FindSubmatch(info); m != nil {
			parts = append(parts, string(m[1]))
		}
	}
	for _, p := range append([]peer{mc}, present...) {
		if len(p.version) == 0 {
			continue
		}
		if out, err := b.do(filepath.Join(b.bench, "bench-peers"), p.version[0], p.version[1:]...); err == nil {
			parts = append(parts, lastLine(out))
		}
	}
	return strings.Join(parts, "; ") + "."
}

var cpuName = regexp.MustCompile(`model name\s*: (.*)`)

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// model is the rows of one model: mc, then each peer that has it.
func (b *bench) model(m benchModel, present []peer) []row {
	command, err := mc.build(b.workshop, m)
	if err != nil {
		b.fail("%v: mc: %v", m, err)
		return nil
	}
	var own []sample
	var rows []row
	for _, p := range present {
		theirs, err := p.build(b.workshop, m)
		if errors.Is(err, errNoModel) {
			continue
		} else if err != nil {
			b.fail("%v: %s: %v", m, p.name, err)
			continue
		}
		mine, others, err := b.pairs(m, command, p, theirs)
		own = append(own, mine...)
		if errors.Is(err, errNoModel) {
			b.note("%v: %s: skipped: %v", m, p.name, err)
			continue
		} else if err != nil {
			b.fail("%v: %v", m, err)
			continue
		}
		r := row{model: m.String(), checker: p.name, sample: median(others)}
		r.cpuRatio = ratio(mine, others, sample.cpuPerState)
		r.wallRatio = ratio(mine, others, func(s sample) float64 { return float64(s.wall) })
		rows = append(rows, r)
	}
	if len(own) == 0 { // no peer has it
		if own, err = b.alone(m, command); err != nil {
			b.fail("%v: %v", m, err)
			return nil
		}
	}
	return append([]row{{model: m.String(), checker: mc.name, sample: median(own), cpuRatio: 1, wallRatio: 1}}, rows...)
}

// pairs runs mc and a peer in turn, and each first in every other round. It is
// an error if they do not search the same number of states.
func (b *bench) pairs(m benchModel, command []string, p peer, theirs []string) (mine, others []sample, err error) {
	for round := range b.rounds {
		b.note("%v: mc and %s, round %d of %d", m, p.name, round+1, b.rounds)
		var one, other sample
		runs := []func() error{
			func() (err error) { one, err = b.run(mc, command); return err },
			func() (err error) { other, err = b.run(p, theirs); return err },
		}
		if round%2 == 1 {
			slices.Reverse(runs)
		}
		for _, run := range runs {
			if err := run(); err != nil {
				return mine, nil, err
			}
		}
		mine = append(mine, one)
		if one.distinct != other.distinct {
			return mine, nil, fmt.Errorf("%s has %d distinct states, mc has %d: not the same graph, not compared",
				p.name, other.distinct, one.distinct)
		}
		if round == 0 && one.generated != other.generated {
			b.note("%v: %s counts %d generated states, mc %d", m, p.name, other.generated, one.generated)
		}
		others = append(others, other)
	}
	return mine, others, nil
}

// alone runs mc.
func (b *bench) alone(m benchModel, command []string) (own []sample, err error) {
	for round := range b.rounds {
		b.note("%v: mc, round %d of %d", m, round+1, b.rounds)
		s, err := b.run(mc, command)
		if err != nil {
			return nil, err
		}
		own = append(own, s)
	}
	return own, nil
}

// run measures one command.
func (b *bench) run(p peer, command []string) (sample, error) {
	c := exec.CommandContext(b.ctx, command[0], command[1:]...)
	c.Dir = b.folder // a checker may leave files behind
	var out, complaints bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaints
	started := time.Now()
	err := c.Run()
	s := sample{wall: time.Since(started)}
	if c.ProcessState != nil && c.ProcessState.ExitCode() == noModelStatus {
		return s, errNoModel
	}
	if err != nil {
		return s, fmt.Errorf("%s: %w: %s", p.name, err, lastLine(cmp.Or(strings.TrimSpace(complaints.String()), out.String())))
	}
	s.cpu, s.peak = c.ProcessState.UserTime()+c.ProcessState.SystemTime(), peak(c.ProcessState)
	if s.counts, err = p.read(out.String()); err != nil {
		return s, fmt.Errorf("%s: %w", p.name, err)
	}
	return s, nil
}

func (b *bench) note(format string, a ...any) { fmt.Fprintf(b.log, format+"\n", a...) }
func (b *bench) fail(format string, a ...any) { b.failed = true; b.note(format, a...) }

// middle is the median of numbers.
func middle(numbers []float64) float64 {
	s := slices.Sorted(slices.Values(numbers))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// median is the median of each figure by itself.
func median(all []sample) sample {
	of := func(figure func(sample) float64) float64 {
		var numbers []float64
		for _, s := range all {
			numbers = append(numbers, figure(s))
		}
		return middle(numbers)
	}
	return sample{
		counts: all[0].counts,
		cpu:    time.Duration(of(func(s sample) float64 { return float64(s.cpu) })),
		wall:   time.Duration(of(func(s sample) float64 { return float64(s.wall) })),
		peak:   int64(of(func(s sample) float64 { return float64(s.peak) })),
	}
}

// ratio is the median, over the pairs, of how much more the other one took.
func ratio(mine, others []sample, figure func(sample) float64) float64 {
	var ratios []float64
	for i := range others {
		ratios = append(ratios, figure(others[i])/figure(mine[i]))
	}
	return middle(ratios)
}

// table is Markdown.
func table(rows []row) string {
	var t strings.Builder
	t.WriteString("| model | checker | distinct | generated | CPU s | CPU ns/generated | wall s | peak MiB | bytes/distinct | CPU/generated vs mc | wall vs mc |\n")
	t.WriteString("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, r := range rows {
		memory, perState := "?", "?"
		if r.peak > 0 {
			memory = fmt.Sprint(r.peak >> 20)
			perState = fmt.Sprint(uint64(r.peak) / max(1, r.distinct))
		}
		fmt.Fprintf(&t, "| %s | %s | %d | %d | %.2f | %.0f | %.2f | %s | %s | %.1f | %.1f |\n", r.model, r.checker,
			r.distinct, r.generated, r.cpu.Seconds(), r.cpuPerState(), r.wall.Seconds(), memory, perState, r.cpuRatio, r.wallRatio)
	}
	return t.String()
}
