package x86

import (
	"cmp"
	"slices"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Accesses in the shapes of structures, fields, rows, runs, pieces and tables.

// findTaken finds the vectors whose elements are only used one by one.
func (s *objects) findTaken() {
	s.taken = map[gang.Reg][]bool{}
	whole := map[gang.Reg]bool{}
	for _, i := range s.f.Insts() {
		for _, a := range i.Args {
			t := s.f.Type(a)
			switch {
			case t.Class != gang.Vector || t.N == 1:
			case i.Op != gang.OpPart:
				whole[a] = true
			default:
				if s.taken[a] == nil {
					s.taken[a] = make([]bool, t.N)
				}
				s.taken[a][i.Imm] = true
			}
		}
	}
	for r := range whole {
		delete(s.taken, r)
	}
}

// findSeparate finds the vectors that loads write, at least one of them by single elements, and that are used so.
func (s *objects) findSeparate() {
	s.separate = map[gang.Reg]bool{}
	if len(s.taken) == 0 {
		return
	}
	other := map[gang.Reg]bool{}
	for _, i := range s.f.Insts() {
		switch t := s.f.Type(i.Dst); {
		case s.defs[i.Dst] < 2 || s.taken[i.Dst] == nil || !wholeType(t):
		case i.Op == gang.OpLoad && (i.Shape == gang.Rows || i.Shape == gang.Gather || i.Shape == gang.Runs || i.Shape == gang.OwnGather || i.Shape == gang.Own):
			s.separate[i.Dst] = true
		case i.Op != gang.OpLoad && i.Op != gang.OpLoadPtr:
			other[i.Dst] = true
		}
	}
	for r := range other {
		delete(s.separate, r)
	}
}

// loadContiguous selects a load of lanes side by side.
func (s *objects) loadContiguous(i *gang.Inst, es, n int) {
	q, low := s.place0(i), s.lowBytes(i, es)
	if low == 0 && (i.Mask == 0 || n > 1) {
		s.loadInOrder(i, q, es, n)
		return
	}
	raw := s.rawVec(es, n)
	if low > 0 {
		s.loadLow(raw[0], q, low)
	} else {
		s.loadMasked(q, raw, es, s.mask(i.Mask))
	}
	s.setV(i.Dst, raw)
	s.widenLoaded(i.Dst)
}

// loadInOrder loads all lanes' elements, which are in memory order.
func (s *objects) loadInOrder(i *gang.Inst, q mem, es, n int) {
	used := s.taken[i.Dst]
	switch {
	case n&(n-1) != 0:
		s.setParts(i.Dst, s.loadRecords(q, es, n, func(c int) bool { return used == nil || used[c] || s.defs[i.Dst] != 1 }))
	case used != nil && s.defs[i.Dst] == 1:
		raw := s.rawVec(es, n)
		s.loadRaw(raw, q, es, n)
		s.setParts(i.Dst, s.components(raw, es, n))
	default:
		s.setLoaded(i.Dst, q)
	}
}

// storeFields selects a store of some elements of each lane.
func (s *objects) storeFields(i *gang.Inst, es, n int) {
	q := s.place0(i)
	raw := s.inOrder(i.Args[1])
	s.within(s.n*n, func() {
		part := s.elementMask(es, func(k int) bool { return i.Aux>>(k%n)&1 != 0 })
		for _, r := range raw {
			s.storePart(q, r, es, part)
			q.disp += int32(s.width(es))
		}
	})
}

// gatherAt returns the operand of the lanes' offsets, and these. aligned is gatherBase's.
func (s *objects) gatherAt(i *gang.Inst, aligned bool) (q mem, idx vec) {
	idx, scale := s.offsetsOf(i, int(i.Root), aligned)
	q = at(s.gatherBase(int(i.Root), aligned), int32(i.Imm))
	q.scale = uint8(scale)
	return q, idx
}

func (s *objects) loadRows(i *gang.Inst, es, n int) {
	q, idx := s.gatherAt(i, false)
	if s.defs[i.Dst] == 1 && s.taken[i.Dst] == nil {
		s.setV(i.Dst, s.loadSideBySide(s.n, es*n, s.lanesAt(q, idx)))
		return
	}
	s.setParts(i.Dst, s.loadRowPieces(q, idx, es, n))
}

func (s *objects) storeRows(i *gang.Inst, es, n int) {
	q, idx := s.gatherAt(i, false)
	if h := &s.held[i.Args[1]]; h.f != nil && h.v == nil {
		s.storeSideBySide(h.f, s.n, es*n, s.lanesAt(q, idx))
		return
	}
	s.storeRowPieces(q, idx, s.parts(i.Args[1]), es)
}

// piecesOf returns the addresses of the pieces of an access.
func (s *objects) piecesOf(i *gang.Inst) []mem {
	q, idx := s.gatherAt(i, false)
	return s.pieceAddresses(q, idx, int(i.Aux), i.Mask != 0)
}

// hasRecords reports whether the level has an unmasked store of structures of lanes in the shape strided, as its target says.
func (s *objects) hasRecords(i *gang.Inst, t gang.Type) bool {
	es, n, per := t.Size(), int(t.N), int(s.lv.VL)/t.Size()
	k, repeat := int(i.Aux)/es, min(per, int(i.Aux)/es&-(int(i.Aux)/es)) // the registers' offsets within a structure repeat after k/repeat ones
	return s.lv.Target().Records.Has(es) && i.Aux > 0 && int(i.Aux)%es == 0 && n <= 4 && n <= k && k <= per && s.n >= per && k/repeat <= s.lv.Target().RecordMasks
}

func (s *objects) loadPieces(i *gang.Inst, es, n int) {
	piece := int(i.Aux)
	at := s.piecesOf(i)
	if m := s.mask(i.Mask); m != nil {
		raw := s.rawVec(es, n)
		s.maskedPieces(at, piece, es, m, func(q mem, part int, k reg, first bool) {
			fl := fDefReg
			if !first {
				fl |= fUseReg
			}
			s.emit(inst{op: vmerge[es], w: s.width(es), fl: fl, reg: raw[part], m: q, mask: k, zero: first})
		})
		s.setV(i.Dst, raw)
		return
	}
	s.setV(i.Dst, s.joinPieces(at, piece*es*n))
}

func (s *objects) storePieces(i *gang.Inst, es, n int) {
	m := s.mask(i.Mask)
	raw, piece := s.inOrder(i.Args[1]), int(i.Aux)
	at := s.piecesOf(i)
	if m != nil {
		s.maskedPieces(at, piece, es, m, func(q mem, part int, k reg, _ bool) { s.storePart(q, raw[part], es, k) })
		return
	}
	s.storeSideBySide(raw, len(at), piece*es*n, func(k int) mem { return at[k] })
}

// storesPairs reports whether i stores elements of 2 bytes under a mask on a level without such stores.
func storesPairs(s *objects, i *gang.Inst, t gang.Type) bool {
	return s.lv.Target().Pairs() && i.Op == gang.OpStore && i.Mask != 0 && t.N == 1 && t.Size() == 2 && s.n >= s.lv.Lanes
}

// storePairs stores elements of 2 bytes, side by side at q, under a mask. If both lanes of a pair are active, they are one
// element of 4 bytes, and a masked store writes it. Active lanes without an active partner are rare, and mostly there is one:
// the code here stores the first of them, a stub stores the rest.
func storePairs(s *objects, q mem, r gang.Reg, m mask) {
	l := s.vectors
	beside := l.each(len(m), func(k int) reg { return s.rmi(asm.VPSHUFD, 32, m[k], 0xB1) })
	pairs := s.truncate(4, 2, s.each2(4, asm.VPAND, vec(m), beside))
	to := q
	for k, x := range s.inOrder(r) {
		s.emit(inst{op: asm.VPMASKMOVDST, w: s.width(2), fl: fUseReg, reg: x, v: pairs[k], m: to})
		to.disp += int32(s.width(2))
	}
	rest := mask(s.each2(4, asm.VPANDN, beside, vec(m)))
	s.maskBits(rest)
	s.emit(inst{op: asm.TEST, w: 8, fl: fUseReg, reg: rAX, rm: rAX})
	join := s.blockHere()
	s.jcc(asm.JE, join)
	s.storeValues(r)
	from, lane := at(rCtx, CtxVals), s.result(cG, inst{op: asm.TZCNT, w: 8, rm: rAX})
	from.index, from.scale = lane, 2
	x := s.fetch(2, from)
	s.lea(rDX, q)
	one := at(rDX, 0)
	one.index, one.scale = lane, 2
	s.st(one, 2, x)
	s.lea(rCX, at(rAX, -1))
	s.op2(asm.AND, 8, rAX, rCX)
	s.jcc(asm.JE, join)
	s.storeOffsets(l.ramp(4, 1))
	s.emit(inst{kind: kCall, imm: s.stub(stub{kind: sPut, size: 2, step: stepOf(s.f.Type(r)), scale: 2})})
	s.place(join)
}

// hasHalves reports whether the lanes of each half of a register are side by side in a load of lanes at constant distances.
func hasHalves(s *objects, i *gang.Inst, es int) bool {
	half := s.perPart(es) / 2
	for lane, d := range i.Cases {
		if d != i.Cases[lane&^(half-1)]+uint64(lane&(half-1)*es) {
			return false
		}
	}
	return s.n%half == 0
}

// loadHalves selects a load of lanes at constant distances by halves of registers.
func loadHalves(s *objects, i *gang.Inst, es, _ int) {
	q, half := s.place0(i), s.perPart(es)/2
	s.setV(i.Dst, s.loadSideBySide(s.n/half, half*es, func(k int) mem {
		p := q
		p.disp += int32(i.Cases[k*half])
		return p
	}))
}

// storeSpread selects a store of lanes at constant distances: parts of vectors of permuted elements.
func (s *objects) storeSpread(i *gang.Inst, es, _ int) {
	q, raw, per := s.place0(i), s.vector(i.Args[1]), s.perPart(es)
	var lanes []int
	for lane, d := range i.Cases {
		if d != gang.NotStored {
			lanes = append(lanes, lane)
		}
	}
	slices.SortFunc(lanes, func(a, b int) int { return cmp.Compare(i.Cases[a], i.Cases[b]) })
	for n := 0; len(lanes) > 0; lanes = lanes[n:] {
		from, bits := i.Cases[lanes[0]], uint64(0)
		of := slices.Repeat(lanes[:1], per) // by element: the lane
		for n = 0; n < len(lanes) && i.Cases[lanes[n]]-from < uint64(per*es); n++ {
			e := int(i.Cases[lanes[n]]-from) / es
			of[e] = lanes[n]
			bits |= 1 << e
		}
		p := q
		p.disp += int32(from)
		s.storePart(p, s.collect(raw, es, func(k int) int { return of[k] }), es, s.constMask(bits))
	}
}

// lookUp selects a load from a table in registers.
func (s *objects) lookUp(i *gang.Inst, es, _ int) {
	table := s.tableOf(lookup{int(i.Root), es, i.Imm, int(i.Aux)})
	idx := s.resize(s.vector(i.Args[0]), es, s.f.Type(i.Args[0]).Size(), false)
	s.setV(i.Dst, s.eachPart(idx, func(x reg) reg { return s.pickFrom(table, x, es) }))
}

// Small tables in constant memory. If an index cannot exceed a small number, the table is loaded into registers
// once for all gangs, and permutes select the lanes' elements. The constant address space does not change while a
// kernel runs.

// A lookup is a load from a table.
type lookup struct {
	root, es int
	from     int64 // offset of the table in the root
	entries  int
}

var vpermi2 = bySize{1: asm.VPERMI2B, 2: asm.VPERMI2W, 4: asm.VPERMI2D}

// pickFrom returns the elements of a table in registers that a register of indices selects.
func (l *accesses) pickFrom(table vec, x reg, es int) reg {
	w := l.lv.VL
	if len(table) == 1 {
		op, _ := l.permutation(es)
		return l.rvm(op, w, x, table[0])
	}
	two := func(a, b reg) reg { return l.overwrite(vpermi2[es], w, x, a, b, 0) }
	low := two(table[0], table[1])
	if len(table) == 2 {
		return low
	}
	// For bytes the top bit of the index selects the half.
	high := two(table[2], table[3])
	return l.blend(1, w, low, high, l.krvm(asm.VPMOVB2M, w, 0, x, 0))
}

// tableOf returns the one, two or four registers with a table. Their content is undefined if the object ends
// before the table does.
func (l *accesses) tableOf(t lookup) vec {
	vl := int(l.lv.VL)
	key := func(part int) constKey {
		return constKey{kind: keyLookup, size: t.es<<16 | t.root, bits: uint64(t.from), part: part<<16 | t.entries}
	}
	lim := l.limit(t.root, t.es*t.entries, false)
	base := l.inPrologue(key(-1), func() reg {
		d := l.fetch(8, rootAt(t.root, RootBase))
		if t.from != 0 {
			l.opi(asm.ADDIMM, 8, d, t.from)
		}
		l.lea(rAX, ctxAt(CtxVals)) // bytes that can be read
		l.cmpi(8, lim, t.from)
		l.op2(asm.CMOVBE, 8, d, rAX)
		return d
	})
	n := (t.es*t.entries + vl - 1) / vl
	if n == 3 {
		n = 4
	}
	return l.each(n, func(i int) reg {
		left := min(max(t.entries-i*vl/t.es, 0), vl/t.es)
		k := reg(0)
		if left < vl/t.es {
			k = l.constMask(ones(64) >> (64 - left))
		}
		return l.inPrologue(key(i), func() reg {
			return l.result(cV, inst{op: vmerge[t.es], w: l.lv.VL, m: at(base, int32(i*vl)), mask: k, zero: k != 0})
		})
	})
}

// The last steps of a tree reduction over a work-group execute in the first lanes of one gang: if (l < 8) t[l] +=
// t[l + 8]. If local ids are known, so is the mask, and the lanes access the low part of a register. It is loaded
// and stored without a mask. The load of the next step then lies within the previous store, and the processor
// forwards the stored data. A load of a whole register would wait until the store has reached the cache.

// lowBytes returns the number of bytes of a contiguous access of the first lanes if a single move performs it, else 0.
func (s *objects) lowBytes(i *gang.Inst, es int) int {
	switch n := int(i.Aux) * es; {
	case i.Mask == 0 || s.numParts(es) != 1 || n >= int(s.lv.VL):
	case n == 4, n == 8, n == 16, n == 32:
		return n
	}
	return 0
}
