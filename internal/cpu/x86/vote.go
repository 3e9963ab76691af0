package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

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
