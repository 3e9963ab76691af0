package opt

import (
	"math/bits"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// integers applies the identities of integer and Bool ops.
func (z *simplifier) integers(v *ssa.Value) bool {
	if v.Type.K != ssa.Bool && (z.patterns(v) || z.masks(v)) {
		return true
	}
	if len(v.Args) == 1 {
		return z.unaryInt(v)
	}
	x, y := v.Args[0], v.Args[1]
	if v.Op.Has(ssa.Commutative) && x.Op == ssa.OpConst && y.Op != ssa.OpConst {
		v.Args[0], v.Args[1] = y, x
		return true
	}
	if x == y && z.sameInt(v, x) {
		return true
	}
	c, ok := splatConst(y)
	if !ok {
		if d, ok := splatConst(x); ok && d == 0 && (v.Op == ssa.OpShl || v.Op == ssa.OpShr || v.Op == ssa.OpRotl) {
			return z.becomeConst(v, 0)
		}
		return false
	}
	if z.identity(v, x, c) {
		return true
	}
	return z.nested(v, x, y)
}

func (z *simplifier) unaryInt(v *ssa.Value) bool {
	x := v.Args[0]
	switch v.Op {
	case ssa.OpNot:
		if x.Op == ssa.OpNot {
			return become(v, x.Args[0])
		}
		if m, c, d, ok := maskOf(x); ok && x.Op == ssa.OpSelect {
			all := ones(v.Type.K)
			return change(v, ssa.OpSelect, m, z.r.constant(v.Type, ^c&all), z.r.constant(v.Type, ^d&all))
		}
		switch float := len(x.Args) > 0 && x.Args[0].Type.K.Num().IsFloat(); {
		case x.Op == ssa.OpEq:
			return change(v, ssa.OpNe, x.Args...)
		case x.Op == ssa.OpNe:
			return change(v, ssa.OpEq, x.Args...)
		case x.Op == ssa.OpLt && !float:
			return change(v, ssa.OpLe, x.Args[1], x.Args[0])
		case x.Op == ssa.OpLe && !float:
			return change(v, ssa.OpLt, x.Args[1], x.Args[0])
		}
	case ssa.OpNeg:
		if x.Op == ssa.OpNeg {
			return become(v, x.Args[0])
		}
		if m, c, d, ok := maskOf(x); ok {
			all := ones(v.Type.K)
			return change(v, ssa.OpSelect, m, z.r.constant(v.Type, -c&all), z.r.constant(v.Type, -d&all))
		}
		if x.Op == ssa.OpSub {
			return change(v, ssa.OpSub, x.Args[1], x.Args[0])
		}
	case ssa.OpAbs:
		if !x.Type.K.Num().Signed() {
			return become(v, x)
		}
	}
	return false
}

// sameInt handles op(x, x).
func (z *simplifier) sameInt(v, x *ssa.Value) bool {
	switch v.Op {
	case ssa.OpAnd, ssa.OpOr, ssa.OpMin, ssa.OpMax, ssa.OpHAdd, ssa.OpRHAdd:
		return become(v, x)
	case ssa.OpSub, ssa.OpXor, ssa.OpSubSat, ssa.OpAbsDiff:
		return z.becomeConst(v, 0)
	}
	return false
}

// identity handles op(x, c) for a constant with all elements equal to c.
func (z *simplifier) identity(v, x *ssa.Value, c uint64) bool {
	k := v.Type.K
	all := ones(k)
	switch v.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpXor, ssa.OpOr, ssa.OpAddSat, ssa.OpSubSat:
		switch {
		case c == 0:
			return become(v, x)
		case v.Op == ssa.OpOr && c == all:
			return z.becomeConst(v, all)
		case v.Op == ssa.OpXor && c == all:
			return change(v, ssa.OpNot, x)
		case v.Op == ssa.OpSub:
			return change(v, ssa.OpAdd, x, z.r.constant(v.Type, -c&all))
		}
	case ssa.OpAnd:
		if c == all {
			return become(v, x)
		}
		if c == 0 {
			return z.becomeConst(v, 0)
		}
	case ssa.OpMul:
		switch c {
		case 0:
			return z.becomeConst(v, 0)
		case 1:
			return become(v, x)
		case all:
			return change(v, ssa.OpNeg, x)
		}
		// Not for 64 bits: analyses of addresses look for index*size.
		if n := k.Num().Bits(); c&(c-1) == 0 && (n == 16 || n == 32) {
			return change(v, ssa.OpShl, x, z.r.constant(v.Type, uint64(bits.TrailingZeros64(c))))
		}
	case ssa.OpMulHi:
		if c == 0 {
			return z.becomeConst(v, 0)
		}
	case ssa.OpDiv, ssa.OpRem:
		return z.divides(v, x, c)
	case ssa.OpShl, ssa.OpShr, ssa.OpRotl:
		w := uint64(k.Num().Bits())
		if c%w == 0 {
			return become(v, x)
		}
		if c >= w {
			return change(v, v.Op, x, z.r.constant(v.Args[1].Type, c%w))
		}
	}
	return false
}

// divides handles division by a constant other than zero.
func (z *simplifier) divides(v, x *ssa.Value, c uint64) bool {
	if c == 1 {
		if v.Op == ssa.OpDiv {
			return become(v, x)
		}
		return z.becomeConst(v, 0)
	}
	if c == 0 || c&(c-1) != 0 || v.Type.K.Num().Signed() {
		return false
	}
	if v.Op == ssa.OpDiv {
		return change(v, ssa.OpShr, x, z.r.constant(v.Type, uint64(bits.TrailingZeros64(c))))
	}
	return change(v, ssa.OpAnd, x, z.r.constant(v.Type, c-1))
}

// nested handles op(op(x, c1), c2) with constants: associative ops, and shifts in the same direction.
func (z *simplifier) nested(v, x, c2 *ssa.Value) bool {
	if x.Op != v.Op || len(x.Args) != 2 {
		return false
	}
	c1 := x.Args[1]
	a, ok1 := splatConst(c1)
	b, ok2 := splatConst(c2)
	if !ok1 || !ok2 {
		return false
	}
	switch v.Op {
	case ssa.OpAdd, ssa.OpMul, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpMin, ssa.OpMax:
		r, ok := ssa.EvalScalar(v.Op, v.Type.K, v.Type.K, 0, []uint64{a, b})
		if !ok {
			return false
		}
		return change(v, v.Op, x.Args[0], z.r.constant(v.Type, r))
	case ssa.OpShl, ssa.OpShr:
		w := uint64(v.Type.K.Num().Bits())
		n := a%w + b%w
		if n >= w {
			if v.Op == ssa.OpShl || !v.Type.K.Num().Signed() {
				return z.becomeConst(v, 0)
			}
			n = w - 1
		}
		return change(v, v.Op, x.Args[0], z.r.constant(c2.Type, n))
	}
	return false
}

// compares simplifies comparisons of every kind.
func (z *simplifier) compares(v *ssa.Value) bool {
	x, y := v.Args[0], v.Args[1]
	k := x.Type.K
	float := k.Num().IsFloat()
	if v.Op.Has(ssa.Commutative) && x.Op == ssa.OpConst && y.Op != ssa.OpConst {
		v.Args[0], v.Args[1] = y, x
		return true
	}
	if x == y && (!float || v.Op == ssa.OpLt) {
		return z.becomeConst(v, uint64(b2i(v.Op == ssa.OpEq || v.Op == ssa.OpLe)))
	}
	if z.compareMask(v, x, y, false) || z.compareMask(v, y, x, true) || z.compareMasks(v, x, y) {
		return true
	}
	c, ok := splatConst(y)
	if !ok || float {
		return false
	}
	if k == ssa.Bool {
		if (v.Op == ssa.OpEq) == (c == 1) {
			return become(v, x)
		}
		return change(v, ssa.OpNot, x)
	}
	if !k.Num().Signed() && c == 0 && v.Op == ssa.OpLt {
		return z.becomeConst(v, 0)
	}
	// Equality of a constant and a sum or XOR with a constant.
	if (v.Op == ssa.OpEq || v.Op == ssa.OpNe) && len(x.Args) == 2 && (x.Op == ssa.OpAdd || x.Op == ssa.OpXor) {
		if a, ok := splatConst(x.Args[1]); ok {
			if x.Op == ssa.OpAdd {
				c = (c - a) & ones(k)
			} else {
				c ^= a
			}
			return change(v, v.Op, x.Args[0], z.r.constant(x.Type, c))
		}
	}
	return false
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compareMask handles the comparison of a mask with a constant. The mask x is select(m, c1, c2), or a
// conversion of the Bool m, so that both outcomes are known: the result is m, its complement, or constant. This
// removes the -1 and 0 of OpenCL C's relational operators on vectors if the result is only tested.
func (z *simplifier) compareMask(v, x, y *ssa.Value, swapped bool) bool {
	m, c1, c2, ok := maskOf(x)
	if !ok || m.Type != v.Type {
		return false
	}
	c, ok := splatConst(y)
	if !ok {
		return false
	}
	try := func(a uint64) (uint64, bool) {
		args := []uint64{a, c}
		if swapped {
			args = []uint64{c, a}
		}
		return ssa.EvalScalar(v.Op, ssa.Bool, x.Type.K, 0, args)
	}
	t, ok1 := try(c1)
	f, ok2 := try(c2)
	switch {
	case !ok1 || !ok2:
		return false
	case t == f:
		return z.becomeConst(v, t)
	case t == 1:
		return become(v, m)
	}
	return change(v, ssa.OpNot, m)
}

// compareMasks reduces the equality of two masks with the same two values to the equality of their Bools.
func (z *simplifier) compareMasks(v, x, y *ssa.Value) bool {
	m1, c1, d1, ok1 := maskOf(x)
	m2, c2, d2, ok2 := maskOf(y)
	if v.Op != ssa.OpEq && v.Op != ssa.OpNe || !ok1 || !ok2 || c1 != c2 || d1 != d2 || c1 == d1 || x.Type.K.Num().IsFloat() || m1.Type != v.Type || m2.Type != v.Type {
		return false
	}
	return change(v, v.Op, m1, m2)
}

// masks rewrites bitwise ops on masks, which are select(m, c, 0) or the conversion of the Bool m, to ops on
// Bools and selects. Such masks are the -1 and 0 of OpenCL C's relational operators on vectors, and the 1 and 0
// of those on scalars, used as bits.
func (z *simplifier) masks(v *ssa.Value) bool {
	if len(v.Args) != 2 || v.Op != ssa.OpAnd && v.Op != ssa.OpOr && v.Op != ssa.OpXor {
		return false
	}
	x, y := v.Args[0], v.Args[1]
	m1, c1, d1, ok1 := maskOf(x)
	m2, c2, d2, ok2 := maskOf(y)
	switch {
	case ok1 && ok2:
		if c1 == c2 && d1 == 0 && d2 == 0 && m1.Type == m2.Type {
			m := z.put(z.f.NewValue(v.Op, m1.Type, v.Pos, m1, m2))
			return change(v, ssa.OpSelect, m, z.r.constant(v.Type, c1), z.r.constant(v.Type, 0))
		}
	case v.Op == ssa.OpAnd && ok1 && c1 == ones(v.Type.K) && d1 == 0:
		return change(v, ssa.OpSelect, m1, y, z.r.constant(v.Type, 0))
	case v.Op == ssa.OpAnd && ok2 && c2 == ones(v.Type.K) && d2 == 0:
		return change(v, ssa.OpSelect, m2, x, z.r.constant(v.Type, 0))
	case v.Op == ssa.OpAnd && ok1 && c1 == 0 && d1 == ones(v.Type.K):
		return change(v, ssa.OpSelect, m1, z.r.constant(v.Type, 0), y)
	case v.Op == ssa.OpAnd && ok2 && c2 == 0 && d2 == ones(v.Type.K):
		return change(v, ssa.OpSelect, m2, z.r.constant(v.Type, 0), x)
	case v.Op != ssa.OpAnd && x.Op == ssa.OpSelect && y.Op == ssa.OpSelect && x.Args[0] == y.Args[0]:
		// (m ? p : 0) | (m ? 0 : q)
		p, pz := splatConst(x.Args[1])
		q, qz := splatConst(x.Args[2])
		r, rz := splatConst(y.Args[1])
		s, sz := splatConst(y.Args[2])
		switch {
		case qz && q == 0 && rz && r == 0:
			return change(v, ssa.OpSelect, x.Args[0], x.Args[1], y.Args[2])
		case pz && p == 0 && sz && s == 0:
			return change(v, ssa.OpSelect, x.Args[0], y.Args[1], x.Args[2])
		}
	}
	return false
}

// maskOf returns m, c1, c2 if x is c1 for each true element of the Bool m and c2 for the others.
func maskOf(x *ssa.Value) (m *ssa.Value, c1, c2 uint64, ok bool) {
	switch x.Op {
	case ssa.OpSelect:
		c1, ok1 := splatConst(x.Args[1])
		c2, ok2 := splatConst(x.Args[2])
		return x.Args[0], c1, c2, ok1 && ok2
	case ssa.OpConvert:
		if m = x.Args[0]; m.Type.K != ssa.Bool {
			return nil, 0, 0, false
		}
		c1, ok := ssa.EvalScalar(ssa.OpConvert, x.Type.K, ssa.Bool, x.Aux, []uint64{1})
		return m, c1, 0, ok
	}
	return nil, 0, 0, false
}
