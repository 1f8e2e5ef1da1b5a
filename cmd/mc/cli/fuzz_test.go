package cli

import (
	"bufio"
	"bytes"
	"io"
	"io/fs"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"mc/model"
	"mc/traces"
)

// parsed is a spec that has everything a flag can name.
var parsed = model.Define("parsed", "counts", func(c *model.Config) *model.Spec[struct{ N uint8 }] {
	type state = struct{ N uint8 }
	most := uint8(c.Int("most", 2, 1, 3, "the number to stop at"))
	fixed := c.Fix("stop", "counting stops in time")
	model.Choice(c, "how", "so", "of no use", "so", "it's so")
	return &model.Spec[state]{
		Init: []state{{}},
		Actions: []model.Action[state]{
			model.Act("Inc", func(s *state) bool { return s.N < 3 && (!fixed || s.N < most) }, func(s *state) { s.N++ }),
		},
		Properties: []model.Property[state]{model.Always("Bounded", func(s *state) bool { return s.N <= most })},
	}
}).With(model.About{Scenarios: []model.Scenario{{Name: "usual", Set: "most=1"}}})

// FuzzCommandLine: whatever the arguments are, mc says what it would use, or what
// is wrong, each thing in a line.
func FuzzCommandLine(f *testing.F) {
	for _, line := range []string{
		"check --spec parsed --set most=2 --fix on", "claims --long", "matrix --vary all", "check --workers=0 --workers 9999", "--max-memory 1e30",
		"--timeout -5s --step-timeout 0", "check --set how=it's\x00so", "-q -v", "-qv=x", "-- x", "--=", "---", "-", "check --spec \x1b[31m", "--full=perhaps",
		"lock --lock", "vet --format json", "mutate parsed", "--spec parsed --spec ,", "--color always", "check -h", "frob", "--out json= --zz --out",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		var out, told bytes.Buffer
		a := &app{specs: []*model.Entry{parsed}, in: strings.NewReader(""), out: bufio.NewWriter(&out), err: &told}
		code := a.run(append([]string{"config"}, strings.Split(line, " ")...))
		if code != 0 && code != exitUsage {
			t.Errorf("got exit code %d: %s", code, told.String())
		}
		if (code == 0) != (told.Len() == 0) || (code == 0) != (out.Len() > 0) {
			t.Errorf("got exit code %d, %d bytes printed, %q told", code, out.Len(), told.String())
		}
		if a.telling.log == nil {
			inLines(t, told.String())
		}
	})
}

// inLines wants text that is lines of mc for a terminal.
func inLines(t *testing.T, told string) {
	t.Helper()
	for line := range strings.Lines(told) {
		one, ok := strings.CutSuffix(line, "\n")
		if !ok || !strings.HasPrefix(one, "mc: ") || shown(one) != one {
			t.Errorf("got %q", line)
		}
	}
}

// FuzzFlags: what a flag's text is read as is in its bounds, and reads the same
// when it is written anew.
func FuzzFlags(f *testing.F) {
	for _, text := range []string{"1", "2GiB", "1e9", "8EiB", "-1", "NaN", "18446744073709551615", "9007199254740993", "5m", "1h30m", "2562047h", "-5s", "1ns", "0",
		"most=2,how=so", "on,off", "json=x", "svg=-", "x.itf.json", "html", "", "usual", ",", "most=1,most=2", "=", "\xff", "a\nb", "0x10", "+3", "Bounded"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		accepted := func(read func(*app)) bool {
			var told bytes.Buffer
			a := &app{specs: []*model.Entry{parsed}, out: bufio.NewWriter(io.Discard), err: &told}
			read(a)
			for _, m := range a.mistakes {
				a.note("%s", explain(m))
			}
			inLines(t, told.String())
			return len(a.mistakes) == 0
		}
		w := word{text, true}

		var n uint64
		if accepted(func(a *app) { n = a.number("--workers", w, 1024) }) && (n < 1 || n > 1024) {
			t.Errorf("workers: got %d", n)
		}
		memory := func(text string) (n int64, ok bool) {
			ok = accepted(func(a *app) { n = a.options(&limits{memory: word{text, true}}).MaxMemory })
			return n, ok
		}
		if n, ok := memory(text); ok {
			if again, ok := memory(strconv.FormatInt(n, 10)); n <= 0 || !ok || again != n {
				t.Errorf("memory: got %d, then %d, %v", n, again, ok)
			}
		}
		if accepted(func(a *app) { a.options(&limits{timeout: w}) }) {
			d, err := time.ParseDuration(text)
			if err != nil || d <= 0 || !accepted(func(a *app) { a.options(&limits{timeout: word{d.String(), true}}) }) {
				t.Errorf("timeout: got %v, %v", d, err)
			}
		}
		var step time.Duration
		if accepted(func(a *app) { step = a.stepTimeout(w) }) && step < 0 {
			t.Errorf("step timeout: got %v", step)
		}
		accepted(func(a *app) {
			o := a.walkOptions(&walking{mode: word{"walk", true}, seed: w, walks: w, depth: w}, &limits{}, word{}, a.options(&limits{}))
			if len(a.mistakes) == 0 && (o.Walks < 1 || o.Walks > math.MaxInt32 || o.Depth != o.Walks || o.Seed != uint64(o.Walks)) {
				t.Errorf("walks: got %+v", o)
			}
		})

		var format *traces.Format
		var path string
		if accepted(func(a *app) { format, path = a.format(text) }) {
			accepted(func(a *app) {
				if again, same := a.format(format.Name + "=" + path); again != format || same != path {
					t.Errorf("out: got %s and %q, then %v and %q", format.Name, path, again, same)
				}
			})
		}

		var list words
		_ = list.Set(text)
		again := words{}
		if _ = again.Set(list.String()); !slices.Equal(list, again) {
			t.Errorf("names: got %q, then %q", list, again)
		}
		for _, sel := range []selection{{specs: list}, {fixes: list}, {scenarios: list}, {set: list}, {properties: list}} {
			if len(sel.specs) == 0 {
				sel.specs = words{"parsed"}
			}
			var found []target
			if !accepted(func(a *app) { found = a.targets(&sel) }) {
				continue
			}
			if len(found) != max(1, len(sel.scenarios)) {
				t.Errorf("%+v: got %d searches", sel, len(found))
			}
			for _, one := range found { // its own values choose it again
				c := one.machine.Config
				again := selection{specs: words{"parsed"}, fixes: c.Fixes()}
				for _, s := range c.Settings {
					if !s.Fix {
						again.set = append(again.set, s.Name+"="+s.Value)
					}
				}
				if !accepted(func(a *app) { found = a.targets(&again) }) || !reflect.DeepEqual(found[0].machine.Config.Settings, c.Settings) {
					t.Errorf("%+v: got %v, then %v", sel, c.Settings, found)
				}
			}
		}
	})
}

// FuzzEnvironment: a variable stands for a flag, or is a mistake of one line, or
// is none of ours.
func FuzzEnvironment(f *testing.F) {
	for _, one := range []string{"MC_WORKERS=1", "MC_WROKERS=1", "MC_=", "MC_SET=most=2", "MC_HOST_x=1", "PATH=/", "MC_A\nB=1", "MC_QUIET", "=", "MC_MAX_MEMORY=\xff"} {
		f.Add(one, "MC_WORKERS=2")
	}
	f.Fuzz(func(t *testing.T, one, other string) {
		var told bytes.Buffer
		a := &app{err: &told}
		found := presets{}
		a.readEnvironment(a.root(), []string{one, other}, found)
		for key, p := range found {
			if p.origin != variable(key[1]) || len(p.values) != 1 || !slices.Contains([]string{one, other}, p.origin+"="+p.values[0]) {
				t.Errorf("%v: got %+v", key, p)
			}
		}
		for _, m := range a.mistakes {
			a.note("%s", explain(m))
		}
		if len(a.mistakes)+len(found) > 2 {
			t.Errorf("got %v and %v of two variables", found, a.mistakes)
		}
		inLines(t, told.String())
	})
}

// FuzzLock: a lock that is written is read as it was.
func FuzzLock(f *testing.F) {
	f.Add("bug", "usual", "Bounded", "holds", uint64(4), true)
	f.Add("on", "<<", "null", "violated", uint64(math.MaxUint64), false)
	f.Add("010", "~", "? x", "reachable", uint64(0), true)
	f.Add("- a: b", "#", "*a", "unreachable", uint64(1), true)
	f.Add(" a ", "a,b", "1e3", "holds", uint64(9), false)
	f.Fuzz(func(t *testing.T, spec, scenario, property, verdict string, n uint64, fixed bool) {
		for _, name := range []string{spec, scenario, property} { // such as a spec can have
			if name == "" || shown(name) != name || strings.TrimSpace(name) != name || strings.Contains(name, ",") {
				return
			}
		}
		if !slices.Contains(allVerdicts, model.Verdict(verdict)) {
			return
		}
		l := locked{Spec: spec, Scenario: scenario, States: n, Generated: n, Depth: int(n % math.MaxInt32), Verdicts: map[string]string{property: verdict}}
		if fixed {
			l.Fixes = "on"
		}
		text, err := lockText([]locked{l})
		if err != nil {
			t.Fatal(err)
		}
		all, errs := parseExpectations("mc.lock", text.Bytes())
		if len(errs) > 0 || len(all) != 1 {
			t.Fatalf("got %v, %v of\n%s", all, errs, text)
		}
		w := all[0]
		again := locked{Spec: w.spec, Scenario: strings.Join(w.scenarios, ","), Fixes: strings.Join(w.fixes, ","), States: w.states.n, Generated: w.generated.n,
			Depth: int(w.depth.n), Verdicts: map[string]string{}}
		for _, v := range w.verdicts {
			again.Verdicts[v.property] = string(v.verdict)
		}
		if !reflect.DeepEqual(again, l) {
			t.Errorf("got %+v, want %+v of\n%s", again, l, text)
		}
	})
}

// openings notes the files that are opened.
type openings struct {
	fs.FS
	names map[string]bool
}

func (o openings) Open(name string) (fs.File, error) {
	o.names[name] = true
	return o.FS.Open(name)
}

// FuzzMemoryIn: whatever the system's files say, the limit is none or one of the
// numbers there, and no other files are opened.
func FuzzMemoryIn(f *testing.F) {
	f.Add("MemTotal: 8388608 kB\n", "0::/ci/job\n", "2147483648\n")
	f.Add("MemTotal: -1 kB\n", "5:cpu,memory:/docker/1f\n0::/\n", "max")
	f.Add("MemTotal: 99999999999999999999 kB", "0::/../../etc\n", "18446744073709551616")
	f.Add("", "0::/\n", "13835058055282163712") // 12 EiB
	f.Add("MemTotal:\n", "0::"+strings.Repeat("/a", 100), "0")
	f.Fuzz(func(t *testing.T, meminfo, groups, limit string) {
		root := fstest.MapFS{"proc/meminfo": {Data: []byte(meminfo)}, "proc/self/cgroup": {Data: []byte(groups)}}
		for _, file := range []string{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes", "sys/fs/cgroup/ci/job/memory.max"} {
			root[file] = &fstest.MapFile{Data: []byte(limit)}
		}
		o := openings{root, map[string]bool{}}
		got := memoryIn(o)
		if n, err := strconv.ParseUint(strings.TrimSpace(limit), 10, 64); got.by == "the limit of its cgroup" && (err != nil || n != got.bytes) {
			t.Errorf("got %+v", got)
		}
		if (got.bytes == 0) != (got.by == "") || got.share() < 0 || uint64(got.share()) > got.bytes {
			t.Errorf("got %+v, share %d", got, got.share())
		}
		for _, name := range slices.Sorted(maps.Keys(o.names)) {
			if name != "proc/meminfo" && name != "proc/self/cgroup" && !strings.HasPrefix(name, "sys/fs/cgroup/") {
				t.Errorf("%q is opened", name)
			}
		}
	})
}
