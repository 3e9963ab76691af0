// Command purecl compiles, checks and runs OpenCL C kernels.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
)

// Exit statuses.
const (
	exitFindings    = 1   // the program has errors, or a run found something
	exitUsage       = 2   // the command line is wrong
	exitInterrupted = 130 // Ctrl-C
)

type commands struct {
	Run        runCmd        `cmd:"" help:"Run a kernel on data from the command line and from files."`
	Check      checkCmd      `cmd:"" help:"Report errors and warnings in source files."`
	Eval       evalCmd       `cmd:"" help:"Evaluate an OpenCL C expression."`
	Repl       replCmd       `cmd:"" help:"Evaluate expressions and declarations interactively."`
	SSA        ssaCmd        `cmd:"" name:"ssa" help:"Show the intermediate code of a source file."`
	Asm        asmCmd        `cmd:"" help:"Show the machine code of kernels, line by line, with what became of loops and accesses."`
	Bench      benchCmd      `cmd:"" help:"Measure how fast a kernel runs and compiles, beside copying memory."`
	Explain    explainCmd    `cmd:"" help:"Explain a diagnostic code."`
	Version    versionCmd    `cmd:"" help:"Print the version."`
	Completion completionCmd `cmd:"" help:"Print a shell's completion script."`
}

// A statusError ends the program with a status; its message was printed already where
// it is empty.
type statusError struct {
	status  int
	message string
}

func (e *statusError) Error() string { return e.message }

func usagef(format string, args ...any) error {
	return &statusError{exitUsage, fmt.Sprintf(format, args...)}
}

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	var cli commands
	parser, err := kong.New(&cli, kong.Name("purecl"), kong.UsageOnError(), kong.WithHyphenPrefixedParameters(true), kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Description("OpenCL C in pure Go: compile, check and run kernels without a driver."))
	if err != nil {
		panic(err) // the command table above is wrong
	}
	ctx, err := parser.Parse(joinNegative(args))
	if err != nil {
		fmt.Fprintf(os.Stderr, "purecl: %v\n", err)
		return exitUsage
	}
	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	ctx.BindTo(stop, (*context.Context)(nil))
	err = ctx.Run(parser)
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
		return exitFindings
	}
}

// joinNegative writes "-a -1.5" as "--arg=-1.5", because kong takes a number after a flag
// that may be repeated for another flag.
func joinNegative(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		if (a == "-a" || a == "--arg") && i+1 < len(args) && negativeRE.MatchString(args[i+1]) {
			i++
			a = "--arg=" + args[i]
		}
		out = append(out, a)
	}
	return out
}

var negativeRE = regexp.MustCompile(`^-[.0-9]|^-(inf|nan)`)

// buildFlags are the compiler's options, as clBuildProgram takes them.
type buildFlags struct {
	Define  []string `short:"D" sep:"none" placeholder:"NAME[=VALUE]" help:"Define a macro."`
	Include []string `short:"I" sep:"none" placeholder:"DIR" help:"Add a directory for #include."`
	Std     string   `name:"cl-std" placeholder:"VERSION" help:"Language version: CL1.0, CL1.1, CL1.2 (default), CL2.0 or CL3.0."`
	Options string   `short:"O" name:"options" placeholder:"OPTIONS" help:"Further options as for clBuildProgram, such as '-w -cl-fast-relaxed-math'."`
}

// text joins the flags to one options string.
func (f *buildFlags) text() string {
	var parts []string
	quote := func(flag, s string) {
		parts = append(parts, flag+`"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)+`"`)
	}
	for _, d := range f.Define {
		quote("-D", d)
	}
	for _, d := range f.Include {
		quote("-I", d)
	}
	if f.Std != "" {
		parts = append(parts, "-cl-std="+f.Std)
	}
	if f.Options != "" {
		parts = append(parts, f.Options)
	}
	return strings.Join(parts, " ")
}

// help joins the lines of a command's detailed help.
func help(lines ...string) string { return strings.Join(lines, "\n") }
