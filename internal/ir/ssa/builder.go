package ssa

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// A Builder appends values to a block. Its methods do not fold constants: passes do.
type Builder struct {
	F   *Func
	B   *Block // the block that receives values; nil after a terminator
	Pos diag.Pos
}

// Value appends an op.
func (b *Builder) Value(op Op, t Type, args ...*Value) *Value {
	return b.B.Append(b.F.NewValue(op, t, b.Pos, args...))
}

// Aux appends an op with an Aux.
func (b *Builder) Aux(op Op, t Type, aux int64, args ...*Value) *Value {
	v := b.Value(op, t, args...)
	v.Aux = aux
	return v
}

// Sym appends an op with a symbol.
func (b *Builder) Sym(op Op, t Type, sym any, args ...*Value) *Value {
	v := b.Value(op, t, args...)
	v.Sym = sym
	return v
}

// Const appends a constant. All its elements have the raw bits given.
func (b *Builder) Const(t Type, bits uint64) *Value {
	v := b.Value(OpConst, t)
	v.Bits = b.F.NewBits(1)
	v.Bits[0] = bits
	return v
}

// ConstVec appends a vector constant.
func (b *Builder) ConstVec(t Type, bits []uint64) *Value {
	v := b.Value(OpConst, t)
	v.Bits = bits
	return v
}

// Convert appends a conversion of x to elements of kind k.
func (b *Builder) Convert(x *Value, k Kind, sat bool, r numeric.Round) *Value {
	return b.Aux(OpConvert, x.Type.With(k), ConvAux(sat, r), x)
}

// Extract appends the extraction of element i.
func (b *Builder) Extract(x *Value, i int) *Value {
	return b.Aux(OpExtract, x.Type.Elem(), int64(i), x)
}

// Shuffle appends a shuffle of x and y (y may be x).
func (b *Builder) Shuffle(x, y *Value, lanes []uint8) *Value {
	v := b.Value(OpShuffle, Type{x.Type.K, uint8(len(lanes))}, x, y)
	v.Lanes = lanes
	return v
}

// Load appends a load; align is in bytes.
func (b *Builder) Load(t Type, p *Value, align int64) *Value { return b.Aux(OpLoad, t, align, p) }

// Store appends a store; align is in bytes.
func (b *Builder) Store(p, x *Value, align int64) *Value {
	return b.Aux(OpStore, TVoid, align, p, x)
}

// Jump ends the block.
func (b *Builder) Jump(to *Block) {
	b.Value(OpJump, TVoid)
	b.B.Link(to)
	b.B = nil
}

// Branch ends the block.
func (b *Builder) Branch(cond *Value, then, els *Block) {
	b.Value(OpBranch, TVoid, cond)
	b.B.Link(then)
	b.B.Link(els)
	b.B = nil
}

// Return ends the block; x may be nil.
func (b *Builder) Return(x *Value) {
	if x == nil {
		b.Value(OpReturn, TVoid)
	} else {
		b.Value(OpReturn, TVoid, x)
	}
	b.B = nil
}
