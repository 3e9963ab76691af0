package irgen

import (
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A bit-field occupies Bits bits, from bit BitOff on, of a unit of its type's size at the field's offset. If
// the record ends before the unit does (packed records), or the field extends past the unit, its bytes are
// accessed one by one.

// unit returns the unsigned type of the access to the bit-field at p and whether it is
// one access; otherwise the type is U64 and the bytes from the unit's start on are
// gathered in it.
func (p *place) unit() (t ssa.Type, single bool) {
	size := p.typ.Size()
	if size <= p.limit && p.field.BitOff+p.field.Bits <= int(8*size) {
		k := p.typ.Num().Unsigned()
		if p.typ.Num().Size() == 1 {
			return ssa.Scalar(ssa.U8), true
		}
		return ssa.Scalar(ssa.Kind(k)), true
	}
	return ssa.TU64, false
}

// loadUnit returns the unit's bits.
func (m *memory) loadUnit(p *place) *ssa.Value {
	t, single := p.unit()
	if single {
		return m.loadAt(p, 0, t, min(p.align, p.typ.Align()))
	}
	v := m.constant(t, 0)
	first, end := p.bytes()
	for i := first; i < end; i++ {
		b := m.Convert(m.loadAt(p, i, ssa.Scalar(ssa.U8), 1), ssa.U64, false, 0)
		v = m.Value(ssa.OpOr, t, v, m.Value(ssa.OpShl, t, b, m.constant(t, uint64(8*i))))
	}
	return v
}

// bytes returns the range of bytes that the field touches.
func (p *place) bytes() (first, end int64) {
	return int64(p.field.BitOff / 8), int64((p.field.BitOff + p.field.Bits + 7) / 8)
}

// loadBits returns the bit-field's value: it is shifted to the top of the unit and back
// down, which extends its sign.
func (m *memory) loadBits(p *place) *ssa.Value {
	u := m.loadUnit(p)
	width := u.Type.K.Num().Bits()
	if up := width - p.field.BitOff - p.field.Bits; up > 0 {
		u = m.Value(ssa.OpShl, u.Type, u, m.constant(u.Type, uint64(up)))
	}
	if p.typ.Num().Signed() {
		u = m.Value(ssa.OpBitcast, ssa.Scalar(ssa.Kind(u.Type.K.Num().SignedInt())), u)
	}
	if down := width - p.field.Bits; down > 0 {
		u = m.Value(ssa.OpShr, u.Type, u, m.constant(u.Type, uint64(down)))
	}
	return m.fromBits(u, p.typ)
}

// fromBits converts an integer to the bit-field's type.
func (m *memory) fromBits(v *ssa.Value, t *types.Type) *ssa.Value {
	return m.convertKind(v, ssaType(t).K)
}

// storeBits replaces the bit-field's bits in its unit by those of x.
func (m *memory) storeBits(p *place, x *ssa.Value) {
	if p.field.Bits == 0 {
		return
	}
	t, single := p.unit()
	old := m.loadUnit(p)
	ones := ^uint64(0) >> (64 - p.field.Bits)
	all := ^uint64(0) >> (64 - t.K.Num().Bits())
	x = m.convertKind(x, t.K)
	x = m.Value(ssa.OpAnd, t, x, m.constant(t, ones))
	if p.field.BitOff > 0 {
		x = m.Value(ssa.OpShl, t, x, m.constant(t, uint64(p.field.BitOff)))
	}
	keep := m.Value(ssa.OpAnd, t, old, m.constant(t, all&^(ones<<p.field.BitOff)))
	v := m.Value(ssa.OpOr, t, keep, x)
	if single {
		m.storeAt(p, 0, v, min(p.align, p.typ.Align()))
		return
	}
	first, end := p.bytes()
	for i := first; i < end; i++ {
		b := m.Value(ssa.OpShr, t, v, m.constant(t, uint64(8*i)))
		m.storeAt(p, i, m.Convert(b, ssa.U8, false, 0), 1)
	}
}

// stored returns the value that a later load of p returns after a store of x: a bit-field keeps its low bits
// only (C99 6.5.16p3).
func (m *memory) stored(p *place, x *ssa.Value) *ssa.Value {
	if p.part != bits || x.Type.K == ssa.Bool {
		return x
	}
	n := x.Type.K.Num().Bits() - p.field.Bits
	if n <= 0 {
		return x
	}
	by := m.constant(x.Type, uint64(n))
	return m.Value(ssa.OpShr, x.Type, m.Value(ssa.OpShl, x.Type, x, by), by)
}

// initBits stores the initial value of a bit-field whose unit is at ptr+off; the object ends at ptr+end.
func (ev *evaluator) initBits(ptr *ssa.Value, off, end, align int64, f *types.Field, e check.Expr) {
	x := ev.value(e)
	p := place{ptr: ptr, off: off, align: align, typ: f.Type.Type, part: bits, field: f, limit: end - off, pos: e.Span().Pos}
	ev.store(&p, x)
}
