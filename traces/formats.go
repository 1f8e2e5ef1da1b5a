package traces

import (
	"io"
	"slices"
	"strings"

	"mc/model"
)

// Format is a way to write down what was found. Document is nil where it shows
// one behaviour, and Behaviour where it needs more than that.
type Format struct {
	Name  string
	Exts  []string // how names of its files end, the usual one first
	About string

	Document  func(io.Writer, *Document, *Choice) error
	Behaviour func(io.Writer, *Behaviour, TextOptions) error
	// Ready says what is missing to write it, if something is.
	Ready func() error
	// Reads is how many bytes of it DecodeAny takes, if it reads it at all.
	Reads int
}

// Formats are all there are.
var Formats = []Format{
	{Name: "text", Exts: []string{".txt"}, About: "what mc check prints",
		Document: reports, Behaviour: func(w io.Writer, b *Behaviour, o TextOptions) error { return b.Write(w, o) }},
	{Name: "markdown", Exts: []string{".md"}, About: "for pull requests and issues: verdicts, steps, diagram", Document: Markdown},
	{Name: "html", Exts: []string{".html", ".htm"}, About: "one page of everything, for a browser; needs no network", Document: HTML, Behaviour: htmlOne},
	{Name: "json", Exts: []string{".json"}, About: "everything, for mc trace; mc trace schema describes it",
		Document: func(w io.Writer, d *Document, _ *Choice) error { return Encode(w, d) }, Reads: MaxBytes},
	{Name: "svg", Exts: []string{".svg"}, About: "a picture: a lane for each component, time goes down", Behaviour: drawn(SVG)},
	{Name: "dot", Exts: []string{".dot", ".gv"}, About: "the same for Graphviz", Behaviour: drawn(writeDot)},
	{Name: "png", Exts: []string{".png"}, About: "drawn from that by Graphviz, which must be installed", Behaviour: drawn(PNG), Ready: needGraphviz},
	{Name: "mermaid", Exts: []string{".mmd", ".mermaid"}, About: "a sequence diagram for Mermaid", Behaviour: drawn(Mermaid)},
	{Name: "itf", Exts: []string{".itf.json"}, About: "states in the Informal Trace Format of Apalache and Quint", Behaviour: drawn(EncodeITF), Reads: maxITFBytes},
	{Name: "shiviz", Exts: []string{".log"}, About: "a log with vector clocks for ShiViz, which draws no loops", Behaviour: drawn(ShiViz)},
	{Name: "junit", Exts: []string{".junit.xml", ".xml"}, About: "JUnit XML: a test for each property, or verdict of a claim", Document: JUnit},
	{Name: "sarif", Exts: []string{".sarif", ".sarif.json"}, About: "SARIF 2.1.0: counterexamples at the lines of the spec", Document: SARIF},
	{Name: "github", About: "workflow commands for GitHub Actions: annotations", Document: GitHub},
	{Name: "summary", Exts: []string{".summary.md"}, About: "Markdown for the summary of a step of GitHub Actions", Document: githubSummary},
	{Name: "ndjson", Exts: []string{".ndjson", ".jsonl"}, About: "events, one in each line: searches, results, claims", Document: NDJSON},
}

// drawn is a format that shows a trace alone.
func drawn(write func(io.Writer, *model.Trace) error) func(io.Writer, *Behaviour, TextOptions) error {
	return func(w io.Writer, b *Behaviour, _ TextOptions) error { return write(w, b.Trace) }
}

func writeDot(w io.Writer, t *model.Trace) error {
	_, err := io.WriteString(w, Dot(t))
	return err
}

func githubSummary(w io.Writer, d *Document, c *Choice) error {
	return StepSummary(w, d, c, SummaryBytes)
}

// reports writes all searches, those of one spec together.
func reports(w io.Writer, d *Document, c *Choice) error {
	for _, runs := range BySpec(d.Runs) {
		if err := Report(w, runs, c); err != nil {
			return err
		}
	}
	return nil
}

// FormatNames are the names of all formats.
func FormatNames() (names []string) {
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return names
}

// FormatNamed is the format of a name, or nil.
func FormatNamed(name string) *Format {
	i := slices.IndexFunc(Formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &Formats[i]
}

// FormatOf is the format that a file's name stands for, or nil: the one with
// the longest ending that fits.
func FormatOf(file string) *Format {
	var best *Format
	longest := 0
	for i, f := range Formats {
		for _, ext := range f.Exts {
			if n := len(ext); n > longest && strings.HasSuffix(strings.ToLower(file), ext) {
				best, longest = &Formats[i], n
			}
		}
	}
	return best
}
