package interp

import (
	"unsafe"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// The memory observer checks bounds (always), null and wild pointers, writes to constant memory, and alignment.

// violation reports a bad access of size bytes at the pointer p.
func (x *reporter) violation(in *inst, lane int, p, size uint64) {
	num, off := p>>ssa.ObjectShift, p&ssa.OffsetMask
	o := x.object(num)
	// A large offset is a negative one.
	if off > ssa.OffsetMask/2 {
		off |= ^ssa.OffsetMask
	}
	switch {
	case num == 0:
		x.report(exec.NullPointer, in, lane, nil, off, size)
	case o == &noObject:
		x.report(exec.WildPointer, in, lane, nil, off, size)
	default:
		x.report(exec.OutOfBounds, in, lane, o, off, size)
	}
}

// pointer returns the memory of size bytes at p for the lane. It reports the access and returns nil if they are not
// all in bounds, or not writable for a write.
func (x *reporter) pointer(in *inst, lane int, p, size uint64, write bool) (unsafe.Pointer, *object, uint64) {
	o := x.object(p >> ssa.ObjectShift)
	off := p & ssa.OffsetMask
	if off+size > o.size {
		x.violation(in, lane, p, size)
		return nil, nil, 0
	}
	if write && o.readOnly {
		x.report(exec.ConstantWrite, in, lane, o, off, size)
		return nil, nil, 0
	}
	if size == 0 {
		return nil, o, off
	}
	return x.memory(o, lane, off), o, off
}

// observe reports a lane's access, which is in bounds, to the observers. pointer has reported errors already.
func (x *worker) observe(v *view, in *inst, lane int, o *object, off uint64) {
	m := in.mem
	if m.align > 1 && off&(m.align-1) != 0 {
		x.report(exec.Misaligned, in, lane, o, off, m.size)
	}
	if x.run.watchRaces && !o.private {
		x.touch(v, in, lane, o, off, m.size, m.kind)
	}
}

// kIndexGuard reports indices past a vector's end.
func kIndexGuard(v *view, in *inst) {
	for _, s := range v.act {
		for i, k := range at[uint64](v, in.a, s) {
			if k >= in.imm {
				if f := v.x.report(exec.IndexOutOfRange, in, v.lane(s, i), nil, k, 0); f != nil {
					f.Extent = in.imm
				}
			}
		}
	}
}

// kPtrCast returns null if a pointer's object is not in the requested address space. That is a mistake in a cast,
// but a valid result of to_global and the like.
func kPtrCast(v *view, in *inst) {
	space := ssa.Kind(in.imm)
	for _, s := range v.act {
		d := at[uint64](v, in.d, s)
		for i, p := range at[uint64](v, in.a, s) {
			if p != 0 && v.x.object(p>>ssa.ObjectShift).space != space {
				if v.x.p.Checks >= exec.ChecksMemory && !in.asks {
					v.x.report(exec.BadPointerCast, in, v.lane(s, i), nil, 0, 0)
				}
				p = 0
			}
			d[i] = p
		}
	}
}

// kAlloca zeroes a private object and marks it as uninitialised.
func kAlloca(v *view, in *inst) {
	x := v.x
	o := &x.objs[uint64(x.run.allocaBase)+in.imm]
	for _, s := range v.act {
		for i := s.lo; i < s.hi; i++ {
			k := uint64(i)*x.privStride + o.off
			clear(x.priv[k : k+o.size])
			if x.privInit != nil {
				clear(x.privInit[k : k+o.size])
			}
		}
	}
}
