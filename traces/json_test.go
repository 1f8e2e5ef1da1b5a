package traces

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"mc/model"
)

func encoded(t testing.TB, d *Document) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Encode(&b, d); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestEncodeGolden(t *testing.T) {
	golden(t, "document.json", encoded(t, document()))
}

// TestRoundTrip: what was encoded comes back, and shows the same.
func TestRoundTrip(t *testing.T) {
	want := document()
	text := encoded(t, want)
	got, err := Decode(io.MultiReader(strings.NewReader("\ufeff"), bytes.NewReader(text)), "x.json")
	if err != nil {
		t.Fatal(err)
	}
	if again := encoded(t, got); !bytes.Equal(again, text) {
		t.Errorf("encoded again: got\n%s\nwant\n%s", again, text)
	}
	if !reflect.DeepEqual(got, want.filled()) {
		t.Errorf("got %+v\nwant %+v", got, want.filled())
	}
	for i := range want.Runs {
		for j, r := range want.Runs[i].Results {
			if r.Trace == nil {
				continue
			}
			saved := got.Runs[i].Results[j].Trace
			if a, b := textOf(t, saved, TextOptions{}), textOf(t, r.Trace, TextOptions{}); a != b {
				t.Errorf("%s: got\n%s\nwant\n%s", r.Property, a, b)
			}
			if Dot(saved) != Dot(r.Trace) {
				t.Errorf("%s: the graph differs", r.Property)
			}
		}
	}
}

// TestEncodeHostile: the file holds nothing but printable ASCII-safe text, and
// labels come back as they were, broken UTF-8 aside.
func TestEncodeHostile(t *testing.T) {
	tr := hostile()
	tr.Meaning = "\x1b[31m \u202e \u009b \U000e0001 日本 \\u0041 <&>"
	text := encoded(t, &Document{Runs: []Run{{Spec: tr.Spec, Config: tr.Config, Results: []Result{
		{Property: tr.Property, Kind: model.Invariant, Verdict: model.Violated, Trace: tr, Steps: len(tr.Steps) - 1},
	}}}})
	for i, line := range strings.Split(string(text), "\n") {
		if plain(line) != line {
			t.Errorf("line %d is not plain: %q", i+1, line)
		}
	}
	d, err := Decode(bytes.NewReader(text), "x.json")
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Runs[0].Results[0].Trace.Meaning; got != tr.Meaning {
		t.Errorf("got %q, want %q", got, tr.Meaning)
	}
}

// edit changes the JSON of the sample document.
func edit(t *testing.T, change func(doc map[string]any)) string {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(encoded(t, document()), &doc); err != nil {
		t.Fatal(err)
	}
	change(doc)
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// at follows a path of keys and indices.
func at(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			v = v.(map[string]any)[p]
		case int:
			v = v.([]any)[p]
		}
	}
	return v
}

func TestDecodeRefuses(t *testing.T) {
	whole := string(encoded(t, document()))
	set := func(key string, value any, path ...any) string {
		return edit(t, func(doc map[string]any) { at(doc, path...).(map[string]any)[key] = value })
	}
	result := []any{"runs", 0, "results", 0}
	trace := append(result[:4:4], "trace")
	lasso := []any{"runs", 1, "results", 0, "trace"}
	step := append(trace[:5:5], "steps", 3)
	claim := func(c map[string]any) any { return []any{map[string]any{"spec": "a", "id": "C1", "cases": []any{c}}} }
	tests := []struct{ name, text, want string }{
		{"empty", "", "x.json: not a report of mc: want a JSON object"},
		{"text", "hello", "x.json: not a report of mc: want a JSON object"},
		{"array", "[]", "x.json: not a report of mc: want a JSON object"},
		{"null", "null", "x.json: not a report of mc: want a JSON object"},
		{"two byte order marks", "\ufeff\ufeff" + whole, "x.json: not a report of mc: want a JSON object"},
		{"foreign", `{"name": "mc", "dependencies": {}}`, "x.json: not a report of mc: it has no version"},
		{"foreign version", `{"version": "3.1"}`, "x.json:1:17: version is a JSON string; want a whole number that fits"},
		{"version 0", `{"version": 0}`, "x.json: version 0: want 1"},
		{"newer", `{"version": 2, "novelty": true}`, "x.json: version 2 is newer than this mc, which reads 1"},
		{"unknown field", `{"version": 1, "novelty": true}`, `x.json: unknown field "novelty"`},
		{"truncated", whole[:len(whole)/2], fmt.Sprintf("x.json:%d:%d: ends too early", strings.Count(whole[:len(whole)/2], "\n")+1, len(whole)/2-strings.LastIndex(whole[:len(whole)/2], "\n"))},
		{"brace only", "{", "x.json:1:2: ends too early"},
		{"syntax", "{\n  \"version\": 1,\n  oops\n}", "x.json:3:3: invalid character 'o' looking for beginning of object key string"},
		{"more", whole + "{}", fmt.Sprintf("x.json:%d:1: invalid character '{' after top-level value", strings.Count(whole, "\n")+1)},
		{"control in error", "{\"version\": 1, \x1b}", `x.json:1:16: invalid character '\x1b' looking for beginning of object key string`},
		{"wrong type", `{"version": 1, "exit": 0, "runs": {}}`, "x.json:1:35: runs is a JSON object; want an array"},
		{"fraction", `{"version": 1, "exit": 0.5}`, "x.json:1:26: exit is a JSON number 0.5; want a whole number that fits"},
		{"negative count", set("distinct", -1, "runs", 0), ""},
		{"deep", strings.Repeat(`{"a":`, 20000), "x.json:1:50001: invalid character '{' exceeded max depth"},
		{"exit", set("exit", 256), "x.json: exit is 256; want 0 to 255"},
		{"no spec", set("spec", "", "runs", 1), "x.json: runs[1].spec is empty"},
		{"depth", set("depth", -1, "runs", 0), "x.json: runs[0].depth, seconds, memoryBytes or stateBytes is below 0"},
		{"no property", set("property", "", result...), "x.json: runs[0].results[0].property is empty"},
		{"kind", set("kind", "hunch", result...), `x.json: runs[0].results[0].kind is "hunch"; want one of "invariant", "step invariant", "witness", "deadlock freedom", "leads-to", "eventually", "eventually always", "always eventually"`},
		{"verdict", set("verdict", "maybe", result...), `x.json: runs[0].results[0].verdict is "maybe"; want one of "holds", "violated", "reachable", "unreachable", "incomplete"`},
		{"trace's verdict", set("verdict", "holds", trace...), `x.json: runs[0].results[0].trace.verdict is "holds"; want "violated", as the result has`},
		{"trace's property", set("property", "Other", trace...), `x.json: runs[0].results[0].trace.property is "Other"; want "ReplicasAgree", as the result has`},
		{"trace's spec", set("spec", "shop", trace...), `x.json: runs[0].results[0].trace.spec is "shop"; want "store", as the search has`},
		{"trace's scenario", set("scenario", "flood", append(trace[:5:5], "config")...), `x.json: runs[0].results[0].trace.config.scenario is "flood"; want "crash", as the search has`},
		{"trace's settings", set("settings", []any{}, append(trace[:5:5], "config")...), "x.json: runs[0].results[0].trace.config.settings are not those of the search"},
		{"fault's spec", set("spec", "shop", "runs", 2, "fault"), `x.json: runs[2].fault.spec is "shop"; want "store", as the search has`},
		{"number of steps", set("steps", 3, result...), "x.json: runs[0].results[0].steps is 3; want 10, as the trace has"},
		{"steps without trace", set("steps", 3, "runs", 0, "results", 1), "x.json: runs[0].results[1].steps is 3; want 0 where none lead there"},
		{"no steps", edit(t, func(doc map[string]any) {
			at(doc, result...).(map[string]any)["steps"] = -1
			at(doc, trace...).(map[string]any)["steps"] = []any{}
		}), "x.json: runs[0].results[0].trace.steps is empty; want an initial state at least"},
		{"step to the initial state", set("messages", []any{map[string]any{"id": "m", "to": "leader"}}, append(trace[:5:5], "steps", 0)...),
			"x.json: runs[0].results[0].trace.steps[0] has an action, a lane or messages; want an initial state"},
		{"loop", set("loop", 3, "runs", 2, "fault"), "x.json: runs[2].fault.loop is 3; want -1 to 2"},
		{"open loop", set("loop", 1, lasso...), "x.json: runs[1].results[0].trace.loop is 1, and the last step does not lead to the fields of steps[1]"},
		{"no loop", set("loop", -1, lasso...), `x.json: runs[1].results[0].trace.loop is -1 for the kind "leads-to"; want that of a behaviour without an end`},
		{"loop of an invariant", set("loop", 10, trace...), `x.json: runs[0].results[0].trace.loop is 10 for the kind "invariant"; want -1`},
		{"trace of what holds", edit(t, func(doc map[string]any) {
			at(doc, result...).(map[string]any)["verdict"] = "holds"
			at(doc, trace...).(map[string]any)["verdict"] = "holds"
		}), `x.json: runs[0].results[0].verdict is "holds" of a property of the kind "invariant", and there is a trace; want "reachable" for a witness, and "violated" for all others`},
		{"violated witness", edit(t, func(doc map[string]any) {
			at(doc, result...).(map[string]any)["kind"] = "witness"
			at(doc, trace...).(map[string]any)["kind"] = "witness"
		}), `x.json: runs[0].results[0].verdict is "violated" of a property of the kind "witness", and there is a trace; want "reachable" for a witness, and "violated" for all others`},
		{"property twice", set("property", "ReplicasAgree", "runs", 0, "results", 1), `x.json: runs[0].results[1].property is "ReplicasAgree", which is there twice`},
		{"refuted truth", set("truths", []any{map[string]any{"property": "ReplicasAgree", "kind": "invariant", "steps": "11111111111"}}, trace...),
			`x.json: runs[0].results[0].trace.truths[0].steps says that "ReplicasAgree" holds in the last state, which the trace is there to refute`},
		{"truth twice", set("truths", []any{map[string]any{"property": "Other", "kind": "invariant", "steps": "11111111111"}, map[string]any{"property": "Other", "kind": "invariant", "steps": "11111111111"}}, trace...),
			`x.json: runs[0].results[0].trace.truths[1].property is "Other", which is there twice`},
		{"setting twice", edit(t, func(doc map[string]any) {
			c := at(doc, "runs", 0, "config").(map[string]any)
			c["settings"] = append(c["settings"].([]any), c["settings"].([]any)[0])
		}), `x.json: runs[0].config.settings[3].name is "crashes", which is there twice`},
		{"fix", set("value", "maybe", "runs", 0, "config", "settings", 1), `x.json: runs[0].config.settings[1].value is "maybe"; want "on" or "off", as of any fix`},
		{"field twice", edit(t, func(doc map[string]any) {
			s := at(doc, append(trace[:5:5], "steps", 0)...).(map[string]any)
			s["fields"] = append(s["fields"].([]any), s["fields"].([]any)[0])
		}), `x.json: runs[0].results[0].trace.steps[0].fields[4].name is "log", which is there twice`},
		{"lanes", set("lanes", []string{"a", "a"}, trace...), `x.json: runs[0].results[0].trace.lanes has "a" twice or empty`},
		{"lane", set("lane", "moon", step...), `x.json: runs[0].results[0].trace.steps[3].lane is "moon"; want one of "client", "unused", "leader", "log", "replica"`},
		{"long lane", set("lane", strings.Repeat("x", 1000), step...), `x.json: runs[0].results[0].trace.steps[3].lane is "` + strings.Repeat("x", 60) + `"; want one of "client", "unused", "leader", "log", "replica"`},
		{"message", set("to", "moon", append(step[:7:7], "messages", 1)...), `x.json: runs[0].results[0].trace.steps[3].messages[1].to is "moon"; want one of "client", "unused", "leader", "log", "replica"`},
		{"action", set("action", "", step...), "x.json: runs[0].results[0].trace.steps[3].action is empty"},
		{"fields", set("fields", []any{}, step...), "x.json: runs[0].results[0].trace.steps[3].fields are not those of steps[0]"},
		{"expected", set("expected", "maybe", result...), `x.json: runs[0].results[0].expected is "maybe"; want one of "holds", "violated", "reachable", "unreachable", "incomplete"`},
		{"location elsewhere", set("location", map[string]any{"file": "../x.go", "line": 1}, result...), `x.json: runs[0].results[0].location is line 1 of "../x.go"; want a line from 1 on of a file in the module`},
		{"no line", set("location", map[string]any{"file": "x.go"}, step...), `x.json: runs[0].results[0].trace.steps[3].location is line 0 of "x.go"; want a line from 1 on of a file in the module`},
		{"spec's location", set("location", map[string]any{"line": 3}, "runs", 1), `x.json: runs[1].location is line 3 of ""; want a line from 1 on of a file in the module`},
		{"claim", set("claims", []any{map[string]any{"spec": "a"}}), "x.json: claims[0].spec or id is empty"},
		{"claim's run", set("claims", claim(map[string]any{"run": 3})), "x.json: claims[0].cases[0].run is 3; want the index of one of 3 runs"},
		{"outcome", set("claims", claim(map[string]any{"verdicts": []any{map[string]any{"outcome": "fine"}}})), `x.json: claims[0].cases[0].verdicts[0].outcome is "fine"; want one of "agrees", "differs", "known to differ", "incomplete", "skipped"`},
		{"claim's verdict", set("claims", claim(map[string]any{"verdicts": []any{map[string]any{"outcome": "agrees", "found": "so"}}})), `x.json: claims[0].cases[0].verdicts[0] has the verdict "so"; want one of "holds", "violated", "reachable", "unreachable", "incomplete"`},
		{"fault", set("fault", "", "runs", 2, "fault"), "x.json: runs[2].fault.fault is empty"},
		{"fault's loop", set("loop", -2, "runs", 2, "fault"), "x.json: runs[2].fault.loop is -2; want -1 to 2"},
		{"many objects", `{"version": 1, "runs": [` + strings.Repeat("{},", maxObjects) + "{}]}", "x.json: too large for a report of mc; want at most 2236962 objects"},
		{"many nulls", `{"version": 1, "runs": [` + strings.Repeat("null,", maxObjects) + "{}]}", "x.json: too large for a report of mc; want at most 2236962 objects"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d, err := Decode(strings.NewReader(test.text), "x.json")
			if err == nil {
				t.Fatalf("got a document, want %s", test.want)
			}
			if d != nil {
				t.Error("got a document with the error")
			}
			if test.want != "" && err.Error() != test.want {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
			if s := err.Error(); plain(s) != s {
				t.Errorf("not plain: %q", s)
			}
		})
	}
}

// TestDecodeEndless reads no more than it may.
func TestDecodeEndless(t *testing.T) {
	r := &endless{}
	_, err := Decode(r, "zero")
	if want := "zero: too large for a report of mc; want at most 64 MB"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if r.read > MaxBytes+1<<20 {
		t.Errorf("read %d bytes", r.read)
	}
}

type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	e.read += len(b)
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

func TestDecodeReadError(t *testing.T) {
	broken := errors.New("disk on fire")
	_, err := Decode(io.MultiReader(strings.NewReader("{"), iotest.ErrReader(broken)), "a\nb")
	if want := `a\nb: disk on fire`; err == nil || err.Error() != want || !errors.Is(err, broken) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// FuzzDecode: nothing that is read makes this package panic, and what is
// accepted is shown, and written and read again.
func FuzzDecode(f *testing.F) {
	// Small seeds: large ones cost time and find no more.
	small := stutter()
	small.Steps[1].Messages = append(small.Steps[1].Messages, model.Message{To: "client 1", Call: true})
	broken := faulty()
	broken.Steps = broken.Steps[:2]
	for _, d := range []*Document{
		{Runs: []Run{{Spec: "s"}}},
		{Runs: []Run{{Spec: "s", Fault: broken}}},
		{Runs: []Run{{Spec: "s", Actions: []Count{{Action: "A", Steps: 1}}, Results: []Result{
			{Property: "p", Kind: model.Leads, Verdict: model.Violated, Trace: small, Steps: 2}}}}},
	} {
		text := encoded(f, d)
		f.Add(text)
		f.Add(text[:len(text)/3])
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := Decode(bytes.NewReader(text), "x")
		if err != nil {
			if s := err.Error(); plain(s) != s {
				t.Errorf("not plain: %q", s)
			}
			return
		}
		written(t, func(w io.Writer) error { return Markdown(w, d, &Choice{All: true}) })
		for i := range d.Runs {
			r := &d.Runs[i]
			if err := Summary(io.Discard, []Run{*r}, TextOptions{Full: true, Coverage: true, Color: true}); err != nil {
				t.Error(err)
			}
			shown := []*model.Trace{r.Fault}
			for _, res := range r.Results {
				shown = append(shown, res.Trace)
			}
			for _, tr := range shown {
				if tr != nil {
					textOf(t, tr, TextOptions{Full: true, Color: true, Width: 1})
					showEverywhere(t, &Behaviour{Trace: tr})
				}
			}
		}
		first := encoded(t, d)
		again, err := Decode(bytes.NewReader(first), "x")
		if err != nil {
			t.Fatal(err)
		}
		if second := encoded(t, again); !bytes.Equal(first, second) {
			t.Errorf("got\n%s\nwant\n%s", second, first)
		}
	})
}
