package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/cpu/explain"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
)

type ssaCmd struct {
	File   string `arg:"" help:"Source file; - is the standard input."`
	Kernel string `short:"k" help:"Only this function."`
	Dump   string `placeholder:"PASS" help:"Show the code after this pass: irgen, a pass of the optimiser, spmd, codegen, alloc, or all. Default: the optimised code."`
	Level  string `placeholder:"LEVEL" help:"CPU level of the passes that make machine code. Default: this machine's best."`
	timingFlag
	buildFlags
}

func (*ssaCmd) Help() string {
	return help(
		"Passes: "+passNames()+".",
		"spmd prints the plan for gangs: the blocks in order of execution with their masks, and",
		"the values, marked as uniform or varying. codegen prints the machine code with virtual",
		"registers, alloc with the processor's registers. These three are for kernels only.",
		"",
		"Examples:",
		"  purecl ssa kernel.cl",
		"  purecl ssa kernel.cl -k blur --dump=all",
		"  purecl ssa kernel.cl -k blur --dump=alloc --level avx2",
	)
}

type machinePass struct {
	name string
	dump func(*explain.Listing) string
}

// machinePasses are the passes after the optimiser.
var machinePasses = []machinePass{
	{"spmd", func(ls *explain.Listing) string { return ls.Plan.Dump() }},
	{"codegen", func(ls *explain.Listing) string { return ls.Before }},
	{"alloc", func(ls *explain.Listing) string { return ls.After }},
}

func passes() []string {
	names := []string{"irgen"}
	for _, p := range opt.Passes {
		names = append(names, p.Name)
	}
	for _, p := range machinePasses {
		names = append(names, p.name)
	}
	return names
}

func passNames() string { return strings.Join(passes(), ", ") }

func (c *ssaCmd) Run(ctx context.Context) error {
	opts, err := c.buildFlags.compileOptions()
	if err != nil {
		return err
	}
	lv, err := findLevel(c.Level)
	if err != nil {
		return err
	}
	if c.Dump != "" && c.Dump != "all" && !slices.Contains(passes(), c.Dump) {
		return usagef("there is no pass %q; there are %s", c.Dump, passNames())
	}
	opts.Verify = true
	wanted := func(pass string, f *ssa.Func) bool {
		return (c.Dump == pass || c.Dump == "all") && (c.Kernel == "" || f.Name == c.Kernel)
	}
	opts.SSA = func(m *ssa.Module) {
		for _, f := range m.Funcs {
			if wanted("irgen", f) {
				fmt.Printf("; irgen\n%s\n", f)
			}
		}
	}
	opts.Opt.Dump = func(pass string, f *ssa.Func) {
		if wanted(pass, f) {
			fmt.Printf("; %s\n%s\n", pass, f)
		}
	}
	res, err := compileFile(ctx, c.File, opts)
	if err != nil {
		return err
	}
	if c.Kernel != "" && res.Module.Func(c.Kernel) == nil {
		return usagef("%s has no function %s", c.File, c.Kernel)
	}
	times, failed := res.Took, false
	for _, f := range res.Module.Funcs {
		switch {
		case c.Kernel != "" && f.Name != c.Kernel:
		case c.Dump == "" && c.Kernel != "":
			fmt.Print(f)
		case f.Kernel != nil && slices.ContainsFunc(machinePasses, func(p machinePass) bool { return wanted(p.name, f) }):
			code, took, err := jit.List(f, lv, jit.WholeGangs)
			times.Add(&took)
			if err != nil {
				fmt.Fprintln(os.Stderr, "purecl: "+noCode(res.Source, f, err).Error())
				failed = c.Dump != "all"
				continue
			}
			for _, p := range machinePasses {
				if wanted(p.name, f) {
					fmt.Printf("; %s of %s for %s\n%s\n", p.name, f.Name, lv.Name, p.dump(code.Listing))
				}
			}
		}
	}
	if c.Dump == "" && c.Kernel == "" {
		fmt.Print(res.Module)
	}
	if c.Timings {
		printTimes(os.Stderr, &times)
	}
	if failed {
		return &statusError{exitFindings, ""}
	}
	return nil
}
