package traces

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"mc/model"
)

// causal is a trace with causes, and a step that is not needed.
func causal() *model.Trace {
	t := handmade()
	t.Steps[3].Because = []model.Cause{{Step: 1, Fields: []string{"log"}}}
	t.Steps[4].Because = []model.Cause{{Step: 2, Fields: []string{"log"}}, {Step: 3, Fields: []string{"value[a]", "value[b]", "log"}}}
	t.Steps[6].Idle = true
	t.Because = []model.Cause{{Step: 4, Fields: []string{"acked"}}, {Step: 8, Fields: []string{"value[a]"}}, {Step: 10, Fields: []string{"value[b]"}}}
	return t
}

// toolWriter is what Replay, Possible and Diff have in common.
type toolWriter interface {
	Write(io.Writer, TextOptions) error
}

func tools() map[string]toolWriter {
	store, evil, blocked := handmade(), hostile(), &model.Misfit{Step: 4, Instance: handmade().Steps[4].Instance, Blocked: "room in the log"}
	elsewhere := model.Configuration{Scenario: "crash", Settings: []model.Setting{
		{Name: "crashes", Value: "2", Default: "0"}, {Name: "sync", Value: "off", Default: "off", Fix: true}}}
	values := []Needed{{"log", "[CONF a=1]", "[CONF]"}, {"acked", "", "1"}}
	nasty := []Needed{{evil.Steps[1].Fields[0].Name, evil.Steps[1].Fields[1].Value, "\x1b[2J"}}
	witness := handmade()
	witness.Verdict, witness.Kind = model.Reached, model.Witness
	other := handmade()
	other.Config = elsewhere
	other.Steps = append(other.Steps[:4:4], other.Steps[5:8]...)
	other.Steps[4].Fields = []model.Field{{Name: "log", Value: "[CONF]"}, {Name: "acked", Value: "0"}, {Name: "value[a]", Value: "1"}, {Name: "new", Value: "x"}}
	stays := lasso()
	stays.Loop = len(stays.Steps) - 1
	differs := &model.Misfit{Step: 3, Instance: store.Steps[3].Instance, Differ: []model.Difference{{Name: "log", Want: "[CONF a=1]", Got: "[CONF]"}, {Name: "acked", Want: "0", NoGot: true}, {Name: "new", Got: "1", NoWant: true}}}
	return map[string]toolWriter{
		"replay-fits":          &Replay{Trace: store, Here: store.Config, Shown: 10},
		"replay-early":         &Replay{Trace: store, Here: store.Config, Shown: 7},
		"replay-holds":         &Replay{Trace: store, Here: elsewhere, Shown: -1, Missing: "ReplicasAgree holds there"},
		"replay-blocked":       &Replay{Trace: store, Here: elsewhere, Misfit: blocked, Values: values, Shown: -1},
		"replay-differs":       &Replay{Trace: store, Here: elsewhere, Misfit: differs, Shown: -1},
		"replay-goes-on":       &Replay{Trace: store, Here: elsewhere, Differs: differs, Shown: 10},
		"replay-goes-on-start": &Replay{Trace: store, Here: elsewhere, Differs: &model.Misfit{Differ: differs.Differ[:1]}, Misfit: blocked, Values: values, Shown: -1},
		"replay-start":         &Replay{Trace: store, Here: elsewhere, Misfit: &model.Misfit{Differ: differs.Differ[:1]}, Shown: -1},
		"replay-unknown":       &Replay{Trace: witness, Here: store.Config, Misfit: &model.Misfit{Step: 6, Instance: store.Steps[6].Instance, Unknown: "there is no action Crash"}, Shown: -1},
		"replay-open":          &Replay{Trace: lasso(), Misfit: &model.Misfit{Step: 5, Open: true}, Shown: -1},
		"replay-fault":         &Replay{Trace: faulty(), Misfit: &model.Misfit{Step: 2, Fault: &model.Fault{Kind: model.Panicked, Where: "Write", What: "broken"}}, Shown: -1},
		"replay-hostile":       &Replay{Trace: evil, Here: evil.Config, Misfit: &model.Misfit{Step: 4, Blocked: "\x1b[31m\n"}, Values: nasty, Shown: -1},
		"possible": &Possible{Trace: store, Here: store.Config, Step: 3, Excluded: []string{"Split", "Heal"},
			Enabled: []Enabled{
				{"Append", []Option{{Instance: store.Steps[4].Instance, Taken: true}, {Instance: store.Steps[3].Instance, Nothing: true}}},
				{"Crash", []Option{{Instance: store.Steps[6].Instance, Fault: "Crash: panic: broken"}}},
				{"Apply", many(store.Steps[5].Instance, 9)},
			},
			Blocked: []Blocked{
				{"Tick", []model.Instance{store.Steps[7].Instance}, 1, "guard", nil, true},
				{"Write", []model.Instance{store.Steps[1].Instance, store.Steps[2].Instance}, 2, "idle", values[:1], false},
				{"Apply", []model.Instance{store.Steps[5].Instance}, 9, "in order", values, false},
				{"Write", []model.Instance{store.Steps[1].Instance, store.Steps[2].Instance}, 9, "excluded by the settings", nil, false},
			}},
		"possible-nothing": &Possible{Trace: faulty(), Step: 0},
		"possible-hostile": &Possible{Trace: evil, Step: 2, Excluded: []string{evil.Steps[1].Action},
			Enabled: []Enabled{{"x", []Option{{Instance: evil.Steps[4].Instance, Fault: "\r\n"}}}},
			Blocked: []Blocked{{evil.Steps[5].Action, []model.Instance{evil.Steps[5].Instance}, 3, "\u202e", nasty, true}}},
		"diff":         &Diff{Side{"a.json", store, "violates ReplicasAgree in 10 steps"}, Side{"b.json", other, "goes no further"}},
		"diff-same":    &Diff{Side{"a.json", store, "this"}, Side{"b.json", handmade(), "that"}},
		"diff-start":   &Diff{Side{"a.json", store, "this"}, Side{"b.json", lasso(), "that"}},
		"diff-loops":   &Diff{Side{"a.json", lasso(), "this"}, Side{"b.json", stays, "that"}},
		"diff-prefix":  &Diff{Side{"a.json", store, "this"}, Side{"b.json", faulty(), "that"}},
		"diff-hostile": &Diff{Side{"\x1b[2J", store, "\n"}, Side{"b", evil, "\u202e"}},
	}
}

func many(in model.Instance, n int) (all []Option) {
	for range n {
		all = append(all, Option{Instance: in})
	}
	return all
}

func TestToolsGolden(t *testing.T) {
	for name, w := range tools() {
		t.Run(name, func(t *testing.T) {
			golden(t, name+".txt", []byte(written(t, func(b io.Writer) error { return w.Write(b, TextOptions{}) })))
		})
	}
}

// TestToolsFit: no line is too wide, ends in a space or harms a terminal, and
// colour adds nothing but colour.
func TestToolsFit(t *testing.T) {
	for name, w := range tools() {
		for _, width := range []int{30, 63, 64, 80, 133} {
			plainText := written(t, func(b io.Writer) error { return w.Write(b, TextOptions{Width: width}) })
			for i, line := range strings.Split(plainText, "\n") {
				if columns(line) > width || strings.TrimRight(line, " ") != line || plain(line) != line {
					t.Errorf("%s at width %d: line %d has %d columns: %q", name, width, i+1, columns(line), line)
				}
			}
			coloured := written(t, func(b io.Writer) error { return w.Write(b, TextOptions{Width: width, Color: true}) })
			if colours.ReplaceAllString(coloured, "") != plainText {
				t.Errorf("%s at width %d: colour changes the text", name, width)
			}
		}
		if err := w.Write(failing{}, TextOptions{}); err != errFull {
			t.Errorf("%s: got %v of a writer that fails", name, err)
		}
	}
}

func TestCausesText(t *testing.T) {
	golden(t, "causes.txt", []byte(textOf(t, causal(), TextOptions{Causes: true})))
	without := causal()
	without.Steps[6].Idle = false
	if got, want := textOf(t, without, TextOptions{}), textOf(t, handmade(), TextOptions{}); got != want {
		t.Errorf("causes are told unasked:\n%s", got)
	}
}

// TestCausesAreChecked: what is read back is as sound as what was written.
func TestCausesAreChecked(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*model.Trace)
		want  string
	}{
		{"good", func(*model.Trace) {}, ""},
		{"itself", func(t *model.Trace) { t.Steps[3].Because[0].Step = 3 }, "steps[3].because[0].step is 3; want an earlier one, after step 0"},
		{"the initial state", func(t *model.Trace) { t.Because[0].Step = 0 }, "because[0].step is 0; want an earlier one, after step 0"},
		{"out of order", func(t *model.Trace) { t.Because[1].Step = 4 }, "because[1].step is 4; want an earlier one, after step 4"},
		{"beyond", func(t *model.Trace) { t.Because[2].Step = 11 }, "because[2].step is 11; want an earlier one, after step 8"},
		{"no fields", func(t *model.Trace) { t.Because[2].Fields = nil }, "because[2].fields is empty"},
		{"initial state", func(t *model.Trace) { t.Steps[0].Because = t.Because[:1] }, "steps[0].because[0].step is 4; want an earlier one, after step 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := causal()
			c.spoil(tr)
			d := document()
			d.Runs[0].Results[0].Trace = tr
			var b bytes.Buffer
			if err := Encode(&b, d); err != nil {
				t.Fatal(err)
			}
			got := ""
			if _, err := Decode(&b, "x.json"); err != nil {
				got = strings.TrimPrefix(err.Error(), "x.json: runs[0].results[0].trace.")
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestAlign compares with the longest common subsequence found by trying all.
func TestAlign(t *testing.T) {
	steps := func(names string) (all []model.TraceStep) {
		for _, r := range names {
			all = append(all, model.TraceStep{Instance: model.Instance{Action: string(r)}})
		}
		return all
	}
	var common func(a, b string) int
	common = func(a, b string) int {
		switch {
		case a == "" || b == "":
			return 0
		case a[0] == b[0]:
			return 1 + common(a[1:], b[1:])
		}
		return max(common(a[1:], b), common(a, b[1:]))
	}
	for _, c := range [][2]string{{"", ""}, {"a", ""}, {"", "ab"}, {"abc", "abc"}, {"abcd", "bcda"}, {"xaybz", "ab"}, {"abab", "baba"}, {"aabb", "bbaa"}} {
		pairs := 0
		var left, right string
		for _, row := range align(steps(c[0]), steps(c[1])) {
			if row[0] >= 0 {
				left += c[0][row[0] : row[0]+1]
			}
			if row[1] >= 0 {
				right += c[1][row[1] : row[1]+1]
			}
			if row[0] >= 0 && row[1] >= 0 {
				pairs++
				if c[0][row[0]] != c[1][row[1]] {
					t.Errorf("%q: unlike steps in a row", c)
				}
			}
		}
		if left != c[0] || right != c[1] || pairs != common(c[0], c[1]) {
			t.Errorf("%q: got %q, %q and %d in common, want all and %d", c, left, right, pairs, common(c[0], c[1]))
		}
	}
}

// TestAlignLong: behaviours that are too long for the table go step by step.
func TestAlignLong(t *testing.T) {
	long := make([]model.TraceStep, 2100)
	if rows := align(long, long[:2050]); len(rows) != 2100 || rows[2049] != [2]int{2049, 2049} || rows[2050] != [2]int{2050, -1} {
		t.Errorf("got %d rows", len(rows))
	}
}

// graphs are state graphs with every mark.
func graphs() map[string]*StateGraph {
	field := func(v string) []model.Field {
		return []model.Field{{Name: "n", Value: v}, {Name: "same", Value: "on"}, {Name: "none", Value: "0"}}
	}
	evil := hostile()
	return map[string]*StateGraph{
		"graph": {Spec: "store", Bug: "STORE-17", Config: handmade().Config, Note: "5 states",
			Nodes: []StateNode{
				{Fields: field("0"), States: 1, Initial: true}, {Fields: field("1"), States: 1, Reaches: []string{"One"}},
				{Fields: field("2"), States: 1, Violates: []string{"Small", "Even"}, Deadlock: true}, {Fields: field("3"), States: 1, Terminal: true},
				{Fields: field("4"), States: 1, Cut: true},
			},
			Arcs: []StateArc{{0, 1, []string{"Inc", "Set(n=1)"}, nil}, {1, 2, []string{"Inc"}, []string{"NeverTwo"}}, {1, 3, []string{"Jump"}, nil}, {3, 4, []string{"Inc"}, nil}}},
		"graph-merged": {Spec: "store", Merged: []string{"n"}, Note: "1,200 states in 1 box",
			Nodes: []StateNode{{Fields: field("0")[:1], States: 1200, Initial: true, Deadlock: true, Terminal: true}}},
		"graph-hostile": {Spec: evil.Spec, Config: evil.Config, Note: "2 states",
			Nodes: []StateNode{{Fields: evil.Steps[0].Fields, States: 1, Violates: []string{evil.Property}}, {Fields: evil.Steps[4].Fields, States: 1}},
			Arcs:  []StateArc{{0, 1, []string{evil.Steps[2].String(), evil.Steps[3].String()}, []string{evil.Property}}}},
	}
}

func TestStateGraphGolden(t *testing.T) {
	for name, g := range graphs() {
		t.Run(name, func(t *testing.T) {
			golden(t, name+".dot", []byte(written(t, func(w io.Writer) error { return g.Draw(w, "dot") })))
		})
	}
}

// TestStateGraphIsDrawn has Graphviz draw it without complaint.
func TestStateGraphIsDrawn(t *testing.T) {
	for name, g := range graphs() {
		dotSVG(t, g.Dot())
		out := written(t, func(w io.Writer) error { return g.Draw(w, "svg") })
		if got := strings.Count(out, `class="edge"`); got < len(g.Arcs) {
			t.Errorf("%s: got %d arrows, want at least %d", name, got, len(g.Arcs))
		}
	}
}
