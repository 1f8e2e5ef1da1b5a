package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"mc/model"
	"mc/traces"
)

func (a *app) showTraceCommand() *cobra.Command {
	var sel selection
	show := showing{sel: &sel}
	var dot word
	c := &cobra.Command{
		Use:   "show-trace FILE",
		Short: "print again what check --json saved",
		Long: `Show-trace prints what mc check --json saved as check printed it, or a part of
it, or writes its first behaviour as a graph. The file - is standard input.`,
		Example: `  mc show-trace found.json --property NoSpill --full
  mc show-trace found.json --dot found.dot`,
		Args: cobra.ArbitraryArgs,
	}
	f := c.Flags()
	f.Var(&sel.specs, "spec", "only `NAMES` of specs")
	f.Var(&sel.scenarios, "scenario", "only `NAMES` of scenarios")
	f.Var(&sel.properties, "property", "only `NAMES` of properties, witnesses as well")
	show.flags(f)
	f.Var(&dot, "dot", "write the first behaviour as a graph to `FILE`")
	f.SortFlags = false
	c.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			a.mistakef("want the name of one file, or - for standard input")
		}
		file := a.output("--dot", dot)
		var doc *traces.Document
		for _, name := range args {
			if doc = a.read(name); doc != nil {
				a.narrow(doc, &sel)
			}
		}
		if err := a.usage(); err != nil {
			return err
		}
		for _, runs := range bySpec(doc.Runs) {
			a.print(runs, show)
		}
		if err := a.flush(); err != nil || file == nil {
			return err
		}
		return a.draw(doc, show, file)
	}
	return c
}

// read is the document in a file, or nil and a mistake.
func (a *app) read(name string) *traces.Document {
	from := &source{r: a.in}
	if name == "-" {
		name = "standard input"
	} else {
		f, err := os.Open(name)
		if err != nil {
			a.mistake(&ioError{fmt.Errorf("%s: %w", name, cause(err))})
			return nil
		}
		defer f.Close()
		from.r = f
	}
	doc, err := traces.Decode(from, name)
	switch {
	case from.err != nil:
		a.mistake(&ioError{fmt.Errorf("%s: %w", name, cause(from.err))})
		return nil
	case err != nil:
		a.mistake(err)
		return nil
	}
	return doc
}

// source tells a file that cannot be read from one that is no document.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// narrow keeps the runs and results of a document that are named. Names that
// it does not have are mistakes.
func (a *app) narrow(doc *traces.Document, sel *selection) {
	var specs, scenarios, properties []string
	for _, run := range doc.Runs {
		specs = append(specs, run.Spec)
		scenarios = append(scenarios, run.Config.Scenario)
		for _, r := range run.Results {
			properties = append(properties, r.Property)
		}
	}
	a.known("--spec", "spec in the file", sel.specs, specs)
	a.known("--scenario", "scenario in the file", sel.scenarios, scenarios)
	a.known("--property", "property in the file", sel.properties, properties)

	wanted := func(names words, name string) bool { return len(names) == 0 || slices.Contains(names, name) }
	doc.Runs = slices.DeleteFunc(doc.Runs, func(r traces.Run) bool {
		return !wanted(sel.specs, r.Spec) || !wanted(sel.scenarios, r.Config.Scenario)
	})
	for i := range doc.Runs {
		doc.Runs[i].Results = slices.DeleteFunc(doc.Runs[i].Results, func(r traces.Result) bool {
			return !wanted(sel.properties, r.Property)
		})
	}
	if len(doc.Runs) == 0 && len(a.mistakes) == 0 {
		a.mistake(errors.New("no search in the file fits the names given"))
	}
}

// known notes the names that are not among those there are.
func (a *app) known(flag, kind string, names words, have []string) {
	have = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(have))), func(s string) bool { return s == "" })
	for _, name := range names {
		if !slices.Contains(have, name) {
			a.mistake(&model.NameError{Flag: flag, Kind: kind, Name: name, Have: have})
		}
	}
}
