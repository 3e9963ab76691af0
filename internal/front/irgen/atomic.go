package irgen

import "github.com/purecl/purecl/internal/ir/ssa"

// Reading and assigning an object of an atomic type is sequentially consistent with device scope, as in C11. Atomic
// types have no other operators (OpenCL C, "Atomic Functions", 6.15.12).
var atomicAux = ssa.AtomicAux(0, ssa.SeqCst, ssa.ScopeDevice)

func (g *generator) atomicLoad(p *place) *ssa.Value {
	return g.Aux(ssa.OpAtomicLoad, ssaType(p.typ), atomicAux, g.offset(p.ptr, p.off))
}

func (g *generator) atomicStore(p *place, x *ssa.Value) {
	g.Aux(ssa.OpAtomicStore, ssa.TVoid, atomicAux, g.offset(p.ptr, p.off), x)
}
