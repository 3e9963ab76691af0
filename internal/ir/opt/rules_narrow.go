package opt

import "github.com/purecl/purecl/internal/ir/ssa"

// patterns recognises wide arithmetic on extended narrow integers that equals one op on the narrow integers:
// averages, absolute differences, saturating sums, high halves of products. It also recognises rotations,
// minima and absolute differences written as selects.
func (z *simplifier) patterns(v *ssa.Value) bool {
	switch v.Op {
	case ssa.OpShr:
		return z.averages(v) || z.highHalf(v)
	case ssa.OpAbs:
		if x := v.Args[0]; x.Op == ssa.OpSub {
			return z.absDiff(v, x.Args[0], x.Args[1])
		}
	case ssa.OpAbsDiff:
		return z.absDiff(v, v.Args[0], v.Args[1])
	case ssa.OpMin, ssa.OpMax:
		return z.saturates(v)
	case ssa.OpOr, ssa.OpXor, ssa.OpAdd:
		return z.rotates(v)
	}
	return false
}

// extended returns a if x is a value-preserving conversion of the narrower integer a.
func extended(x *ssa.Value) (a *ssa.Value, ok bool) {
	if x.Op != ssa.OpConvert {
		return nil, false
	}
	a = x.Args[0]
	from, to := a.Type.K.Num(), x.Type.K.Num()
	return a, from.IsInt() && to.IsInt() && from.Bits() < to.Bits() && holds(to, from)
}

// extendedPair is extended for two values of one narrow type.
func extendedPair(x, y *ssa.Value) (a, b *ssa.Value, ok bool) {
	a, ok1 := extended(x)
	b, ok2 := extended(y)
	return a, b, ok1 && ok2 && a.Type == b.Type
}

// narrowed makes v the conversion of op(a, b) of kind k.
func (z *simplifier) narrowed(v *ssa.Value, op ssa.Op, k ssa.Kind, a, b *ssa.Value) bool {
	x := z.r.value(op, v.Type.With(k), a, b)
	return change(v, ssa.OpConvert, x)
}

// averages handles (a+b)>>1 and (a+b+1)>>1.
func (z *simplifier) averages(v *ssa.Value) bool {
	if n, ok := splatConst(v.Args[1]); !ok || n != 1 || v.Args[0].Op != ssa.OpAdd {
		return false
	}
	// The terms of the sum, with the constant 1 at most once.
	var terms [2]*ssa.Value
	n, up := 0, false
	add := func(x *ssa.Value) bool {
		if c, ok := splatConst(x); ok && c == 1 && !up {
			up = true
			return true
		}
		if n == len(terms) {
			return false
		}
		terms[n] = x
		n++
		return true
	}
	for _, x := range v.Args[0].Args {
		if x.Op == ssa.OpAdd {
			if !add(x.Args[0]) || !add(x.Args[1]) {
				return false
			}
		} else if !add(x) {
			return false
		}
	}
	if n != 2 {
		return false
	}
	a, b, ok := extendedPair(terms[0], terms[1])
	if !ok {
		return false
	}
	op := ssa.OpHAdd
	if up {
		op = ssa.OpRHAdd
	}
	return z.narrowed(v, op, a.Type.K, a, b)
}

// highHalf handles (a*b)>>n of n-bit integers if the product fits.
func (z *simplifier) highHalf(v *ssa.Value) bool {
	x := v.Args[0]
	n, ok := splatConst(v.Args[1])
	if !ok || x.Op != ssa.OpMul || n != 16 && n != 32 {
		return false
	}
	a, b, ok := extendedPair(x.Args[0], x.Args[1])
	if !ok {
		return false
	}
	k := a.Type.K.Num()
	// With just 2n bits, the product of unsigned integers needs the sign bit too.
	if k.Bits() != int(n) || v.Type.K.Num().Bits() < 2*int(n) || !k.Signed() && v.Type.K.Num().Signed() && v.Type.K.Num().Bits() == 2*int(n) {
		return false
	}
	return z.narrowed(v, ssa.OpMulHi, a.Type.K, a, b)
}

// truncatedHighHalf handles the low n bits of (a*b)>>n of n-bit integers. The sign that a product of unsigned
// integers may have does not matter there.
func (z *simplifier) truncatedHighHalf(v, x *ssa.Value) bool {
	if x.Op != ssa.OpShr || x.Args[0].Op != ssa.OpMul {
		return false
	}
	m := x.Args[0]
	n, ok := splatConst(x.Args[1])
	a, b, pair := extendedPair(m.Args[0], m.Args[1])
	if !ok || !pair || n != 16 && n != 32 || a.Type.K.Num().Bits() != int(n) || m.Type.K.Num().Bits() < 2*int(n) || v.Type.K.Num().Bits() > int(n) {
		return false
	}
	h := z.r.value(ssa.OpMulHi, a.Type, a, b)
	if h.Type == v.Type {
		return become(v, h)
	}
	v.SetArgs(h)
	return true
}

// lowPart computes v, the low bits of the integer op x, from the low bits of x's operands, if one of them is
// itself converted from an integer of at most v's width. For example, the sum of an int and a size_t, converted
// back to int, is a sum of ints. Types narrower than 32 bits are left to the pass narrow.
func (z *simplifier) lowPart(v, x *ssa.Value) bool {
	from, to := x.Type.K.Num().Bits(), v.Type.K.Num().Bits()
	switch x.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul:
	case ssa.OpAnd, ssa.OpOr, ssa.OpXor:
		if from == to {
			return false
		}
	default:
		return false
	}
	if to < 32 || to > from || x.Type.K == ssa.Bool {
		return false
	}
	converted := func(a *ssa.Value) bool {
		if a.Op != ssa.OpConvert {
			return false
		}
		sat, _ := ssa.ConvParts(a.Aux)
		k := a.Args[0].Type.K
		return !sat && isInt(k) && k != ssa.Bool && k.Num().Bits() <= to && (from > to || a.Args[0].Type == v.Type)
	}
	if !converted(x.Args[0]) && !converted(x.Args[1]) {
		return false
	}
	args := [2]*ssa.Value{}
	for i, a := range x.Args {
		args[i] = z.put(z.f.NewValue(ssa.OpConvert, v.Type, v.Pos, a))
	}
	return change(v, x.Op, args[:]...)
}

// absDiff makes v |x - y| of narrow integers.
func (z *simplifier) absDiff(v, x, y *ssa.Value) bool {
	a, b, ok := extendedPair(x, y)
	return ok && (v.Op == ssa.OpAbsDiff || x.Type.K.Num().Signed()) && z.narrowed(v, ssa.OpAbsDiff, ssa.Kind(a.Type.K.Num().Unsigned()), a, b)
}

// saturates handles min(a+b, greatest) of unsigned integers, and max(a-b, 0).
func (z *simplifier) saturates(v *ssa.Value) bool {
	x := v.Args[0]
	c, ok := splatConst(v.Args[1])
	if !ok || x.Op != ssa.OpAdd && x.Op != ssa.OpSub {
		return false
	}
	a, b, ok := extendedPair(x.Args[0], x.Args[1])
	if !ok || a.Type.K.Num().Signed() {
		return false
	}
	switch {
	case v.Op == ssa.OpMin && x.Op == ssa.OpAdd && c == ones(a.Type.K):
		return z.narrowed(v, ssa.OpAddSat, a.Type.K, a, b)
	case v.Op == ssa.OpMax && x.Op == ssa.OpSub && c == 0 && v.Type.K.Num().Signed():
		return z.narrowed(v, ssa.OpSubSat, a.Type.K, a, b)
	}
	return false
}

// saturatedSum handles the saturating conversion of a sum or difference to its operands' own type.
func (z *simplifier) saturatedSum(v, x *ssa.Value) bool {
	if x.Op != ssa.OpAdd && x.Op != ssa.OpSub {
		return false
	}
	a, b, ok := extendedPair(x.Args[0], x.Args[1])
	if !ok || a.Type != v.Type || x.Op == ssa.OpSub && !x.Type.K.Num().Signed() {
		return false
	}
	op := ssa.OpAddSat
	if x.Op == ssa.OpSub {
		op = ssa.OpSubSat
	}
	return change(v, op, a, b)
}

// rotates handles x<<n | x>>(w-n).
func (z *simplifier) rotates(v *ssa.Value) bool {
	l, r := v.Args[0], v.Args[1]
	if l.Op == ssa.OpShr {
		l, r = r, l
	}
	k := v.Type.K.Num()
	if l.Op != ssa.OpShl || r.Op != ssa.OpShr || k.Signed() || k.Bits() < 32 || l.Args[0] != r.Args[0] {
		return false
	}
	n, m := l.Args[1], r.Args[1]
	w := uint64(k.Bits())
	c, ok1 := splatConst(n)
	d, ok2 := splatConst(m)
	switch {
	case ok1 && ok2:
		if c == 0 || c >= w || d != w-c {
			return false
		}
	case v.Op == ssa.OpOr && m.Op == ssa.OpSub && m.Args[1] == n:
		if e, ok := splatConst(m.Args[0]); !ok || e%w != 0 {
			return false
		}
	default:
		return false
	}
	return change(v, ssa.OpRotl, l.Args[0], n)
}

// chooses handles selects between the operands of their condition: minima, maxima, absolute values and
// differences of integers.
func (z *simplifier) chooses(v *ssa.Value) bool {
	c, x, y := v.Args[0], v.Args[1], v.Args[2]
	if c.Op != ssa.OpLt && c.Op != ssa.OpLe || c.Type.N != v.Type.N {
		return false
	}
	p, q := c.Args[0], c.Args[1]
	if !p.Type.K.Num().IsInt() || p.Type.K.IsPtr() {
		return false
	}
	less := func(p, q *ssa.Value) bool { return x.Op == ssa.OpSub && x.Args[0] == p && x.Args[1] == q }
	switch {
	case x == p && y == q:
		return change(v, ssa.OpMin, x, y)
	case x == q && y == p:
		return change(v, ssa.OpMax, x, y)
	case v.Type != p.Type || y.Op != ssa.OpSub || !(less(q, p) || less(p, q)) || y.Args[0] != x.Args[1] || y.Args[1] != x.Args[0]:
		return false
	case less(q, p): // p < q ? q - p : p - q
		return z.unsignedToOwn(v, ssa.OpAbsDiff, p, q)
	}
	return false
}

// unsignedToOwn makes v the reinterpretation of op(a, b), whose type is unsigned.
func (z *simplifier) unsignedToOwn(v *ssa.Value, op ssa.Op, a, b *ssa.Value) bool {
	u := ssa.Kind(v.Type.K.Num().Unsigned())
	if u == v.Type.K {
		return change(v, op, a, b)
	}
	return change(v, ssa.OpBitcast, z.put(z.f.NewValue(op, v.Type.With(u), v.Pos, a, b)))
}
