package ptx

import (
	"fmt"
	"math"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// arithmetic emits operations and conversions of numbers. Its operands are registers and literals; it must not know which
// values they belong to, nor memory.
type arithmetic struct {
	emitter
	subject
}

// intType returns the PTX type of instructions on integers of kind k, such as "s32".
func intType(k ssa.Kind) string {
	n := k.Num()
	size := max(32, n.Bits())
	if n.Signed() {
		return fmt.Sprint("s", size)
	}
	return fmt.Sprint("u", size)
}

// wide reports whether elements of kind k take 64 bits.
func wide(k ssa.Kind) bool { return k.Num().Size() == 8 }

// elementwise emits an op that acts on each element separately.
func (g *values) elementwise(v *ssa.Value) {
	k := v.Args[0].Type.K
	g.each(v, func(i int) string {
		args := make([]string, len(v.Args))
		for j := range args {
			args[j] = g.arg(v, j, i)
		}
		switch {
		case k == ssa.Bool:
			return g.boolean(v, args)
		case k.Num().IsFloat():
			if x := g.approximated(v, i, args); x != "" {
				return x
			}
			return g.float(v, k, args)
		case k.IsPtr():
			return g.integer(v, ssa.U64, args)
		}
		return g.integer(v, k, args)
	})
}

// approximated emits element i of a float quotient or square root by the GPU's approximation where the program permits it,
// and by the correctly rounded inverse where the numerator is 1. It returns "" for others. The errors are at most 2 ulp
// (PTX ISA 9.7.3: div.full, rcp.approx, sqrt.approx, rsqrt.approx).
func (g *values) approximated(v *ssa.Value, i int, a []string) string {
	if v.Type.K != ssa.F32 || v.Op != ssa.OpDiv && v.Op != ssa.OpSqrt {
		return ""
	}
	rough := func(v *ssa.Value) bool { return v.Flags&(ssa.Approximate|ssa.Reassoc) != 0 }
	inverse := v.Op == ssa.OpDiv && v.Args[0].IsConst() && v.Args[0].ConstElem(i) == uint64(math.Float32bits(1))
	switch {
	case inverse && !rough(v):
		return g.set(b32, "rcp.rn.f32", a[1])
	case !rough(v):
		return ""
	case v.Op == ssa.OpSqrt:
		return g.set(b32, "sqrt.approx.f32", a[0])
	case !inverse:
		return g.set(b32, "div.full.f32", a...)
	}
	if root := copied(v.Args[1]); root.Op == ssa.OpSqrt && rough(root) {
		return g.set(b32, "rsqrt.approx.f32", g.arg(root, 0, i))
	}
	return g.set(b32, "rcp.approx.f32", a[1])
}

func (g *arithmetic) boolean(v *ssa.Value, a []string) string {
	switch v.Op {
	case ssa.OpAnd:
		return g.set(pred, "and.pred", a...)
	case ssa.OpOr:
		return g.set(pred, "or.pred", a...)
	case ssa.OpXor, ssa.OpNe:
		return g.set(pred, "xor.pred", a...)
	case ssa.OpEq:
		return g.set(pred, "not.pred", g.set(pred, "xor.pred", a...))
	case ssa.OpNot:
		return g.set(pred, "not.pred", a...)
	}
	g.refuse(v, "it has a %v of Booleans", v.Op)
	return ""
}

var comparisons = map[ssa.Op]string{ssa.OpEq: "eq", ssa.OpNe: "ne", ssa.OpLt: "lt", ssa.OpLe: "le"}

func (g *arithmetic) integer(v *ssa.Value, k ssa.Kind, a []string) string {
	t, c := intType(k), classOf(k)
	bits := k.Num().Bits()
	b := classTypes[c]
	signed := k.Num().Signed()
	op := func(name string, args ...string) string { return g.set(c, name, args...) }
	switch v.Op {
	case ssa.OpAdd:
		return g.extend(k, op("add."+t, a...))
	case ssa.OpSub:
		return g.extend(k, op("sub."+t, a...))
	case ssa.OpMul:
		return g.extend(k, op("mul.lo."+t, a...))
	case ssa.OpNeg:
		return g.extend(k, g.negated(c, a[0]))
	case ssa.OpDiv, ssa.OpRem:
		return g.extend(k, g.divide(v, k, a))
	case ssa.OpAnd:
		return op("and."+b, a...)
	case ssa.OpOr:
		return op("or."+b, a...)
	case ssa.OpXor:
		return op("xor."+b, a...)
	case ssa.OpNot:
		return g.extend(k, op("not."+b, a...))
	case ssa.OpShl:
		return g.extend(k, g.shifted(c, a[0], g.count32(v, a[1], bits)))
	case ssa.OpShr:
		return op("shr."+t, a[0], g.count32(v, a[1], bits))
	case ssa.OpRotl:
		return g.rotate(v, k, a)
	case ssa.OpMin:
		return op("min."+t, a...)
	case ssa.OpMax:
		return op("max."+t, a...)
	case ssa.OpAbs:
		if !signed {
			return a[0]
		}
		// The assembler assumes that the result of abs is not negative, which is wrong for the least integer. The
		// unsigned minimum of a number and its negation is the absolute value.
		return op(fmt.Sprint("min.u", max(32, bits)), a[0], op("sub."+t, "0", a[0]))
	case ssa.OpAddSat, ssa.OpSubSat:
		return g.saturating(v, k, a)
	case ssa.OpMulHi:
		switch bits {
		case 64:
			return op("mul.hi."+t, a...)
		case 32: // not mul.hi: the driver's assembler makes one sum of a + h and a + h + h
			return g.set(b32, "cvt.u32.u64", g.set(b64, "shr.u64", g.set(b64, "mul.wide."+t, a...), "32"))
		}
		return op("shr."+t, op("mul.lo."+t, a...), fmt.Sprint(bits))
	case ssa.OpHAdd:
		half := op("shr."+t, op("xor."+b, a...), "1")
		return op("add."+t, op("and."+b, a...), half)
	case ssa.OpRHAdd:
		half := op("shr."+t, op("xor."+b, a...), "1")
		return op("sub."+t, op("or."+b, a...), half)
	case ssa.OpAbsDiff:
		return op("sub."+t, op("max."+t, a...), op("min."+t, a...))
	case ssa.OpClz, ssa.OpCtz, ssa.OpPopcount:
		return g.bitCount(v.Op, k, a[0])
	case ssa.OpDot:
		return g.dot(v, a)
	case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe:
		return g.set(pred, "setp."+comparisons[v.Op]+"."+t, a...)
	}
	g.refuse(v, "it has a %v of integers", v.Op)
	return ""
}

// count32 returns a shift's count modulo the width bits, in a 32-bit register.
func (g *arithmetic) count32(v *ssa.Value, n string, bits int) string {
	y := v.Args[1]
	if y.IsConst() && len(y.Bits) == 1 {
		return fmt.Sprint(y.Bits[0] & uint64(bits-1))
	}
	if wide(y.Type.K) {
		n = g.set(b32, "cvt.u32.u64", n)
	}
	return g.set(b32, "and.b32", n, fmt.Sprint(bits-1))
}

func (g *arithmetic) rotate(v *ssa.Value, k ssa.Kind, a []string) string {
	bits, c := k.Num().Bits(), classOf(k)
	b := classTypes[c]
	n := g.count32(v, a[1], bits)
	if bits == 32 {
		return g.set(b32, "shf.l.wrap.b32", a[0], a[0], n)
	}
	x := g.toBits(k, a[0])
	rest := g.set(b32, "sub.u32", fmt.Sprint(bits), n)
	return g.extend(k, g.set(c, "or."+b, g.set(c, "shl."+b, x, n), g.set(c, "shr.u"+b[1:], x, rest)))
}

// divide emits a division whose undefined cases are defined: x/0 and x%0 are 0, MIN/-1 is MIN.
func (g *arithmetic) divide(v *ssa.Value, k ssa.Kind, a []string) string {
	t, c := intType(k), classOf(k)
	b := classTypes[c]
	rem := v.Op == ssa.OpRem
	name := "div." + t
	if rem {
		name = "rem." + t
	}
	y := v.Args[1]
	if y.IsConst() {
		safe := true
		for _, n := range y.Bits {
			safe = safe && n != 0 && !(k.Num().Signed() && n == ^uint64(0)>>(64-k.Num().Bits()))
		}
		if safe {
			return g.set(c, name, a...)
		}
	}
	zero := g.set(pred, "setp.eq."+t, a[1], "0")
	bad := zero
	var minus string
	if k.Num().Signed() {
		minus = g.set(pred, "setp.eq."+t, a[1], "-1")
		bad = g.set(pred, "or.pred", zero, minus)
	}
	r := g.set(c, name, a[0], g.set(c, "selp."+b, "1", a[1], bad))
	if rem {
		return g.set(c, "selp."+b, "0", r, bad)
	}
	if minus != "" {
		r = g.set(c, "selp."+b, g.negated(c, a[0]), r, minus)
	}
	return g.set(c, "selp."+b, "0", r, zero)
}

// knownConst reports whether v is a constant, or computed from constants alone, which the assembler does. It looks at most
// depth operations back.
func knownConst(v *ssa.Value, depth int) bool {
	if v.IsConst() {
		return true
	}
	if depth == 0 || len(v.Args) == 0 || v.Op == ssa.OpPhi || !v.Op.Has(ssa.Pure) {
		return false
	}
	for _, a := range v.Args {
		if !knownConst(a, depth-1) {
			return false
		}
	}
	return true
}

func (g *arithmetic) saturating(v *ssa.Value, k ssa.Kind, a []string) string {
	op := v.Op
	t, c := intType(k), classOf(k)
	b, n := classTypes[c], k.Num()
	name := "add."
	if op == ssa.OpSubSat {
		name = "sub."
	}
	// Not add.sat.s32 and sub.sat.s32: the driver's assembler simplifies (x - y) +sat y to x, and adds up constants.
	if n.Bits() < 32 {
		lo, hi := intRange(k)
		if op == ssa.OpSubSat && knownConst(v.Args[0], 4) { // in front of min and max the assembler makes x - 92 of 92 - x
			return g.negated(c, g.clamp(g.set(c, "sub.s32", a[1], a[0]), "s32", b32, fmt.Sprint(-hi), fmt.Sprint(-lo)))
		}
		return g.clamp(g.set(c, name+"s32", a...), "s32", b32, fmt.Sprint(lo), fmt.Sprint(hi))
	}
	r := g.set(c, name+t, a...)
	if !n.Signed() {
		if op == ssa.OpSubSat {
			return g.set(c, "selp."+b, "0", r, g.set(pred, "setp.lt."+t, a[0], a[1]))
		}
		return g.set(c, "selp."+b, "-1", r, g.set(pred, "setp.lt."+t, r, a[0]))
	}
	// A sum overflows where its sign differs from the signs of both operands, a difference where its sign differs
	// from that of the first operand and from that of the complement of the second.
	x := g.set(c, "xor."+b, r, a[0])
	with := r
	if op == ssa.OpSubSat {
		with = a[0]
	}
	y := g.set(c, "xor."+b, with, a[1])
	over := g.set(pred, "setp.lt."+t, g.set(c, "and."+b, x, y), "0")
	_, most := intRange(k)
	edge := g.set(c, "xor."+b, g.set(c, "shr."+t, a[0], fmt.Sprint(n.Bits()-1)), fmt.Sprint(most))
	return g.set(c, "selp."+b, edge, r, over)
}

// intRange returns the least and the greatest number of an integer kind, except ulong.
func intRange(k ssa.Kind) (lo, hi int64) {
	i := kindInterval(k)
	return i.lo, i.hi
}

// clamp emits x limited to the range from lo to hi.
func (g *arithmetic) clamp(x, t string, c class, lo, hi string) string {
	return g.set(c, "min."+t, g.set(c, "max."+t, x, lo), hi)
}

func (g *arithmetic) bitCount(op ssa.Op, k ssa.Kind, x string) string {
	bits, c := k.Num().Bits(), classOf(k)
	b := classTypes[c]
	x = g.toBits(k, x)
	var r string
	switch op {
	case ssa.OpPopcount:
		r = g.set(b32, "popc."+b, x)
	case ssa.OpClz:
		r = g.set(b32, "clz."+b, x)
		if bits < 32 {
			r = g.set(b32, "sub.u32", r, fmt.Sprint(32-bits))
		}
	default:
		if bits < 32 {
			x = g.set(b32, "or.b32", x, fmt.Sprint(1<<bits))
		}
		r = g.set(b32, "clz."+b, g.set(c, "brev."+b, x))
	}
	if c == b64 {
		return g.set(b64, "cvt.u64.u32", r)
	}
	return r
}

// dot emits an OpDot.
func (g *arithmetic) dot(v *ssa.Value, a []string) string {
	sign := func(flag int64) string {
		if v.Aux&flag != 0 {
			return "s32"
		}
		return "u32"
	}
	if v.Aux&ssa.DotShort == 0 {
		return g.set(b32, "dp4a."+sign(ssa.DotSigned0)+"."+sign(ssa.DotSigned1), a...)
	}
	low := func(x string) string { return g.set(b32, "cvt.s32.s16", x) }
	high := func(x string) string { return g.set(b32, "shr.s32", x, "16") }
	sum := g.set(b32, "mad.lo.s32", low(a[0]), low(a[1]), a[2])
	return g.set(b32, "mad.lo.s32", high(a[0]), high(a[1]), sum)
}

// float emits an op on floating-point numbers of kind k.
func (g *arithmetic) float(v *ssa.Value, k ssa.Kind, a []string) string {
	c := classOf(k)
	b, t := classTypes[c], fmt.Sprint("f", k.Num().Bits())
	sign := map[class]string{b16: "0x8000", b32: "0x80000000", b64: "0x8000000000000000"}[c]
	rest := map[class]string{b16: "0x7fff", b32: "0x7fffffff", b64: "0x7fffffffffffffff"}[c]
	op := func(name string, args ...string) string { return g.set(c, name, args...) }
	flip := func(x string) string { return op("xor."+b, x, sign) }
	switch v.Op {
	case ssa.OpAdd:
		return op("add.rn."+t, a...)
	case ssa.OpSub:
		return op("sub.rn."+t, a...)
	case ssa.OpMul:
		return op("mul.rn."+t, a...)
	case ssa.OpDiv, ssa.OpSqrt:
		name := map[ssa.Op]string{ssa.OpDiv: "div.rn.", ssa.OpSqrt: "sqrt.rn."}[v.Op]
		if k != ssa.F16 {
			return op(name+t, a...)
		}
		// Rounding twice gives the correct half: a float has more than twice a half's bits plus two.
		f := make([]string, len(a))
		for i, x := range a {
			f[i] = g.set(b32, "cvt.f32.f16", x)
		}
		return g.set(b16, "cvt.rn.f16.f32", g.set(b32, name+"f32", f...))
	case ssa.OpFMA:
		return op("fma.rn."+t, a...)
	case ssa.OpFMS:
		return op("fma.rn."+t, a[0], a[1], op("neg."+t, a[2]))
	case ssa.OpFNMA:
		return op("fma.rn."+t, op("neg."+t, a[0]), a[1], a[2])
	case ssa.OpNeg:
		return flip(a[0])
	case ssa.OpFabs:
		return op("and."+b, a[0], rest)
	case ssa.OpCopySign:
		return op("or."+b, op("and."+b, a[0], rest), op("and."+b, a[1], sign))
	case ssa.OpMin, ssa.OpMax:
		// min is isnan(x) ? y : (y < x ? y : x), max the same with x < y. The min and max instructions differ: they
		// order -0 before 0.
		x, y := a[0], a[1]
		less := g.set(pred, "setp.lt."+t, y, x)
		if v.Op == ssa.OpMax {
			less = g.set(pred, "setp.lt."+t, x, y)
		}
		second := g.reg(pred)
		g.emit("setp.nan.or.%s %s, %s, %s, %s", t, second, x, x, less)
		return op("selp."+b, y, x, second)
	case ssa.OpFloor:
		return op("cvt.rmi."+t+"."+t, a[0])
	case ssa.OpCeil:
		return op("cvt.rpi."+t+"."+t, a[0])
	case ssa.OpTrunc:
		return op("cvt.rzi."+t+"."+t, a[0])
	case ssa.OpRint:
		return op("cvt.rni."+t+"."+t, a[0])
	case ssa.OpEq, ssa.OpLt, ssa.OpLe:
		return g.set(pred, "setp."+comparisons[v.Op]+"."+t, a...)
	case ssa.OpNe:
		return g.set(pred, "setp.neu."+t, a...)
	}
	g.refuse(v, "it has a %v of floating-point numbers", v.Op)
	return ""
}
