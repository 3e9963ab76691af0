package jit

import (
	"github.com/purecl/purecl/internal/base/timing"
	"github.com/purecl/purecl/internal/cpu/explain"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// Gangs are the kinds of gangs that a kernel has code for.
type Gangs uint8

// The kinds of gangs.
const (
	WholeGangs   Gangs = iota
	PartialGangs       // with fewer work-items than lanes
	CoarseGangs        // of several rows
)

// Listed is machine code with its listing.
type Listed struct {
	*Generated
	Listing *explain.Listing
}

// List makes machine code of a kernel with its listing, for a kind of gangs. The processor need not support the
// level. It also returns the compile times. An error is the reason why the reference executor would run the
// kernel, or why there are no gangs of several rows.
func List(f *ssa.Func, lv *x86.Level, gangs Gangs) (*Listed, timing.Times, error) {
	code, times, err := translate(f, lv, gangs, true)
	if err != nil {
		return nil, times, err
	}
	return &Listed{code, explain.New(code.plan, code.gang, code.Code, code.large)}, times, nil
}

// Measure is List for whole gangs without the Listing, which takes longer to make than the code.
func Measure(f *ssa.Func, lv *x86.Level) (*Generated, timing.Times, error) {
	return translate(f, lv, WholeGangs, false)
}

func translate(f *ssa.Func, lv *x86.Level, gangs Gangs, listing bool) (out *Generated, times timing.Times, err error) {
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
	key := variantKey{level: lv, partial: gangs == PartialGangs, coarse: gangs == CoarseGangs}
	if f.Kernel.ReqdGroupSize[0] > 0 && gangs != CoarseGangs { // the variant that a kernel with a required work-group size gets after some launches
		r := exec.NDRange{Dims: 3}
		for d, n := range f.Kernel.ReqdGroupSize {
			r.Local[d], r.Global[d] = uint64(n), uint64(n)
		}
		if x := c.formFor(&r); x.items != 0 {
			key.form = x
		}
		if gangs == WholeGangs {
			key.local = key.rangeOf(&r).Local
		}
	}
	out, err = c.add(key).generate(listing, nil, &clock)
	clock.Begin(timing.None)
	return out, clock.Times, err
}
