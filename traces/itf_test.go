package traces

import (
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"testing"

	"mc/model"
)

// fieldsOf makes states of values that are written as "name=value; …".
func fieldsOf(states ...string) *model.Trace {
	t := &model.Trace{Spec: "s", Loop: -1}
	for i, state := range states {
		s := model.TraceStep{}
		if i > 0 {
			s.Action = "Step"
		}
		for part := range strings.SplitSeq(state, "; ") {
			name, v, _ := strings.Cut(part, "=")
			s.Fields = append(s.Fields, model.Field{Name: name, Value: v})
		}
		t.Steps = append(t.Steps, s)
	}
	return t
}

// TestEncodeITF: types are those that fit all values of a field.
func TestEncodeITF(t *testing.T) {
	for _, test := range []struct {
		name   string
		states []string
		types  string // varTypes
		first  string // the first state without its #meta
	}{
		{"numbers", []string{"n=0", "n=-12345678901234567890"}, `{"n":"Int"}`, `{"n":{"#bigint":"0"}}`},
		{"no numbers", []string{"n=007", "n=1"}, `{"n":"Str"}`, `{"n":"007"}`},
		{"booleans", []string{"b=true", "b=false"}, `{"b":"Bool"}`, `{"b":true}`},
		{"mixed", []string{"b=true", "b=0"}, `{"b":"Str"}`, `{"b":"true"}`},
		{"set", []string{"s={}", "s={a, (b, c)}"}, `{"s":"Set(Str)"}`, `{"s":{"#set":[]}}`},
		{"set of numbers", []string{"s={1, 2}"}, `{"s":"Set(Int)"}`, `{"s":{"#set":[{"#bigint":"1"},{"#bigint":"2"}]}}`},
		{"map", []string{"m={c1: 0}", "m={}"}, `{"m":"Str -> Int"}`, `{"m":{"#map":[["c1",{"#bigint":"0"}]]}}`},
		{"half a map", []string{"m={a: 1, b}"}, `{"m":"Str"}`, `{"m":"{a: 1, b}"}`},
		{"list", []string{"q=[1 2]", "q=[]"}, `{"q":"Seq(Int)"}`, `{"q":[{"#bigint":"1"},{"#bigint":"2"}]}`},
		{"text in brackets", []string{"q=[put a 1]", "q=[]"}, `{"q":"Str"}`, `{"q":"[put a 1]"}`},
		{"array", []string{"x[a]=1; x[b]=2"}, `{"x":"Str -> Int"}`, `{"x":{"#map":[["a",{"#bigint":"1"}],["b",{"#bigint":"2"}]]}}`},
		{"one type for an array", []string{"x[a]=1; x[b]=none"}, `{"x":"Str -> Str"}`, `{"x":{"#map":[["a","1"],["b","none"]]}}`},
		{"indices", []string{"x[0].y=1; x[1].y=2"}, `{"x":"Int -> { y: Int }"}`, `{"x":{"#map":[[{"#bigint":"0"},{"y":{"#bigint":"1"}}],[{"#bigint":"1"},{"y":{"#bigint":"2"}}]]}}`},
		{"record", []string{"r.a=1; r.b=x"}, `{"r":"{ a: Int, b: Str }"}`, `{"r":{"a":{"#bigint":"1"},"b":"x"}}`},
		{"names in each other's way", []string{"r.a=1; r=x"}, `{"r":"Str","r.a":"Int"}`, `{"r":"x","r.a":{"#bigint":"1"}}`},
		{"names of the format", []string{"#meta=1; =2; _=3"}, `{"_":"Int","_#meta":"Int","_'":"Int"}`, `{"_":{"#bigint":"2"},"_#meta":{"#bigint":"1"},"_'":{"#bigint":"3"}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := written(t, func(w io.Writer) error { return EncodeITF(w, fieldsOf(test.states...)) })
			var file struct {
				Meta struct {
					VarTypes json.RawMessage
				} `json:"#meta"`
				States []map[string]json.RawMessage
			}
			if err := json.Unmarshal([]byte(text), &file); err != nil {
				t.Fatal(err)
			}
			if got := string(file.Meta.VarTypes); got != test.types {
				t.Errorf("types: got %s, want %s", got, test.types)
			}
			delete(file.States[0], "#meta")
			if got, _ := json.Marshal(file.States[0]); string(got) != test.first {
				t.Errorf("got %s, want %s", got, test.first)
			}
		})
	}
}

// TestITFRoundTrip: a trace comes back with its steps, lanes, fields and loop.
func TestITFRoundTrip(t *testing.T) {
	for name, want := range samples(t) {
		if name == "hostile" { // TestHostileLabels has it
			continue
		}
		text := written(t, func(w io.Writer) error { return EncodeITF(w, want) })
		_, got, err := DecodeAny(strings.NewReader(text), name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Property != want.Property || got.Verdict != want.Verdict || got.Kind != want.Kind || got.Loop != want.Loop {
			t.Errorf("%s: got %+v, want %+v", name, got, want)
		}
		for i, s := range want.Steps {
			s.Doc, s.Messages, s.Location = "", nil, model.Location{} // not written
			if !reflect.DeepEqual(got.Steps[i], s) {
				t.Errorf("%s, step %d: got %+v, want %+v", name, i, got.Steps[i], s)
			}
		}
	}
}

// apalache is a trace in the form of another tool.
const apalache = `{
  "#meta": {"format": "ITF", "varTypes": {"boat": "Str"}, "timestamp": 1},
  "vars": ["boat", "who", "n", "q", "v"],
  "states": [
    {"#meta": {"index": 0}, "boat": "E", "who": {"#map": [["E", {"#set": ["c2", "c1"]}], ["W", {"#set": []}]]},
     "n": 3, "q": [1, {"#tup": [true, "x"]}], "v": {"tag": "None", "value": {}}},
    {"#meta": {"index": 1}, "boat": "W", "who": {"#map": [["W", {"#set": [{"#bigint": "10"}, {"#bigint": "9"}]}], ["E", {"#set": ["c1"]}]]},
     "n": {"#bigint": "4"}, "q": [], "v": {"tag": "Some", "value": {"#unserializable": "Int"}}}
  ],
  "loop": 0
}`

func TestDecodeITF(t *testing.T) {
	_, tr, err := DecodeAny(strings.NewReader(apalache), "x")
	if err != nil {
		t.Fatal(err)
	}
	want := fieldsOf(
		"boat=E; who[E]={c1, c2}; who[W]={}; n=3; q=[1 (true, x)]; v.tag=None; v.value={}",
		"boat=W; who[E]={c1}; who[W]={9, 10}; n=4; q=[]; v.tag=Some; v.value=Int",
		// The loop leads back to the first state, which the file leaves out.
		"boat=E; who[E]={c1, c2}; who[W]={}; n=3; q=[1 (true, x)]; v.tag=None; v.value={}",
	)
	want.Spec, want.Loop = "trace", 0
	if !reflect.DeepEqual(tr, want) {
		t.Errorf("got %+v\nwant %+v", tr, want)
	}
	if text := textOf(t, tr, TextOptions{}); !strings.HasPrefix(text, "a behaviour of trace\n") {
		t.Errorf("got %s", text)
	}
}

func TestDecodeITFRefuses(t *testing.T) {
	with := func(value string) string {
		return `{"vars": ["x"], "states": [{"x": 1}, {"x": ` + value + `}]}`
	}
	for _, test := range []struct{ name, text, want string }{
		{"no states", `{"vars": ["x"], "states": []}`, "x: states is empty; want an initial state at least"},
		{"no variables", `{"states": [{}]}`, "x: vars is empty; want the names of variables"},
		{"variable twice", `{"vars": ["x", "x"], "states": [{"x": 1}]}`, "x: vars has a name twice"},
		{"type", "{\"vars\": 1,\n \"states\": [{}]}", "x:1:10: vars is a JSON number; want an array"},
		{"loop", `{"vars": ["x"], "states": [{"x": 1}], "loop": 1}`, "x: loop is 1; want 0 to 0"},
		{"missing", `{"vars": ["x", "y"], "states": [{"x": 1, "y": 2}, {"x": 1}]}`, `x: states[1] has no "y", which vars names`},
		{"null", with("null"), `x: states[1], variable "x": null is no value`},
		{"number", with(`{"#bigint": 1}`), `x: states[1], variable "x": "#bigint": want #bigint with a number in quotes, #unserializable with a text, or #set, #tup or #map with an array`},
		{"no number", with(`[{"#bigint": "one"}]`), `x: states[1], variable "x": "#bigint": want #bigint with a number in quotes, #unserializable with a text, or #set, #tup or #map with an array`},
		{"pairs", with(`{"#map": [[1, 2, 3]]}`), `x: states[1], variable "x": #map: want an array of pairs`},
		{"two tags", with(`{"#set": [], "x": 1}`), `x: states[1], variable "x": "#set" is not alone in its object`},
		{"deep", with(strings.Repeat("[", 200) + strings.Repeat("]", 200)), `x: states[1], variable "x": nested more than 100 deep`},
		{"many values", with("[" + strings.Repeat("0,", maxITFValues) + "0]"), "x: too large for a trace; want at most 16 MB and 1048576 values"},
		{"large", with(`"` + strings.Repeat("x", maxITFBytes) + `"`), "x: too large for a trace; want at most 16 MB and 1048576 values"},
		{"a document after all", `{"version": 1, "states": []}`, `x: unknown field "states"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, tr, err := DecodeAny(strings.NewReader(test.text), "x"); err == nil || err.Error() != test.want || tr != nil {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

// FuzzITF: nothing that is read makes this package panic, and what is accepted
// is shown in every format.
func FuzzITF(f *testing.F) {
	f.Add([]byte(apalache))
	f.Add([]byte(written(f, func(w io.Writer) error { return EncodeITF(w, lasso()) })))
	f.Add([]byte(`{"vars":["x"],"states":[{"x":{"#map":[[[1],{"#tup":[]}]]}}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, tr, err := DecodeAny(strings.NewReader(string(text)), "x")
		if err != nil {
			if s := err.Error(); plain(s) != s {
				t.Errorf("not plain: %q", s)
			}
			return
		}
		if tr != nil {
			if err := checkTrace(tr); err != nil {
				t.Fatalf("not fit to be shown: %v", err)
			}
			showEverywhere(t, &Behaviour{Trace: tr})
		}
	})
}

// showEverywhere writes a behaviour in every format but Graphviz's.
func showEverywhere(t *testing.T, b *Behaviour) {
	t.Helper()
	for _, format := range Formats {
		if format.Behaviour != nil && format.Ready == nil {
			written(t, func(w io.Writer) error { return format.Behaviour(w, b, TextOptions{}) })
		}
	}
}
