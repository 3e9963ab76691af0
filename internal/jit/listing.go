//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"errors"
	"fmt"

	"github.com/purecl/purecl/internal/codegen"
	"github.com/purecl/purecl/internal/spmd"
	"github.com/purecl/purecl/internal/ssa"
)

// List makes machine code of a kernel for reading, with its Listing: for whole gangs, or
// for those with fewer work-items than lanes. The processor need not have the level. An
// error says why the reference executor would run the kernel.
func List(f *ssa.Func, lv *codegen.Level, partial bool) (out *codegen.Code, err error) {
	c := &Code{f: f, lv: lv, opts: spmd.Options{RowUniform: true, GroupUniform: true}}
	if f.Kernel == nil {
		return nil, errors.New("not a kernel")
	}
	if err := c.survey(); err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("internal error: making machine code of %s: %v", f.Name, r)
		}
	}()
	return c.generate(!partial, true)
}
