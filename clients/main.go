//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"
	"text/tabwriter"
	"time"
)

// options are the command-line options.
type options struct {
	run       *regexp.Regexp
	quick     bool // only rows that are part of make check
	install   bool
	record    bool
	repeat    int
	driver    string
	reference string
	work      string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := clients(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "clients:", err)
		os.Exit(1)
	}
}

func clients(ctx context.Context) error {
	o := options{}
	expr := flag.String("run", "", "run only the programs whose name matches this regular `expression`")
	list := flag.Bool("list", false, "list the programs and run none")
	write := flag.Bool("document", false, "write docs/clients.md from the recorded results and run nothing")
	flag.BoolVar(&o.quick, "quick", false, "run only what is part of make check, on libpurecl.so alone where the results need no other driver")
	flag.BoolVar(&o.install, "install", false, "install missing Debian packages")
	flag.BoolVar(&o.record, "record", false, "write clients/results.json and docs/clients.md")
	flag.IntVar(&o.repeat, "repeat", 1, "run each program `N` times on each driver and report the medians of the times")
	flag.StringVar(&o.driver, "driver", "bin/libpurecl.so", "the driver under test")
	flag.StringVar(&o.reference, "reference", pocl, "the driver to compare with, as an .icd file names it; empty: none")
	flag.StringVar(&o.work, "work", "out/clients", "the `directory` that programs work in")
	flag.Parse()
	if flag.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	var err error
	if o.run, err = regexp.Compile(*expr); err != nil {
		return err
	}
	if o.work, err = filepath.Abs(o.work); err != nil {
		return err
	}
	if o.repeat < 1 {
		return fmt.Errorf("-repeat %d: expected at least 1", o.repeat)
	}
	var rows []program
	for _, p := range table() {
		if o.run.MatchString(p.name) && (p.quick || !o.quick) {
			rows = append(rows, p)
		}
	}
	if len(rows) == 0 {
		return fmt.Errorf("-run %q: no program of this name; -list lists them", *expr)
	}
	if *list {
		w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
		for _, p := range rows {
			fmt.Fprintf(w, "%s\t%s\t%s\n", p.name, p.target(), p.compares)
		}
		return w.Flush()
	}
	if *write {
		return record()
	}
	return runAll(ctx, o, rows)
}

// runAll runs the rows one after the other and reports each when it ends.
func runAll(ctx context.Context, o options, rows []program) error {
	if o.install {
		if err := install(ctx, rows); err != nil {
			return err
		}
	}
	drivers, err := stage(o)
	if err != nil {
		return err
	}
	var failed, ran, skipped int
	start := time.Now()
	for _, p := range rows {
		r, err := runProgram(ctx, o, p, drivers)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Print(r.text())
		switch {
		case r.Skipped != "":
			skipped++
			continue // keep the recorded result
		case !r.ok():
			failed++
		}
		ran++
		if o.record { // after each row, so that an interrupted run keeps the earlier ones
			if err := record(r); err != nil {
				return err
			}
		}
	}
	fmt.Printf("%d programs ran in %.0f s, %d of them with wrong results, and %d were skipped\n", ran, time.Since(start).Seconds(), failed, skipped)
	if failed > 0 {
		return fmt.Errorf("%d of %d programs have wrong results; their output is in %s", failed, ran, o.work)
	}
	return nil
}

// A driver is an OpenCL driver that programs run on.
type driver struct {
	name    string
	vendors string // directory of its .icd file, for OCL_ICD_VENDORS
	tested  bool   // it is libpurecl.so, not the reference
}

// pocl is the library of the reference driver, poclPackage its Debian package.
const pocl, poclPackage = "libpocl.so.2", "pocl-opencl-icd"

// stage creates a directory with an .icd file for each driver. It leaves out PoCL if that is not installed.
func stage(o options) ([]driver, error) {
	lib, err := filepath.Abs(o.driver)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(lib); err != nil {
		return nil, fmt.Errorf("%w; make driver builds it", err)
	}
	var drivers []driver
	for _, d := range []struct{ name, lib string }{{"PureCL", lib}, {"PoCL", o.reference}} {
		if d.lib == "" || d.lib == pocl && version(poclPackage) == "" {
			continue
		}
		dir := filepath.Join(o.work, "vendors", d.name)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, "driver.icd"), []byte(d.lib+"\n"), 0o666); err != nil {
			return nil, err
		}
		drivers = append(drivers, driver{name: d.name, vendors: dir, tested: d.name == "PureCL"})
	}
	return drivers, nil
}
