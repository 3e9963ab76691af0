package difftest

import (
	"context"
	"slices"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/test/filetest"
)

// A config is an executor with its options.
type config struct {
	name   string
	exec   exec.Executor
	build  compile.Options
	checks exec.Checks
}

// configs returns all configurations that run kernels on this machine: the reference executor with all checks and without, and
// each CPU level and gang width, with the optimiser on and off.
func configs() []config {
	list := []config{
		{"plain", interp.Reference, compile.Options{NoOpt: true}, exec.ChecksAll},
		{"optimised", interp.Reference, compile.Options{Opt: opt.Config{KeepAccesses: true}}, exec.ChecksAll},
		{"unchecked", interp.Reference, compile.Options{}, exec.ChecksNone},
	}
	for _, e := range MachineExecutors() {
		list = append(list, config{e.Name(), e, compile.Options{}, exec.ChecksNone},
			config{e.Name() + "-plain", e, compile.Options{Opt: opt.Config{Disable: Plain()}}, exec.ChecksNone})
	}
	for i := range list {
		list[i].build.Verify = true
	}
	return list
}

// Executors returns executors of textual tests for all configurations. They verify the SSA after each pass.
func Executors() []filetest.Executor { return executors(configs()) }

// CheckedExecutors returns the executors with all checks.
func CheckedExecutors() []filetest.Executor {
	return executors(slices.DeleteFunc(configs(), func(w config) bool { return w.checks < exec.ChecksAll }))
}

// On returns an executor of textual tests that runs kernels on e.
func On(name string, e exec.Executor) filetest.Executor {
	return executors([]config{{name, e, compile.Options{Verify: true}, exec.ChecksNone}})[0]
}

// Debugged returns an executor of textual tests that compiles kernels as for a debugger and runs them on e with all
// checks.
func Debugged(name string, e exec.Executor) filetest.Executor {
	return executors([]config{{name, e, compile.Options{Verify: true, Debug: true}, exec.ChecksAll}})[0]
}

func executors(configs []config) (list []filetest.Executor) {
	for _, w := range configs {
		list = append(list, filetest.Executor{Name: w.name, Run: func(c *filetest.Case) (*filetest.Result, error) {
			m, err := compileCase(c, w.build)
			if err != nil {
				return nil, err
			}
			r, err := run(context.Background(), m, c, w.exec, w.checks, exec.Robust)
			if err != nil {
				return nil, err
			}
			return &r.Result, nil
		}})
	}
	return list
}
