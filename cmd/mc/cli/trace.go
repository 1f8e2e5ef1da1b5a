package cli

import (
	"github.com/spf13/cobra"
)

// traceCommand holds what can be done with a saved document and its traces.
func (a *app) traceCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "trace",
		Short: "show, convert and examine what a search saved",
		Args:  cobra.ArbitraryArgs,
	}
	c.RunE = func(_ *cobra.Command, args []string) error { return a.wantCommand(c, args) }
	c.AddCommand(a.traceRenderCommand(), a.traceSchemaCommand())
	c.AddCommand(a.traceTools()...)
	return c
}
