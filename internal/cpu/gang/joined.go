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
	usual, other, swapped := j.alternatives(v)
	j.picks[v] = usual
	j.into(d)
	same := j.newBlock(j.cur.Depth, j.cur.Cold)
	first := j.unlessAny(v, !swapped, same)
	outer := j.mixed()
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
	shape, size := Contiguous, j.w.Type.Size()*j.o.Lanes
	if uniform {
		shape, size = Broadcast, j.w.Type.Size()
	}
	off := j.inside(size)
	j.emit(Inst{Op: OpLoad, Shape: shape, Dst: d, Args: j.regs(off), Root: int32(j.w.root)})
}

// inside returns the first lane's offset after a test that size bytes from there are in bounds.
func (j *joinedLoad) inside(size int) Reg {
	off := Reg(0)
	for _, o := range j.w.Terms {
		r := j.asOffset(i64, o, firstOf(j.accesses, o, j.picks, nil))
		if len(j.w.Terms) > 1 && j.p.Varying[o.ID] {
			// A term within ±MaxDisp wraps in no lane.
			j.unless(j.between(r, -lanes.MaxDisp, lanes.MaxDisp), j.no)
		}
		off = j.add(i64, off, r)
	}
	for _, x := range j.p.Facts.PickedWraps(&j.w.Address, j.picks) {
		j.unless(fitsUpTo(j.accesses, firstOf(j.accesses, x.V, j.picks, nil), x.V.Type.K, x.Stride), j.no)
	}
	off = j.plus(i64, off, j.w.Disp)
	j.unless(check{Inst{Op: OpCheck, Root: int32(j.w.root), Args: j.regs(off), Size: int32(size), Write: j.w.Write}, 1}, j.no)
	return off
}

// A joinedStore stores one element of each lane at one of two addresses where lanes are side by side.
type joinedStore struct {
	joinedLoad
	mask Reg // the lanes that store
}

// of stores the lanes' elements. If some lanes choose the unusual address, the two ranges of all lanes must not overlap, so that
// the order of the stores does not matter.
func (j *joinedStore) of(whole Reg) {
	v, _, _ := j.p.Facts.NextChoice(&j.w.Address, j.picks)
	usual, other, swapped := j.alternatives(v)
	bytes := j.w.Type.Size() * j.o.Lanes
	store := func(off, mask Reg) {
		j.emit(Inst{Op: OpStore, Shape: Contiguous, Args: j.regs(off, whole), Root: int32(j.w.root), Mask: mask})
	}
	j.picks[v] = usual
	plain := j.w.Together && !j.pairs(j.w) // other gangs scatter
	if plain && j.mask != 0 {
		j.unless(j.allActive(j.mask), j.no)
	}
	off := j.inside(bytes)
	if plain {
		same := j.newBlock(j.cur.Depth, j.cur.Cold)
		j.unlessAny(v, !swapped, same)
		j.jump(j.no)
		j.place(same)
		store(off, 0)
		return
	}
	same, done := j.newBlock(j.cur.Depth, j.cur.Cold), j.newBlock(j.cur.Depth, j.cur.Cold)
	first := j.unlessAny(v, !swapped, same)
	outer := j.mixed()
	j.picks[v] = other
	far := j.inside(bytes)
	apart := j.plus(i64, j.each(ssa.OpSub, i64, 0, off, far), int64(bytes-1))
	j.unless(j.holds(ssa.OpLe, j.constant(idType, uint64(2*bytes-1)), j.each(ssa.OpBitcast, idType, 0, apart)), j.no)
	if first == 0 {
		first = isFirst(j.accesses, v)
	}
	there := first
	here := j.each(ssa.OpNot, predicate, 0, first)
	if !swapped {
		here, there = there, here
	}
	if j.mask != 0 {
		here, there = j.each(ssa.OpAnd, predicate, 0, here, j.mask), j.each(ssa.OpAnd, predicate, 0, there, j.mask)
	}
	store(off, here)
	store(far, there)
	j.jump(done)
	j.here = outer
	j.place(same)
	if j.w.Together && j.mask != 0 {
		some := j.newBlock(j.cur.Depth, true)
		j.unless(j.allActive(j.mask), some)
		store(off, 0)
		j.jump(done)
		j.place(some)
	}
	store(off, j.mask)
	j.jump(done)
	j.place(done)
}

// alternatives returns the alternatives of a choice: the one that lanes mostly choose, and the other. swapped is set if they
// mostly choose the second.
func (j *joinedLoad) alternatives(v *ssa.Value) (usual, other *ssa.Value, swapped bool) {
	usual, other = lanes.Alternatives(v)
	if swapped = j.p.Facts.PrefersSecond(v); swapped {
		usual, other = other, usual
	}
	return usual, other, swapped
}

// mixed begins the block for lanes that choose differently, and returns the elements that are in registers before it.
func (j *joinedLoad) mixed() (outer map[element]Reg) {
	outer = j.here
	if j.here = maps.Clone(outer); j.here == nil {
		j.here = map[element]Reg{}
	}
	b := j.newBlock(j.cur.Depth, true)
	j.jump(b)
	j.place(b)
	return outer
}

// firstOf returns what an integer would be in the first lane if choices were as picked. Some integers are known.
func firstOf(b *accesses, v *ssa.Value, picks lanes.Picks, known map[*ssa.Value]Reg) Reg {
	v = b.p.Facts.Source(v)
	f := b.p.Facts.Of(v)
	switch {
	case known[v] != 0:
		return known[v]
	case picks[v] != nil:
		return firstOf(b, picks[v], picks, known)
	case !b.p.Varying[v.ID] || f.Shape == lanes.Affine && f.Order == nil:
		return b.scalar(v, 0)
	}
	return b.again(v, func(a *ssa.Value) Reg { return firstOf(b, a, picks, known) })
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

// mayJoin reports plain addresses that v is part of may have the patterns joined or window.
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
			case ssa.OpLoad, ssa.OpStore:
				if !b.p.Varying[v.Args[0].ID] {
					continue
				}
				if p := b.patterns.Access(v, true).Pattern; p == lanes.Joined || p == lanes.Window || p == lanes.Spread {
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
