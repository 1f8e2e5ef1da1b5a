package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mc/model"
)

const hang = 24 // the column where explanations start

func (a *app) showCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "show SPEC",
		Short:   "show what a spec is made of and what it claims",
		Example: "  mc show die-hard",
		Args:    cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if args = a.orOnly(args); len(args) != 1 {
				a.mistakef("want the name of one spec; mc list has them")
			}
			var e *model.Entry
			for _, name := range args {
				e = a.entry("show", name)
			}
			if err := a.usage(); err != nil {
				return err
			}
			m, err := e.Machine(model.Selection{Scenario: defaultScenarios(e)[0]})
			if err != nil {
				return err
			}
			p := page{a.out}
			p.item(0, len(e.Name)+2, e.Name, bug(e)+e.Doc, size(e, m))
			if e.Story != "" {
				fmt.Fprintln(p.w)
				p.text(0, e.Story)
			}
			p.settings(m)
			p.scenarios(e)
			p.actions(m)
			p.assumptions(m)
			p.properties(m, false, "Properties (guarantees: checked by default)")
			p.properties(m, true, "Questions (checked when named with --property)")
			p.claims(e)
			return nil
		},
	}
}

// settings shows their defaults, not the values of a scenario.
func (p page) settings(m *model.Machine) {
	for _, fixes := range []bool{false, true} {
		first := true
		for _, s := range m.Config.Settings {
			if s.Fix != fixes {
				continue
			}
			if first && fixes {
				p.heading("Fixes (--fix name)")
			} else if first {
				p.heading("Settings (--set name=value)")
			}
			first = false
			p.item(2, hang, s.Name, s.Doc+" ("+choices(s)+")")
		}
	}
}

func choices(s model.Setting) string {
	switch {
	case !s.Fix:
		return strings.ReplaceAll(s.Want, "|", ", ") + "; default " + s.Default
	case s.Part:
		return "part of --fix on"
	}
	return "not part of --fix on"
}

func (p page) scenarios(e *model.Entry) {
	if len(e.Scenarios) > 0 {
		p.heading("Scenarios (--scenario name)")
	}
	for _, s := range e.Scenarios {
		note := strings.ReplaceAll(s.Set, ",", ", ")
		if s.Default {
			note = strings.TrimPrefix(note+"; run by default", "; ")
		}
		p.item(2, hang, s.Name, s.Doc, note)
	}
}

func (p page) actions(m *model.Machine) {
	p.heading("Actions")
	for _, act := range m.Actions {
		var params, excluded, guard string
		for _, d := range act.Params {
			params += fmt.Sprintf(" %s: %s;", d.Name, strings.Join(d.Values, ", "))
		}
		conjuncts := act.Guard
		if act.Excluded {
			excluded = strings.TrimSuffix("excluded by the settings of scenario "+m.Config.Scenario, " of scenario ")
			conjuncts = conjuncts[1:] // the first one says so too
		}
		if len(conjuncts) > 0 {
			guard = "when " + strings.Join(conjuncts, "; ")
		}
		p.item(2, hang, act.Name, act.Doc, strings.TrimSuffix(params, ";"), guard, excluded)
	}
}

// assumptions shows what liveness and symmetry rest on.
func (p page) assumptions(m *model.Machine) {
	if len(m.Fairness) > 0 {
		p.heading("Fairness conditions")
	}
	for _, f := range m.Fairness {
		term, of := "WF("+f.Name+")", " of "
		if f.Strength == model.Strong {
			term = "SF(" + f.Name + ")"
		}
		if f.Per == "*" {
			of = " of each instance of "
		} else if f.Per != "" {
			of = ", for each " + f.Per + ", of "
		}
		p.item(2, hang, term, f.Strength.String()+" fairness"+of+strings.Join(f.Actions, ", "))
	}
	if len(m.Symmetry) > 0 {
		p.heading("Symmetric sets (--symmetry)")
	}
	for _, y := range m.Symmetry {
		p.item(2, hang, y.Name, plural(y.Members, "interchangeable member"))
	}
}

func (p page) properties(m *model.Machine, questions bool, heading string) {
	first := true
	for _, prop := range m.Properties {
		if prop.Question != questions {
			continue
		}
		if first {
			p.heading("%s", heading)
			first = false
		}
		p.item(2, hang, prop.Name, strings.TrimSuffix(string(prop.Kind)+": "+prop.Doc, ": "))
	}
}

func (p page) claims(e *model.Entry) {
	if len(e.Claims) > 0 {
		p.heading("Claims (mc claims --spec %s)", e.Name)
	}
	for _, c := range e.Claims {
		p.item(2, hang, c.ID, c.Text, sourceOf(c))
	}
}

func sourceOf(c model.Claim) string {
	text := "source: " + c.Source
	if c.NotModelled != "" {
		text += "; not modelled: " + c.NotModelled
	}
	return text
}
