package ptx

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// A subject is the kernel that is compiled: its SSA, the options, and the facts for launches that its compilation finds.
// It emits no code.
type subject struct {
	f           *ssa.Func
	opts        Options
	k           *Kernel
	flow        *uniform.Analysis
	irreducible bool // some cycle has no header
	// divergent tells, by block ID, whether control flow is divergent in the block.
	divergent []bool
	// trusts is set if that depends on memory that the program promises not to change.
	trusts bool
	uses   map[*ssa.Value][]*ssa.Value // nil until first needed
}

// refuse ends code generation with an Unsupported error.
func (g *subject) refuse(v *ssa.Value, format string, args ...any) {
	panic(&Unsupported{g.f.Name, v, fmt.Sprintf(format, args...)})
}

// analyse finds the divergent branches.
func (g *subject) analyse() {
	f := g.f
	fl := uniform.FlowOf(f)
	g.irreducible = fl.Loops.Irreducible
	g.flow = uniform.Analyse(fl, uniform.Config{Seed: g.varies, Votes: true})
	g.divergent = make([]bool, f.NumBlocks())
	for _, d := range g.flow.Splits {
		region := g.flow.RegionOf(d)
		for _, b := range region {
			g.divergent[b.ID] = true
		}
	}
}

// varies reports whether v may differ between the work-items of a group although its operands do not. Threads read
// memory at different times, so that two of them may read different values at one address, unless the program promises that
// the memory does not change.
func (g *subject) varies(v *ssa.Value) bool {
	switch v.Op {
	case ssa.OpPhi:
		return g.irreducible
	case ssa.OpLoad:
		unchanged := v.Args[0].Type.K == ssa.PtrConstant
		if v.Flags&ssa.Volatile == 0 && g.unchanged(v.Args[0]) {
			unchanged, g.trusts = true, true
		}
		return g.irreducible || !unchanged
	case ssa.OpWorkItem:
		switch ssa.WorkItemQuery(v.Aux) {
		case ssa.GlobalID, ssa.LocalID, ssa.GlobalLinearID, ssa.LocalLinearID:
			return true
		}
		return false
	case ssa.OpAtomicLoad, ssa.OpAtomicRMW, ssa.OpAtomicCAS, ssa.OpPrintf, ssa.OpImageQuery, ssa.OpAsyncLimit, ssa.OpFenceFlags:
		return true
	}
	return v.Op.Has(ssa.ImageAccess) || v.Op.Has(ssa.AsyncCopy) || v.Op.Has(ssa.SubGroup)
}

// unchanged reports whether a pointer is one into the object of an argument that is declared const and restrict: the object
// is then not modified while the kernel runs (C99, 6.7.3.1).
func (g *subject) unchanged(p *ssa.Value) bool {
	for p.Op == ssa.OpPtrAdd || p.Op == ssa.OpPtrCast || p.Op == ssa.OpCopy {
		p = p.Args[0]
	}
	if p.Op != ssa.OpParam {
		return false
	}
	a := &g.f.Kernel.Args[p.Aux]
	return a.Kind == ssa.ArgGlobal && a.Const && a.Restrict && !a.Volatile
}

// survey collects the kernel's properties that code generation needs first. It returns the operation of sub-groups of each
// block that has some.
func (g *subject) survey() (ops map[*ssa.Block]*ssa.Value) {
	k := g.k
	for _, a := range g.f.Kernel.Args {
		k.UsesLocal = k.UsesLocal || a.Kind == ssa.ArgLocal
	}
	ops = map[*ssa.Block]*ssa.Value{}
	for _, b := range g.flow.Order {
		for _, v := range b.Values {
			switch v.Op {
			case ssa.OpBarrier:
				k.Compares = k.Compares || g.divergent[b.ID]
			case ssa.OpGlobalAddr:
				k.UsesLocal = k.UsesLocal || v.Sym.(*ssa.Global).Kind == ssa.PtrLocal
			case ssa.OpSubGroupExchange, ssa.OpSubGroupBallot, ssa.OpSubGroupBarrier:
				k.Linear = true
				ops[b] = v
			case ssa.OpExtern:
				g.refuse(v, "it calls '%s', which has no body", v.Sym.(*ssa.Extern).Name)
			}
		}
	}
	return ops
}

// back reports whether an edge is a back edge, in the order of the text.
func (g *subject) back(b, to *ssa.Block) bool { return g.flow.Pos[to.ID] <= g.flow.Pos[b.ID] }

// inLoop reports whether a value is computed in a loop.
func (g *subject) inLoop(l *ssa.Loop, v *ssa.Value) bool {
	return v.Block != nil && g.flow.Loops.Contains(l, v.Block)
}

// onlyStored reports whether v has no uses but stores, so that the upper bits of its registers do not matter.
func (g *subject) onlyStored(v *ssa.Value, depth int) bool {
	if g.uses == nil {
		g.uses = map[*ssa.Value][]*ssa.Value{}
		for _, b := range g.f.Blocks {
			for _, u := range b.Values {
				for _, a := range u.Args {
					g.uses[a] = append(g.uses[a], u)
				}
			}
		}
	}
	for _, u := range g.uses[v] {
		switch u.Op {
		case ssa.OpStore:
			if u.Args[0] == v {
				return false
			}
		case ssa.OpVec, ssa.OpShuffle, ssa.OpCopy:
			if depth > 3 || !g.onlyStored(u, depth+1) {
				return false
			}
		default:
			return false
		}
	}
	return true
}
