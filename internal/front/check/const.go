package check

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// Constants are folded when their nodes are created, so that an arithmetic expression over constants is always a
// Const. All arithmetic is package numeric's, so that a result never depends on whether it was folded.

// lane returns component i.
func (k *Const) lane(i int) uint64 {
	if len(k.Bits) == 1 {
		return k.Bits[0]
	}
	return k.Bits[i]
}

// width returns the number of components to compute for operands x and y.
func width(x, y *Const) int { return max(len(x.Bits), len(y.Bits)) }

// signedValue returns the value of raw bits of an integer kind; an unsigned 64-bit one wraps.
func signedValue(k numeric.Kind, b uint64) int64 {
	switch k {
	case numeric.I8:
		return int64(int8(b))
	case numeric.I16:
		return int64(int16(b))
	case numeric.I32:
		return int64(int32(b))
	}
	return int64(b)
}

// truncate returns the low bits of b that fit kind k.
func truncate(k numeric.Kind, b uint64) uint64 {
	if n := k.Bits(); n < 64 {
		return b & (1<<n - 1)
	}
	return b
}

// spellConst formats a scalar constant for diagnostics.
func spellConst(k numeric.Kind, b uint64) string {
	switch {
	case k == numeric.F16:
		return floatText(numeric.Half(b).Float64(), 32)
	case k == numeric.F32:
		return floatText(float64(math.Float32frombits(uint32(b))), 32)
	case k == numeric.F64:
		return floatText(math.Float64frombits(b), 64)
	case k.Signed():
		return strconv.FormatInt(signedValue(k, b), 10)
	}
	return strconv.FormatUint(b, 10)
}

func floatText(x float64, size int) string {
	switch {
	case math.IsInf(x, 1):
		return "+Inf"
	case math.IsInf(x, -1):
		return "-Inf"
	}
	return strconv.FormatFloat(x, 'G', -1, size)
}

// foldBinary computes x op y on one component of kind k; for shifts y is of kind yk. ok is false if the operation
// has no defined result (division by zero, INT_MIN / -1).
func foldBinary(op BinaryOp, k numeric.Kind, x, y uint64) (r uint64, ok bool) {
	switch k {
	case numeric.F32:
		a, b := math.Float32frombits(uint32(x)), math.Float32frombits(uint32(y))
		f, ok := foldFloat(op, a, b)
		return uint64(math.Float32bits(f)), ok
	case numeric.F64:
		f, ok := foldFloat(op, math.Float64frombits(x), math.Float64frombits(y))
		return math.Float64bits(f), ok
	case numeric.F16:
		a, b := numeric.Half(x), numeric.Half(y)
		switch op {
		case Add:
			return uint64(a.Add(b)), true
		case Sub:
			return uint64(a.Sub(b)), true
		case Mul:
			return uint64(a.Mul(b)), true
		case Div:
			return uint64(a.Div(b)), true
		}
		return 0, false
	}
	switch op {
	case Add:
		r = x + y
	case Sub:
		r = x - y
	case Mul:
		r = x * y
	case And:
		r = x & y
	case Or:
		r = x | y
	case Xor:
		r = x ^ y
	case Div, Rem:
		return foldDivision(op, k, x, y)
	case Shl:
		r = x << (y & uint64(k.Bits()-1))
	case Shr:
		n := y & uint64(k.Bits()-1)
		if k.Signed() {
			r = uint64(signedValue(k, x) >> n)
		} else {
			r = x >> n
		}
	}
	return truncate(k, r), true
}

func foldDivision(op BinaryOp, k numeric.Kind, x, y uint64) (uint64, bool) {
	if y == 0 {
		return 0, false
	}
	if !k.Signed() {
		if op == Div {
			return x / y, true
		}
		return x % y, true
	}
	a, b := signedValue(k, x), signedValue(k, y)
	if b == -1 && a == math.MinInt64>>(64-k.Bits()) {
		return 0, false
	}
	if op == Div {
		return truncate(k, uint64(a/b)), true
	}
	return truncate(k, uint64(a%b)), true
}

func foldFloat[T numeric.Float](op BinaryOp, a, b T) (T, bool) {
	switch op {
	case Add:
		return numeric.Add(a, b), true
	case Sub:
		return numeric.Sub(a, b), true
	case Mul:
		return numeric.Mul(a, b), true
	case Div:
		return numeric.Div(a, b), true
	}
	return 0, false
}

// foldNeg negates one component.
func foldNeg(k numeric.Kind, x uint64) uint64 {
	if k.IsFloat() {
		return x ^ 1<<(k.Bits()-1)
	}
	return truncate(k, -x)
}

// foldCompare compares one component.
func foldCompare(op CompareOp, k numeric.Kind, x, y uint64) bool {
	var lt, eq bool
	switch {
	case k.IsFloat():
		a, b := floatValue(k, x), floatValue(k, y)
		lt, eq = a < b, a == b
		if a != a || b != b {
			return op == Ne
		}
	case k.Signed():
		a, b := signedValue(k, x), signedValue(k, y)
		lt, eq = a < b, a == b
	default:
		lt, eq = x < y, x == y
	}
	switch op {
	case Eq:
		return eq
	case Ne:
		return !eq
	case Lt:
		return lt
	case Le:
		return lt || eq
	case Gt:
		return !lt && !eq
	}
	return !lt
}

func floatValue(k numeric.Kind, b uint64) float64 {
	switch k {
	case numeric.F16:
		return numeric.Half(b).Float64()
	case numeric.F32:
		return float64(math.Float32frombits(uint32(b)))
	}
	return math.Float64frombits(b)
}

// A reason explains why an expression is not constant.
type reason struct {
	text string
	span diag.Span
}

// foldOf folds an operation on the constant value of x.
func foldOf(c *nodes, x Expr, operate func(k Expr) Expr) (*Const, reason) {
	k, why := c.constant(x)
	if k == nil {
		return nil, why
	}
	r, _ := operate(k).(*Const)
	return r, reason{}
}

// constant evaluates an arithmetic constant expression. As in clang, it may contain const variables with constant
// initializers. If x is not constant, it returns nil and the reason.
func (c *nodes) constant(x Expr) (*Const, reason) {
	if k, ok := x.(*Const); ok {
		return k, reason{}
	}
	c.discard++ // warnings were given when x was built
	k, why := c.evaluate(x)
	c.discard--
	return k, why
}

func (c *nodes) evaluate(x Expr) (*Const, reason) {
	switch x := x.(type) {
	case *Load:
		return constantLoad(x)
	case *Convert:
		return foldOf(c, x.X, func(k Expr) Expr { return c.mkConvert(k, x.T.Type, x.Sat, x.Round, x.Implicit, x.S) })
	case *Splat:
		return foldOf(c, x.X, func(k Expr) Expr { return c.mkSplat(k, x.T.Type, x.S) })
	case *Unary:
		return foldOf(c, x.X, func(k Expr) Expr { return c.mkUnary(x.Op, k, x.S) })
	case *LNot:
		return foldOf(c, x.X, func(k Expr) Expr { return c.mkLNot(k, x.T.Type, x.S) })
	case *Binary:
		return c.constantBinary(x)
	case *Compare:
		a, why := c.constant(x.X)
		if a == nil {
			return nil, why
		}
		b, why := c.constant(x.Y)
		if b == nil {
			return nil, why
		}
		r, _ := c.mkCompare(x.Op, a, b, x.T.Type, x.S).(*Const)
		return r, reason{}
	case *Logical:
		a, why := c.constant(x.X)
		if a == nil {
			return nil, why
		}
		if !x.T.IsVector() && (a.Bits[0] != 0) == x.Or {
			return c.konst(x.T.Type, x.S, a.Bits[0]), reason{}
		}
		b, why := c.constant(x.Y)
		if b == nil {
			return nil, why
		}
		r, _ := c.mkLogical(x.Or, a, b, x.T.Type, x.S).(*Const)
		return r, reason{}
	case *Cond:
		k, why := c.constant(x.C)
		if k == nil || x.X == nil {
			return nil, why
		}
		if k.Bits[0] != 0 {
			return c.constant(x.X)
		}
		return c.constant(x.Y)
	case *Swizzle:
		if l, ok := x.X.(*Load); ok {
			if k, _ := constantLoad(l); k != nil {
				r, _ := c.mkSwizzle(k, x.Lanes, x.T.Type, x.S).(*Const)
				return r, reason{}
			}
		}
	case *BuiltinCall:
		return nil, reason{"a function call is no constant", x.S}
	case *Call:
		return nil, reason{"a function call is no constant", x.S}
	}
	return nil, reason{}
}

func (c *nodes) constantBinary(x *Binary) (*Const, reason) {
	a, why := c.constant(x.X)
	if a == nil {
		return nil, why
	}
	b, why := c.constant(x.Y)
	if b == nil {
		return nil, why
	}
	r, _ := c.mkBinary(x.Op, a, b, x.T.Type, false, x.S).(*Const)
	if r == nil {
		return nil, reason{"division by zero", x.S}
	}
	return r, reason{}
}

// constantLoad returns the value of a const variable whose initializer is constant.
func constantLoad(l *Load) (*Const, reason) {
	ref, ok := l.X.(*VarRef)
	if !ok {
		return nil, reason{}
	}
	v := ref.Var
	if !v.Type.Const && v.Type.Space != types.Constant || v.Type.Volatile || v.Kind == ParamVar {
		return nil, reason{"read of non-const variable '" + v.Name + "' is not allowed in a constant expression", l.S}
	}
	if v.Init == nil {
		return nil, reason{"initializer of '" + v.Name + "' is not known", l.S}
	}
	if k, ok := v.Init.(*Const); ok {
		return k, reason{}
	}
	return nil, reason{"initializer of '" + v.Name + "' is not a constant expression", l.S}
}

// minBits returns the number of bits of the integer value, without a sign bit if it is not negative.
func minBits(k numeric.Kind, b uint64) (n int, negative bool) {
	if k.Signed() {
		if v := signedValue(k, b); v < 0 {
			return 65 - bits.LeadingZeros64(uint64(^v)), true
		}
	}
	return 64 - bits.LeadingZeros64(b), false
}

// reduce reduces the initializer of a variable in program memory, for which constantInit is true, to constants,
// addresses and lists of these.
func (c *nodes) reduce(e Expr) Expr {
	switch x := e.(type) {
	case *Const, *StringConst, *AddrOf, *Decay:
		return e
	case *InitList:
		for i := range x.Items {
			x.Items[i].Value = c.reduce(x.Items[i].Value)
		}
		return x
	case *PtrAdd:
		k, _ := c.constant(x.I)
		return &PtrAdd{x.Base, c.reduce(x.X), k}
	case *Bitcast:
		if x.T.IsPointer() || x.X.Type().IsPointer() {
			return &Bitcast{x.Base, c.reduce(x.X)}
		}
	case *SpaceCast:
		return &SpaceCast{x.Base, c.reduce(x.X)}
	case *CompoundLit:
		return c.reduce(x.Var.Init)
	case *Load:
		if lit, ok := x.X.(*CompoundLit); ok {
			return c.reduce(lit.Var.Init)
		}
	case *VectorLit:
		list := make([]Expr, len(x.Elems))
		for i := range list {
			list[i] = c.reduce(x.Elems[i])
		}
		return c.mkVectorLit(x.T.Type, list, x.S)
	}
	if k, _ := c.constant(e); k != nil {
		return k
	}
	return e
}

// constantInit reports whether e may initialise an object in program memory (C99 6.6p7: an arithmetic constant, a
// null pointer, or an address with an offset). If not, it returns the position that prevents it.
func (c *nodes) constantInit(e Expr) (diag.Span, bool) {
	switch e := e.(type) {
	case *Const, *StringConst:
		return diag.Span{}, true
	case *InitList:
		for i := range e.Items {
			if at, ok := c.constantInit(e.Items[i].Value); !ok {
				return at, false
			}
		}
		return diag.Span{}, true
	case *VectorLit:
		for _, x := range e.Elems {
			if at, ok := c.constantInit(x); !ok {
				return at, false
			}
		}
		return diag.Span{}, true
	case *AddrOf:
		return c.constantAddress(e.X)
	case *Decay:
		return c.constantAddress(e.X)
	case *Bitcast:
		if e.T.IsPointer() || e.X.Type().IsPointer() {
			return c.constantInit(e.X)
		}
	case *SpaceCast:
		return c.constantInit(e.X)
	case *PtrAdd:
		if k, _ := c.constant(e.I); k != nil {
			return c.constantInit(e.X)
		}
	case *CompoundLit:
		return c.constantInit(e.Var.Init)
	case *Load:
		if lit, ok := e.X.(*CompoundLit); ok {
			return c.constantInit(lit.Var.Init)
		}
	}
	if k, _ := c.constant(e); k != nil {
		return diag.Span{}, true
	}
	return e.Span(), false
}

// constantAddress reports whether the l-value's address is known before the program runs.
func (c *nodes) constantAddress(e Expr) (diag.Span, bool) {
	switch e := e.(type) {
	case *VarRef:
		return e.S, e.Var.Kind == GlobalVar
	case *StringConst:
		return e.S, true
	case *CompoundLit:
		return e.S, e.Var.Kind == GlobalVar
	case *Member:
		return c.constantAddress(e.X)
	case *Deref:
		return c.constantInit(e.X)
	}
	return e.Span(), false
}
