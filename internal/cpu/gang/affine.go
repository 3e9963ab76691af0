package gang

import (
	"math/bits"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// An affine value is first + lane · stride in the ring of its width. With mayWrap that holds only
// where the narrower sum that it was extended from does not wrap within the gang; if it wraps,
// the first lane is so far from zero that it cannot lie in an object (MaxObject).
type affine struct {
	ok      bool
	stride  int64
	mayWrap bool
	small   bool // in [0, 2^31) in every lane
}

// MaxObject is the size from which on objects are too large for functions of this package: the
// index of a gang's first lane that wraps in 32 bits before the last one's lies behind them.
const MaxObject = 1 << 30

// maxSpan bounds the distance from the first lane to the last, in bytes or elements.
const maxSpan = 1 << 26

// affineOf returns how the lanes of an integer op's result are related, if they are at equal
// distances.
func (b *builder) affineOf(v *ssa.Value) (r affine) {
	if v.Type.N != 1 || !v.Type.K.Num().IsInt() || v.Type.K == ssa.Bool || v.Type.K.Num().Size() < 4 {
		return r
	}
	of := func(i int) affine {
		a := v.Args[i]
		if x := &b.vals[a.ID]; x.varies && !a.IsConst() {
			return x.affine
		}
		return affine{ok: true}
	}
	switch v.Op {
	case ssa.OpAdd, ssa.OpSub:
		x, y := of(0), of(1)
		if !x.ok || !y.ok || (x.mayWrap || y.mayWrap) && !near(v.Args[0]) && !near(v.Args[1]) {
			return r
		}
		if v.Op == ssa.OpSub {
			if y.mayWrap {
				return r
			}
			y.stride = -y.stride
		}
		r = affine{ok: true, stride: x.stride + y.stride, mayWrap: x.mayWrap || y.mayWrap}
	case ssa.OpMul, ssa.OpShl:
		x := of(0)
		if !x.ok || !v.Args[1].IsConst() {
			return r
		}
		by := int64(v.Args[1].ConstElem(0))
		if v.Op == ssa.OpShl {
			by = 1 << (by & int64(8*v.Type.K.Num().Size()-1))
		}
		if by <= 0 || by > maxSpan {
			return r
		}
		r = affine{ok: true, stride: x.stride * by, mayWrap: x.mayWrap}
	case ssa.OpBitcast, ssa.OpCopy:
		if r = of(0); v.Args[0].Type.K.Num().Size() != v.Type.K.Num().Size() || !v.Args[0].Type.K.Num().IsInt() {
			return affine{}
		}
	case ssa.OpConvert:
		r = b.affineConvert(v, of(0))
	}
	if span := uint64(max(r.stride, -r.stride)) * uint64(b.o.Lanes); span > maxSpan {
		return affine{}
	}
	return r
}

// affineConvert is affineOf of a conversion.
func (b *builder) affineConvert(v *ssa.Value, x affine) affine {
	from := v.Args[0].Type.K.Num()
	sat, _ := ssa.ConvParts(v.Aux)
	if !x.ok || sat || !from.IsInt() || from.Size() < 4 || v.Args[0].Type.K == ssa.Bool {
		return affine{}
	}
	switch {
	case x.mayWrap && v.Type.K.Num().Size() < from.Size():
		return affine{}
	case v.Type.K.Num().Size() > from.Size() && !x.small:
		x.mayWrap = true
	}
	return x
}

// near reports whether v is a constant that cannot bring a wrapped index back into an object.
func near(v *ssa.Value) bool {
	if !v.IsConst() {
		return false
	}
	x := int64(v.ConstElem(0))
	if v.Type.K.Num().Size() == 4 {
		x = int64(int32(x))
	}
	return bits.Len64(uint64(max(x, -x))) <= 28
}
