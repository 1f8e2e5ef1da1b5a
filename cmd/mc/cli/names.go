package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mc/model"
)

// explain is the text of an error, with the nearest right names in place of
// all names where there are near ones.
func explain(err error) string {
	text := err.Error()
	var n *model.NameError
	if errors.As(err, &n) {
		hint := ""
		if near := nearest(n.Name, n.Have); len(near) > 0 {
			hint = "did you mean " + strings.Join(near, " or ") + "?"
		} else if n.Kind == "flag" {
			hint = "see mc help " + n.Flag
		} else if n.Kind == "key" || n.Kind == "variable" {
			hint = "mc config has them"
		}
		if hint != "" {
			text = strings.Replace(text, n.Error(), fmt.Sprintf("%s %s: no such %s; %s", n.Flag, n.Name, n.Kind, hint), 1)
		}
	}
	return strings.TrimSpace(text)
}

// nearest is the name that a typist of name may have meant, or up to three that
// are equally near: two letters or a third of them may be wrong, but not all,
// and a part of three letters will do.
func nearest(name string, have []string) []string {
	lower := strings.ToLower(name)
	distance := func(h string) int { return levenshtein.ComputeDistance(lower, strings.ToLower(h)) }
	near := slices.DeleteFunc(slices.Clone(have), func(h string) bool {
		part := len(lower) >= 3 && strings.Contains(strings.ToLower(h), lower)
		d := distance(h)
		return !part && (d > max(2, len(h)/3) || d >= min(len(h), len(lower)))
	})
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(distance(a), distance(b)) })
	for i, n := range near {
		if i == 3 || distance(n) > distance(near[0]) {
			return near[:i]
		}
	}
	return near
}

// badFlag is called when a flag cannot be read. It notes the mistake, takes
// the argument out, reads the rest, and lets the command look at what it got,
// for its mistakes alone.
func (a *app) badFlag(c *cobra.Command, err error) error {
	_, args, _ := c.Root().Find(a.args)
	for err != nil {
		bad, wrong := a.flagMistake(c, err)
		a.mistake(wrong)
		i := len(args) - 1
		for i >= 0 && args[i] != bad && !strings.HasPrefix(args[i], bad+"=") {
			i--
		}
		if i < 0 {
			break
		}
		args = slices.Concat(args[:i], args[i+1:])
		err = c.ParseFlags(args)
	}
	return c.RunE(c, c.Flags().Args())
}

// flagMistake is the argument that pflag stumbled over, and our words for it.
func (a *app) flagMistake(c *cobra.Command, err error) (arg string, wrong error) {
	var unknown *pflag.NotExistError
	var value *pflag.InvalidValueError
	var none *pflag.ValueRequiredError
	var syntax *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		arg = "--" + unknown.GetSpecifiedName()
		if short := unknown.GetSpecifiedShortnames(); short != "" {
			arg = "-" + short
		}
		var have []string
		c.Flags().VisitAll(func(f *pflag.Flag) { have = append(have, "--"+f.Name) })
		a.flagsUnknown = true
		return arg, &model.NameError{Flag: c.Name(), Kind: "flag", Name: arg, Have: have}
	case errors.As(err, &value):
		arg = "--" + value.GetFlag().Name
		return arg, fmt.Errorf("%s=%s: want true or false", arg, value.GetValue()) // no other type fails
	case errors.As(err, &none):
		arg = "--" + none.GetSpecifiedName()
		return arg, fmt.Errorf("%s: want a value after it", arg)
	case errors.As(err, &syntax):
		arg = syntax.GetSpecifiedFlag()
		return arg, fmt.Errorf("%s: want --name or --name=value", arg)
	}
	return "", err
}

// word is a flag that takes any text; what it means is looked at later, when
// all mistakes are collected.
type word struct {
	text  string
	given bool
}

func (w *word) Set(text string) error { w.text, w.given = text, true; return nil }
func (w *word) String() string        { return w.text }
func (w *word) Type() string          { return "text" }

// typed is the text in a mistake, where no text at all would be overlooked.
func (w *word) typed() string { return cmp.Or(w.text, `""`) }

// words is a flag with a list of names, each kept once: "a,b" or given again.
type words []string

func (w *words) Set(text string) error {
	for _, one := range strings.Split(text, ",") {
		if one = strings.TrimSpace(one); !slices.Contains(*w, one) {
			*w = append(*w, one)
		}
	}
	return nil
}
func (w *words) String() string { return strings.Join(*w, ",") }
func (w *words) Type() string   { return "names" }

// colorFlag decides as soon as it is read whether text is coloured.
type colorFlag struct {
	a    *app
	text string
}

func (c *colorFlag) Set(text string) error {
	switch c.text = text; text {
	case "auto":
	case "always", "never":
		c.a.color = text == "always"
	default:
		c.a.mistakef("--color %s: want auto, always or never", (&word{text: text}).typed())
	}
	return nil
}
func (c *colorFlag) String() string { return c.text }
func (c *colorFlag) Type() string   { return "when" }
