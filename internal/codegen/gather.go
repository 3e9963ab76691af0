package codegen

import (
	"github.com/purecl/purecl/internal/asm"
	"github.com/purecl/purecl/internal/ssa"
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
	off := l.offsets(a)
	idx := l.truncate(8, 4, off)
	q := at(l.rootBaseReg(a.root), 0)
	bytewise := total%4 != 0
	var even mask
	if bytewise {
		// Elements are taken out of aligned words.
		q.base = l.alignedBase(a.root)
		idx = l.each2(4, asm.VPADDD, idx, l.misplaced(a.root))
		if es == 2 {
			even = l.cmpInt(predEQ, 4, false, l.each2(4, asm.VPAND, idx, l.constV(4, 1)), l.constV(4, 0))
		}
	}
	join := l.inside(a, off, even, total, false, m, func() {
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

// inside checks accesses of so many bytes at the lanes' offsets in a root; lanes that are
// not in also (where it is given) count as outside. slow, in a cold block, is for a
// failure. The code that follows must be placed at the join.
func (l *lowerer) inside(a *address, off vec, also mask, total int, write bool, m mask, slow func()) (join *mblock) {
	if l.opts.NoBounds && also == nil {
		return l.newBlock(l.cur.depth)
	}
	all := m
	if all == nil {
		all = l.allMask()
	}
	ok := l.cmpInt(predLT, 8, false, off, l.limitV(a.root, total, write))
	if also != nil {
		ok = l.andMask(ok, also)
	}
	l.testMask(l.andNotMask(ok, all))
	return l.apart(asm.JNE, slow)
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

// put lowers a store at varying offsets of a root that has no instruction: lane by lane,
// in order.
func (l *lowerer) put(v *ssa.Value, a *address, m mask, slow func()) {
	t := v.Args[1].Type
	s := stub{kind: sPut, size: t.Size(), step: t.Size()}
	if t.N == 3 {
		s.step = 4 * size(t.K)
	}
	off := l.constV(8, uint64(a.disp))
	if len(a.offs) > 0 {
		off = l.offsets(a)
	}
	ps := l.elements(v.Args[1])
	join := l.inside(a, off, nil, s.size, true, m, slow)
	l.storeElements(ctxAt(CtxVals), ps, size(t.K))
	l.putLanes(l.rootBaseReg(a.root), off, m, s)
	l.place(join)
}

// putLanes calls the stub for stores at base plus the lanes' offsets.
func (l *lowerer) putLanes(base reg, off vec, m mask, s stub) {
	l.storeParts(ctxAt(CtxPtrs), off, 8)
	if m == nil {
		s.all = l.n
	}
	l.mov(rDX, base)
	l.stubCall(m, s)
}

// gather32 reads an element for each lane of m (nil: of all) at q + idx, 0 for the other
// lanes. The offsets idx are of 32 bits and not negative, q's base is a multiple of 4.
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
		base := l.g()
		l.lea(base, q)
		l.putLanes(base, l.extend(4, 8, false, idx), m, stub{kind: sPut, size: es, step: es})
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
