package opt

import (
	"encoding/binary"

	"github.com/purecl/purecl/internal/ssa"
)

// memory simplifies pointers, loads of constants, and copies of nothing.
func (z *simplifier) memory(v *ssa.Value) bool {
	switch v.Op {
	case ssa.OpPtrAdd:
		return z.ptrAdd(v)
	case ssa.OpPtrCast:
		x := v.Args[0]
		if x.Type == v.Type {
			return become(v, x)
		}
		// To generic and back to where it was, or on.
		if x.Op == ssa.OpPtrCast && x.Type.K == ssa.PtrGeneric && x.Args[0].Type == v.Type {
			return become(v, x.Args[0])
		}
	case ssa.OpLoad:
		if v.Args[0].Type.K == ssa.PtrConstant && v.Flags&ssa.Volatile == 0 {
			return z.constantLoad(v)
		}
	}
	return false
}

func (z *simplifier) ptrAdd(v *ssa.Value) bool {
	x := v.Args[0]
	c, ok := uniform(v.Args[1])
	if !ok {
		return false
	}
	if c == 0 {
		return become(v, x)
	}
	if x.Op == ssa.OpPtrAdd {
		if d, ok := uniform(x.Args[1]); ok {
			return change(v, ssa.OpPtrAdd, x.Args[0], z.r.constant(ssa.TI64, c+d))
		}
	}
	return false
}

// constantLoad folds a load from a constant variable at a known offset.
func (z *simplifier) constantLoad(v *ssa.Value) bool {
	p, off := v.Args[0], int64(0)
	if p.Op == ssa.OpPtrAdd {
		c, ok := uniform(p.Args[1])
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
