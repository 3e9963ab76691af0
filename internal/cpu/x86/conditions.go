package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Instructions by condition.

// cmovOf and setOf map a jump to the conditional move and the instruction that sets a byte.
var cmovOf = map[asm.Op]asm.Op{asm.JE: asm.CMOVE, asm.JNE: asm.CMOVNE, asm.JL: asm.CMOVL, asm.JLE: asm.CMOVLE, asm.JB: asm.CMOVB, asm.JBE: asm.CMOVBE}
var setOf = map[asm.Op]asm.Op{asm.JE: asm.SETE, asm.JNE: asm.SETNE, asm.JL: asm.SETL, asm.JLE: asm.SETLE, asm.JB: asm.SETB, asm.JBE: asm.SETBE}

// vptest holds the instructions that test the elements of a & b, by the result that sets a mask bit: true for
// nonzero elements, false for zero ones.
var vptest = map[bool]bySize{false: {4: asm.VPTESTNMD, 8: asm.VPTESTNMQ}, true: {1: asm.VPTESTMB, 2: asm.VPTESTMW, 4: asm.VPTESTMD, 8: asm.VPTESTMQ}}

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
