package traces

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/joshdk/go-junit"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"mc/model"
)

// ciFormats are those of CIs, with the ends of their golden files.
var ciFormats = []string{"junit", "sarif", "github", "summary", "ndjson"}

// located is a document whose places are known, with a search that ended too
// early, one that came out as expected, and one that did not.
func located() *Document {
	d := document()
	place := func(line int) model.Location { return model.Location{File: "spec/store/store.go", Line: line} }
	for i := range d.Runs {
		r := &d.Runs[i]
		r.Location, r.Command = place(10+i), "mc check --spec "+r.Spec
		if i == 2 { // a spec that cannot be told
			continue
		}
		for j := range r.Results {
			r.Results[j].Location = place(50 + 10*i + j)
			if tr := r.Results[j].Trace; tr != nil {
				for k := range tr.Steps[1:] {
					tr.Steps[k+1].Location = place(20 + len(tr.Steps[k+1].Action))
				}
			}
		}
	}
	d.Runs[0].Results[0].Trace.Steps[6].Idle = true
	early := Run{Spec: "clock", Incomplete: "time limit of 1m", Distinct: 7, Results: []Result{
		{Property: "Ticks", Kind: model.Recurrent, Verdict: model.Incomplete, Location: model.Location{File: "spec/clock, new/a:b.go", Line: 3}},
	}}
	expected := Run{Spec: "lock", Distinct: 12, Exhausted: true, Results: []Result{
		explained(Result{Property: "FirstIsServed", Kind: model.Leads, Verdict: model.Violated, Expected: model.Violated, Trace: d.Runs[1].Results[0].Trace, Steps: 5}),
		{Property: "Exclusion", Kind: model.Invariant, Verdict: model.Holds, Expected: model.Violated},
	}, Differences: []string{"12 distinct states, want 11"}}
	d.Runs = append(d.Runs, early, expected)
	d.Differences = []string{"lock: no scenario quick any more"}
	return d
}

// claimed is a document of claims with every outcome.
func claimed() *Document {
	d := located()
	d.Differences = nil
	run := func(i int) *int { return &i }
	d.Claims = []Claim{
		{Spec: "store", Bug: "STORE-17", ID: "C1", Text: "Replicas disagree.", Source: "STORE-17", Cases: []Case{
			{Scenario: "crash", Fix: "off", Set: "crashes=1,rounds=2", Run: run(0), Verdicts: []Checked{
				{Property: "ReplicasAgree", Expected: model.Holds, Found: model.Violated, Outcome: Differs},
				{Property: "NothingLost", Expected: model.Holds, Found: model.Holds, Outcome: Agrees},
			}},
			{Fix: "sync", Run: run(0), Known: "the report is in doubt", Verdicts: []Checked{
				{Property: "Answered", Expected: model.Unreachable, Found: model.Reached, Outcome: Known},
				{Text: "as many states as the case before", Outcome: Differs},
			}},
			{Fix: "on", Verdicts: []Checked{{Property: "NothingLost", Expected: model.Holds, Outcome: Skipped}}},
		}},
		{Spec: "clock", ID: "C2", Text: "The clock ticks.", Cases: []Case{
			{Fix: "off", Run: run(3), Verdicts: []Checked{{Property: "Ticks", Expected: model.Holds, Found: model.Incomplete, Outcome: Open}}},
		}},
		{Spec: "clock", ID: "C3", Text: "The clock is pretty.", NotModelled: "beauty is no property"},
	}
	return d
}

func inFormat(t testing.TB, format string, d *Document) string {
	t.Helper()
	return written(t, func(w io.Writer) error { return FormatNamed(format).Document(w, d, &Choice{}) })
}

func TestCIGolden(t *testing.T) {
	for name, d := range map[string]*Document{"check": located(), "claims": claimed()} {
		for _, format := range ciFormats {
			golden(t, "ci-"+name+"."+format, []byte(inFormat(t, format, d)))
		}
	}
}

// TestJUnitIsRead: a reader of JUnit finds each test with its status, and the
// trace in what failed.
func TestJUnitIsRead(t *testing.T) {
	read := func(d *Document) (found []string, all []junit.Test) {
		suites, err := junit.Ingest([]byte(inFormat(t, "junit", d)))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range suites {
			for _, one := range s.Tests {
				found = append(found, fmt.Sprintf("%s | %s | %s | %s", s.Name, one.Classname, one.Name, one.Status))
				all = append(all, one)
			}
		}
		return found, all
	}
	got, tests := read(located())
	want := []string{
		"store (STORE-17) · scenario crash · fix sync · crashes=1 | store | ReplicasAgree | failed",
		"store (STORE-17) · scenario crash · fix sync · crashes=1 | store | NothingLost | passed",
		"store (STORE-17) · scenario crash · fix sync · crashes=1 | store | Answered | passed",
		"store (STORE-17) · scenario crash · fix sync · crashes=1 | store | Impossible | failed",
		"lock | lock | FirstIsServed | failed",
		"store · scenario crash · fix sync · crashes=1 | store | ReplicasAgree | error",
		"store · scenario crash · fix sync · crashes=1 | store | the spec itself | error",
		"clock | clock | Ticks | error",
		"lock | lock | FirstIsServed | passed",
		"lock | lock | Exclusion | failed",
		"lock | lock | 12 distinct states, want 11 | failed",
		"expectations | expectations | lock: no scenario quick any more | failed",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	first := tests[0]
	if body := first.Error.(junit.Error).Body; !strings.Contains(body, textOf(t, located().Runs[0].Results[0].Trace, TextOptions{})) || !strings.Contains(body, "again: mc check --spec store") {
		t.Errorf("got body %s", body)
	}
	if first.Properties["file"] != "spec/store/store.go" || first.Properties["line"] != "50" {
		t.Errorf("got properties %v", first.Properties)
	}

	got, _ = read(claimed())
	want = []string{
		"store · claim C1 | store.C1 | crash; fix off; crashes=1, rounds=2: ReplicasAgree holds | failed",
		"store · claim C1 | store.C1 | crash; fix off; crashes=1, rounds=2: NothingLost holds | passed",
		"store · claim C1 | store.C1 | fix sync: Answered unreachable | skipped",
		"store · claim C1 | store.C1 | fix sync: as many states as the case before | failed",
		"store · claim C1 | store.C1 | fix on: NothingLost holds | skipped",
		"clock · claim C2 | clock.C2 | fix off: Ticks holds | error",
		"clock · claim C3 | clock.C3 | C3 | skipped",
	}
	if !slices.Equal(got, want) {
		t.Errorf("claims: got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestJUnitCounts: the numbers of each suite, and of all, are those of its tests.
func TestJUnitCounts(t *testing.T) {
	text := inFormat(t, "junit", located())
	head := regexp.MustCompile(`<testsuites name="mc" tests="(\d+)" failures="(\d+)" errors="(\d+)" skipped="(\d+)"`).FindStringSubmatch(text)
	want := []string{fmt.Sprint(strings.Count(text, "<testcase")), fmt.Sprint(strings.Count(text, "<failure")), fmt.Sprint(strings.Count(text, "<error")), fmt.Sprint(strings.Count(text, "<skipped"))}
	if head == nil || !slices.Equal(head[1:], want) {
		t.Errorf("got %v, want %v", head, want)
	}
}

// sarifSchema is the schema of OASIS. It stands in the source of the library
// that reads SARIF, whose own check is of what it would write, not of what it
// has read.
var sarifSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3").Output()
	if err != nil {
		return nil, err
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "pkg/report/v210/sarif/schema.go"), nil, 0)
	if err != nil {
		return nil, err
	}
	text, err := strconv.Unquote(file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.BasicLit).Value)
	if err != nil {
		return nil, err
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", value); err != nil {
		return nil, err
	}
	return c.Compile("sarif.json")
})

// validSARIF is SARIF as others read it; it has to fit the schema.
func validSARIF(t *testing.T, text string) *sarif.Report {
	t.Helper()
	schema, err := sarifSchema()
	if err != nil {
		t.Fatal(err)
	}
	if err := fits(schema, text); err != nil {
		t.Errorf("%v", err)
	}
	r, err := sarif.FromString(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestSARIFIsValid(t *testing.T) {
	for name, d := range map[string]*Document{"check": located(), "claims": claimed(), "empty": {}, "hostile": {Runs: []Run{{Spec: "x", Fault: hostile()}}}} {
		t.Run(name, func(t *testing.T) { validSARIF(t, inFormat(t, "sarif", d)) })
	}
	schema, err := sarifSchema()
	if err != nil {
		t.Fatal(err)
	}
	text := inFormat(t, "sarif", located())
	for _, wrong := range [][2]string{{`"level": "error"`, `"level": "loud"`}, {`"startLine": 50`, `"startLine": 0`}, {`"ruleIndex"`, `"ruleNumber"`}} {
		if err := fits(schema, strings.Replace(text, wrong[0], wrong[1], 1)); err == nil {
			t.Errorf("with %s the schema admits it", wrong[1])
		}
	}
}

// TestSARIFSays: only what is wrong is a result, at the line of its property,
// and its steps are at the lines of their actions.
func TestSARIFSays(t *testing.T) {
	r := validSARIF(t, inFormat(t, "sarif", located()))
	var got []string
	for _, res := range r.Runs[0].Results {
		line := ""
		if p := res.Locations[0].PhysicalLocation; p != nil {
			line = fmt.Sprintf("%s:%d", *p.ArtifactLocation.URI, *p.Region.StartLine)
		}
		if id := r.Runs[0].Tool.Driver.Rules[res.RuleIndex].ID; *id != *res.RuleID {
			t.Errorf("rule %d is %s, want %s", res.RuleIndex, *id, *res.RuleID)
		}
		got = append(got, *res.RuleID+" "+line)
	}
	want := []string{
		"store/ReplicasAgree spec/store/store.go:50", "store/Impossible spec/store/store.go:53", "lock/FirstIsServed spec/store/store.go:60",
		"store/fault spec/store/store.go:12", "lock/Exclusion ", "lock/difference ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	steps := r.Runs[0].Results[0].CodeFlows[0].ThreadFlows[0].Locations
	tr := located().Runs[0].Results[0].Trace
	if len(steps) != len(tr.Steps)+1 {
		t.Fatalf("got %d locations, want one for each of %d states and one for the end", len(steps), len(tr.Steps))
	}
	for i, s := range steps {
		if s.ExecutionOrder != i+1 {
			t.Errorf("location %d: got order %d", i, s.ExecutionOrder)
		}
		if i == 0 || i == len(tr.Steps) {
			continue
		}
		if got := *s.Location.PhysicalLocation.Region.StartLine; got != tr.Steps[i].Location.Line {
			t.Errorf("step %d: got line %d, want %d", i, got, tr.Steps[i].Location.Line)
		}
	}
	call := r.Runs[0].Invocations[0]
	if *call.ExecutionSuccessful || len(call.ToolExecutionNotifications) != 3 {
		t.Errorf("got %+v, want an execution that is not successful, with three notifications", call)
	}
	prints := map[string]bool{}
	for _, res := range r.Runs[0].Results {
		prints[res.PartialFingerprints["primaryLocationLineHash"]] = true
	}
	if len(prints) != len(want) {
		t.Errorf("got %d fingerprints of %d results", len(prints), len(want))
	}
	moved := located()
	moved.Runs[0].Results[0].Location.Line++
	again := validSARIF(t, inFormat(t, "sarif", moved)).Runs[0].Results[0].PartialFingerprints
	if !reflect.DeepEqual(again, r.Runs[0].Results[0].PartialFingerprints) {
		t.Error("the fingerprint depends on the line")
	}
}

// command is a workflow command as GitHub's runner takes it apart.
var command = regexp.MustCompile(`^::(error|warning) (?:file=([^,:]*),line=(\d+),)?title=([^,:]*)::([^\r\n]*)$`)

// annotations reads workflow commands, and undoes their escapes.
func annotations(t *testing.T, text string) (all [][5]string) {
	t.Helper()
	undo := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		m := command.FindStringSubmatch(line)
		if m == nil {
			t.Fatalf("not a command: %q", line)
		}
		all = append(all, [5]string{m[1], undo.Replace(m[2]), m[3], undo.Replace(m[4]), undo.Replace(m[5])})
	}
	return all
}

func TestGitHubCommands(t *testing.T) {
	all := annotations(t, inFormat(t, "github", located()))
	var got []string
	for _, a := range all {
		first, _, _ := strings.Cut(a[4], "\n")
		got = append(got, fmt.Sprintf("%s %s:%s %s | %s", a[0], a[1], a[2], a[3], first))
	}
	want := []string{
		"error spec/store/store.go:50 store: ReplicasAgree is violated | ReplicasAgree: violated, 10 steps: whatever the leader has acknowledged is on every replica that is up",
		"error spec/store/store.go:53 store: Impossible | Impossible: unreachable",
		"error spec/store/store.go:60 lock: FirstIsServed is violated | FirstIsServed: violated, 5 steps: a client that waits is served",
		"warning : store: ReplicasAgree | ReplicasAgree: incomplete, since the memory of 1 GB is full",
		"error spec/store/store.go:12 store: the spec itself | store is at fault: action Append(key=c): full sequence: sequence is full: its bound is 3 at store.go:17",
		"warning spec/clock, new/a:b.go:3 clock: Ticks | Ticks: incomplete, since time limit of 1m",
		"error : lock: Exclusion | Exclusion: holds, want violated",
		"error : lock: 12 distinct states, want 11 | 12 distinct states, want 11",
		"error : lock: no scenario quick any more | lock: no scenario quick any more",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if !strings.Contains(all[0][4], "\n3 leader: Append(key=a): log [CONF] → [CONF a=1]\n") || !strings.HasSuffix(all[0][4], "\nagain: mc check --spec store") {
		t.Errorf("got %s", all[0][4])
	}
}

func TestClip(t *testing.T) {
	for _, c := range []struct {
		in   string
		most int
		want string
	}{{"short", 5, "short"}, {"a\nbcdefgh", 6, "a\n…"}, {"日本語日本語", 10, "日本…"}, {strings.Repeat("x", 9), 8, "xxxxx…"}} {
		if got := clip(c.in, c.most); got != c.want || len(got) > c.most {
			t.Errorf("%q to %d: got %q, want %q", c.in, c.most, got, c.want)
		}
	}
}

// TestStepSummaryFits: whatever room there is, it is not exceeded, and what is
// left out is counted.
func TestStepSummaryFits(t *testing.T) {
	d := located()
	for range 200 {
		d.Runs = append(d.Runs, located().Runs...)
	}
	for _, most := range []int{0, 100, 2_000, 10_000, 100_000, SummaryBytes} {
		got := written(t, func(w io.Writer) error { return StepSummary(w, d, &Choice{All: true}, most) })
		if len(got) > most {
			t.Errorf("got %d bytes, want at most %d", len(got), most)
		}
		if most >= 2_000 && most < SummaryBytes && !strings.Contains(got, "not shown") {
			t.Errorf("%d bytes: got nothing about what is not shown in %s", most, got)
		}
	}
	long := handmade()
	for range 300 {
		long.Steps = append(long.Steps, long.Steps[1:11]...)
	}
	d = &Document{Runs: []Run{{Spec: "store", Results: []Result{{Property: "ReplicasAgree", Kind: model.Invariant, Verdict: model.Violated, Trace: long, Steps: len(long.Steps) - 1}}}}}
	if got := inFormat(t, "summary", d); strings.Contains(got, "```mermaid") || !strings.Contains(got, "diagram is too large") {
		t.Error("a diagram that GitHub refuses is there")
	}
}

// TestNDJSONIsWhole: a document can be put together again from its events.
func TestNDJSONIsWhole(t *testing.T) {
	for name, want := range map[string]*Document{"check": located(), "claims": claimed(), "empty": {}} {
		got := &Document{Runs: []Run{}}
		for i, line := range strings.Split(strings.TrimSuffix(inFormat(t, "ndjson", want), "\n"), "\n") {
			read := func(v any) {
				if err := json.Unmarshal([]byte(line), v); err != nil {
					t.Fatalf("%s, line %d: %v", name, i+1, err)
				}
			}
			var e Event
			read(&e)
			switch e.Event {
			case Started, Ended:
				read(got)
			case RunStarted:
				got.Runs = append(got.Runs, Run{Results: []Result{}})
				read(&got.Runs[*e.Run])
			case ResultIs:
				var r Result
				read(&r)
				got.Runs[*e.Run].Results = append(got.Runs[*e.Run].Results, r)
			case FaultIs:
				read(&got.Runs[*e.Run].Fault)
			case RunEnded:
				read(&got.Runs[*e.Run])
			case ClaimIs:
				var c Claim
				read(&c)
				got.Claims = append(got.Claims, c)
			default:
				t.Errorf("%s, line %d: got event %q", name, i+1, e.Event)
			}
		}
		if a, b := string(encoded(t, got)), string(encoded(t, want)); a != b {
			t.Errorf("%s: got %s\nwant %s", name, a, b)
		}
	}
}

// checkJUnit, checkSARIF and the others are of TestHostileLabels.
func checkJUnit(t *testing.T, tr *model.Trace, got, harmless string) {
	shape := func(text string) (all []string) {
		suites, err := junit.Ingest([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range suites {
			for _, one := range s.Tests {
				all = append(all, string(one.Status))
			}
		}
		return all
	}
	if a, b := shape(got), shape(harmless); !slices.Equal(a, b) {
		t.Errorf("got %v, want %v", a, b)
	}
	if strings.ContainsFunc(got, func(r rune) bool { return r < ' ' && r != '\n' || r == 0xfffe || r == 0xffff }) {
		t.Error("characters that XML does not have")
	}
}

func checkSARIF(t *testing.T, tr *model.Trace, got, _ string) {
	r := validSARIF(t, got)
	if res := r.Runs[0].Results; len(res) != 1 || len(res[0].CodeFlows[0].ThreadFlows[0].Locations) < len(tr.Steps) {
		t.Errorf("got %d results", len(res))
	}
}

func checkGitHub(t *testing.T, _ *model.Trace, got, harmless string) {
	all := annotations(t, got)
	if want := annotations(t, harmless); len(all) != len(want) {
		t.Errorf("got %d annotations, want %d", len(all), len(want))
	}
	for _, a := range all {
		if len(a[3]) > githubTitle || len(a[4]) > githubMessage {
			t.Errorf("got a title of %d bytes and a message of %d", len(a[3]), len(a[4]))
		}
	}
}

// checkSummary: as checkMarkdown, unless the behaviour is larger than GitHub takes.
func checkSummary(t *testing.T, tr *model.Trace, got, harmless string) {
	if !strings.Contains(got, "1 other behaviour not shown.") {
		checkMarkdown(t, tr, got, harmless)
	} else if len(written(t, func(w io.Writer) error { return writeIn(w, "markdown", tr) })) < SummaryBytes/2 {
		t.Error("the behaviour is left out")
	}
}

func checkNDJSON(t *testing.T, _ *model.Trace, got, harmless string) {
	if a, b := strings.Count(got, "\n"), strings.Count(harmless, "\n"); a != b {
		t.Errorf("got %d lines, want %d", a, b)
	}
	for _, line := range strings.Split(strings.TrimSuffix(got, "\n"), "\n") {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
}
