package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mc/model"
	"mc/traces"
)

// outputs are what --out asks for, each in its format.
type outputs []out

type out struct {
	format *traces.Format
	file   *output        // nil for standard output
	stdout *bufio.Writer  // of it alone
	live   *traces.Stream // nil for what is written at the end
}

// texts is a flag that may be given again and again. Each text is kept once: a
// command line with a mistake is read more than once.
type texts []string

func (t *texts) Set(text string) error {
	if !slices.Contains(*t, text) {
		*t = append(*t, text)
	}
	return nil
}
func (t *texts) String() string { return strings.Join(*t, " ") }
func (t *texts) Type() string   { return "text" }

func (t *texts) flag(f *pflag.FlagSet) {
	f.Var(t, "out", "write to `FORMAT=FILE` as well; see mc help formats")
}

// outputs reads --out and notes what is wrong with it. If one of them is
// standard output, nothing else is printed there from then on.
func (a *app) outputs(given texts) (outs outputs) {
	var files []*output
	for _, text := range given {
		format, path := a.format(text)
		if format == nil {
			continue
		}
		if format.Ready != nil {
			if err := format.Ready(); err != nil {
				a.mistakef("--out %s: %w", text, err)
				continue
			}
		}
		o := out{format: format}
		if path != "-" {
			if o.file = a.output("--out", word{path, true}); o.file == nil {
				continue
			}
		}
		a.apart(text, o.file, files)
		files = append(files, o.file)
		outs = append(outs, o)
	}
	for i := range outs {
		if outs[i].file == nil {
			outs[i].stdout, a.out = a.out, bufio.NewWriter(io.Discard)
			break
		}
	}
	for i := range outs {
		outs[i].follow(a)
	}
	return outs
}

// apart notes it if one of the other files is the same; nil is standard output.
func (a *app) apart(text string, file *output, others []*output) {
	for _, other := range others {
		switch {
		case file == nil && other == nil:
			a.mistakef("--out %s: standard output is taken; want a file", text)
		case file != nil && other != nil && file.whole == other.whole && file.direct == nil:
			a.mistakef("--out %s: written twice; want two files", text)
		}
	}
}

// format takes FORMAT=FILE apart. The format may be left out where the file's
// name tells it.
func (a *app) format(text string) (f *traces.Format, path string) {
	name, path, ok := strings.Cut(text, "=")
	if !ok {
		if f := traces.FormatOf(text); f != nil {
			return f, text
		}
		if traces.FormatNamed(text) != nil {
			a.mistakef("--out %s: want %s=FILE", text, text)
		} else {
			a.mistakef("--out %s: want FORMAT=FILE, with one of %s", text, strings.Join(traces.FormatNames(), ", "))
		}
		return nil, ""
	}
	if f = traces.FormatNamed(name); f == nil {
		a.mistake(&model.NameError{Flag: "--out", Kind: "format", Name: name, Have: traces.FormatNames()})
	}
	return f, path
}

// printed says whether the text goes to standard output.
func (outs outputs) printed() bool {
	for _, o := range outs {
		if o.file == nil {
			return false
		}
	}
	return true
}

// write makes the files of a document.
func (outs outputs) write(a *app, doc *traces.Document, c traces.Choice) error {
	var errs []error
	for _, o := range outs {
		if o.live != nil {
			errs = append(errs, o.failed(o.live.End(doc)))
			continue
		}
		first, found := c.First(doc)
		if o.format.Document == nil && !found {
			a.note("--out %s: not written, for there is no behaviour to show; a witness is shown when named with --property", o.path())
			continue
		}
		err := o.write(a, func(w io.Writer) error {
			c.Text.Color = a.color && o.file == nil
			if o.format.Document != nil {
				return o.format.Document(w, doc, &c)
			}
			return o.format.Behaviour(w, first, c.Text)
		})
		errs = append(errs, err)
		if err == nil && o.format.Document == nil && o.file != nil {
			a.note("%s shows %s", o.path(), first.Title())
		}
	}
	return errors.Join(errs...)
}

// writeOne makes the files of a behaviour that no search of ours has found.
func (outs outputs) writeOne(a *app, b *traces.Behaviour, text traces.TextOptions) error {
	var errs []error
	for _, o := range outs {
		if o.format.Behaviour == nil {
			errs = append(errs, fmt.Errorf("--out %s=%s: want a report of mc to write it from, and not a trace alone", o.format.Name, o.path()))
			continue
		}
		text.Color = a.color && o.file == nil
		errs = append(errs, o.write(a, func(w io.Writer) error { return o.format.Behaviour(w, b, text) }))
	}
	return errors.Join(errs...)
}

func (o *out) path() string {
	if o.file == nil {
		return "standard output"
	}
	return o.file.path
}

func (o *out) write(a *app, write func(io.Writer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return &ioError{fmt.Errorf("--out %s=%s: %w", o.format.Name, o.path(), err)}
	}
	if most := o.format.Reads; most > 0 && b.Len() > most {
		a.note("%s is larger than the %d MB that mc trace reads; choose less", o.path(), most>>20)
	}
	if o.file != nil {
		return o.file.write(&b)
	}
	_, err := b.WriteTo(o.stdout)
	return o.failed(errors.Join(err, o.stdout.Flush()))
}

// failed names what could not be written.
func (o *out) failed(err error) error {
	switch {
	case err == nil:
		return nil
	case o.file == nil:
		return &ioError{fmt.Errorf("standard output: %w", cause(leaves(err)[0]))}
	}
	return o.file.wrap(err)
}

func formatsHelp() *cobra.Command {
	var b strings.Builder
	b.WriteString(`Mc check, mc claims and mc trace render write what was found with --out
FORMAT=FILE, which may be given several times. FORMAT= may be left out where
FILE ends as below. FILE - is standard output, and then nothing else goes there.

`)
	for _, f := range traces.Formats {
		about := f.About
		if len(f.Exts) > 0 {
			about += " (" + strings.Join(f.Exts, ", ") + ")"
		}
		page{&b}.item(2, 13, f.Name, about)
	}
	var one []string
	for _, f := range traces.Formats {
		if f.Document == nil {
			one = append(one, f.Name)
		}
	}
	last := len(one) - 1
	b.WriteString("\n")
	page{&b}.text(0, strings.Join(one[:last], ", ")+" and "+one[last]+` show one behaviour: the first that is
printed, so choose with --scenario and --property. The others hold every search.

Where GITHUB_ACTIONS is true, mc check and mc claims write github to standard
error and add summary to the file GITHUB_STEP_SUMMARY, unless --github=false.`)
	return &cobra.Command{Use: "formats", Short: "what --out writes", Long: strings.TrimRight(b.String(), "\n")}
}
