package traces

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// JUnit XML as most CIs read it: https://llg.cubic.org/docs/junit lists the
// elements and attributes. File and line are of those that some of them know.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []junitSuite `xml:"testsuite"`
	}
	junitCounts struct {
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Time     string `xml:"time,attr"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Properties *[]junitProperty `xml:"properties>property"`
		Cases      []junitCase      `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Name    string     `xml:"name,attr"`
		Class   string     `xml:"classname,attr"`
		File    string     `xml:"file,attr,omitempty"`
		Line    int        `xml:"line,attr,omitempty"`
		Skipped *junitText `xml:"skipped"`
		Error   *junitText `xml:"error"`
		Failure *junitText `xml:"failure"`
	}
	junitText struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",cdata"`
	}
)

// JUnit writes a document as JUnit XML: a suite for each search, with a test
// for each property, or a suite for each claim, with a test for each verdict.
func JUnit(w io.Writer, d *Document, _ *Choice) error {
	all := junitSuites{Name: "mc"}
	seconds := 0.0
	for _, s := range suitesOf(d) {
		j := junitSuiteOf(&s)
		all.Tests += j.Tests
		all.Failures += j.Failures
		all.Errors += j.Errors
		all.Skipped += j.Skipped
		seconds += s.seconds
		all.Suites = append(all.Suites, j)
	}
	all.Time = junitTime(seconds)
	var b bytes.Buffer
	b.WriteString(xml.Header)
	e := xml.NewEncoder(&b)
	e.Indent("", "  ")
	if err := e.Encode(&all); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err := b.WriteTo(w)
	return err
}

func junitSuiteOf(s *suite) junitSuite {
	j := junitSuite{Name: plain(s.name)}
	j.Time = junitTime(s.seconds)
	var properties []junitProperty
	add := func(name, value string) {
		if value != "" {
			properties = append(properties, junitProperty{name, plain(value)})
		}
	}
	add("claim", s.about)
	if r := s.run; r != nil {
		add("distinct states", strconv.FormatUint(r.Distinct, 10))
		add("generated", strconv.FormatUint(r.Generated, 10))
		add("depth", strconv.Itoa(r.Depth))
		add("command", r.Command)
	}
	if properties != nil {
		j.Properties = &properties
	}
	for i := range s.tests {
		t := &s.tests[i]
		c := junitCase{Name: plain(t.name), Class: plain(s.class), File: t.at.File, Line: t.at.Line}
		j.Tests++
		switch t.status {
		case skipped:
			j.Skipped++
			c.Skipped = &junitText{Message: plain(t.message)}
		case broken:
			j.Errors++
			c.Error = t.junitText()
		case failed:
			j.Failures++
			c.Failure = t.junitText()
		}
		j.Cases = append(j.Cases, c)
	}
	return j
}

// junitText is what a test says that did not pass, with the trace in it.
func (t *test) junitText() *junitText {
	var b strings.Builder
	if t.trace != nil {
		shown := Behaviour{Trace: t.trace, Result: t.result}
		b.WriteString("\n")
		_ = shown.Write(&b, TextOptions{}) // a builder takes everything
	}
	if t.run != nil && t.run.Command != "" {
		fmt.Fprintf(&b, "\nagain: %s\n", plain(t.run.Command))
	}
	return &junitText{Message: plain(t.message), Type: plain(t.kind), Text: b.String()}
}

func junitTime(seconds float64) string { return strconv.FormatFloat(seconds, 'f', 3, 64) }
