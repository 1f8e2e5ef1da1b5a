package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// manCommand writes manual pages, for whoever packages mc.
func (a *app) manCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "write manual pages, one for each command, into a folder",
		Example: "  mc man man1",
		Hidden:  true,
		Args:    cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] == "" {
				a.mistakef("want the name of one folder")
				return a.usage()
			}
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return &ioError{errors.New("man " + args[0] + ": " + cause(err).Error())}
			}
			return a.manuals(root, args[0])
		},
	}
}

// manuals writes the page of a command and those of its subcommands and topics.
func (a *app) manuals(c *cobra.Command, dir string) error {
	var page bytes.Buffer
	c.DisableAutoGenTag = true
	if err := doc.GenMan(c, &doc.GenManHeader{Section: "1"}, &page); err != nil {
		return err
	}
	name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
	o := a.output("man", word{filepath.Join(dir, name), true})
	if err := a.usage(); err != nil {
		return err
	}
	if err := o.write(bytes.NewBuffer(undated(page.Bytes()))); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if sub.Hidden || sub.Name() == "completion" || sub.Name() == "help" {
			continue
		}
		if err := a.manuals(sub, dir); err != nil {
			return err
		}
	}
	return nil
}

var titleLine = regexp.MustCompile(`(?m)^(\.TH "[^"]*" "[^"]*") "[^"]*"`)

// undated takes the date from a page, which is that of the day: the same mc
// writes the same pages.
func undated(page []byte) []byte { return titleLine.ReplaceAll(page, []byte(`$1 ""`)) }
