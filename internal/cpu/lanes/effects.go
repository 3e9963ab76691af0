package lanes

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/target"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Effects on memory objects whose order cannot be observed.

// WriteOnly returns the parameters whose global objects the kernel writes and does not read, if nothing in the
// kernel orders memory. Their stores may become visible in any order, at the end of the launch at the latest.
func (f *Facts) WriteOnly() map[*ssa.Value]bool {
	writes, reads := map[*ssa.Value]bool{}, map[*ssa.Value]bool{}
	for v := range f.Values() {
		switch {
		case v.Op == ssa.OpLeave: // other code executes the gang again
		case v.Op == ssa.OpStore:
			if r := f.Root(v.Args[0]); r != nil && r.Op == ssa.OpParam && v.Args[0].Type.K == ssa.PtrGlobal && v.Flags&ssa.Volatile == 0 {
				writes[r] = true
			}
		case v.Op == ssa.OpLoad:
			if r := f.Root(v.Args[0]); r != nil {
				reads[r] = true
			} else if v.Args[0].Type.K != ssa.PtrPrivate {
				return nil // it may access any object
			}
		case v.Op.Has(ssa.Reads) || v.Op.Has(ssa.Convergent|ssa.SideEffect) || v.Op.Has(ssa.ImageAccess) || v.Op == ssa.OpFence || v.Op == ssa.OpAtomicStore:
			return nil
		}
	}
	for r := range reads {
		delete(writes, r)
	}
	return writes
}

// A Reduction is an atomic operation whose intermediate results are not observed. The lanes ignore the result, the
// kernel does not access the object otherwise, and the operations commute and are relaxed.
type Reduction struct {
	Op       *ssa.Value // the original of its copies
	RMW      ssa.RMW    // a subtraction is an addition of the negated operand
	Root     *ssa.Value
	Elements bool         // the lanes change elements of their own, as in a histogram; else all change one
	Others   []*ssa.Value // roots that must not overlap its memory
}

// A changed is the state of an object in the search for reductions.
type changed struct {
	op     ssa.RMW
	size   int
	signed bool // signed minimum or maximum
	plain  bool // also accessed by other operations
}

// maxReductions is the maximum number of reductions of a kernel.
const maxReductions = 8

// Reductions returns the reductions that the target can combine, in order of their values.
func (f *Facts) Reductions(t *target.Target) (out []Reduction) {
	var uses []int32
	classOf := func(v *ssa.Value) (c changed, ok bool) {
		if uses == nil {
			uses = f.F.UseCounts(nil)
		}
		c.op, ok = f.reduces(v, uses, t)
		c.size = size(v.Type.K)
		c.signed = v.Type.K.Num().Signed() && (c.op == ssa.RMWMin || c.op == ssa.RMWMax)
		return c, ok
	}
	roots := map[*ssa.Value]*changed{}
	var order, ops []*ssa.Value
	elements := map[*ssa.Value]bool{} // by operation
	for v := range f.Values() {
		if v.Op == ssa.OpFence || v.Op.Has(ssa.ImageAccess) || v.Op.Has(ssa.AsyncCopy) || v.Op == ssa.OpExtern || v.Op == ssa.OpCall {
			return nil
		}
		if !v.Op.Has(ssa.Reads) && !v.Op.Has(ssa.Writes) {
			continue
		}
		for _, p := range v.Args {
			if !p.Type.K.IsPtr() || p.Type.K == ssa.PtrPrivate || p.Type.K == ssa.PtrLocal {
				continue
			}
			root := f.Root(p)
			if root == nil {
				return nil
			}
			c, ok := classOf(v)
			r := roots[root]
			if r == nil {
				r = &c
				roots[root], order = r, append(order, root)
			}
			if of := f.origin(v); ok && !Local(root) {
				if !slices.Contains(ops, of) {
					ops = append(ops, of)
				}
				elements[of] = elements[of] || f.varies(p) || !f.invariantAddress(p)
			}
			r.plain = r.plain || !ok || !r.alike(&c)
		}
	}
	// Code for partial gangs must use the same order.
	slices.SortFunc(ops, func(a, b *ssa.Value) int { return int(a.ID - b.ID) })
	for _, v := range ops {
		root := f.Root(v.Args[0])
		if root == nil || roots[root].plain || len(out) == maxReductions {
			continue
		}
		x := Reduction{Op: v, RMW: roots[root].op, Root: root, Elements: elements[v]}
		for _, o := range order {
			if r := roots[o]; r.plain || !r.alike(roots[root]) {
				x.Others = append(x.Others, o)
			}
		}
		out = append(out, x)
	}
	return out
}

func (c *changed) alike(d *changed) bool {
	return c.op == d.op && c.size == d.size && c.signed == d.signed
}

// reduces returns the operation of v if v is a candidate for a reduction.
func (f *Facts) reduces(v *ssa.Value, uses []int32, t *target.Target) (ssa.RMW, bool) {
	if v.Op != ssa.OpAtomicRMW || uses[v.ID] > 0 {
		return 0, false
	}
	rmw, order, scope := ssa.AtomicParts(v.Aux)
	if order != ssa.Relaxed || scope == ssa.ScopeAll || !t.Combines(rmw, v.Type.K) { // the host may watch the latter
		return 0, false
	}
	if rmw == ssa.RMWSub {
		rmw = ssa.RMWAdd
	}
	return rmw, true
}

func (f *Facts) origin(v *ssa.Value) *ssa.Value {
	if f.Origin == nil {
		return v
	}
	return f.Origin(v)
}

// invariantAddress reports whether a pointer is computed outside of loops.
func (f *Facts) invariantAddress(p *ssa.Value) bool {
	for ; p.Op == ssa.OpPtrAdd; p = p.Args[0] {
		if o := p.Args[1]; !o.IsConst() && f.Loops.Of(o.Block) != nil {
			return false
		}
	}
	return p.Op == ssa.OpParam || p.Op == ssa.OpGlobalAddr || f.Loops.Of(p.Block) == nil
}

// Local reports whether a root is in local memory.
func Local(root *ssa.Value) bool {
	if root.Op == ssa.OpGlobalAddr {
		return root.Sym.(*ssa.Global).Kind == ssa.PtrLocal
	}
	return root.Op == ssa.OpParam && root.Type.K == ssa.PtrLocal
}
