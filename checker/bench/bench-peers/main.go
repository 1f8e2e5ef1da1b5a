// Command bench-peers measures mc beside other model checkers: the same state
// graphs, one thread, run in turn on the same machine. It prints a Markdown
// table of medians. The README of the folder above says how to read it.
//
//	go run ./checker/bench/bench-peers              everything installed, 5 rounds
//	go run ./checker/bench/bench-peers -quick       small spaces, one round
//	go run ./checker/bench/bench-peers -peers spin -models 'peterson 6'
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() { os.Exit(run()) }

// run is the exit code: 1 if anything did not come out as it should, 2 for a
// mistake on the command line.
func run() int {
	rounds := flag.Int("rounds", 5, "measure each pair of mc and a peer `N` times")
	names := flag.String("peers", "", "only these peers: a list of "+strings.Join(peerNames(), ","))
	which := flag.String("models", "", "only models that match `REGEXP`, such as 'peterson 6'")
	quick := flag.Bool("quick", false, "small spaces and one round: does everything work?")
	flag.Parse()

	wanted, err := regexp.Compile(*which)
	if err != nil {
		err = fmt.Errorf("-models: %w", err)
	}
	chosen := peers
	if *names != "" {
		chosen = nil
		for name := range strings.SplitSeq(*names, ",") {
			i := slices.IndexFunc(peers, func(p peer) bool { return p.name == name })
			if i < 0 {
				err = fmt.Errorf("-peers %s: no such peer; have %s", name, strings.Join(peerNames(), ", "))
				break
			}
			chosen = append(chosen, peers[i])
		}
	}
	list := models
	if *quick {
		list, *rounds = quickModels, 1
	}
	list = slices.DeleteFunc(slices.Clone(list), func(m benchModel) bool { return wanted != nil && !wanted.MatchString(m.String()) })
	switch {
	case err != nil:
	case *rounds < 1:
		err = fmt.Errorf("-rounds %d: want 1 or more", *rounds)
	case flag.NArg() > 0:
		err = fmt.Errorf("unexpected argument %s", flag.Arg(0))
	case len(list) == 0:
		err = fmt.Errorf("-models %s: no model matches", *which)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench-peers:", err)
		return 2
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	w, err := newWorkshop(ctx)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench-peers:", err)
		return 1
	}
	defer w.close()

	b := bench{workshop: w, rounds: *rounds, log: os.Stderr}
	fmt.Print(b.measure(list, chosen))
	if b.failed || ctx.Err() != nil {
		return 1
	}
	return 0
}

// workshop is where checkers are built.
type workshop struct {
	ctx    context.Context
	bench  string // the folder of the twins
	folder string // for what is built; removed at the end
	mc     string // the mc built from this tree
}

func newWorkshop(ctx context.Context) (*workshop, error) {
	gomod, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOMOD: %w", err)
	}
	root := filepath.Dir(strings.TrimSpace(string(gomod)))
	folder, err := os.MkdirTemp("", "bench-peers-")
	if err != nil {
		return nil, err
	}
	w := &workshop{ctx: ctx, bench: filepath.Join(root, "checker", "bench"), folder: folder, mc: filepath.Join(folder, "mc")}
	if _, err := w.do(root, "go", "build", "-o", w.mc, "./cmd/mc"); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *workshop) close() { os.RemoveAll(w.folder) }

// do runs a tool in a folder and returns all that it printed.
func (w *workshop) do(folder, tool string, args ...string) (string, error) {
	c := exec.CommandContext(w.ctx, tool, args...)
	c.Dir = folder
	out, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", tool, strings.Join(args, " "), err, lastLine(string(out)))
	}
	return string(out), nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
