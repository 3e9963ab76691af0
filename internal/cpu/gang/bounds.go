package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Bounds checks hoisted in front of the accesses that they cover: before a loop for all its iterations (package
// spmd, inside.go), and before a block for accesses at constant distances (merge.go).

// bounds is the builder's record of hoisted bounds checks.
type bounds struct {
	tests    []*loopTest
	inBounds [][]Reg                  // by SSA block: the offsets of the byte ranges known to be in bounds there
	tails    []place                  // by SSA block: just before its terminator
	rowsIn   map[*ssa.Value]rowOffset // of accesses to rows that are in bounds
	storing  *ssa.Block               // the block of the stores in stored
	stored   map[extent]bool          // the bytes that each store of that block writes
}

// An extent is a number of bytes of a root.
type extent struct {
	root  *ssa.Value
	bytes int64
}

// updated reports whether the block of a load also stores to the load's object, with the same number of bytes. The load then uses
// the limit of writable bytes, so that both compare with one limit. If the object is not writable, the load takes the slow path
// and the store is a violation.
func updated(b *accesses, w *fastPath) bool {
	if w.Root == nil || w.Private != nil {
		return false
	}
	if b.storing != b.src {
		b.storing = b.src
		clear(b.stored)
		for _, v := range b.src.Values {
			if v.Op == ssa.OpStore {
				a := b.patterns.Access(v, b.mask(b.src) != 0)
				b.stored[extent{a.Root, a.Bytes}] = true
			}
		}
	}
	bytes := w.Bytes
	if w.first > 0 {
		bytes = int64(b.o.Lanes * w.Type.Size())
	}
	return b.stored[extent{w.Root, bytes}]
}

// A place is a position for later insertion: before instruction number at of a block.
type place struct {
	block *Block
	at    int
}

// firstOffset returns the sum of an address's terms in the first iteration. memo has the values of that iteration.
func (b *accesses) firstOffset(terms []*ssa.Value, p *lanes.TestedLoop, memo map[*ssa.Value]Reg) Reg {
	return b.sum(i64, 0, terms, func(o *ssa.Value) Reg { return b.onEntry(o, p, memo) })
}

// repeats reports whether onEntry can recompute v before the loop.
func (b *accesses) repeats(v *ssa.Value, p *lanes.TestedLoop) bool {
	switch {
	case p.Invariant(v):
		x := &b.vals[v.ID]
		return v.IsConst() || !x.varies || x.affine
	case v.Op == ssa.OpPhi:
		return v.Block == p.Header && b.repeats(v.Args[p.In], p)
	case !v.Op.Has(ssa.Elementwise) && v.Op != ssa.OpBitcast || v.Type.N != 1:
		return false
	}
	return !slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return !b.repeats(a, p) })
}

// onEntry returns the value that v, or its first lane, has in the first iteration of the loop.
func (b *accesses) onEntry(v *ssa.Value, p *lanes.TestedLoop, memo map[*ssa.Value]Reg) Reg {
	if r := memo[v]; r != 0 {
		return r
	}
	var r Reg
	switch {
	case p.Invariant(v):
		r = b.scalar(v, 0)
	case v.Op == ssa.OpPhi:
		r = b.scalar(v.Args[p.In], 0)
	default:
		r = b.again(v, func(a *ssa.Value) Reg { return b.onEntry(a, p, memo) })
	}
	memo[v] = r
	return r
}

// insertAll inserts the instructions that f builds at an earlier place.
func (b *values) insertAll(at place, f func()) {
	cur, here := b.cur, b.here
	b.cur, b.here = b.newBlock(at.block.Depth, false), nil
	f()
	for k := range b.cur.Insts {
		b.insert(at.block, at.at, b.cur.Insts[k])
	}
	b.cur, b.here = cur, here
}

// testBlock ends an SSA block with the tests aux for its first successor: control goes to yes if they succeed, else
// to no.
func (b *accesses) testBlock(x *ssa.Block, aux int64, yes, no *Block) {
	b.testRows(x, no, aux)
	b.testNeighbours(x, no)
	if aux >= ssa.InsideApart {
		b.testApart(x, no)
	}
	b.jump(yes)
}

// testNeighbours ends an SSA block with the bounds tests for neighbouring accesses of its first successor.
func (b *accesses) testNeighbours(x *ssa.Block, no *Block) {
	block := x.Succs[0]
	all, narrow := b.patterns.TestBlock(block)
	terms := map[lanes.Term]Reg{}
	for _, v := range block.Values {
		switch {
		case v.Flags&ssa.InBounds == 0:
		case v.Op == ssa.OpLoad:
			w := b.patterns.Access(v, false)
			if at := b.patterns.Check(&w, block).Where; w.Root == nil || !w.Regular() || at != lanes.BeforeBlock && at != lanes.Nowhere {
				b.unless(b.never(), no) // it may be outside: so they are not all inside
			}
		case !slices.ContainsFunc(all, func(s lanes.ByteRange) bool { return s.Root == b.p.Facts.Root(v.Args[0]) }):
			Refuse("a structure whose fields have no common bounds test")
		}
	}
	for _, t := range narrow {
		low, high := int64(-lanes.MaxDisp), int64(lanes.MaxDisp)
		if !t.Signed {
			low = -t.Least
		}
		b.unless(b.between(b.term(t.Term, terms), low, high), no)
	}
	list := make([]Reg, len(all))
	for k, s := range all {
		off := Reg(0)
		for _, t := range s.Terms {
			r := b.term(t, terms)
			if t.By != 1 {
				r = b.each(ssa.OpMul, i64, 0, r, b.constant(i64, uint64(t.By)))
			}
			off = b.add(i64, off, r)
		}
		off = b.plus(i64, off, s.Low)
		b.unless(check{Inst{Op: OpCheck, Root: int32(b.roots.Number(s.Root)), Args: b.regs(off), Size: int32(s.High - s.Low), Write: s.Write}, 1}, no)
		list[k] = off
	}
	b.inBounds[block.ID] = list
}

// term returns a term's value in the first lane, extended to 64 bits.
func (b *accesses) term(t lanes.Term, memo map[lanes.Term]Reg) Reg {
	t.By = 1
	if r, ok := memo[t]; ok {
		return r
	}
	k := i64
	if !t.Wide() {
		if k.K = ssa.U32; t.Signed {
			k.K = ssa.I32
		}
	}
	r := b.sum(k, 0, t.Parts.All(), func(v *ssa.Value) Reg { return b.scalar(v, 0) })
	if k != i64 {
		r = b.each(ssa.OpConvert, i64, 0, r)
	}
	memo[t] = r
	return r
}
