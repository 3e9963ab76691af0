package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Ternary logic: AVX-512 computes any function of three bits at once.

// A bitwise is a function of the bits of at most three values. Bit 4a + 2b + c of its table is the result for a, b
// and c.
type bitwise[V comparable] struct {
	leaves []V
	table  uint8
}

// leafTables are the functions that return the first, second or third bit.
var leafTables = [3]uint8{0xF0, 0xCC, 0xAA}

// maxBitwise bounds the recursion of bitwiseOf.
const maxBitwise = 4

// bitwiseOf returns v as a function of at most three leaves. expand returns the operation and the operands of a
// value that may be expanded.
func bitwiseOf[V comparable](v V, leaves []V, expand func(v V) (op ssa.Op, args []V), depth int) (f bitwise[V], ok bool) {
	if depth < maxBitwise {
		never := func(V) (ssa.Op, []V) { return ssa.OpInvalid, nil }
		switch op, args := expand(v); op {
		case ssa.OpNot:
			f, ok = bitwiseOf(args[0], leaves, expand, depth+1)
			f.table = ^f.table
			return f, ok
		case ssa.OpAnd, ssa.OpOr, ssa.OpXor:
			// Try to expand both operands, one of them, or none.
			for _, deep := range [][2]func(V) (ssa.Op, []V){{expand, expand}, {expand, never}, {never, expand}, {never, never}} {
				a, okA := bitwiseOf(args[0], leaves, deep[0], depth+1)
				if !okA {
					continue
				}
				b, okB := bitwiseOf(args[1], a.leaves, deep[1], depth+1)
				if !okB {
					continue
				}
				switch f.leaves = b.leaves; op {
				case ssa.OpAnd:
					f.table = a.table & b.table
				case ssa.OpOr:
					f.table = a.table | b.table
				default:
					f.table = a.table ^ b.table
				}
				return f, true
			}
			return f, false
		}
	}
	i := slices.Index(leaves, v)
	if i < 0 {
		if i = len(leaves); i == 3 {
			return f, false
		}
		leaves = append(slices.Clip(leaves), v)
	}
	return bitwise[V]{leaves, leafTables[i]}, true
}
