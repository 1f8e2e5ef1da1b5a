package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"mc/model"
)

func (a *app) listCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "list the specs, their bugs and their sizes",
		Example: "  mc list",
		Args:    cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			a.noArguments(args)
			if err := a.usage(); err != nil {
				return err
			}
			var failed error
			longest := 0
			for _, e := range a.specs {
				longest = max(longest, len(e.Name))
			}
			for _, e := range a.specs {
				m, err := e.Machine(model.Selection{Scenario: defaultScenarios(e)[0]})
				if err != nil {
					failed = err
					page{a.out}.item(0, longest+2, e.Name, "cannot be used: "+err.Error())
					continue
				}
				page{a.out}.item(0, longest+2, e.Name, bug(e)+e.Doc, size(e, m))
			}
			return failed
		},
	}
}

func bug(e *model.Entry) string {
	if e.Bug == "" {
		return ""
	}
	return e.Bug + ": "
}

// size says how much there is to a spec.
func size(e *model.Entry, m *model.Machine) string {
	guarantees, questions := 0, 0
	for _, p := range m.Properties {
		if p.Question {
			questions++
		} else {
			guarantees++
		}
	}
	parts := []string{
		plural(len(m.Actions), "action"), plural(guarantees, "property"), plural(questions, "question"),
		plural(len(e.Scenarios), "scenario"), plural(len(e.Claims), "claim"), plural(m.StateBytes, "byte") + " a state",
	}
	var some []string
	for _, p := range parts {
		if !strings.HasPrefix(p, "0 ") {
			some = append(some, p)
		}
	}
	return strings.Join(some, ", ")
}
