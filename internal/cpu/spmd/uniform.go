package spmd

import (
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// analyse orders the blocks of a function in canonical form and computes uniformity.
func analyse(f *ssa.Func, o Options) (*Plan, *uniform.Analysis) { return analyseUpTo(f, o, 0) }

// analyseUpTo gives up after that many visits of blocks in divergent regions; 0 means no limit.
func analyseUpTo(f *ssa.Func, o Options, visits int) (*Plan, *uniform.Analysis) {
	p := &Plan{F: f, Dom: f.Dominators(), groupSize: o.requiredSize(f), mostGroups: o.mostGroups()}
	p.Loops = f.Loops(p.Dom)
	p.Order = f.LoopOrder(p.Dom, p.Loops)
	p.Pos = make([]int32, f.NumBlocks())
	for i, b := range p.Order {
		p.Pos[b.ID] = int32(i)
	}
	u := uniform.Analyse(uniform.Flow{F: f, Order: p.Order, Pos: p.Pos, Loops: p.Loops},
		uniform.Config{Seed: o.varies, Votes: o.group, Closed: true, MaxVisits: visits})
	p.Varying, p.Split = u.Varying, u.Split
	return p, u
}

// requiredSize returns the size that f requires of work-groups, in the plan's dimensions, zeros if it requires none or if the plan's
// work-groups are others.
func (o *Options) requiredSize(f *ssa.Func) (size [3]int64) {
	if o.Flat || o.Collapse || o.Padded != [3]uint64{} {
		return size
	}
	size = f.Kernel.ReqdGroupSize
	size[0], size[o.LaneDim] = size[o.LaneDim], size[0]
	return size
}

// varies reports whether v differs between lanes by itself.
func (o *Options) varies(v *ssa.Value) bool {
	if o.Scalar {
		return false
	}
	switch v.Op {
	case ssa.OpLoad:
		// Lanes that load from one address together get one value, unless the memory is private.
		k := v.Args[0].Type.K
		return o.group || k == ssa.PtrPrivate || k == ssa.PtrGeneric || v.Flags&ssa.Volatile != 0
	case ssa.OpWorkItem:
		d := uint64(3)
		if v.Args[0].IsConst() {
			d = v.Args[0].ConstElem(0)
		}
		switch ssa.WorkItemQuery(v.Aux) {
		case ssa.GlobalID, ssa.LocalID:
			return d == 0 || !o.RowUniform
		case ssa.GroupID, ssa.LocalSize:
			return !o.GroupUniform
		}
	case ssa.OpPermute, ssa.OpRank, ssa.OpAtomicLoad, ssa.OpAtomicRMW, ssa.OpAtomicCAS, ssa.OpPrintf, ssa.OpCall, ssa.OpExtern, ssa.OpImageQuery, ssa.OpFenceFlags:
		return true
	}
	return v.Op.Has(ssa.ImageAccess) || v.Op.Has(ssa.AsyncCopy) || v.Op.Has(ssa.SubGroup)
}
