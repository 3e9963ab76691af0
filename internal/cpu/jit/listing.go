package jit

import (
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// List makes machine code of a kernel with its Listing, for whole gangs or for partial ones. The processor need
// not support the level. It also returns the compile times. An error is the reason why the reference executor
// would run the kernel.
func List(f *ssa.Func, lv *x86.Level, partial bool) (*x86.Code, timing.Times, error) {
	return translate(f, lv, partial, true)
}

// Measure is List for whole gangs without the Listing, which takes longer to make than the code.
func Measure(f *ssa.Func, lv *x86.Level) (*x86.Code, timing.Times, error) {
	return translate(f, lv, false, false)
}

func translate(f *ssa.Func, lv *x86.Level, partial, listing bool) (out *x86.Code, times timing.Times, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, bug(f, lv, r)
		}
	}()
	var clock timing.Clock
	clock.Begin(timing.SPMD)
	c, err := newCode(f, Options{Level: lv})
	if err != nil {
		return nil, times, err
	}
	key := variantKey{level: lv, partial: partial}
	if !partial { // the variant that a kernel with a required work-group size gets after some launches
		for d, n := range f.Kernel.ReqdGroupSize {
			key.local[d] = uint64(max(n, 0))
		}
	}
	out, err = c.add(key).generate(listing, nil, &clock)
	clock.Begin(timing.None)
	return out, clock.Times, err
}
