package gang

import "github.com/purecl/purecl/internal/ir/ssa"

// exchanges reports whether few instructions exchange elements of all lanes: each register takes elements of one or two.
func exchanges(b *accesses) bool {
	switch t := b.o.Target; {
	case t.LaneByLane:
		return false
	case t.TwoSources.Has(4):
		return b.o.Lanes <= 2*t.Lanes
	default:
		return b.o.Lanes <= t.Lanes
	}
}

// A clampedLoad loads elements at indices such as clamp(x + d, 0, n - 1), where x grows by one from lane to lane. From
// lane to lane the index stays or grows by one. The elements of all lanes therefore lie in one vector, which begins at the first
// lane's element. The gang loads it and exchanges its elements by the lanes' distances from the first lane.
type clampedLoad struct {
	first Reg // the first lane's index
	apart Reg // the distance of each lane's index from that
	fits  Reg // whether the unclamped indices of all lanes are in the range of their type; 0: they are
}

// A clampedIndex is a clamped index and the block that computes the lanes' distances from it. That is the block of the
// loads. If their loop does not change the index, it is the block of the index.
type clampedIndex struct {
	v  *ssa.Value
	at *ssa.Block
}

// clampedLoadOf returns the load of an access with the pattern Joined whose only choice is a clamp; nil for others. All loads of a
// block at one index share it.
func clampedLoadOf(b *accesses, w *fastPath) (v *ssa.Value, c *clampedLoad) {
	v, unclamped, wraps := b.p.Facts.Clamp(&w.Address, w.Type.Size())
	if v == nil || !exchanges(b) {
		return nil, nil
	}
	k := clampedIndex{v, b.src}
	outside := b.loopDepth(v.Block) < b.loopDepth(b.src)
	if outside {
		k.at = v.Block
	}
	if c = b.clamped[k]; c != nil {
		return v, c
	}
	if b.clamped == nil {
		b.clamped = map[clampedIndex]*clampedLoad{}
	}
	c = &clampedLoad{}
	b.clamped[k] = c
	if outside {
		b.insertAll(b.tails[v.Block.ID], func() { c.begin(b, v, unclamped, wraps) })
	} else {
		c.begin(b, v, unclamped, wraps)
	}
	return v, c
}

// loopDepth returns the number of loops around x.
func (b *accesses) loopDepth(x *ssa.Block) int {
	if l := b.p.Loops.Of(x); l != nil {
		return l.Depth
	}
	return 0
}

// begin computes what the loads at the index v share.
func (c *clampedLoad) begin(b *accesses, v, unclamped *ssa.Value, wraps bool) {
	t := vectorOf(v.Type.K)
	c.first = firstOf(b, v, nil, nil)
	c.apart = b.each(ssa.OpSub, t, 0, b.vector(v, 0), b.inst(Inst{Op: OpSplat, Args: b.regs(c.first)}, t))
	if v.Type.K != ssa.U32 {
		c.apart = b.each(ssa.OpBitcast, vectorOf(ssa.U32), 0, c.apart)
	}
	if wraps {
		s := Type{Scalar, unclamped.Type.K, 1}
		x := b.scalar(unclamped, 0)
		c.fits = b.each(ssa.OpLe, aBool, 0, x, b.plus(s, x, int64(b.o.Lanes-1)))
	}
}

// into loads the elements into register d. Control goes to no if an element may be out of bounds.
func (c *clampedLoad) into(b *accesses, w *fastPath, v *ssa.Value, no *Block, d Reg) {
	t := b.f.Type(d)
	if c.fits != 0 {
		b.unless(b.holds(ssa.OpNe, c.fits, b.constant(aBool, 0)), no)
	}
	off := b.plus(i64, b.sum(i64, 0, w.Terms, func(o *ssa.Value) Reg { return firstOf(b, o, nil, map[*ssa.Value]Reg{v: c.first}) }), w.Disp)
	b.unless(check{Inst{Op: OpCheck, Root: int32(w.root), Args: b.regs(off), Size: int32(b.o.Lanes * t.Size())}, 1}, no)
	window := b.inst(Inst{Op: OpLoad, Shape: Contiguous, Args: b.regs(off), Root: int32(w.root)}, t)
	b.emit(Inst{Op: OpExchange, Dst: d, Args: b.regs(window, c.apart), Aux: int64(b.o.Lanes), Imm: 1})
}
