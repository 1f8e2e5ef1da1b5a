package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what the pages' commands print into them")

// TestPages runs every command of the README and of docs and compares what it
// prints, and builds all Go that they show.
func TestPages(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatal("no pages in docs: ", err)
	}
	bin := t.TempDir()
	build(t, root, filepath.Join(bin, "mc"), "./cmd/mc")
	for _, file := range append(files, filepath.Join(root, "README.md")) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			p := newPage(t, root, bin)
			for _, m := range block.FindAllStringSubmatch(string(text), -1) {
				if m[1] == "go" {
					p.golang(m[2])
				}
			}
			out := block.ReplaceAllStringFunc(string(text), func(b string) string {
				m := block.FindStringSubmatch(b)
				return "```" + m[1] + "\n" + p.block(m[1], m[2]) + "```"
			})
			p.build()
			p.tables(string(text))
			if *update && out != string(text) {
				if err := os.WriteFile(file, []byte(out), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// page is a page of Markdown that is worked through in a folder beside one named
// mc that is this repository. First all Go goes there, to the file that its
// first line names, "// lock.go". Without a package clause it gets one, and its
// imports. Then, from top to bottom:
//   - a diff changes one of these files;
//   - a console block is commands, and what they print; a CI job's lines are
//     commands that succeed;
//   - in a table whose last column is headed mc, code in that column stands in
//     the page's Go as well.
type page struct {
	*testing.T
	dir, bin string
	root     string
	pieces   int  // of Go
	stale    bool // the page's Go is newer than its program
}

var (
	block     = regexp.MustCompile("(?sm)^```(\\w+)\n(.*?)^```$")
	fileName  = regexp.MustCompile(`^// (\w+\.go)\n\n?`)
	qualifier = regexp.MustCompile(`\b(\w+)\.[A-Z]`)
	runLine   = regexp.MustCompile(`(?m)^ *- run: (.*)$`)
	code      = regexp.MustCompile("`[^`]+`")
	seconds   = regexp.MustCompile(`(?m)^(ok .*\t)(\(cached\)|[0-9.]+s)$`)
)

// imports are those of Go without a package clause.
var imports = map[string]string{"fmt": "fmt", "slices": "slices", "model": "mc/model"}

func newPage(t *testing.T, root, bin string) *page {
	p := &page{T: t, root: root, bin: bin, dir: filepath.Join(t.TempDir(), "lock")}
	if err := os.Mkdir(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(root, filepath.Join(p.dir, "..", "mc")); err != nil {
		t.Fatal(err)
	}
	return p
}

// block works through a fenced block and returns what should stand there.
func (p *page) block(language, text string) string {
	switch language {
	case "go", "tla":
	case "diff":
		p.diff(text)
	case "console":
		return p.console(text)
	case "yaml":
		for _, line := range runLine.FindAllStringSubmatch(text, -1) {
			if _, err := p.run(line[1]); err != nil && p.Name() != "TestPages/README.md" {
				p.Errorf("- run: %s: %v", line[1], err)
			}
		}
	default:
		p.Errorf("a block of %s: nothing tests that", language)
	}
	return text
}

func (p *page) golang(text string) {
	p.pieces++
	name := fmt.Sprintf("piece%d.go", p.pieces)
	if m := fileName.FindStringSubmatch(text); m != nil {
		name, text = m[1], strings.TrimPrefix(text, m[0])
	}
	if lines := strings.Count(text, "\n"); lines > 60 {
		p.Errorf("%s has %d lines, want at most 60", name, lines)
	}
	if !strings.HasPrefix(text, "package ") && !strings.Contains(text, "\npackage ") {
		head, used := "package main\n\n", map[string]bool{}
		for _, m := range qualifier.FindAllStringSubmatch(text, -1) {
			if path := imports[m[1]]; path != "" && !used[path] {
				head += fmt.Sprintf("import %q\n", path)
				used[path] = true
			}
		}
		text = head + "\n" + text
	}
	p.write(name, text)
}

// module makes the page's folder a module that requires this one.
func (p *page) module() {
	mod, err := os.ReadFile(filepath.Join(p.root, "go.mod"))
	if err != nil {
		p.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(p.root, "go.sum"))
	if err != nil {
		p.Fatal(err)
	}
	// The same requirements, so that nothing needs to be looked up.
	own := strings.Replace(string(mod), "module mc\n", "module lock\n", 1)
	own = regexp.MustCompile(`(?ms)^tool (\(.*?^\)|.*?$)`).ReplaceAllString(own, "")
	p.write("go.mod", own+"\nrequire mc v0.0.0\nreplace mc => ../mc\n")
	p.write("go.sum", string(sum))
}

func (p *page) write(name, text string) {
	p.stale = true
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o644); err != nil {
		p.Fatal(err)
	}
}

// sources are the page's Go files and what is in them.
func (p *page) sources() map[string]string {
	files, _ := filepath.Glob(filepath.Join(p.dir, "*.go"))
	all := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			p.Fatal(err)
		}
		all[filepath.Base(f)] = string(text)
	}
	return all
}

// diff replaces the old lines, which some file has exactly once, by the new
// ones.
func (p *page) diff(text string) {
	var before, after string
	for line := range strings.Lines(text) {
		switch line[0] {
		case '-':
			before += line[1:]
		case '+':
			after += line[1:]
		default:
			before, after = before+line[1:], after+line[1:]
		}
	}
	for name, source := range p.sources() {
		if strings.Count(source, before) == 1 {
			p.write(name, strings.Replace(source, before, after, 1))
			return
		}
	}
	p.Errorf("no file has these lines once:\n%s", before)
}

// build makes the page's program.
func (p *page) build() {
	if !p.stale {
		return
	}
	if p.stale = false; len(p.sources()) > 0 {
		if _, err := os.Stat(filepath.Join(p.dir, "go.mod")); err != nil {
			p.module()
		}
		build(p.T, p.dir, filepath.Join(p.dir, "..", "own"), ".")
	}
}

// run runs a command line in the page's folder. What would build mc, or the
// page's program, finds it built.
func (p *page) run(line string) (string, error) {
	if rest, ok := strings.CutPrefix(line, "go run . "); ok {
		p.build()
		line = "../own " + rest
	}
	if rest, ok := strings.CutPrefix(line, "go run ./cmd/mc "); ok {
		line = "mc " + rest
	}
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "GOFLAGS="+goFlags, "GOWORK=off", "PATH="+p.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.Output()
	return seconds.ReplaceAllString(string(out), "${1}0.1s"), err
}

// goFlags let a module's copy in another folder share the build cache, and the
// linker leave out what only debuggers read.
const goFlags = "-mod=mod -trimpath -ldflags=-w"

func build(t *testing.T, dir, to, what string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-o", to, what)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS="+goFlags, "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}

// console runs the commands of a block, each a line that begins with "$ ". It
// returns the block with what they print now; an exit code is in the text. A
// line "..." stands for any lines; what has one is compared and never rewritten.
func (p *page) console(text string) string {
	var now strings.Builder
	for _, part := range strings.Split("\n"+text, "\n$ ")[1:] {
		command, want, _ := strings.Cut(part, "\n")
		if want != "" && !strings.HasSuffix(want, "\n") {
			want += "\n"
		}
		got, err := p.run(command)
		if err != nil && (strings.HasPrefix(command, "go test") || strings.HasPrefix(command, "go mod")) {
			p.Errorf("$ %s: %v\n%s", command, err, got)
		}
		switch elided := strings.Contains("\n"+want, "\n...\n"); {
		case elided && !matches(got, want), !elided && got != want && !*update:
			p.Errorf("$ %s\nprints\n%s\nwant\n%s", command, got, want)
			fallthrough
		case elided:
			now.WriteString("$ " + command + "\n" + want)
		default:
			now.WriteString("$ " + command + "\n" + got)
		}
	}
	return now.String()
}

// tables compares the code in tables with the page's Go, spaces aside.
func (p *page) tables(text string) {
	flat := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	var source string
	for _, s := range p.sources() {
		source += flat(s) + "\n"
	}
	in := false
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(strings.ReplaceAll(line, `\|`, "\x00")), "|"), "|")
		last := strings.TrimSpace(cells[len(cells)-1])
		if !strings.HasPrefix(line, "|") || last == "mc" {
			in = last == "mc"
			continue
		}
		for _, c := range code.FindAllString(last, -1) {
			c = flat(strings.ReplaceAll(strings.Trim(c, "`"), "\x00", "|"))
			if in && !strings.Contains(source, c) {
				p.Errorf("in no Go of the page: %s", c)
			}
		}
	}
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
