package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/purecl/purecl/internal/run/argument"

	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/run/program"
)

// A kernel is a kernel of a program on the command's device. Its arguments are bytes, so that it needs no binding
// of Go values.
type kernel struct {
	exec.Kernel
	device exec.Named
	module *program.Module
	fn     *ssa.Func
}

// load returns the kernel of that name, which must exist in the module.
func load(d exec.Named, m *program.Module, name string) (*kernel, error) {
	prog, err := d.Load(&m.Module)
	if err != nil {
		return nil, err
	}
	k, err := prog.Kernel(name)
	if err != nil {
		return nil, err
	}
	return &kernel{Kernel: k, device: d, module: m, fn: m.Func(name)}, nil
}

// params describes the kernel's parameters.
func (k *kernel) params() []param { return argument.Params(k.fn) }

// launchOptions are the options of a launch.
type launchOptions struct {
	checks   exec.Checks
	faults   exec.FaultMode
	stdout   io.Writer // for printf
	progress func(done, total int64)
	trace    exec.Trace
	workers  int // most threads; 0: the device's choice
}

// A launchReport is the result of a launch.
type launchReport struct {
	findings []program.Finding // in order of work-groups
	failed   bool              // because of a finding
	local    [3]uint64         // the work-group size that was given or chosen
	executor string            // the executor that ran the kernel
	fallback string            // why the reference executor ran it although machine code was requested
}

// A launcher launches a kernel repeatedly with the same arguments.
type launcher struct {
	k      *kernel
	queue  exec.Queue
	copies exec.Copies
	launch exec.Launch
}

// launcher binds the arguments. The caller must close it.
func (k *kernel) launcher(o launchOptions, global, local, offset dims, args []*arg) (*launcher, error) {
	if err := exec.CheckRange(k.device.Info(), global, local, offset); err != nil {
		return nil, usagef("kernel %s: %v", k.fn.Name, err)
	}
	r, err := k.Resolve(exec.Range{Global: global.unsigned(), Local: local.unsigned(), Offset: offset.unsigned()})
	if err != nil {
		return nil, k.fail(err)
	}
	q, err := k.device.NewQueue()
	if err != nil {
		return nil, err
	}
	l := &launcher{k: k, queue: q}
	l.launch = exec.Launch{Kernel: k.Kernel, Range: r, Checks: o.checks, Faults: o.faults, Stdout: o.stdout, Progress: o.progress, Trace: o.trace, Workers: o.workers}
	for _, a := range args {
		x := a.Bound
		if a.Info.IsMemory() {
			if x, err = l.copies.Bind(k.device, a.Data.Bytes, a.Info.Writable()); err != nil {
				l.close()
				return nil, fmt.Errorf("argument %s: %w", a.Info.Name, err)
			}
		}
		l.launch.Args = append(l.launch.Args, x)
	}
	return l, nil
}

func (l *launcher) close() {
	l.copies.Free()
	l.queue.Close()
}

// run launches the kernel once and waits for its end. The report is nil if the kernel did not run. The error is
// that of a launch that failed without a finding.
func (l *launcher) run(ctx context.Context) (*launchReport, error) {
	l.launch.Report = exec.Report{}
	return l.report(l.copies.Launch(ctx, l.queue, &l.launch))
}

// upload copies the buffers to a device that has memory of its own.
func (l *launcher) upload(ctx context.Context) error {
	err := l.copies.Write(l.queue, nil)
	if werr := l.queue.Wait(ctx); err == nil {
		err = werr
	}
	return l.k.fail(err)
}

// again is run without uploading the buffers.
func (l *launcher) again(ctx context.Context) (*launchReport, error) {
	l.launch.Report = exec.Report{}
	err := l.queue.Launch(ctx, &l.launch)
	if werr := l.queue.Wait(ctx); err == nil {
		err = werr
	}
	return l.report(err)
}

// report returns the report of the last launch, which returned err.
func (l *launcher) report(err error) (*launchReport, error) {
	rep := &l.launch.Report
	if rep.Executor == "" {
		return nil, l.k.fail(err)
	}
	out := &launchReport{local: l.launch.Range.Local, executor: rep.Executor}
	if rep.Fallback != nil {
		out.fallback = rep.Fallback.String()
	}
	for _, f := range rep.Findings {
		x := program.NewFinding(l.k.module.Source, f, l.launch.Faults)
		out.findings = append(out.findings, x)
		out.failed = out.failed || x.Error
	}
	return out, l.k.fail(err)
}

// fail converts launch errors to messages of the command line.
func (k *kernel) fail(err error) error {
	var internal *exec.InternalError
	var arg *launch.ArgError
	var rng *launch.RangeError
	var limit *exec.LimitError
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &internal):
		return errors.New(internal.Report())
	case errors.As(err, &arg):
		return usagef("%v", arg)
	case errors.As(err, &rng):
		return usagef("kernel %s: %v", k.fn.Name, rng)
	case errors.As(err, &limit):
		return usagef("kernel %s: %v", k.fn.Name, limit)
	}
	return usagef("kernel %s: %v", k.fn.Name, err)
}

// timings returns the durations of all steps from the source to the first results.
func (k *kernel) timings() *timing.Times {
	t, made := k.module.Took, k.Times()
	t.Add(&made)
	return &t
}
