package x86

import (
	"fmt"
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Accesses to known objects, in bounds.

// objects selects accesses to known objects.
type objects struct {
	flips map[flipKey]reg // computed from numbers by which lanes are permuted
	*elements
	runs  map[gang.Reg]*runAccess // by offsets
	taken map[gang.Reg][]bool     // the used elements of vectors that are never used whole
	wants map[gang.Reg]widening   // of loaded vectors: how their conversions begin
	// By loaded vector: the register that has the address of its elements.
	sources map[gang.Reg]reg

	compactions map[*gang.Inst]compaction // by the test that selects one and by its store
	localCopies copiedParts
}

// place0 returns the operand of an access with a scalar offset.
func (s *objects) place0(i *gang.Inst) mem {
	off, disp := i.Args[0], i.Imm
	var base reg
	if s.isPrivate(i.Root) {
		base = s.privateMemory()
		disp += int64(s.private[i.Root])
	} else {
		base = s.rootBaseReg(int(i.Root))
	}
	if x, ok := s.small(off); ok && i.Scale == 0 && x+disp == int64(int32(x+disp)) {
		return at(base, int32(x+disp))
	}
	q := at(base, 0)
	if i.Scale != 0 {
		q.index, q.scale, q.disp = s.scalar(off), uint8(i.Scale), int32(disp)
		return q
	}
	if d := s.def[off]; d != nil && d.Op == gang.OpEach && d.Each == ssa.OpAdd && s.defs[d.Args[0]] == 1 && s.reads[off] == 1 {
		if x, ok := s.small(d.Args[1]); ok && x+disp == int64(int32(x+disp)) {
			off, disp = d.Args[0], disp+x
		}
	}
	q.disp = int32(disp)
	if d, scale := s.scaled(off, max(s.at[off], 1)); scale != 0 {
		q.index, q.scale = s.scalar(d), scale
		return q
	}
	q.index = s.scalar(off)
	return q
}

// isPrivate reports whether a root is a private object.
func (s *objects) isPrivate(root int32) bool { return s.f.Roots[root].Kind == gang.RootPrivate }

// loads and stores select accesses to a root, by shape. The lanes have n elements of es bytes.
var (
	loads = map[gang.Shape]func(s *objects, i *gang.Inst, es, n int){
		gang.Own:        (*objects).loadOwn,
		gang.OwnGather:  (*objects).gatherOwn,
		gang.Uniform:    func(s *objects, i *gang.Inst, _, _ int) { s.setFirst(i.Dst, s.place0(i)) },
		gang.Broadcast:  (*objects).loadAlike,
		gang.Contiguous: (*objects).loadContiguous,
		gang.Permuted:   (*objects).permuted,
		gang.Gather:     (*objects).gather,
		gang.Rows:       (*objects).loadRows,
		gang.Runs: func(s *objects, i *gang.Inst, es, n int) {
			s.setParts(i.Dst, s.split(nil, s.loadRun(s.runs[i.Args[0]]), es*n, es))
		},
		gang.Pieces: (*objects).loadPieces,
		gang.Spread: loadHalves,
		gang.Lookup: (*objects).lookUp,
	}
	stores = map[gang.Shape]func(s *objects, i *gang.Inst, es, n int){
		gang.Own:        (*objects).storeOwn,
		gang.OwnGather:  (*objects).scatterOwn,
		gang.Uniform:    (*objects).storeUniform,
		gang.Contiguous: (*objects).storeContiguous,
		gang.Permuted:   (*objects).permuted,
		gang.Strided: func(s *objects, i *gang.Inst, es, _ int) {
			s.storeRecords(s.place0(i), s.parts(i.Args[1]), es, int(i.Aux)/es)
		},
		gang.Fields: (*objects).storeFields,
		gang.Rows:   (*objects).storeRows,
		gang.Runs:   func(s *objects, i *gang.Inst, _, _ int) { s.storeRun(s.runs[i.Args[0]], s.inOrder(i.Args[1])) },
		gang.Pieces: (*objects).storePieces,
		gang.Spread: (*objects).storeSpread,
		gang.Gather: (*objects).scatter,
	}
)

// access selects a load or a store of a root.
func (s *objects) access(i *gang.Inst) {
	shapes, r := loads, i.Dst
	if i.Op == gang.OpStore {
		shapes, r = stores, i.Args[1]
	}
	t, f := s.f.Type(r), shapes[i.Shape]
	if f == nil || !s.has(i, t) {
		panic(fmt.Sprintf("x86: a %v of the shape %v", i.Op, i.Shape))
	}
	f(s, i, t.Size(), int(t.N))
}

// has reports whether the level has an access to elements of t, as its target says.
func (s *objects) has(i *gang.Inst, t gang.Type) bool {
	whole := i.Op == gang.OpLoad || i.Mask == 0
	masks := whole || s.lv.Target().Masks.Has(t.Size())
	switch i.Shape {
	case gang.Own, gang.OwnGather, gang.Uniform:
		return true
	case gang.Contiguous:
		collects := t.Size() == 4 || s.lv.TwoSources.Has(t.Size())
		if storesPairs(s, i, t) {
			return true
		}
		if i.Mask != 0 && s.lowBytes(i, t.Size()) == 0 && t.N == 1 && !s.lv.Target().Masks.Has(t.Size()) {
			return false
		}
		return (whole || t.N == 1 && (masks || s.lowBytes(i, t.Size()) > 0)) && (t.N&(t.N-1) == 0 || collects)
	case gang.Permuted:
		return masks
	case gang.Strided:
		return whole && s.hasRecords(i, t)
	case gang.Fields:
		return whole && s.lv.Target().Masks.Has(t.Size())
	case gang.Rows:
		return whole
	case gang.Runs:
		return whole && s.runs[i.Args[0]] != nil
	case gang.Spread:
		if i.Op == gang.OpLoad {
			return hasHalves(s, i, t.Size())
		}
		return s.lv.Target().MaskedPieces.Has(t.Size())
	case gang.Pieces:
		return int(i.Aux)*t.Size()*int(t.N) >= 4 && t.N&(t.N-1) == 0 && (i.Mask == 0 || t.N == 1 && s.lv.Target().MaskedPieces.Has(t.Size()))
	}
	return !s.isPrivate(i.Root)
}

// permuted selects a load or a store of lanes in an order.
func (s *objects) permuted(i *gang.Inst, es, n int) {
	m, q, t := s.mask(i.Mask), s.place0(i), s.turningOf(i, es*n)
	var raw vec
	if i.Op == gang.OpStore {
		raw = s.inOrder(i.Args[1])
	}
	s.within(s.n*n, func() {
		w, bytes := s.width(es), min(t.all, int(s.lv.VL))
		ts := s.turns(&t, w)
		s.eachPlace(&t, q, func(k int, q mem) {
			switch {
			case i.Op == gang.OpLoad:
				d := s.vr()
				s.loadLow(d, q, bytes)
				raw = append(raw, s.turned(ts, w, d))
			case m == nil:
				s.storeLow(q, s.turned(ts, w, raw[k]), bytes)
			default:
				s.storePart(q, s.turned(ts, w, raw[k]), es, s.turnedMask(ts, w, m, es, k))
			}
		})
	})
	if i.Op == gang.OpLoad {
		s.setV(i.Dst, raw)
	}
}

// gather selects a load at varying offsets.
func (s *objects) gather(i *gang.Inst, es, n int) {
	bytewise := es*n%4 != 0 // elements are taken out of aligned words
	m := s.mask(i.Mask)
	q, idx := s.gatherAt(i, bytewise)
	if bytewise {
		idx = s.each2(4, asm.VPADDD, idx, s.misplaced(int(i.Root)))
	}
	s.setParts(i.Dst, s.gathered(q, idx, es, n, bytewise, m))
}

// gathered gathers words of 8 and 4 bytes for each lane and extracts the elements.
func (s *objects) gathered(q mem, idx vec, es, n int, bytewise bool, m mask) (ps []vec) {
	for len(ps) < n {
		w := min(8, (n-len(ps))*es&^3)
		if bytewise && es < 4 {
			w = es
			ps = append(ps, s.gather32(q, idx, es, m))
		} else {
			ps = s.split(ps, s.gatherWords(q, idx, w, m), w, es)
		}
		q.disp += int32(w)
	}
	return ps
}

// offsetsOf returns 32-bit numbers that are the lanes' distances from gatherBase, times the scale.
func (s *objects) offsetsOf(i *gang.Inst, root int, unit bool) (idx vec, scale int) {
	idx = s.vector(i.Args[0])
	if by := int(i.Scale); by != 0 {
		scale = min(by, 8)
		if unit {
			scale = 1
		}
		if f := by / scale; f > 1 {
			idx = s.eachShift(4, asm.VPSLLD, idx, int64(bits.TrailingZeros(uint(f))))
		}
		return idx, scale
	}
	idx = s.truncate(8, 4, idx)
	if s.large(root) {
		idx = s.each2(4, asm.VPXOR, idx, s.constV(4, largeMiddle))
	}
	return idx, 1
}

// inside selects a test whether offsets are in bounds.
func (s *objects) inside(i *gang.Inst) {
	r := &s.f.Roots[i.Root]
	private := s.isPrivate(i.Root)
	var m mask
	switch {
	case s.opts.NoBounds:
		m = s.allMask()
	case private && r.Size < int(i.Size):
		m = s.noLanes()
	case private:
		m = s.cmpInt(predLE, 8, false, s.vector(i.Args[0]), s.constV(8, uint64(r.Size-int(i.Size))))
	case i.Scale != 0:
		m = s.cmpInt(predLT, 4, false, s.vector(i.Args[0]), s.limitIn(int(i.Root), int(i.Size), i.Write, int(i.Scale)))
	default:
		m = s.cmpInt(predLT, 8, false, s.vector(i.Args[0]), s.limitV(int(i.Root), int(i.Size), i.Write))
	}
	if !private && !i.Write && i.Size%4 == 2 {
		m = s.andMask(m, s.evenOffsets(i))
	}
	if i.Mask != 0 {
		m = s.andMask(m, s.mask(i.Mask))
	}
	s.setK(i.Dst, m)
}

// evenOffsets returns the lanes whose addresses are even: a gather takes elements of 2 bytes out of aligned words of
// 4, between which none may lie.
func (s *objects) evenOffsets(i *gang.Inst) mask {
	idx, _ := s.offsetsOf(i, int(i.Root), true)
	idx = s.each2(4, asm.VPADDD, idx, s.misplaced(int(i.Root)))
	return s.cmpInt(predEQ, 4, false, s.each2(4, asm.VPAND, idx, s.constV(4, 1)), s.constV(4, 0))
}

func (s *objects) storeUniform(i *gang.Inst, es, _ int) {
	q := s.place0(i)
	if isGeneral(s.f.Type(i.Args[1])) {
		s.st(q, asm.Width(es), s.scalar(i.Args[1]))
	} else if x := s.floatScalar(i.Args[1]); es >= 4 {
		s.storeLow(q, x, es)
	} else {
		s.st(q, asm.Width(es), s.lowElement(x, es))
	}
}

func (s *objects) storeContiguous(i *gang.Inst, es, n int) {
	m := s.mask(i.Mask)
	q := s.place0(i)
	switch low := s.lowBytes(i, es); {
	case n == 3:
		s.storeRecords(q, s.parts(i.Args[1]), es, n)
	case low > 0:
		s.storeLow(q, s.vector(i.Args[1])[0], low)
	case storesPairs(s, i, s.f.Type(i.Args[1])):
		storePairs(s, q, i.Args[1], m)
	case m != nil:
		s.storeMasked(q, s.vector(i.Args[1]), es, m)
	default:
		raw := s.inOrder(i.Args[1])
		s.within(s.n*n, func() {
			if i.Stream && es*s.n%lineSize == 0 {
				s.storeLines(int(i.Root), q, raw, es)
			} else {
				s.storeParts(q, raw, es)
			}
		})
	}
}

// scatter selects a store at varying offsets: of 4 and 8 bytes by a scatter if the level has one, else lane by lane
// in order.
func (s *objects) scatter(i *gang.Inst, es, n int) {
	if _, ok := s.compactions[i]; ok {
		return
	}
	m := s.mask(i.Mask)
	t := s.f.Type(i.Args[1])
	st := stub{kind: sPut, size: es * n, step: stepOf(t)}
	if off, more, ok := s.commonOffset(i); ok && m != nil && n == 1 && s.n <= mostMasked {
		s.storeLast(i, off, more, es)
		return
	}
	q, idx := s.gatherAt(i, false)
	if s.compacts(i, t, int(q.scale)) {
		s.scatterCompacted(q, idx, s.inOrder(i.Args[1]), m)
		return
	}
	if (s.lv.Scatters || m == nil && s.storesLanes()) && (st.size == 4 || st.size == 8) {
		s.scatter32(q, idx, s.inOrder(i.Args[1]), st.size, m)
		return
	}
	if s.f.Rows > 1 && m == nil && st.size%pieceBytes == 0 && t.K != ssa.Bool { // work-items of several rows have no order
		s.storeRowPieces(q, idx, s.parts(i.Args[1]), es)
		return
	}
	s.storeValues(i.Args[1])
	s.putLanes(q, idx, m, st)
}

// commonOffset returns the offset of an access if it is the same in all lanes: the sum of a scalar and a number, in 32 bits if i has
// a scale.
func (s *objects) commonOffset(i *gang.Inst) (off gang.Reg, more int64, ok bool) {
	for r := i.Args[0]; ; {
		d := s.def[r]
		switch {
		case d == nil:
			return 0, 0, false
		case d.Op == gang.OpSplat:
			return d.Args[0], more, true
		case i.Scale == 0 || d.Op != gang.OpEach:
			return 0, 0, false
		case d.Each == ssa.OpAdd:
			x, known := s.small(d.Args[1])
			if !known {
				return 0, 0, false
			}
			more += x
		case d.Each != ssa.OpBitcast:
			return 0, 0, false
		}
		r = d.Args[0]
	}
}

// storeLast selects a masked store of all lanes at one offset: the last active lane's element stays in memory.
func (s *objects) storeLast(i *gang.Inst, off gang.Reg, more int64, es int) {
	s.storeValues(i.Args[1])
	s.maskBits(s.mask(i.Mask))
	s.emit(inst{op: asm.TEST, w: 8, fl: fUseReg, reg: rAX, rm: rAX})
	join := s.blockHere()
	s.jcc(asm.JE, join)
	lane := s.result(cG, inst{op: asm.LZCNT, w: 8, rm: rAX})
	s.opi(asm.XORIMM, 8, lane, 63)
	q := at(rCtx, CtxVals)
	q.index, q.scale = lane, uint8(es)
	x := s.fetch(asm.Width(es), q)
	to := at(s.rootBaseReg(int(i.Root)), int32(i.Imm))
	if to.index = s.scalar(off); i.Scale != 0 {
		to.index = s.copyG(to.index)
		s.opi(asm.ADDIMM, 4, to.index, int64(int32(more))) // clears the upper half too
		s.opi(asm.SHLIMM, 8, to.index, int64(bits.TrailingZeros(uint(i.Scale))))
	}
	s.st(to, asm.Width(es), x)
	s.place(join)
}

// storeValues stores the elements of a vector for the stubs.
func (s *objects) storeValues(r gang.Reg) {
	t := s.f.Type(r)
	if wholeType(t) {
		raw := s.inOrder(r)
		s.within(s.n*int(t.N), func() { s.storeParts(ctxAt(CtxVals), raw, t.Size()) })
		return
	}
	s.storeElements(ctxAt(CtxVals), s.parts(r), t.Size())
}

// Private objects.

// privateMemory returns the address of the gang's private memory.
func (s *objects) privateMemory() reg {
	load := func() reg { return s.rematerialise(s.fetch(8, frameAt(FramePrivate))) }
	if !s.f.Groups {
		return s.rootFact(rootKey{what: privateRoot}, load)
	}
	if s.block.private == 0 { // gangs have different memory
		s.block.private = load()
	}
	return s.block.private
}

// rowOf returns where the row is that an instruction with one offset for all lanes, or with none, is for.
func (s *objects) rowOf(i *gang.Inst) mem {
	r := &s.f.Roots[i.Root]
	if r.Elem == 0 {
		panic("x86: copies of a private object that are not interleaved")
	}
	off := int32(s.private[i.Root] + int(i.Imm)*s.n)
	if len(i.Args) == 0 {
		return at(s.privateMemory(), off)
	}
	if x, ok := s.small(i.Args[0]); ok {
		return at(s.privateMemory(), off+int32(x)*int32(s.n))
	}
	p := s.copyG(s.scalar(i.Args[0]))
	s.opi(asm.SHLIMM, 8, p, int64(bits.TrailingZeros(uint(s.n))))
	return mem{on: true, base: s.privateMemory(), index: p, scale: 1, disp: off}
}

// loadOwn selects a load of one element, or of several successive ones, of each lane's copy of a private object.
func (s *objects) loadOwn(i *gang.Inst, es, n int) {
	q := s.rowOf(i)
	if s.wholeRows(i, es) {
		s.loadInOrder(i, q, es, n)
		return
	}
	s.loadEach(i.Dst, q, es*s.n, func(q mem) vec { return s.loadParts(q, es) })
}

// storeOwn is the inverse of loadOwn.
func (s *objects) storeOwn(i *gang.Inst, es, n int) {
	q, m := s.rowOf(i), s.mask(i.Mask)
	switch {
	case !s.wholeRows(i, es):
		s.storeEach(i.Args[1], q, es*s.n, func(q mem, p vec) { s.storeRow(q, p, es, m) })
	case m == nil:
		raw := s.inOrder(i.Args[1])
		s.within(s.n*n, func() { s.storeParts(q, raw, es) })
	default: // the other lanes keep their vectors
		raw := s.rawVec(es, n)
		s.loadRaw(raw, q, es, n)
		var ps []vec
		for c, old := range s.components(raw, es, n) {
			ps = append(ps, s.choose(m, s.parts(i.Args[1])[c], old, es))
		}
		raw = s.sideBySide(ps, es)
		s.within(s.n*n, func() { s.storeParts(q, raw, es) })
	}
}

// wholeRows reports whether an access is to an object whose copies are interleaved by vectors. It then is of whole ones.
func (s *objects) wholeRows(i *gang.Inst, es int) bool { return s.f.Roots[i.Root].Elem > es }

// loadEach loads the elements of a vector one by one, between bytes apart.
func (s *objects) loadEach(r gang.Reg, q mem, between int, load func(q mem) vec) {
	var ps []vec
	for range s.f.Type(r).N {
		ps = append(ps, load(q))
		q.disp += int32(between)
	}
	s.setParts(r, ps)
}

// storeEach is the inverse of loadEach.
func (s *objects) storeEach(r gang.Reg, q mem, between int, store func(q mem, p vec)) {
	for _, p := range s.parts(r) {
		store(q, p)
		q.disp += int32(between)
	}
}

// ownOffsets returns the lanes' offsets in the gang's private memory, and the distance of a lane's elements.
func (s *objects) ownOffsets(i *gang.Inst, es int) (q mem, idx vec, between int) {
	r := &s.f.Roots[i.Root]
	idx, _ = s.offsetsOf(i, -1, true)
	step, place := int64(s.out.Stride), s.private[i.Root]+int(i.Imm)
	between = es
	if r.Elem != 0 {
		idx = s.eachShift(4, asm.VPSLLD, idx, int64(bits.TrailingZeros(uint(s.n))))
		step, between = int64(r.Elem), es*s.n
		place = s.private[i.Root] + int(i.Imm)*s.n
	}
	return at(s.privateMemory(), int32(place)), s.each2(4, asm.VPADDD, idx, s.arithmetic.ramp(4, step)), between
}

func (s *objects) gatherOwn(i *gang.Inst, es, _ int) {
	q, idx, between := s.ownOffsets(i, es)
	m := s.mask(i.Mask)
	s.loadEach(i.Dst, q, between, func(q mem) vec { return s.gather32(q, idx, es, m) })
}

func (s *objects) scatterOwn(i *gang.Inst, es, _ int) {
	q, idx, between := s.ownOffsets(i, es)
	m := s.mask(i.Mask)
	s.storeEach(i.Args[1], q, between, func(q mem, p vec) { s.scatter32(q, idx, p, es, m) })
}

// zeroOwn zeroes a part of a private object.
func (s *objects) zeroOwn(i *gang.Inst) {
	r, n := &s.f.Roots[i.Root], int(i.Size)
	if s.f.Lanes == 1 {
		s.zeroAlone(at(s.privateMemory(), int32(s.private[i.Root]+int(i.Imm))), n)
		return
	}
	q, m := s.rowOf(i), s.mask(i.Mask)
	if m == nil {
		s.clear(q, n*s.n)
		return
	}
	s.strides(q, n*s.n, r.Elem*s.n, func(q mem) { s.storeRow(q, s.constV(r.Elem, 0), r.Elem, m) })
}
