package jit

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// Bounds that a launch tests before it begins (package spmd, extent.go): if they do not hold, it uses a variant that
// checks each access.

// holds reports whether the accesses that the code does not check are in bounds in a launch.
func (v *variant) holds(env *exec.Env) bool {
	if v.extents == nil {
		return true
	}
	l := tested{env, v}
	return v.inBounds(&l) && v.extents.Apart(&l)
}

// A verdict is the result of a test for launches with the same answers.
type verdict struct {
	answers []uint64
	result  bool
}

// inBounds keeps the last verdict: a test of hundreds of terms takes several microseconds.
func (v *variant) inBounds(l *tested) bool {
	var few [32]uint64
	answers := v.extents.Answers(l, few[:0])
	if last := v.verdict.Load(); last != nil && slices.Equal(last.answers, answers) {
		return last.result
	}
	result := v.extents.InBounds(l)
	v.verdict.Store(&verdict{slices.Clone(answers), result})
	return result
}

// A tested answers questions of package spmd.
type tested struct {
	env *exec.Env
	v   *variant
}

func (l *tested) Param(n int) uint64 { return l.env.Params[n][0] }

// Query returns the answers for the first gang of each work-group.
func (l *tested) Query(q ssa.WorkItemQuery, d int) (least, most uint64) {
	rg := &l.env.Range
	if q == ssa.WorkDim {
		return uint64(rg.Dims), uint64(rg.Dims)
	}
	global, local, offset := uint64(1), uint64(1), uint64(0)
	if d < rg.Dims {
		global, local, offset = rg.Global[d], rg.Local[d], rg.Offset[d]
	}
	lane := uint64(0)
	if d == 0 {
		lane = uint64(l.v.lanes) - 1
	}
	switch q {
	case ssa.GlobalSize:
		return global, global
	case ssa.LocalSize, ssa.EnqueuedLocalSize:
		return local, local
	case ssa.NumGroups:
		return global / local, global / local
	case ssa.GlobalOffset:
		return offset, offset
	case ssa.LocalID:
		return 0, lane
	case ssa.GroupID:
		return 0, global/local - 1
	default: // GlobalID
		return offset, offset + global - local + lane
	}
}

func (l *tested) Object(x spmd.Object) (at, bytes uint64, writable bool) {
	n := uint64(len(l.env.Objects))
	if x.Global != nil {
		n = uint64(l.env.Globals[x.Global])
	} else if p := l.env.Params[x.Param]; len(p) == 1 {
		n = p[0] >> ssa.ObjectShift
	}
	if n >= uint64(len(l.env.Objects)) || len(l.env.Objects[n].Data) == 0 {
		return 0, 0, false
	}
	o := &l.env.Objects[n]
	return uint64(address(o.Data)), uint64(len(o.Data)), !o.ReadOnly && o.Space != ssa.PtrConstant
}
