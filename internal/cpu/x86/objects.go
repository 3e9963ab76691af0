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
	clear bool                    // private memory has been cleared
	runs  map[gang.Reg]*runAccess // by offsets
	taken map[gang.Reg][]bool     // the used elements of vectors that are never used whole
	wants map[gang.Reg]widening   // of loaded vectors: how their conversions begin
}

// place0 returns the operand of an access with a scalar offset, more bytes on.
func (s *objects) place0(i *gang.Inst, more int64) mem {
	off, disp := i.Args[0], i.Imm+more
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
	q.index, q.disp = s.scalar(off), int32(disp)
	return q
}

// isPrivate reports whether a root is a private object.
func (s *objects) isPrivate(root int32) bool { return s.f.Roots[root].Kind == gang.RootPrivate }

// load selects a load of a root.
func (s *objects) load(i *gang.Inst) {
	t := s.f.Type(i.Dst)
	es, n := t.Size(), int(t.N)
	private := s.f.Roots[i.Root].Kind == gang.RootPrivate
	switch {
	case i.Shape == gang.Own:
		s.loadOwn(i)
	case i.Shape == gang.OwnGather:
		s.gatherOwn(i)
	case private && i.Shape != gang.Uniform:
		panic(fmt.Sprintf("x86: a load of a private object of the shape %v", i.Shape))
	case i.Shape == gang.Uniform:
		q := s.place0(i, 0)
		if isGeneral(t) {
			s.setG(i.Dst, s.fetch(asm.Width(es), q))
		} else {
			s.setV(i.Dst, vec{s.vload(vbroadcast[es], s.lv.VL, q)})
		}
	case i.Shape == gang.Broadcast:
		s.loadAlike(i, es, n)
	case i.Shape == gang.Contiguous:
		s.loadContiguous(i, es, n)
	case i.Shape == gang.Permuted:
		s.loadPermuted(i, es, n)
	case i.Shape == gang.Gather:
		s.gather(i, es, n)
	case i.Shape == gang.Rows:
		s.loadRows(i, es, n)
	case i.Shape == gang.Runs && s.runs[i.Args[0]] != nil:
		s.loadRuns(i, es, n)
	case s.hasPieces(i, t):
		s.loadPieces(i, es, n)
	case i.Shape == gang.Lookup:
		s.lookUp(i, es)
	default:
		panic(fmt.Sprintf("x86: a load of the shape %v", i.Shape))
	}
}

// reversedBy reports whether the permutation of an access reverses the lanes.
func (s *objects) reversedBy(i *gang.Inst) bool {
	x, ok := s.bits(i.Args[len(i.Args)-1])
	return ok && x&uint64(s.f.Lanes-1) == uint64(s.f.Lanes-1)
}

func (s *objects) loadPermuted(i *gang.Inst, es, n int) {
	q := s.place0(i, 0)
	if _, ok := s.permutation(es); ok && n == 1 && s.reversedBy(i) {
		s.setV(i.Dst, s.reversed(s.loadParts(q, es), es))
		return
	}
	t := s.turningOf(i, es*n)
	raw := s.rawVec(es, n)
	var w asm.Width
	s.within(s.n*n, func() { w = s.width(es) })
	ts := s.turns(&t, w)
	s.eachPlace(&t, q, func(k int, q mem) {
		var p vec
		s.within(s.n*n/len(raw), func() { p = s.loadParts(q, es) })
		s.vmov(raw[k], s.turned(ts, w, p[0]))
	})
	s.setV(i.Dst, raw)
}

// gather selects a load at varying offsets.
func (s *objects) gather(i *gang.Inst, es, n int) {
	bytewise := es*n%4 != 0 // elements are taken out of aligned words
	m := s.mask(i.Mask)
	q, idx := s.gatherAt(i, bytewise)
	if bytewise {
		idx = s.each2(4, asm.VPADDD, idx, s.misplaced(int(i.Root)))
	}
	if m == nil {
		m = s.allMask()
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
			word := s.gatherWords(q, idx, w, m)
			for k := range w / es {
				ps = append(ps, s.piece(word, w, es, k))
			}
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
	private := r.Kind == gang.RootPrivate
	var m mask
	switch {
	case s.opts.NoBounds:
		m = s.allMask()
	case private && r.Size < int(i.Size):
		m = s.newMask()
		s.zeroMask(m)
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

// store selects a store to a root.
func (s *objects) store(i *gang.Inst) {
	t := s.f.Type(i.Args[1])
	es, n := t.Size(), int(t.N)
	m := s.mask(i.Mask)
	private := s.f.Roots[i.Root].Kind == gang.RootPrivate
	switch {
	case i.Shape == gang.Own:
		s.storeOwn(i)
	case i.Shape == gang.OwnGather:
		s.scatterOwn(i)
	case private && i.Shape != gang.Uniform:
		panic(fmt.Sprintf("x86: a store to a private object of the shape %v", i.Shape))
	case i.Shape == gang.Uniform:
		s.storeUniform(i, t)
	case i.Shape == gang.Contiguous && n == 3 && m == nil:
		s.storeRecords(s.place0(i, 0), s.parts(i.Args[1]), es, 3)
	case i.Shape == gang.Contiguous && m == nil:
		q := s.place0(i, 0)
		raw := s.inOrder(i.Args[1])
		s.within(s.n*n, func() {
			if i.Stream && es*s.n%lineSize == 0 {
				s.storeLines(int(i.Root), q, raw, es)
			} else {
				s.storeParts(q, raw, es)
			}
		})
	case i.Shape == gang.Contiguous && n == 1 && s.lowBytes(i, es) > 0:
		s.storeLow(s.place0(i, 0), s.vector(i.Args[1])[0], s.lowBytes(i, es))
	case i.Shape == gang.Contiguous && n == 1 && s.lv.Target().Masks.Has(es):
		s.storeMasked(s.place0(i, 0), s.vector(i.Args[1]), es, m)
	case i.Shape == gang.Permuted && (m == nil || s.lv.Target().Masks.Has(es)):
		s.storePermuted(i, es, n, m)
	case m == nil && s.hasRecords(i, t):
		s.storeRecords(s.place0(i, 0), s.parts(i.Args[1]), es, int(i.Aux)/es)
	case i.Shape == gang.Fields && m == nil && s.lv.Target().Masks.Has(es):
		s.storeFields(i, es, n)
	case i.Shape == gang.Rows && m == nil:
		s.storeRows(i, t)
	case i.Shape == gang.Runs && m == nil && s.runs[i.Args[0]] != nil:
		s.storeRun(s.runs[i.Args[0]], s.inOrder(i.Args[1]))
	case s.hasPieces(i, t):
		s.storePieces(i, t, m)
	case i.Shape == gang.Gather:
		s.scatter(i, t, m)
	default:
		panic(fmt.Sprintf("x86: a store of the shape %v", i.Shape))
	}
}

func (s *objects) storeUniform(i *gang.Inst, t gang.Type) {
	q := s.place0(i, 0)
	if isGeneral(t) {
		s.st(q, asm.Width(t.Size()), s.scalar(i.Args[1]))
		return
	}
	if x := s.floatScalar(i.Args[1]); t.Size() >= 4 {
		s.storeLow(q, x, t.Size())
	} else {
		s.st(q, asm.Width(t.Size()), s.lowElement(x, t.Size()))
	}
}

func (s *objects) storePermuted(i *gang.Inst, es, n int, m mask) {
	q := s.place0(i, 0)
	if _, ok := s.permutation(es); ok && n == 1 && m == nil && s.reversedBy(i) {
		s.storeParts(q, s.reversed(s.vector(i.Args[1]), es), es)
		return
	}
	t := s.turningOf(i, es*n)
	raw := s.inOrder(i.Args[1])
	var w asm.Width
	s.within(s.n*n, func() { w = s.width(es) })
	ts := s.turns(&t, w)
	s.eachPlace(&t, q, func(k int, q mem) {
		r := s.turned(ts, w, raw[k])
		if m == nil {
			s.within(s.n*n/len(raw), func() { s.storeParts(q, vec{r}, es) })
		} else {
			s.storePart(q, r, es, s.turnedMask(ts, w, m, es, k))
		}
	})
}

// scatter selects a store at varying offsets: of 4 and 8 bytes by a scatter if the level has one, else lane by lane
// in order.
func (s *objects) scatter(i *gang.Inst, t gang.Type, m mask) {
	es := t.Size()
	st := stub{kind: sPut, size: es * int(t.N), step: es * int(t.N)}
	if t.N == 3 {
		st.step = 4 * es
	}
	q, idx := s.gatherAt(i, false)
	if s.lv.Scatters && (st.size == 4 || st.size == 8) {
		s.scatter32(q, idx, s.inOrder(i.Args[1]), st.size, m)
		return
	}
	if s.f.Rows > 1 && m == nil && st.size%pieceBytes == 0 && t.K != ssa.Bool { // work-items of several rows have no order
		s.accesses.storePieces(q, idx, s.parts(i.Args[1]), es)
		return
	}
	s.storeValues(i.Args[1])
	s.putLanes(q, idx, m, st)
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
	if !s.f.Groups {
		return s.privateBase()
	}
	if s.block.private == 0 {
		s.block.private = s.rematerialise(s.fetch(8, frameAt(FramePrivate)))
	}
	return s.block.private
}

// rowOf returns where the row is that an access to a private object with one offset for all lanes is to.
func (s *objects) rowOf(i *gang.Inst) mem {
	r := &s.f.Roots[i.Root]
	if r.Elem == 0 {
		panic("x86: copies of a private object that are not interleaved")
	}
	off := int32(s.private[i.Root] + int(i.Imm)*s.n)
	if x, ok := s.small(i.Args[0]); ok {
		return at(s.privateMemory(), off+int32(x)*int32(s.n))
	}
	p := s.g()
	s.mov(p, s.scalar(i.Args[0]))
	s.opi(asm.SHLIMM, 8, p, int64(bits.TrailingZeros(uint(s.n))))
	return mem{on: true, base: s.privateMemory(), index: p, scale: 1, disp: off}
}

func (s *objects) loadOwn(i *gang.Inst) {
	t := s.f.Type(i.Dst)
	es := t.Size()
	q := s.rowOf(i)
	var ps []vec
	for range t.N {
		ps = append(ps, s.loadParts(q, es))
		q.disp += int32(es * s.n)
	}
	s.setParts(i.Dst, ps)
}

func (s *objects) storeOwn(i *gang.Inst) {
	es := s.f.Type(i.Args[1]).Size()
	q := s.rowOf(i)
	m := s.mask(i.Mask)
	for _, p := range s.parts(i.Args[1]) {
		s.storeRow(q, p, es, m)
		q.disp += int32(es * s.n)
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

func (s *objects) gatherOwn(i *gang.Inst) {
	t := s.f.Type(i.Dst)
	q, idx, between := s.ownOffsets(i, t.Size())
	m := s.mask(i.Mask)
	var ps []vec
	for range t.N {
		ps = append(ps, s.gather32(q, idx, t.Size(), m))
		q.disp += int32(between)
	}
	s.setParts(i.Dst, ps)
}

func (s *objects) scatterOwn(i *gang.Inst) {
	es := s.f.Type(i.Args[1]).Size()
	q, idx, between := s.ownOffsets(i, es)
	m := s.mask(i.Mask)
	for _, p := range s.parts(i.Args[1]) {
		s.scatter32(q, idx, p, es, m)
		q.disp += int32(between)
	}
}

// clearRoot zeroes a private object, or a part of an interleaved one. With the first object it zeroes all of the gang's
// private memory.
func (s *objects) clearRoot(i *gang.Inst) {
	if i.Aux == 0 {
		if !s.clear {
			s.clear = true
			s.lowerer.clear(at(s.privateMemory(), 0), s.out.Private*s.f.Lanes)
		}
		return
	}
	r := &s.f.Roots[i.Root]
	if s.f.Lanes == 1 {
		s.zeroAlone(at(s.privateMemory(), int32(s.private[i.Root]+int(i.Imm))), int(i.Aux))
		return
	}
	q := at(s.privateMemory(), int32(s.private[i.Root]+int(i.Imm)*s.n))
	m := s.mask(i.Mask)
	if m == nil {
		s.lowerer.clear(q, int(i.Aux)*s.n)
		return
	}
	s.strides(q, int(i.Aux)*s.n, r.Elem*s.n, func(q mem) { s.storeRow(q, s.constV(r.Elem, 0), r.Elem, m) })
}
