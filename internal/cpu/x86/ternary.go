package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Ternary logic: AVX-512 computes any function of three bits at once.

// A bitwise is a function of the bits of at most three values. Bit 4a + 2b + c of its table is the result for a, b
// and c.
type bitwise struct {
	leaves []*ssa.Value
	table  uint8
}

// leafTables are the functions that return the first, second or third bit.
var leafTables = [3]uint8{0xF0, 0xCC, 0xAA}

// maxBitwise bounds the recursion of bitwiseOf.
const maxBitwise = 4

// bitwiseOf returns v as a function of at most three leaves. apart reports which operations may be expanded.
func bitwiseOf(v *ssa.Value, leaves []*ssa.Value, apart func(v *ssa.Value) bool, depth int) (f bitwise, ok bool) {
	if depth < maxBitwise && apart(v) {
		never := func(*ssa.Value) bool { return false }
		switch v.Op {
		case ssa.OpNot:
			f, ok = bitwiseOf(v.Args[0], leaves, apart, depth+1)
			f.table = ^f.table
			return f, ok
		case ssa.OpAnd, ssa.OpOr, ssa.OpXor:
			// Try to expand both operands, one of them, or none.
			for _, deep := range [][2]func(*ssa.Value) bool{{apart, apart}, {apart, never}, {never, apart}, {never, never}} {
				a, okA := bitwiseOf(v.Args[0], leaves, deep[0], depth+1)
				if !okA {
					continue
				}
				b, okB := bitwiseOf(v.Args[1], a.leaves, deep[1], depth+1)
				if !okB {
					continue
				}
				switch f.leaves = b.leaves; v.Op {
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
	return bitwise{leaves, leafTables[i]}, true
}

// ternary computes v, whose operands are bitwise functions themselves, by one instruction. It returns nil if v is
// not a function of three values.
func (l *values) ternary(v *ssa.Value, c int) vec {
	if !l.lv.Ternary || v.Type.K == ssa.Bool || l.cur.cold {
		return nil
	}
	// apart reports whether only v uses a value, whose lanes are those of v and whose registers still hold its
	// operands.
	apart := func(x *ssa.Value) bool {
		flat := l.vals[x.ID].f != nil
		return x == v || l.uses[x.ID] == 1 && x.Block == v.Block && l.plan.Varying[x.ID] && flat == (c == memoryOrder)
	}
	f, ok := bitwiseOf(v, nil, apart, 0)
	if !ok || len(f.leaves) < 3 {
		return nil
	}
	var p [3]vec
	for i, x := range f.leaves {
		if x.Type != v.Type {
			return nil
		}
		if p[i] = l.V(x, c); p[i] == nil {
			return nil
		}
	}
	w := l.width(size(v.Type.K))
	return l.each(len(p[0]), func(i int) reg {
		return l.overwrite(asm.VPTERNLOGD, w, p[0][i], p[1][i], p[2][i], int64(f.table))
	})
}
