package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// vote ends a block with a switch on an OpVote: to(i) returns the code of successor i, 0 if the lanes disagree.
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

// voteByEnds decides a vote by the first and the last lane if [lanes.Facts.VoteByEnds] allows it. It calls jump with
// each result and the jump instruction that the flags select. If a lane's value may have wrapped, it emits no jump that
// depends on it.
func (l *lowerer) voteByEnds(c *ssa.Value, jump func(result uint64, op asm.Op)) bool {
	v, ok := l.facts.VoteByEnds(c, l.n)
	if !ok || l.gang != nil {
		return false
	}
	if v.Op == ssa.OpEq || v.Op == ssa.OpNe {
		w, d := asm.Width(size(v.X.Type.K)), l.g()
		l.mov(d, l.G(v.Y, 0))
		l.op2(asm.SUB, w, d, l.G(v.X, 0))
		l.cmpi(w, d, v.Span)
		result := uint64(ssa.VoteNone)
		if v.Op == ssa.OpNe {
			result = ssa.VoteAll
		}
		jump(result, asm.JA) // the uniform value is below the first lane or above the last
		return true
	}
	// In 64 bits nothing wraps.
	signed := v.X.Type.K.Num().Signed()
	first, last := l.widened(v.X), l.g()
	l.lea(last, at(first, int32(v.Span)))
	yes := jumpOf(v.Op, v.Swapped, signed)
	test := func(r reg, result uint64, op asm.Op) {
		if r == first && v.MayWrap {
			// If the last lane exceeds its type, lanes have wrapped and the first lane decides nothing.
			wrapped := l.newBlock(l.cur.depth)
			l.movi(rAX, 1<<32-1)
			if signed {
				l.movi(rAX, 1<<31-1)
			}
			l.cmp(8, last, rAX)
			l.jcc(asm.JG, wrapped)
			defer l.place(wrapped)
		}
		if imm, ok := smallConst(v.Y, 0); ok && (signed || imm >= 0) {
			l.cmpi(8, r, imm)
		} else {
			l.cmp(8, r, l.widened(v.Y))
		}
		jump(result, op)
	}
	least, most := last, first
	if v.Swapped {
		least, most = first, last
	}
	test(least, ssa.VoteAll, yes)
	test(most, ssa.VoteNone, inverse[yes])
	return true
}

// jumpOf returns the jump for "x op y" after a comparison of x with y, or of y with x if swapped.
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

// testAny clears the zero flag if an element of the argument of an OpAny is set in some lane. Masks in memory
// order may count inactive lanes, which OpAny permits.
func (l *lowerer) testAny(v *ssa.Value) {
	a := v.Args[0]
	n := int(a.Type.N)
	if m := l.FK(a); m != nil {
		l.within(l.n*n, func() { l.testMask(m) })
		return
	}
	m := l.K(a, 0)
	for c := 1; c < n; c++ {
		m = l.maskOp(asm.KORW, asm.VPOR, m, l.K(a, c))
	}
	if own := l.mask(v.Block); own != nil {
		m = l.andMask(m, own)
	}
	l.testMask(m)
}
