package ptx

import (
	"github.com/purecl/purecl/internal/ir/ssa"
)

// outsideImage emits the part of image reads and writes that package imagecode does not expand: accesses to
// elements outside of the image. It records them; a read gives zeros.
func (g *values) outsideImage(v *ssa.Value) {
	at := v.Args[1]
	x := [3]string{"0", "0", "0"}
	for d := range min(int(at.Type.N), 3) {
		x[d] = g.elem(at, d)
	}
	yz := g.join([]string{x[1], x[2]}, 4, 8)
	g.callRecord(v, BadBounds, yz, x[0])
	if v.Op == ssa.OpImageRead {
		c := classOf(v.Type.K)
		g.each(v, func(int) string { return g.set(c, "mov."+classTypes[c], zero(v.Type.K)) })
	}
}
