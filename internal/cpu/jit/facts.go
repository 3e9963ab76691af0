package jit

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// facts are what all variants of a kernel have in common.
type facts struct {
	groups         bool // work-groups can be told apart
	orderSensitive bool // the result may depend on the order of work-groups
	prints         bool
	subGroups      bool // has functions of sub-groups
	returns        int  // blocks that return
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

// survey collects the facts. An error is an operation that machine code has none for.
func (c *facts) survey(f *ssa.Func) error {
	for _, a := range f.Kernel.Args {
		switch a.Kind {
		case ssa.ArgLocal:
			c.groups = true
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
				c.returns++
			case ssa.OpCall, ssa.OpExtern:
				return fmt.Errorf("%s: %v", reasonCalls, v.Op)
			case ssa.OpRuntime:
				if ssa.IsSubGroupFunction(v) {
					c.groups, c.subGroups = true, true
				}
			case ssa.OpPrintf:
				c.groups, c.prints = true, true // text comes out in order of work-groups
			case ssa.OpBarrier:
				c.groups = true
			case ssa.OpGlobalAddr:
				c.groups = c.groups || v.Sym.(*ssa.Global).Kind == ssa.PtrLocal
			case ssa.OpWorkItem:
				switch ssa.WorkItemQuery(v.Aux) {
				case ssa.LocalID, ssa.GroupID, ssa.LocalSize, ssa.LocalLinearID:
					c.groups = true
				}
			case ssa.OpAtomicRMW, ssa.OpAtomicCAS:
				k := v.Args[0].Type.K
				rmw, _, _ := ssa.AtomicParts(v.Aux)
				if (k == ssa.PtrGlobal || k == ssa.PtrGeneric) && (used[v.ID] || v.Op == ssa.OpAtomicCAS || v.Type.K.Num().IsFloat() || rmw == ssa.RMWXchg) {
					c.orderSensitive = true
				}
			}
		}
	}
	return nil
}
