package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"mc/model"
)

func (a *app) traceTestCommand() *cobra.Command {
	var e examining
	var to, pkg, entry word
	c := &cobra.Command{
		Use:   "test FILE",
		Short: "write a Go test from a counterexample",
		Long: `Test writes a Go test, for the package of the spec, that takes the steps of a
saved counterexample and wants them not to violate the property. It fails on the
system as it is, and passes once the spec is mended.

With --fix, --set or --on the test wants that of the changed system, and of the
system as it is that the bug is still there, so that the test cannot pass for
nothing.`,
		Example: `  mc trace test found.json > spec/bcsidmap/replay_test.go
  mc trace test found.json --fix on --to spec/bcsidmap/replay_test.go`,
		Args: cobra.ArbitraryArgs,
	}
	e.choiceFlags(c.Flags())
	e.configFlags(c.Flags())
	c.Flags().Var(&to, "to", "write it to `FILE` (default standard output)")
	c.Flags().Var(&pkg, "package", "`NAME` of its package (default that of the spec)")
	c.Flags().Var(&entry, "entry", "`EXPR` for the spec there (default Entry)")
	c.Flags().SortFlags = false
	c.RunE = func(_ *cobra.Command, args []string) error {
		file := a.output("--to", to)
		g := a.goTest(args, &e, pkg, entry)
		if err := a.usage(); err != nil {
			return err
		}
		text := bytes.NewBufferString(g.text())
		if file != nil {
			return file.write(text)
		}
		_, _ = text.WriteTo(a.out) // it keeps its first error
		return nil
	}
	return c
}

// goTest is a test to be written.
type goTest struct {
	*subject
	pkg, entry string
	initial    int
	asIs       *subject
	elsewhere  bool
}

// goTest looks at what a test is to be made of: a counterexample that is one.
func (a *app) goTest(args []string, e *examining, pkg, entry word) *goTest {
	file, ok := a.oneFile(args)
	if !ok {
		return nil
	}
	asIs, here := a.subjects(file, e)
	if here == nil {
		return nil
	}
	b := asIs.Behaviour
	g := &goTest{subject: here, asIs: asIs, elsewhere: e.elsewhere(), pkg: path.Base(asIs.entry.Package), entry: "Entry"}
	if b.Trace.Fault == "" && b.Verdict != model.Violated {
		a.mistakef("%s: a witness of %s: want a counterexample", file, b.Property)
	}
	if pkg.given {
		g.pkg = pkg.text
	}
	if entry.given {
		g.entry = entry.text
	}
	if !token.IsIdentifier(g.pkg) {
		a.mistakef("--package %s: want a name", cmp.Or(g.pkg, `""`))
	}
	if _, err := parser.ParseExpr(g.entry); err != nil {
		a.mistakef("--entry %s: want a Go expression, such as lock.Entry", cmp.Or(g.entry, `""`))
	}
	warning, err := within(a, e, g.check)
	if err != nil {
		a.mistake(err)
	}
	if warning != "" {
		a.aside("%s", warning)
	}
	return g
}

// check is an error if the trace is not what the test would say of it, and a
// warning if the changed system does not prevent it.
func (g *goTest) check() (warning string, err error) {
	m, t := g.asIs.machine, g.Trace
	property, err := g.asIs.property()
	if err != nil {
		return "", err
	}
	found, misfit := m.Follow(t)
	if misfit != nil {
		return "", fmt.Errorf("%s: the trace does not fit %s: %w; see mc trace replay", g.file, m.Name, misfit)
	}
	if _, err := m.ShownAfter(found, property); err != nil {
		return "", fmt.Errorf("%s: the trace is no counterexample of %s: %w; see mc trace replay", g.file, m.Name, err)
	}
	g.initial = slices.IndexFunc(m.Init, func(s []byte) bool { return bytes.Equal(s, found.States[0]) })
	if !g.elsewhere {
		return "", nil
	}
	// As modeltest does.
	if property, err = g.property(); err != nil {
		return "", err
	}
	m = g.machine
	if g.initial >= len(m.Init) {
		return fmt.Sprintf("the test will fail: the changed system has no initial state %d", g.initial), nil
	}
	b, misfit := m.Take(m.Init[g.initial], t.Instances())
	switch {
	case misfit != nil && misfit.Unknown != "":
		return fmt.Sprintf("the test will fail: on the changed system, %v", misfit), nil
	case misfit == nil:
		b.Loop = t.Loop
	}
	if n, err := m.ShownAfter(b, property); err == nil {
		return fmt.Sprintf("the test will fail: the changed system does not prevent it, and shows it after %s", plural(n, "step")), nil
	}
	return "", nil
}

// identifier is text as a part of a Go name.
func identifier(text string) string {
	var b strings.Builder
	up := false
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			up = true
			continue
		}
		if up {
			r = unicode.ToUpper(r)
		}
		up = false
		b.WriteRune(r)
	}
	return b.String()
}

func title(text string) string {
	if text == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

// text is the test, as gofmt would have it.
func (g *goTest) text() string {
	var b strings.Builder
	name, what := g.Property, "a counterexample to "+g.Property
	if g.Trace.Fault != "" {
		name, what = "Fault", "the way to a fault of the spec"
	}
	name = "Test" + title(identifier(g.Config.Scenario)) + title(identifier(name)) + "Counterexample"
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t\"testing\"\n\n\t\"mc/model\"\n\t\"mc/model/modeltest\"\n)\n\n", g.pkg)
	comment := name + " takes the steps of " + what + ", as mc trace test wrote them down."
	for _, line := range wrap(comment, columns-3) {
		b.WriteString("// " + line + "\n")
	}
	fmt.Fprintf(&b, "func %s(t *testing.T) {\n\tcounterexample := modeltest.Counterexample{\n", name)
	fields := [][2]string{}
	if g.Trace.Fault == "" {
		fields = append(fields, [2]string{"Property", strconv.Quote(g.Property)})
	}
	if g.initial > 0 {
		fields = append(fields, [2]string{"Initial", strconv.Itoa(g.initial)})
	}
	if g.Loop >= 0 {
		fields = append(fields, [2]string{"Lasso", "true"}, [2]string{"Loop", strconv.Itoa(g.Loop)})
	}
	widest := 0
	for _, f := range fields {
		widest = max(widest, len(f[0]))
	}
	for _, f := range fields {
		fmt.Fprintf(&b, "\t\t%-*s %s,\n", widest+1, f[0]+":", f[1])
	}
	b.WriteString("\t\tSteps: [][]string{\n")
	for _, in := range g.Trace.Instances() {
		words := []string{strconv.Quote(in.Action)}
		for _, arg := range in.Args {
			words = append(words, strconv.Quote(arg.Name+"="+arg.Value))
		}
		fmt.Fprintf(&b, "\t\t\t{%s},\n", strings.Join(words, ", "))
	}
	b.WriteString("\t\t},\n\t}\n\tfor _, c := range []struct {\n\t\tname string\n\t\ton   model.Selection\n\t\twant modeltest.Outcome\n\t}{\n")
	if g.elsewhere {
		fmt.Fprintf(&b, "\t\t{%q, %s, modeltest.Violated},\n", "as it is", selectionLiteral(g.asIs.chosen))
		fmt.Fprintf(&b, "\t\t{%q, %s, modeltest.Prevented},\n", "changed", selectionLiteral(g.chosen))
	} else {
		fmt.Fprintf(&b, "\t\t{%q, %s, modeltest.Prevented},\n", "as it is", selectionLiteral(g.asIs.chosen))
	}
	fmt.Fprintf(&b, "\t} {\n\t\tt.Run(c.name, func(t *testing.T) { counterexample.Want(t, %s, c.on, c.want) })\n\t}\n}\n", g.entry)
	return b.String()
}

// selectionLiteral is a selection as Go writes it.
func selectionLiteral(s model.Selection) string {
	var parts []string
	if s.Scenario != "" {
		parts = append(parts, "Scenario: "+strconv.Quote(s.Scenario))
	}
	if len(s.Set) > 0 {
		var set []string
		for k, v := range s.Set {
			set = append(set, strconv.Quote(k)+": "+strconv.Quote(v))
		}
		slices.Sort(set)
		parts = append(parts, "Set: map[string]string{"+strings.Join(set, ", ")+"}")
	}
	if len(s.Fix) > 0 {
		var fix []string
		for _, f := range s.Fix {
			fix = append(fix, strconv.Quote(f))
		}
		parts = append(parts, "Fix: []string{"+strings.Join(fix, ", ")+"}")
	}
	return "model.Selection{" + strings.Join(parts, ", ") + "}"
}
