package cli_test

import (
	"bufio"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"mc/cmd/mc/cli"
	"mc/model"
)

var update = flag.Bool("update", false, "write the outputs that scripts expect anew; read the diff")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"mc":    func() { os.Exit(cli.Main(specs)) },
		"mcbad": func() { os.Exit(cli.Main(badSpecs)) },
		"mcnil": func() { os.Exit(cli.Main([]*model.Entry{nil})) },
	})
}

func TestScripts(t *testing.T) {
	repo, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	cache, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	caches := strings.Fields(string(cache))
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"says":      says,
			"interrupt": interrupt,
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("REPO", repo)
			e.Setenv("GOCACHE", caches[0])
			e.Setenv("GOMODCACHE", caches[1])
			return nil
		},
	})
}

// exits runs a command and wants its exit code:
//
//	exits 12 mc check --spec bug
func exits(ts *testscript.TestScript, _ bool, args []string) {
	wantCode(ts, args[0], ts.Exec(args[1], args[2:]...))
}

func wantCode(ts *testscript.TestScript, want string, err error) {
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if strconv.Itoa(got) != want {
		ts.Fatalf("exit code %d, want %s", got, want)
	}
}

// says runs mc and wants an exit code, one line on standard error, and nothing
// on standard output:
//
//	says 2 '--workers 0: want 1 to 1024' check --workers 0
func says(ts *testscript.TestScript, _ bool, args []string) {
	wantCode(ts, args[0], ts.Exec("mc", args[2:]...))
	if got, want := ts.ReadFile("stderr"), "mc: "+args[1]+"\n"; got != want {
		ts.Fatalf("got %swant %s", got, want)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("got %q on standard output, want nothing", out)
	}
}

// interrupt runs a command on the endless spec, sends signals as soon as the
// search has begun, and wants the exit code:
//
//	interrupt 130 SIGINT mc check --spec endless
//
// Signals with a comma between them come one after the other, with a + at once.
func interrupt(ts *testscript.TestScript, _ bool, args []string) {
	var path string
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if _, err := os.Stat(filepath.Join(dir, args[2])); err == nil && path == "" {
			path = filepath.Join(dir, args[2])
		}
	}
	if signal.Ignored(syscall.SIGHUP) { // and so would the command ignore it, as under nohup
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	cmd := exec.Command(path, args[3:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "SAY_STARTED=started\n")
	cmd.Stdout = ts.Stdout()
	stderr, err := cmd.StderrPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	defer time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() }).Stop()
	r := bufio.NewReader(stderr)
	for line := ""; line != "started\n"; {
		line, err = r.ReadString('\n')
		ts.Check(err)
	}
	signals := map[string]os.Signal{"SIGINT": syscall.SIGINT, "SIGTERM": syscall.SIGTERM, "SIGHUP": syscall.SIGHUP}
	for i, group := range strings.Split(args[1], ",") {
		time.Sleep(time.Duration(i) * 200 * time.Millisecond) // two at once are one
		for j, name := range strings.Split(group, "+") {
			time.Sleep(time.Duration(j) * 2 * time.Millisecond) // or the system makes one of them
			ts.Check(cmd.Process.Signal(signals[name]))
		}
	}
	_, err = io.Copy(ts.Stderr(), r)
	ts.Check(err)
	wantCode(ts, args[0], cmd.Wait())
}
