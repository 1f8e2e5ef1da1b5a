package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestFixes asks of each bug which of the parts of its fix are needed, by
// mc matrix, and where the fix stops the counterexample, by mc explain-fix.
func TestFixes(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	mc := filepath.Join(t.TempDir(), "mc")
	build(t, root, mc, "./cmd/mc")
	for _, c := range []struct {
		spec       string
		args       string
		sufficient [][]string
		explained  string // in what explain-fix prints
		verdict    string
	}{
		{"append-window", "", [][]string{{"remove-on-timeout"}}, "ends differently", "closed: "},
		{"bcsid-map", "", [][]string{{"readd-putblock-apply", "readd-putblock-stream", "readd-putsmallfile"}}, "ends differently", "closed: "},
		{"bcsid-map", "--scenario raft1", [][]string{{"readd-putblock-apply"}}, "ends differently", "closed: "},
		{"install-snapshot", "", [][]string{{"ratis-append-path"}}, "ends differently", "closed: "},
		{"node-health", "", [][]string{{"refresh-on-register", "recheck-before-remove", "skip-known-on-reload"}}, "with the fix", "closed: "},
		{"node-health", "--scenario scm", [][]string{{"refresh-on-register", "recheck-before-remove"}}, "with the fix", "closed: "},
	} {
		t.Run(c.spec+c.args, func(t *testing.T) {
			out, err := exec.Command(mc, append(strings.Fields("matrix -q --format json --spec "+c.spec), strings.Fields(c.args)...)...).Output()
			if err != nil {
				t.Fatal(err)
			}
			var m struct {
				Sufficient [][]string `json:"sufficient"`
				Unmended   []string   `json:"unmended"`
			}
			if err := json.Unmarshal(out, &m); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(m.Sufficient, c.sufficient) || m.Unmended != nil {
				t.Errorf("got sufficient %v and unmended %v, want %v and none", m.Sufficient, m.Unmended, c.sufficient)
			}
			out, err = exec.Command(mc, append(strings.Fields("explain-fix -q --fix on --spec "+c.spec), strings.Fields(c.args)...)...).Output()
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{c.explained, c.verdict} {
				if !strings.Contains(string(out), want) {
					t.Errorf("got %s\nwant %q in it", out, want)
				}
			}
		})
	}
}

// TestPartialFix asks for what half of a fix leaves.
func TestPartialFix(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	mc := filepath.Join(t.TempDir(), "mc")
	build(t, root, mc, "./cmd/mc")
	for args, want := range map[string]string{
		"--fix readd-putblock-apply":                        "open: with the fix NoUpdateBcsidFailure is violated as before, in 6 steps",
		"--fix readd-putblock-stream --scenario mix":        "narrowed: with the fix NoUpdateBcsidFailure is still violated, in 7 steps",
		"--fix on,readd-put --property ReaddOnlyFillsHoles": "as it is, nothing asked is violated",
	} {
		out, _ := exec.Command(mc, append(strings.Fields("explain-fix -q --spec bcsid-map"), strings.Fields(args)...)...).Output()
		if !strings.Contains(strings.Join(strings.Fields(string(out)), " "), want) {
			t.Errorf("%s: got %s\nwant %q in it", args, out, want)
		}
	}
}
