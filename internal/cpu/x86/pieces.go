package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Accesses in pieces: several neighbouring lanes access contiguous memory, and the pieces lie anywhere in one
// object. The rows of an 8×32 work-group in a gang of 16 are an example. One instruction loads or stores each
// piece. Package lanes (pieces.go) derives the pieces from the bits of ids. Bounds checks compare the offsets of
// all lanes, as for gathers.

// pieceAddresses returns the addresses of pieces of several lanes at q plus the lanes' offsets.
func (l *accesses) pieceAddresses(q mem, idx vec, piece int, masked bool) (at []mem) {
	n := l.n / piece
	operand := func(lane int) mem { // of a multiple of 4
		q.index = l.low(l.slice(idx, 16, lane/4), 4)
		return q
	}
	if n > 2 {
		operand = l.lanesAt(q, idx)
	}
	for i := range n {
		p := operand(i * piece)
		if masked { // inactive lanes at the start of a piece may lie before the object
			p.index = l.signExtend(p.index, 4)
		}
		at = append(at, p)
	}
	return at
}

// joinPieces loads pieces of n bytes and concatenates them.
func (l *accesses) joinPieces(at []mem, n int) (raw vec) {
	if n < pieceBytes {
		per := min(pieceBytes/n, len(at))
		for ; len(at) > 0; at = at[per:] {
			raw = append(raw, l.smallPieces(at[:per], n))
		}
		return l.join(raw, pieceBytes)
	}
	return l.loadSideBySide(len(at), n, func(k int) mem { return at[k] })
}

// smallPieces loads pieces of 4 or 8 bytes into the low 16 bytes of a register or a part of them.
func (l *accesses) smallPieces(at []mem, n int) reg {
	insert := bySize{4: asm.VPINSRD, 8: asm.VPINSRQ}
	r := l.vr()
	l.loadLow(r, at[0], n)
	for k, m := range at[1:] {
		r = l.result(cV, inst{op: insert[n], w: 16, v: r, m: m, imm: int64(k + 1)})
	}
	return r
}

// maskedPieces calls f for each pair of a piece and a register that share lanes. q is the address of the
// register's element 0 relative to the piece, k the mask of the shared lanes. first marks the register's first
// piece.
func (l *accesses) maskedPieces(at []mem, piece, es int, m mask, f func(q mem, part int, k reg, first bool)) {
	per := l.perPart(es)
	for lane := 0; lane < l.n; lane += min(piece, per) {
		part, from := lane/per, lane%per
		q, k := at[lane/piece], l.partMask(m, es, part)
		q.disp += int32((lane%piece - from) * es)
		if piece < per {
			k = l.kop3(asm.KANDW, k, l.constMask((1<<piece-1)<<from))
		}
		f(q, part, k, from == 0)
	}
}
