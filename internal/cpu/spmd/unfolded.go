package spmd

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Facts about plans of work-groups of known size, in which local ids are known.

// FirstIDs returns, by number of the gang, the local id in dimension 0 of its first work-item.
func (p *Plan) FirstIDs() (list []uint64) {
	for k := range p.unfolding.gangs() {
		list = append(list, p.FirstID(k))
	}
	return list
}

// FirstLanes returns n if exactly the lanes [0, n) of whole gangs of so many lanes execute b, 0 if that is not known.
func (p *Plan) FirstLanes(b *ssa.Block, lanes int) int {
	c := p.Class[b.ID]
	if !p.Unfolded || c == nil || len(c.Preds) != 1 {
		return 0
	}
	d := c.Preds[0]
	t := d.Term()
	if t.Op != ssa.OpBranch || d.Succs[0] != c || d.Succs[1] == c || p.Class[d.ID] != nil || t.Args[0].Op != ssa.OpLt {
		return 0
	}
	x, y := p.Facts.Of(t.Args[0].Args[0]), p.Facts.Of(t.Args[0].Args[1])
	if !x.Known || !y.Known || x.Stride <= y.Stride || x.First >= y.First {
		return 0
	}
	by := x.Stride - y.Stride
	return int(min((y.First-x.First+by-1)/by, int64(lanes)))
}

// dropTests removes the tests of blocks that some lanes of their gang certainly execute, as known ids tell.
func (p *Plan) dropTests() {
	if !p.Unfolded {
		return
	}
	for _, b := range p.Order {
		if p.Test[b.ID] && p.certain(b) {
			p.Test[b.ID], p.Skip[b.ID] = false, nil
		}
	}
}

// certain reports whether some lanes of each gang execute b: all lanes compare before it, and known ids tell that some of them, but not
// all, go to b.
func (p *Plan) certain(b *ssa.Block) bool {
	if p.Class[b.ID] != b || len(b.Preds) != 1 || p.Class[b.Preds[0].ID] != nil {
		return false
	}
	t := b.Preds[0].Term()
	if t.Op != ssa.OpBranch {
		return false
	}
	switch t.Args[0].Op {
	case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe:
		all, none, known := p.Facts.Decide(t.Args[0])
		return known && !all && !none
	}
	return false
}

// Ends reports whether the first n lanes of the gang of an access are the last work-items of a row of a padded work-group.
func (p *Plan) Ends(v *ssa.Value, n int) bool {
	return p.row > 0 && p.FirstID(p.Gang(v))+uint64(n) == p.row
}

// Local memory is zero at the start of a work-group. If the code writes all of it before it reads any, the launch
// need not clear it between work-groups.

// A coverage marks, by variable in local memory, the bytes that have been written.
type coverage map[*ssa.Global][]bool

// maxCovered bounds the bytes of local variables that are tracked.
const maxCovered = 1 << 16

// OverwritesLocals reports whether each work-group writes all of its local memory before it reads any of it.
func (p *Plan) OverwritesLocals(x *lanes.Patterns) bool {
	if !p.Unfolded {
		return false
	}
	for _, a := range p.F.Params {
		if a.Type.K == ssa.PtrLocal {
			return false // the size of the variable is not known
		}
	}
	c, total := coverage{}, int64(0)
	for _, b := range p.Order {
		for _, v := range b.Values {
			if g, ok := v.Sym.(*ssa.Global); ok && v.Op == ssa.OpGlobalAddr && g.Kind == ssa.PtrLocal && c[g] == nil {
				if total += g.Size; total > maxCovered {
					return false
				}
				c[g] = make([]bool, g.Size)
			}
		}
	}
	for b := p.Order[0]; p.Class[b.ID] == nil; b = b.Succs[0] {
		for _, v := range b.Values {
			if !c.covers(x, v) {
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
func (c coverage) covers(x *lanes.Patterns, v *ssa.Value) bool {
	for _, a := range v.Args {
		k := a.Type.K
		if k != ssa.PtrLocal && k != ssa.PtrGeneric || !v.Op.Has(ssa.Reads) && !v.Op.Has(ssa.Writes) {
			continue
		}
		if v.Op != ssa.OpLoad && v.Op != ssa.OpStore || k == ssa.PtrGeneric {
			return false
		}
		w := x.Access(v, false)
		at, fixed := x.FixedFirst(&w.Address)
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
