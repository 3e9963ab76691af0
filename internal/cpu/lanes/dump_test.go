package lanes

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

func (s Shape) String() string { return [...]string{"varying", "affine", "uniform"}[s] }

// String describes the fact, such as "affine +4, in [0, 1020], multiple of 4".
func (f *Fact) String() string {
	var s strings.Builder
	s.WriteString(f.Shape.String())
	if f.Shape == Affine {
		fmt.Fprintf(&s, " %+d", f.Stride)
	}
	if f.Order != nil {
		fmt.Fprintf(&s, " in the order of v%d ^ v%d", f.Order.Of.ID, f.Order.By.ID)
	}
	if f.MayWrap {
		s.WriteString(", may wrap")
	}
	if f.Displaced {
		s.WriteString(" into bounds")
	}
	if f.Known {
		fmt.Fprintf(&s, ", first %d", f.First)
	}
	if f.Bounded {
		fmt.Fprintf(&s, ", in [%d, %d]", f.Lo, f.Hi)
	}
	if f.Zeros > 0 && f.Zeros < 63 {
		fmt.Fprintf(&s, ", multiple of %d", uint64(1)<<f.Zeros)
	}
	return s.String()
}

// Dump returns the function's text, with the fact of each value and the address of each access. It omits
// intervals that are the whole type.
func (f *Facts) Dump() string {
	var s strings.Builder
	for _, b := range f.Order {
		fmt.Fprintf(&s, "b%d:\n", b.ID)
		for _, v := range b.Values {
			switch {
			case v.Op == ssa.OpLoad || v.Op == ssa.OpStore:
				fmt.Fprintf(&s, "  %s ; %s\n", v, f.access(v))
			case v.Op == ssa.OpConst || v.Op == ssa.OpParam || v.Type.K == ssa.Void:
				fmt.Fprintf(&s, "  %s\n", v)
			default:
				fmt.Fprintf(&s, "  %s ; %s\n", v, f.about(v))
			}
		}
	}
	return s.String()
}

// about describes v's fact.
func (f *Facts) about(v *ssa.Value) string {
	x := *f.Of(v)
	if !IsInt(v.Type.K) {
		x.Bounded, x.Zeros = false, 0
	} else if x.Interval == interval.Whole(v.Type.K) {
		x.Bounded = false
	}
	return x.String()
}

// access describes the result and the address of a load or store.
func (f *Facts) access(v *ssa.Value) string {
	a := f.Address(v.Args[0], false)
	var s strings.Builder
	if v.Op == ssa.OpLoad {
		s.WriteString(f.about(v) + "; ")
	}
	switch {
	case a.Root == nil:
		s.WriteString("at no known object")
		return s.String()
	case a.Root.Op == ssa.OpGlobalAddr:
		fmt.Fprintf(&s, "at @%s", a.Root.Sym.(*ssa.Global).Name)
	default:
		fmt.Fprintf(&s, "at v%d", a.Root.ID)
	}
	for _, t := range a.Terms {
		fmt.Fprintf(&s, " + v%d", t.ID)
	}
	if a.Disp != 0 {
		fmt.Fprintf(&s, " %+d", a.Disp)
	}
	switch {
	case a.Order != nil:
		fmt.Fprintf(&s, ", lanes %d apart in the order of v%d ^ v%d", a.Stride, a.Order.Of.ID, a.Order.By.ID)
	case a.Regular():
		fmt.Fprintf(&s, ", lanes %d apart", a.Stride)
	default:
		s.WriteString(", lanes anywhere")
	}
	if a.Guarded {
		s.WriteString(" if")
		for _, g := range a.Guards {
			fmt.Fprintf(&s, " v%d", g.ID)
		}
		s.WriteString(" has not wrapped")
	}
	return s.String()
}
