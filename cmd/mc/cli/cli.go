// Package cli is the command line of mc. A main of one's own, with one's own
// specs, is as short as mc's:
//
//	func main() { os.Exit(cli.Main([]*model.Entry{lock.Entry})) }
//
// Each command checks all of its arguments before it does anything, and
// reports all mistakes at once. Results go to standard output, everything
// else to standard error.
package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"mc/checker"
	"mc/model"
	"mc/traces"
)

// columns is the width of what is printed. It does not follow the terminal's,
// so that two people see the same.
const columns = 80

// Main runs the command line of the process over these specs and returns its
// exit code.
func Main(specs []*model.Entry) int {
	// A reader that goes away is a failed write, told in one line, and not a
	// signal that ends the process without one.
	signal.Ignore(syscall.SIGPIPE)
	a := &app{specs: specs, in: os.Stdin, out: bufio.NewWriter(os.Stdout), err: os.Stderr}
	// Auto: https://no-color.org has it that any value but none turns it off.
	a.color = plainTerminal(os.Stdout) && os.Getenv("NO_COLOR") == ""
	return a.run(os.Args[1:])
}

// plainTerminal says whether f is a terminal that can move its cursor.
func plainTerminal(f *os.File) bool {
	return term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// app is one execution of the command line.
type app struct {
	specs []*model.Entry
	in    io.Reader
	out   *bufio.Writer // its first error sticks, and is seen by flush
	err   io.Writer
	color bool

	args     []string
	mistakes []error           // on the command line, in the order found
	kept     map[string]string // files that are no outputs, by their paths from the root, and the flags that read them
	asides   []string
	code     int // what a command that came to its end found

	hangs  bool        // a step of a spec does not end
	cancel func(error) // ends what is being searched

	flagsUnknown bool
	github       bool              // tell GitHub Actions what is wrong, where that runs
	origins      map[string]string // of the flags that the command line did not set
	telling      telling
	live         []*traces.Stream
}

// run executes the arguments. Whatever goes wrong is told in one line for
// each thing that did.
func (a *app) run(args []string) (code int) {
	defer func() {
		if r := recover(); r != nil {
			a.out.Flush()
			a.note("internal error: %v", checker.Caught(r))
			code = exitOurFault
		}
	}()
	a.args = args
	root := a.root()
	root.SetArgs(args)
	root.SetOut(a.out) // help, too
	a.completionCommand(root)
	err := a.flushed(root.Execute())
	if err == nil {
		return a.code
	}
	var lines []string
	for _, one := range leaves(err) {
		text := []string{explain(one)}
		if errors.As(one, new(*model.SpecError)) { // it may be several in one
			text = strings.Split(text[0], "\n")
		}
		for _, line := range text {
			if !slices.Contains(lines, line) { // the scenarios of a spec share its mistakes
				lines = append(lines, line)
			}
		}
	}
	for i, line := range lines {
		if i == mostMistakes {
			a.note("and %d more", len(lines)-i)
			break
		}
		a.note("%s", line)
	}
	if a.hangs {
		return exitHangs
	}
	return exitOfError(err)
}

// mostMistakes is how many are told: a file that was meant for something else
// has one in each line.
const mostMistakes = 40

// note tells one line on standard error, whatever is in the names that a user
// or a file gives.
func (a *app) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if a.telling.log != nil {
		a.telling.log.Info(text)
		return
	}
	fmt.Fprintf(a.err, "mc: %s\n", shown(text))
}

// flush writes out the results so far.
func (a *app) flush() error {
	if err := a.out.Flush(); err != nil {
		return &ioError{fmt.Errorf("standard output: %w", cause(err))}
	}
	return nil
}

// flushed is err, or the error of standard output if that is what is behind it,
// or if there is no other.
func (a *app) flushed(err error) error {
	failed := a.out.Flush()
	if failed != nil && (err == nil || errors.Is(err, failed)) {
		return a.flush()
	}
	return err
}

func (a *app) mistake(err error) { a.mistakes = append(a.mistakes, leaves(err)...) }

func (a *app) mistakef(format string, args ...any) { a.mistake(fmt.Errorf(format, args...)) }

// aside is a note on what was chosen, of no use beside a mistake.
func (a *app) aside(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(a.asides, text) {
		a.asides = append(a.asides, text)
	}
}

// usage is an error if the command line has mistakes.
func (a *app) usage() error {
	if len(a.mistakes) == 0 {
		for _, text := range a.asides {
			a.note("%s", text)
		}
		a.asides = nil
	}
	return errors.Join(a.mistakes...)
}

func (a *app) textOptions(full bool) traces.TextOptions {
	return traces.TextOptions{Full: full, Color: a.color, Width: columns}
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "mc",
		Short: "mc checks specs of systems: it searches all states they can reach.",
		Long: `mc checks specs of systems: it searches all states that a system can reach,
shortest behaviours first, for those that the spec's properties forbid.

Results go to standard output, progress and mistakes to standard error.`,
		Example: `  mc list                              the specs
  mc show die-hard                     what one of them is about
  mc check --spec die-hard             search it
  mc check --spec die-hard --set want=2 --property Solved`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
	}
	tellVersion := root.Flags().Bool("version", false, "the same as mc version")
	root.RunE = func(_ *cobra.Command, args []string) error {
		if *tellVersion && len(args) == 0 {
			return a.version()
		}
		return a.wantCommand(root, args)
	}
	root.PersistentFlags().Var(&colorFlag{a, "auto"}, "color", "`WHEN` to use colours: auto, always or never")
	root.SetFlagErrorFunc(a.badFlag)
	root.SetHelpCommand(a.helpCommand(root))
	root.AddCommand(a.checkCommand(), a.claimsCommand(), a.matrixCommand(), a.explainFixCommand(), a.listCommand(), a.showCommand(), a.traceCommand(), a.graphCommand(), exitCodesHelp(), formatsHelp())
	root.AddCommand(a.lockCommand(), expectHelp())
	root.AddCommand(a.vetCommand(), a.mutateCommand())
	root.AddCommand(a.configCommand(root), versionCommand(a), a.manCommand(root), progressHelp())
	a.configured(root)
	// What a flag does goes on below, where it does not fit.
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", fmt.Sprintf(".FlagUsagesWrapped %d ", columns)))
	a.completions(root)
	return root
}

// wantCommand is the mistake of who names no command below another one, or one
// that does not exist.
func (a *app) wantCommand(c *cobra.Command, args []string) error {
	have := commandNames(c)
	flag, want := "", "command"
	if c.HasParent() {
		flag, want = c.Name(), c.Name()+" command"
	}
	if len(args) == 0 {
		a.mistakef("want a %s: %s", want, strings.Join(have, ", "))
	} else { // its flags are unknown only because the command is
		a.mistakes = []error{&model.NameError{Flag: flag, Kind: "command", Name: args[0], Have: have}}
	}
	return a.usage()
}

// helpCommand is cobra's, but for unknown topics being mistakes.
func (a *app) helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "help about a command or topic",
		Args:  cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, _ := root.Find(args)
			if len(rest) > 0 {
				a.mistake(&model.NameError{Flag: "help", Kind: "topic", Name: rest[0], Have: commandNames(c)})
				return a.usage()
			}
			return c.Help()
		},
	}
}

func commandNames(root *cobra.Command) (names []string) {
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}
