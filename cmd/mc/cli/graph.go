package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mc/checker"
	"mc/model"
	"mc/traces"
)

const (
	defaultNodes = 200     // boxes that a person can look at
	graphStates  = 1 << 20 // that are merged, at most: kept twice over, some hundred MB
)

func (a *app) graphCommand() *cobra.Command {
	var sel selection
	var outs texts
	var dot, most word
	var collapse words
	var symmetry bool
	c := &cobra.Command{
		Use:   "graph",
		Short: "draw the states of a small spec and the steps between them",
		Long: `Graph draws every state that a spec can reach, and the steps between different
ones by their actions: initial states, those in which no step is possible, and
those that violate a property or reach a witness are marked.

It draws up to --max-states boxes. For a larger space, --collapse merges all
states that agree in the fields named, an array's elements by the array's name.

It writes for Graphviz on standard output, or to files with --out: dot=FILE, or
svg=FILE or png=FILE, which take Graphviz.`,
		Example: `  mc graph --spec die-hard --property Solved | dot -Tpng > jugs.png
  mc graph --spec bcsid-map --collapse Status,Up,Map --out bcsid.svg`,
		Args: cobra.ArbitraryArgs,
	}
	f := c.Flags()
	f.Var(&sel.specs, "spec", "`NAME` of the spec")
	f.Var(&sel.fixes, "fix", "on, off, or `NAMES` of fixes (default off)")
	f.Var(&sel.scenarios, "scenario", "`NAME` of the scenario")
	f.Var(&sel.set, "set", "settings `k=v,...`, on top of the scenario's")
	f.Var(&sel.properties, "property", "mark `NAMES` of properties, or all (default guarantees)")
	f.Var(&most, "max-states", fmt.Sprintf("draw up to `N` boxes (default %d)", defaultNodes))
	f.Var(&collapse, "collapse", "merge states that agree in `FIELDS`")
	f.BoolVar(&symmetry, "symmetry", false, "one box for states that are equal up to renaming")
	f.Var(&outs, "out", "write `FORMAT=FILE`: dot, svg or png")
	f.Var(&dot, "dot", "write `FILE` for Graphviz: short for --out dot=FILE")
	f.SortFlags = false
	c.RunE = func(_ *cobra.Command, args []string) error {
		a.noArguments(args)
		if sel.specs = a.orOnly(sel.specs); len(sel.specs) != 1 {
			a.mistakef("--spec: want the name of one spec")
		}
		targets := a.targets(&sel)
		if len(sel.scenarios) > 1 {
			a.mistakef("--scenario: want one name")
		}
		switch {
		case dot.given && len(outs) > 0:
			a.mistakef("--dot: not with --out")
		case dot.given && dot.text == "":
			a.mistakef("--dot: want the name of a file")
		case dot.given:
			outs = texts{"dot=" + dot.text}
		}
		files := a.graphOutputs(outs)
		o := checker.SpaceOptions{MaxNodes: int(a.number("--max-states", most, math.MaxInt32)), MaxStates: graphStates, Symmetry: symmetry}
		if !most.given {
			o.MaxNodes = defaultNodes
		}
		if len(targets) > 0 && len(sel.specs) == 1 {
			o.Fields = a.fieldsNamed(targets[0].machine, collapse)
			a.refuse(targets[:1], checker.Options{Symmetry: symmetry})
		}
		if err := a.usage(); err != nil {
			return err
		}
		if len(targets) > 1 {
			a.note("of the scenario %s; choose another with --scenario", targets[0].machine.Config.Scenario)
		}
		var lim limits
		ctx, cancel := lim.context()
		defer cancel()
		return a.graph(ctx, targets[0], o, files)
	}
	return c
}

// graphOut is a format and its file, which is nil for standard output.
type graphOut struct {
	format string
	file   *output
}

// graphOutputs reads --out. Without any, the graph goes to standard output.
func (a *app) graphOutputs(given texts) (outs []graphOut) {
	if len(given) == 0 {
		return []graphOut{{format: "dot"}}
	}
	var files []*output
	for _, text := range given {
		format, path, ok := strings.Cut(text, "=")
		if !ok {
			path = text
			format = strings.TrimPrefix(filepath.Ext(path), ".")
		}
		known, missing := traces.GraphFormats(format)
		switch {
		case !slices.Contains(known, format):
			a.mistakef("--out %s: want FORMAT=FILE, with one of %s", cmp.Or(text, `""`), strings.Join(known, ", "))
			continue
		case missing != nil:
			a.mistakef("--out %s: %w", text, missing)
		}
		o := graphOut{format: format}
		if path != "-" {
			if o.file = a.output("--out", word{path, true}); o.file == nil {
				continue
			}
		}
		a.apart(text, o.file, files)
		files, outs = append(files, o.file), append(outs, o)
	}
	return outs
}

// fieldsNamed finds fields by name; the name of an array, or of a struct,
// stands for all of its elements.
func (a *app) fieldsNamed(m *model.Machine, names words) (fields []int) {
	a.needNames("--collapse", names)
	all := m.FieldNames()
	for _, name := range names {
		found := false
		for i, f := range all {
			if f == name || strings.HasPrefix(f, name+"[") || strings.HasPrefix(f, name+".") {
				fields, found = append(fields, i), true
			}
		}
		if !found && name != "" {
			a.mistake(&model.NameError{Flag: "--collapse", Kind: "field", Name: name, Have: wholes(all)})
		}
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}

// wholes are the names of fields without the indices of their elements.
func wholes(names []string) (all []string) {
	for _, n := range names {
		n, _, _ = strings.Cut(n, "[")
		if !slices.Contains(all, n) {
			all = append(all, n)
		}
	}
	return all
}

func (a *app) graph(ctx context.Context, t target, o checker.SpaceOptions, outs []graphOut) error {
	o.Properties = t.properties
	space, err := checker.Explore(ctx, t.machine, o)
	var large *checker.TooLarge
	var fault *model.Fault
	switch {
	case errors.As(err, &large):
		return tooLarge(t, o, large)
	case errors.As(err, &fault):
		return &model.SpecError{Spec: t.machine.Name, Err: fault}
	case err != nil:
		a.code = interruptedExit(ctx, exitIncomplete)
		a.note("%v; not drawn", err)
		return nil
	}
	if len(space.Nodes) == 0 {
		a.code = exitNoInitial
		a.note("%s: %s; not drawn", t, checker.NoInitialState)
		return nil
	}
	g := stateGraph(t, o, space)
	drawn := make([]bytes.Buffer, len(outs))
	errs := make([]error, len(outs))
	failed := 0
	for i, o := range outs {
		if err := g.Draw(&drawn[i], o.format); err != nil {
			errs[i] = &ioError{err}
		}
	}
	for i, o := range outs {
		switch {
		case errs[i] != nil:
		case o.file != nil:
			errs[i] = o.file.write(&drawn[i])
		default:
			_, _ = io.Copy(a.out, &drawn[i])
			if a.out.Flush() != nil { // told at the end, for it keeps its first error
				failed++
			}
		}
		if errs[i] != nil {
			failed++
		}
	}
	if failed < len(outs) {
		a.note("%s: %s, %s", t, g.Note, plural(len(space.Arcs), "arrow"))
	}
	return errors.Join(errs...)
}

// tooLarge says how to draw a space that has too many states.
func tooLarge(t target, o checker.SpaceOptions, e *checker.TooLarge) error {
	what, fields := "states", wholes(t.machine.FieldNames())
	if o.Fields != nil {
		what = "boxes"
	}
	if e.Limit == o.MaxStates {
		return fmt.Errorf("%s: more than %s states: too many to merge; choose a smaller scenario or settings", t, number(uint64(e.Limit)))
	}
	advice := "merge states that agree in a few fields with --collapse: " + strings.Join(fields, ", ")
	if o.Fields != nil {
		advice = "name fewer fields with --collapse"
	}
	return fmt.Errorf("%s: more than %s %s (%s so far); draw more with --max-states, or %s", t, number(uint64(e.Limit)), what, plural(e.States, "state"), advice)
}

// stateGraph is a space with its names.
func stateGraph(t target, o checker.SpaceOptions, space *checker.Space) *traces.StateGraph {
	m := t.machine
	g := &traces.StateGraph{Spec: m.Name, Bug: t.entry.Bug, Config: m.Config, Note: plural(space.States, "state")}
	if o.Symmetry {
		g.Note += " up to symmetry"
	}
	names := m.FieldNames()
	for _, f := range o.Fields {
		g.Merged = append(g.Merged, names[f])
	}
	if o.Fields != nil {
		g.Note += fmt.Sprintf(" in %s", plural(len(space.Nodes), "box"))
	}
	property := func(ps []int, kind func(model.Kind) bool) (names []string) {
		for _, p := range ps {
			if kind(m.Properties[p].Kind) {
				names = append(names, m.Properties[p].Name)
			}
		}
		return names
	}
	witness := func(k model.Kind) bool { return k == model.Witness }
	for _, n := range space.Nodes {
		fields := m.Fields(n.State)
		if o.Fields != nil {
			var kept []model.Field
			for _, f := range o.Fields {
				kept = append(kept, fields[f])
			}
			fields = kept
		}
		g.Nodes = append(g.Nodes, traces.StateNode{
			Fields: fields, States: n.States, Initial: n.Initial, Terminal: n.Terminal, Deadlock: n.Deadlock, Cut: n.Cut,
			Violates: property(n.Shows, func(k model.Kind) bool { return !witness(k) }), Reaches: property(n.Shows, witness),
		})
	}
	for _, arc := range space.Arcs {
		g.Arcs = append(g.Arcs, traces.StateArc{From: arc.From, To: arc.To, Steps: stepNames(m, arc.Labels),
			Violates: property(arc.Shows, func(model.Kind) bool { return true })})
	}
	return g
}

// stepNames are the actions of labels: an instance by its full name if it is
// the only one of its action there.
func stepNames(m *model.Machine, labels []model.Label) (names []string) {
	for i := 0; i < len(labels); {
		action, n := m.ActionOf(labels[i]), 1
		for i+n < len(labels) && m.ActionOf(labels[i+n]) == action {
			n++
		}
		name := m.Instance(labels[i]).String()
		if n > 1 {
			name = fmt.Sprintf("%s (%d instances)", m.Actions[action].Name, n)
		}
		names = append(names, name)
		i += n
	}
	return names
}
