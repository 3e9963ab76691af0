package x86

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Local memory is zero at the start of a work-group. If the code writes all of it before it reads any, the launch
// need not clear it between work-groups.

// A coverage marks, by variable in local memory, the bytes that have been written.
type coverage map[*ssa.Global][]bool

// maxCovered bounds the bytes of local variables that are tracked.
const maxCovered = 1 << 16

// overwritesLocals reports whether each work-group writes all of its local memory before it reads any of it.
func (l *lowerer) overwritesLocals() bool {
	if !l.plan.Unfolded {
		return false
	}
	for _, p := range l.plan.F.Params {
		if p.Type.K == ssa.PtrLocal {
			return false // the size of the variable is not known
		}
	}
	c, total := coverage{}, int64(0)
	for _, b := range l.plan.Order {
		for _, v := range b.Values {
			if g, ok := v.Sym.(*ssa.Global); ok && v.Op == ssa.OpGlobalAddr && g.Kind == ssa.PtrLocal && c[g] == nil {
				if total += g.Size; total > maxCovered {
					return false
				}
				c[g] = make([]bool, g.Size)
			}
		}
	}
	for b := l.plan.Order[0]; l.plan.Class[b.ID] == nil; b = b.Succs[0] {
		for _, v := range b.Values {
			if !l.covers(c, v) {
				return false
			}
		}
		if len(b.Succs) != 1 || len(b.Succs[0].Preds) != 1 {
			break
		}
	}
	for _, written := range c {
		for _, w := range written {
			if !w {
				return false
			}
		}
	}
	return true
}

// covers adds the bytes that v writes to c. It reports false if v may read bytes that are not in c.
func (l *lowerer) covers(c coverage, v *ssa.Value) bool {
	for _, a := range v.Args {
		k := a.Type.K
		if k != ssa.PtrLocal && k != ssa.PtrGeneric || !v.Op.Has(ssa.Reads) && !v.Op.Has(ssa.Writes) {
			continue
		}
		if v.Op != ssa.OpLoad && v.Op != ssa.OpStore || k == ssa.PtrGeneric {
			return false
		}
		w := l.patterns.Access(v, false)
		at, fixed := l.patterns.FixedFirst(&w.Address)
		known := fixed && (w.Pattern == lanes.Contiguous || w.Pattern == lanes.Broadcast) && lanes.Holds(w.Root, at+w.Low, int(w.Bytes))
		if !known {
			return v.Op == ssa.OpStore && w.Root != nil
		}
		part := c[w.Root.Sym.(*ssa.Global)][at+w.Low:][:w.Bytes]
		for i := range part {
			if v.Op == ssa.OpLoad && !part[i] {
				return false
			}
			part[i] = true
		}
	}
	return true
}
