package spmd

import (
	"cmp"
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Offsets of tested accesses (tested.go) as sums of 64 bits. The launch has tested that no operation of such an offset wraps.
// Constants can therefore move out of conversions and products. The elements of a row then share one offset and differ by
// constants, and the rows of a tile differ by multiples of the pitch.

const (
	maxLinear      = 8
	maxLinearDepth = 32
)

// A linear is an integer or a pointer: base + the sum of the summands + disp. All operations wrap at 64 bits.
type linear struct {
	base *ssa.Value // a pointer, or nil
	list []summand
	disp int64
	bad  bool // there are too many summands
}

// A summand is the product of an integer of 64 bits and a factor.
type summand struct {
	v  *ssa.Value
	by int64
}

// plus adds by * y.
func (x *linear) plus(y linear, by int64) {
	if x.base == nil {
		x.base = y.base
	}
	x.disp += by * y.disp
	for _, s := range y.list {
		i := slices.IndexFunc(x.list, func(o summand) bool { return o.v == s.v })
		if i < 0 {
			i = len(x.list)
			x.list = append(x.list, summand{v: s.v})
		}
		x.list[i].by += by * s.by
	}
	x.list = slices.DeleteFunc(x.list, func(s summand) bool { return s.by == 0 })
	x.bad = x.bad || y.bad || len(x.list) > maxLinear
}

// linear returns v, none of whose operations wraps, as a sum.
func (e *evaluation) linear(v *ssa.Value, depth int) (x linear) {
	if depth == 0 {
		x.bad = true
		return x
	}
	switch v.Op {
	case ssa.OpConst:
		x.disp = signedOf(v.Bits[0], v.Type.K.Num())
		return x
	case ssa.OpCopy, ssa.OpConvert, ssa.OpBitcast, ssa.OpPtrCast:
		if a := v.Args[0].Type.K; a.IsPtr() || isInt(a) {
			return e.linear(v.Args[0], depth-1)
		}
	case ssa.OpAdd, ssa.OpPtrAdd, ssa.OpSub:
		by := int64(1)
		if v.Op == ssa.OpSub {
			by = -1
		}
		x.plus(e.linear(v.Args[0], depth-1), 1)
		x.plus(e.linear(v.Args[1], depth-1), by)
		return x
	case ssa.OpMul:
		return e.product(e.linear(v.Args[0], depth-1), e.linear(v.Args[1], depth-1))
	case ssa.OpShl:
		if v.Args[1].IsConst() {
			x.plus(e.linear(v.Args[0], depth-1), 1<<(v.Args[1].Bits[0]&63))
			return x
		}
	}
	if v.Type.K.IsPtr() {
		x.base = v
		return x
	}
	x.list = []summand{{e.convert(v, ssa.I64), 1}}
	return x
}

// product returns the product of two integers.
func (e *evaluation) product(a, b linear) (x linear) {
	if x.bad = a.bad || b.bad; x.bad {
		return x
	}
	if len(a.list) > 0 && len(b.list) > 0 {
		v, w := e.sum(a.list), e.sum(b.list)
		a.list, b.list = []summand{{v, 1}}, []summand{{w, 1}}
		if v.ID > w.ID {
			v, w = w, v
		}
		x.list = []summand{{e.do(ssa.OpMul, ssa.TI64, v, w), 1}}
	}
	x.plus(linear{list: a.list}, b.disp)
	x.plus(linear{list: b.list}, a.disp)
	x.disp = a.disp * b.disp
	return x
}

// sum returns the value of summands, so that sums of neighbouring accesses share most of their values. For that, it adds summands
// in the order in which the execution has met them. The multiples of a pitch are different summands: the rows of a tile share
// all others.
func (e *evaluation) sum(list []summand) (v *ssa.Value) {
	list = slices.Clone(list)
	seen := e.extents.seen
	for _, s := range list {
		if _, ok := seen[s]; !ok {
			seen[s] = len(seen)
		}
	}
	slices.SortFunc(list, func(a, b summand) int { return cmp.Compare(seen[a], seen[b]) })
	return sumOf(list, func(v *ssa.Value) *ssa.Value { return v }, func(v, w *ssa.Value) *ssa.Value { return e.do(ssa.OpAdd, ssa.TI64, v, w) }, e.scaled)
}

// sumOf returns the sum of summands in their order. The greatest power of two that divides all factors multiplies the sum instead.
// wide extends an integer to 64 bits, add adds two, and scaled multiplies one by a constant.
func sumOf(list []summand, wide func(v *ssa.Value) *ssa.Value, add func(v, w *ssa.Value) *ssa.Value, scaled func(v *ssa.Value, by int64) *ssa.Value) (v *ssa.Value) {
	all := int64(0)
	for _, s := range list {
		all |= s.by
	}
	scale := all & -all
	for _, s := range list {
		w := scaled(wide(s.v), s.by/scale)
		if v != nil {
			w = add(v, w)
		}
		v = w
	}
	return scaled(v, scale)
}

// scaled returns an integer of 64 bits multiplied by a constant.
func (e *evaluation) scaled(v *ssa.Value, by int64) *ssa.Value {
	if by == 1 {
		return v
	}
	return e.do(ssa.OpMul, ssa.TI64, v, e.constant(ssa.TI64, uint64(by)))
}

// summed returns the address p of a tested access, whose lanes are equidistant, as a sum.
func (e *evaluation) summed(p *symbol) *ssa.Value {
	n := e.extents.number[p.val]
	if !e.extents.terms[n].regular {
		return e.value(p)
	}
	x := e.linear(p.val, maxLinearDepth)
	x.disp += int64(p.off)
	if x.bad || x.base == nil || x.disp < -lanes.MaxDisp || x.disp > lanes.MaxDisp {
		return e.value(p)
	}
	v := x.base
	if len(x.list) > 0 {
		v = e.do(ssa.OpPtrAdd, p.t, v, e.sum(x.list))
		e.extents.number[v] = n
	}
	if x.disp != 0 {
		v = e.do(ssa.OpPtrAdd, p.t, v, e.constant(ssa.TI64, uint64(x.disp)))
		e.extents.number[v] = n
	}
	return v
}
