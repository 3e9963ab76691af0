package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime/debug"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/front/diag"
)

type checkCmd struct {
	File   []string `arg:"" help:"Source files; - is the standard input."`
	Verify bool     `help:"Compile to SSA too and verify it, which tests the compiler rather than the file."`
	Quiet  bool     `short:"q" help:"Print nothing; the exit status is the result."`
	formFlags
	timingFlag
	buildFlags
}

func (*checkCmd) Help() string {
	return help(
		buildHelp,
		"",
		exitHelp,
		"",
		"Examples:",
		"  purecl check kernels/*.cl -I include -D WIDTH=16 -cl-std=CL3.0",
		"  purecl check --timings big.cl",
		"  purecl check --sarif kernel.cl > kernel.sarif",
	)
}

func (c *checkCmd) Run(ctx context.Context, o *output) error {
	// The process is short-lived and small: garbage collection would take a third of its time.
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(4 << 30)
	opts, err := c.buildFlags.compileOptions()
	if err != nil {
		return err
	}
	opts.Until = compile.Check
	opts.KeepProgram = len(c.File) == 1 // a single file: its program's memory is not reused
	if c.Verify {
		opts.Until, opts.Verify = compile.IRGen, true
	}
	var found []diag.Finding
	status := 0
	var times timing.Times
	style := diag.Style{Codes: true, Color: o.color}
	for _, name := range c.File {
		src, err := readSource(name)
		if err != nil { // continue with the other files
			fmt.Fprintf(o.err, "purecl: %s: %v\n", name, err)
			status = exitUsage
			continue
		}
		one := *opts
		res, err := compile.Compile(ctx, name, src, &one)
		times.Add(&res.Took)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			status = max(status, exitFindings)
		}
		if _, ok := err.(*diag.List); err != nil && !ok {
			fmt.Fprintf(o.err, "purecl: %s: %v\n", name, err)
			continue
		}
		switch {
		case c.forMachines():
			for _, d := range res.Diags {
				found = append(found, diag.Finding{Source: res.Source, Diagnostic: d})
			}
		case !c.Quiet:
			if err := style.Write(o.err, res.Source, res.Diags); err != nil {
				return err
			}
		}
	}
	if c.Timings {
		printTimes(o.err, &times)
	}
	if err := c.write(o.out, jsonDiagnostics(found), found); err != nil {
		return err
	}
	if status != 0 {
		return &statusError{status, ""}
	}
	return nil
}

// readSource reads a source file, or the standard input where the name is "-".
func readSource(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(io.LimitReader(os.Stdin, 256<<20))
	}
	src, err := os.ReadFile(name)
	return src, withoutPath(err)
}

// withoutPath returns an error's cause, for callers that name the file themselves.
func withoutPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// readInclude reads an included file of at most 256 MiB.
func readInclude(name string) ([]byte, error) {
	st, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "include", Path: name, Err: fs.ErrNotExist}
	}
	if st.Size() > 256<<20 {
		return nil, fmt.Errorf("%s is too large", name)
	}
	return os.ReadFile(name)
}
