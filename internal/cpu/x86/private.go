package x86

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// privates makes accesses to private objects.
type privates struct {
	*regular
	private map[*ssa.Value]*privateObject
	part    *mblock // where a gang begins with the current part: see groups.go
}

// Private objects. A gang's private memory has two parts: objects of which each lane has
// its bytes together, Code.Stride bytes from one lane's to the next, and then those of
// which the same element of all lanes lies side by side (a row), so that lanes that access
// one element access memory together. The latter are objects of which every access is
// known, and is to elements of one size; Code.Elems says which they are.

// A privateObject is where a private object lies.
type privateObject struct {
	off  int // of its first byte in the gang's private memory
	size int // of one lane's
	elem int // bytes of an element where there are rows, else 0
}

// maxPrivate is the greatest size of a gang's private memory: offsets in it have 32 bits.
const maxPrivate = 1 << 30

// layoutPrivate finds places for the private objects.
func (l *privates) layoutPrivate() {
	elems := l.rows()
	l.private = map[*ssa.Value]*privateObject{}
	l.out.Offsets, l.out.Elems = make([]int, len(l.out.Allocas)), make([]int, len(l.out.Allocas))
	for _, rows := range []bool{false, true} {
		for i, a := range l.out.Allocas {
			if elems[a] > 0 != rows {
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
			l.private[a] = &privateObject{off: off, size: int(s.Size), elem: max(elems[a], 0)}
			if rows {
				l.private[a].off *= l.n
				l.out.Elems[i] = elems[a]
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

// rows returns the size of the elements of the private objects that get rows.
func (l *privates) rows() map[*ssa.Value]int {
	elems := map[*ssa.Value]int{}
	if len(l.out.Allocas) == 0 {
		return elems
	}
	no := func(a *ssa.Value) { elems[a] = -1 }
	access := func(a *ssa.Value, k ssa.Kind) {
		if n := size(k); elems[a] == 0 {
			elems[a] = n
		} else if elems[a] != n {
			no(a)
		}
	}
	each := func(f func(v *ssa.Value, i int, a *ssa.Value)) {
		for _, b := range l.plan.Order {
			for _, v := range b.Values {
				for i, p := range v.Args {
					if !p.Type.K.IsPtr() {
						continue
					}
					if a := lanes.Base(p); a.Op == ssa.OpAlloca {
						f(v, i, a)
					}
				}
			}
		}
	}
	each(func(v *ssa.Value, i int, a *ssa.Value) {
		switch {
		case lanes.FromGeneric(v): // accesses through the result are not known
			no(a)
		case v.Op == ssa.OpPtrAdd, v.Op == ssa.OpPtrCast, v.Op == ssa.OpMemZero:
		case v.Op == ssa.OpLoad:
			access(a, v.Type.K)
		case v.Op == ssa.OpStore && i == 0:
			access(a, v.Args[1].Type.K)
		default:
			no(a)
		}
	})
	each(func(v *ssa.Value, _ int, a *ssa.Value) {
		n := elems[a]
		if n <= 0 {
			return
		}
		switch v.Op {
		case ssa.OpPtrAdd:
			if !l.facts.Of(v.Args[1]).MultipleOf(n) {
				no(a)
			}
		case ssa.OpMemZero:
			if r := l.address(v.Args[0]); len(r.Terms) > 0 || r.Disp < 0 || r.Disp+v.Aux > a.Sym.(*ssa.Alloca).Size || v.Aux%int64(n) != 0 {
				no(a)
			}
		}
	})
	return elems
}

// A privateRef is an access to a private object.
type privateRef struct {
	address
	*privateObject
	lo, hi int64 // bounds of the offset, where they are known
	known  bool
}

// privateRef returns the private object that an access by elements of so many bytes is to;
// false where it is to other memory, or aligned in no known way.
func (l *privates) privateRef(p *ssa.Value, elem int) (r privateRef, ok bool) {
	b := lanes.Base(p)
	if b.Op != ssa.OpAlloca {
		return r, false
	}
	r = privateRef{address: l.address(p), privateObject: l.private[b]}
	r.lo, r.hi, r.known = r.Disp, r.Disp, r.Disp > -1<<40 && r.Disp < 1<<40
	for _, o := range r.Terms {
		x := l.facts.Of(o)
		r.known = r.known && x.Bounded
		r.lo += x.Lo
		r.hi += x.Hi
	}
	r.known = r.known && r.lo > -1<<39 && r.hi < 1<<39
	if r.elem == 0 && elem < 4 {
		for q := p; q != b; q = q.Args[0] {
			if q.Op == ssa.OpPtrAdd && !l.facts.Of(q.Args[1]).MultipleOf(elem) {
				return r, false
			}
		}
	}
	return r, true
}

// privateBase returns the address of the gang's private memory.
func (l *privates) privateBase() reg {
	k := limitKey{-1, 0, false}
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

// inside reports whether an access of so many bytes is in bounds, or out of them, for
// certain.
func (r *privateRef) inside(total int) (in, out bool) {
	return r.known && r.lo >= 0 && r.hi+int64(total) <= int64(r.size), r.known && (r.hi < 0 || r.lo+int64(total) > int64(r.size))
}

// row returns where the row is that an access with one offset for all lanes is to. Where
// it is out of bounds, bad runs instead of the code up to the join, and may say what to
// use instead of the row's register.
func (l *privates) row(r *privateRef, total int, bad func(p reg)) (m mem, join *mblock) {
	if len(r.Terms) == 0 {
		return at(l.privateBase(), int32(r.off+int(r.Disp)*l.n)), nil
	}
	p := l.g()
	l.mov(p, l.offset(&r.address))
	if in, _ := r.inside(total); !in && !l.opts.NoBounds {
		if !r.known {
			l.op2(asm.AND, 8, p, l.offsetMask())
		}
		l.cmpi(8, p, int64(r.size-total))
		join = l.apart(asm.JA, func() { bad(p) })
	}
	l.opi(asm.SHLIMM, 8, p, int64(bits.TrailingZeros(uint(l.n))))
	l.op2(asm.ADD, 8, p, l.privateBase())
	return at(p, int32(r.off)), join
}

// privateIndex returns the lanes' offsets in the gang's private memory, as 32-bit
// numbers, and the lanes whose access is in bounds, nil for all.
func (l *privates) privateIndex(r *privateRef, total int) (idx vec, ok mask) {
	var off vec
	if len(r.Terms) == 0 {
		off = l.constV(8, uint64(r.Disp))
	} else {
		off = l.offsets(&r.address)
	}
	if all, _ := r.inside(total); !all && !l.opts.NoBounds {
		if !r.known {
			off = l.each2(8, asm.VPAND, off, l.constV(8, ssa.OffsetMask))
		}
		ok = l.cmpInt(predLE, 8, false, off, l.constV(8, uint64(r.size-total)))
	}
	idx = l.truncate(8, 4, off)
	step := int64(l.out.Stride)
	if r.elem != 0 {
		idx = l.eachShift(4, asm.VPSLLD, idx, int64(bits.TrailingZeros(uint(l.n))))
		step = int64(r.elem)
	}
	return l.each2(4, asm.VPADDD, idx, l.ramp(4, step)), ok
}

// between returns the distance of a vector's components in memory.
func (r *privateRef) between(l *privates, es int) int {
	if r.elem != 0 {
		return es * l.n
	}
	return es
}

// privateLoad lowers a load from a private object of the kernel; false of others.
func (l *privates) privateLoad(v *ssa.Value) bool {
	es, n, total := size(v.Type.K), int(v.Type.N), v.Type.Size()
	r, ok := l.privateRef(v.Args[0], es)
	if !ok {
		return false
	}
	m := l.mask(l.block)
	x := &l.vals[v.ID]
	slow := stub{kind: sLoad, size: total, step: total}
	if n == 3 {
		slow.step = 4 * es
	}
	switch _, out := r.inside(total); {
	case out || total > r.size:
		l.note(v, &r.address, LaneByLane)
		l.call(v, v.Args[0], m, slow)
		x.v = l.loadElements(ctxAt(CtxVals), es, n)
	case r.elem != 0 && r.Even && r.Stride == 0:
		l.note(v, &r.address, Contiguous)
		q, join := l.row(&r, total, func(p reg) {
			l.call(v, v.Args[0], m, slow)
			for c, q := range l.loadElements(ctxAt(CtxVals), es, n) {
				l.storeParts(ctxAt(int32(CtxVals+c*es*l.n)), q, es)
			}
			l.lea(p, ctxAt(int32(CtxVals-r.off)))
		})
		if join != nil {
			l.place(join)
		}
		for range n {
			x.v = append(x.v, l.loadParts(q, es))
			q.disp += int32(es * l.n)
		}
	default:
		l.note(v, &r.address, Scattered)
		l.privateGather(v, &r, m, slow)
	}
	l.fixBool(v)
	return true
}

// privateGather lowers a load at varying offsets of a private object.
func (l *privates) privateGather(v *ssa.Value, r *privateRef, m mask, slow stub) {
	es, n := size(v.Type.K), int(v.Type.N)
	x := &l.vals[v.ID]
	for range n {
		x.v = append(x.v, l.newVec(es))
	}
	set := func(c int, p vec) {
		for i, r := range p {
			l.vmov(x.v[c][i], r)
		}
	}
	idx, ok := l.privateIndex(r, v.Type.Size())
	join := l.unless(ok, m, func() {
		l.call(v, v.Args[0], m, slow)
		for c, p := range l.loadElements(ctxAt(CtxVals), es, n) {
			set(c, p)
		}
	})
	for c := range n {
		set(c, l.gather32(at(l.privateBase(), int32(r.off+c*r.between(l, es))), idx, es, m))
	}
	l.place(join)
}

// privateStore lowers a store to a private object of the kernel; false of others.
func (l *privates) privateStore(v *ssa.Value) bool {
	t := v.Args[1].Type
	es, total := size(t.K), t.Size()
	r, ok := l.privateRef(v.Args[0], es)
	if !ok {
		return false
	}
	m := l.mask(l.block)
	ps := l.elements(v.Args[1])
	slow := func() {
		s := stub{kind: sStore, size: total, step: total}
		if len(ps) == 3 {
			s.step = 4 * es
		}
		l.storeElements(ctxAt(CtxVals), ps, es)
		l.call(v, v.Args[0], m, s)
	}
	switch _, out := r.inside(total); {
	case out || total > r.size:
		l.note(v, &r.address, LaneByLane)
		slow()
	case r.elem != 0 && r.Even && r.Stride == 0:
		l.note(v, &r.address, Contiguous)
		q, join := l.row(&r, total, func(reg) { slow() })
		for _, p := range ps {
			l.storeRow(q, p, es, m)
			q.disp += int32(es * l.n)
		}
		if join != nil {
			l.place(join)
		}
	default:
		l.note(v, &r.address, Scattered)
		idx, ok := l.privateIndex(&r, total)
		join := l.unless(ok, m, slow)
		for c, p := range ps {
			l.scatter32(at(l.privateBase(), int32(r.off+c*r.between(l, es))), idx, p, es, m)
		}
		l.place(join)
	}
	return true
}

// storeRow writes an element of each lane of m side by side, into memory that is the
// gang's own.
func (l *privates) storeRow(q mem, p vec, es int, m mask) {
	switch {
	case m == nil:
		l.storeElements(q, []vec{p}, es)
	case l.lv.AVX512 || es >= 4:
		l.storeMasked(q, p, es, m)
	default:
		l.storeElements(q, []vec{l.choose(m, p, l.loadParts(q, es), es)}, es)
	}
}

// privateZero lowers the zeroing of a part of a private object with rows; false of others.
func (l *privates) privateZero(v *ssa.Value) bool {
	r, ok := l.privateRef(v.Args[0], 1)
	if !ok || r.elem == 0 {
		return false
	}
	q := at(l.privateBase(), int32(r.off+int(r.Disp)*l.n))
	m := l.mask(l.block)
	if m == nil {
		l.clear(q, int(v.Aux)*l.n)
		return true
	}
	row := r.elem * l.n
	l.strides(q, int(v.Aux)*l.n, row, func(q mem) { l.storeRow(q, l.constV(r.elem, 0), r.elem, m) })
	return true
}

// clear zeroes n bytes, a multiple of 8.
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

// strides calls f for places so many bytes apart, n bytes in all; in a loop where they are
// many.
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

// clearPrivate zeroes the gang's private memory, once: at the first private object.
func (l *privates) clearPrivate(v *ssa.Value) {
	kept := func(a *ssa.Value) bool { return l.plan.Kept[a.Sym.(*ssa.Alloca)] }
	if first := slices.IndexFunc(l.out.Allocas, func(a *ssa.Value) bool { return !kept(a) }); first >= 0 && v == l.out.Allocas[first] {
		l.clear(at(l.privateBase(), 0), l.out.Private*l.n)
	}
}
