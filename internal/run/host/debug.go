package host

import (
	"io"

	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/run/cpu"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/run/program"
)

// A DebugLaunch is a launch that a debugger may carry out.
type DebugLaunch struct {
	Units   []program.Unit // of the program
	Options *option.Build  // of the program
	Kernel  *launch.Kernel // on the processor
	Args    []launch.Arg   // in the host's memory
	Range   exec.NDRange
	Faults  exec.FaultMode
	Stdout  io.Writer
}

// debug asks the debugger to carry out a launch on the processor.
func (k *Kernel) debug(opts *RunOptions, dev *Device, l *exec.Launch) (done bool, err error) {
	targets, err := k.prog.on([]*Device{dev})
	if err != nil {
		return false, err
	}
	b := &targets[0].built
	o, err := option.Parse(b.options)
	if err != nil {
		return false, err
	}
	d := &DebugLaunch{Units: b.units, Options: o, Range: l.Range, Faults: l.Faults, Stdout: l.Stdout}
	d.Kernel, d.Args = cpu.Parts(l)
	return opts.Debug(d)
}
