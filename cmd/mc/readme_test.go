package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the README's commands print into it")

var (
	goBlock      = regexp.MustCompile("(?s)```go\n(package main\n.*?)```")
	consoleBlock = regexp.MustCompile("(?s)```console\n(.*?)```")
)

// TestReadme runs every command of the README and compares what it prints. The
// spec in the README is built as a module of its own; commands that begin with
// "go run ." are run there, the others in the repository.
func TestReadme(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	readme := filepath.Join(root, "README.md")
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	source := goBlock.FindSubmatch(text)
	if source == nil {
		t.Fatal("the README has no spec")
	}
	if lines := strings.Count(string(source[1]), "\n"); lines > 60 {
		t.Errorf("the README's spec has %d lines, want at most 60", lines)
	}
	bin := t.TempDir()
	build(t, root, filepath.Join(bin, "mc"), "./cmd/mc")
	lock := outsideModule(t, root, string(source[1]))
	build(t, lock, filepath.Join(bin, "lock"), ".")

	blocks := 0
	out := consoleBlock.ReplaceAllFunc(text, func(block []byte) []byte {
		blocks++
		body := consoleBlock.FindSubmatch(block)[1]
		return []byte("```console\n" + runBlock(t, root, bin, string(body)) + "```")
	})
	if blocks == 0 {
		t.Error("the README has no console blocks")
	}
	if *update && string(out) != string(text) {
		if err := os.WriteFile(readme, out, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// outsideModule makes a module outside the tree that uses this one.
func outsideModule(t *testing.T, root, source string) string {
	t.Helper()
	dir := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	// The same requirements, so that nothing needs to be looked up.
	own := strings.Replace(string(mod), "module mc\n", "module lock\n", 1)
	own = regexp.MustCompile(`(?m)^tool .*$`).ReplaceAllString(own, "")
	own += "\nrequire mc v0.0.0\nreplace mc => " + root + "\n"
	for name, content := range map[string]string{"go.mod": own, "go.sum": string(sum), "main.go": source} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func build(t *testing.T, dir, to, what string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-mod=mod", "-o", to, what)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}

// runBlock runs the commands of a console block, each a line that begins with
// "$ ". It returns the block with what they print now. A line "..." stands for
// any lines; a block that has one is compared and never rewritten.
func runBlock(t *testing.T, root, bin, block string) string {
	t.Helper()
	var now strings.Builder
	parts := strings.Split("\n"+block, "\n$ ")
	for _, part := range parts[1:] {
		command, want, _ := strings.Cut(part, "\n")
		if want != "" && !strings.HasSuffix(want, "\n") {
			want += "\n"
		}
		program, rest := "mc", command
		switch {
		case strings.HasPrefix(command, "go run ./cmd/mc"):
			rest = strings.TrimPrefix(command, "go run ./cmd/mc")
		case strings.HasPrefix(command, "go run ."):
			program, rest = "lock", strings.TrimPrefix(command, "go run .")
		default: // go test ./... runs this test
			now.WriteString("$ " + part + "\n")
			continue
		}
		cmd := exec.Command(filepath.Join(bin, program), strings.Fields(rest)...)
		cmd.Dir = t.TempDir()
		got, _ := cmd.Output() // a finding is no mistake here: its exit code is in the text
		switch {
		case strings.Contains("\n"+want, "\n...\n"):
			if !matches(string(got), want) {
				t.Errorf("README: $ %s\nprints\n%s\nwant\n%s", command, got, want)
			}
			now.WriteString("$ " + command + "\n" + want)
		default:
			if string(got) != want && !*update {
				t.Errorf("README: $ %s\nprints\n%s\nwant\n%s", command, got, want)
			}
			now.WriteString("$ " + command + "\n" + string(got))
		}
	}
	return now.String()
}

// matches compares a text with a pattern in which a line "..." stands for any
// number of lines.
func matches(text, pattern string) bool {
	pieces := strings.Split("\n"+pattern, "\n...\n")
	text = "\n" + text
	for i, p := range pieces {
		p = strings.TrimSuffix(p, "\n")
		at := strings.Index(text, p)
		if i == 0 && !strings.HasPrefix(text, p) || at < 0 {
			return false
		}
		if i == len(pieces)-1 {
			return strings.HasSuffix(strings.TrimSuffix(text, "\n"), p)
		}
		text = text[at+len(p):]
	}
	return true
}

// pictures are the counterexamples that are drawn for readers, next to their
// specs. With -update they are drawn again.
var pictures = []struct{ file, args string }{
	{"spec/appendwindow/testdata/stall-1.svg", "--spec append-window --scenario stall-1 --property NoPermanentHang"},
	{"spec/bcsidmap/testdata/raft1.svg", "--spec bcsid-map --scenario raft1 --property NoUpdateBcsidFailure"},
	{"spec/installsnapshot/testdata/slow-disk.svg", "--spec install-snapshot --scenario slow-disk --property NeverStuckInstalled"},
	{"spec/nodehealth/testdata/scm.svg", "--spec node-health --scenario scm --property NoStrandedReplicaOnDeadNode"},
}

func TestPicturesAreFresh(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	mc := filepath.Join(t.TempDir(), "mc")
	build(t, root, mc, "./cmd/mc")
	for _, p := range pictures {
		now := filepath.Join(t.TempDir(), "now.svg")
		// It finds a violation, so its exit code is not 0.
		_ = exec.Command(mc, append(strings.Fields("check -q --out "+now), strings.Fields(p.args)...)...).Run()
		got, err := os.ReadFile(now)
		if err != nil {
			t.Fatalf("%s: %v", p.file, err)
		}
		path := filepath.Join(root, filepath.FromSlash(p.file))
		if *update {
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s is not what mc check %s --out svg= draws; go test ./cmd/mc -update draws it again", p.file, p.args)
		}
	}
}
