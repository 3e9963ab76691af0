package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Lanes that are far apart and access several consecutive elements each, such as pieces of their own rows. Pieces
// of 16 bytes are loaded lane by lane, four lanes to a register of 64 bytes, and transposed; stores transpose
// first. That takes a fraction of the time of a gather or scatter for each element.

// pieceBytes is the number of bytes loaded at once for a lane.
const pieceBytes = 16

// rowOffsets are the offsets of the lanes' pieces from gatherBase of the root.
type rowOffsets struct {
	idx   vec
	scale int
}

// testRows continues at no if the pieces of rows that a block reads are not all in bounds. With InsideRows this
// covers every vector that it reads, from InsideApart on also the pieces that it writes. Their offsets must be
// known in b, before the block.
func (l *accesses) testRows(b, block *ssa.Block, no *mblock, aux int64) {
	apart := aux >= ssa.InsideApart
	for _, v := range block.Values {
		if v.Op != ssa.OpLoad && (v.Op != ssa.OpStore || !apart) || v.Args[0].Block == nil || !l.plan.Dom.Dominates(v.Args[0].Block, b) {
			continue
		}
		a := l.accessOf(v)
		t, _ := v.AccessType()
		if t.N == 1 || a.root < 0 || l.large(a.root) {
			continue
		}
		if v.Op == ssa.OpLoad && !l.patterns.IsRow(v, &a.Address) {
			// Several rounds in one load would be one violation; testApart tests all accesses.
			if aux == ssa.InsideRows && !l.patterns.Spanned(&a.Access, block) {
				l.testLanes(&a, t.Size(), false, no)
			}
			continue
		}
		if l.rowsIn == nil {
			l.rowsIn = map[*ssa.Value]rowOffsets{}
		}
		l.rowsIn[v] = l.testLanes(&a, t.Size(), v.Op == ssa.OpStore, no)
	}
}

// testLanes continues at no if an access of some lane to a known object, which must not be large, is out of
// bounds. It returns the lanes' offsets.
func (l *accesses) testLanes(a *access, n int, write bool, no *mblock) rowOffsets {
	idx, scale, ok := l.offsets32(a, n, write, false)
	if ok != nil {
		l.testMask(l.notMask(ok))
		l.jcc(asm.JNE, no)
	}
	return rowOffsets{idx, scale}
}

// testApart continues at no if an access of a block is out of bounds, or if an object that it writes overlaps
// another one. It leaves out accesses to rows and those checked with their neighbours.
func (l *accesses) testApart(b, block *ssa.Block, no *mblock) {
	written, all := map[int]bool{}, map[int]bool{}
	for _, v := range block.Values {
		t, ok := v.AccessType()
		if !ok || v.Args[0].Type.K == ssa.PtrPrivate {
			continue
		}
		a := l.accessOf(v)
		if p := v.Args[0].Block; a.root < 0 || l.large(a.root) || p != nil && !l.plan.Dom.Dominates(p, b) {
			l.movi(rAX, 0)
			l.cmpi(8, rAX, 0) // always
			l.jcc(asm.JAE, no)
			return
		}
		all[a.root], written[a.root] = true, written[a.root] || v.Op == ssa.OpStore
		if _, ok := l.rowsIn[v]; ok || l.patterns.Spanned(&a.Access, block) {
			continue
		}
		l.testLanes(&a, t.Size(), v.Op == ssa.OpStore, no)
	}
	for r := range len(l.out.Roots) {
		for s := range len(l.out.Roots) {
			if written[r] && all[s] && s != r && (s > r || !written[s]) {
				l.testOverlap(r, s, no)
			}
		}
	}
}

// testOverlap continues at no where two objects overlap.
func (l *accesses) testOverlap(r, s int, no *mblock) {
	for range 2 {
		d, n := l.g(), l.g()
		l.mov(d, l.rootBaseReg(r))
		l.op2(asm.SUB, 8, d, l.rootBaseReg(s))
		l.ld(n, 8, rootAt(s, RootLen))
		l.cmp(8, d, n)
		l.jcc(asm.JB, no)
		r, s = s, r
	}
}

// loadRows lowers a load of pieces of rows.
func (l *accesses) loadRows(v *ssa.Value, a *access, m mask, slow stub) {
	r, ok := l.rowsIn[v]
	if !ok {
		l.gather(v, a, m, slow)
		return
	}
	l.noteChecked(a, "with its neighbours")
	q := at(l.gatherBase(a.root, false), 0)
	q.scale = uint8(r.scale)
	if l.split[v.ID] {
		l.vals[v.ID].v = l.pieces(q, r.idx, size(v.Type.K), int(v.Type.N))
	} else {
		l.vals[v.ID].f = l.flatRows(q, r.idx, v.Type.Size())
	}
}

// flatRows reads n bytes of each lane at q + idx · q.scale, which stay in memory order.
func (l *accesses) flatRows(q mem, idx vec, n int) (f vec) {
	l.storeParts(ctxAt(CtxPtrs), idx, 4)
	vl := int(l.lv.VL)
	for lane := 0; lane < l.n; lane += max(1, vl/n) {
		for at := 0; at < n; at += vl {
			m := l.pieceOf(q, lane)
			m.disp += int32(at)
			r := l.vr()
			l.emit(inst{op: asm.VMOVUPS, w: asm.Width(min(n, vl)), fl: fDefReg, reg: r, m: m})
			for k := 1; k < vl/n && k < l.n; k++ {
				r = l.insertBytes(r, n, k, l.pieceOf(q, lane+k))
			}
			f = append(f, r)
		}
	}
	return f
}

// insertBytes returns r with bytes [k·n, (k+1)·n), 16 or 32 of them, read from memory.
func (l *vectors) insertBytes(r reg, n, k int, m mem) reg {
	op, w := asm.VINSERTI128, asm.Width(32)
	switch {
	case n == 32:
		op, w = asm.VINSERTI64X4, 64
	case l.lv.VL == 64:
		op, w = asm.VINSERTI32X4, 64
	}
	d := l.vr()
	l.emit(inst{op: op, w: w, fl: fDefReg, reg: d, v: r, m: m, imm: int64(k)})
	return d
}

// broadcastVector reads a vector for all lanes and repeats it to fill a register.
func (l *accesses) broadcastVector(v *ssa.Value, d vec, q mem) {
	n, vl := v.Type.Size(), int(l.lv.VL)
	q.on = true
	for i := range d {
		op, w := asm.VMOVUPS, l.lv.VL
		switch {
		case n == 32 && vl == 64:
			op = asm.VBROADCASTI64X4
		case n == 16 && vl == 64:
			op = asm.VBROADCASTI32X4
		case n == 16:
			op = asm.VBROADCASTI128
		}
		l.emit(inst{op: op, w: w, fl: fDefReg, reg: d[i], m: q})
		q.disp += int32(vl)
	}
}

// loadAlike lowers the load of a vector at a uniform address; the result stays in memory order. It reports
// success.
func (l *accesses) loadAlike(v *ssa.Value, a *access, m mask, slow stub) bool {
	es, n, total := size(v.Type.K), int(v.Type.N), v.Type.Size()
	if n <= 3 || total%pieceBytes != 0 || v.Type.K == ssa.Bool || l.split[v.ID] || !l.vectorised[v.Block] {
		return false
	}
	d := make(vec, max(1, total/int(l.lv.VL)))
	for i := range d {
		d[i] = l.vr()
	}
	q, join := l.check(a, func() {
		l.call(v, v.Args[0], m, slow)
		l.broadcastVector(v, d, l.firstLane(m, slow))
	})
	l.broadcastVector(v, d, q)
	l.place(join)
	x := &l.vals[v.ID]
	l.within(l.n*n, func() {
		for i := range l.parts(es) {
			x.f = append(x.f, d[i%len(d)])
		}
	})
	return true
}

// storeRows lowers a store of pieces of rows that are known to be in bounds.
func (l *accesses) storeRows(v *ssa.Value, a *access) {
	l.noteChecked(a, "with its neighbours")
	r := l.rowsIn[v]
	q := at(l.gatherBase(a.root, false), 0)
	q.scale = uint8(r.scale)
	if f := l.vals[l.real(v.Args[1]).ID].f; f != nil {
		l.storeFlatRows(q, r.idx, f, v.Args[1].Type.Size())
		return
	}
	l.storePieces(q, r.idx, l.elements(v.Args[1]), size(v.Args[1].Type.K))
}

// storePieces writes elements of each lane side by side at q + idx · q.scale, in pieces of 16 bytes.
func (l *accesses) storePieces(q mem, idx vec, ps []vec, es int) {
	l.storeParts(ctxAt(CtxPtrs), idx, 4)
	word := max(es, 4)
	for per := pieceBytes / es; len(ps) > 0; ps = ps[per:] {
		words := ps[:per]
		if n := word / es; n > 1 {
			words = nil
			for c := 0; c < per; c += n {
				words = append(words, l.compose(ps[c:c+n], es, word))
			}
		}
		l.storePiece16(q, words, word)
		q.disp += pieceBytes
	}
}

// storeFlatRows writes n bytes of each lane, which are in memory order, at q + idx · q.scale.
func (l *accesses) storeFlatRows(q mem, idx, f vec, n int) {
	l.storeParts(ctxAt(CtxPtrs), idx, 4)
	w := min(n, int(l.lv.VL))
	for lane := range l.n {
		for at := 0; at < n; at += w {
			m := l.pieceOf(q, lane)
			m.disp += int32(at)
			l.vstore(asm.VMOVUPSST, asm.Width(w), m, l.slice(f, w, (lane*n+at)/w), 0)
		}
	}
}

// pieces reads n elements of each lane at q + idx · q.scale: pieces of 16 bytes, all of which must
// be readable.
func (l *accesses) pieces(q mem, idx vec, es, n int) (ps []vec) {
	l.storeParts(ctxAt(CtxPtrs), idx, 4)
	word := max(es, 4)
	of := pieceBytes / word // words of a lane in a piece
	words := make([]vec, es*n/word)
	for i := range l.parts(word) {
		for p, z := range l.piecesOfPart(q, i, es*n/pieceBytes, word) {
			for c, r := range l.transpose16(z, l.lv.VL) {
				words[p*of+c] = append(words[p*of+c], r)
			}
		}
	}
	for _, w := range words {
		for i := range word / es {
			ps = append(ps, l.piece(w, word, es, i))
		}
	}
	return ps
}

// piecesOfPart reads n pieces, side by side, of each lane of part i, at q plus the offsets at CtxPtrs. Each offset is
// read once. The pieces are in registers by number: those of neighbouring lanes in neighbouring registers.
func (l *accesses) piecesOfPart(q mem, i, n, word int) [][]reg {
	of, per := pieceBytes/word, l.perPart(word)
	insert, w := asm.VINSERTI128, asm.Width(32)
	if l.lv.VL == 64 {
		insert, w = asm.VINSERTI32X4, 64
	}
	list := make([][]reg, n)
	for p := range list {
		list[p] = make([]reg, of)
	}
	for j := range of {
		for k := range per / of {
			m := l.pieceOf(q, i*per+k*of+j)
			for p := range list {
				z := &list[p][j]
				d := l.vr()
				if k == 0 {
					l.emit(inst{op: asm.VMOVUPS, w: 16, fl: fDefReg, reg: d, m: m})
				} else {
					l.emit(inst{op: insert, w: w, fl: fDefReg, reg: d, v: *z, m: m, imm: int64(k)})
				}
				*z = d
				m.disp += pieceBytes
			}
		}
	}
	return list
}

// storePiece16 writes 16 bytes of each lane, its words, at q plus the offsets at CtxPtrs.
func (l *accesses) storePiece16(q mem, words []vec, word int) {
	of, per := len(words), l.perPart(word)
	for i := range l.parts(word) {
		z := make([]reg, of)
		for c := range z {
			z[c] = words[c][i]
		}
		for j, r := range l.transpose16(z, l.lv.VL) {
			for k := 0; k < per/of; k++ {
				l.vstore(asm.VMOVUPSST, 16, l.pieceOf(q, i*per+k*of+j), l.slice(vec{r}, 16, k), 0)
			}
		}
	}
}

// pieceOf returns where a lane's piece is, at q plus its offset at CtxPtrs.
func (l *accesses) pieceOf(q mem, lane int) mem {
	q.index, q.on = l.fetch(4, ctxAt(int32(CtxPtrs+4*lane))), true
	return q
}

// transpose16 transposes words of 4 or 8 bytes within each 16 bytes of as many registers as 16 bytes hold words.
func (l *accesses) transpose16(z []reg, w asm.Width) []reg {
	if len(z) == 2 {
		return []reg{l.rvm(asm.VPUNPCKLQDQ, w, z[0], z[1]), l.rvm(asm.VPUNPCKHQDQ, w, z[0], z[1])}
	}
	var out []reg
	for _, op := range []asm.Op{asm.VPUNPCKLDQ, asm.VPUNPCKHDQ} {
		a, b := l.rvm(op, w, z[0], z[1]), l.rvm(op, w, z[2], z[3])
		out = append(out, l.rvm(asm.VPUNPCKLQDQ, w, a, b), l.rvm(asm.VPUNPCKHQDQ, w, a, b))
	}
	return out
}
