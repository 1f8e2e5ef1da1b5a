package traces

import (
	"strings"

	"mc/model"
)

// Claim is a statement about a system, and what came out in each of its cases.
type Claim struct {
	Spec        string `json:"spec"`
	Bug         string `json:"bug,omitempty"`
	ID          string `json:"id"`
	Text        string `json:"text"`
	Source      string `json:"source,omitempty"`
	NotModelled string `json:"notModelled,omitempty"` // why it has no cases
	Cases       []Case `json:"cases"`
}

// Case is a claim in one configuration.
type Case struct {
	Scenario string `json:"scenario,omitempty"`
	Fix      string `json:"fix"`
	Set      string `json:"set,omitempty"`
	Known    string `json:"known,omitempty"` // why it is known to come out differently
	// Run is the index of its search among those of the document, if it was made.
	Run      *int      `json:"run,omitempty"`
	Verdicts []Checked `json:"verdicts"`
}

// Checked is a verdict that a case expects, and what was found. The last one
// may be of no property: of something else that the case says.
type Checked struct {
	Property string        `json:"property,omitempty"`
	Expected model.Verdict `json:"expected,omitempty"`
	Found    model.Verdict `json:"found,omitempty"`
	Text     string        `json:"text,omitempty"` // what is expected of no property
	Outcome  Outcome       `json:"outcome"`
}

// Outcome says how what was found stands to what was expected.
type Outcome string

// The outcomes. A case that is known to differ must; Open says that the search
// ended too early to tell, and Skipped that none was made.
const (
	Agrees  Outcome = "agrees"
	Differs Outcome = "differs"
	Known   Outcome = "known to differ"
	Open    Outcome = "incomplete"
	Skipped Outcome = "skipped"
)

// Heading says in which configuration a case runs.
func (c *Case) Heading() string {
	parts := []string{"fix " + c.Fix}
	if c.Scenario != "" {
		parts = []string{c.Scenario, parts[0]}
	}
	if c.Set != "" {
		parts = append(parts, strings.ReplaceAll(c.Set, ",", ", "))
	}
	return strings.Join(parts, "; ")
}
