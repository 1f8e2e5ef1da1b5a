package traces

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"mc/model"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := jsonschema.UnmarshalJSON(strings.NewReader(Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("schema.json", text); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fits(s *jsonschema.Schema, text string) error {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(value)
}

// TestSchema: it admits what Encode writes, and not what Decode refuses for its
// form.
func TestSchema(t *testing.T) {
	s := schema(t)
	full := document()
	full.Runs[0].Walk = &Walk{Seed: 1, Walks: 2}
	full.Runs[0].Symmetry = []string{"rm"}
	full.Runs[0].Edges, full.Runs[0].EdgeBytes = 1, 2
	full.Runs[0].Results[1].Vacuous, full.Runs[0].Results[1].NeedsNoFairness = true, true
	full.Runs[1].Results[0].Explanation.Part = true
	causal := full.Runs[0].Results[0].Trace
	causal.Because = []model.Cause{{Step: 3, Fields: []string{"log"}}}
	causal.Truths = []model.Truth{{Property: "ReplicasAgree", Kind: model.Invariant, Steps: strings.Repeat("1", len(causal.Steps)-1) + "0"}}
	full.Runs[0].Command = "mc check --spec store"
	causal.Steps[4].Because, causal.Steps[5].Idle = []model.Cause{{Step: 1, Fields: []string{"acked"}}}, true
	for name, d := range map[string]*Document{"empty": {}, "document": document(), "full": full,
		"hostile": {Runs: []Run{{Spec: "x", Fault: hostile()}}}, "located": located(), "claimed": claimed()} {
		if err := fits(s, string(encoded(t, d))); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	result := []any{"runs", 0, "results", 0}
	for name, set := range map[string]struct {
		key   string
		value any
		path  []any
	}{
		"version":       {"version", 2, nil},
		"unknown field": {"novelty", true, nil},
		"kind":          {"kind", "hunch", result},
		"verdict":       {"verdict", "maybe", result},
		"loop":          {"loop", -2, append(result[:4:4], "trace")},
		"no steps":      {"steps", []any{}, append(result[:4:4], "trace")},
		"field":         {"fields", []any{map[string]any{"name": "x"}}, append(result[:4:4], "trace", "steps", 0)},
	} {
		text := edit(t, func(doc map[string]any) { at(doc, set.path...).(map[string]any)[set.key] = set.value })
		if err := fits(s, text); err == nil {
			t.Errorf("%s: the schema admits it", name)
		}
	}
}

// TestSchemaIsWhole: it has every field of every type, and no other.
func TestSchemaIsWhole(t *testing.T) {
	type object struct {
		Properties map[string]any
		Required   []string
	}
	var whole struct {
		object
		Defs map[string]object `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(Schema), &whole); err != nil {
		t.Fatal(err)
	}
	types := map[string]any{
		"run": Run{}, "config": model.Configuration{}, "setting": model.Setting{}, "walk": Walk{}, "result": Result{}, "explanation": Explanation{},
		"neglect": Neglect{}, "trace": model.Trace{}, "step": model.TraceStep{}, "arg": model.Arg{}, "field": model.Field{}, "message": model.Message{},
		"cause": model.Cause{}, "truth": model.Truth{}, "count": Count{}, "values": Values{}, "location": model.Location{},
		"claim": Claim{}, "case": Case{}, "checked": Checked{}, "kind": nil, "verdict": nil,
	}
	check := func(name string, o object, v any) {
		have, required := map[string]bool{}, map[string]bool{}
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			tag, option, _ := strings.Cut(f.Tag.Get("json"), ",")
			if f.Anonymous {
				continue
			}
			have[tag] = true
			// An embedded part is there where the whole is not the initial state.
			required[tag] = !strings.HasPrefix(option, "omit") && len(f.Index) == 1
		}
		for p := range o.Properties {
			if !have[p] {
				t.Errorf("%s.%s is in the schema alone", name, p)
			}
			delete(have, p)
		}
		for p := range have {
			t.Errorf("%s.%s is not in the schema", name, p)
		}
		for _, p := range o.Required {
			if !required[p] && p != "action" {
				t.Errorf("%s.%s may be left out", name, p)
			}
			delete(required, p)
		}
		for p, must := range required {
			if must {
				t.Errorf("%s.%s is not required", name, p)
			}
		}
	}
	check("document", whole.object, Document{})
	for name, o := range whole.Defs {
		v, known := types[name]
		if !known {
			t.Errorf("%s: no such type", name)
		} else if v != nil {
			check(name, o, v)
		}
	}
}
