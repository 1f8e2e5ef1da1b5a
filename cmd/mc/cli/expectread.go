package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"mc/model"
)

// wanted is one entry of a file of expectations: which searches to make, and
// what is to come out.
type wanted struct {
	line      int
	spec      string
	scenarios []string // the spec's default ones if there are none
	fixes     []string
	set       map[string]string

	verdicts                 []wantedVerdict
	states, generated, depth wantedCount
}

type wantedVerdict struct {
	expectation
	line int
}

// wantedCount is a number that is expected, if a line says so.
type wantedCount struct {
	n    uint64
	line int
}

// Expectations are not larger than this.
const maxExpectations = 8 << 20

// readExpectations reads a file of expectations: YAML, and strictly. Everything
// that is wrong is returned, each thing with its line.
func readExpectations(name string) ([]wanted, []error) {
	text, err := readText(name, maxExpectations)
	if err != nil {
		return nil, []error{err}
	}
	return parseExpectations(name, text)
}

func parseExpectations(name string, text []byte) ([]wanted, []error) {
	r := &expectReader{name: name}
	var doc, more yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(text))
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, []error{fmt.Errorf("%s: is empty; want expect: and a list of searches", name)}
	case err != nil:
		return nil, []error{syntaxError(name, err)}
	}
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, []error{fmt.Errorf("%s: several documents; want one", name)}
	}
	all := r.file(doc.Content[0])
	if len(all) == 0 && len(r.errs) == 0 {
		r.errs = append(r.errs, fmt.Errorf("%s: want expect: and a list of searches", name))
	}
	return all, r.errs
}

var yamlPlace = regexp.MustCompile(`^yaml: line (\d+): (.*)`)

// syntaxError is what is wrong with YAML, in one line. The library counts lines
// from 0 in some errors and from 1 in others.
func syntaxError(name string, err error) error {
	first, _, _ := strings.Cut(err.Error(), "\n")
	first = shown(first)
	if m := yamlPlace.FindStringSubmatch(first); m != nil {
		return fmt.Errorf("%s: not YAML: near line %s: %s", name, m[1], m[2])
	}
	return fmt.Errorf("%s: not YAML: %s", name, strings.TrimPrefix(first, "yaml: "))
}

// expectReader notes what is wrong with a file.
type expectReader struct {
	name string
	errs []error
}

func (r *expectReader) wrong(n *yaml.Node, format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf("%s:%d: %s", r.name, n.Line, shown(fmt.Sprintf(format, args...))))
}

// shown is text out of a file as one line of a terminal may have it.
func shown(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0 {
		return text
	}
	quoted := strconv.Quote(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// fields calls take for each key of a mapping. Unknown keys are mistakes.
func (r *expectReader) fields(n *yaml.Node, what string, have []string, take func(key string, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.wrong(n, "want %s", what)
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case key.Kind != yaml.ScalarNode || shown(key.Value) != key.Value:
			r.wrong(key, "want a name, and a value after it")
		case seen[key.Value]:
			r.wrong(key, "%s is given twice", key.Value)
		case have != nil && !slices.Contains(have, key.Value):
			r.errs = append(r.errs, &model.NameError{Flag: fmt.Sprintf("%s:%d:", r.name, key.Line), Kind: "field", Name: key.Value, Have: have})
		case value.Kind == yaml.AliasNode: // could stand for itself
			r.wrong(value, "%s: want a value, and no alias", key.Value)
		default:
			take(key.Value, value)
		}
		seen[key.Value] = true
	}
}

func (r *expectReader) file(n *yaml.Node) (all []wanted) {
	r.fields(n, "expect: and a list of searches", []string{"version", "expect"}, func(key string, value *yaml.Node) {
		switch {
		case key == "version":
			if v := r.text(value, key); v != "1" && v != "" {
				r.wrong(value, "version %s: want 1; a newer mc may read it", v)
			}
		case value.Kind != yaml.SequenceNode:
			r.wrong(value, "expect: want a list, each item a search")
		default:
			for _, item := range value.Content {
				all = append(all, r.entry(item))
			}
		}
	})
	return all
}

var entryFields = []string{"spec", "scenario", "fixes", "settings", "property", "verdict", "verdicts", "states", "generated", "depth"}

func (r *expectReader) entry(n *yaml.Node) wanted {
	w := wanted{line: n.Line}
	var properties []string
	var verdict, property *yaml.Node
	r.fields(n, "a search, such as spec: NAME", entryFields, func(key string, value *yaml.Node) {
		switch key {
		case "spec":
			w.spec = r.text(value, key)
		case "scenario":
			w.scenarios = r.texts(value, key)
		case "fixes":
			w.fixes = r.texts(value, key)
		case "settings":
			w.set = map[string]string{}
			r.fields(value, "settings: names and values", nil, func(k string, v *yaml.Node) { w.set[k] = r.text(v, k) })
		case "property":
			property, properties = value, r.texts(value, key)
		case "verdict":
			verdict = value
		case "verdicts":
			r.fields(value, "verdicts: properties, and a verdict for each", nil, func(k string, v *yaml.Node) { w.expect(r, k, v) })
		case "states":
			w.states = r.count(value, key)
		case "generated":
			w.generated = r.count(value, key)
		case "depth":
			w.depth = r.count(value, key)
		}
	})
	switch {
	case n.Kind == yaml.MappingNode && w.spec == "":
		r.wrong(n, "want spec: and its name")
	case property == nil && verdict != nil:
		r.wrong(verdict, "verdict: want property: with it")
	case property != nil && verdict == nil:
		r.wrong(property, "property: want verdict: with it")
	case property != nil:
		for _, p := range properties {
			w.expect(r, p, verdict)
		}
	}
	return w
}

var allVerdicts = []model.Verdict{model.Holds, model.Violated, model.Reached, model.Unreachable}

// expect adds a property's verdict.
func (w *wanted) expect(r *expectReader, property string, n *yaml.Node) {
	v := model.Verdict(r.text(n, property))
	if v != "" && !slices.Contains(allVerdicts, v) {
		r.wrong(n, "%s: verdict %s: want holds, violated, reachable or unreachable", property, v)
		return
	}
	w.verdicts = append(w.verdicts, wantedVerdict{expectation{property, v}, n.Line})
}

// text is a plain value as it is written, so that on is a name and no truth.
func (r *expectReader) text(n *yaml.Node, key string) string {
	if n.Kind != yaml.ScalarNode || n.Value == "" || shown(n.Value) != n.Value {
		r.wrong(n, "%s: want one value, in a line", key)
		return ""
	}
	return n.Value
}

// texts is one value, several in one, or a list of them.
func (r *expectReader) texts(n *yaml.Node, key string) (all []string) {
	if n.Kind == yaml.SequenceNode {
		for _, one := range n.Content {
			all = append(all, r.text(one, key))
		}
		return all
	}
	for _, one := range strings.Split(r.text(n, key), ",") {
		if one = strings.TrimSpace(one); one != "" {
			all = append(all, one)
		}
	}
	return all
}

func (r *expectReader) count(n *yaml.Node, key string) wantedCount {
	text := r.text(n, key)
	if text == "" {
		return wantedCount{}
	}
	v, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		r.wrong(n, "%s: %s: want a number", key, text)
		return wantedCount{}
	}
	return wantedCount{v, n.Line}
}
