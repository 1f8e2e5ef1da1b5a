package cli

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"mc/checker"
	"mc/model"
	"mc/traces"
)

func (a *app) traceWhyCommand() *cobra.Command {
	var e examining
	var step word
	c := &cobra.Command{
		Use:   "why FILE",
		Short: "list what is possible after a step, and why the rest is not",
		Long: `Why takes a saved trace up to a step and lists every action there: the instances
that can be taken, and for the others the first part of the guard that is false,
with the values that make it so. "Would do" is another value of that field, with
which it would be true, all else being as it is.`,
		Example: `  mc trace why found.json --step 3
  mc trace why found.json --property NoApplyFailure --step 6 --fix on`,
		Args: cobra.ArbitraryArgs,
	}
	c.Flags().Var(&step, "step", "after `N` steps, 0 for the initial state (default the last)")
	e.choiceFlags(c.Flags())
	e.configFlags(c.Flags())
	c.Flags().SortFlags = false
	c.RunE = func(_ *cobra.Command, args []string) error {
		var s *subject
		if file, ok := a.oneFile(args); ok {
			s = a.subject(file, &e)
		}
		at := 0
		if s != nil {
			at = a.stepOf(s, step)
		}
		if err := a.usage(); err != nil {
			return err
		}
		var differs *model.Misfit
		p, err := within(a, &e, func() (*traces.Possible, error) {
			if _, err := s.property(); err != nil {
				return nil, err
			}
			b, other, misfit := s.follow(e.elsewhere())
			if misfit != nil && (misfit.Step <= at && !misfit.Open) {
				return nil, fmt.Errorf("%s: the trace does not fit %s up to step %d: %w; see mc trace replay", s.file, s.machine.Name, at, misfit)
			}
			differs = other
			return possible(s, b, at), nil
		})
		if err != nil {
			return err
		}
		if differs != nil && differs.Step <= at {
			a.note("the steps lead to other states there than those of the trace; see mc trace diff")
		}
		return p.Write(a.out, a.textOptions(false))
	}
	return c
}

// stepOf reads --step.
func (a *app) stepOf(s *subject, step word) int {
	last := len(s.Steps) - 1
	if !step.given {
		return last
	}
	n, err := strconv.Atoi(step.text)
	if err != nil || n < 0 || n > last {
		a.mistakef("--step %s: want 0 to %d", step.typed(), last)
	}
	return n
}

// possible looks at every instance of every action in a state of a behaviour.
func possible(s *subject, b *model.Behaviour, at int) *traces.Possible {
	m, state := s.machine, b.States[at]
	p := &traces.Possible{Trace: s.Trace, Here: m.Config, Step: at}
	obstacles := checker.NewObstacles(m, state, b.States)
	w, next := m.NewWorker(), at
	if at == b.Steps() && b.Loop >= 0 { // a lasso goes on with its loop
		next = b.Loop
	}
	for i := range m.Actions {
		action := &m.Actions[i]
		if action.Excluded {
			p.Excluded = append(p.Excluded, action.Name)
			continue
		}
		enabled := traces.Enabled{Action: action.Name}
		g := grouping{m: m, state: state, action: action, groups: &p.Blocked, index: map[string]int{}}
		for n := range action.Instances {
			l := action.First + model.Label(n)
			then, blocked, fault := w.Step(state, l)
			if blocked != "" {
				g.add(l, blocked, obstacles)
				continue
			}
			o := traces.Option{Instance: m.Instance(l), Nothing: fault == nil && slices.Equal(then, state)}
			if fault != nil {
				o.Fault = fault.Error()
			}
			o.Taken = next < b.Steps() && b.Labels[next] == l
			enabled.Instances = append(enabled.Instances, o)
		}
		if len(enabled.Instances) > 0 {
			p.Enabled = append(p.Enabled, enabled)
		}
	}
	return p
}

// grouping collects the instances of an action that are forbidden alike.
type grouping struct {
	m      *model.Machine
	state  []byte
	action *model.ActionInfo
	groups *[]traces.Blocked
	index  map[string]int
	looked int
}

// mostLooked is how many instances of an action are looked at for values; the
// others are told by their conjunct alone.
const mostLooked = 256

func (g *grouping) add(l model.Label, blocked string, obstacles *checker.Obstacles) {
	var values []traces.Needed
	nowhere := false
	if g.looked++; g.looked <= mostLooked {
		if o, _ := obstacles.Of(l); o != nil {
			values, nowhere = obstacle(g.m, o, g.state), o.Nowhere
		}
	}
	key := fmt.Sprint(blocked, values, nowhere)
	at, known := g.index[key]
	if !known {
		at = len(*g.groups)
		g.index[key] = at
		*g.groups = append(*g.groups, traces.Blocked{Action: g.action.Name, Of: g.action.Instances, Conjunct: blocked, Values: values, Nowhere: nowhere})
	}
	b := &(*g.groups)[at]
	b.Instances = append(b.Instances, g.m.Instance(l))
}
