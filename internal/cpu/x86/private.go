package x86

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// privates selects accesses to private objects.
type privates struct {
	*pieces
	private map[*ssa.Value]int // by private object: offset of its first byte in the gang's private memory
	part    *mblock            // the start of the current part for each gang (groups.go)
}

// Layout of a gang's private memory. It begins with the objects whose bytes are contiguous per lane; Code.Stride
// is the distance of lanes. The interleaved objects follow: a row holds one element of all lanes, so that lanes
// with the same index access contiguous memory. An object is interleaved if all its accesses are known and have
// elements of one size, Code.Elems.

// maxPrivate bounds the size of a gang's private memory, so that offsets fit 32 bits.
const maxPrivate = 1 << 30

// layoutPrivate assigns offsets to the private objects.
func (l *privates) layoutPrivate() {
	objects := l.patterns.Privates()
	l.private = map[*ssa.Value]int{}
	l.out.Offsets, l.out.Elems = make([]int, len(l.out.Allocas)), make([]int, len(l.out.Allocas))
	for _, rows := range []bool{false, true} {
		for i, a := range l.out.Allocas {
			elem := objects[a].Elem
			if elem > 0 != rows {
				continue
			}
			s := a.Sym.(*ssa.Alloca)
			al := max(int(s.Align), 8)
			if s.Size > maxPrivate || l.out.Private > maxPrivate {
				refuse("private memory of more than %d bytes", maxPrivate)
			}
			off := (l.out.Private + al - 1) / al * al
			l.out.Offsets[i] = off
			l.out.Private = off + int(s.Size)
			l.private[a] = off
			if rows {
				l.private[a] *= l.n
				l.out.Elems[i] = elem
			}
		}
		l.out.Private = (l.out.Private + 15) &^ 15
		if !rows {
			l.out.Stride = l.out.Private
		}
	}
	if l.out.Private*l.n > maxPrivate {
		refuse("private memory of more than %d bytes", maxPrivate)
	}
}

// placeOf returns the offset of the access's private object.
func (l *privates) placeOf(a *access) int { return l.private[a.Private.Alloca] }

// privateBase returns the address of the gang's private memory.
func (l *privates) privateBase() reg {
	k := rootKey{what: privateRoot}
	if r, ok := l.limits[k]; ok {
		return r
	}
	var r reg
	if l.part != nil {
		l.insertAt(l.part, 0, func() {
			r = l.g()
			l.ld(r, 8, frameAt(FramePrivate))
			l.rematerialise(r)
		})
	} else {
		r = l.inPrologueLoad(frameAt(FramePrivate))
	}
	l.limits[k] = r
	return r
}

// row returns the address of the row of an access whose lanes have equal offsets. If the offset is out of bounds,
// the code of bad runs instead of the code up to join; it may set the row's register p to another address.
func (l *privates) row(a *access, bad func(p reg)) (m mem, join *mblock) {
	off, n := l.placeOf(a), l.n
	if l.scalar {
		n = 1
	}
	if len(a.Terms) == 0 {
		return at(l.privateBase(), int32(off+int(a.Disp)*n)), nil
	}
	p := l.offset(a)
	if !l.scalar || a.Cut || !a.Certain {
		q := l.g()
		l.mov(q, p)
		p = q
	}
	if !a.Certain && !l.opts.NoBounds {
		if a.Cut {
			l.op2(asm.AND, 8, p, l.offsetMask())
		}
		l.cmpi(8, p, int64(a.Private.Size)-a.Bytes)
		join = l.apart(asm.JA, func() { bad(p) })
	}
	if l.scalar {
		return mem{on: true, base: l.privateBase(), index: p, scale: 1, disp: int32(off)}, join
	}
	l.opi(asm.SHLIMM, 8, p, int64(bits.TrailingZeros(uint(n))))
	l.op2(asm.ADD, 8, p, l.privateBase())
	return at(p, int32(off)), join
}

// privateIndex returns the lanes' 32-bit offsets in the gang's private memory, and the mask of the lanes that are
// in bounds, nil for all.
func (l *privates) privateIndex(a *access) (idx vec, ok mask) {
	var off vec
	if len(a.Terms) == 0 {
		off = l.constV(8, uint64(a.Disp))
	} else {
		off = l.offsets(a)
	}
	if !a.Certain && !l.opts.NoBounds {
		if a.Cut {
			off = l.each2(8, asm.VPAND, off, l.constV(8, ssa.OffsetMask))
		}
		ok = l.cmpInt(predLE, 8, false, off, l.constV(8, uint64(a.Private.Size-a.Type.Size())))
	}
	idx = l.truncate(8, 4, off)
	step := int64(l.out.Stride)
	if elem := a.Private.Elem; elem != 0 {
		idx = l.eachShift(4, asm.VPSLLD, idx, int64(bits.TrailingZeros(uint(l.n))))
		step = int64(elem)
	}
	return l.each2(4, asm.VPADDD, idx, l.ramp(4, step)), ok
}

// between returns the distance in bytes of the components of a vector in memory.
func (l *privates) between(a *access, es int) int {
	if a.Private.Elem != 0 {
		return es * l.n
	}
	return es
}

// loadOwn lowers a load of one row of an interleaved object.
func (l *privates) loadOwn(v *ssa.Value, a *access, m mask, slow stub) {
	es, n := size(v.Type.K), int(v.Type.N)
	off := l.placeOf(a)
	if !l.plan.Varying[v.ID] {
		l.loadAlone(v, a, m, slow)
		return
	}
	q, join := l.row(a, func(p reg) {
		for c, q := range l.loadSlowly(v, m, slow) {
			l.storeParts(ctxAt(int32(CtxVals+c*es*l.n)), q, es)
		}
		l.lea(p, ctxAt(int32(CtxVals-off)))
	})
	if join != nil {
		l.place(join)
	}
	x := &l.vals[v.ID]
	for range n {
		x.v = append(x.v, l.loadParts(q, es))
		q.disp += int32(es * l.n)
	}
}

// uniformRegs returns registers for the elements of a uniform value, and whether they are general registers.
func (l *privates) uniformRegs(v *ssa.Value) (d []reg, general bool) {
	general = !l.plan.Varying[v.ID] && inGeneral(v.Type.K)
	for range v.Type.N {
		if general {
			d = append(d, l.g())
		} else {
			d = append(d, l.vr())
		}
	}
	return d, general
}

// oneElement returns a function that writes a uniform value for one lane.
func (l *privates) oneElement(v *ssa.Value) func(q mem) {
	es := size(v.Type.K)
	op, direct := map[int]asm.Op{4: asm.VMOVDST, 8: asm.VMOVQST}[es]
	direct = direct && !inGeneral(v.Type.K)
	rs := make([]reg, v.Type.N)
	for c := range rs {
		if direct {
			rs[c] = l.V(v, c)[0]
		} else {
			rs[c] = l.G(v, c)
		}
	}
	return func(q mem) {
		for _, r := range rs {
			if direct {
				l.vstore(op, 16, q, r, 0)
			} else {
				l.st(q, asm.Width(es), r)
			}
			q.disp += int32(es)
		}
	}
}

// loadAlone lowers a load from a private object in scalar code.
func (l *privates) loadAlone(v *ssa.Value, a *access, m mask, slow stub) {
	es := size(v.Type.K)
	d, general := l.uniformRegs(v)
	q, join := l.row(a, func(p reg) {
		l.call(v, v.Args[0], m, slow)
		l.lea(p, ctxAt(int32(CtxVals-l.placeOf(a))))
		l.op2(asm.SUB, 8, p, l.privateBase())
	})
	if join != nil {
		l.place(join)
	}
	l.loadUniform(d, general, es, q)
	l.setUniform(v, d, general, es)
}

// privateGather lowers a load from a private object whose lanes have different offsets.
func (l *privates) privateGather(v *ssa.Value, a *access, m mask, slow stub) {
	es, n := size(v.Type.K), int(v.Type.N)
	out := l.newVecs(es, n)
	l.vals[v.ID].v = out
	idx, ok := l.privateIndex(a)
	join := l.unless(ok, m, func() { l.vmovs(out, l.loadSlowly(v, m, slow)) })
	for c := range n {
		l.vmovs(out[c:], []vec{l.gather32(at(l.privateBase(), int32(l.placeOf(a)+c*l.between(a, es))), idx, es, m)})
	}
	l.place(join)
}

// privateStore lowers a store to a private object.
func (l *privates) privateStore(val *ssa.Value, a *access, m mask, slow func()) {
	es := size(val.Type.K)
	if l.scalar {
		l.storeAlone(val, a, slow)
		return
	}
	ps := l.elements(val)
	if a.Pattern == lanes.Own {
		q, join := l.row(a, func(reg) { slow() })
		for _, p := range ps {
			l.storeRow(q, p, es, m)
			q.disp += int32(es * l.n)
		}
		if join != nil {
			l.place(join)
		}
		return
	}
	idx, ok := l.privateIndex(a)
	join := l.unless(ok, m, slow)
	for c, p := range ps {
		l.scatter32(at(l.privateBase(), int32(l.placeOf(a)+c*l.between(a, es))), idx, p, es, m)
	}
	l.place(join)
}

// storeAlone lowers a store to a private object in scalar code.
func (l *privates) storeAlone(val *ssa.Value, a *access, slow func()) {
	put := l.oneElement(val)
	q, join := l.row(a, func(reg) { slow() })
	put(q)
	if join != nil {
		l.place(join)
	}
}

// storeRow stores an element of each lane of m to a row. It may write the other lanes' elements, because no other
// thread accesses this memory.
func (l *privates) storeRow(q mem, p vec, es int, m mask) {
	switch {
	case m == nil:
		l.storeElements(q, []vec{p}, es)
	case l.lv.Target().Masks.Has(es):
		l.storeMasked(q, p, es, m)
	default:
		l.storeElements(q, []vec{l.choose(m, p, l.loadParts(q, es), es)}, es)
	}
}

// privateZero lowers an OpMemZero of a private object that is interleaved, or in scalar code, and returns false for all
// other objects.
func (l *privates) privateZero(v *ssa.Value) bool {
	a := l.accessOf(v)
	if l.scalar && a.Private != nil && len(a.Terms) == 0 && a.Disp >= 0 && a.Disp+v.Aux <= int64(a.Private.Size) {
		l.zeroAlone(at(l.privateBase(), int32(l.placeOf(&a)+int(a.Disp))), int(v.Aux))
		return true
	}
	if a.Private == nil || a.Private.Elem == 0 {
		return false
	}
	q := at(l.privateBase(), int32(l.placeOf(&a)+int(a.Disp)*l.n))
	m := l.mask(l.block)
	if m == nil {
		l.clear(q, int(v.Aux)*l.n)
		return true
	}
	elem := a.Private.Elem
	l.strides(q, int(v.Aux)*l.n, elem*l.n, func(q mem) { l.storeRow(q, l.constV(elem, 0), elem, m) })
	return true
}

// zeroAlone zeroes n bytes in scalar code.
func (l *privates) zeroAlone(q mem, n int) {
	l.clear(q, n&^7)
	if n&7 == 0 {
		return
	}
	q.disp += int32(n &^ 7)
	zero := l.g()
	l.movi(zero, 0)
	for _, w := range []asm.Width{4, 2, 1} {
		if n&int(w) != 0 {
			l.st(q, w, zero)
			q.disp += int32(w)
		}
	}
}

// clear zeroes n bytes; n is a multiple of 8.
func (l *privates) clear(q mem, n int) {
	z := l.constV(1, 0)[0]
	w := int(l.lv.VL)
	l.strides(q, n/w*w, w, func(q mem) { l.vstore(asm.VMOVUPSST, l.lv.VL, q, z, 0) })
	q.disp += int32(n / w * w)
	for _, s := range []int{32, 16, 8} {
		if n%w&s == 0 {
			continue
		}
		op := asm.VMOVUPSST
		if s == 8 {
			op = asm.VMOVQST
		}
		l.vstore(op, asm.Width(max(s, 16)), q, z, 0)
		q.disp += int32(s)
	}
}

// strides calls f for the operands q, q+step, … of n bytes. Long sequences become a loop.
func (l *privates) strides(q mem, n, step int, f func(q mem)) {
	if n <= 8*step {
		for ; n > 0; n -= step {
			f(q)
			q.disp += int32(step)
		}
		return
	}
	p, end := l.g(), l.g()
	l.lea(p, q)
	l.movi(end, uint64(n))
	l.op2(asm.ADD, 8, end, p)
	loop := l.newBlock(l.cur.depth + 1)
	loop.cold = l.cur.cold
	l.place(loop)
	f(at(p, 0))
	l.opi(asm.ADDIMM, 8, p, int64(step))
	l.cmp(8, p, end)
	l.jcc(asm.JB, loop)
}

// clearPrivate zeroes the gang's private memory at the definition of the first private object.
func (l *privates) clearPrivate(v *ssa.Value) {
	kept := func(a *ssa.Value) bool { return l.plan.Kept[a.Sym.(*ssa.Alloca)] }
	if first := slices.IndexFunc(l.out.Allocas, func(a *ssa.Value) bool { return !kept(a) }); first >= 0 && v == l.out.Allocas[first] {
		n := l.n
		if l.scalar {
			n = 1
		}
		l.clear(at(l.privateBase(), 0), l.out.Private*n)
	}
}
