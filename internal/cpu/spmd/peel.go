package spmd

import (
	"math"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// peel puts a copy of a loop before it for gangs whose lanes all stay in the loop. When they no longer agree,
// those that stay continue in the original loop. It reports whether it did.
//
// It covers loops that lanes leave at the header only. The header's condition is recomputed in the original
// loop from its phis.
func (g *versions) peel(l *ssa.Loop) bool {
	h := l.Header
	if g.touched[h] {
		return false
	}
	before := entering(g.Plan, l)
	t := h.Term()
	if g.done[h] || !g.Split[h.ID] || t.Op != ssa.OpBranch || g.apart.has(before) || len(before.Succs) != 1 {
		return false
	}
	stay := 0
	if !g.Loops.Contains(l, h.Succs[0]) {
		stay = 1
	}
	all, none := g.agree(t.Args[0])
	if g.Loops.Contains(l, h.Succs[1-stay]) || !(all && stay == 0 || none && stay == 1) {
		return false
	}
	size, ok := g.peelable(l)
	if !ok || size > g.budget {
		return false
	}
	g.budget -= size
	for _, b := range l.Blocks {
		g.touched[b] = true
	}
	g.done[h] = true
	together := g.together(l, before)
	c := g.copyBlocks(l.Blocks)
	nh := c.blocks[h]
	before.Succs = before.Succs[:0]
	c.edge(before, before, h)
	for _, b := range l.Blocks {
		if b == h {
			continue
		}
		c.finish(b)
	}
	// The entering edge of the original loop now comes from the copy's header.
	at := slices.Index(h.Preds, before)
	h.Preds = slices.Delete(h.Preds, at, at+1)
	for _, v := range h.Phis() {
		v.Args = slices.Delete(v.Args, at, at+1)
	}
	some := func(from *ssa.Block) {
		for _, v := range h.Phis() {
			end := c.values[v]
			if together != nil {
				end = together.ends[v]
			}
			v.Args = append(slices.Clip(v.Args), end)
		}
		from.Link(h)
	}
	onto := func(i int, likely bool) func(*ssa.Block) {
		if !likely {
			return some
		}
		return func(from *ssa.Block) { c.edge(from, h, h.Succs[i]) }
	}
	if together != nil {
		stays := nh.Append(g.F.NewValue(ssa.OpLt, ssa.TBool, t.Pos, c.values[together.count], together.rounds))
		nh.Append(g.F.NewValue(ssa.OpBranch, ssa.TVoid, t.Pos, stays))
		c.edge(nh, h, h.Succs[0])
		some(nh)
	} else {
		c.decide(nh, t.Args[0], onto(0, all), onto(1, none), some)
	}
	c.repair()
	g.Forms |= Peeled
	return true
}

// sharedRounds is the number of iterations that all lanes execute together, known before the loop.
type sharedRounds struct {
	count  *ssa.Value // a uniform phi of the header that counts them
	rounds *ssa.Value
	ends   map[*ssa.Value]*ssa.Value // by phi of the header: its value after them
}

// besideID reports whether v is an id plus uniform values, or uniform: then the ends of a gang are known.
func besideID(g *versions, v *ssa.Value, depth int) bool {
	switch {
	case int(v.ID) >= len(g.Varying): // created since the analysis
		return false
	case !g.Varying[v.ID]:
		return true
	case depth == 0 || v.Type.N != 1:
		return false
	case v.Op == ssa.OpAdd || v.Op == ssa.OpSub:
		return besideID(g, v.Args[0], depth-1) && besideID(g, v.Args[1], depth-1)
	case v.Op == ssa.OpConvert && isInt(v.Args[0].Type.K):
		return besideID(g, v.Args[0], depth-1)
	}
	return v.Op == ssa.OpWorkItem && g.shape(v) == affineShape
}

// together computes, before a loop with an inner loop, the number of iterations that all lanes execute if the loop has the form
//
//	for (x = begin; x < bound; x++)
//
// The begin is an id plus uniform values, so that the greatest one of the first and the last lane decides. Passes then know the
// copy as a counted loop: nests block it for registers. It returns nil for other loops.
func (g *versions) together(l *ssa.Loop, before *ssa.Block) *sharedRounds {
	h := l.Header
	cond := h.Term().Args[0]
	inner := slices.ContainsFunc(g.Loops.All, func(x *ssa.Loop) bool { return x.Parent == l })
	if !inner || g.Unfolded || g.rows > 1 || g.waits() || len(h.Preds) != 2 || cond.Op != ssa.OpLt || !g.Loops.Contains(l, h.Succs[0]) {
		return nil
	}
	sum, bound := cond.Args[0], cond.Args[1]
	k := sum.Type.K
	analysed := func(b *ssa.Block) bool { return int(b.ID) < len(g.Split) } // and not made since
	outside := func(v *ssa.Value) bool {
		return analysed(v.Block) && analysed(before) && g.Dom.Dominates(v.Block, before)
	}
	if sum.Op != ssa.OpAdd || sum.Type.N != 1 || k != ssa.I32 && k != ssa.U32 || int(bound.ID) >= len(g.Varying) || g.Varying[bound.ID] || !outside(bound) {
		return nil
	}
	in := slices.Index(h.Preds, before)
	for _, phi := range h.Phis() {
		if next := phi.Args[1-in]; !isInt(phi.Type.K) || phi.Type.N != 1 || next.Op != ssa.OpAdd || next.Args[0] != phi || !next.Args[1].IsConst() {
			return nil
		}
	}
	begin, count := sum.Args[0], sum.Args[1]
	if begin.Op == ssa.OpPhi && begin.Block == h {
		begin, count = count, begin
	}
	if count.Op != ssa.OpPhi || count.Block != h || !zero(count.Args[in]) || signed(count.Args[1-in].Args[1]) != 1 || !outside(begin) || !besideID(g, begin, maxMoves) {
		return nil
	}
	b := &beforeLoop{Block: before, pos: cond.Pos}
	end := func(aux int64, t ssa.Type) *ssa.Value {
		e := b.add(ssa.OpEnd, t, begin)
		e.Aux = aux
		return e
	}
	first, last, ordered := end(ssa.EndFirst, begin.Type), end(ssa.EndLast, begin.Type), end(ssa.EndsOrder, ssa.TBool)
	none := b.number(ssa.TI64, 0)
	n := b.add(ssa.OpSub, ssa.TI64, b.long(bound), b.add(ssa.OpMax, ssa.TI64, b.long(first), b.long(last)))
	n = b.add(ssa.OpMin, ssa.TI64, b.add(ssa.OpMax, ssa.TI64, n, none), b.number(ssa.TI64, math.MaxInt32))
	n = b.add(ssa.OpSelect, ssa.TI64, ordered, n, none)
	s := &sharedRounds{count: count, rounds: b.add(ssa.OpConvert, count.Type, n), ends: map[*ssa.Value]*ssa.Value{}}
	for _, phi := range h.Phis() {
		t, by := phi.Type, n
		if t.K != ssa.I64 {
			by = b.add(ssa.OpConvert, t, n)
		}
		s.ends[phi] = b.add(ssa.OpAdd, t, phi.Args[in], b.add(ssa.OpMul, t, by, b.number(t, signed(phi.Args[1-in].Args[1]))))
	}
	return s
}

// peelable reports whether a loop can be copied and accesses memory, and its number of values. Its blocks must
// not be copied yet, divergent lanes must reconverge in it, and its header must have no effects.
func (g *versions) peelable(l *ssa.Loop) (size int, gain bool) {
	h := l.Header
	for _, b := range l.Blocks {
		if g.touched[b] {
			return 0, false
		}
		size += len(b.Values)
		for _, v := range b.Values {
			gain = gain || v.Op.Has(ssa.Reads) || v.Op.Has(ssa.Writes)
			if b == h && v.Op != ssa.OpPhi && !v.Op.Has(ssa.Pure) && v != h.Term() {
				return 0, false
			}
		}
		if b == h || !g.Split[b.ID] {
			continue
		}
		for _, r := range g.u.RegionOf(b) {
			if !g.Loops.Contains(l, r) {
				return 0, false
			}
		}
	}
	return size, gain
}
