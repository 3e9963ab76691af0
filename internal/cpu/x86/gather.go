package x86

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// gather lowers a load at varying offsets of a root. It gathers words of 8 and 4 bytes for each lane and extracts
// the elements.
func (l *accesses) gather(v *ssa.Value, a *access, m mask, slow stub) {
	es, n, total := size(v.Type.K), int(v.Type.N), v.Type.Size()
	out := l.newVecs(es, n)
	l.vals[v.ID].v = out
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
		l.vmovs(out, l.loadSlowly(v, m, slow))
	})
	if a.Pattern == lanes.Rows {
		l.vmovs(out, l.pieces(q, idx, es, n))
		l.place(join)
		return
	}
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
	l.vmovs(out, ps)
	l.place(join)
}

// unless generates slow, in a cold block, for the case that a lane of m is not in ok. nil means all lanes. The
// caller must place the join after its code.
func (l *accesses) unless(ok, m mask, slow func()) (join *mblock) {
	if ok == nil {
		return l.newBlock(l.cur.depth)
	}
	if m == nil {
		m = l.allMask()
	}
	l.testMask(l.andNotMask(ok, m))
	return l.apart(asm.JNE, slow)
}

// offsets32 returns signed 32-bit numbers and the lanes whose access of total bytes is in bounds. Times the scale
// (1, 2, 4 or 8), the numbers are the lanes' distances from gatherBase of a root; in other lanes they are
// undefined. They are negative only for large roots, where lanes beyond largeReach do not count as in bounds. unit
// requests the scale 1.
func (l *accesses) offsets32(a *access, total int, write, unit bool) (idx vec, scale int, ok mask) {
	x, s, d, narrow := l.facts.NarrowIndex(&a.Address)
	if !narrow || l.large(a.root) {
		off := l.constV(8, uint64(a.Disp))
		if len(a.Terms) > 0 {
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

// wideOffset reports whether v is part of a wide offset that [lanes.Facts.NarrowIndex] narrows. Such a value is
// computed only where it is used otherwise.
func (l *accesses) wideOffset(v *ssa.Value) bool {
	if !l.plan.Varying[v.ID] || v.Type.N != 1 || !v.Type.K.Num().IsInt() || size(v.Type.K) != 8 {
		return false
	}
	switch a := v.Args[0]; v.Op {
	case ssa.OpConvert:
		sat, _ := ssa.ConvParts(v.Aux)
		return !sat && a.Type.K.Num().IsInt() && a.Type.K != ssa.Bool && size(a.Type.K) <= 4
	case ssa.OpMul, ssa.OpShl:
		return v.Args[1].IsConst() && l.vals[a.ID].lazy && l.facts.Of(a).Shape != lanes.Affine
	}
	return false
}

// put lowers a store at varying offsets of a root: elements of 4 and 8 bytes by a scatter if the level has one,
// else lane by lane in order.
func (l *accesses) put(v *ssa.Value, a *access, m mask, slow func()) {
	t := v.Args[1].Type
	es := size(t.K)
	s := stub{kind: sPut, size: t.Size(), step: t.Size()}
	if t.N == 3 {
		s.step = 4 * es
	}
	var words vec // of as many bytes as a lane stores
	var ps []vec
	if l.lv.Scatters && t.K != ssa.Bool && (s.size == 4 || s.size == 8) {
		words = l.rawOf(v.Args[1])
	} else {
		ps = l.elements(v.Args[1])
	}
	q := at(l.gatherBase(a.root, false), 0)
	idx, scale, ok := l.offsets32(a, s.size, true, false)
	q.scale = uint8(scale)
	join := l.unless(ok, m, slow)
	switch {
	case words != nil:
		l.scatter32(q, idx, words, s.size, m)
	case l.plan.Rows > 1 && m == nil && s.size%pieceBytes == 0 && t.K != ssa.Bool:
		l.storePieces(q, idx, ps, es) // of several rows: lanes have no order
	default:
		l.storeElements(ctxAt(CtxVals), ps, es)
		l.putLanes(q, idx, m, s)
	}
	l.place(join)
}

// putLanes calls the stub for stores at q plus the lanes' offsets.
func (l *accesses) putLanes(q mem, idx vec, m mask, s stub) {
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

// gather32 reads an element for each lane of m (nil: all lanes) at q + idx · q.scale, and gives the other lanes 0.
// The offsets idx are signed 32-bit numbers; q's base is a multiple of 4. Elements of less than 4 bytes are
// extracted from the aligned 4 bytes around them. These must be readable, and an element must not cross their
// boundary.
func (l *accesses) gather32(q mem, idx vec, es int, m mask) vec {
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
func (l *accesses) gatherWords(q mem, idx vec, es int, m mask) vec {
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
		if l.lv.MaskRegs {
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
func (l *accesses) scatter32(q mem, idx, p vec, es int, m mask) {
	if !l.lv.Scatters || es < 4 {
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
