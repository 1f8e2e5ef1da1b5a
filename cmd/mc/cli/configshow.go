package cli

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mc/model"
)

func (a *app) configCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "config [COMMAND] [FLAGS]",
		Short: "show what a command would use, and where that comes from",
		Long: `Config prints each flag that COMMAND (default check) would use, and where its
value comes from: the first of

  flag           it is given on the command line
  MC_WORKERS     the environment: MC_, the flag in capitals, and _ for -
  mc.yaml:3      the file mc.yaml in the working folder, with its line
  default        the command's, and for a setting the scenario's or the spec's

For the specs named with --spec it prints their settings and fixes as well. The
file has flags as keys, for every command that searches, or below a command's
name for that one alone. Lists may be YAML lists, and set a mapping:

  timeout: 5m
  check:
    spec: [bcsid-map, node-health]
    fix: on
  claims:
    long: true

A flag that COMMAND does not have is passed over; a name that no command knows
is a mistake. A variable that is empty is none. What the command line gives
replaces all that the other places say about that flag.

Workers and memory are by default what the machine or its control group (cgroup)
allows: --max-memory is 80 % of that, so that a search ends as incomplete
instead of being killed.`,
		Example: `  mc config
  mc config check --spec bcsid-map --fix on
  mc config claims --timeout 5m`,
		DisableFlagParsing:    true, // they are those of another command
		DisableFlagsInUseLine: true,
		RunE: func(c *cobra.Command, args []string) error {
			if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
				return c.Help()
			}
			name := "check"
			if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
				name, args = args[0], args[1:]
			}
			_, commands := keys(root)
			i := slices.Index(commands, name)
			if i < 0 {
				return &model.NameError{Flag: "config", Kind: "command that searches", Name: name, Have: commands}
			}
			of := searching(root)[i]
			of.RunE = func(of *cobra.Command, args []string) error {
				a.noArguments(args)
				return a.showConfig(root, of)
			}
			if err := of.ParseFlags(args); err != nil {
				a.args = append([]string{name}, args...)
				return a.badFlag(of, err)
			}
			return of.RunE(of, of.Flags().Args())
		},
	}
}

var usageDefault = regexp.MustCompile(`\(default ([^)]*)\)`)

// showConfig prints the flags of a command and, of the specs it names, the
// settings.
func (a *app) showConfig(root, c *cobra.Command) error {
	given := map[string]bool{}
	c.Flags().Visit(func(f *pflag.Flag) { given[f.Name] = true })
	a.preset(root, c)

	var rows [][3]string
	origins := map[string]string{}
	for _, name := range configurable(c) {
		f, origin := c.Flags().Lookup(name), "default"
		switch {
		case given[name]:
			origin = "flag"
		case a.origins[name] != "":
			origin = a.origins[name]
		}
		origins[name] = origin
		value := f.Value.String()
		if origin == "default" {
			value = a.defaultOf(f)
		}
		rows = append(rows, [3]string{name, origin, value})
	}
	l := limits{workers: *word1(c, "workers"), states: *word1(c, "max-states"), depth: *word1(c, "max-depth"),
		memory: *word1(c, "max-memory"), timeout: *word1(c, "timeout"), log: *word1(c, "log-format"),
		quiet: isOn(c, "quiet"), verbose: isOn(c, "verbose")}
	a.options(&l)
	sel := selection{specs: names(c, "spec"), fixes: names(c, "fix"), scenarios: names(c, "scenario"), set: names(c, "set")}
	var targets []target
	if len(sel.specs) > 0 {
		targets = a.targets(&sel)
	}
	if err := a.blame(a.usage()); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "mc %s\n\n", c.Name())
	a.table(rows)
	for _, t := range targets {
		fmt.Fprintf(a.out, "\n%s\n\n", t)
		a.table(a.settingRows(t, &sel, origins))
	}
	return nil
}

// defaultOf is what a flag stands for that nobody set, in the words of its own
// help where it has no value.
func (a *app) defaultOf(f *pflag.Flag) string {
	m := usageDefault.FindStringSubmatch(f.Usage)
	switch {
	case f.Name == "workers":
		return fmt.Sprintf("%d: one on each core that may be used", runtime.GOMAXPROCS(0))
	case f.Name == "max-memory":
		return memoryOfHost().String()
	case m != nil:
		return m[1]
	case f.DefValue != "":
		return f.DefValue
	}
	return "-"
}

// settingRows are the settings and fixes of a search.
func (a *app) settingRows(t target, sel *selection, origins map[string]string) (rows [][3]string) {
	given := a.settings(sel.set)
	scenario := map[string]string{}
	for _, s := range t.entry.Scenarios {
		if s.Name == t.machine.Config.Scenario {
			scenario, _ = model.ParseSet(s.Set) // it has made a machine
		}
	}
	for _, s := range t.machine.Config.Settings {
		origin := "default"
		switch {
		case s.Fix:
			origin = origins["fix"]
		case given[s.Name] != "":
			origin = origins["set"]
		case scenario[s.Name] != "":
			origin = "scenario"
		}
		rows = append(rows, [3]string{s.Name, origin, s.Value})
	}
	return rows
}

// table prints names, origins and values one below the other.
func (a *app) table(rows [][3]string) {
	name, origin := 0, 0
	for _, r := range rows {
		name, origin = max(name, len(r[0])), max(origin, len(r[1]))
	}
	for _, r := range rows {
		page{a.out}.item(2, 2+name+2+origin+2, fmt.Sprintf("%-*s  %s", name, r[0], r[1]), r[2])
	}
}

// word1 is the value of a flag that takes one text; an empty one if there is no
// such flag.
func word1(c *cobra.Command, flag string) *word {
	if f := c.Flags().Lookup(flag); f != nil {
		if w, ok := f.Value.(*word); ok {
			return w
		}
	}
	return new(word)
}

func isOn(c *cobra.Command, flag string) bool {
	f := c.Flags().Lookup(flag)
	return f != nil && f.Value.String() == "true"
}

// names is the value of a flag that takes names.
func names(c *cobra.Command, flag string) words {
	if f := c.Flags().Lookup(flag); f != nil {
		if w, ok := f.Value.(*words); ok {
			return *w
		}
	}
	return nil
}
