package spmd

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// String describes the plan, one line per block in order.
func (p *Plan) String() string {
	var s strings.Builder
	for _, b := range p.Order {
		fmt.Fprintf(&s, "%s%s\n", blockName(b), p.about(b))
	}
	return s.String()
}

// Dump writes the function in execution order: each block with its mask and its successors, each value with its
// uniformity.
func (p *Plan) Dump() string {
	var s strings.Builder
	for _, b := range p.Order {
		fmt.Fprintf(&s, "%s: ;%s\n", blockName(b), p.about(b))
		for _, v := range b.Values {
			about := "uniform"
			switch {
			case v.Op == ssa.OpConst || v.Op == ssa.OpParam:
				about = ""
			case v.Op.Has(ssa.Terminator):
				about = ""
				if p.Split[b.ID] {
					about = "divergent"
				}
			case v.Type.K == ssa.Void:
				about = ""
			case p.Varying[v.ID]:
				about = "varying"
			}
			if about != "" {
				about = " ; " + about
			}
			fmt.Fprintf(&s, "  %s%s\n", v, about)
		}
	}
	return s.String()
}

func blockName(b *ssa.Block) string {
	if b == nil {
		return "-"
	}
	return fmt.Sprintf("b%d", b.ID)
}

// about describes how control and masks reach b and leave it.
func (p *Plan) about(b *ssa.Block) string {
	var s strings.Builder
	names := func(list []*ssa.Block) string {
		var out []string
		for _, b := range list {
			out = append(out, blockName(b))
		}
		return strings.Join(out, ",")
	}
	fmt.Fprintf(&s, " -> %s", names(b.Succs))
	if p.Split[b.ID] {
		s.WriteString(" split")
	}
	if p.Divergent[b.ID] {
		fmt.Fprintf(&s, " mask of %s", blockName(p.Class[b.ID]))
	}
	if p.Test[b.ID] {
		fmt.Fprintf(&s, " tested, else %s", blockName(p.Skip[b.ID]))
	}
	if !p.ContinuesDirectly(b) {
		fmt.Fprintf(&s, " next %s", names(p.Next[b.ID]))
	}
	if len(p.Zero[b.ID]) > 0 {
		fmt.Fprintf(&s, " zero %s", names(p.Zero[b.ID]))
	}
	return s.String()
}
