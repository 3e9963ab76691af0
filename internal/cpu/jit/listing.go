package jit

import (
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// List makes machine code of a kernel for reading, with its Listing: for whole gangs, or
// for those with fewer work-items than lanes. The processor need not have the level. It says how
// long that took; an error says why the reference executor would run the kernel.
func List(f *ssa.Func, lv *x86.Level, partial bool) (*x86.Code, timing.Times, error) {
	return translate(f, lv, partial, true)
}

// Measure is List for whole gangs without the Listing, which takes longer than the code.
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
	if !partial { // what a kernel that prescribes its work-groups has when it has been used a while
		for d, n := range f.Kernel.ReqdGroupSize {
			key.local[d] = uint64(max(n, 0))
		}
	}
	out, err = c.add(key).generate(listing, nil, &clock)
	clock.Begin(timing.None)
	return out, clock.Times, err
}
