package cli

import "github.com/spf13/cobra"

// traceTools are the commands below mc trace that examine a trace.
func (a *app) traceTools() []*cobra.Command {
	return []*cobra.Command{a.traceReplayCommand(), a.traceWhyCommand(), a.traceDiffCommand(), a.traceTestCommand()}
}
