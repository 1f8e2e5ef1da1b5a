package traces

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"mc/model"
)

func written(t testing.TB, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// drawings are the formats whose golden files are compared here. Those of text
// and dot have tests of their own, and pictures of Graphviz are not ours.
var drawings = []string{"svg", "mermaid", "itf", "shiviz"}

func TestFormatsGolden(t *testing.T) {
	for _, name := range []string{"store", "lasso", "stutter", "fault", "hostile", "initial"} {
		tr := samples(t)[name]
		for _, format := range drawings {
			f := FormatNamed(format)
			t.Run(name+f.Exts[0], func(t *testing.T) {
				golden(t, name+f.Exts[0], []byte(written(t, func(w io.Writer) error { return f.Behaviour(w, &Behaviour{Trace: tr}, TextOptions{}) })))
			})
		}
	}
}

func TestMarkdownGolden(t *testing.T) {
	for name, c := range map[string]*Choice{
		"document.md":      {Properties: []string{"Answered"}},
		"document.full.md": {All: true, Text: TextOptions{Full: true}},
	} {
		golden(t, name, []byte(written(t, func(w io.Writer) error { return Markdown(w, document(), c) })))
	}
}

func TestFormatOf(t *testing.T) {
	for file, want := range map[string]string{
		"a.svg": "svg", "a.SVG": "svg", "a.json": "json", "a.itf.json": "itf", "dir.svg/a.md": "markdown", "a.gv": "dot",
		"svg": "", "a": "", "": "", "a.svgz": "",
	} {
		got := ""
		if f := FormatOf(file); f != nil {
			got = f.Name
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", file, got, want)
		}
	}
}

// relabelled is a lasso, or a prefix, all of whose labels contain one text.
func relabelled(t *model.Trace, label string) *model.Trace {
	put := func(s *string) { *s = label + *s + label }
	t.Spec, t.Property, t.Meaning = label+"s", label+t.Property, label+"m"
	t.Config = model.Configuration{Scenario: label, Settings: []model.Setting{{Name: label, Value: label, Default: "d"}}}
	for i := range t.Lanes {
		put(&t.Lanes[i])
	}
	for i := range t.Steps {
		s := &t.Steps[i]
		if i > 0 {
			put(&s.Action)
			put(&s.Doc)
			put(&s.Lane)
		}
		for j := range s.Args {
			put(&s.Args[j].Name)
			put(&s.Args[j].Value)
		}
		for j := range s.Messages {
			if m := &s.Messages[j]; sends(*m) {
				put(&m.To)
				m.Text = label
			}
		}
		for j := range s.Fields {
			put(&s.Fields[j].Name)
			put(&s.Fields[j].Value)
		}
	}
	return t
}

// hostileLabels would do something in one of the formats, if it let them.
var hostileLabels = []string{
	"</script><script>alert(1)</script>", "]]></style></svg><img src=x onerror=alert(1)>", `"><b onmouseover='x'>`, "&lt;&amp;&#60;", "<!-- -->",
	"a\nb", "\r\n\r\nend\n", "\u2028x\u2029", "\x00\x1b[31m\x07", "\u202eevil\u2066\u200f", "\xff\xc3(", "\ufeff\u200b", "\U000e0041",
	strings.Repeat("long ", 500), strings.Repeat("x", 5000), strings.Repeat("M", 60), strings.Repeat("日本", 300),
	"a; end; p0->>p1: x", "# comment", "#quot;#35;", "%%{init: {'theme':'dark'}}%%", "%% gone", "end", "loop x", "$$x^2$$", "wrap:x", "style x:#f00;", "classDef a:#f;",
	"| a | b |", "a\\|b", "`", "```", "``x`", "**b** _i_ ~~s~~", "[l](javascript:alert(1))", "![i](x)", "# h", "- item", "1. one", "> quote", "===", "---", "+++", "    code", "@team", "<https://x.example>", "https://x.example", "\\", "$x$",
	`{"a": 1}`, `{"#bigint": "1"}`, "#meta", "{a, b: c}", "[", "{", "x[", "a.b[c]", "007", "-0", "true", "1e9",
	"(?<host>", "host {\"a\":1}", "%s%d", " ", "", "'", "constructor",
}

// TestHostileLabels: whatever stands in a label, each format is what it would be
// with a harmless one.
func TestHostileLabels(t *testing.T) {
	checks := map[string]func(t *testing.T, tr *model.Trace, got, harmless string){
		"svg": checkSVG, "mermaid": checkMermaid, "itf": checkITFFile, "shiviz": checkShiViz, "markdown": checkMarkdown,
		"junit": checkJUnit, "sarif": checkSARIF, "github": checkGitHub, "summary": checkSummary, "ndjson": checkNDJSON,
		"text": func(*testing.T, *model.Trace, string, string) {}, // below
		"json": func(t *testing.T, _ *model.Trace, got, _ string) {
			if _, err := Decode(strings.NewReader(got), "x"); err != nil {
				t.Error(err)
			}
		},
	}
	for _, sample := range []func() *model.Trace{handmade, lasso} {
		for _, label := range hostileLabels {
			harmless, hostile := relabelled(sample(), "ok"), relabelled(sample(), label)
			for format, check := range checks {
				t.Run(fmt.Sprintf("%s/%.20q", format, label), func(t *testing.T) {
					got := written(t, func(w io.Writer) error { return writeIn(w, format, hostile) })
					if !utf8.ValidString(got) {
						t.Error("not UTF-8")
					}
					for i, line := range strings.Split(got, "\n") {
						if plain(line) != line {
							t.Errorf("line %d is not plain: %.100q", i+1, line)
						}
					}
					check(t, hostile, got, written(t, func(w io.Writer) error { return writeIn(w, format, harmless) }))
				})
			}
		}
	}
}

// writeIn writes a trace in a format, alone in a document if need be.
func writeIn(w io.Writer, format string, tr *model.Trace) error {
	f := FormatNamed(format)
	if f.Document == nil {
		return f.Behaviour(w, &Behaviour{Trace: tr}, TextOptions{})
	}
	if tr.Kind = model.Invariant; tr.Loop >= 0 {
		tr.Kind = model.Recurrent
	}
	d := &Document{Runs: []Run{{Spec: tr.Spec, Bug: tr.Spec, Config: tr.Config, Results: []Result{{
		Property: tr.Property, Meaning: tr.Meaning, Kind: tr.Kind, Verdict: tr.Verdict, Trace: tr, Steps: len(tr.Steps) - 1,
	}}}}}
	return f.Document(w, d, &Choice{})
}

// checkSVG: the same elements and attributes, but for lines of text.
func checkSVG(t *testing.T, tr *model.Trace, got, harmless string) {
	shape := func(s string) (shape []string) {
		d := xml.NewDecoder(strings.NewReader(s))
		for {
			token, err := d.Token()
			if err == io.EOF {
				return shape
			}
			if err != nil {
				t.Fatalf("not XML: %v", err)
			}
			if e, ok := token.(xml.StartElement); ok && e.Name.Local != "text" && e.Name.Local != "tspan" {
				s := e.Name.Local
				for _, a := range e.Attr {
					s += " " + a.Name.Local
				}
				shape = append(shape, s)
			}
		}
	}
	if a, b := shape(got), shape(harmless); !slices.Equal(a, b) {
		t.Errorf("got %v, want %v", a, b)
	}
	if len(got) > 400_000 {
		t.Errorf("%d bytes", len(got))
	}
}

// mermaidLine is every line that Mermaid writes, and its text.
var mermaidLine = regexp.MustCompile(`^(?:sequenceDiagram|  loop for ever|  end|  (?:title|participant p\d+ as|Note over p\d+(?:,p\d+)?:|p\d+(?:->>|-\)|--\))p\d+:) (\S.*))$`)

func checkMermaid(t *testing.T, _ *model.Trace, got, harmless string) {
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	for _, line := range lines {
		m := mermaidLine.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("not a line: %q", line)
			continue
		}
		text := mermaidEntity.ReplaceAllString(strings.ReplaceAll(m[1], "<br/>", " "), "")
		if i := strings.IndexAny(text, "#;%$`<>\"&\\"); i >= 0 {
			t.Errorf("%q is in %q", text[i], line)
		}
	}
	if a, b := len(lines), strings.Count(harmless, "\n"); a != b {
		t.Errorf("got %d lines, want %d", a, b)
	}
}

var mermaidEntity = regexp.MustCompile(`#(\d+|amp|lt|gt|quot);`)

// checkITFFile: it is read again, with the same values of the same fields.
func checkITFFile(t *testing.T, tr *model.Trace, got, _ string) {
	_, back, err := DecodeAny(strings.NewReader(got), "x.itf.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(back.Steps) != len(tr.Steps) || back.Loop != tr.Loop {
		t.Fatalf("got %d steps and loop %d, want %d and %d", len(back.Steps), back.Loop, len(tr.Steps), tr.Loop)
	}
	for i, s := range tr.Steps {
		var a, b []string
		for j := range s.Fields {
			a = append(a, string([]rune(s.Fields[j].Value))) // as JSON has it: each broken byte is one U+FFFD
			b = append(b, back.Steps[i].Fields[j].Value)
		}
		if len(back.Steps[i].Fields) != len(s.Fields) || !slices.Equal(a, b) {
			t.Errorf("state %d: got %+v, want %+v", i, back.Steps[i].Fields, s.Fields)
		}
	}
}

// checkShiViz reads a log as ShiViz does, and wants what it demands of clocks.
func checkShiViz(t *testing.T, tr *model.Trace, got, harmless string) {
	events := func(log string) int {
		lines := strings.SplitN(log, "\n", 3)
		if lines[0] != shivizPattern || lines[1] != "" {
			t.Fatalf("got head %q", lines[:2])
		}
		pattern := regexp.MustCompile(strings.ReplaceAll(lines[0], "(?<", "(?P<"))
		found := pattern.FindAllStringSubmatch(lines[2], -1)
		if rest := strings.TrimSpace(pattern.ReplaceAllString(lines[2], "")); rest != "" {
			t.Errorf("no events: %q", rest)
		}
		last := map[string]int{}
		for _, m := range found {
			var clock map[string]int
			if err := json.Unmarshal([]byte(m[3]), &clock); err != nil {
				t.Fatalf("clock %q: %v", m[3], err)
			}
			if clock[m[2]] != last[m[2]]+1 {
				t.Errorf("clock of %q goes from %d to %d", m[2], last[m[2]], clock[m[2]])
			}
			for host, n := range clock {
				if host != m[2] && n > last[host] {
					t.Errorf("%q knows event %d of %q before it is", m[2], n, host)
				}
			}
			last[m[2]] = clock[m[2]]
		}
		return len(found)
	}
	if a, b := events(got), events(harmless); a != b {
		t.Errorf("got %d events, want %d", a, b)
	}
}

// checkMarkdown: the same HTML elements come of it, but for code, and the items
// of fields, which depend on their values.
func checkMarkdown(t *testing.T, _ *model.Trace, got, harmless string) {
	shape := func(source string) string {
		var b bytes.Buffer
		md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough), goldmark.WithRendererOptions(html.WithUnsafe()))
		if err := md.Convert([]byte(source), &b); err != nil {
			t.Fatal(err)
		}
		return strings.Join(slices.DeleteFunc(element.FindAllString(b.String(), -1), func(tag string) bool {
			return strings.HasSuffix(tag, "code") || strings.HasSuffix(tag, "li")
		}), "")
	}
	if a, b := shape(got), shape(harmless); a != b {
		t.Errorf("got %s\nwant %s", a, b)
	}
}

var element = regexp.MustCompile(`</?[a-z][a-z0-9]*`)

// TestShiVizOrder: a step that takes a message knows all that its sender knew.
func TestShiVizOrder(t *testing.T) {
	log := written(t, func(w io.Writer) error { return ShiViz(w, events(-1, "a: m>b", "a:", "b: m, !c", "c:")) })
	for _, want := range []string{
		"step 1: Step1; sends m to b\na {\"a\":1}\n", "step 2: Step2\na {\"a\":2}\n", "step 3: Step3; takes m; calls c: call\nb {\"a\":1,\"b\":1}\n",
		"step 3: called: call\nc {\"a\":1,\"b\":1,\"c\":1}\n", "step 4: Step4\nc {\"a\":1,\"b\":1,\"c\":2}\n",
	} {
		if !strings.Contains(log, want) {
			t.Errorf("got %s, want in it %s", log, want)
		}
	}
}

// TestMarkdownItems: what belongs to a step is in its item, behind a number of
// two digits as well.
func TestMarkdownItems(t *testing.T) {
	var b bytes.Buffer
	if err := goldmark.Convert([]byte(written(t, func(w io.Writer) error { return writeIn(w, "markdown", handmade()) })), &b); err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(b.String(), "<ol")
	list, _, _ = strings.Cut(list, "</ol>")
	if steps, lists := len(handmade().Steps), strings.Count(list, "<ul>"); lists != steps {
		t.Errorf("got %d lists below %d steps in %s", lists, steps, list)
	}
}
