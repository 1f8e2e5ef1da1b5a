package traces

import (
	"fmt"
	"strings"

	"mc/model"
)

// suite is what a CI is told of one search, or of one claim.
type suite struct {
	name, class string // class is that of its tests
	about       string
	run         *Run // nil for a claim
	seconds     float64
	tests       []test
}

// test is one thing that came out as it should, or did not.
type test struct {
	name    string
	status  status
	message string // in a line; what is wrong, if something is
	kind    string // of what is wrong, or of what was judged
	run     *Run   // that judged it; may be nil
	result  *Result
	trace   *model.Trace
	at      model.Location
}

// status is what CIs tell apart. What is broken could not be judged, or only
// in part.
type status uint8

const (
	passed status = iota
	failed
	broken
	skipped
)

// AsExpected says whether the verdict is one that was asked for by name.
func (r *Result) AsExpected() bool { return r.Expected != "" && r.Expected == r.Verdict }

// status is that of a result by itself: a good verdict is expected unless
// another one is.
func (r *Result) status() status {
	switch {
	case r.AsExpected():
		return passed
	case r.Verdict == model.Incomplete:
		return broken
	case r.Expected != "" || r.Verdict == model.Violated || r.Verdict == model.Unreachable:
		return failed
	}
	return passed
}

// suitesOf takes a document apart. The searches that claims needed are judged
// by them alone: most claims say that something is violated.
func suitesOf(d *Document) (all []suite) {
	for i := range d.Claims {
		all = append(all, claimSuite(d, &d.Claims[i]))
	}
	if len(d.Claims) == 0 {
		for i := range d.Runs {
			all = append(all, runSuite(&d.Runs[i]))
		}
	}
	if len(d.Differences) > 0 {
		s := suite{name: "expectations", class: "expectations"}
		for _, text := range d.Differences {
			s.tests = append(s.tests, test{name: text, status: failed, message: text, kind: "difference"})
		}
		all = append(all, s)
	}
	return all
}

// problems are the tests that say that something is wrong.
func problems(d *Document) (all []test) {
	for _, s := range suitesOf(d) {
		for _, t := range s.tests {
			if t.status == failed || t.status == broken {
				all = append(all, t)
			}
		}
	}
	return all
}

func runSuite(r *Run) suite {
	s := suite{name: selection(r.Spec, r.Bug, r.Config), class: r.Spec, run: r, seconds: r.Seconds}
	open := false
	for i := range r.Results {
		t := resultTest(r, &r.Results[i])
		open = open || t.status == broken
		s.tests = append(s.tests, t)
	}
	if f := r.Fault; f != nil {
		s.tests = append(s.tests, faultTest(r))
	} else if r.Incomplete != "" && !open {
		s.tests = append(s.tests, test{name: "search", status: broken, kind: "incomplete", message: "incomplete: " + r.Incomplete, run: r, at: r.Location})
	}
	for _, text := range r.Differences {
		s.tests = append(s.tests, test{name: text, status: failed, message: text, kind: "difference", run: r, at: r.Location})
	}
	if len(s.tests) == 0 {
		s.tests = append(s.tests, test{name: "search", message: searched(r), run: r, at: r.Location})
	}
	return s
}

func resultTest(r *Run, res *Result) test {
	t := test{name: res.Property, status: res.status(), kind: string(res.Kind), run: r, result: res, at: res.Location}
	t.message = res.Property + ": " + outcome(res)
	if res.Verdict == model.Incomplete && r.Incomplete != "" {
		t.message += ", since " + r.Incomplete
	}
	if res.Meaning != "" {
		t.message += ": " + res.Meaning
	}
	if t.status != passed {
		t.trace = res.Trace
	}
	return t
}

// faultTest is the mistake of a spec. The line to look at is that of the action
// that failed after the last step, if the trace tells it, or of the spec.
func faultTest(r *Run) test {
	return test{name: "the spec itself", status: broken, kind: "fault", message: r.Spec + " is at fault: " + r.Fault.Fault, run: r, trace: r.Fault, at: r.Location}
}

func claimSuite(d *Document, c *Claim) suite {
	s := suite{name: c.Spec + " · claim " + c.ID, class: c.Spec + "." + c.ID, about: c.Text}
	if c.NotModelled != "" {
		s.tests = append(s.tests, test{name: c.ID, status: skipped, message: "not modelled: " + c.NotModelled, kind: "not modelled"})
	}
	for i := range c.Cases {
		k := &c.Cases[i]
		var run *Run
		if k.Run != nil {
			run = &d.Runs[*k.Run]
			s.seconds += run.Seconds
		}
		if run != nil && run.Fault != nil {
			s.tests = append(s.tests, faultTest(run))
		}
		for j := range k.Verdicts {
			s.tests = append(s.tests, checkedTest(c, k, &k.Verdicts[j], run))
		}
	}
	return s
}

func checkedTest(c *Claim, k *Case, v *Checked, run *Run) test {
	t := test{kind: "claim", run: run, status: map[Outcome]status{Agrees: passed, Differs: failed, Known: skipped, Open: broken, Skipped: skipped}[v.Outcome]}
	want := v.Text
	if v.Property != "" {
		want = v.Property + " " + string(v.Expected)
	}
	t.name = k.Heading() + ": " + want
	if run != nil {
		t.at = run.Location
		for i := range run.Results {
			if run.Results[i].Property == v.Property {
				t.result = &run.Results[i]
				t.at = t.result.Location
			}
		}
	}
	found := ""
	if v.Found != "" {
		found = "; found " + string(v.Found)
	}
	switch v.Outcome {
	case Differs:
		t.message = fmt.Sprintf("claim %s: %s: want %s%s", c.ID, k.Heading(), want, found)
		if t.result != nil {
			t.trace = t.result.Trace
		}
	case Known:
		t.message = "known to differ: " + k.Known
	case Open:
		t.message = fmt.Sprintf("claim %s: %s: incomplete: want %s", c.ID, k.Heading(), want)
		if run != nil && run.Incomplete != "" {
			t.message += ", but " + run.Incomplete
		}
	case Skipped:
		t.message = "skipped: it takes long"
	}
	t.message = strings.TrimSpace(t.message)
	return t
}
