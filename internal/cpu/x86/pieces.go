package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Accesses in pieces: several neighbouring lanes access contiguous memory, and the pieces lie anywhere in one
// object. The rows of an 8×32 work-group in a gang of 16 are an example. One instruction loads or stores each
// piece. Package lanes (pieces.go) derives the pieces from the bits of ids. Bounds checks compare the offsets of
// all lanes, as for gathers.

// pieces selects loads and stores in pieces.
type pieces struct{ *regular }

// piecesAt returns the addresses of an access's pieces, and the block that must be placed after the fast path.
// slow emits the cold code for lanes out of bounds.
func (l *pieces) piecesAt(a *access, m mask, slow func()) (at []mem, join *mblock) {
	n := l.n / a.Piece
	if a.Places != nil {
		for _, disp := range a.Places {
			at = append(at, mem{on: true, base: l.rootBaseReg(a.root), disp: int32(disp)})
		}
		return at, l.newBlock(l.cur.depth)
	}
	idx, scale, ok := l.offsets32(a, a.Type.Size(), a.Write, false)
	q := mem{on: true, base: l.gatherBase(a.root, false), scale: uint8(scale)}
	join = l.unless(ok, m, slow)
	if n > 2 {
		l.storeParts(ctxAt(CtxPtrs), idx, 4)
	}
	for i := range n {
		p := q
		p.index = l.offsetOfLane(idx, i*a.Piece, n > 2)
		if m != nil { // inactive lanes at the start of a piece may lie before the object
			p.index = l.signExtend(p.index, 4)
		}
		at = append(at, p)
	}
	return at, join
}

// offsetOfLane returns a lane's offset, from memory at CtxPtrs if stored.
func (l *pieces) offsetOfLane(idx vec, lane int, stored bool) reg {
	o := l.g()
	if stored {
		l.ld(o, 4, ctxAt(int32(CtxPtrs+4*lane)))
		return o
	}
	x := inst{op: asm.VMOVDST, w: 16, fl: fDefRM, rm: o, reg: l.slice(idx, 16, lane/4)}
	if lane%4 != 0 {
		x.op, x.imm = asm.VPEXTRD, int64(lane%4)
	}
	l.emit(x)
	return o
}

// loadPieces lowers a load in pieces.
func (l *pieces) loadPieces(v *ssa.Value, a *access, m mask, slow stub) {
	es, n := size(v.Type.K), int(v.Type.N)
	raw := l.rawVec(es, n)
	at, join := l.piecesAt(a, m, func() {
		l.call(v, v.Args[0], m, slow)
		l.loadRaw(raw, ctxAt(CtxVals), es, n)
	})
	if m != nil {
		l.maskedPieces(at, a, es, m, func(q mem, part int, k reg, first bool) {
			fl := fDefReg
			if !first {
				fl |= fUseReg
			}
			l.emit(inst{op: vmerge[es], w: l.width(es), fl: fl, reg: raw[part], m: q, mask: k, zero: first})
		})
		l.place(join)
		l.vals[v.ID].v = []vec{raw}
		return
	}
	for i, r := range l.joinPieces(at, a.Piece*a.Type.Size()) {
		l.vmov(raw[i], r)
	}
	l.place(join)
	x := &l.vals[v.ID]
	if n == 1 {
		x.v = []vec{raw}
	} else {
		x.f = raw
	}
}

// joinPieces loads pieces of n bytes and concatenates them.
func (l *pieces) joinPieces(at []mem, n int) (raw vec) {
	vl := int(l.lv.VL)
	if n < pieceBytes {
		per := min(pieceBytes/n, len(at))
		for ; len(at) > 0; at = at[per:] {
			raw = append(raw, l.smallPieces(at[:per], n))
		}
		return l.join(raw, pieceBytes)
	}
	for len(at) > 0 {
		for disp := 0; disp < n; disp += vl {
			m := at[0]
			m.disp += int32(disp)
			r := l.vr()
			l.emit(inst{op: asm.VMOVUPS, w: asm.Width(min(n, vl)), fl: fDefReg, reg: r, m: m})
			for k := 1; k < min(vl/n, len(at)); k++ {
				r = l.insertBytes(r, n, k, at[k])
			}
			raw = append(raw, r)
		}
		at = at[min(max(1, vl/n), len(at)):]
	}
	return raw
}

// smallPieces loads pieces of 4 or 8 bytes into the low 16 bytes of a register or a part of them.
func (l *pieces) smallPieces(at []mem, n int) reg {
	load, insert := asm.VMOVD, asm.VPINSRD
	if n == 8 {
		load, insert = asm.VMOVQX, asm.VPINSRQ
	}
	r := l.vr()
	l.emit(inst{op: load, w: 16, fl: fDefReg, reg: r, m: at[0]})
	for k, m := range at[1:] {
		d := l.vr()
		l.emit(inst{op: insert, w: 16, fl: fDefReg, reg: d, v: r, m: m, imm: int64(k + 1)})
		r = d
	}
	return r
}

// maskedPieces calls f for each pair of a piece and a register that share lanes. q is the address of the
// register's element 0 relative to the piece, k the mask of the shared lanes. first marks the register's first
// piece.
func (l *pieces) maskedPieces(at []mem, a *access, es int, m mask, f func(q mem, part int, k reg, first bool)) {
	per := l.perPart(es)
	for lane := 0; lane < l.n; lane += min(a.Piece, per) {
		part, from := lane/per, lane%per
		q, k := at[lane/a.Piece], l.partMask(m, es, part)
		q.disp += int32((lane%a.Piece - from) * es)
		if a.Piece < per {
			k = l.kop3(asm.KANDW, k, l.constMask((1<<a.Piece-1)<<from))
		}
		f(q, part, k, from == 0)
	}
}

// storePieces lowers a store in pieces.
func (l *pieces) storePieces(v *ssa.Value, a *access, m mask, slow func()) {
	raw := l.rawOf(v.Args[1])
	at, join := l.piecesAt(a, m, slow)
	if es := a.Type.Size(); m != nil {
		l.maskedPieces(at, a, es, m, func(q mem, part int, k reg, _ bool) { l.storePart(q, raw[part], es, k) })
		l.place(join)
		return
	}
	n, vl := a.Piece*a.Type.Size(), int(l.lv.VL)
	for i, m := range at {
		switch {
		case n > vl:
			for k := range n / vl {
				l.vstore(asm.VMOVUPSST, l.lv.VL, m, raw[i*n/vl+k], 0)
				m.disp += int32(vl)
			}
		case n >= pieceBytes:
			l.vstore(asm.VMOVUPSST, asm.Width(n), m, l.slice(raw, n, i), 0)
		case n == 8:
			l.vstore(asm.VMOVQST, 16, m, l.slice(raw, 8, i), 0)
		default:
			l.vstore(asm.VMOVDST, 16, m, l.slice(raw, 4, i), 0)
		}
	}
	l.place(join)
}
