package spmd

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/ssa"
)

// String describes the plan, a line for each block in order.
func (p *Plan) String() string {
	var s strings.Builder
	name := func(b *ssa.Block) string {
		if b == nil {
			return "-"
		}
		return fmt.Sprintf("b%d", b.ID)
	}
	names := func(list []*ssa.Block) string {
		var out []string
		for _, b := range list {
			out = append(out, name(b))
		}
		return strings.Join(out, ",")
	}
	for _, b := range p.Order {
		fmt.Fprintf(&s, "%s -> %s", name(b), names(b.Succs))
		if p.Split[b.ID] {
			s.WriteString(" split")
		}
		if p.Divergent[b.ID] {
			fmt.Fprintf(&s, " mask of %s", name(p.Class[b.ID]))
		}
		if p.Test[b.ID] {
			fmt.Fprintf(&s, " tested, else %s", name(p.Skip[b.ID]))
		}
		if !p.ContinuesDirectly(b) {
			fmt.Fprintf(&s, " next %s", names(p.Next[b.ID]))
		}
		if len(p.Zero[b.ID]) > 0 {
			fmt.Fprintf(&s, " zero %s", names(p.Zero[b.ID]))
		}
		s.WriteByte('\n')
	}
	return s.String()
}
