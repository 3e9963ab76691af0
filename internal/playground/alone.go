package playground

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/argument"
)

// alone returns the reason why a kernel cannot be split among instances that share no memory, "" if it can: its
// work-groups may exchange values, or their output has an order.
func alone(f *ssa.Func) string {
	for i := range f.Kernel.Args {
		if a := &f.Kernel.Args[i]; a.Volatile {
			return fmt.Sprintf("its argument %s is volatile, so that work-groups may exchange values", a.Name)
		}
	}
	seen := map[*ssa.Func]bool{f: true}
	for work := []*ssa.Func{f}; len(work) > 0; {
		g := work[0]
		work = work[1:]
		for _, b := range g.Blocks {
			for _, v := range b.Values {
				if why := exchanges(v); why != "" {
					return why
				}
				if callee, ok := v.Sym.(*ssa.Func); ok && !seen[callee] {
					seen[callee] = true
					work = append(work, callee)
				}
			}
		}
	}
	return ""
}

// exchanges returns the reason why a value makes work-groups depend on each other, "" if it does not.
func exchanges(v *ssa.Value) string {
	switch v.Op {
	case ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
		if k := v.Args[0].Type.K; k != ssa.PtrLocal && k != ssa.PtrPrivate {
			return "it has atomic operations on global memory"
		}
	case ssa.OpLoad, ssa.OpStore:
		if k := v.Args[0].Type.K; v.Flags&ssa.Volatile != 0 && k != ssa.PtrLocal && k != ssa.PtrPrivate {
			return "it has volatile accesses to global memory, so that work-groups may exchange values"
		}
	case ssa.OpGlobalAddr:
		if g, ok := v.Sym.(*ssa.Global); ok && (g.Kind == ssa.PtrGlobal || len(g.Relocs) > 0) {
			return fmt.Sprintf("it uses the program's variable %s", g.Name)
		}
	case ssa.OpPrintf:
		return "it prints, and the lines are shown in the order of the work-groups"
	}
	return ""
}

// describe returns a parameter for the page, with a suitable default argument.
func describe(a *argument.Param) Param {
	p := Param{Name: a.Name, Type: a.TypeName, Lanes: a.Lanes, Writable: a.Writable()}
	if a.Elem != numeric.Invalid {
		p.Elem = a.Elem.CName()
	}
	switch a.Kind {
	case ssa.ArgGlobal, ssa.ArgConstant:
		p.Kind, p.Default = "buffer", "range(1024)"
		if p.Writable {
			p.Default = "zeros(1024)"
		}
	case ssa.ArgLocal:
		p.Kind, p.Default = "local", "local(1024)"
	case ssa.ArgImage:
		p.Kind, p.Default = "image", "zeros(256x256)"
	case ssa.ArgSampler:
		p.Kind, p.Default = "sampler", "edge|nearest"
	case ssa.ArgStruct:
		p.Kind = "struct"
	default:
		p.Kind, p.Default = "value", "1"
	}
	return p
}
