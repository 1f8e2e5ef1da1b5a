package cli

import (
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"mc/model"
)

// eachCommand visits the commands below root that are ours and do something.
func eachCommand(root *cobra.Command, visit func(*cobra.Command)) {
	for _, c := range root.Commands() {
		eachCommand(c, visit)
		if c.Runnable() && !c.HasSubCommands() && c.Name() != "help" {
			visit(c)
		}
	}
}

// TestExamples: every command has examples, and each of them is understood: by
// the command that it stands with, whose flags it uses rightly.
func TestExamples(t *testing.T) {
	examples := 0
	eachCommand((&app{}).root(), func(c *cobra.Command) {
		var own bool
		for line := range strings.SplitSeq(strings.ReplaceAll(c.Example, "&&", "\n"), "\n") {
			line, _, _ = strings.Cut(strings.TrimSpace(line), "  ") // what it does
			if i := strings.IndexAny(line, "|>"); i >= 0 {
				line = line[:i]
			}
			words := strings.Fields(line)
			if len(words) == 0 || words[0] != "mc" {
				continue
			}
			examples++
			root := (&app{}).root()
			found, args, err := root.Find(words[1:])
			if err != nil {
				t.Errorf("%s: %v", line, err)
				continue
			}
			own = own || found.CommandPath() == c.CommandPath()
			if found.Name() == "config" && len(args) > 0 {
				found, args, _ = root.Find(args)
			}
			if err := found.ParseFlags(args); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			if n := len(found.Flags().Args()); n > 0 && !strings.ContainsAny(found.Use, " ") {
				t.Errorf("%s: got %d arguments, want none", line, n)
			}
		}
		if !own {
			t.Errorf("%s has no example of its own", c.CommandPath())
		}
	})
	if examples < 15 {
		t.Errorf("got %d examples", examples)
	}
}

// TestKeys: no two flags share a variable, or have one that is passed over; and
// set, whose value may be a mapping, is no command.
func TestKeys(t *testing.T) {
	root := (&app{}).root()
	flags, commands := keys(root)
	if len(flags) < 20 || len(commands) < 4 {
		t.Fatalf("got flags %q, commands %q", flags, commands)
	}
	if slices.Contains(commands, "set") {
		t.Error("set is a command")
	}
	seen := map[string]string{}
	for _, f := range flags {
		if other := seen[variable(f)]; other != "" {
			t.Errorf("--%s and --%s are both %s", f, other, variable(f))
		}
		seen[variable(f)] = f
		if foreign.MatchString(variable(f)) {
			t.Errorf("%s is passed over", variable(f))
		}
	}
}

// FuzzReadFile: any mc.yaml is read, or is one or more mistakes of one line
// each that name a place in it.
func FuzzReadFile(f *testing.F) {
	for _, s := range []string{"", "workers: 1", "check: {fix: on}", "a: &x [*x]", "<<: {workers: 1}", "set: {a: *b}", "? [a]\n: b", "\xff", "--- 1\n--- 2",
		"workers: &a 3\nmax-depth: *a", "check:\n", "!!binary x: y", "\"a\\nb\": 1", "a: \x00", "set: " + strings.Repeat("[", 20000),
		"a: &a [x, x]\nb: &b [*a, *a]\nset: &c [*b, *b, *b]\nspec: *c"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		t.Chdir(t.TempDir())
		if err := os.WriteFile(configFile, text, 0o600); err != nil {
			t.Fatal(err)
		}
		a := &app{}
		found := presets{}
		a.readFile(a.root(), found)
		for _, m := range a.mistakes {
			if s := explain(m); !strings.HasPrefix(s, configFile+":") || strings.Contains(s, "\n") {
				t.Errorf("got %q", s)
			}
		}
		for key, p := range found {
			if !strings.HasPrefix(p.origin, configFile+":") {
				t.Errorf("%v: got origin %q", key, p.origin)
			}
		}
	})
}

func TestForecast(t *testing.T) {
	levels := func(step time.Duration, sizes ...uint64) (seen []seenLevel) {
		for i, n := range sizes {
			seen = append(seen, seenLevel{depth: i + 1, states: n, begun: time.Duration(i) * step})
		}
		return seen
	}
	gap := levels(10*time.Second, 1600, 800, 400, 200, 100)
	gap[4].depth++
	for name, c := range map[string]struct {
		seen        []seenLevel
		least, most time.Duration
		ok          bool
	}{
		// 3,000 states in 40 s; 100 states and as many again are left.
		"halves":          {levels(10*time.Second, 1600, 800, 400, 200, 100), 2666666666, 2666666666, true},
		"thirds to tenth": {levels(10*time.Second, 1000, 500, 300, 150, 60), 2051282051, 3076923076, true}, // 0.4 to 0.6
		"growing before":  {levels(10*time.Second, 1, 1600, 800, 400, 200, 100), 2666666666, 2666666666, true},
		"too few":         {levels(10*time.Second, 800, 400, 200, 100), 0, 0, false},
		"one grows":       {levels(10*time.Second, 1600, 800, 801, 200, 100), 0, 0, false},
		"hardly shrinks":  {levels(10*time.Second, 1000, 950, 900, 850, 800), 0, 0, false},
		"far apart":       {levels(10*time.Second, 1600, 1400, 1250, 200, 50), 0, 0, false},
		"soon over":       {levels(time.Second, 1600, 800, 400, 200, 100), 0, 0, false},
		"too quick":       {levels(time.Millisecond, 1600, 800, 400, 200, 100), 0, 0, false},
		"one not seen":    {gap, 0, 0, false},
		"nothing left":    {levels(10*time.Second, 1600, 800, 400, 200, 0), 0, 0, false},
		"nothing":         {nil, 0, 0, false},
	} {
		now := time.Duration(0)
		if n := len(c.seen); n > 0 {
			now = c.seen[n-1].begun
		}
		least, most, ok := forecast(c.seen, now)
		if ok != c.ok || ok && (least.Round(1000) != c.least.Round(1000) || most.Round(1000) != c.most.Round(1000)) {
			t.Errorf("%s: got %v to %v, %v, want %v to %v, %v", name, least, most, ok, c.least, c.most, c.ok)
		}
	}
	// What was forecast is over: it was wrong, and is told no more.
	if _, _, ok := forecast(levels(10*time.Second, 1600, 800, 400, 200, 100), 43*time.Second); ok {
		t.Error("a forecast that has passed is told")
	}
}

func TestVersion(t *testing.T) {
	settings := []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}, {Key: "vcs.time", Value: "2020-01-02T03:04:05Z"},
		{Key: "GOOS", Value: "linux"}, {Key: "GOARCH", Value: "arm64"}}
	for name, c := range map[string]struct {
		info *debug.BuildInfo
		want string
	}{
		"ours": {&debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Path: "mc", Version: "v1.2.3"}, Settings: settings},
			"mc v1.2.3\nrevision  abc, changed since\nof        2020-01-02T03:04:05Z\nbuilt by  go1.26 for linux/arm64\n"},
		"a command of one's own": {&debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Path: "example.org/lock", Version: "v0.1.0"},
			Deps: []*debug.Module{{Path: "mc", Version: "v1.2.3"}}, Settings: settings[3:]},
			"mc v1.2.3\nin        example.org/lock v0.1.0\nbuilt by  go1.26 for linux/arm64\n"},
	} {
		if got := version(c.info); got != c.want {
			t.Errorf("%s: got\n%swant\n%s", name, got, c.want)
		}
	}
	if got := version(nil); !strings.HasPrefix(got, "mc (devel)\nbuilt by  go") {
		t.Errorf("nothing known: got %q", got)
	}
}

// TestBlame: a mistake is put down to the place of its own flag, not to that of
// one that is only offered.
func TestBlame(t *testing.T) {
	a := &app{origins: map[string]string{"workers": "mc.yaml:3", "spec": "MC_SPEC"}}
	a.mistakef("--workers 0: want 1 to 1024")
	a.mistakef("lock: --set workers=1: want 2")
	a.mistake(&model.NameError{Flag: "check", Kind: "flag", Name: "--spce", Have: []string{"--workers", "--spec"}})
	a.mistakef("--depth: want --spec=x")
	want := "mc.yaml:3: --workers 0: want 1 to 1024\nlock: --set workers=1: want 2\ncheck --spce: no such flag; have --workers, --spec\nMC_SPEC: --depth: want --spec=x"
	if got := a.blame(a.usage()).Error(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if a.blame(nil) != nil {
		t.Error("got a mistake out of nothing")
	}
}
