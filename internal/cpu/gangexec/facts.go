package gangexec

import (
	"errors"
	"fmt"

	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Facts are properties of a kernel that hold for all variants of its code.
type Facts struct {
	Groups     bool // the kernel's result depends on work-groups
	Cooperates bool // not only on their ids: a group's work-items run on one worker
	Ordered    bool // the result may depend on the order of work-groups
	LocalOrder bool // or on the order of work-items in a work-group, through atomic operations
	Barriers   bool
	Prints     bool
	SubGroups  bool // uses sub-group functions
	Returns    int  // number of blocks that return
}

// Kernels returns two forms of a kernel without calls. source is for the reference executor. Plans are made of f, in
// which cheap branches that data make divergent are selects. An error is the reason why there are none.
func Kernels(kernel *ssa.Func) (source, f *ssa.Func, err error) {
	if kernel.Kernel == nil {
		return nil, nil, errors.New(reasonNoKernel)
	}
	source = kernel
	if calls(kernel) {
		if source = opt.Flat(kernel); source == nil {
			return nil, nil, errors.New(reasonCalls)
		}
	}
	if f = opt.SelectDivergent(source); f == nil {
		f = source
	}
	return source, f, nil
}

// calls reports whether f calls functions that were not inlined.
func calls(f *ssa.Func) bool {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpCall {
				return true
			}
		}
	}
	return false
}

// FactsOf returns the facts of a kernel. An error names an operation that cannot be compiled.
func FactsOf(f *ssa.Func) (c Facts, err error) {
	for _, a := range f.Kernel.Args {
		switch a.Kind {
		case ssa.ArgLocal:
			c.Cooperates = true
		}
	}
	used := make([]bool, f.NumValues())
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for _, a := range v.Args {
				used[a.ID] = true
			}
		}
	}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			switch v.Op {
			case ssa.OpReturn, ssa.OpUnreachable:
				c.Returns++
			case ssa.OpCall, ssa.OpExtern:
				return c, fmt.Errorf("%s: %v", reasonCalls, v.Op)
			case ssa.OpSubGroupExchange, ssa.OpSubGroupBallot, ssa.OpSubGroupBarrier:
				c.Cooperates, c.SubGroups = true, true
			case ssa.OpPrintf:
				c.Cooperates, c.Prints = true, true // text appears in order of work-groups
			case ssa.OpBarrier:
				c.Cooperates, c.Barriers = true, true
			case ssa.OpGlobalAddr:
				c.Cooperates = c.Cooperates || v.Sym.(*ssa.Global).Kind == ssa.PtrLocal
			case ssa.OpWorkItem:
				switch ssa.WorkItemQuery(v.Aux) {
				case ssa.LocalID, ssa.GroupID, ssa.LocalSize, ssa.LocalLinearID:
					c.Groups = true
				}
			case ssa.OpAtomicRMW, ssa.OpAtomicCAS:
				k := v.Args[0].Type.K
				rmw, _, _ := ssa.AtomicParts(v.Aux)
				if used[v.ID] || v.Op == ssa.OpAtomicCAS || v.Type.K.Num().IsFloat() || rmw == ssa.RMWXchg {
					c.LocalOrder = true
					c.Ordered = c.Ordered || k == ssa.PtrGlobal || k == ssa.PtrGeneric
				}
			}
		}
	}
	c.Groups = c.Groups || c.Cooperates
	return c, nil
}
