package interp

import (
	"math/bits"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// An access describes the address of an instruction's access: base + index·scale + disp.
type access struct {
	base      int32 // a pointer
	index     int32 // or -1
	baseCell  bool
	indexKind ssa.Kind // I32, U32 or I64
	scale     int64
	disp      int64

	space  ssa.Kind // kind of the pointer
	elem   uint8    // bytes of an element
	n      uint8    // elements
	size   uint64   // bytes in all
	align  uint64   // required alignment; 0 or 1: none
	kind   accessKind
	taints []int32 // of a load: columns to set; of a store: columns that mark undefined values; -1: none
	watch  bool    // an observer may need the access

	// Of an atomic access; failure is the order of a compare-and-exchange that fails.
	order, failure ssa.Order
	scope          ssa.Scope
	async          bool   // by an async copy of the work-group instead of a work-item
	note           string // name of the access in reports: "load", …
}

// An accessKind is the kind of an access for the race detector.
type accessKind uint8

const (
	accRead accessKind = 1 << iota
	accWrite
	accAtomic
	// accPeek is a volatile load of a scalar, which OpenCL C 1.x uses as an atomic load: compare-and-exchange loops
	// start from it.
	accPeek
)

// ready is called when storage has been assigned.
func (m *access) ready(in *inst) {
	for i, t := range m.taints {
		if t < 0 {
			continue
		}
		if m.kind == accWrite {
			m.taints[i] = in.src[t]
		} else {
			m.taints[i] = in.dst[t]
		}
	}
}

// memory lowers the ops that address memory. It returns false for others.
func (l *lowerer) memory(v *ssa.Value, uniform bool) bool {
	switch v.Op {
	case ssa.OpLoad:
		l.load(v, uniform)
	case ssa.OpStore:
		l.store(v)
	case ssa.OpMemCopy, ssa.OpMemZero:
		l.use(v, v.Args[0], false)
		in := l.newInst(v, kMemZero, false)
		if v.Op == ssa.OpMemCopy {
			l.use(v, v.Args[1], false)
			in.run = kMemCopy
			in.b = l.vary(l.comps[v.Args[1].ID][0])
		}
		in.mem = &access{base: noReg, index: noReg, note: v.Op.String()}
		in.a, in.effect, in.imm = l.vary(l.comps[v.Args[0].ID][0]), true, uint64(v.Aux)
		l.granule(uint64(v.Aux), 1)
		l.emit(in)
	case ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
		l.atomic(v)
	default:
		return false
	}
	return true
}

// granule records that the race detector must distinguish accesses of this size.
func (l *lowerer) granule(size, align uint64) {
	g := bits.TrailingZeros64(size)
	if align > 0 {
		g = min(g, bits.TrailingZeros64(align))
	}
	l.c.gran = min(l.c.gran, uint8(min(g, 3)))
}

func (l *lowerer) load(v *ssa.Value, uniform bool) {
	m := l.access(v, v.Args[0], v.Type, uniform)
	m.kind, m.note = accRead, "load"
	if v.Flags&ssa.Volatile != 0 && v.Type.N == 1 {
		m.kind = accPeek
	}
	in := l.newInst(v, nil, uniform)
	in.mem = m
	in.effect = v.Flags&ssa.Volatile != 0 || l.checks() >= exec.ChecksMemory // the memory observer needs it
	l.comps[v.ID] = l.fresh(v.Type, uniform)
	in.dst = append(in.dst, l.comps[v.ID]...)
	if l.mayPoison(v) {
		l.taints[v.ID] = l.fresh(ssa.Vec(ssa.Bool, int(v.Type.N)), uniform)
		for _, t := range l.taints[v.ID] {
			m.taints = append(m.taints, int32(len(in.dst)))
			in.dst = append(in.dst, t)
		}
	}
	if v.Type.N == 1 {
		in.run = bySize(m.elem, kLoad[uint8], kLoad[uint16], kLoad[uint32], kLoad[uint64])
	} else {
		in.run = bySize(m.elem, kLoadVec[uint8], kLoadVec[uint16], kLoadVec[uint32], kLoadVec[uint64])
	}
	l.emit(in)
}

func (l *lowerer) store(v *ssa.Value) {
	x := v.Args[1]
	m := l.access(v, v.Args[0], x.Type, false)
	m.kind, m.note = accWrite, "store"
	in := l.newInst(v, nil, false)
	in.mem, in.effect = m, true
	for _, r := range l.comps[x.ID] {
		in.src = append(in.src, l.vary(r))
	}
	if m.space == ssa.PtrGlobal || m.space == ssa.PtrConstant {
		l.use(v, x, false) // a value that others can read must be defined
	} else if l.taints[x.ID] != nil {
		for i := range x.Type.N {
			t := l.taint(x, int(i))
			if t == noReg {
				m.taints = append(m.taints, -1)
				continue
			}
			m.taints = append(m.taints, int32(len(in.src)))
			in.src = append(in.src, l.vary(t))
		}
	}
	if x.Type.N == 1 {
		in.run = bySize(m.elem, kStore[uint8], kStore[uint16], kStore[uint32], kStore[uint64])
	} else {
		in.run = bySize(m.elem, kStoreVec[uint8], kStoreVec[uint16], kStoreVec[uint32], kStoreVec[uint64])
	}
	l.emit(in)
}

// access returns the access of v to a value of type t at p.
func (l *lowerer) access(v, p *ssa.Value, t ssa.Type, uniform bool) *access {
	m := &access{base: noReg, index: noReg, scale: 1, space: p.Type.K, elem: elemSize(t), n: t.N, size: uint64(t.Size())}
	m.align = m.size
	if v.Op == ssa.OpLoad || v.Op == ssa.OpStore {
		m.align = uint64(v.Aux)
	}
	if m.align > 1 && m.align&(m.align-1) != 0 {
		m.align &= -m.align
	}
	m.watch = l.checks() > exec.ChecksNone
	l.granule(m.size, m.align)
	base, index := l.split(v, p, m)
	l.use(v, base, uniform)
	m.base = l.comps[base.ID][0]
	m.baseCell = l.regs[m.base].uniform
	if index != nil {
		l.use(v, index, uniform) // the ops between it and the address are not executed
		r := l.comps[index.ID][0]
		m.index = l.form(r, uniform)
		m.indexKind = index.Type.K
	}
	return m
}

// split decomposes an address into a base and a scaled index, so that one pass over the lanes computes it. The
// registers of both must still be valid at v.
func (l *lowerer) split(v, p *ssa.Value, m *access) (base, index *ssa.Value) {
	for p.Op == ssa.OpPtrAdd && p.Args[1].IsConst() && l.visible(p.Args[0], v) {
		m.disp += int64(p.Args[1].ConstElem(0))
		p = p.Args[0]
	}
	if p.Op != ssa.OpPtrAdd || !l.visible(p.Args[0], v) || !l.visible(p.Args[1], v) {
		return p, nil
	}
	x := p.Args[1]
	base = p.Args[0]
	for {
		switch {
		case x.Op == ssa.OpMul && x.Args[1].IsConst() && l.visible(x.Args[0], v):
			m.scale *= int64(x.Args[1].ConstElem(0))
			x = x.Args[0]
			continue
		case x.Op == ssa.OpMul && x.Args[0].IsConst() && l.visible(x.Args[1], v):
			m.scale *= int64(x.Args[0].ConstElem(0))
			x = x.Args[1]
			continue
		case x.Op == ssa.OpShl && x.Args[1].IsConst() && l.visible(x.Args[0], v):
			m.scale <<= x.Args[1].ConstElem(0) & 63
			x = x.Args[0]
			continue
		case x.Op == ssa.OpAdd && x.Args[1].IsConst() && l.visible(x.Args[0], v):
			m.disp += m.scale * int64(x.Args[1].ConstElem(0))
			x = x.Args[0]
			continue
		case (x.Op == ssa.OpBitcast || x.Op == ssa.OpConvert && x.Aux&8 == 0 || x.Op == ssa.OpCopy) && l.visible(x.Args[0], v) && is64(x.Args[0].Type) && is64(x.Type):
			x = x.Args[0]
			continue
		case x.Op == ssa.OpConvert && l.visible(x.Args[0], v) && (x.Args[0].Type == ssa.TI32 || x.Args[0].Type == ssa.TU32) && is64(x.Type) && x.Aux&8 == 0:
			return base, x.Args[0]
		}
		return base, x
	}
}

func is64(t ssa.Type) bool { return t == ssa.TI64 || t == ssa.TU64 }

// atomic lowers the atomic ops. They run lane by lane.
func (l *lowerer) atomic(v *ssa.Value) {
	t := v.Type
	if v.Op == ssa.OpAtomicStore {
		t = v.Args[1].Type
	}
	if t.N != 1 || t.Size() != 4 && t.Size() != 8 && t.K != ssa.F16 {
		l.c.fail(l.f, v.Pos, "no atomic operations on %s", t)
	}
	m := l.access(v, v.Args[0], t, false)
	m.kind, m.note = accAtomic, "atomic access"
	in := l.newInst(v, nil, false)
	in.mem, in.effect = m, true
	if v.Op == ssa.OpAtomicCAS {
		in.imm = 1 // it writes only if the comparison succeeds
	}
	for _, a := range v.Args[1:] {
		l.use(v, a, false)
		in.src = append(in.src, l.vary(l.comps[a.ID][0]))
	}
	if v.Op != ssa.OpAtomicStore {
		in.d = l.newReg(m.elem, false)
		l.comps[v.ID] = []reg{in.d}
	}
	rmw, order, scope := ssa.AtomicParts(v.Aux)
	m.order, m.failure, m.scope = order, ssa.FailureOrder(v.Aux), scope
	in.run = bySize(m.elem, nil, kAtomic[uint16], kAtomic[uint32], kAtomic[uint64])
	in.ext = atomicOp(v.Op, rmw, t.K)
	if in.ext == (*atomicFn)(nil) {
		l.c.fail(l.f, v.Pos, "no atomic %s of %s", ssa.RMWNames[rmw], t)
	}
	l.emit(in)
}
