package main

import (
	"os/exec"
	"strings"
	"testing"
)

// allowed says what the packages of a folder may import of this module, and
// of other modules; the standard library is free to all. The first folder
// that matches counts.
var allowed = []struct{ folder, own, others string }{
	{"mc/model", "mc/model", ""},
	{"mc/spec", "mc/model mc/spec", ""},
	{"mc/checker/memory", "", "golang.org/x/sys/unix"},
	{"mc/checker/bench", "mc/model mc/checker", ""}, // programs of their own
	{"mc/checker", "mc/model mc/checker", ""},
	{"mc/traces", "mc/model mc/traces", "github.com/emicklei/dot github.com/rivo/uniseg github.com/dustin/go-humanize"},
	{"mc/cmd/mc/cli", "mc/model mc/checker mc/traces", "*"},
	{"mc/cmd/mc", "mc/cmd/mc/cli mc/spec", ""},
}

// TestLayers keeps the arrows between packages pointing down.
func TestLayers(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "mc/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) < 8 {
		t.Fatalf("got only %d packages", len(lines))
	}
	for _, line := range lines {
		names := strings.Fields(line)
		for _, imported := range names[1:] {
			if !mayImport(names[0], imported) {
				t.Errorf("%s must not import %s", names[0], imported)
			}
		}
	}
}

// TestLayersCanFail shows the rules a few arrows that point up or sideways.
func TestLayersCanFail(t *testing.T) {
	for _, c := range [][2]string{
		{"mc/model", "mc/checker"}, {"mc/model", "github.com/spf13/cobra"}, {"mc/checker", "mc/traces"},
		{"mc/traces", "mc/checker/seen"}, {"mc/spec/diehard", "mc/checker"}, {"mc/cmd/mc/cli", "mc/spec"},
		{"mc/checker", "github.com/emicklei/dot"}, {"mc/tools", "mc/model"}, {"mc/spec/twophase", "mc/spec/diehard"},
	} {
		if mayImport(c[0], c[1]) {
			t.Errorf("%s may import %s", c[0], c[1])
		}
	}
}

func mayImport(pkg, imported string) bool {
	if !strings.Contains(strings.Split(imported, "/")[0], ".") && !within(imported, "mc") {
		return true
	}
	for _, a := range allowed {
		if !within(pkg, a.folder) {
			continue
		}
		list := a.others
		if within(imported, "mc") {
			list = a.own
		}
		for _, one := range strings.Fields(list) {
			if one == "*" || within(imported, one) {
				// Only the list of specs knows the specs.
				return !within(imported, "mc/spec") || pkg == "mc/spec" || imported == "mc/spec"
			}
		}
		return false
	}
	return false
}

func within(pkg, folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }
