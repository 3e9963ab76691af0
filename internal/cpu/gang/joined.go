package gang

import (
	"maps"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A joinedLoad loads one element of each lane from several addresses: first from the usual one. Where lanes choose another,
// they get the elements at that one.
type joinedLoad struct {
	*accesses
	w     *fastPath
	picks lanes.Picks
	no    *Block // where an element of a lane may be out of bounds
	t     Type   // of the elements
}

// into loads the elements into register d, with some choices picked.
func (j *joinedLoad) into(d Reg) {
	v, stride, _ := j.p.Facts.NextChoice(&j.w.Address, j.picks)
	if v == nil {
		j.leaf(d, stride == 0)
		return
	}
	usual, other := lanes.Alternatives(v)
	swapped := j.p.Facts.PrefersSecond(v)
	if swapped {
		usual, other = other, usual
	}
	j.picks[v] = usual
	j.into(d)
	same := j.newBlock(j.cur.Depth, j.cur.Cold)
	first := j.unlessAny(v, !swapped, same)
	outer := j.here
	if j.here = maps.Clone(outer); j.here == nil {
		j.here = map[element]Reg{}
	}
	mixed := j.newBlock(j.cur.Depth, true)
	j.jump(mixed)
	j.place(mixed)
	j.picks[v] = other
	x, y := j.f.NewReg(j.t), d
	j.into(x)
	if swapped {
		x, y = y, x
	}
	if first == 0 {
		first = isFirst(j.accesses, v)
	}
	j.emit(Inst{Op: OpEach, Each: ssa.OpSelect, Dst: d, Args: j.regs(first, y, x)})
	delete(j.picks, v)
	j.here = outer
	j.jump(same)
	j.place(same)
}

// leaf loads elements whose address is uniform or contiguous if all lanes' are in bounds.
func (j *joinedLoad) leaf(d Reg, uniform bool) {
	off := Reg(0)
	for _, o := range j.w.Terms {
		r := j.asOffset(i64, o, firstOf(j.accesses, o, j.picks))
		if len(j.w.Terms) > 1 && j.p.Varying[o.ID] {
			// A term within ±MaxDisp wraps in no lane.
			x := j.plus(idType, j.each(ssa.OpBitcast, idType, 0, r), lanes.MaxDisp)
			j.unless(j.holds(ssa.OpLt, x, j.constant(idType, 2*lanes.MaxDisp)), j.no)
		}
		off = j.add(i64, off, r)
	}
	off = j.plus(i64, off, j.w.Disp)
	shape, size := Contiguous, j.w.Type.Size()*j.o.Lanes
	if uniform {
		shape, size = Broadcast, j.w.Type.Size()
	}
	j.unless(check{Inst{Op: OpCheck, Root: int32(j.w.root), Args: j.regs(off), Size: int32(size)}, 1}, j.no)
	j.emit(Inst{Op: OpLoad, Shape: shape, Dst: d, Args: j.regs(off), Root: int32(j.w.root)})
}

// firstOf returns what an integer would be in the first lane if choices were as picked.
func firstOf(b *accesses, v *ssa.Value, picks lanes.Picks) Reg {
	v = b.p.Facts.Source(v)
	f := b.p.Facts.Of(v)
	switch {
	case picks[v] != nil:
		return firstOf(b, picks[v], picks)
	case !b.p.Varying[v.ID] || f.Shape == lanes.Affine && f.Order == nil:
		return b.scalar(v, 0)
	}
	return b.again(v, func(a *ssa.Value) Reg { return firstOf(b, a, picks) })
}

// unlessAny ends a block: control goes to none if no lane chooses the first alternative of v, or the second one. It returns the
// lanes that choose the first if it has computed them, else 0.
func (j *joinedLoad) unlessAny(v *ssa.Value, second bool, none *Block) (first Reg) {
	var exits voteExits
	if exits[ssa.VoteNone] = none; second {
		exits = voteExits{ssa.VoteAll: none}
	}
	if op, x, y := chosenBy(v); x != nil && j.voteByEnds(op, x, y, exits) {
		return 0
	}
	first = isFirst(j.accesses, v)
	any := first
	if second {
		any = j.each(ssa.OpNot, predicate, 0, first)
	}
	j.unless(check{Inst{Op: OpAny, Args: j.regs(any), Mask: j.mask(j.src)}, 1}, none)
	return first
}

// chosenBy returns the comparison that is true if a choice is its first alternative, or nil.
func chosenBy(v *ssa.Value) (op ssa.Op, x, y *ssa.Value) {
	switch x, y = v.Args[0], v.Args[1]; v.Op {
	case ssa.OpMin:
		return ssa.OpLe, x, y
	case ssa.OpMax:
		return ssa.OpLe, y, x
	}
	if c := v.Args[0]; len(c.Args) == 2 {
		return c.Op, c.Args[0], c.Args[1]
	}
	return 0, nil, nil
}

// isFirst returns the lanes in which a choice is its first alternative.
func isFirst(b *accesses, v *ssa.Value) Reg {
	if v.Op == ssa.OpSelect {
		return b.vector(v.Args[0], 0)
	}
	op, x, y := chosenBy(v)
	return b.each(op, predicate, 0, b.vector(x, 0), b.vector(y, 0))
}

// mayJoin reports whether addresses that v is part of may have the patterns joined or window.
func mayJoin(b *accesses, v *ssa.Value) bool {
	return b.p.Facts.IsChoice(v) || (v.Op == ssa.OpAnd || v.Op == ssa.OpShr) && lanes.IsInt(v.Type.K) && b.p.Varying[v.ID] && v.Args[1].IsConst()
}

// findJoined finds the values that only addresses of joins and windows depend on: vectors of them are built where a check fails.
func findJoined(b *accesses) {
	if !slices.ContainsFunc(b.p.Order, func(x *ssa.Block) bool {
		return slices.ContainsFunc(x.Values, func(v *ssa.Value) bool { return mayJoin(b, v) })
	}) {
		return
	}
	b.joinOnly = make([]bool, b.p.F.NumValues())
	uses := make([]int32, b.p.F.NumValues())
	for _, x := range slices.Backward(b.p.Order) {
		for _, v := range slices.Backward(x.Values) {
			switch v.Op {
			case ssa.OpLoad:
				if !b.p.Varying[v.Args[0].ID] {
					continue
				}
				if p := b.patterns.Access(v, true).Pattern; p == lanes.Joined || p == lanes.Window {
					uses[v.Args[0].ID]++
				}
			case ssa.OpPtrAdd, ssa.OpConvert, ssa.OpBitcast, ssa.OpMul, ssa.OpShl, ssa.OpAdd, ssa.OpSub, ssa.OpOr, ssa.OpAnd, ssa.OpShr, ssa.OpSelect, ssa.OpMin, ssa.OpMax,
				ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe:
				if b.joinOnly[v.ID] = uses[v.ID] > 0 && uses[v.ID] == b.uses[v.ID]; b.joinOnly[v.ID] {
					for _, a := range v.Args {
						uses[a.ID]++
					}
				}
			}
		}
	}
}
