package traces

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mc/model"
)

func page(t testing.TB, d *Document) string {
	t.Helper()
	return written(t, func(w io.Writer) error { return HTML(w, d, &Choice{}) })
}

// reported is a document with everything that a page shows.
func reported() *Document {
	d := document()
	first, second := &d.Runs[0], &d.Runs[1]
	first.Command = "mc check --spec store --scenario crash --set crashes=1 --fix sync"
	second.Command = "mc check --spec lock --property FirstIsServed"
	bad := first.Results[0].Trace
	bad.Because = []model.Cause{{Step: 4, Fields: []string{"acked"}}, {Step: 10, Fields: []string{"value[a]", "value[b]"}}}
	bad.Steps[5].Because, bad.Steps[6].Idle = []model.Cause{{Step: 3, Fields: []string{"log"}}}, true
	bad.Truths = []model.Truth{
		{Property: "NothingLost", Kind: model.Invariant, Steps: "11111111111"},
		{Property: "Answered", Kind: model.Witness, Steps: "00000000001"},
		{Property: "OneStep", Kind: model.StepInvariant, Steps: "-1111101111"},
		{Property: "PutIsAnswered", Kind: model.Leads, Steps: "10000000001"},
		{Property: "GoesOn", Kind: model.NoDeadlock, Steps: "11111111110"},
		{Property: "NotTold", Kind: model.Stable, Steps: "-----------"},
		{Property: "ReplicasAgree", Kind: model.Invariant, Steps: "11111101110"},
	}
	second.Results[0].Trace.Truths = []model.Truth{
		{Property: "FirstIsServed", Kind: model.Leads, Steps: "100000"},
		{Property: "SomeoneHolds", Kind: model.Recurrent, Steps: "000100"},
	}
	return d
}

// withoutOurs is a page without its style and its script, which files of their
// own hold, and their hashes.
func withoutOurs(page string) string {
	page = regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAllString(page, "<style></style>")
	page = regexp.MustCompile(`(?s)<script>.*?</script>`).ReplaceAllString(page, "<script></script>")
	return regexp.MustCompile(`sha256-.*?&#39;`).ReplaceAllString(page, "sha256-&#39;")
}

func TestHTMLGolden(t *testing.T) {
	golden(t, "document.html", []byte(withoutOurs(page(t, reported()))))
	one := &Behaviour{Trace: lasso()}
	golden(t, "lasso.html", []byte(withoutOurs(written(t, func(w io.Writer) error { return htmlOne(w, one, TextOptions{}) }))))
}

// TestHTMLClaims: each verdict of a claim is there, and leads to what shows it.
func TestHTMLClaims(t *testing.T) {
	d := reported()
	run := 0
	d.Claims = []Claim{{Spec: "store", Bug: "STORE-17", ID: "C1", Text: "replicas <agree>", Source: "ours", Cases: []Case{{
		Scenario: "crash", Fix: "sync", Known: "a known reason", Run: &run, Verdicts: []Checked{
			{Property: "ReplicasAgree", Expected: model.Violated, Found: model.Violated, Outcome: Agrees},
			{Property: "NothingLost", Expected: model.Violated, Found: model.Holds, Outcome: Differs},
			{Property: "Answered", Expected: model.Reached, Outcome: Skipped},
			{Text: "as many states as before", Outcome: Known},
		},
	}}}, {Spec: "lock", ID: "C2", Text: "all are served", NotModelled: "it is known", Cases: []Case{}}}
	got := page(t, d)
	for _, want := range []string{
		`<span class="good" title="agrees"><a href="#b1">✓ ReplicasAgree violated</a></span>`,
		`<span class="bad" title="differs">✗ NothingLost holds, expected violated</span>`,
		`? Answered reachable: skipped`, `~ as many states as before`, "crash; fix sync", "a known reason", "replicas &lt;agree&gt;", "it is known",
		`<li class="bad"><span aria-hidden="true">✗</span> 1 came out differently</li>`, "<title>2 claims of 3 specs</title>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is not in %s", want, withoutOurs(got))
		}
	}
}

// elements are what an HTML page is made of, but for lines of pictures and rows of
// tables: text may take several, and elements of an array that change alike take
// one.
func elements(t *testing.T, page string) (shape []string) {
	d := xml.NewDecoder(strings.NewReader(withoutOurs(page)))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := d.Token()
		if err == io.EOF {
			return shape
		}
		if err != nil {
			t.Fatalf("not well formed: %v", err)
		}
		if e, ok := token.(xml.StartElement); ok && !slices.Contains([]string{"text", "tspan", "tr", "th", "td"}, e.Name.Local) {
			s := e.Name.Local
			for _, a := range e.Attr {
				s += " " + a.Name.Local
			}
			shape = append(shape, s)
		}
	}
}

// TestHTMLHostile: whatever stands in a label, the page has the same elements, and
// nothing in it is hidden.
func TestHTMLHostile(t *testing.T) {
	write := func(tr *model.Trace) string {
		return written(t, func(w io.Writer) error { return writeIn(w, "html", tr) })
	}
	for _, sample := range []func() *model.Trace{handmade, lasso} {
		for _, label := range hostileLabels {
			t.Run(fmt.Sprintf("%.20q", label), func(t *testing.T) {
				got, harmless := write(relabelled(sample(), label)), write(relabelled(sample(), "ok"))
				for i, line := range strings.Split(got, "\n") {
					if plain(line) != line {
						t.Errorf("line %d is not plain: %.100q", i+1, line)
					}
				}
				if len(got) > maxHTML {
					t.Errorf("%d bytes", len(got))
				}
				// A label of nothing has no element of its own.
				if a, b := elements(t, got), elements(t, harmless); strings.Trim(label, " ") != "" && !slices.Equal(a, b) {
					t.Errorf("got %v\nwant %v", a, b)
				}
				if n := strings.Count(strings.ToLower(got), "<script"); n != 2 {
					t.Errorf("%d scripts, want the page's own and its data", n)
				}
			})
		}
	}
}

// states are the states of a behaviour as the script of a page computes them.
func states(t *testing.T, page string) (all [][]string) {
	t.Helper()
	_, data, ok := strings.Cut(page, `<script type="application/json">`)
	data, _, _ = strings.Cut(data, "</script>")
	var d struct {
		Names, First []string
		Sets         [][]struct {
			F int
			V string
		}
		Repeat int
	}
	if err := json.Unmarshal([]byte(data), &d); err != nil || !ok {
		t.Fatalf("data: %v in %s", err, data)
	}
	for _, sets := range d.Sets {
		for _, s := range sets {
			d.First[s.F] = s.V
		}
		all = append(all, slices.Clone(d.First))
	}
	return all
}

// TestHTMLStates: the script knows every value of every state.
func TestHTMLStates(t *testing.T) {
	tr := handmade()
	got := states(t, written(t, func(w io.Writer) error { return writeIn(w, "html", tr) }))
	if len(got) != len(tr.Steps) {
		t.Fatalf("got %d states, want %d", len(got), len(tr.Steps))
	}
	for i, s := range tr.Steps {
		for j, f := range s.Fields {
			if got[i][j] != value(f.Value) {
				t.Errorf("state %d: got %s = %s, want %s", i, f.Name, got[i][j], value(f.Value))
			}
		}
	}
}

// long is a behaviour of n steps that each change one of some fields.
func long(n, fields, size int) *model.Trace {
	t := &model.Trace{Spec: "long", Property: "Ends", Verdict: model.Violated, Kind: model.Invariant, Lanes: []string{"a", "b"}, Loop: -1}
	for i := range n + 1 {
		s := model.TraceStep{}
		if i > 0 {
			s.Action, s.Lane = "Step", t.Lanes[i%2]
		}
		for j := range fields {
			v := "0"
			if i > 0 && (i+j)%fields == 0 {
				v = fmt.Sprint(i) + strings.Repeat("x", size)
			}
			s.Fields = append(s.Fields, model.Field{Name: fmt.Sprint("field", j), Value: v})
		}
		t.Steps = append(t.Steps, s)
	}
	return t
}

// TestHTMLIsBounded: what does not fit is left out, and told.
func TestHTMLIsBounded(t *testing.T) {
	many := &Document{}
	for i := range 400 {
		d := reported()
		for j := range d.Runs {
			d.Runs[j].Config.Scenario = fmt.Sprint("s", i)
		}
		many.Runs = append(many.Runs, d.Runs[0])
	}
	wordy := reported()
	for i := range 3000 {
		wordy.Runs[0].Results = append(wordy.Runs[0].Results, Result{
			Property: fmt.Sprint("P", i), Kind: model.Invariant, Verdict: model.Holds, Meaning: strings.Repeat("word ", 1000),
		})
	}
	one := func(tr *model.Trace) *Document {
		return &Document{Runs: []Run{{Spec: "long", Results: []Result{{Property: "Ends", Kind: tr.Kind, Verdict: tr.Verdict, Trace: tr, Steps: len(tr.Steps) - 1}}}}}
	}
	for name, c := range map[string]struct {
		d    *Document
		want []string
	}{
		"long":     {one(long(3000, 4, 1)), []string{"The picture is left out", "Steps 100–2900 are left out", `id="b1-3000"`}},
		"no lanes": {one(long(600, 4, 300)), []string{"The picture is left out"}},
		"large":    {one(long(300, 60, 4000)), []string{"are left out", "…"}},
		"huge":     {one(long(4, 90000, 1)), []string{"1 behaviour left out, for the page would be larger than 1 MB"}},
		"many":     {many, []string{"behaviours left out", "descriptions left out"}},
		"wordy":    {wordy, []string{"3 searches left out"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := page(t, c.d)
			if len(got) > maxHTML {
				t.Errorf("got %d bytes, want at most %d", len(got), maxHTML)
			}
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("%q is not in the page of %d bytes", want, len(got))
				}
			}
			for _, link := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(got, -1) {
				if !strings.Contains(got, `id="`+link[1]+`"`) {
					t.Fatalf("a link leads to %s, which is left out", link[1])
				}
			}
		})
	}
}

func TestHTMLCommand(t *testing.T) {
	for _, c := range [][3]string{
		{"mc check --spec s", "P", "mc check --spec s --property P"},
		{"mc check --spec s --property P,Q", "Q", "mc check --spec s --property Q"},
		{"mc check --spec s --property all --symmetry", "Q", "mc check --spec s --property Q --symmetry"},
		{"mc check --spec s", "P; $(x)", "mc check --spec s"},
		{"", "P", ""},
	} {
		if got := commandFor(c[0], c[1]); got != c[2] {
			t.Errorf("%s, %s: got %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

// TestHTMLGap: the states beyond the steps that are left out are the right ones.
func TestHTMLGap(t *testing.T) {
	tr := long(3000, 4, 1)
	got := states(t, written(t, func(w io.Writer) error { return writeIn(w, "html", tr) }))
	last := tr.Steps[3000].Fields
	for j, f := range last {
		if v := got[len(got)-1][j]; v != f.Value {
			t.Errorf("got %s = %s, want %s", f.Name, v, f.Value)
		}
	}
	if len(got) != 201 {
		t.Errorf("got %d entries, want 200 steps and a gap", len(got))
	}
}

// TestHTMLPolicy: a browser is told to run our script and nothing else.
func TestHTMLPolicy(t *testing.T) {
	got := page(t, reported())
	if !strings.Contains(got, `content="default-src &#39;none&#39;; style-src &#39;sha256-`) {
		t.Error("no policy that forbids everything else")
	}
	for _, forbidden := range []string{"http:", "https:", " style=", " onclick", "javascript:", "@import", "url("} {
		if strings.Contains(got, forbidden) {
			t.Errorf("the page has %q", forbidden)
		}
	}
	if page(t, reported()) != got {
		t.Error("the same document gives another page")
	}
}

func TestHTMLReportsWriteErrors(t *testing.T) {
	if err := HTML(failing{}, reported(), &Choice{}); err == nil {
		t.Error("got no error")
	}
}
