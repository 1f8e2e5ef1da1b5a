package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mc/model"
	"mc/traces"
)

// lockFile is what mc lock writes, unless another name is given.
const lockFile = "mc.lock"

// expecting are the flags that say what is to come out of a search.
type expecting struct {
	file, lock word
	locked     bool
}

func (e *expecting) flags(f *pflag.FlagSet) {
	f.Var(&e.file, "expect", "search what `FILE` says, and compare; see mc help expect")
	f.BoolVar(&e.locked, "locked", false, "search and compare what mc lock wrote")
	f.Var(&e.lock, "lock", "as --locked, but with this `FILE` (default mc.lock)")
}

// wantedRun is a search that an expectation names, and all that is expected of
// it.
type wantedRun struct {
	target
	heading  string
	line     int // of the first entry that names it
	verdicts map[int]wantedVerdict
	counts   [3]wantedCount // states, generated, depth
}

// expected is what a file expects.
type expected struct {
	file   string
	locked bool
	runs   []*wantedRun
	// differences are those found so far, each a line.
	differences []string
	// gone are those of them that no search is left for.
	gone []string
}

// expectations reads what is expected, or is nil if nothing is. The searches
// are then those that the file names.
func (a *app) expectations(e *expecting, sel *selection, walk bool) *expected {
	x := &expected{file: e.file.text}
	switch {
	case e.file.given && (e.locked || e.lock.given):
		a.mistakef("--expect %s: want no --locked and no --lock with it", e.file.text)
		return nil
	case e.locked || e.lock.given:
		x.locked, x.file = true, lockFile
		if e.lock.given {
			x.file = e.lock.text
		}
	case !e.file.given:
		return nil
	}
	flag := "--expect"
	if x.locked {
		flag = "--lock"
	}
	if x.file == "" {
		a.mistakef("%s: want the name of a file", flag)
		return nil
	}
	a.keep(x.file, flag)
	for _, f := range []struct {
		flag string
		n    int
	}{{"--fix", len(sel.fixes)}, {"--scenario", len(sel.scenarios)}, {"--set", len(sel.set)}, {"--property", len(sel.properties)}} {
		if f.n > 0 {
			a.mistakef("%s: %s says what is searched; want only --spec to choose among that", f.flag, x.file)
		}
	}
	if walk {
		a.mistakef("--mode walk: random walks prove nothing that could be expected; want a search")
	}
	for _, name := range a.needNames("--spec", sel.specs) {
		a.entry("--spec", name)
	}
	entries, errs := readExpectations(x.file)
	for _, err := range errs {
		a.mistake(err)
	}
	for i := range entries {
		if len(sel.specs) == 0 || slices.Contains(sel.specs, entries[i].spec) {
			x.plan(a, &entries[i])
		}
	}
	if x.locked {
		x.findNew(a, sel)
	}
	if len(x.runs)+len(x.gone)+len(a.mistakes) == 0 {
		a.mistakef("--spec %s: %s expects nothing of it", strings.Join(sel.specs, ","), x.file)
	}
	return x
}

// plan makes the searches of an entry.
func (x *expected) plan(a *app, w *wanted) {
	i := slices.IndexFunc(a.specs, func(e *model.Entry) bool { return e.Name == w.spec })
	if i < 0 {
		if w.spec != "" {
			x.wrong(a, w.line, &model.NameError{Flag: "spec", Kind: "spec", Name: w.spec, Have: specNames(a.specs)})
		}
		return
	}
	e := a.specs[i]
	scenarios := w.scenarios
	if len(scenarios) == 0 {
		scenarios = defaultScenarios(e)
	}
	for _, scenario := range scenarios {
		m, err := e.Machine(model.Selection{Scenario: scenario, Set: w.set, Fix: w.fixes})
		if err != nil {
			for _, one := range leaves(err) {
				x.wrong(a, w.line, one)
			}
			continue
		}
		x.add(a, w, target{entry: e, machine: m})
	}
}

// add adds what an entry expects of one search. Entries of the same search
// share it.
func (x *expected) add(a *app, w *wanted, t target) {
	i := slices.IndexFunc(x.runs, func(r *wantedRun) bool { return sameConfig(r.target, t) })
	if i < 0 {
		i = len(x.runs)
		x.runs = append(x.runs, &wantedRun{target: t, heading: headingOf(t.machine, w.fixes, w.set), line: w.line, verdicts: map[int]wantedVerdict{}})
		for p := range t.machine.Properties {
			if !t.machine.Properties[p].Question {
				x.runs[i].properties = append(x.runs[i].properties, p)
			}
		}
	}
	r := x.runs[i]
	for _, v := range w.verdicts {
		p := t.machine.Property(v.property)
		switch {
		case v.verdict == "":
		case p < 0:
			x.wrong(a, v.line, fmt.Errorf("%s: %w", r.heading, &model.NameError{Flag: "property", Kind: "property", Name: v.property, Have: propertyNames(t.machine)}))
		case !fits(t.machine.Properties[p].Kind, v.verdict):
			x.wrong(a, v.line, fmt.Errorf("%s: %s: want a verdict that fits the kind, which is %s", r.heading, v.property, t.machine.Properties[p].Kind))
		case r.verdicts[p].verdict != "" && r.verdicts[p].verdict != v.verdict:
			x.wrong(a, v.line, fmt.Errorf("%s: %s %s, but line %d has %s", r.heading, v.property, v.verdict, r.verdicts[p].line, r.verdicts[p].verdict))
		default:
			r.verdicts[p] = v
			if !slices.Contains(r.properties, p) {
				r.properties = append(r.properties, p)
				slices.Sort(r.properties)
			}
		}
	}
	for k, c := range []wantedCount{w.states, w.generated, w.depth} {
		if c.line > 0 {
			if old := r.counts[k]; old.line > 0 && old.n != c.n {
				x.wrong(a, c.line, fmt.Errorf("%s: %s %s, but line %d has %s", r.heading, number(c.n), counted[k], old.line, number(old.n)))
			}
			r.counts[k] = c
		}
	}
}

// counted are the numbers that can be expected.
var counted = [3]string{"distinct states", "generated", "levels"}

func fits(k model.Kind, v model.Verdict) bool {
	return (k == model.Witness) == (v == model.Reached || v == model.Unreachable)
}

// wrong notes that a line of the file names what is not there. In expectations
// that is a mistake; in a lock, which nobody writes by hand, a difference.
func (x *expected) wrong(a *app, line int, err error) {
	place := fmt.Sprintf("%s:%d", x.file, line)
	var name *model.NameError
	if errors.As(err, &name) {
		plain := *name
		plain.Flag = strings.TrimPrefix(name.Flag, "--")
		err = errors.New(strings.Replace(explain(err), name.Flag+" "+name.Name, plain.Flag+" "+name.Name, 1))
		if x.locked {
			x.gone = append(x.gone, place+": "+err.Error())
			return
		}
	}
	a.mistake(fmt.Errorf("%s: %w", place, err))
}

// findNew looks for the searches that mc lock would add.
func (x *expected) findNew(a *app, sel *selection) {
	for _, t := range lockTargets(a, sel.specs) {
		if !slices.ContainsFunc(x.runs, func(r *wantedRun) bool { return sameConfig(r.target, t) }) {
			x.gone = append(x.gone, fmt.Sprintf("%s: lacks %s", x.file, headingOf(t.machine, fixesOf(t.machine), nil)))
		}
	}
}

func (x *expected) targets() (all []target) {
	for _, r := range x.runs {
		all = append(all, r.target)
	}
	return all
}

// judge puts into a run what is expected of it, notes the differences, and says
// whether there is something to see.
func (x *expected) judge(i int, run *traces.Run) (differs bool) {
	w, before := x.runs[i], len(x.differences)
	differ := func(line int, format string, args ...any) string {
		text := fmt.Sprintf(format, args...)
		x.differences = append(x.differences, fmt.Sprintf("%s:%d: %s: %s", x.file, line, w.heading, text))
		return text
	}
	for j := range run.Results {
		res := &run.Results[j]
		want, said := w.verdicts[w.machine.Property(res.Property)]
		switch {
		case said:
		case x.locked:
			run.Differences = append(run.Differences, differ(w.line, "%s %s, but is not in the lock", res.Property, res.Verdict))
			continue
		default:
			want = wantedVerdict{expectation{res.Property, model.Holds}, w.line}
			if res.Kind == model.Witness {
				want.verdict = model.Reached
			}
		}
		if res.Expected = want.verdict; res.Verdict != res.Expected {
			differ(want.line, "%s %s, want %s", res.Property, res.Verdict, res.Expected)
		}
	}
	if run.Incomplete != "" || run.Fault != nil {
		return true // the counts are of how far it came
	}
	for k, got := range []uint64{run.Distinct, run.Generated, uint64(run.Depth)} {
		if c := w.counts[k]; c.line > 0 && c.n != got {
			run.Differences = append(run.Differences, differ(c.line, "%s %s, want %s", number(got), counted[k], number(c.n)))
		}
	}
	return len(x.differences) > before
}

// tell prints all differences, each in one line, however long: tools read them.
func (x *expected) tell(a *app, doc *traces.Document) {
	doc.Differences = x.gone
	all := slices.Concat(x.gone, x.differences)
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(a.out, "%s from %s:\n\n", plural(len(all), "difference"), x.file)
	for _, line := range all {
		fmt.Fprintln(a.out, "  "+line)
	}
	if x.locked {
		command := "mc lock"
		if x.file != lockFile {
			command += " --lock " + quoted(x.file)
		}
		fmt.Fprintf(a.out, "\nIf this is meant, %s writes it anew.\n", command)
	}
	fmt.Fprintln(a.out)
}

// sameConfig says whether two searches are of the same machine, by the same name.
func sameConfig(s, t target) bool {
	return s.entry == t.entry && s.machine.Config.Scenario == t.machine.Config.Scenario && slices.EqualFunc(s.machine.Config.Settings, t.machine.Config.Settings,
		func(a, b model.Setting) bool { return a.Name == b.Name && a.Value == b.Value })
}

// headingOf names a search in few words.
func headingOf(m *model.Machine, fixes []string, set map[string]string) string {
	heading := strings.TrimSpace(m.Name + " " + m.Config.Scenario)
	if len(fixes) > 0 {
		heading += ", fix " + strings.Join(fixes, ",")
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		heading += ", " + name + "=" + set[name]
	}
	return heading
}

// fixesOf says, as --fix does, which fixes of a search of mc lock are on.
func fixesOf(m *model.Machine) []string {
	if len(m.Config.Fixes()) > 0 {
		return []string{"on"}
	}
	return nil
}

func specNames(specs []*model.Entry) (names []string) {
	for _, e := range specs {
		names = append(names, e.Name)
	}
	return names
}

func expectHelp() *cobra.Command {
	return &cobra.Command{Use: "expect", Short: "what --expect reads, and what mc lock writes", Long: `Mc check --expect FILE makes the searches that FILE names, and compares what
they find with what FILE expects. FILE is YAML:

  expect:
  - spec: bcsid-map                 # of the spec's default scenarios, each
    fixes: on                       # as --fix has it; off if left out
  - spec: bcsid-map
    scenario: raft1                 # or several: [raft1, raft2]
    property: NoUpdateBcsidFailure
    verdict: violated
  - spec: bcsid-map
    scenario: raft1
    settings: {crashes: 0}          # as --set has them
    verdicts: {NoUpdateBcsidFailure: holds}
    states: 34                      # distinct; also: generated, depth

Entries of the same search share it. A guarantee of which no entry speaks is
expected to hold, or a witness to be reachable: a violation that nobody expects
is a difference, and so is an expected one that is gone. Each is told in a line;
of the searches, only those that differ are printed.

Mc lock writes the searches that mc check and mc check --fix on make, with all
verdicts and counts, into mc.lock. Mc check --locked makes them again: there a
property or a search that the lock does not have is a difference as well.`}
}
