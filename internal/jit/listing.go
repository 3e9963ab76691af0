//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"errors"
	"fmt"

	"github.com/purecl/purecl/internal/codegen"
	"github.com/purecl/purecl/internal/spmd"
	"github.com/purecl/purecl/internal/ssa"
	"github.com/purecl/purecl/internal/timing"
)

// List makes machine code of a kernel for reading, with its Listing: for whole gangs, or
// for those with fewer work-items than lanes. The processor need not have the level. It says how
// long that took; an error says why the reference executor would run the kernel.
func List(f *ssa.Func, lv *codegen.Level, partial bool) (out *codegen.Code, times timing.Times, err error) {
	c := &Code{f: f, lv: lv, opts: spmd.Options{RowUniform: true, GroupUniform: true}}
	if f.Kernel == nil {
		return nil, times, errors.New("not a kernel")
	}
	if !partial { // what a kernel that prescribes its work-groups has when it has been used a while
		for d, n := range f.Kernel.ReqdGroupSize {
			c.local[d] = uint64(max(n, 0))
		}
	}
	if err := c.survey(); err != nil {
		return nil, times, err
	}
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("internal error: making machine code of %s: %v", f.Name, r)
		}
	}()
	var clock timing.Clock
	out, err = c.generate(!partial, true, nil, &clock)
	clock.Begin(timing.None)
	return out, clock.Times, err
}
