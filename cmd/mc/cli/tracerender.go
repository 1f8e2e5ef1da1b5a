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

func (a *app) traceRenderCommand() *cobra.Command {
	var sel selection
	show := showing{sel: &sel}
	var outs texts
	c := &cobra.Command{
		Use:   "render FILE",
		Short: "show again what --out json= saved, or write it in other formats",
		Long: `Render prints what mc check --out json=FILE saved as check printed it, or a part
of it. With --out it writes that in other formats instead. It reads traces in
the Informal Trace Format of Apalache and Quint as well. The file - is standard
input.`,
		Example: `  mc trace render found.json --property NoSpill --full
  mc trace render found.json --out svg=found.svg --out mermaid=-`,
		Args: cobra.ArbitraryArgs,
	}
	f := c.Flags()
	f.Var(&sel.specs, "spec", "only `NAMES` of specs")
	f.Var(&sel.scenarios, "scenario", "only `NAMES` of scenarios")
	f.Var(&sel.properties, "property", "only `NAMES` of properties, witnesses as well")
	show.flags(f)
	outs.flag(f)
	f.SortFlags = false
	c.RunE = func(_ *cobra.Command, args []string) error {
		a.oneFile(args)
		files := a.outputs(outs)
		var doc *traces.Document
		var trace *model.Trace
		for _, name := range args {
			doc, trace = a.readAny(name)
			switch {
			case doc != nil:
				a.narrow(name, doc, &sel)
			case trace != nil && len(sel.specs)+len(sel.scenarios)+len(sel.properties) > 0:
				a.mistakef("%s is one trace: want no --spec, --scenario or --property", name)
			}
		}
		if err := a.usage(); err != nil {
			return err
		}
		switch {
		case trace != nil:
			return a.render(trace, files, a.choice(show).Text)
		case len(files) > 0:
			return files.write(a, doc, a.choice(show))
		}
		for _, runs := range traces.BySpec(doc.Runs) {
			a.print(runs, show)
		}
		return nil
	}
	return c
}

// render shows a trace that no search of ours has found.
func (a *app) render(t *model.Trace, files outputs, text traces.TextOptions) error {
	b := &traces.Behaviour{Trace: t}
	if len(files) > 0 {
		return files.writeOne(a, b, text)
	}
	return b.Write(a.out, text)
}

// read is the document in a file, or nil and a mistake.
func (a *app) read(name string) *traces.Document {
	doc, trace := a.readAny(name)
	if trace != nil {
		a.mistakef("%s: want what --out json=FILE wrote, and not a trace alone", name)
	}
	return doc
}

// readAny is the document or the trace of another tool in a file, or neither
// and a mistake.
func (a *app) readAny(name string) (*traces.Document, *model.Trace) {
	from := &source{r: a.in}
	if name == "" {
		_, _ = a.oneFile(nil)
		return nil, nil
	}
	if name == "-" {
		name = "standard input"
	} else {
		f, err := os.Open(name)
		if err != nil {
			a.mistake(&ioError{fmt.Errorf("%s: %w", name, cause(err))})
			return nil, nil
		}
		defer f.Close()
		from.r = f
	}
	doc, trace, err := traces.DecodeAny(from, name)
	switch {
	case from.err != nil:
		a.mistake(&ioError{fmt.Errorf("%s: %w", name, cause(from.err))})
		return nil, nil
	case err != nil:
		a.mistake(err)
		return nil, nil
	}
	return doc, trace
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
func (a *app) narrow(file string, doc *traces.Document, sel *selection) {
	if len(doc.Runs) == 0 {
		a.mistakef("%s: holds no search; want what --out json=FILE wrote", file)
		return
	}
	sel.scenarios = a.needNames("--scenario", sel.scenarios)
	sel.properties = a.needNames("--property", sel.properties)
	sel.specs = a.needNames("--spec", sel.specs)
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
