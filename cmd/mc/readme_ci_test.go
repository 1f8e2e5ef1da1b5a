package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

var yamlBlock = regexp.MustCompile("(?s)```yaml\n# ([^\n]*)\n(.*?)```")

// TestReadmeInCI takes the files of the README's section on CI and runs the
// steps of its workflow that run mc, as GitHub would. What the other steps pick
// up has to be there then.
func TestReadmeInCI(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put := func(name string, text []byte) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, block := range yamlBlock.FindAllSubmatch(read("README.md"), -1) {
		put(string(block[1]), block[2])
	}
	put(".ci/mc.lock", read(".ci/mc.lock"))
	build(t, root, filepath.Join(dir, "mc"), "./cmd/mc")

	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Run  string
				With map[string]string
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, ".github/workflows/mc.yml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, &workflow); err != nil {
		t.Fatal(err)
	}
	summary := filepath.Join(t.TempDir(), "summary.md")
	ran := 0
	for _, step := range workflow.Jobs["mc"].Steps {
		if strings.HasPrefix(step.Run, "./mc ") {
			ran++
			cmd := exec.Command("sh", "-c", step.Run)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY="+summary)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", step.Run, err, out)
			}
		}
		for _, name := range []string{step.With["sarif_file"], step.With["path"]} {
			if found, _ := filepath.Glob(filepath.Join(dir, name)); name != "" && len(found) == 0 {
				t.Errorf("the workflow takes %s, which no step before writes", name)
			}
		}
	}
	if ran != 3 {
		t.Errorf("%d steps run mc, want 3", ran)
	}
	if text, _ := os.ReadFile(summary); strings.Count(string(text), "### mc: ") != ran {
		t.Errorf("the summary is not that of %d steps:\n%s", ran, text)
	}
}
