package interp

import (
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/ir/uniform"
)

// An analysis is what is known about a function before it is lowered: where values are uniform, and which may be
// undefined (uninit.go). It knows nothing of registers and instructions.
type analysis struct {
	f        *ssa.Func
	isKernel bool
	flow     *uniform.Analysis
	poison   []bool // by value ID: may hold undefined elements; nil if no check needs it
}

// visible reports whether x's register still holds x's value at v. It does not if x is a cell of a loop that does
// not contain v.
func (an *analysis) visible(x, v *ssa.Value) bool {
	if an.flow.Varying[x.ID] || x.IsConst() || x.Op == ssa.OpParam {
		return true
	}
	loop := an.flow.Loops.Of(x.Block)
	return loop == nil || an.flow.Loops.Contains(loop, v.Block)
}
