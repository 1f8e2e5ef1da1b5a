package traces

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"mc/model"
)

// SARIF 2.1.0, as far as mc has something to say in it:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
		ColumnKind  string            `json:"columnKind"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID         string         `json:"id"`
		Name       string         `json:"name"`
		Short      *sarifMessage  `json:"shortDescription,omitempty"`
		Properties map[string]any `json:"properties,omitempty"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		ExitCode      int                 `json:"exitCode"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifMessage      `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
		CodeFlows    []sarifCodeFlow   `json:"codeFlows,omitempty"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
		Message  *sarifMessage  `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   struct {
			StartLine int `json:"startLine"`
		} `json:"region"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId"`
	}
	sarifLogical struct {
		Name string `json:"fullyQualifiedName"`
		Kind string `json:"kind,omitempty"`
	}
	sarifCodeFlow struct {
		Message     sarifMessage      `json:"message"`
		ThreadFlows []sarifThreadFlow `json:"threadFlows"`
	}
	sarifThreadFlow struct {
		Locations []sarifFlowLocation `json:"locations"`
	}
	sarifFlowLocation struct {
		Location sarifLocation           `json:"location"`
		State    map[string]sarifMessage `json:"state,omitempty"`
		Order    int                     `json:"executionOrder"`
		Weight   string                  `json:"importance,omitempty"`
	}
)

// SARIF writes a document in the Static Analysis Results Interchange Format.
// Every property is a rule. What is violated is a result, with its
// counterexample as a code flow; what could not be judged, or is not there any
// more, is a notification of the tool, for it says nothing about the code.
func SARIF(w io.Writer, d *Document, _ *Choice) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	rules := &run.Tool.Driver
	rules.Name, rules.Rules = "mc", []sarifRule{}
	for i := range d.Runs {
		r := &d.Runs[i]
		for j := range r.Results {
			rules.rule(r.Spec+"/"+r.Results[j].Property, &r.Results[j])
		}
	}
	call := sarifInvocation{Successful: true, ExitCode: d.Exit}
	for _, t := range problems(d) {
		if t.status == broken && t.trace == nil || t.run == nil {
			call.Successful = call.Successful && t.status != broken
			call.Notifications = append(call.Notifications, sarifNotification{
				Level: "error", Message: sarifMessage{plain(t.message)}, Locations: []sarifLocation{sarifAt(t.at, t.logical(), "")},
			})
			continue
		}
		run.Results = append(run.Results, rules.result(&t))
	}
	run.Invocations = []sarifInvocation{call}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(&sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
	if err != nil {
		return err
	}
	_, err = w.Write(escaped(b.Bytes()))
	return err
}

// rule is the index of a rule; it adds the rule if there is none of the name.
func (s *sarifDriver) rule(id string, res *Result) int {
	id = plain(id)
	i := slices.IndexFunc(s.Rules, func(r sarifRule) bool { return r.ID == id })
	if i >= 0 {
		return i
	}
	r := sarifRule{ID: id, Name: id}
	if res != nil {
		r.Name, r.Properties = plain(res.Property), map[string]any{"tags": []string{string(res.Kind)}}
		if res.Meaning != "" {
			r.Short = &sarifMessage{plain(res.Meaning)}
		}
	}
	s.Rules = append(s.Rules, r)
	return len(s.Rules) - 1
}

// logical is the name of what a test judged, whether or not its line is known.
func (t *test) logical() string {
	switch {
	case t.run == nil:
		return "expectations"
	case t.result != nil:
		return t.run.Spec + "/" + t.result.Property
	}
	return t.run.Spec
}

func (s *sarifDriver) result(t *test) sarifResult {
	id := t.logical()
	if t.result == nil {
		id += "/" + t.kind
	}
	i := s.rule(id, t.result)
	text, key := t.message, id
	if t.run != nil {
		where := selection(t.run.Spec, "", t.run.Config)
		text += " (" + where + ")"
		key += " " + where
	}
	if t.result == nil {
		key += " " + t.name
	}
	// Of all fingerprints, GitHub looks at this one. Ours stays when lines move,
	// and tells the same property in two configurations apart.
	r := sarifResult{
		RuleID: s.Rules[i].ID, RuleIndex: i, Level: "error", Message: sarifMessage{plain(text)},
		Locations:    []sarifLocation{sarifAt(t.at, t.logical(), "")},
		Fingerprints: map[string]string{"primaryLocationLineHash": fmt.Sprintf("%x:1", sha256.Sum256([]byte(key)))},
	}
	if t.trace != nil {
		r.CodeFlows = []sarifCodeFlow{sarifFlow(t)}
	}
	return r
}

// sarifAt is a place in the source, as far as it is known.
func sarifAt(l model.Location, name, text string) (s sarifLocation) {
	if l != (model.Location{}) {
		s.Physical = &sarifPhysical{Artifact: sarifArtifact{URI: uri(l.File), Base: "%SRCROOT%"}}
		s.Physical.Region.StartLine = l.Line
	}
	s.Logical = []sarifLogical{{Name: plain(name)}}
	if text != "" {
		s.Message = &sarifMessage{plain(text)}
	}
	return s
}

// sarifFlow is a counterexample as one thread, although a step has its lane:
// most viewers show the first thread of a flow only, and none puts several in
// the order of their steps.
func sarifFlow(t *test) sarifCodeFlow {
	tr := t.trace
	flow := sarifCodeFlow{Message: sarifMessage{plain(headline(tr) + "; " + extent(tr))}}
	var steps []sarifFlowLocation
	add := func(l model.Location, name, text, weight string, shown []change) {
		s := sarifFlowLocation{Location: sarifAt(l, name, text), Order: len(steps) + 1, Weight: weight}
		for _, c := range shown {
			if s.State == nil {
				s.State = map[string]sarifMessage{}
			}
			s.State[plain(c.name)] = sarifMessage{plain(value(c.to))}
		}
		steps = append(steps, s)
	}
	lines := brief(tr)
	for i := range tr.Steps {
		step := &tr.Steps[i]
		if i == 0 {
			shown, _ := notable(step.Fields)
			add(t.run.Location, tr.Spec, lines[i], "", shown)
			continue
		}
		weight := ""
		if step.Idle {
			weight = "unimportant"
		}
		add(step.Location, tr.Spec+"/"+step.Action, lines[i], weight, changes(tr.Steps[i-1].Fields, step.Fields))
	}
	for _, line := range lines[len(tr.Steps):] {
		add(t.at, t.logical(), line, "essential", nil)
	}
	flow.ThreadFlows = []sarifThreadFlow{{Locations: steps}}
	return flow
}
