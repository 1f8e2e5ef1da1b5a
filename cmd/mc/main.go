// Command mc checks specs: it searches the states of a state machine for
// behaviours that its properties forbid. Run "mc help" for what it can do.
package main

import (
	"os"

	"mc/cmd/mc/cli"
	"mc/spec"
)

func main() { os.Exit(cli.Main(spec.All)) }
