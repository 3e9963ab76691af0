package interp

import (
	"unsafe"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A part is the bytes [lo, hi) of a faulting access that are inside of its object; byte lo is at p.
type part struct {
	lo, hi uint64
	o      *object
	off    uint64 // of byte lo
	p      unsafe.Pointer
}

// inside returns the part of an access of n bytes that is inside its object; it is empty for a store to
// read-only memory.
func (x *objects) inside(p, n uint64, lane int, write bool) (t part) {
	t.o = x.object(p >> ssa.ObjectShift)
	if write && t.o.readOnly {
		return t
	}
	t.lo, t.hi = exec.Inside(p&ssa.OffsetMask, n, t.o.size)
	if t.lo < t.hi {
		t.off = (p + t.lo) & ssa.OffsetMask
		t.p = x.memory(t.o, lane, t.off)
	}
	return t
}

func (t *part) bytes() []byte { return unsafe.Slice((*byte)(t.p), t.hi-t.lo) }

// loadInside loads, for one lane, the bytes of a faulting load that are inside of the object, and zeros for the
// others.
func (v *view) loadInside(in *inst, s span, i int, p uint64) {
	m := in.mem
	t := v.x.inside(p, m.size, v.lane(s, i), false)
	one := span{s.lo + int32(i), s.lo + int32(i) + 1}
	for c, u := range in.dst[:m.n] {
		d := elementBytes(v, u, one, m.elem)
		clear(d)
		if at := uint64(c) * uint64(m.elem); at < t.hi && at+uint64(m.elem) > t.lo {
			from := max(at, t.lo)
			copy(d[from-at:], t.bytes()[from-t.lo:])
		}
	}
}

// storeInside writes the bytes of a lane's faulting store that are inside of the object.
func (v *view) storeInside(in *inst, s span, i int, p uint64) {
	m := in.mem
	lane := v.lane(s, i)
	t := v.x.inside(p, m.size, lane, true)
	if t.lo == t.hi {
		return
	}
	one := span{s.lo + int32(i), s.lo + int32(i) + 1}
	for c, u := range in.src[:m.n] {
		if at := uint64(c) * uint64(m.elem); at < t.hi && at+uint64(m.elem) > t.lo {
			from := max(at, t.lo)
			copy(t.bytes()[from-t.lo:], elementBytes(v, u, one, m.elem)[from-at:])
		}
	}
	v.x.markInit(t.o, lane, t.off, t.hi-t.lo, true)
}
