package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Lanes that are far apart and access several consecutive elements each, such as pieces of their own rows. Pieces
// of 16 bytes are loaded lane by lane, four lanes to a register of 64 bytes, and transposed; stores transpose
// first. That takes a fraction of the time of a gather or scatter for each element.

// pieceBytes is the number of bytes loaded at once for a lane.
const pieceBytes = 16

// testOverlap continues at no where two objects overlap.
func (l *accesses) testOverlap(r, s int, no *mblock) {
	for range 2 {
		d := l.copyG(l.rootBaseReg(r))
		l.op2(asm.SUB, 8, d, l.rootBaseReg(s))
		l.cmp(8, d, l.fetch(8, rootAt(s, RootLen)))
		l.jcc(asm.JB, no)
		r, s = s, r
	}
}

// loadSideBySide loads count pieces of n bytes, at least pieceBytes, one after the other into registers.
func (l *vectors) loadSideBySide(count, n int, at func(k int) mem) (raw vec) {
	vl := int(l.lv.VL)
	for k := 0; k < count; k += max(1, vl/n) {
		for disp := 0; disp < n; disp += vl {
			m := at(k)
			m.disp += int32(disp)
			r := l.vload(asm.VMOVUPS, asm.Width(min(n, vl)), m)
			for j := 1; j < min(vl/n, count-k); j++ {
				r = l.insertBytes(r, n, j, at(k+j))
			}
			raw = append(raw, r)
		}
	}
	return raw
}

// storeSideBySide is the inverse of loadSideBySide.
func (l *vectors) storeSideBySide(raw vec, count, n int, at func(k int) mem) {
	w := min(n, int(l.lv.VL))
	for k := range count {
		for disp := 0; disp < n; disp += w {
			m := at(k)
			m.disp += int32(disp)
			l.storeLow(m, l.slice(raw, w, (k*n+disp)/w), w)
		}
	}
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
	return l.result(cV, inst{op: op, w: w, v: r, m: m, imm: int64(k)})
}

// storeRowPieces writes elements of each lane side by side at q + idx · q.scale, in pieces of 16 bytes.
func (l *accesses) storeRowPieces(q mem, idx vec, ps []vec, es int) {
	at := l.lanesAt(q, idx)
	word := max(es, 4)
	words := ps
	if n := word / es; n > 1 {
		words = nil
		for c := 0; c < len(ps); c += n {
			words = append(words, l.compose(ps[c:c+n], es, word))
		}
	}
	most := l.lv.VectorRegs() / 2
	for n := 0; n < len(words); n += most {
		l.storeWords(at, n*word, words[n:min(n+most, len(words))], word)
	}
}

// loadRowPieces reads n elements of each lane at q + idx · q.scale: pieces of 16 bytes, all of which must
// be readable.
func (l *accesses) loadRowPieces(q mem, idx vec, es, n int) (ps []vec) {
	at := l.lanesAt(q, idx)
	word := max(es, 4)
	of := pieceBytes / word // words of a lane in a piece
	words := make([]vec, es*n/word)
	for i := range l.numParts(word) {
		for p, z := range l.piecesOfPart(at, i, es*n/pieceBytes, word) {
			for c, r := range l.transpose16(z, l.lv.VL) {
				words[p*of+c] = append(words[p*of+c], r)
			}
		}
	}
	for _, w := range words {
		ps = l.split(ps, w, word, es)
	}
	return ps
}

// piecesOfPart reads n pieces, side by side, of each lane of part i. Each offset is read once. The pieces are in registers
// by number: those of neighbouring lanes in neighbouring registers.
func (l *accesses) piecesOfPart(at func(lane int) mem, i, n, word int) [][]reg {
	of, per := pieceBytes/word, l.perPart(word)
	list := make([][]reg, n)
	for p := range list {
		list[p] = make([]reg, of)
	}
	for j := range of {
		for k := range per / of {
			m := at(i*per + k*of + j)
			for p := range list {
				if z := &list[p][j]; k == 0 {
					*z = l.vload(asm.VMOVUPS, pieceBytes, m)
				} else {
					*z = l.insertBytes(*z, pieceBytes, k, m)
				}
				m.disp += pieceBytes
			}
		}
	}
	return list
}

// storeWords writes words of each lane at byte from of its row. The pieces of a lane follow each other: with a power
// of two as distance, the cache does not keep the lines of all lanes.
func (l *accesses) storeWords(at func(lane int) mem, from int, words []vec, word int) {
	of, per := pieceBytes/word, l.perPart(word)
	for i := range l.numParts(word) {
		var pieces [][]reg
		for n := 0; n < len(words); n += of {
			z := make([]reg, of)
			for c := range z {
				z[c] = words[n+c][i]
			}
			pieces = append(pieces, l.transpose16(z, l.lv.VL))
		}
		for j := range of {
			for k := range per / of {
				m := at(i*per + k*of + j)
				m.disp += int32(from)
				for _, p := range pieces {
					l.storeLow(m, l.slice(vec{p[j]}, 16, k), 16)
					m.disp += pieceBytes
				}
			}
		}
	}
}

// lanesAt returns the operands of the lanes' rows, which are at q + idx · q.scale. Each call reads an offset at CtxPtrs.
func (l *accesses) lanesAt(q mem, idx vec) func(lane int) mem {
	l.storeOffsets(idx)
	return func(lane int) mem {
		q.index = l.fetch(4, ctxAt(int32(CtxPtrs+4*lane)))
		return q
	}
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
