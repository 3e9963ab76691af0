package main

import (
	"context"
	"encoding/json"
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
	JSON   bool     `name:"json" xor:"form" help:"Write the diagnostics as JSON."`
	SARIF  bool     `name:"sarif" xor:"form" help:"Write the diagnostics as SARIF 2.1.0."`
	Verify bool     `help:"Go on to SSA and verify it: a test of the compiler more than of the file."`
	Quiet  bool     `short:"q" help:"Print nothing; only the exit status tells."`
	timingFlag
	buildFlags
}

func (*checkCmd) Help() string {
	return help(
		"The exit status is 0 where no file has an error, 1 where one has, 2 for a wrong command line.",
		"",
		"Examples:",
		"  purecl check kernels/*.cl -I include -D WIDTH=16",
		"  purecl check --timings big.cl",
		"  purecl check --sarif kernel.cl > kernel.sarif",
	)
}

func (c *checkCmd) Run(ctx context.Context) error {
	// A short life with little memory: collecting garbage would take a third of the time.
	debug.SetGCPercent(800)
	debug.SetMemoryLimit(4 << 30)
	opts, err := compile.ParseOptions(c.buildFlags.text())
	if err != nil {
		return usagef("%v", err)
	}
	opts.Source.ReadFile = readInclude
	opts.Until = compile.Check
	opts.KeepProgram = len(c.File) == 1 // nothing else will be made of its memory
	if c.Verify {
		opts.Until, opts.Verify = compile.IRGen, true
	}
	findings, list := []diag.Finding{}, []diag.JSONDiagnostic{}
	failed := false
	var times timing.Times
	style := diag.Style{Codes: true, Color: isTerminal(os.Stderr)}
	for _, name := range c.File {
		src, err := readSource(name)
		var res *compile.Result
		if err == nil {
			o := *opts
			res, err = compile.Compile(ctx, name, src, &o)
			times.Add(&res.Took)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed = failed || err != nil
		if _, ok := err.(*diag.List); err != nil && !ok { // the other files are still checked
			fmt.Fprintf(os.Stderr, "purecl: %s: %v\n", name, err)
			continue
		}
		switch {
		case c.JSON || c.SARIF:
			for _, d := range res.Diags {
				findings = append(findings, diag.Finding{Source: res.Source, Diagnostic: d})
				list = append(list, d.JSON(res.Source))
			}
		case !c.Quiet:
			if err := style.Write(os.Stderr, res.Source, res.Diags); err != nil {
				return err
			}
		}
	}
	if c.Timings {
		printTimes(&times)
	}
	switch {
	case c.JSON:
		e := json.NewEncoder(os.Stdout)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		err = e.Encode(list)
	case c.SARIF:
		err = diag.WriteSARIF(os.Stdout, versionText(), findings)
	}
	if err == nil && failed {
		err = &statusError{exitFindings, ""}
	}
	return err
}

// readSource reads a source file, or the standard input where the name is "-".
func readSource(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(io.LimitReader(os.Stdin, 256<<20))
	}
	src, err := os.ReadFile(name)
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // the caller names the file
	}
	return src, err
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
