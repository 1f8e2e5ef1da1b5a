// Package traces shows what a search found, in the formats that Formats lists.
//
// A model.Trace holds all that is shown of a behaviour, so that one read back
// from a file looks like the one that was saved. Text writes it as numbered
// steps, SVG and Dot as a picture with a lane for each component, Mermaid as a
// diagram for texts, HTML as a page of all there is; all say the same about who
// sends what to whom, since all ask chartOf. Labels come from specs and files, and none is shown before plain
// has made it harmless.
package traces

import "mc/model"

// Version is that of the JSON form of a Document.
const Version = 1

// Document is everything that one command found: what --out json= writes.
type Document struct {
	Version int   `json:"version"`
	Exit    int   `json:"exit"` // the exit code of the command
	Runs    []Run `json:"runs"`
	// Claims are those that mc claims judged by the runs.
	Claims []Claim `json:"claims,omitempty"`
	// Differences from what was expected, where no run has them.
	Differences []string `json:"differences,omitempty"`
}

// Run is the report of one search.
type Run struct {
	Spec       string              `json:"spec"`
	Bug        string              `json:"bug,omitempty"`
	Config     model.Configuration `json:"config"`
	Results    []Result            `json:"results"`
	Fault      *model.Trace        `json:"fault,omitempty"`
	Incomplete string              `json:"incomplete,omitempty"` // the reason
	Location   model.Location      `json:"location,omitzero"`    // where the spec is defined
	// Differences from what was expected of it, other than verdicts.
	Differences []string `json:"differences,omitempty"`
	Symmetry    []string `json:"symmetry,omitempty"` // sets; the states are orbits then

	// Walk is there if the states were not searched, but walked through at
	// random. Distinct is an estimate then, Depth the states of the longest
	// walk, and Cut counts the walks that the bound turned back.
	Walk *Walk `json:"walk,omitempty"`

	Distinct    uint64  `json:"distinct"`
	Generated   uint64  `json:"generated"`
	Depth       int     `json:"depth"`
	Cut         uint64  `json:"cut"`
	Exhausted   bool    `json:"exhausted"`
	Seconds     float64 `json:"seconds"`
	MemoryBytes int64   `json:"memoryBytes"`
	StateBytes  int     `json:"stateBytes"`
	// Edges are the steps that were kept to judge temporal properties.
	Edges      uint64   `json:"edges,omitempty"`
	EdgeBytes  int64    `json:"edgeBytes,omitempty"`
	Actions    []Count  `json:"actions"` // without those that the settings exclude
	NeverTaken []string `json:"neverTaken,omitempty"`
	// Levels are the states of each depth. Fields, and in Actions what is
	// beyond Steps, are there where the coverage was found: in small spaces,
	// or when asked for.
	Levels []uint64 `json:"levels"`
	Fields []Values `json:"fields"`
	// Growth says what a search that met a limit was growing by.
	Growth string `json:"growth,omitempty"`
	// Command makes the search again: "mc check --spec lock".
	Command string `json:"command,omitempty"`
}

// Walk says how random walks were taken.
type Walk struct {
	Seed  uint64 `json:"seed"`
	Walks uint64 `json:"walks"`
}

// Count is what one action did: the steps it made, the states that it leads
// out of and the different ones that it leads to.
type Count struct {
	Action   string `json:"action"`
	Steps    uint64 `json:"steps"`
	Enabled  uint64 `json:"enabled,omitempty"`
	Distinct uint64 `json:"distinct,omitempty"`
}

// Values is how many values a field took; More says that it took more.
type Values struct {
	Field  string `json:"field"`
	Values int    `json:"values"`
	More   bool   `json:"more,omitempty"`
}

// Result is what the search found of one property.
type Result struct {
	Property string        `json:"property"`
	Kind     model.Kind    `json:"kind"`
	Meaning  string        `json:"meaning,omitempty"`
	Verdict  model.Verdict `json:"verdict"`
	// Expected is the verdict that somebody expects, if they said so.
	Expected model.Verdict `json:"expected,omitempty"`
	// Location is where the spec makes the property.
	Location model.Location `json:"location,omitzero"`
	// Omission is the probability that a state was omitted, where that
	// qualifies the verdict: only fingerprints were kept.
	Omission float64 `json:"omission,omitempty"`
	// Bound is the number of states cut, where that qualifies the verdict.
	Bound uint64       `json:"bound,omitempty"`
	Steps int          `json:"steps"` // of the trace, if there is one
	Trace *model.Trace `json:"trace,omitempty"`

	// These are of temporal properties. Explanation says why the trace, a
	// lasso, is possible. Vacuous qualifies holds: what the property speaks of
	// never happens. NeedsNoFairness says that it holds without any.
	Explanation     *Explanation `json:"explanation,omitempty"`
	Vacuous         bool         `json:"vacuous,omitempty"`
	NeedsNoFairness bool         `json:"needsNoFairness,omitempty"`
}

// Explanation says what a lasso neglects, and what would forbid it.
type Explanation struct {
	Neglected []Neglect `json:"neglected,omitempty"`
	// Remedy are fairness conditions with which the property holds, if the
	// checker found some; Tried is the number of sets of them that it judged.
	Remedy []string `json:"remedy,omitempty"`
	Tried  int      `json:"tried"`
	// Part says that only a part of the states was judged.
	Part bool `json:"part,omitempty"`
}

// Neglect is an action that a loop enables and does not take.
type Neglect struct {
	Action     string   `json:"action"`
	Enabled    int      `json:"enabled"` // states of the loop in which it is enabled
	States     int      `json:"states"`  // states of the loop
	Conditions []string `json:"conditions,omitempty"`
}
