package cli

import (
	"github.com/spf13/cobra"

	"mc/traces"
)

func (a *app) traceSchemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "print the JSON Schema of what --out json= writes",
		Example: "  mc trace schema > trace.schema.json",
		Args:    cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			a.noArguments(args)
			if err := a.usage(); err != nil {
				return err
			}
			_, err := a.out.WriteString(traces.Schema)
			return err
		},
	}
}
