package x86

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// flatPhi reports whether to keep a phi in memory order: the phi of a loop header, if its initial value and its
// value after an iteration are in memory order.
func (l *addresses) flatPhi(v *ssa.Value) bool {
	if v.Type.N == 1 || v.Type.N == 3 || v.Type.K == ssa.Bool {
		return false
	}
	p := l.loopOf(v.Block)
	if p == nil || p.Header != v.Block {
		return l.flatJoin(v)
	}
	if p.Latch == nil {
		return false
	}
	in := l.real(v.Args[p.In])
	if l.vals[in.ID].f == nil && !in.IsConst() {
		return false
	}
	return l.staysFlat(v.Args[1-p.In], v, 12)
}

// phi allocates the registers of a phi.
func (l *addresses) phi(v *ssa.Value) {
	x := &l.vals[v.ID]
	if x.g != nil || x.v != nil || x.k != nil || l.real(v) != v || x.flat {
		return
	}
	n := int(v.Type.N)
	if l.facts.Of(v).Shape == lanes.Affine {
		x.home = cG
		x.g = []reg{l.g()}
		return
	}
	switch {
	case !l.plan.Varying[v.ID] && inGeneral(v.Type.K):
		for range n {
			x.g = append(x.g, l.g())
		}
	case v.Type.K == ssa.Bool:
		x.home = cK
		for range n {
			x.k = append(x.k, l.newMask())
		}
	case !l.plan.Varying[v.ID]:
		x.home = cV
		for range n {
			x.v = append(x.v, l.everywhere(l.vr(), size(v.Type.K)))
		}
	case l.flatPhi(v):
		x.home, x.flat = cV, true
		x.f = l.rawVec(size(v.Type.K), n)
	default:
		x.home = cV
		for range n {
			x.v = append(x.v, l.newVec(size(v.Type.K)))
		}
	}
}
