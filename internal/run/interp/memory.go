package interp

import (
	"bytes"
	"unsafe"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// A word is the bits of an element.
type word interface {
	uint8 | uint16 | uint32 | uint64
}

// addresses returns the address that each lane of s accesses. The result may be the
// base's own column.
func (v *view) addresses(m *access, s span) []uint64 {
	n := int(s.hi - s.lo)
	d := v.x.addr[:n]
	if !m.baseCell {
		return v.varyingAddresses(m, s, d)
	}
	p := *cell[uint64](&v.x.columns, m.base)
	object, off := p&^ssa.OffsetMask, p+uint64(m.disp)
	scale := uint64(m.scale)
	if m.index < 0 {
		spread(d, object|off&ssa.OffsetMask)
		return d
	}
	switch m.indexKind {
	case ssa.I32:
		for i, k := range at[int32](v, m.index, s)[:n] {
			d[i] = object | (off+uint64(int64(k))*scale)&ssa.OffsetMask
		}
	case ssa.U32:
		for i, k := range at[uint32](v, m.index, s)[:n] {
			d[i] = object | (off+uint64(k)*scale)&ssa.OffsetMask
		}
	default:
		for i, k := range at[uint64](v, m.index, s)[:n] {
			d[i] = object | (off+k*scale)&ssa.OffsetMask
		}
	}
	return d
}

func (v *view) varyingAddresses(m *access, s span, d []uint64) []uint64 {
	base := at[uint64](v, m.base, s)[:len(d)]
	disp, scale := uint64(m.disp), uint64(m.scale)
	if m.index < 0 {
		if m.disp == 0 {
			return base
		}
		for i, p := range base {
			d[i] = movePointer(p, disp)
		}
		return d
	}
	switch m.indexKind {
	case ssa.I32:
		k := at[int32](v, m.index, s)[:len(d)]
		for i, p := range base {
			d[i] = movePointer(p, disp+uint64(int64(k[i]))*scale)
		}
	case ssa.U32:
		k := at[uint32](v, m.index, s)[:len(d)]
		for i, p := range base {
			d[i] = movePointer(p, disp+uint64(k[i])*scale)
		}
	default:
		k := at[uint64](v, m.index, s)[:len(d)]
		for i, p := range base {
			d[i] = movePointer(p, disp+k[i]*scale)
		}
	}
	return d
}

// movePointer adds an offset within the object.
func movePointer(p, off uint64) uint64 {
	return p&^ssa.OffsetMask | (p+off)&ssa.OffsetMask
}

// A segment is a part of an access: lanes [i, j) of a span access consecutive elements of one object, all in
// bounds.
type segment struct {
	i, j int
	o    *object
	off  uint64
	p    unsafe.Pointer // address of the first element
}

// segment finds the segment that begins at lane i of the accesses at addr of span s. It reports an access of lane i
// that is out of bounds; ok is false then.
func (v *view) segment(in *inst, s span, addr []uint64, i int, st *segment) (ok bool) {
	m := in.mem
	p := addr[i]
	o := st.o
	if num := p >> ssa.ObjectShift; o == nil || uint64(o.number) != num || o == &noObject {
		o = v.x.object(num)
		st.o = o
	}
	off := p & ssa.OffsetMask
	st.i, st.j, st.off = i, i+1, off
	if off+m.size > o.size {
		v.x.violation(in, v.lane(s, i), p, m.size)
		return false
	}
	if o.private {
		st.p = unsafe.Pointer(&v.x.priv[(uint64(s.lo)+uint64(i))*v.x.privStride+o.off+off])
		return true
	}
	st.p = unsafe.Pointer(&o.bytes[off])
	j := i + 1
	for j < len(addr) && addr[j] == p+m.size {
		p = addr[j]
		j++
	}
	if j > i+1 {
		if left := (o.size - off) / m.size; uint64(j-i) > left {
			j = i + int(left)
		}
		st.j = j
	}
	return true
}

// observed reports a segment to the observers.
func (v *view) observed(in *inst, s span, st *segment) {
	m, x := in.mem, v.x
	n := st.j - st.i
	if m.align > 1 && (st.off|m.size)&(m.align-1) != 0 {
		for k := range n {
			if off := st.off + uint64(k)*m.size; off&(m.align-1) != 0 {
				x.report(exec.Misaligned, in, v.lane(s, st.i+k), st.o, off, m.size)
			}
		}
	}
	if !x.run.watchRaces || st.o.private {
		return
	}
	if n == 1 {
		x.touch(v, in, v.lane(s, st.i), st.o, st.off, m.size, m.kind)
		return
	}
	x.touchRun(in, v.lane(s, st.i), n, st.o, st.off, m.size, m.kind)
}

// kLoad loads one element for each lane.
func kLoad[T word](v *view, in *inst) {
	m := in.mem
	var st segment
	for _, s := range v.act {
		addr := v.addresses(m, s)
		d := at[T](v, in.dst[0], s)
		for i := 0; i < len(addr); i = st.j {
			if !v.segment(in, s, addr, i, &st) {
				v.loadInside(in, s, i, addr[i])
				v.taintLoaded(in, s, &st, false)
				continue
			}
			if st.j == i+1 {
				d[i] = *(*T)(st.p)
			} else {
				copyBytes(unsafe.Pointer(&d[i]), st.p, st.j-i, m.size)
			}
			if m.watch {
				v.observed(in, s, &st)
				v.taintLoaded(in, s, &st, true)
			}
		}
	}
}

func copyBytes(d, s unsafe.Pointer, n int, size uint64) {
	k := n * int(size)
	copy(unsafe.Slice((*byte)(d), k), unsafe.Slice((*byte)(s), k))
}

// kLoadVec loads a vector for each lane.
func kLoadVec[T word](v *view, in *inst) {
	m := in.mem
	var st segment
	n := int(m.n)
	for _, s := range v.act {
		addr := v.addresses(m, s)
		for i := 0; i < len(addr); i = st.j {
			if !v.segment(in, s, addr, i, &st) {
				v.loadInside(in, s, i, addr[i])
				v.taintLoaded(in, s, &st, false)
				continue
			}
			src := unsafe.Slice((*T)(st.p), (st.j-i)*n)
			for c, u := range in.dst[:n] {
				d := at[T](v, u, s)[i:st.j]
				k := c
				for j := range d {
					d[j] = src[k]
					k += n
				}
			}
			if m.watch {
				v.observed(in, s, &st)
				v.taintLoaded(in, s, &st, true)
			}
		}
	}
}

// taintLoaded sets the taints of a segment's lanes; inBounds is false for a lane whose load returned 0.
func (v *view) taintLoaded(in *inst, s span, st *segment, inBounds bool) {
	m := in.mem
	for c, u := range m.taints {
		t := at[uint8](v, u, s)[st.i:st.j]
		if !inBounds || !st.o.shadowed {
			clear(t)
			continue
		}
		off := st.off + uint64(c)*uint64(m.elem)
		sh := v.x.initShadow(st.o, int(s.lo)+st.i)
		for k := range t {
			t[k] = 0
			if bytes.IndexByte(sh[off:off+uint64(m.elem)], 0) >= 0 {
				t[k] = 1
			}
			off += m.size
		}
	}
}

// kStore stores one element for each lane.
func kStore[T word](v *view, in *inst) {
	m := in.mem
	var st segment
	for _, s := range v.act {
		addr := v.addresses(m, s)
		d := at[T](v, in.src[0], s)
		for i := 0; i < len(addr); i = st.j {
			if !v.segment(in, s, addr, i, &st) {
				v.storeInside(in, s, i, addr[i])
				continue
			}
			if !v.writable(in, s, &st) {
				continue
			}
			if st.j == i+1 {
				*(*T)(st.p) = d[i]
			} else {
				copyBytes(st.p, unsafe.Pointer(&d[i]), st.j-i, m.size)
			}
			if m.watch {
				v.observed(in, s, &st)
				v.taintStored(in, s, &st)
			}
		}
	}
}

// kStoreVec stores a vector for each lane.
func kStoreVec[T word](v *view, in *inst) {
	m := in.mem
	var st segment
	n := int(m.n)
	for _, s := range v.act {
		addr := v.addresses(m, s)
		for i := 0; i < len(addr); i = st.j {
			if !v.segment(in, s, addr, i, &st) {
				v.storeInside(in, s, i, addr[i])
				continue
			}
			if !v.writable(in, s, &st) {
				continue
			}
			dst := unsafe.Slice((*T)(st.p), (st.j-i)*n)
			for c, u := range in.src[:n] {
				d := at[T](v, u, s)[i:st.j]
				k := c
				for j := range d {
					dst[k] = d[j]
					k += n
				}
			}
			if m.watch {
				v.observed(in, s, &st)
				v.taintStored(in, s, &st)
			}
		}
	}
}

// writable reports whether a segment's object is writable. If not, it reports a finding for each lane.
func (v *view) writable(in *inst, s span, st *segment) bool {
	if !st.o.readOnly {
		return true
	}
	for k := st.i; k < st.j; k++ {
		v.x.report(exec.ConstantWrite, in, v.lane(s, k), st.o, st.off+uint64(k-st.i)*in.mem.size, in.mem.size)
	}
	return false
}

// taintStored updates the shadow bytes of a segment's stores: defined, except for undefined lanes and elements. A
// value stored to memory that other work-items can read must be defined.
func (v *view) taintStored(in *inst, s span, st *segment) {
	m, x := in.mem, v.x
	n := st.j - st.i
	if st.o.shadowed {
		sh := x.initShadow(st.o, int(s.lo)+st.i)
		sh = sh[st.off : st.off+uint64(n)*m.size]
		for i := range sh {
			sh[i] = 1
		}
		for c, u := range m.taints {
			if u < 0 {
				continue
			}
			t := at[uint8](v, u, s)[st.i:st.j]
			for k := range t {
				if t[k] != 0 {
					off := uint64(k)*m.size + uint64(c)*uint64(m.elem)
					clear(sh[off : off+uint64(m.elem)])
				}
			}
		}
		return
	}
	for _, u := range m.taints {
		if u < 0 {
			continue
		}
		for k, t := range at[uint8](v, u, s)[st.i:st.j] {
			if t != 0 {
				x.report(exec.Uninitialized, in, int(s.lo)+st.i+k, nil, 0, 0)
			}
		}
	}
}

// kMemZero zeroes imm bytes for each lane.
func kMemZero(v *view, in *inst) {
	x, n := v.x, in.imm
	for _, s := range v.act {
		for i, p := range at[uint64](v, in.a, s) {
			lane := int(s.lo) + i
			if t := x.block(in, lane, p, n, true); t.lo < t.hi {
				clear(t.bytes())
				x.bulk(in, lane, t.o, t.off, t.hi-t.lo, accWrite)
				x.markInit(t.o, lane, t.off, t.hi-t.lo, true)
			}
		}
	}
}

// kMemCopy copies imm bytes for each lane, with their shadow bytes.
func kMemCopy(v *view, in *inst) {
	x, n := v.x, in.imm
	for _, s := range v.act {
		from := at[uint64](v, in.b, s)
		for i, p := range at[uint64](v, in.a, s) {
			lane := int(s.lo) + i
			src := x.block(in, lane, from[i], n, false)
			dst := x.block(in, lane, p, n, true)
			x.copyBlock(in, lane, &dst, &src)
		}
	}
}

// block returns the accessible part of n bytes at p, and reports a finding if that is not all.
func (x *reporter) block(in *inst, lane int, p, n uint64, write bool) (t part) {
	o, off := x.object(p>>ssa.ObjectShift), p&ssa.OffsetMask
	switch {
	case off+n > o.size:
		x.violation(in, lane, p, n)
	case write && o.readOnly:
		x.report(exec.ConstantWrite, in, lane, o, off, n)
	}
	return x.inside(p, n, lane, write)
}

// copyBlock copies the common part of two blocks of one size, and zeroes the rest of the destination.
func (x *worker) copyBlock(in *inst, lane int, dst, src *part) {
	if dst.lo >= dst.hi {
		return
	}
	d := dst.bytes()
	from, to := max(src.lo, dst.lo), min(src.hi, dst.hi)
	if from >= to {
		clear(d)
		x.markInit(dst.o, lane, dst.off, uint64(len(d)), true)
		return
	}
	copy(d[from-dst.lo:], src.bytes()[from-src.lo:to-src.lo])
	clear(d[:from-dst.lo])
	clear(d[to-dst.lo:])
	x.bulk(in, lane, src.o, src.off, src.hi-src.lo, accRead)
	x.bulk(in, lane, dst.o, dst.off, dst.hi-dst.lo, accWrite)
	ssh, dsh := x.initShadow(src.o, lane), x.initShadow(dst.o, lane)
	x.markInit(dst.o, lane, dst.off, uint64(len(d)), true)
	if dsh != nil && ssh != nil {
		copy(dsh[dst.off+from-dst.lo:], ssh[src.off+from-src.lo:][:to-from])
	}
}

// bulk reports an access to a block of memory to the race observer.
func (x *raceObserver) bulk(in *inst, lane int, o *object, off, n uint64, acc accessKind) {
	if x.run.watchRaces && !o.private && n > 0 {
		x.touchRun(in, lane, 1, o, off, n, acc)
	}
}
