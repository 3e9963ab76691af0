package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Lanes that are far apart and each read several elements side by side, such as pieces of
// their own rows: pieces of 16 bytes are loaded lane by lane, four lanes' to a register of 64 bytes, and
// transposed. That takes a fraction of the time of a gather for each element.

// pieceBytes is the size of what is loaded at once for a lane.
const pieceBytes = 16

// rowOffsets are where the lanes' pieces lie, from gatherBase of the root.
type rowOffsets struct {
	idx   vec
	scale int
}

// aRow reports whether v is a load whose lanes read pieces at addresses of their own in one
// known object.
func (l *addresses) aRow(v *ssa.Value, a *address) bool {
	t := v.Type
	return v.Op == ssa.OpLoad && t.N > 1 && t.Size()%pieceBytes == 0 && t.K != ssa.Bool && l.plan.Varying[v.ID] && a.root >= 0 && a.Order == nil && (!a.Regular() || a.Stride > 4*int64(t.Size()) || a.Stride < 0)
}

// testRows continues at no where the pieces of rows that a block reads are not all in bounds.
// Their offsets must be known in b, before it.
func (l *accesses) testRows(b, block *ssa.Block, no *mblock) {
	for _, v := range block.Values {
		if v.Op != ssa.OpLoad || v.Args[0].Block == nil || !l.plan.Dom.Dominates(v.Args[0].Block, b) {
			continue
		}
		a := l.address(v.Args[0])
		if !l.aRow(v, &a) || l.large(a.root) {
			continue
		}
		idx, scale, ok := l.offsets32(&a, v.Type.Size(), false, false)
		if ok != nil {
			l.testMask(l.notMask(ok))
			l.jcc(asm.JNE, no)
		}
		if l.rowsIn == nil {
			l.rowsIn = map[*ssa.Value]rowOffsets{}
		}
		l.rowsIn[v] = rowOffsets{idx, scale}
	}
}

// loadRows lowers a load of pieces of rows that are known to be in bounds. It reports whether it
// could.
func (l *accesses) loadRows(v *ssa.Value, a *address, m mask) bool {
	r, ok := l.rowsIn[v]
	if !ok || m != nil {
		return false
	}
	l.note(v, a, Rows)
	l.noteChecked(a, "with its neighbours")
	q := at(l.gatherBase(a.root, false), 0)
	q.scale = uint8(r.scale)
	l.vals[v.ID].v = l.pieces(q, r.idx, size(v.Type.K), int(v.Type.N))
	return true
}

// pieces reads n elements of each lane at q + idx · q.scale: pieces of 16 bytes, all of which must
// be readable.
func (l *accesses) pieces(q mem, idx vec, es, n int) (ps []vec) {
	l.storeParts(ctxAt(CtxPtrs), idx, 4)
	word := max(es, 4)
	for range es * n / pieceBytes {
		for _, w := range l.piece16(q, word) {
			for i := range word / es {
				ps = append(ps, l.piece(w, word, es, i))
			}
		}
		q.disp += pieceBytes
	}
	return ps
}

// piece16 reads 16 bytes of each lane, at q plus the offsets at CtxPtrs, as words of 4 or 8 bytes.
func (l *accesses) piece16(q mem, word int) []vec {
	of := pieceBytes / word // words of a lane
	out := make([]vec, of)
	for c := range out {
		out[c] = make(vec, l.parts(word))
	}
	per := l.perPart(word)
	insert, w := asm.VINSERTI128, asm.Width(32)
	if l.lv.AVX512 {
		insert, w = asm.VINSERTI32X4, 64
	}
	for i := range l.parts(word) {
		z := make([]reg, of)
		for j := range z {
			for k := 0; k < per/of; k++ {
				o := l.g()
				l.ld(o, 4, ctxAt(int32(CtxPtrs+4*(i*per+k*of+j))))
				m := q
				m.index, m.on = o, true
				if k == 0 {
					z[j] = l.vr()
					l.emit(inst{op: asm.VMOVUPS, w: 16, fl: fDefReg, reg: z[j], m: m})
					continue
				}
				d := l.vr()
				l.emit(inst{op: insert, w: w, fl: fDefReg, reg: d, v: z[j], m: m, imm: int64(k)})
				z[j] = d
			}
		}
		if word == 8 {
			out[0][i] = l.rvm(asm.VPUNPCKLQDQ, w, z[0], z[1])
			out[1][i] = l.rvm(asm.VPUNPCKHQDQ, w, z[0], z[1])
			continue
		}
		for half, op := range []asm.Op{asm.VPUNPCKLDQ, asm.VPUNPCKHDQ} {
			a, b := l.rvm(op, w, z[0], z[1]), l.rvm(op, w, z[2], z[3])
			out[2*half][i] = l.rvm(asm.VPUNPCKLQDQ, w, a, b)
			out[2*half+1][i] = l.rvm(asm.VPUNPCKHQDQ, w, a, b)
		}
	}
	return out
}
