package traces

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mc/model"
)

// What is read of ITF is bounded as documents are: by bytes, and by values.
const (
	maxITFBytes  = 16 << 20
	maxITFValues = 1 << 20
)

// decodeITF reads a trace in the Informal Trace Format, of whichever tool. Values
// become text as those of a spec are. Maps that have the same keys in all states,
// and records, are taken apart into fields, so that a step shows what it changes.
func decodeITF(text []byte, name string) (*model.Trace, error) {
	fail := func(format string, args ...any) (*model.Trace, error) {
		return nil, fmt.Errorf("%s: "+format, append([]any{name}, args...)...)
	}
	values := bytes.Count(text, []byte(",")) + bytes.Count(text, []byte("{")) + bytes.Count(text, []byte("["))
	if len(text) > maxITFBytes || values > maxITFValues {
		return fail("too large for a trace; want at most %d MB and %d values", maxITFBytes>>20, maxITFValues)
	}
	var file struct {
		Meta struct {
			Source   any
			Property any
			Kind     any
			Verdict  any
		} `json:"#meta"`
		Params []string         `json:"params"`
		Vars   []string         `json:"vars"`
		States []map[string]any `json:"states"`
		Loop   *int             `json:"loop"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&file); err != nil {
		return nil, describe(err, name, text)
	}
	switch {
	case len(file.States) == 0:
		return fail("states is empty; want an initial state at least")
	case len(file.Vars) == 0:
		return fail("vars is empty; want the names of variables")
	case len(slices.Compact(slices.Sorted(slices.Values(file.Vars)))) < len(file.Vars):
		return fail("vars has a name twice")
	case file.Loop != nil && (*file.Loop < 0 || *file.Loop >= len(file.States)):
		return fail("loop is %d; want 0 to %d", *file.Loop, len(file.States)-1)
	}
	t := &model.Trace{Spec: cmp.Or(textOr(file.Meta.Source), "trace"), Loop: -1, Property: textOr(file.Meta.Property)}
	if k := model.Kind(textOr(file.Meta.Kind)); slices.Contains(kinds, k) {
		t.Kind = k
	}
	if v := model.Verdict(textOr(file.Meta.Verdict)); slices.Contains(verdictWords, v) && t.Property != "" {
		t.Verdict = v
	}
	vars := make([][]any, len(file.Vars)) // for each variable its values
	for i, state := range file.States {
		for j, v := range file.Vars {
			value, ok := state[v]
			if !ok {
				return fail("states[%d] has no %.60q, which vars names", i, v)
			}
			if err := checkITF(value, 1); err != nil {
				return fail("states[%d], variable %.60q: %w", i, v, err)
			}
			vars[j] = append(vars[j], value)
		}
		t.Steps = append(t.Steps, itfStep(i, state))
		if lane := t.Steps[i].Lane; lane != "" && !slices.Contains(t.Lanes, lane) {
			t.Lanes = append(t.Lanes, lane)
		}
	}
	for j, v := range file.Vars {
		addFields(t, v, vars[j], 0)
	}
	if file.Loop != nil {
		closeLoop(t, *file.Loop)
	}
	return t, nil
}

// textOr is a text, or empty if it is something else.
func textOr(value any) string {
	s, _ := value.(string)
	return s
}

// itfStep is the step to a state without its fields. Quint names the action in
// a variable.
func itfStep(i int, state map[string]any) (s model.TraceStep) {
	if i == 0 {
		return s
	}
	meta, _ := state["#meta"].(map[string]any)
	s.Action = cmp.Or(textOr(meta["action"]), textOr(state["mbt::actionTaken"]), "Step")
	s.Lane = textOr(meta["lane"])
	parameters, _ := meta["parameters"].(map[string]any)
	for _, name := range sortedKeys(parameters) {
		if checkITF(parameters[name], 1) == nil {
			s.Args = append(s.Args, model.Arg{Name: name, Value: itfText(parameters[name])})
		}
	}
	return s
}

// closeLoop ends a trace in the state that its loop begins with. Some tools
// leave that state out at the end.
func closeLoop(t *model.Trace, loop int) {
	t.Loop = loop
	if first := t.Steps[loop].Fields; !slices.Equal(t.Steps[len(t.Steps)-1].Fields, first) {
		t.Steps = append(t.Steps, model.TraceStep{Instance: model.Instance{Action: "Step"}, Fields: first})
	}
}

// addFields adds a variable to all steps: as one field, or as one for each part
// that the values have in all states.
func addFields(t *model.Trace, name string, values []any, depth int) {
	const deepest = 8
	parts := make([]map[string]any, len(values))
	form := "%s.%s"
	for i, v := range values {
		var bracket bool
		if parts[i], bracket = itfParts(v); bracket {
			form = "%s[%s]"
		}
		if parts[i] == nil || depth == deepest || !slices.Equal(sortedKeys(parts[i]), sortedKeys(parts[0])) {
			for j, v := range values {
				t.Steps[j].Fields = append(t.Steps[j].Fields, model.Field{Name: name, Value: itfText(v)})
			}
			return
		}
	}
	for _, key := range sortedKeys(parts[0]) {
		inner := make([]any, len(values))
		for i := range values {
			inner[i] = parts[i][key]
		}
		addFields(t, fmt.Sprintf(form, name, key), inner, depth+1)
	}
}

// itfParts are those of a record or a map, by their names; nil if it has none.
func itfParts(value any) (parts map[string]any, isMap bool) {
	object, _ := value.(map[string]any)
	pairs, isMap := object["#map"].([]any)
	if isMap {
		parts = map[string]any{}
		for _, p := range pairs {
			parts[itfText(p.([]any)[0])] = p.([]any)[1]
		}
	} else if tagOf(object) == "" {
		parts = object
	}
	if len(parts) == 0 {
		return nil, isMap
	}
	return parts, isMap
}

// tagOf is what an object stands for that is not a record: #set and the like.
func tagOf(object map[string]any) string {
	for key := range object {
		if strings.HasPrefix(key, "#") {
			return key
		}
	}
	return ""
}

var bigint = regexp.MustCompile(`^-?[0-9]+$`)

// checkITF says what makes a value one that the format does not have.
func checkITF(value any, depth int) error {
	const deepest = 100
	if depth > deepest {
		return fmt.Errorf("nested more than %d deep", deepest)
	}
	switch v := value.(type) {
	case nil:
		return errors.New("null is no value")
	case []any:
		return checkAll(v, depth)
	case map[string]any:
		tag := tagOf(v)
		inside := v[tag]
		list, isList := inside.([]any)
		text, isText := inside.(string)
		switch {
		case tag == "":
			for _, key := range sortedKeys(v) {
				if err := checkITF(v[key], depth+1); err != nil {
					return err
				}
			}
		case len(v) > 1:
			return fmt.Errorf("%.60q is not alone in its object", tag)
		case tag == "#bigint" && isText && bigint.MatchString(text), tag == "#unserializable" && isText:
		case (tag == "#set" || tag == "#tup") && isList:
			return checkAll(list, depth)
		case tag == "#map" && isList:
			for _, p := range list {
				if pair, ok := p.([]any); !ok || len(pair) != 2 {
					return errors.New("#map: want an array of pairs")
				}
			}
			return checkAll(list, depth)
		default:
			return fmt.Errorf("%.60q: want #bigint with a number in quotes, #unserializable with a text, or #set, #tup or #map with an array", tag)
		}
	}
	return nil
}

func checkAll(list []any, depth int) error {
	for _, v := range list {
		if err := checkITF(v, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// itfText is a value as text, in the form that values of a spec have: equal
// sets are equal texts.
func itfText(value any) string {
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case json.Number:
		return v.String()
	case string:
		return v
	case []any:
		return "[" + strings.Join(itfTexts(v), " ") + "]"
	}
	object := value.(map[string]any)
	list, _ := object[tagOf(object)].([]any)
	switch tagOf(object) {
	case "#bigint", "#unserializable":
		return object[tagOf(object)].(string)
	case "#tup":
		return "(" + strings.Join(itfTexts(list), ", ") + ")"
	case "#set":
		texts := itfTexts(list)
		slices.SortFunc(texts, byNumber)
		return "{" + strings.Join(texts, ", ") + "}"
	}
	parts, _ := itfParts(object)
	var texts []string
	for _, key := range sortedKeys(parts) {
		texts = append(texts, key+": "+itfText(parts[key]))
	}
	return "{" + strings.Join(texts, ", ") + "}"
}

func itfTexts(list []any) []string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = itfText(v)
	}
	return texts
}

func sortedKeys(m map[string]any) []string { return slices.SortedFunc(maps.Keys(m), byNumber) }

// byNumber orders whole numbers by value, and before all other text.
func byNumber(a, b string) int {
	x, errX := strconv.ParseInt(a, 10, 64)
	y, errY := strconv.ParseInt(b, 10, 64)
	switch {
	case errX == nil && errY == nil && x != y:
		return cmp.Compare(x, y)
	case (errX == nil) != (errY == nil):
		if errX == nil {
			return -1
		}
		return 1
	}
	return strings.Compare(a, b)
}
