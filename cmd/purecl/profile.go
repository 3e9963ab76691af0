package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/run/cpu"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/profile"
)

// profileFlags request a profile of the kernel.
type profileFlags struct {
	Profile bool   `help:"Print where the time went: the phases, then a percentage beside each source line."`
	PProf   string `name:"pprof" placeholder:"FILE" help:"Write the times of source lines to FILE in pprof's format."`
}

var profileHelp = help(
	"--profile and --pprof run machine code that counts the executions of its blocks. A source",
	"line's time is its share of the kernel's: the counts, weighted by the instructions' cost",
	"with data in the nearest cache. Host calls, such as for images and printf, are timed.",
)

// begin completes the flags of a command that launches a kernel: only machine code without checks has profiles.
func (p *profileFlags) begin(l *launchFlags, checks *string) error {
	wanted := p.Profile || p.PProf != ""
	switch {
	case *checks == "" && wanted:
		*checks = "none"
	case *checks == "":
		*checks = "all"
	case *checks != "none" && wanted:
		return usagef("--check=%s runs the kernel on the reference executor, and profiles are of machine code: leave --check out, or --profile and --pprof", *checks)
	}
	if wanted {
		l.profile = &jit.Profile{}
	}
	return nil
}

// profiled returns the device with profiling enabled, which only the processor supports.
func profiled(d exec.Named, p *jit.Profile) (exec.Named, error) {
	c, ok := d.Device.(*cpu.Device)
	if !ok {
		return d, usagef("%s: profiles are of the processor: leave out --profile and --pprof, or --device", d.ID)
	}
	return exec.Named{Device: c.Profiled(p), ID: d.ID}, nil
}

// show writes the requested reports.
func (p *profileFlags) show(w io.Writer, r *runReport, list *jit.Profile, start time.Time, took time.Duration) error {
	kernels := list.Kernels()
	if len(kernels) == 0 {
		why := r.Fallback
		if why == "" {
			why = "machine code is for amd64"
		}
		return findingsf("there is no profile of kernel %s: the reference executor ran it (%s)", r.Kernel, why)
	}
	if p.Profile {
		fmt.Fprintf(w, "\nSource lines, by %s:\n", profile.How)
		if err := profile.WriteText(w, kernels); err != nil {
			return err
		}
	}
	if p.PProf == "" {
		return nil
	}
	f, err := os.Create(p.PProf)
	if err != nil {
		return usagef("--pprof: %v", withoutPath(err))
	}
	err = profile.WritePProf(f, kernels, start, took)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	return err
}
