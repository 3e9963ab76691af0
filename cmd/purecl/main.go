// Command purecl compiles, checks and runs OpenCL C kernels.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"reflect"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/purecl/purecl/internal/base/environment"
)

// Exit statuses.
const (
	exitFindings    = 1   // the source has errors, a run found something, or a result is not the expected one
	exitUsage       = 2   // the command line is wrong, or a file cannot be read or written
	exitInterrupted = 130 // Ctrl-C
)

// exitHelp documents the exit statuses.
var exitHelp = help(
	"Exit status: 0 all is well; 1 the source has errors, a run found something or gave another",
	"result than expected; 2 the command line is wrong, or a file cannot be read or written.",
)

type commands struct {
	ShowVersion versionFlag `name:"version" help:"Print the version."`

	Run        runCmd        `cmd:"" help:"Run a kernel on data from the command line and from files."`
	Test       testCmd       `cmd:"" help:"Run the launches of a manifest and compare their results."`
	Check      checkCmd      `cmd:"" help:"Report errors and warnings in source files."`
	Eval       evalCmd       `cmd:"" help:"Evaluate an OpenCL C expression."`
	Repl       replCmd       `cmd:"" help:"Evaluate expressions and declarations interactively."`
	SSA        ssaCmd        `cmd:"" name:"ssa" help:"Show the intermediate code of a source file."`
	Debug      debugCmd      `cmd:"" help:"Debug a kernel: in the terminal, or for editors (--dap)."`
	Asm        asmCmd        `cmd:"" help:"Show the machine code of kernels by source line, with a summary of loops and accesses."`
	Bench      benchCmd      `cmd:"" help:"Measure how fast a kernel runs and compiles, compared with copying memory."`
	Explain    explainCmd    `cmd:"" help:"Explain a diagnostic code."`
	LSP        lspCmd        `cmd:"" name:"lsp" help:"Serve editors: the language server, on standard input and output."`
	Playground playgroundCmd `cmd:"" help:"Serve the playground: a page to write, check and run kernels in a browser."`
	Devices    devicesCmd    `cmd:"" help:"List the devices that kernels run on."`
	Version    versionCmd    `cmd:"" help:"Print the version."`
	Completion completionCmd `cmd:"" help:"Print a shell's completion script."`
}

// A statusError ends the program with a status. An empty message has been printed already.
type statusError struct {
	status  int
	message string
}

func (e *statusError) Error() string { return e.message }

func usagef(format string, args ...any) error {
	return &statusError{exitUsage, fmt.Sprintf(format, args...)}
}

func findingsf(format string, args ...any) error {
	return &statusError{exitFindings, fmt.Sprintf(format, args...)}
}

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	var cli commands
	parser, err := newParser(&cli, kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Description(help("OpenCL C in pure Go: compile, check and run kernels without a driver.", "", exitHelp)))
	if err != nil {
		panic(err) // the command table above is wrong
	}
	if problems := environment.Problems(os.Environ()); len(problems) > 0 {
		for _, p := range problems {
			fmt.Fprintln(os.Stderr, "purecl: "+p.Text)
		}
		return exitUsage
	}
	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	return status(execute(stop, parser, args))
}

// newParser returns the parser of a command table.
func newParser(table any, options ...kong.Option) (*kong.Kong, error) {
	return kong.New(table, append(options, kong.Name("purecl"), kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(decodeTime)))...)
}

func execute(ctx context.Context, parser *kong.Kong, args []string) error {
	args, err := arrange(parser.Model, args)
	if err != nil {
		return err
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		return usagef("%v", err)
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	parsed.Bind(processOutput())
	return parsed.Run(parser)
}

// status prints the error of a command and returns the program's exit status.
func status(err error) int {
	var st *statusError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &st):
		if st.message != "" {
			fmt.Fprintf(os.Stderr, "purecl: %s\n", st.message)
		}
		return st.status
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "purecl: interrupted")
		return exitInterrupted
	default:
		fmt.Fprintf(os.Stderr, "purecl: %s\n", strings.TrimPrefix(err.Error(), "purecl: "))
		return exitUsage
	}
}

// decodeTime parses a flag's duration, such as 10s.
func decodeTime(ctx *kong.DecodeContext, target reflect.Value) error {
	var text string
	if err := ctx.Scan.PopValueInto("time", &text); err != nil {
		return err
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("%q is no time; expected a number with its unit, such as 10s or 500ms", text)
	}
	target.SetInt(int64(d))
	return nil
}

// help joins the lines of a command's detailed help.
func help(lines ...string) string { return strings.Join(lines, "\n") }
