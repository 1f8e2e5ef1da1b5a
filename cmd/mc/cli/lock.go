package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"mc/model"
	"mc/traces"
)

// locked is an entry of a lock: what --expect reads, with all that a search
// found.
type locked struct {
	Spec      string            `yaml:"spec"`
	Scenario  string            `yaml:"scenario,omitempty"`
	Fixes     string            `yaml:"fixes,omitempty"`
	States    uint64            `yaml:"states"`
	Generated uint64            `yaml:"generated"`
	Depth     int               `yaml:"depth"`
	Verdicts  map[string]string `yaml:"verdicts,omitempty"` // sorted when written
}

func (a *app) lockCommand() *cobra.Command {
	var lim limits
	file := word{text: lockFile, given: true}
	c := &cobra.Command{
		Use:   "lock",
		Short: "write down what all searches find, for mc check --locked",
		Long: `Lock makes the searches of mc check and of mc check --fix on, and writes their
verdicts and counts into mc.lock. The file is the same for the same specs,
whoever writes it. Keep it with the specs: mc check --locked tells every
difference from it. See mc help expect.`,
		Example: `  mc lock
  mc lock --lock ci/mc.lock && mc check --lock ci/mc.lock`,
		Args: cobra.ArbitraryArgs,
	}
	c.Flags().Var(&file, "lock", "write to `FILE`")
	lim.flags(c.Flags())
	c.Flags().SortFlags = false
	c.RunE = func(_ *cobra.Command, args []string) error {
		a.noArguments(args)
		o := a.options(&lim)
		to := a.output("--lock", file)
		targets := lockTargets(a, nil)
		if err := a.usage(); err != nil {
			return err
		}
		if len(targets) == 0 {
			return errors.New("lock: there is no spec")
		}
		ctx, cancel := lim.context()
		defer cancel()
		o.Behaviours = func(int) bool { return false }
		var entries []locked
		verdicts := 0
		for _, t := range targets {
			run := a.search(ctx, t, o, lim.quiet)
			if code := exitOf(run); code == exitIncomplete || code == exitNoInitial || code == exitSpecAtFault {
				a.code = interruptedExit(ctx, code)
				_ = traces.Summary(a.out, []traces.Run{*run}, a.textOptions(false))
				fmt.Fprintf(a.out, "\n%s not written: %s (exit code %d)\n", to.path, meaning(code), a.code)
				return nil
			}
			entries = append(entries, lockedOf(t, run))
			verdicts += len(run.Results)
		}
		text, err := lockText(entries)
		if err != nil {
			return err
		}
		if err := to.write(bytes.NewBuffer(text.Bytes())); err != nil {
			_, _ = text.WriteTo(a.out) // not lost
			return err
		}
		fmt.Fprintf(a.out, "%s: %s, %s\n", to.path, plural(len(entries), "search"), plural(verdicts, "verdict"))
		return nil
	}
	return c
}

// lockTargets are the searches of mc check and of mc check --fix on, of the
// specs named or those that these take.
func lockTargets(a *app, specs words) (all []target) {
	for _, e := range a.entries(specs, func(e *model.Entry) bool { return e.Bug != "" }) {
		for _, name := range defaultScenarios(e) {
			m, err := e.Machine(model.Selection{Scenario: name})
			if err != nil {
				a.mistake(err)
				continue
			}
			all = append(all, target{entry: e, machine: m})
			if !hasFixes(all[len(all)-1]) {
				continue
			}
			fixed, err := e.Machine(model.Selection{Scenario: name, Fix: []string{"on"}})
			if err != nil {
				a.mistake(err)
				continue
			}
			all = append(all, target{entry: e, machine: fixed})
		}
	}
	return all
}

func lockedOf(t target, run *traces.Run) locked {
	l := locked{
		Spec: run.Spec, Scenario: run.Config.Scenario, States: run.Distinct, Generated: run.Generated, Depth: run.Depth,
		Fixes: strings.Join(fixesOf(t.machine), ""), Verdicts: map[string]string{},
	}
	for _, res := range run.Results {
		l.Verdicts[res.Property] = string(res.Verdict)
	}
	return l
}

// lockText is a lock as it is written: sorted, so that a change of the order in
// which specs are listed changes nothing.
func lockText(entries []locked) (*bytes.Buffer, error) {
	slices.SortStableFunc(entries, func(a, b locked) int {
		return cmp.Or(strings.Compare(a.Spec, b.Spec), strings.Compare(a.Scenario, b.Scenario), strings.Compare(a.Fixes, b.Fixes))
	})
	var b bytes.Buffer
	b.WriteString("# Written by mc lock, for mc check --locked. Do not change it by hand.\n")
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	err := e.Encode(struct {
		Version int      `yaml:"version"`
		Expect  []locked `yaml:"expect"`
	}{1, entries})
	return &b, errors.Join(err, e.Close())
}
