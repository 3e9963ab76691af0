package gang

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Accesses in which each lane has its own offset.

// A narrowed is the sum of a value and a number, an offset of 32 bits.
type narrowed struct {
	v *ssa.Value
	d int64
}

// laneOffsets builds the lanes' offsets: 32-bit numbers with a scale if the target has them and all fit, else
// bytes.
func (b *accesses) laneOffsets(w *fastPath) {
	x, scale, d, ok := b.p.Facts.NarrowIndex(&w.Address)
	if !ok || !b.o.Target.NarrowOffsets() || w.Private != nil || b.patterns.MayBeLarge(w.Root) {
		w.off, w.scale = b.offset(&w.Access, false), 0
		return
	}
	key := narrowed{x, d}
	if w.off, w.scale = b.narrow[key], int32(scale); w.off != 0 {
		return
	}
	idx := b.vector(x, 0)
	if k := x.Type.K.Num(); k.Size() < 4 {
		wide := ssa.U32
		if k.Signed() { // a conversion to a signed integer extends the sign
			wide = ssa.I32
		}
		idx = b.each(ssa.OpConvert, vectorOf(wide), 0, idx)
	}
	t := vectorOf(ssa.U32)
	if b.f.Type(idx).K != ssa.U32 {
		idx = b.each(ssa.OpBitcast, t, 0, idx)
	}
	if d != 0 {
		idx = b.each(ssa.OpAdd, t, 0, idx, b.constant(t, uint64(d)))
	}
	if w.off = idx; !b.cur.Cold {
		b.narrow[key] = idx
	}
}

// allInside returns the check that the accesses of all active lanes are in bounds.
func (b *accesses) allInside(w *fastPath) check {
	m := b.mask(b.src)
	in := b.inst(Inst{Op: OpInside, Args: b.regs(w.off), Scale: w.scale, Root: int32(w.root), Size: int32(w.Type.Size()), Write: w.Write, Mask: m}, predicate)
	return check{Inst{Op: OpAny, Args: b.regs(b.each(ssa.OpNot, predicate, 0, in)), Mask: m}, 0}
}

// lookup builds the index of a load from a table, and the check that the table is in bounds.
func (b *accesses) lookup(w *fastPath) {
	w.off, w.mask = b.vector(w.Index, 0), b.mask(b.src)
	w.aux, w.disp = int64(w.Entries), w.Disp
	size := w.Entries * w.Type.Size()
	w.checks = []check{{Inst{Op: OpCheck, Root: int32(w.root), Args: b.regs(b.constant(i64, uint64(w.Disp))), Size: int32(size)}, 1}}
}

// wideOffset reports whether v is part of an offset that laneOffsets narrows. Its vector is built only where it is
// used otherwise.
func (b *values) wideOffset(v *ssa.Value) bool {
	x := b.p.Facts.Of(v)
	if !b.o.Target.NarrowOffsets() || v.Type.N != 1 || !lanes.IsInt(v.Type.K) || v.Type.K.Num().Size() != 8 || x.Shape == lanes.Affine && x.Order == nil {
		return false
	}
	switch a := v.Args[0]; v.Op {
	case ssa.OpConvert:
		sat, _ := ssa.ConvParts(v.Aux)
		return !sat && lanes.IsInt(a.Type.K) && a.Type.K != ssa.Bool && a.Type.K.Num().Size() <= 4
	case ssa.OpMul, ssa.OpShl:
		return v.Args[1].IsConst() && b.vals[a.ID].lazy
	}
	return false
}

// A rowOffset is the offsets of the lanes of an access to rows that is in bounds.
type rowOffset struct {
	idx   Reg
	scale int32
}

// testLanes ends the block: control goes to no if an access of some lane to a known object, which must not be
// large, is out of bounds.
func (b *accesses) testLanes(w *fastPath, no *Block) rowOffset {
	b.laneOffsets(w)
	b.unless(b.allInside(w), no)
	return rowOffset{w.off, w.scale}
}

// unless ends the block with a check: control goes to no if it fails.
func (b *accesses) unless(c check, no *Block) {
	next := b.newBlock(b.cur.Depth, b.cur.Cold)
	if c.bad == 0 {
		b.terminate(c.Inst, no, next)
	} else {
		b.terminate(c.Inst, next, no)
	}
	b.place(next)
}

// testable returns the pattern of an access if its object is known, not large, and its pointer is known at the end of x.
func (b *accesses) testable(v *ssa.Value, x *ssa.Block) (w fastPath, ok bool) {
	w.Access = b.patterns.Access(v, b.mask(x) != 0)
	if p := v.Args[0].Block; w.Root == nil || w.Private != nil || b.patterns.MayBeLarge(w.Root) || p != nil && !b.p.Dom.Dominates(p, x) {
		return w, false
	}
	w.root = b.roots.Number(w.Root)
	w.Type, _ = v.AccessType()
	return w, true
}

// testRows ends x with the tests whether the rows that its first successor accesses are all in bounds. With InsideRows
// this covers every vector that it reads, from InsideApart on also the pieces that it writes. Their offsets must be
// known in x.
func (b *accesses) testRows(x *ssa.Block, no *Block, aux int64) {
	block, apart := x.Succs[0], aux >= ssa.InsideApart
	for _, v := range block.Values {
		if v.Op != ssa.OpLoad && (v.Op != ssa.OpStore || !apart) || v.Args[0].Block == nil {
			continue
		}
		w, ok := b.testable(v, x)
		if !ok || w.Type.N == 1 {
			continue
		}
		word := v.Op == ssa.OpLoad && w.Type.Size() == 4 && !w.Regular() && w.Order == nil // a short piece
		if v.Op == ssa.OpLoad && !word && !b.patterns.IsRow(v, &w.Address) {
			// Several rounds in one load would be one violation; testApart tests all accesses.
			if aux == ssa.InsideRows && !b.patterns.Spanned(&w.Access, block) {
				b.testLanes(&w, no)
			}
			continue
		}
		b.rowsIn[v] = b.testLanes(&w, no)
	}
}

// testApart ends block x with tests for its first successor: all accesses must be in bounds, and no written object may
// overlap another one. Rows, and accesses that are tested with their neighbours, need no test here.
func (b *accesses) testApart(x *ssa.Block, no *Block) {
	written, all := map[int]bool{}, map[int]bool{}
	for _, v := range x.Succs[0].Values {
		if _, ok := v.AccessType(); !ok || v.Args[0].Type.K == ssa.PtrPrivate {
			continue
		}
		w, ok := b.testable(v, x)
		if !ok {
			b.unless(b.never(), no)
			return
		}
		all[w.root], written[w.root] = true, written[w.root] || v.Op == ssa.OpStore
		if _, ok := b.rowsIn[v]; !ok && !b.patterns.Spanned(&w.Access, x.Succs[0]) {
			b.testLanes(&w, no)
		}
	}
	for r := range len(b.f.Roots) {
		for s := range len(b.f.Roots) {
			if written[r] && all[s] && s != r && (s > r || !written[s]) {
				b.unless(check{Inst{Op: OpDisjoint, Root: int32(r), Aux: int64(s)}, 1}, no)
			}
		}
	}
}
