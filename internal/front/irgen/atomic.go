package irgen

import "github.com/purecl/purecl/internal/ir/ssa"

// Reading and assigning an object of an atomic type is sequentially consistent and of
// device scope, as in C11; other operators do not exist for them (OpenCL C, "Atomic
// Functions", 6.15.12).
var atomicAux = ssa.AtomicAux(0, ssa.SeqCst, ssa.ScopeDevice)

func (g *generator) atomicLoad(p *place) *ssa.Value {
	return g.Aux(ssa.OpAtomicLoad, ssaType(p.typ), atomicAux, g.offset(p.ptr, p.off))
}

func (g *generator) atomicStore(p *place, x *ssa.Value) {
	g.Aux(ssa.OpAtomicStore, ssa.TVoid, atomicAux, g.offset(p.ptr, p.off), x)
}
