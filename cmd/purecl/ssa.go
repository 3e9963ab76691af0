package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/diag"
	"github.com/purecl/purecl/internal/opt"
	"github.com/purecl/purecl/internal/ssa"
)

type ssaCmd struct {
	File   string `arg:"" help:"Source file."`
	Kernel string `short:"k" help:"Only this function."`
	Dump   string `placeholder:"PASS" help:"Show the code after this pass: irgen, a pass of the optimiser, or all. Default: the optimised code."`
	timingFlag
	buildFlags
}

func (*ssaCmd) Help() string {
	return help("Passes: irgen, "+passNames(), "", "Examples:", "  purecl ssa kernel.cl", "  purecl ssa kernel.cl -k blur --dump=all")
}

func (c *ssaCmd) Run(ctx context.Context) error {
	opts, err := compile.ParseOptions(c.buildFlags.text())
	if err != nil {
		return usagef("%v", err)
	}
	if c.Dump != "" && c.Dump != "all" && c.Dump != "irgen" && opt.Find(c.Dump) == nil {
		return usagef("there is no pass %q; there are irgen, %s", c.Dump, passNames())
	}
	src, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	opts.Source.ReadFile = readInclude
	opts.Verify = true
	show := func(title string, f *ssa.Func) {
		if c.Kernel == "" || f.Name == c.Kernel {
			fmt.Printf("; %s\n%s\n", title, f)
		}
	}
	opts.SSA = func(m *ssa.Module) {
		if c.Dump == "irgen" || c.Dump == "all" {
			for _, f := range m.Funcs {
				show("irgen", f)
			}
		}
	}
	opts.Opt.Dump = func(pass string, f *ssa.Func) {
		if c.Dump == pass || c.Dump == "all" {
			show(pass, f)
		}
	}
	res, err := compile.Compile(ctx, c.File, src, opts)
	if werr := (diag.Style{Codes: true, Color: isTerminal(os.Stderr)}).Write(os.Stderr, res.Source, res.Diags); werr != nil {
		return werr
	}
	if _, ok := err.(*diag.List); ok {
		return &statusError{exitFindings, ""}
	} else if err != nil {
		return err
	}
	if c.Dump == "" {
		if c.Kernel == "" {
			fmt.Print(res.Module)
		} else if f := res.Module.Func(c.Kernel); f != nil {
			fmt.Print(f)
		} else {
			return usagef("%s has no function %s", c.File, c.Kernel)
		}
	}
	if c.Timings {
		printTimes(&res.Took)
	}
	return nil
}

func passNames() string {
	var names []string
	for _, p := range opt.Passes {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}
