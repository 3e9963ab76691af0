package opt

import (
	"encoding/binary"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// memory simplifies pointers, loads of constants, and copies of zero bytes.
func (z *simplifier) memory(v *ssa.Value) bool {
	if v.Op.Has(ssa.Reads) || v.Op.Has(ssa.Writes) {
		if z.namedSpace(v) {
			return true
		}
	}
	switch v.Op {
	case ssa.OpPtrAdd:
		return z.ptrAdd(v)
	case ssa.OpPtrCast:
		x := v.Args[0]
		if x.Type == v.Type {
			return become(v, x)
		}
		// A cast to generic and back to the same space, or on to another one.
		if x.Op == ssa.OpPtrCast && x.Type.K == ssa.PtrGeneric && x.Args[0].Type == v.Type {
			return become(v, x.Args[0])
		}
	case ssa.OpAsyncEvent, ssa.OpAsyncCopy, ssa.OpAsyncWait, ssa.OpFenceFlags:
		if i, ok := ssa.CheckersOnly(v); ok && !z.s.cfg.KeepAccesses {
			return become(v, v.Args[i])
		}
	case ssa.OpMemCopy:
		return z.movesValues(v)
	case ssa.OpLoad:
		if v.Args[0].Type.K == ssa.PtrConstant && v.Flags&ssa.Volatile == 0 {
			return z.constantLoad(v)
		}
	}
	return false
}

// movesValues replaces a copy of a small structure between memories by loads and stores. sroa handles copies of
// variables.
func (z *simplifier) movesValues(v *ssa.Value) bool {
	if v.Aux <= 0 || v.Aux > maxTypedGap || v.Flags&ssa.Volatile != 0 || z.s.cfg.KeepAccesses {
		return false
	}
	for _, p := range v.Args {
		for p.Op == ssa.OpPtrAdd || p.Op == ssa.OpPtrCast || p.Op == ssa.OpCopy {
			p = p.Args[0]
		}
		if p.Op == ssa.OpAlloca || p.Op == ssa.OpPhi || p.Op == ssa.OpSelect {
			return false
		}
	}
	at := func(p *ssa.Value, off int64) *ssa.Value {
		if off == 0 {
			return p
		}
		return z.put(z.f.NewValue(ssa.OpPtrAdd, p.Type, v.Pos, p, z.r.constant(ssa.TI64, uint64(off))))
	}
	var loads []*ssa.Value
	for off := int64(0); off < v.Aux; {
		t := gapType(off, v.Aux)
		loads = append(loads, z.r.aux(ssa.OpLoad, t, 1, at(v.Args[1], off)))
		off += int64(t.Size())
	}
	off := int64(0)
	for i, x := range loads {
		p := at(v.Args[0], off)
		off += int64(x.Type.Size())
		if i+1 < len(loads) {
			z.r.aux(ssa.OpStore, ssa.TVoid, 1, p, x)
			continue
		}
		change(v, ssa.OpStore, p, x)
		v.Aux = 1
	}
	return true
}

// namedSpace replaces an access's generic pointer by the pointer from which it was converted. Its object is
// then known, and a caller's variable whose address a helper takes can still be promoted.
func (z *simplifier) namedSpace(v *ssa.Value) (changed bool) {
	switch v.Op {
	case ssa.OpLoad, ssa.OpStore, ssa.OpMemCopy, ssa.OpMemZero, ssa.OpAtomicLoad, ssa.OpAtomicStore, ssa.OpAtomicRMW, ssa.OpAtomicCAS:
	default:
		return false
	}
	n := 1
	if v.Op == ssa.OpMemCopy {
		n = 2
	}
	for i, p := range v.Args[:n] {
		if madeGeneric(p) {
			v.Args[i], changed = p.Args[0], true
		}
	}
	return changed
}

// madeGeneric reports whether p is a pointer converted from a named address space to generic.
func madeGeneric(p *ssa.Value) bool {
	return p.Op == ssa.OpPtrCast && p.Type.K == ssa.PtrGeneric && p.Args[0].Type.K != ssa.PtrGeneric && p.Args[0].Type.K.IsPtr() && p.Args[0].Type.N == 1
}

func (z *simplifier) ptrAdd(v *ssa.Value) bool {
	x := v.Args[0]
	if madeGeneric(x) {
		y := z.put(z.f.NewValue(ssa.OpPtrAdd, x.Args[0].Type, v.Pos, x.Args[0], v.Args[1]))
		return change(v, ssa.OpPtrCast, y)
	}
	c, ok := splatConst(v.Args[1])
	if !ok {
		return z.steadyOffset(v)
	}
	if c == 0 {
		return become(v, x)
	}
	if x.Op == ssa.OpPtrAdd {
		if d, ok := splatConst(x.Args[1]); ok {
			return change(v, ssa.OpPtrAdd, x.Args[0], z.r.constant(ssa.TI64, c+d))
		}
	}
	return false
}

// maxSteady bounds the constant parts, in bytes, that are extracted from offsets.
const maxSteady = 1 << 20

// steadyOffset adds the constant part of an offset last, so that neighbours share the rest: p + s·(x + c) is p
// + s·x + s·c, in 64-bit arithmetic.
func (z *simplifier) steadyOffset(v *ssa.Value) bool {
	scale := uint64(1)
	o := v.Args[1]
	if o.Op == ssa.OpMul || o.Op == ssa.OpShl {
		s, ok := splatConst(o.Args[1])
		if !ok {
			return false
		}
		if scale = s; o.Op == ssa.OpShl {
			scale = 1 << (s & 63)
		}
		o = o.Args[0]
	}
	signed := o
	if o.Op == ssa.OpConvert && o.Args[0].Type == ssa.TU64 {
		o = o.Args[0] // has the same bits
	}
	if o.Op != ssa.OpAdd || o.Type.K.Num().Size() != 8 {
		return false
	}
	c, ok := splatConst(o.Args[1])
	if d := int64(c * scale); !ok || int64(scale) < 0 || scale > maxSteady || int64(c) >= maxSteady || int64(c) <= -maxSteady || d >= maxSteady || d <= -maxSteady {
		return false
	}
	rest := o.Args[0]
	if rest.Type != ssa.TI64 {
		rest = z.r.aux(ssa.OpConvert, ssa.TI64, signed.Aux, rest)
		rest.Flags = signed.Flags // so that neighbours have the same flags
	}
	if scale != 1 {
		rest = z.r.value(ssa.OpMul, ssa.TI64, rest, z.r.constant(ssa.TI64, scale))
	}
	p := z.r.value(ssa.OpPtrAdd, v.Type, v.Args[0], rest)
	return change(v, ssa.OpPtrAdd, p, z.r.constant(ssa.TI64, c*scale))
}

// constantLoad folds a load from a constant variable at a known offset.
func (z *simplifier) constantLoad(v *ssa.Value) bool {
	p, off := v.Args[0], int64(0)
	if p.Op == ssa.OpPtrAdd {
		c, ok := splatConst(p.Args[1])
		if !ok {
			return false
		}
		p, off = p.Args[0], int64(c)
	}
	g, ok := p.Sym.(*ssa.Global)
	size := int64(v.Type.Size())
	if !ok || p.Op != ssa.OpGlobalAddr || off < 0 || off > g.Size-size {
		return false
	}
	for _, r := range g.Relocs {
		if r.Off < off+size && r.Off+8 > off {
			return z.relocLoad(v, r, off)
		}
	}
	var buf [128]byte
	if off < int64(len(g.Init)) {
		copy(buf[:size], g.Init[off:])
	}
	n := int(v.Type.N)
	e := int(size) / n
	bits := make([]uint64, n)
	for i := range bits {
		var w [8]byte
		copy(w[:e], buf[i*e:])
		bits[i] = binary.LittleEndian.Uint64(w[:])
		if v.Type.K == ssa.Bool && bits[i] > 1 {
			return false
		}
	}
	v.BecomeConst(z.f, bits)
	return true
}

// relocLoad folds the load of a whole pointer.
func (z *simplifier) relocLoad(v *ssa.Value, r ssa.Reloc, off int64) bool {
	if r.Off != off || v.Type != ssa.Scalar(r.Target.Kind) {
		return false
	}
	p := z.r.value(ssa.OpGlobalAddr, v.Type)
	p.Sym = r.Target
	return change(v, ssa.OpPtrAdd, p, z.r.constant(ssa.TI64, uint64(r.Addend)))
}
