package codegen

import (
	"slices"

	"github.com/purecl/purecl/internal/asm"
	"github.com/purecl/purecl/internal/ssa"
)

// vote ends a block with the switch t on how the lanes agree on a condition; to(i) is
// where successor i is.
func (l *lowerer) vote(b *ssa.Block, t *ssa.Value, to func(int) *mblock) {
	cond := t.Args[0].Args[0]
	jump := func(result uint64, op asm.Op) {
		if i := slices.Index(t.Bits, result); i >= 0 {
			l.jcc(op, to(i+1))
		}
	}
	if !l.voteByEnds(cond, jump) {
		m := l.mask(b)
		k := l.K(cond, 0)
		l.testMask(l.andNotMask(k, m))
		jump(ssa.VoteAll, asm.JE)
		l.testMask(l.andMask(k, m))
		jump(ssa.VoteNone, asm.JE)
	}
	l.jump(to(0))
}

// voteByEnds asks by the first and the last lane, where the condition compares an id
// with a uniform value. It calls jump with each result and the jump that the flags then
// stand for, and reports whether the condition is such a comparison.
func (l *lowerer) voteByEnds(c *ssa.Value, jump func(result uint64, op asm.Op)) bool {
	switch c.Op {
	case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe:
	default:
		return false
	}
	if l.gang != nil || c.Type.N != 1 {
		return false
	}
	a, b := c.Args[0], c.Args[1]
	swapped := !l.plan.Varying[a.ID]
	if swapped {
		a, b = b, a
	}
	// The values grow along the lanes, and none wraps.
	x := &l.vals[a.ID]
	if !x.affine || !x.clean || x.unsure || x.stride <= 0 || l.plan.Varying[b.ID] || !inGeneral(b.Type.K) {
		return false
	}
	span := x.stride * int64(l.n-1)
	w := asm.Width(size(a.Type.K))
	first := l.G(a, 0)
	if c.Op == ssa.OpEq || c.Op == ssa.OpNe {
		if x.stride != 1 {
			return false
		}
		d := l.g()
		l.mov(d, l.G(b, 0))
		l.op2(asm.SUB, w, d, first)
		l.cmpi(w, d, span)
		result := uint64(ssa.VoteNone)
		if c.Op == ssa.OpNe {
			result = ssa.VoteAll
		}
		jump(result, asm.JA) // before the first lane or behind the last
		return true
	}
	last := l.g()
	l.lea(last, at(first, int32(span)))
	// Where the condition is least likely of all lanes, and most.
	least, most := last, first
	if swapped {
		least, most = first, last
	}
	yes := jumpOf(c.Op, swapped, a.Type.K.Num().Signed())
	l.compareWith(w, least, b)
	jump(ssa.VoteAll, yes)
	l.compareWith(w, most, b)
	jump(ssa.VoteNone, negated[yes])
	return true
}

// compareWith compares a general register with a uniform value.
func (l *lowerer) compareWith(w asm.Width, r reg, b *ssa.Value) {
	if imm, ok := smallConst(b, 0); ok {
		l.cmpi(w, r, imm)
		return
	}
	l.cmp(w, r, l.G(b, 0))
}

// jumpOf returns the jump for "x op y" after x has been compared with y, or y with x.
func jumpOf(op ssa.Op, swapped, signed bool) asm.Op {
	i := 0
	if op == ssa.OpLe {
		i++
	}
	if swapped {
		i += 2
	}
	if signed {
		return [4]asm.Op{asm.JL, asm.JLE, asm.JG, asm.JGE}[i]
	}
	return [4]asm.Op{asm.JB, asm.JBE, asm.JA, asm.JAE}[i]
}

var negated = map[asm.Op]asm.Op{
	asm.JL: asm.JGE, asm.JLE: asm.JG, asm.JG: asm.JLE, asm.JGE: asm.JL,
	asm.JB: asm.JAE, asm.JBE: asm.JA, asm.JA: asm.JBE, asm.JAE: asm.JB,
}
