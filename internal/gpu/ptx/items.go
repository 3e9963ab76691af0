package ptx

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// A thread may run several work-items of a kernel that does little for each: one that cannot tell work-groups, has one
// block and no checks. Then fewer threads start, and each has several loads outstanding. Every operation is emitted for
// all work-items before the next one. Work-items are a group's size apart, so that the accesses of a warp stay adjacent.

// Limits of kernels whose threads run several work-items.
const (
	maxItemsSize  = 48 // elements of the kernel's values
	itemsOfWords  = 4  // work-items of a thread if accesses have 4 bytes at most
	itemsOfDouble = 2  // if they have 8
)

// itemsOf returns how many work-items a thread of a kernel should run, given the accesses that a precondition is about.
func itemsOf(f *ssa.Func, assumed map[*ssa.Value]bool) int {
	if len(f.Blocks) != 1 {
		return 1
	}
	n, size, stores := itemsOfWords, 0, 0
	for _, v := range f.Blocks[0].Values {
		size += int(max(v.Type.N, 1))
		t := v.Type
		switch v.Op {
		case ssa.OpStore:
			stores++
			t = v.Args[1].Type
			fallthrough
		case ssa.OpLoad:
			// Vectors of 8 bytes, and such that several instructions access, gain nothing.
			if !assumed[v] || v.Flags&ssa.Volatile != 0 || t.Size() > 8 || t.N > 1 && (t.Size() > 4 || granted(v.Aux, t) < int64(t.Size())) {
				return 1
			}
			if t.Size() > 4 {
				n = itemsOfDouble
			}
		case ssa.OpWorkItem:
			if q := ssa.WorkItemQuery(v.Aux); q != ssa.GlobalID && q != ssa.GlobalSize && q != ssa.GlobalOffset && q != ssa.WorkDim {
				return 1
			}
		case ssa.OpConst, ssa.OpUndef, ssa.OpParam, ssa.OpReturn:
		default:
			if !v.Op.Has(ssa.Pure) {
				return 1
			}
		}
	}
	if size > maxItemsSize || stores == 0 {
		return 1
	}
	return n
}

// emitItems emits the kernel's only block for several work-items.
func (g *generator) emitItems(b *ssa.Block) {
	vals := make([][][]string, g.opts.Items) // by work-item
	for i := range vals {
		vals[i] = slices.Clone(g.vals)
	}
	g.facts.enter(b)
	for _, v := range b.Values {
		if v.Op.Has(ssa.Terminator) {
			g.terminator(b, v, nil)
			continue
		}
		g.now = v
		for g.item = range vals {
			g.vals = vals[g.item]
			g.value(v)
		}
	}
}
