package opt

import "github.com/purecl/purecl/internal/ir/ssa"

// A rewriter replaces a block's values one by one. New values can be inserted before the current one.
type rewriter struct {
	s   *state
	f   *ssa.Func
	b   *ssa.Block
	cur *ssa.Value // the current value: new ones take its position
}

func (r *rewriter) begin(b *ssa.Block) {
	r.b = b
	r.s.out = r.s.out[:0]
}

// keep appends the current value, or a new one, to the block.
func (r *rewriter) keep(v *ssa.Value) *ssa.Value {
	v.Block = r.b
	r.s.out = append(r.s.out, v)
	return v
}

func (r *rewriter) end() {
	old := r.b.Values
	r.b.Values = append(old[:0], r.s.out...)
	if n := len(r.b.Values); n < len(old) {
		clear(old[n:])
	}
}

// value appends a new value.
func (r *rewriter) value(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	return r.keep(r.f.NewValue(op, t, r.cur.Pos, args...))
}

// aux appends a new value with an Aux.
func (r *rewriter) aux(op ssa.Op, t ssa.Type, aux int64, args ...*ssa.Value) *ssa.Value {
	v := r.value(op, t, args...)
	v.Aux = aux
	return v
}

// constant appends a constant with all elements equal.
func (r *rewriter) constant(t ssa.Type, bits uint64) *ssa.Value {
	v := r.keep(r.f.NewConst(t, bits))
	v.Pos = r.cur.Pos
	return v
}

// shuffle appends a shuffle.
func (r *rewriter) shuffle(x, y *ssa.Value, lanes []uint8) *ssa.Value {
	v := r.value(ssa.OpShuffle, ssa.Vec(x.Type.K, len(lanes)), x, y)
	v.Lanes = lanes
	return v
}

// bitcast returns x as type t.
func (r *rewriter) bitcast(x *ssa.Value, t ssa.Type) *ssa.Value {
	if x.Type == t {
		return x
	}
	return r.value(ssa.OpBitcast, t, x)
}
