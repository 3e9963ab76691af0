package codegen

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// gather lowers a load at varying offsets of a root: words of 8 and 4 bytes for each
// lane, and the elements taken from them.
func (l *lowerer) gather(v *ssa.Value, a *address, m mask, slow stub) {
	es, n, total := size(v.Type.K), int(v.Type.N), v.Type.Size()
	x := &l.vals[v.ID]
	for range n {
		x.v = append(x.v, l.newVec(es))
	}
	set := func(ps []vec) {
		for c, p := range ps {
			for i, r := range p {
				l.vmov(x.v[c][i], r)
			}
		}
	}
	bytewise := total%4 != 0 // elements are taken out of aligned words
	idx, scale, ok := l.offsets32(a, total, false, bytewise)
	q := at(l.gatherBase(a.root, bytewise), 0)
	q.scale = uint8(scale)
	if bytewise {
		idx = l.each2(4, asm.VPADDD, idx, l.misplaced(a.root))
		if es == 2 {
			even := l.cmpInt(predEQ, 4, false, l.each2(4, asm.VPAND, idx, l.constV(4, 1)), l.constV(4, 0))
			ok = l.andMask(even, ok)
		}
	}
	join := l.unless(ok, m, func() {
		l.call(v, v.Args[0], m, slow)
		set(l.loadElements(ctxAt(CtxVals), es, n))
	})
	if m == nil {
		m = l.allMask()
	}
	var ps []vec
	for len(ps) < n {
		w := min(8, (n-len(ps))*es&^3)
		if bytewise && es < 4 {
			w = es
			ps = append(ps, l.gather32(q, idx, es, m))
		} else {
			word := l.gatherWords(q, idx, w, m)
			for i := range w / es {
				ps = append(ps, l.piece(word, w, es, i))
			}
		}
		q.disp += int32(w)
	}
	set(ps)
	l.place(join)
}

// unless runs slow, in a cold block, where lanes of m are not in ok; nil stands for all.
// The code that follows must be placed at the join.
func (l *lowerer) unless(ok, m mask, slow func()) (join *mblock) {
	if ok == nil {
		return l.newBlock(l.cur.depth)
	}
	if m == nil {
		m = l.allMask()
	}
	l.testMask(l.andNotMask(ok, m))
	return l.apart(asm.JNE, slow)
}

// offsets32 returns 32-bit numbers, with a sign, that times the scale (1, 2, 4 or 8) are
// the lanes' distances from gatherBase of a root, and the lanes whose access of so many
// bytes is in bounds; in other lanes the numbers mean nothing. They are not negative but
// for large roots, of which lanes beyond largeReach are left out too. Unit asks for the
// scale 1.
func (l *lowerer) offsets32(a *address, total int, write, unit bool) (idx vec, scale int, ok mask) {
	x, s, d, narrow := l.narrowIndex(a)
	if !narrow || l.large(a.root) {
		off := l.constV(8, uint64(a.disp))
		if len(a.offs) > 0 {
			off = l.offsets(a)
		}
		if !l.opts.NoBounds {
			ok = l.cmpInt(predLT, 8, false, off, l.limitV(a.root, total, write))
		}
		idx = l.truncate(8, 4, off)
		if l.large(a.root) {
			idx = l.each2(4, asm.VPXOR, idx, l.constV(4, largeMiddle))
		}
		return idx, 1, ok
	}
	idx = l.extend(size(x.Type.K), 4, x.Type.K.Num().Signed(), l.exact(x, map[*ssa.Value]vec{}))
	if d != 0 {
		idx = l.each2(4, asm.VPADDD, idx, l.constV(4, uint64(uint32(d))))
	}
	if !l.opts.NoBounds {
		ok = l.cmpInt(predLT, 4, false, idx, l.limitIn(a.root, total, write, s))
	}
	scale = min(s, 8)
	if unit {
		scale = 1
	}
	if f := s / scale; f > 1 {
		idx = l.eachShift(4, asm.VPSLLD, idx, int64(bits.TrailingZeros(uint(f))))
	}
	return idx, scale, ok
}

// narrowIndex takes an offset apart into s times the sum of d and an integer x of at most
// 32 bits, where a sum that wraps is out of bounds: s is a power of two.
func (l *lowerer) narrowIndex(a *address) (x *ssa.Value, s int, d int64, ok bool) {
	if len(a.offs) != 1 || a.offs[0].Type.K.IsPtr() {
		return nil, 0, 0, false
	}
	o := a.offs[0]
	s = 1
	for {
		switch {
		case (o.Op == ssa.OpMul || o.Op == ssa.OpShl) && o.Args[1].IsConst():
			f := o.Args[1].ConstElem(0)
			if o.Op == ssa.OpShl {
				f = 1 << (f & 63)
			}
			if f == 0 || f > 1<<10 || f&(f-1) != 0 || s > 1<<10 {
				return nil, 0, 0, false
			}
			s *= int(f)
			o = o.Args[0]
			continue
		case o.Op == ssa.OpCopy, o.Op == ssa.OpBitcast && o.Args[0].Type.N == 1 && o.Args[0].Type.K.Num().IsInt() && size(o.Args[0].Type.K) == 8:
			o = o.Args[0]
			continue
		}
		break
	}
	sat, _ := ssa.ConvParts(o.Aux)
	if o.Op != ssa.OpConvert || sat || a.disp%int64(s) != 0 {
		return nil, 0, 0, false
	}
	x, d = o.Args[0], a.disp/int64(s)
	k := x.Type.K.Num()
	if !k.IsInt() || k.Size() > 4 {
		return nil, 0, 0, false
	}
	if _, hi, known := interval(x); d > 0 && !k.Signed() && (!known || hi > 1<<31) {
		return nil, 0, 0, false
	}
	return x, s, d, true
}

// wideOffset reports whether v is part of a wide offset that narrowIndex sees through: it is
// computed only where it is needed nevertheless.
func (l *lowerer) wideOffset(v *ssa.Value) bool {
	if !l.plan.Varying[v.ID] || v.Type.N != 1 || !v.Type.K.Num().IsInt() || size(v.Type.K) != 8 {
		return false
	}
	switch a := v.Args[0]; v.Op {
	case ssa.OpConvert:
		sat, _ := ssa.ConvParts(v.Aux)
		return !sat && a.Type.K.Num().IsInt() && a.Type.K != ssa.Bool && size(a.Type.K) <= 4
	case ssa.OpMul, ssa.OpShl:
		return v.Args[1].IsConst() && l.vals[a.ID].lazy && !l.vals[a.ID].affine
	}
	return false
}

// limitIn is limit in units of s bytes, in all lanes of vectors.
func (l *lowerer) limitIn(root, total int, write bool, s int) vec {
	lim := l.limit(root, total, write)
	key := limitKey{root, total + s<<32, write} // no other has such a size
	b, ok := l.limits[key]
	if !ok {
		l.insertAt(l.pre, -1, func() {
			d := l.g()
			l.lea(d, at(lim, int32(s-1)))
			if s > 1 {
				l.opi(asm.SHRIMM, 8, d, int64(bits.TrailingZeros(uint(s))))
			}
			b = l.broadcast(4, d)[0]
		})
		l.limits[key] = b
	}
	return l.everywhere(b, 4)
}

// alignedBase returns the address of the aligned 4 bytes in which a root begins.
func (l *lowerer) alignedBase(root int) reg {
	k := limitKey{root, -2, false}
	if r, ok := l.limits[k]; ok {
		return r
	}
	var d reg
	l.insertAt(l.pre, -1, func() {
		d = l.g()
		l.ld(d, 8, rootAt(root, RootBase))
		l.opi(asm.ANDIMM, 8, d, -4)
	})
	l.limits[k] = d
	return d
}

// misplaced returns how far behind alignedBase a root begins.
func (l *lowerer) misplaced(root int) vec {
	k := limitKey{root, -3, false}
	r, ok := l.limits[k]
	if !ok {
		l.insertAt(l.pre, -1, func() {
			d := l.g()
			l.ld(d, 8, rootAt(root, RootBase))
			l.opi(asm.ANDIMM, 8, d, 3)
			r = l.broadcast(4, d)[0]
		})
		l.limits[k] = r
	}
	return l.everywhere(r, 4)
}

// put lowers a store at varying offsets of a root: of single elements of 4 and 8 bytes by
// a scatter where there is that instruction, else lane by lane in order.
func (l *lowerer) put(v *ssa.Value, a *address, m mask, slow func()) {
	t := v.Args[1].Type
	es := size(t.K)
	s := stub{kind: sPut, size: t.Size(), step: t.Size()}
	if t.N == 3 {
		s.step = 4 * es
	}
	ps := l.elements(v.Args[1])
	q := at(l.gatherBase(a.root, false), 0)
	idx, scale, ok := l.offsets32(a, s.size, true, false)
	q.scale = uint8(scale)
	join := l.unless(ok, m, slow)
	if t.N == 1 && es >= 4 && l.lv.AVX512 {
		l.scatter32(q, idx, ps[0], es, m)
	} else {
		l.storeElements(ctxAt(CtxVals), ps, es)
		l.putLanes(q, idx, m, s)
	}
	l.place(join)
}

// putLanes calls the stub for stores at q plus the lanes' offsets.
func (l *lowerer) putLanes(q mem, idx vec, m mask, s stub) {
	l.storeParts(ctxAt(CtxPtrs), idx, 4)
	s.scale = q.scale
	q.scale = 1
	if m == nil {
		s.all = l.n
	} else {
		l.maskBits(m)
	}
	l.lea(rDX, q)
	l.emit(inst{kind: kCall, imm: l.stub(s)})
}

// gather32 reads an element for each lane of m (nil: of all) at q + idx · q.scale, 0 for the other
// lanes. The offsets idx are of 32 bits with a sign, q's base is a multiple of 4.
// Elements of less than 4 bytes are taken out of the aligned 4 bytes around them, which
// must be readable; they do not cross their boundary.
func (l *lowerer) gather32(q mem, idx vec, es int, m mask) vec {
	if m == nil {
		m = l.allMask()
	}
	if es >= 4 {
		return l.gatherWords(q, idx, es, m)
	}
	if r := q.disp & 3; r != 0 {
		q.disp -= r
		idx = l.each2(4, asm.VPADDD, idx, l.constV(4, uint64(r)))
	}
	shift := l.eachShift(4, asm.VPSLLD, l.each2(4, asm.VPAND, idx, l.constV(4, 3)), 3)
	idx = l.each2(4, asm.VPANDN, l.constV(4, 3), idx)
	words := l.gatherWords(q, idx, 4, m)
	return l.truncate(4, es, l.each2(4, asm.VPSRLVD, words, shift))
}

// gatherWords reads elements of 4 or 8 bytes.
func (l *lowerer) gatherWords(q mem, idx vec, es int, m mask) vec {
	op := asm.VPGATHERDD
	if es == 8 {
		op = asm.VPGATHERDQ
	}
	q.on = true
	out := make(vec, l.parts(es))
	for i := range out {
		d := l.vr()
		g := inst{op: op, w: l.lv.VL, fl: fDefReg | fUseReg | fEarly, reg: d, m: q}
		g.m.index = l.slice(idx, 4*l.perPart(es), i)
		zero, w := asm.VPXOR, asm.Width(32)
		if l.lv.AVX512 {
			zero, w = asm.VPXORD, 64
			g.mask = l.kr()
			l.copyMaskReg(g.mask, l.partMask(m, es, i))
		} else {
			g.v = l.vr()
			l.vmov(g.v, l.wideMask(m, es, i))
		}
		l.emit(inst{op: zero, w: w, fl: fDefReg, reg: d, v: fixed(asm.V(0)), rm: fixed(asm.V(0))})
		l.emit(g)
		out[i] = d
	}
	return out
}

// scatter32 writes an element of each lane of m at q + idx; see gather32.
func (l *lowerer) scatter32(q mem, idx, p vec, es int, m mask) {
	if !l.lv.AVX512 || es < 4 {
		l.storeParts(ctxAt(CtxVals), p, es)
		l.putLanes(q, idx, m, stub{kind: sPut, size: es, step: es})
		return
	}
	if m == nil {
		m = l.allMask()
	}
	op := asm.VPSCATTERDD
	if es == 8 {
		op = asm.VPSCATTERDQ
	}
	q.on = true
	for i, r := range p {
		s := inst{op: op, w: l.lv.VL, fl: fUseReg, reg: r, mask: l.kr(), m: q}
		s.m.index = l.slice(idx, 4*l.perPart(es), i)
		l.copyMaskReg(s.mask, l.partMask(m, es, i))
		l.emit(s)
	}
}
