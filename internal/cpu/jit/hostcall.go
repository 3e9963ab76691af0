package jit

import (
	"encoding/binary"
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// Host calls: operations that machine code leaves to Go. See x86.HostCalls.

// A hostCall is a host call in progress for the current gang.
type hostCall struct {
	w *worker
	u *unit
	v *ssa.Value
}

// bits returns component k of argument i in a lane.
func (o *hostCall) bits(i, k, lane int) uint64 {
	return laneBits(o.slot(i, k), o.v.Args[i].Type.K, lane)
}

// laneBits returns the element of a lane in a column of elements of kind k. A Bool has one bit per lane.
func laneBits(b []byte, k ssa.Kind, lane int) uint64 {
	if k == ssa.Bool {
		return binary.LittleEndian.Uint64(b) >> lane & 1
	}
	size := k.Num().Size()
	return numeric.Load(b[size*lane:], size)
}

// slot returns the memory of component k of argument i, and of those after it. Results are at the first argument.
func (o *hostCall) slot(i, k int) []byte {
	n := 1 + k
	for _, a := range o.v.Args[:i] {
		n += int(a.Type.N)
	}
	return o.w.mem[o.u.Area+8*o.u.Lanes*n:]
}

// set sets component k of a lane's result.
func (o *hostCall) set(k, lane int, x uint64) {
	size := o.v.Type.K.Num().Size()
	numeric.Store(o.slot(0, k)[size*lane:], size, x)
}

// clear sets the result of lanes to 0: stopped work-items continue with it.
func (o *hostCall) clear(lanes uint64) {
	if o.v.Type == ssa.TVoid {
		return
	}
	for m := lanes; m != 0; m &= m - 1 {
		for k := range int(o.v.Type.N) {
			o.set(k, bits.TrailingZeros64(m), 0)
		}
	}
}

// onlyComputes reports whether v has no effect except its result.
func onlyComputes(v *ssa.Value) bool {
	_, ok := ssa.CheckersOnly(v)
	return ok || v.Op == ssa.OpAsyncLimit
}

// callHost performs a host call of the current gang.
func (w *worker) callHost(u *unit, v *ssa.Value) {
	o := &hostCall{w, u, v}
	if v.Op == ssa.OpPtrCast { // code may use the first lane's result for all lanes, even if that lane is inactive
		for lane := range u.Lanes {
			p := o.bits(0, 0, lane)
			if w.space(p) != v.Type.K {
				p = 0
			}
			o.set(0, lane, p)
		}
		return
	}
	w.drainRecords() // report violations before later findings
	active := *word(w.mem, u.Area)
	lost := w.lost()
	if onlyComputes(v) {
		lost = 0 // the operation has no effects, and loops of stopped work-items may depend on the results
	}
	// Deferred, because results overlap the arguments of other lanes.
	defer o.clear(active & lost)
	switch {
	case v.Op.Has(ssa.SubGroup):
		w.partSubGroups(v, active)
		return
	case (v.Op.Has(ssa.ImageAccess) || v.Op == ssa.OpImageQuery) && o.images(active&^lost):
		return
	}
	active &^= lost
	for m := active; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros64(m)
		same, async := ssa.CheckersOnly(v)
		switch {
		case v.Op == ssa.OpPrintf:
			o.printf(lane)
		case async: // without checks the work-items copy by themselves
			o.set(0, lane, o.bits(same, 0, lane))
		case v.Op == ssa.OpAsyncLimit:
			o.set(0, lane, exec.AsyncLimit(o.bits(2, 0, lane), w.bytesAfter(o.bits(0, 0, lane)), w.bytesAfter(o.bits(1, 0, lane)), o.bits(3, 0, lane), o.bits(4, 0, lane)))
		case v.Op.Has(ssa.ImageAccess), v.Op == ssa.OpImageQuery:
			o.image(lane)
		default: // OpMemCopy, OpMemZero
			o.bytes(lane)
		}
	}
}

// partSubGroups adds a finding for each sub-group of the current gang if only some of its work-items have reached a
// barrier. here has a bit for each work-item that has reached it.
func (w *worker) partSubGroups(v *ssa.Value, here uint64) {
	at := int(*word(w.mem, x86.CtxFrame) - uint64(address(w.frame)))
	lanes := *word(w.frame, at+x86.FrameLanes)
	size := uint64(w.x.c.f.Kernel.SubGroupSize())
	for first := uint64(0); first < lanes; first += size {
		n := min(lanes-first, size)
		part := here >> first & (1<<n - 1)
		if part == 0 || part == 1<<n-1 {
			continue
		}
		f := exec.Finding{Kind: exec.BarrierDivergence, Pos: v.Pos, Count: 1, What: "sub-group", Note: "others are elsewhere"}
		w.report(v, f, w.globalID(int(first)+bits.TrailingZeros64(part)))
	}
}

// globalID returns the global id of a lane of the current gang.
func (w *worker) globalID(lane int) (id [3]uint64) {
	at := int(*word(w.mem, x86.CtxFrame) - uint64(address(w.frame)))
	for d := range 3 {
		id[d] = *word(w.frame, at+x86.FrameGlobal+8*d)
	}
	id[0] += uint64(lane)
	return id
}

// bytesAfter returns the number of bytes from a pointer to the end of its object.
func (w *worker) bytesAfter(p uint64) uint64 {
	n, off := p>>ssa.ObjectShift, p&ssa.OffsetMask
	if n == 0 || n >= uint64(w.x.allocaAt) {
		return 0
	}
	size := uint64(len(w.x.env.Objects[n].Data))
	if w.x.env.Objects[n].Space == ssa.PtrLocal {
		size = uint64(w.x.env.Objects[n].Size)
	}
	return size - min(off, size)
}

// space returns the address space of a pointer's object, 0 if there is none.
func (w *worker) space(p uint64) ssa.Kind {
	switch n := p >> ssa.ObjectShift; {
	case n == 0:
		return 0
	case n < uint64(w.x.allocaAt):
		return w.x.env.Objects[n].Space
	case n < uint64(len(w.objs)):
		return ssa.PtrPrivate
	}
	return 0
}

// from returns the memory from p to the end of its object, in the lane's copy if the object is private, and
// whether it is writable; ok is false if p is out of bounds.
func (w *worker) from(p uint64, lane int) (b []byte, writable, ok bool) {
	n, off := p>>ssa.ObjectShift, p&ssa.OffsetMask
	if n >= uint64(len(w.objs)) || off > w.objs[n].size {
		return nil, false, false
	}
	e := &w.objs[n]
	local, isLocal := w.x.local(int(n))
	switch {
	case e.flags&x86.ObjPrivate != 0:
		at := int(*word(w.mem, x86.CtxFrame) - uint64(address(w.frame)))
		at = int(*word(w.frame, at+x86.FramePrivate) - uint64(address(w.priv)))
		b = w.priv[uint64(at)+e.base+uint64(lane)*e.lane:][:e.size]
	case isLocal:
		b = w.local[local : local+e.size]
	case e.size > 0:
		b = w.x.env.Objects[n].Data
	}
	return b[off:e.size], e.flags&x86.ObjReadOnly == 0, true
}

// A part is the part of an access that is inside its object; lo is the number of bytes before it.
type part struct {
	lo    int
	bytes []byte
}

// inside returns the part of n bytes at p that the lane may access, and reports a violation if that is not all.
func (o *hostCall) inside(p uint64, n, lane int, write bool) (t part) {
	w := o.w
	object, off := p&^ssa.OffsetMask, p&ssa.OffsetMask
	b, writable, ok := w.from(object, lane)
	if !ok || off+uint64(n) > uint64(len(b)) || write && !writable {
		o.fault(p, lane)
	}
	if !ok || write && !writable {
		return t
	}
	if lo, hi := exec.Inside(off, uint64(n), uint64(len(b))); lo < hi {
		at := (off + lo) & ssa.OffsetMask
		t = part{int(lo), b[at : at+hi-lo]}
	}
	return t
}

// bytes copies or zeroes a block of memory.
func (o *hostCall) bytes(lane int) {
	n := int(o.v.Aux)
	var src part
	if o.v.Op == ssa.OpMemCopy {
		src = o.inside(o.bits(1, 0, lane), n, lane, false)
	}
	dst := o.inside(o.bits(0, 0, lane), n, lane, true)
	from := max(src.lo, dst.lo)
	to := min(src.lo+len(src.bytes), dst.lo+len(dst.bytes))
	if from >= to {
		clear(dst.bytes)
		return
	}
	copy(dst.bytes[from-dst.lo:], src.bytes[from-src.lo:to-src.lo])
	clear(dst.bytes[:from-dst.lo])
	clear(dst.bytes[to-dst.lo:])
}

// printf performs printf for one lane.
func (o *hostCall) printf(lane int) {
	w := o.w
	call := w.x.printfs.Of(o.v, exec.NewPrintfCall)
	str := func(p uint64) (string, bool) {
		b, _, ok := w.from(p, lane)
		if !ok || len(b) == 0 {
			return "", false
		}
		return exec.CString(b)
	}
	p := o.bits(0, 0, lane)
	format, ok := str(p)
	switch {
	case !ok:
		o.fault(p, lane)
	case w.x.printer == nil:
		ok = call.Check(format)
	default:
		item := w.x.workItem(w.globalID(lane))
		ok = w.text.Print(item.GroupNumber, item.ItemNumber, call, format, func(i, k int) uint64 { return o.bits(1+i, k, lane) }, str)
	}
	r := uint64(0)
	if !ok {
		r = 1<<32 - 1
	}
	o.set(0, lane, r)
}
