package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mc/model"
	"mc/traces"
)

// candidate is a name that a shell offers, and what it stands for.
type candidate struct{ name, doc string }

// completionCommand makes cobra's completion command tell mistakes as all others
// do.
func (a *app) completionCommand(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	c, _, _ := root.Find([]string{"completion"})
	c.Args = cobra.ArbitraryArgs
	c.RunE = func(_ *cobra.Command, args []string) error { return a.wantCommand(c, args) }
	for _, shell := range c.Commands() {
		write := shell.RunE
		shell.Args = cobra.ArbitraryArgs
		shell.RunE = func(c *cobra.Command, args []string) error {
			a.noArguments(args)
			if err := a.usage(); err != nil {
				return err
			}
			return write(c, args)
		}
	}
}

// completions makes every command offer the names that its flags take, of the
// specs that its --spec names or of all.
func (a *app) completions(c *cobra.Command) {
	for _, sub := range c.Commands() {
		a.completions(sub)
	}
	for flag, of := range map[string]func(*cobra.Command) []candidate{
		"spec":     func(*cobra.Command) []candidate { return a.specNames() },
		"fix":      func(c *cobra.Command) []candidate { return slices.Concat(onOff, a.settingNames(c, true)) },
		"vary":     func(c *cobra.Command) []candidate { return slices.Concat(all, a.settingNames(c, true)) },
		"set":      func(c *cobra.Command) []candidate { return a.settingNames(c, false) },
		"scenario": a.scenarioNames,
		"on":       a.scenarioNames,
		"property": func(c *cobra.Command) []candidate { return slices.Concat(all, a.propertyNames(c)) },
		"id":       a.claimNames,
	} {
		offerList(c, flag, of)
	}
	for flag, values := range map[string][]string{
		"mode": {"search", "walk"}, "store": {"exact", "fingerprint"}, "color": {"auto", "always", "never"}, "log-format": {"text", "json"},
	} {
		if c.LocalNonPersistentFlags().Lookup(flag) != nil || c.PersistentFlags().Lookup(flag) != nil {
			_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	if f := c.Flags().Lookup("out"); f != nil {
		_ = c.RegisterFlagCompletionFunc("out", offerFormats)
	}
	switch {
	case strings.HasSuffix(c.Use, " SPEC"):
		c.ValidArgsFunction = func(_ *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return offer(a.specNames(), "", start, nil), cobra.ShellCompDirectiveNoFileComp
		}
	case strings.HasSuffix(c.Use, " SPEC..."):
		c.ValidArgsFunction = func(_ *cobra.Command, args []string, start string) ([]string, cobra.ShellCompDirective) {
			left := slices.DeleteFunc(a.specNames(), func(c candidate) bool { return slices.Contains(args, c.name) })
			return offer(left, "", start, nil), cobra.ShellCompDirectiveNoFileComp
		}
	case c.Name() == "config":
		c.ValidArgsFunction = func(c *cobra.Command, args []string, _ string) (names []string, _ cobra.ShellCompDirective) {
			if len(args) == 0 {
				_, names = keys(c.Root())
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		}
	case c.Name() == "help", c.ValidArgsFunction != nil, strings.Contains(c.Use, "FILE"), strings.Contains(c.Use, "DIR"), c.HasSubCommands():
	default:
		c.ValidArgsFunction = cobra.NoFileCompletions
	}
}

var (
	onOff = []candidate{{"on", "all parts of the real fix"}, {"off", "no fix"}}
	all   = []candidate{{"all", ""}}
)

// offerList registers the names of a flag that takes several with commas.
func offerList(c *cobra.Command, flag string, of func(*cobra.Command) []candidate) {
	if f := c.Flags().Lookup(flag); f == nil || f.Value.Type() != new(words).Type() {
		return
	}
	_ = c.RegisterFlagCompletionFunc(flag, func(c *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
		done, start := "", start
		if i := strings.LastIndex(start, ","); i >= 0 {
			done, start = start[:i+1], start[i+1:]
		}
		directive := cobra.ShellCompDirectiveNoFileComp
		if flag == "set" && !strings.Contains(start, "=") {
			directive |= cobra.ShellCompDirectiveNoSpace // the value comes next
		}
		return offer(of(c), done, start, strings.Split(done, ",")), directive
	})
}

// offer are the candidates that begin with start and are not taken, once each,
// behind the names that are done.
func offer(have []candidate, done, start string, taken []string) (names []string) {
	seen := map[string]bool{}
	for _, c := range have {
		if strings.HasPrefix(c.name, start) && !slices.Contains(taken, c.name) && !seen[c.name] {
			seen[c.name] = true
			names = append(names, cobra.CompletionWithDesc(done+c.name, c.doc))
		}
	}
	return names
}

func offerFormats(_ *cobra.Command, _ []string, start string) (names []string, _ cobra.ShellCompDirective) {
	if strings.Contains(start, "=") {
		return nil, cobra.ShellCompDirectiveDefault // a file
	}
	for _, f := range traces.Formats {
		if strings.HasPrefix(f.Name, start) {
			names = append(names, cobra.CompletionWithDesc(f.Name+"=", f.About))
		}
	}
	return names, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

func (a *app) specNames() (found []candidate) {
	for _, e := range a.specs {
		found = append(found, candidate{e.Name, bug(e) + e.Doc})
	}
	return found
}

// chosen are the specs that the command line names so far, or all.
func (a *app) chosen(c *cobra.Command) (found []*model.Entry) {
	named := names(c, "spec")
	for _, e := range a.specs {
		if len(named) == 0 || slices.Contains(named, e.Name) {
			found = append(found, e)
		}
	}
	return found
}

// machines are those of the specs chosen, as they are by default.
func (a *app) machines(c *cobra.Command) (found []*model.Machine) {
	for _, e := range a.chosen(c) {
		if m, err := e.Machine(model.Selection{Scenario: defaultScenarios(e)[0]}); err == nil {
			found = append(found, m)
		}
	}
	return found
}

// settingNames are those of fixes, or else name=value for each value of a
// setting that has names, and name= for those that are numbers.
func (a *app) settingNames(c *cobra.Command, fixes bool) (found []candidate) {
	for _, m := range a.machines(c) {
		for _, s := range m.Config.Settings {
			switch values := strings.Split(s.Want, "|"); {
			case s.Fix != fixes:
			case fixes:
				found = append(found, candidate{s.Name, s.Doc})
			case len(values) > 1:
				for _, v := range values {
					found = append(found, candidate{s.Name + "=" + v, s.Doc})
				}
			default:
				found = append(found, candidate{s.Name + "=", s.Doc + " (" + s.Want + ")"})
			}
		}
	}
	return found
}

func (a *app) scenarioNames(c *cobra.Command) (found []candidate) {
	for _, e := range a.chosen(c) {
		for _, s := range e.Scenarios {
			found = append(found, candidate{s.Name, s.Doc})
		}
	}
	return found
}

func (a *app) propertyNames(c *cobra.Command) (found []candidate) {
	for _, m := range a.machines(c) {
		for _, p := range m.Properties {
			found = append(found, candidate{p.Name, p.Doc})
		}
	}
	return found
}

func (a *app) claimNames(c *cobra.Command) (found []candidate) {
	for _, e := range a.chosen(c) {
		for _, claim := range e.Claims {
			found = append(found, candidate{claim.ID, claim.Text})
		}
	}
	return found
}
