package traces

import (
	"bytes"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mc/model"
)

var update = flag.Bool("update", false, "write the golden files of testdata")

// golden compares text with a file of testdata.
func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run go test -update and read the diff; got\n%s", file, got)
	}
}

// samples are traces by the names of their golden files.
func samples(t testing.TB) map[string]*model.Trace {
	return map[string]*model.Trace{
		"die-hard":  search(t, machineOf(t, "die-hard", model.Selection{}), "Solved"),
		"two-phase": search(t, machineOf(t, "two-phase", model.Selection{Set: map[string]string{"rms": "2"}}), "AllCommit"),
		"store":     handmade(),
		"lasso":     lasso(),
		"stutter":   stutter(),
		"fault":     faulty(),
		"hostile":   hostile(),
		"initial":   initialOnly(),
	}
}

func textOf(t *testing.T, tr *model.Trace, o TextOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := Text(&b, tr, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTextGolden(t *testing.T) {
	for name, tr := range samples(t) {
		t.Run(name, func(t *testing.T) {
			golden(t, name+".txt", []byte(textOf(t, tr, TextOptions{})))
			golden(t, name+".full.txt", []byte(textOf(t, tr, TextOptions{Full: true})))
		})
	}
}

func TestDotGolden(t *testing.T) {
	for name, tr := range samples(t) {
		t.Run(name, func(t *testing.T) { golden(t, name+".dot", []byte(Dot(tr))) })
	}
}

// dotSVG has Graphviz draw a graph, without complaint.
func dotSVG(t *testing.T, text string) string {
	t.Helper()
	program, err := exec.LookPath(graphviz)
	if err != nil {
		t.Skip("Graphviz is not installed")
	}
	c := exec.Command(program, "-Tsvg")
	c.Stdin = strings.NewReader(text)
	var out, complaints bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaints
	if err := c.Run(); err != nil || complaints.Len() > 0 {
		t.Fatalf("dot: %v: %s", err, complaints.String())
	}
	return out.String()
}

// TestDotIsDrawn has Graphviz read what Dot writes.
func TestDotIsDrawn(t *testing.T) {
	for name, tr := range samples(t) {
		t.Run(name, func(t *testing.T) {
			picture := dotSVG(t, Dot(tr))
			for _, s := range tr.Steps[1:] {
				if name != "hostile" && !strings.Contains(picture, s.Action) {
					t.Errorf("the picture does not show %s", s.Action)
				}
			}
		})
	}
}

// TestDotKeepsBackslashes: what Graphviz would expand in a label, such as the
// name of the node, is drawn as it is.
func TestDotKeepsBackslashes(t *testing.T) {
	const evil = `\N\G\E`
	tr := &model.Trace{Spec: evil, Property: evil, Kind: model.Invariant, Verdict: model.Violated, Lanes: []string{evil + "1", evil + "2"}, Loop: -1,
		Steps: []model.TraceStep{
			{Fields: []model.Field{{Name: evil, Value: "0"}}},
			{Instance: model.Instance{Action: evil}, Lane: evil + "1", Messages: []model.Message{{ID: "1", To: evil + "2", Text: evil}},
				Fields: []model.Field{{Name: evil, Value: evil}}},
			{Instance: model.Instance{Action: "Take"}, Lane: evil + "2", Messages: []model.Message{{ID: "1"}},
				Fields: []model.Field{{Name: evil, Value: evil}}},
		}}
	g := &StateGraph{Spec: evil, Note: "2 states", Nodes: []StateNode{{Fields: tr.Steps[1].Fields, States: 1}, {Fields: tr.Steps[0].Fields, States: 1}},
		Arcs: []StateArc{{0, 1, []string{evil}, nil}}}
	for _, test := range []struct {
		name, text string
		want       int
	}{
		{"trace", Dot(tr), 9},
		{"graph", written(t, func(w io.Writer) error { return g.Draw(w, "dot") }), 5},
	} {
		if got := strings.Count(dotSVG(t, test.text), evil); got != test.want {
			t.Errorf("%s: it is drawn %d times, want %d", test.name, got, test.want)
		}
	}
}

// TestTextFits checks what holds of every text: no line is too wide, none
// ends in a space, and nothing reaches the terminal but printable characters.
func TestTextFits(t *testing.T) {
	for name, tr := range samples(t) {
		for _, width := range []int{30, 40, 80, 133} {
			for _, full := range []bool{false, true} {
				for i, line := range strings.Split(textOf(t, tr, TextOptions{Full: full, Width: width}), "\n") {
					if columns(line) > width {
						t.Errorf("%s at width %d: line %d has %d columns: %s", name, width, i+1, columns(line), line)
					}
					if strings.TrimRight(line, " ") != line || plain(line) != line {
						t.Errorf("%s at width %d: line %d ends in a space or is not plain: %q", name, width, i+1, line)
					}
				}
			}
		}
	}
}

var colours = regexp.MustCompile("\x1b\\[[0-9;]+m")

// TestColorAddsNothing: without its escape sequences a coloured text is the
// plain one.
func TestColorAddsNothing(t *testing.T) {
	for name, tr := range samples(t) {
		plainText, coloured := textOf(t, tr, TextOptions{}), textOf(t, tr, TextOptions{Color: true})
		if got := colours.ReplaceAllString(coloured, ""); got != plainText {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, plainText)
		}
		if coloured == plainText {
			t.Errorf("%s: no colour", name)
		}
	}
}

func TestTextReportsWriteErrors(t *testing.T) {
	w := failing{}
	if err := Text(w, lasso(), TextOptions{}); err != errFull {
		t.Errorf("Text: got %v, want %v", err, errFull)
	}
	if err := Summary(w, document().Runs[:1], TextOptions{}); err != errFull {
		t.Errorf("Summary: got %v, want %v", err, errFull)
	}
	if err := Encode(w, document()); err != errFull {
		t.Errorf("Encode: got %v, want %v", err, errFull)
	}
}

var errFull = os.ErrClosed

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }
