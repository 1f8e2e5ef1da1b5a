package cli_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"mc/traces"
)

// TestHardening runs the table in testdata/hardening.txtar:
//
//	command for a shell | exit code | line | files
//
// The line is all there is on standard error, behind "mc: "; - is for nothing.
// What is refused with exit code 2 says nothing on standard output. The files,
// which the command leaves behind, are not empty; there are no others, and those
// that the archive holds or its setup makes stay as they are.
func TestHardening(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the table takes /dev/full, and the tools of Linux")
	}
	archive, err := txtar.ParseFile("testdata/hardening.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range archive.Files {
		name := filepath.Join(dir, f.Name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, f.Data, 0o777)); err != nil {
			t.Fatal(err)
		}
	}
	h := &hardening{dir: dir}
	if code, _, told := h.run("./setup"); code != 0 {
		t.Fatalf("setup: %s", told)
	}
	before := h.files(t)
	skipped := ""
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSpace(line)
		if condition, ok := strings.CutPrefix(line, "["); ok {
			skipped = h.lacks(strings.TrimSuffix(condition, "]"))
			continue
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(line, " | ")
		if len(row) < 3 || len(row) > 4 {
			t.Errorf("want command | code | line, or command | code | line | files: %s", line)
			continue
		}
		t.Run(row[0], func(t *testing.T) {
			if skipped != "" {
				t.Skip(skipped)
			}
			code, out, told := h.run(row[0])
			got := fmt.Sprintf("%s | %d | %s", row[0], code, line1(told))
			if want := strings.Join(row[:3], " | "); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if code == 2 && out != "" {
				t.Errorf("got %q on standard output, want nothing", out)
			}
			after := h.files(t)
			var left []string
			if len(row) == 4 {
				left = strings.Fields(row[3])
			}
			for name, was := range before {
				if after[name] != was {
					t.Errorf("%s was %s and is %s", name, was, after[name])
					before[name] = after[name] // the next rows are not to blame
				}
			}
			for name := range after {
				_, old := before[name]
				switch i := slices.Index(left, name); {
				case old:
				case i < 0:
					t.Errorf("%s is left", name)
				default:
					left = slices.Delete(left, i, i+1)
				}
				if !old {
					if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
						t.Fatal(err)
					}
				}
			}
			if len(left) > 0 {
				t.Errorf("not there: %s", strings.Join(left, " "))
			}
		})
	}
}

// hardening runs commands in a folder.
type hardening struct{ dir string }

func (h *hardening) run(command string) (code int, out, told string) {
	c := exec.Command("sh", "-c", command)
	c.Dir = h.dir
	c.Env = []string{"PATH=" + filepath.Join(h.dir, "bin") + string(filepath.ListSeparator) + os.Getenv("PATH"), "HOME=" + h.dir, "LC_ALL=C"}
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return -1, "", err.Error()
	}
	return c.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// lacks says why rows of a condition are skipped, if they are.
func (h *hardening) lacks(condition string) string {
	met := false
	switch condition {
	case "all":
		met = true
	case "mount": // a file system of one's own, which takes root or user namespaces
		code, _, _ := h.run("on-readonly true && on-full true")
		met = code == 0
	case "strace": // which can end a process at a system call
		code, _, _ := h.run("strace -f -o none -e trace=rename -e inject=rename:signal=KILL true && rm none")
		met = code == 0
	case "user": // whom permissions hold for
		met = os.Getuid() > 0
	}
	if met {
		return ""
	}
	return "not " + condition
}

// line1 is what was told as a row has it.
func line1(told string) string {
	if told == "" {
		return "-"
	}
	one, ok := strings.CutPrefix(told, "mc: ")
	if rest, more := strings.CutSuffix(one, "\n"); ok && more && !strings.Contains(rest, "\n") {
		return rest
	}
	return fmt.Sprintf("%q", told)
}

// files are those of the folder, and how each looks from outside.
func (h *hardening) files(t *testing.T) map[string]string {
	all := map[string]string{}
	err := filepath.WalkDir(h.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == h.dir {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(h.dir, path)
		all[name] = info.Mode().String()
		if info.Mode().IsRegular() {
			all[name] += fmt.Sprint(" of ", info.Size(), " bytes, changed ", info.ModTime().UnixNano())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestFilesAreReplaced: whatever mc writes into is not the file that is there,
// which another link shows afterwards as it was, but a new one in its place.
func TestFilesAreReplaced(t *testing.T) {
	h := &hardening{dir: t.TempDir()}
	if code, _, told := h.run("mc check -q --spec bug --out found.json"); code != 12 {
		t.Fatalf("got exit code %d: %s", code, told)
	}
	commands := map[string]string{
		"mc claims -q --spec bug --out json=x":                         "x",
		"mc lock -q --lock x":                                          "x",
		"mc graph --spec bug --scenario usual --out dot=x":             "x",
		"mc trace test found.json --to x":                              "x",
		"mc trace render found.json --out json=found.json":             "found.json",
		"mc check -q --spec bug --out json=x --out html=y --out svg=z": "x y z",
		"mc man .": "mc.1 mc-check.1 mc-trace-render.1",
	}
	for _, f := range traces.Formats {
		if f.Ready == nil {
			commands["mc check -q --spec bug --out "+f.Name+"=x"] = "x"
		}
	}
	for command, files := range commands {
		for name := range strings.FieldsSeq(files) {
			if code, _, told := h.run("[ -e " + name + " ] || echo before >" + name + "; ln " + name + " " + name + ".link; cp " + name + " " + name + ".before"); code != 0 {
				t.Fatal(told)
			}
		}
		if code, _, told := h.run(command); code != 0 && code != 12 {
			t.Errorf("%s: got exit code %d: %s", command, code, told)
		}
		for name := range strings.FieldsSeq(files) {
			if code, _, told := h.run("cmp " + name + ".link " + name + ".before && ! [ " + name + " -ef " + name + ".link ]"); code != 0 {
				t.Errorf("%s wrote into %s as it was: %s", command, name, told)
			}
			if code, _, told := h.run("rm " + name + ".link " + name + ".before"); code != 0 {
				t.Fatal(told)
			}
		}
		if left, err := filepath.Glob(filepath.Join(h.dir, ".*")); len(left) > 0 || err != nil {
			t.Errorf("%s left %s behind, %v", command, left, err)
		}
	}
}
