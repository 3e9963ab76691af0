package difftest

import (
	"context"
	"slices"

	"github.com/purecl/purecl/internal/compile"
	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
	"github.com/purecl/purecl/internal/test/filetest"
)

// A way is one way of running kernels.
type way struct {
	name   string
	exec   launch.Executor
	build  compile.Options
	checks interp.Checks
}

// ways are all that this machine has: the reference executor with every check and
// without, and each level and gang width, with the optimiser on and off.
func ways() []way {
	list := []way{
		{"plain", launch.Reference, compile.Options{NoOpt: true}, interp.ChecksAll},
		{"optimised", launch.Reference, compile.Options{Opt: opt.Config{KeepAccesses: true}}, interp.ChecksAll},
		{"unchecked", launch.Reference, compile.Options{}, interp.ChecksNone},
	}
	for _, e := range jit.Executors() {
		list = append(list, way{e.Name(), e, compile.Options{}, interp.ChecksNone},
			way{e.Name() + "-plain", e, compile.Options{Opt: opt.Config{Disable: Plain()}}, interp.ChecksNone})
	}
	for i := range list {
		list[i].build.Verify = true
	}
	return list
}

// Executors runs the cases of textual tests in every way; the SSA is verified after each
// pass.
func Executors() []filetest.Executor { return executors(ways()) }

// CheckedExecutors runs them in the ways that have every check.
func CheckedExecutors() []filetest.Executor {
	return executors(slices.DeleteFunc(ways(), func(w way) bool { return w.checks < interp.ChecksAll }))
}

func executors(ways []way) (list []filetest.Executor) {
	for _, w := range ways {
		list = append(list, filetest.Executor{Name: w.name, Run: func(c *filetest.Case) (*filetest.Result, error) {
			m, err := compileCase(c, w.build)
			if err != nil {
				return nil, err
			}
			r, err := run(context.Background(), m, c, w.exec, w.checks, interp.Robust)
			if err != nil {
				return nil, err
			}
			return &r.Result, nil
		}})
	}
	return list
}
