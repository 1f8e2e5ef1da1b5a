package traces

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"mc/model"
)

// EncodeITF writes the states of a trace in the Informal Trace Format (Konnov,
// Enes, Kupriyanov: ADR-015 of Apalache, 2023). Each state names the step that
// leads to it in its #meta. In a lasso the last state repeats the one that loop
// is the index of.
//
// A trace has values as text, and this gives back what types it can tell: those
// that fit a field in every state. Whole numbers are #bigint, true and false are
// booleans, {a, b} is a #set, {a: 1} a #map, [1 2] a list if it has numbers
// alone; everything else is a string. Fields x[a], x[b] are one variable, a
// #map; x.y is a record.
func EncodeITF(w io.Writer, t *model.Trace) error {
	vars := itfVariables(t)
	meta := map[string]any{
		"format": "ITF", "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
		"description": headline(t) + "; " + selection(t.Spec, "", t.Config) + "; " + extent(t), "source": t.Spec,
	}
	for name, text := range map[string]string{"property": t.Property, "kind": string(t.Kind), "verdict": string(t.Verdict)} {
		if text != "" {
			meta[name] = text
		}
	}
	types, names := map[string]string{}, []string{}
	for _, v := range vars {
		types[v.name], names = v.typeName(), append(names, v.name)
	}
	meta["varTypes"] = types

	var b bytes.Buffer
	put := func(lead string, value any, end string) {
		b.WriteString(lead)
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		_ = e.Encode(value) // these are maps, lists and text: it cannot fail
		b.Truncate(b.Len() - 1)
		b.WriteString(end + "\n")
	}
	put("{\n  \"#meta\": ", meta, ",")
	put(`  "vars": `, names, ",")
	b.WriteString("  \"states\": [\n")
	for i := range t.Steps {
		state := map[string]any{"#meta": itfMeta(i, &t.Steps[i])}
		for _, v := range vars {
			state[v.name] = v.value(t.Steps[i].Fields)
		}
		end := ","
		if i == len(t.Steps)-1 {
			end = ""
		}
		put("    ", state, end)
	}
	b.WriteString("  ]")
	if endingOf(t) != stops {
		fmt.Fprintf(&b, ",\n  \"loop\": %d", t.Loop)
	}
	b.WriteString("\n}\n")
	_, err := w.Write(escaped(b.Bytes()))
	return err
}

// itfMeta says which step leads to a state.
func itfMeta(i int, s *model.TraceStep) map[string]any {
	meta := map[string]any{"index": i}
	if i == 0 {
		return meta
	}
	meta["action"] = s.Action
	if len(s.Args) > 0 {
		args := map[string]string{}
		for _, a := range s.Args {
			args[a.Name] = a.Value
		}
		meta["parameters"] = args
	}
	if s.Lane != "" {
		meta["lane"] = s.Lane
	}
	return meta
}

// itfNode is a variable, or a part of one: a field of the trace, or fields that
// are together a map or a record.
type itfNode struct {
	name  string // a key or field, or that of the variable
	shape shape
	field int       // of a leaf
	typ   *itfType  // of a leaf
	parts []itfNode // of the others
}

type shape int

const (
	leaf shape = iota
	mapped
	record
)

// itfVariables puts the fields of a trace together. Names that do not fit are
// variables as they are.
func itfVariables(t *model.Trace) []itfNode {
	types := itfTypes(t)
	var root itfNode
	fits := true
	for i, f := range t.Steps[0].Fields {
		path, ok := fieldPath(f.Name)
		fits = fits && ok && root.insert(path, itfNode{field: i, typ: types[i]})
	}
	if fits {
		return root.parts
	}
	root.parts = nil
	taken := map[string]bool{}
	for i, f := range t.Steps[0].Fields {
		name := f.Name
		if name == "" || name[0] == '#' { // of the format itself
			name = "_" + name
		}
		for taken[name] {
			name += "'"
		}
		taken[name] = true
		root.parts = append(root.parts, itfNode{name: name, field: i, typ: types[i]})
	}
	return root.parts
}

// pathStep is a variable, or a key or field within one.
type pathStep struct {
	name  string
	shape shape // of what it is a part of
}

var (
	fieldName = regexp.MustCompile(`^[\pL_][\pL\pN_]*`)
	pathPart  = regexp.MustCompile(`^(?:\.([\pL_][\pL\pN_]*)|\[([^\[\]]+)\])`)
)

// fieldPath takes a name like x[a].y apart.
func fieldPath(name string) (path []pathStep, ok bool) {
	variable := fieldName.FindString(name)
	path = []pathStep{{name: variable}}
	for rest := name[len(variable):]; rest != ""; {
		m := pathPart.FindStringSubmatch(rest)
		if m == nil {
			return nil, false
		}
		step := pathStep{m[1], record}
		if m[2] != "" {
			step = pathStep{m[2], mapped}
		}
		path, rest = append(path, step), rest[len(m[0]):]
	}
	return path, variable != ""
}

// insert adds a leaf. It fails where another one is in the way.
func (n *itfNode) insert(path []pathStep, end itfNode) bool {
	if len(n.parts) > 0 && n.shape != path[0].shape {
		return false
	}
	n.shape = path[0].shape
	i := slices.IndexFunc(n.parts, func(p itfNode) bool { return p.name == path[0].name })
	if len(path) == 1 {
		end.name = path[0].name
		n.parts = append(n.parts, end)
		return i < 0
	}
	if i < 0 {
		i = len(n.parts)
		n.parts = append(n.parts, itfNode{name: path[0].name})
	}
	return n.parts[i].typ == nil && n.parts[i].insert(path[1:], end)
}

// value is that of a variable in a state.
func (n *itfNode) value(fields []model.Field) any {
	switch {
	case n.typ != nil:
		return n.typ.value(fields[n.field].Value)
	case n.shape == record:
		r := map[string]any{}
		for i := range n.parts {
			r[n.parts[i].name] = n.parts[i].value(fields)
		}
		return r
	}
	keys := n.keyType()
	pairs := make([][2]any, len(n.parts))
	for i := range n.parts {
		pairs[i] = [2]any{keys.value(n.parts[i].name), n.parts[i].value(fields)}
	}
	return map[string]any{"#map": pairs}
}

func (n *itfNode) keyType() *itfType {
	var keys []string
	for _, p := range n.parts {
		keys = append(keys, p.name)
	}
	return scalarType(keys)
}

// typeName is the type in Apalache's notation.
func (n *itfNode) typeName() string {
	switch {
	case n.typ != nil:
		return n.typ.name
	case n.shape == mapped:
		return n.keyType().name + " -> " + n.parts[0].typeName()
	}
	var parts []string
	for i := range n.parts {
		parts = append(parts, n.parts[i].name+": "+n.parts[i].typeName())
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

// itfType is a type with what makes values of it from text.
type itfType struct {
	name  string
	value func(string) any
}

var (
	wholeNumber = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)
	itfInt      = &itfType{"Int", func(s string) any { return map[string]any{"#bigint": s} }}
	itfBool     = &itfType{"Bool", func(s string) any { return s == "true" }}
	itfString   = &itfType{"Str", func(s string) any { return s }}
)

// scalarType is the type that all values have.
func scalarType(values []string) *itfType {
	is := func(of func(string) bool) bool {
		return !slices.ContainsFunc(values, func(v string) bool { return !of(v) })
	}
	switch {
	case len(values) == 0:
		return itfString
	case is(wholeNumber.MatchString):
		return itfInt
	case is(func(v string) bool { return v == "true" || v == "false" }):
		return itfBool
	}
	return itfString
}

// itfTypes are the types of fields. Those of one array are of one type.
func itfTypes(t *model.Trace) []*itfType {
	values := map[string][]string{} // by the names of arrays
	array := func(i int) string { return index.ReplaceAllString(t.Steps[0].Fields[i].Name, "[]") }
	for i := range t.Steps[0].Fields {
		for _, s := range t.Steps {
			values[array(i)] = append(values[array(i)], s.Fields[i].Value)
		}
	}
	types := map[string]*itfType{}
	for name, vs := range values {
		types[name] = typeOf(vs)
	}
	all := make([]*itfType, len(t.Steps[0].Fields))
	for i := range all {
		all[i] = types[array(i)]
	}
	return all
}

var index = regexp.MustCompile(`\[[^\[\]]*\]`)

func typeOf(values []string) *itfType {
	if typ := scalarType(values); typ != itfString {
		return typ
	}
	if elements, ok := split(values, "[", " ", "]"); ok {
		if typ := scalarType(elements); typ != itfString || len(elements) == 0 {
			return &itfType{"Seq(" + typ.name + ")", func(s string) any { return typ.all(s, "[", " ", "]") }}
		}
		return itfString
	}
	elements, ok := split(values, "{", ", ", "}")
	if !ok {
		return itfString
	}
	var keys, mapped []string
	for _, e := range elements {
		if k, v, ok := cutOutside(e, ": "); ok {
			keys, mapped = append(keys, k), append(mapped, v)
		}
	}
	switch {
	case len(keys) == 0:
		typ := scalarType(elements)
		return &itfType{"Set(" + typ.name + ")", func(s string) any { return map[string]any{"#set": typ.all(s, "{", ", ", "}")} }}
	case len(keys) < len(elements):
		return itfString
	}
	k, v := scalarType(keys), scalarType(mapped)
	return &itfType{k.name + " -> " + v.name, func(s string) any {
		pairs := [][2]any{}
		for _, e := range inside(s, "{", ", ", "}") {
			key, value, _ := cutOutside(e, ": ")
			pairs = append(pairs, [2]any{k.value(key), v.value(value)})
		}
		return map[string]any{"#map": pairs}
	}}
}

// all are the values of the elements of a list as text.
func (t *itfType) all(s, open, between, end string) []any {
	list := []any{}
	for _, e := range inside(s, open, between, end) {
		list = append(list, t.value(e))
	}
	return list
}

// split takes lists apart, if all of some values are lists of this form.
func split(values []string, open, between, end string) (elements []string, ok bool) {
	for _, v := range values {
		if len(v) < 2 || !strings.HasPrefix(v, open) || !strings.HasSuffix(v, end) {
			return nil, false
		}
		es := inside(v, open, between, end)
		if slices.Contains(es, "") || !balanced(v[1:len(v)-1]) {
			return nil, false
		}
		elements = append(elements, es...)
	}
	return elements, true
}

func inside(s, open, between, end string) (elements []string) {
	rest := strings.TrimSuffix(strings.TrimPrefix(s, open), end)
	for more := rest != ""; more; {
		var e string
		e, rest, more = cutOutside(rest, between)
		elements = append(elements, e)
	}
	return elements
}

// balanced says whether parentheses of all kinds close as often as they open.
func balanced(s string) bool {
	depth := 0
	for i := 0; i < len(s) && depth >= 0; i++ {
		depth += nesting(s[i])
	}
	return depth == 0
}

func nesting(c byte) int {
	switch c {
	case '(', '[', '{':
		return 1
	case ')', ']', '}':
		return -1
	}
	return 0
}

// cutOutside is strings.Cut outside of parentheses of all kinds.
func cutOutside(s, sep string) (before, after string, found bool) {
	depth := 0
	for i := range len(s) {
		if depth += nesting(s[i]); depth == 0 && strings.HasPrefix(s[i:], sep) {
			return s[:i], s[i+len(sep):], true
		}
	}
	return s, "", false
}
