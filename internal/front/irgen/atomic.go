package irgen

import "github.com/purecl/purecl/internal/ir/ssa"

// Reading and assigning an object of an atomic type is sequentially consistent with device scope, as in C11. Atomic
// types have no other operators (OpenCL C, "Atomic Functions", 6.15.12).
var atomicAux = ssa.AtomicAux(0, ssa.SeqCst, ssa.ScopeDevice)

func (m *memory) atomicLoad(p *place) *ssa.Value {
	return m.Aux(ssa.OpAtomicLoad, ssaType(p.typ), atomicAux, m.offset(p.ptr, p.off))
}

func (m *memory) atomicStore(p *place, x *ssa.Value) {
	m.Aux(ssa.OpAtomicStore, ssa.TVoid, atomicAux, m.offset(p.ptr, p.off), x)
}
