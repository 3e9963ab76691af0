package x86

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Code for work-groups of known size (package spmd, unfold.go). Local ids are constants plus the lane number,
// and so are addresses in local memory. Addresses of variables are certainly in bounds.

// known reports whether v follows from the lane number alone. Code for such a value is made on demand.
func (l *values) known(v *ssa.Value) bool {
	return l.plan.Unfolded && v.Type.N == 1 && lanes.IsInt(v.Type.K) && size(v.Type.K) >= 4 && !v.IsConst() && v.Op != ssa.OpPhi && l.facts.AllLanes(v)
}

// knownBits returns the bits of a known value, for a varying one of its first lane.
func (l *values) knownBits(v *ssa.Value) uint64 {
	return uint64(l.facts.Of(v).First) & ones(8*size(v.Type.K))
}

// knownV returns a known value in vector registers.
func (l *values) knownV(v *ssa.Value) vec {
	x, sz := l.facts.Of(v), size(v.Type.K)
	if x.Stride == 0 {
		return l.constV(sz, l.knownBits(v))
	}
	per := int(l.lv.VL) / sz
	p := make(vec, l.parts(sz))
	for k := range p {
		buf := make([]byte, 0, l.lv.VL)
		for i := range per {
			n := uint64(x.First + int64(k*per+i)*x.Stride)
			for j := range sz {
				buf = append(buf, byte(n>>(8*j)))
			}
		}
		p[k] = l.table(l.lv.VL, buf)
	}
	return p
}

// A sameLoad identifies a load from a variable whose result is in registers.
type sameLoad struct {
	root       int
	at, stride int64
	t          ssa.Type
}
