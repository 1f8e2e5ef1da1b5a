package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// peer is a checker to measure beside mc.
type peer struct {
	name string
	// absent says why the peer is not there, if it is not.
	absent func(w *workshop) error
	// version is the command that prints it, on its last line; or nothing.
	version []string
	// build makes the twin of a model ready and returns the command that
	// searches it: only that is measured. A peer without the model returns
	// errNoModel.
	build func(w *workshop, m benchModel) (command []string, err error)
	// read finds the counts in what the command printed.
	read func(output string) (counts, error)
}

// counts is what a checker says of a state graph, the initial state among the
// generated ones.
type counts struct{ distinct, generated uint64 }

var errNoModel = errors.New("it has no twin of the model")

// noModelStatus is the exit status of an external command that says so.
const noModelStatus = 77

// mc is what peers are compared with; the first two peers are mc as well.
var mc = peer{"mc", always, []string{"go", "version"}, mcCommand("--workers", "1"), readMC}

var peers = []peer{
	{"mc-2-workers", always, nil, mcCommand("--workers", "2"), readMC},
	{"mc-fingerprint", noStore, nil, mcCommand("--workers", "1", "--store", "fingerprint"), readMC},
	{"spin", installed("spin", "gcc"), []string{"spin", "-V"}, buildSPIN, readSPIN},
	{"rumur", installed("rumur", "gcc"), []string{"rumur", "--version"}, buildRumur, readRumur},
	{"goat", noGoat, []string{"go", "-C", "../goat", "list", "-m", "github.com/goatx/goat"}, goatCommand, readMC},
	{"tlc", inEnvironment("MC_BENCH_TLC"), nil, external("MC_BENCH_TLC"), readTLC},
	{"stateright", inEnvironment("MC_BENCH_STATERIGHT"), nil, external("MC_BENCH_STATERIGHT"), readStateright},
}

func always(*workshop) error { return nil }

func peerNames() (names []string) {
	for _, p := range peers {
		names = append(names, p.name)
	}
	return names
}

// installed says which of the tools are missing.
func installed(tools ...string) func(*workshop) error {
	return func(*workshop) error {
		for _, tool := range tools {
			if _, err := exec.LookPath(tool); err != nil {
				return fmt.Errorf("%s is not installed", tool)
			}
		}
		return nil
	}
}

func inEnvironment(name string) func(*workshop) error {
	return func(*workshop) error {
		if os.Getenv(name) == "" {
			return fmt.Errorf("%s is not set", name)
		}
		return nil
	}
}

func mcCommand(flags ...string) func(*workshop, benchModel) ([]string, error) {
	return func(w *workshop, m benchModel) ([]string, error) {
		set := fmt.Sprintf("%s=%d", m.setting, m.size)
		return append([]string{w.mc, "check", "--quiet", "--spec", m.spec, "--set", set}, flags...), nil
	}
}

// noStore says that this mc cannot be told how to store states.
func noStore(w *workshop) error {
	help, err := w.do("", w.mc, "check", "--help")
	if err == nil && !strings.Contains(help, "--store ") {
		err = errors.New("this mc has no --store")
	}
	return err
}

var mcCounts = regexp.MustCompile(`([\d,]+) distinct states, ([\d,]+)\s+generated`)

func readMC(output string) (counts, error) { return find(mcCounts, output, 2, 1) }

// buildSPIN compiles for a search of full states, breadth-first, without
// partial-order reduction.
func buildSPIN(w *workshop, m benchModel) ([]string, error) {
	folder, err := os.MkdirTemp(w.folder, "spin-")
	if err != nil {
		return nil, err
	}
	if _, err := w.do(folder, "spin", fmt.Sprint("-DN=", m.size), "-a", filepath.Join(w.bench, m.twin+".pml")); err != nil {
		return nil, err
	}
	_, err = w.do(folder, "gcc", "-O3", "-march=native", "-DBFS", "-DNOREDUCE", "-DSAFETY", "-DMEMLIM=16384", "-o", "pan", "pan.c")
	return []string{filepath.Join(folder, "pan")}, err
}

// SPIN counts the initial state as a transition.
var spinCounts = regexp.MustCompile(`(?s)errors: 0\s+(\d+) states, stored.*?(\d+) transitions \(= stored\+matched\)`)

func readSPIN(output string) (counts, error) { return find(spinCounts, output, 2, 1) }

var sizeOfTwin = regexp.MustCompile(`(?m)^  N: \d+;`)

// buildRumur compiles with the options that make rumur fastest here: states
// are not packed into bits, and the first table is large. Deadlocks are not
// looked for, since a finished protocol is one for rumur.
func buildRumur(w *workshop, m benchModel) ([]string, error) {
	folder, err := os.MkdirTemp(w.folder, "rumur-")
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(w.bench, m.twin+".m"))
	if err != nil {
		return nil, err
	}
	text = sizeOfTwin.ReplaceAll(text, fmt.Appendf(nil, "  N: %d;", m.size))
	if err := os.WriteFile(filepath.Join(folder, "twin.m"), text, 0o644); err != nil {
		return nil, err
	}
	if _, err := w.do(folder, "rumur", "--output", "twin.c", "--threads", "1", "--symmetry-reduction", "off",
		"--deadlock-detection", "off", "--pack-state", "off", "--set-capacity", fmt.Sprint(256<<20), "twin.m"); err != nil {
		return nil, err
	}
	_, err = w.do(folder, "gcc", "-std=c11", "-O3", "-march=native", "-o", "twin", "twin.c", "-lpthread", "-latomic")
	return []string{filepath.Join(folder, "twin")}, err
}

var rumurCounts = regexp.MustCompile(`(?s)No error found\..*?(\d+) states, (\d+) rules fired in`)

func readRumur(output string) (counts, error) {
	c, err := find(rumurCounts, output, 2, 1)
	c.generated++ // the start state
	return c, err
}

// noGoat builds the nested module, which may have to be fetched, and says why
// that fails.
func noGoat(w *workshop) error {
	_, err := w.do(filepath.Join(w.bench, "goat"), "go", "build", "-o", filepath.Join(w.folder, "goat"), ".")
	return err
}

func goatCommand(w *workshop, m benchModel) ([]string, error) {
	if !m.goat {
		return nil, errNoModel
	}
	return []string{filepath.Join(w.folder, "goat"), fmt.Sprint(m.size)}, nil
}

// external runs a command from the environment with the model's name and size.
func external(variable string) func(*workshop, benchModel) ([]string, error) {
	return func(_ *workshop, m benchModel) ([]string, error) {
		return []string{"sh", "-c", os.Getenv(variable) + ` "$@"`, variable, m.spec, fmt.Sprint(m.size)}, nil
	}
}

var (
	tlcCounts        = regexp.MustCompile(`([\d,]+) states generated, ([\d,]+) distinct states found, 0 states left on queue`)
	staterightCounts = regexp.MustCompile(`Done\. states=(\d+), unique=(\d+)`)
)

func readTLC(output string) (counts, error)        { return find(tlcCounts, output, 1, 2) }
func readStateright(output string) (counts, error) { return find(staterightCounts, output, 1, 2) }

// find reads the last match's two numbers.
func find(pattern *regexp.Regexp, output string, generated, distinct int) (counts, error) {
	all := pattern.FindAllStringSubmatch(output, -1)
	if len(all) == 0 {
		return counts{}, fmt.Errorf("no counts in its output, which ends: %s", lastLine(output))
	}
	var errs []error
	number := func(i int) uint64 {
		n, err := strconv.ParseUint(strings.ReplaceAll(all[len(all)-1][i], ",", ""), 10, 64)
		errs = append(errs, err)
		return n
	}
	c := counts{distinct: number(distinct), generated: number(generated)}
	return c, errors.Join(errs...)
}
