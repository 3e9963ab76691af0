package ptx

import (
	"fmt"
	"math"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// convert emits an OpConvert of one element.
func (g *arithmetic) convert(v *ssa.Value, x string) string {
	from, to := v.Args[0].Type.K, v.Type.K
	sat, round := ssa.ConvParts(v.Aux)
	switch {
	case from == to:
		return x
	case from == ssa.Bool:
		return g.fromBool(to, x)
	case to == ssa.Bool:
		if from.Num().IsFloat() {
			zero := g.constant(from, 0)
			return g.set(pred, fmt.Sprint("setp.neu.f", from.Num().Bits()), x, zero)
		}
		return g.set(pred, "setp.ne."+intType(from), x, "0")
	case from.Num().IsFloat() && to.Num().IsFloat():
		return g.floatToFloat(from, to, round, x)
	case from.Num().IsFloat():
		return g.floatToInt(v, sat, round, x)
	case to.Num().IsFloat():
		return g.set(classOf(to), fmt.Sprintf("cvt.%s.f%d.%s", floatRounds[rounding(round, numeric.RTE)], to.Num().Bits(), intType(from)), x)
	case sat:
		return g.intSat(from, to, x)
	}
	return g.resize(from, to, x)
}

// rounding returns the rounding mode of a conversion: r, or def where r asks for the default.
func rounding(r, def numeric.Round) numeric.Round {
	if r == numeric.RoundDefault {
		return def
	}
	return r
}

var floatRounds = map[numeric.Round]string{numeric.RTE: "rn", numeric.RTZ: "rz", numeric.RTN: "rm", numeric.RTP: "rp"}

func (g *arithmetic) fromBool(to ssa.Kind, x string) string {
	one := uint64(1)
	switch to {
	case ssa.F16:
		one = 0x3c00
	case ssa.F32:
		one = 0x3f800000
	case ssa.F64:
		one = 0x3ff0000000000000
	}
	c := classOf(to)
	return g.set(c, "selp."+classTypes[c], g.constant(to, one), g.constant(to, 0), x)
}

// resize emits an integer conversion that truncates or extends.
func (g *arithmetic) resize(from, to ssa.Kind, x string) string {
	switch {
	case wide(from) && wide(to):
		return x
	case wide(from):
		return g.extend(to, g.set(b32, "cvt.u32.u64", x))
	case wide(to) && from.Num().Signed():
		return g.set(b64, "cvt.s64.s32", x)
	case wide(to):
		return g.set(b64, "cvt.u64.u32", x)
	case from.Num().Bits() < to.Num().Bits() && (!from.Num().Signed() || to.Num().Signed()):
		return x
	}
	return g.extend(to, x)
}

// intSat emits a saturating integer conversion.
func (g *arithmetic) intSat(from, to ssa.Kind, x string) string {
	f, t := from.Num(), to.Num()
	c, typ := classOf(from), intType(from)
	if f.Signed() && !t.Signed() {
		x = g.set(c, "max."+typ, x, "0")
	} else if f.Signed() && f.Bits() > t.Bits() {
		x = g.set(c, "max."+typ, x, fmt.Sprint(kindInterval(to).lo))
	}
	switch {
	case f.Bits() > t.Bits(), f.Bits() == t.Bits() && !f.Signed() && t.Signed():
		x = g.set(c, "min."+typ, x, fmt.Sprint(kindInterval(to).hi))
	}
	// After the clamp both kinds hold the same bits, extended differently.
	switch {
	case wide(from) == wide(to):
		return x
	case wide(from):
		return g.set(b32, "cvt.u32.u64", x)
	case f.Signed():
		return g.set(b64, "cvt.s64.s32", x)
	}
	return g.set(b64, "cvt.u64.u32", x)
}

func (g *arithmetic) floatToFloat(from, to ssa.Kind, round numeric.Round, x string) string {
	types := fmt.Sprintf("f%d.f%d", to.Num().Bits(), from.Num().Bits())
	if to.Num().Bits() > from.Num().Bits() {
		return g.set(classOf(to), "cvt."+types, x)
	}
	return g.set(classOf(to), "cvt."+floatRounds[rounding(round, numeric.RTE)]+"."+types, x)
}

// floatToInt emits a conversion to an integer as defined in docs/decisions/0002. The instruction rounds, and saturates at
// its own type's limits. The operand is compared with the limits before it is rounded: the rounding instruction
// (cvt.rzi.f64.f64) would cost as much as the conversion, and the driver's assembler makes one conversion of several
// whose operands it has rounded and selected.
func (g *arithmetic) floatToInt(v *ssa.Value, sat bool, round numeric.Round, x string) string {
	from, to := v.Args[0].Type.K, v.Type.K
	if from == ssa.F16 {
		x, from = g.set(b32, "cvt.f32.f16", x), ssa.F32
	}
	round = rounding(round, numeric.RTZ)
	t := fmt.Sprint("f", from.Num().Bits())
	cvt := func(c class, typ string) string {
		return g.set(c, fmt.Sprintf("cvt.%s.%s.%s", intRounds[round], typ, t), x)
	}
	if sat && to == ssa.U8 && v.Args[0].Type.K == ssa.F32 && (round == numeric.RTE || round == numeric.RTZ) && g.onlyStored(v, 0) {
		return cvt(b32, "u8")
	}
	if sat {
		return g.floatToSat(from, to, x, cvt)
	}
	n := to.Num()
	reg := max(32, n.Bits())
	below := func(e int) string { return g.constant(from, leastFrom(from, round, math.Ldexp(1, e))) }
	inside := func(low, high int) string { // -2^low ≤ rounded x < 2^high
		a := g.set(pred, "setp.ge."+t, x, g.constant(from, leastFrom(from, round, -math.Ldexp(1, low))))
		d := g.reg(pred)
		g.emit("setp.lt.and.%s %s, %s, %s, %s", t, d, x, below(high), a)
		return d
	}
	switch {
	case reg == 32 && n.Bits() == 32 && !n.Signed(): // uint: modulo 2^32
		ok := inside(31, 32)
		return g.set(b32, "selp.b32", g.set(b32, "cvt.u32.u64", cvt(b64, "s64")), "0x80000000", ok)
	case reg == 32: // cvt.s32 gives 0x80000000 below the range itself
		ok := g.set(pred, "setp.lt."+t, x, below(31))
		return g.extend(to, g.set(b32, "selp.b32", cvt(b32, "s32"), "0x80000000", ok))
	case n.Signed():
		ok := g.set(pred, "setp.lt."+t, x, below(63))
		return g.set(b64, "selp.b64", cvt(b64, "s64"), "0x8000000000000000", ok)
	}
	ok := inside(63, 64)
	negative := g.set(pred, "setp.lt."+t, x, g.constant(from, 0))
	r := g.set(b64, "selp.b64", cvt(b64, "s64"), cvt(b64, "u64"), negative)
	return g.set(b64, "selp.b64", r, "0x8000000000000000", ok)
}

// intRounds has the rounding of an instruction that converts to an integer.
var intRounds = map[numeric.Round]string{numeric.RTE: "rni", numeric.RTZ: "rzi", numeric.RTN: "rmi", numeric.RTP: "rpi"}

// leastFrom returns the bits of the least float of kind k that is not below n once it is rounded to an integer; n is
// ±2^e with e from 31 to 64. Floats of 32 bits and such doubles from 2^53 on are integers: there it is n.
func leastFrom(k ssa.Kind, round numeric.Round, n float64) uint64 {
	if k != ssa.F64 {
		return uint64(math.Float32bits(float32(n)))
	}
	least := n
	if math.Abs(n) < 1<<53 {
		switch {
		case round == numeric.RTE: // n is even, so that the number halfway to n-1 rounds to n
			least = n - 0.5
		case round == numeric.RTP, round == numeric.RTZ && n < 0:
			least = math.Nextafter(n-1, n)
		}
	}
	return math.Float64bits(least)
}

// floatToSat emits a saturating conversion. NaN gives 0, which the instruction does itself unless a type has 64
// bits. An instruction for a type of 8 or 16 bits would saturate at its limits, but the driver's assembler forgets to
// extend its result (doc.go): only bytes that are stored come from it. It is faster than a conversion to 32 bits.
func (g *arithmetic) floatToSat(from, to ssa.Kind, x string, cvt func(c class, typ string) string) string {
	c := classOf(to)
	r := cvt(c, intType(to))
	if from == ssa.F64 || wide(to) {
		ordered := g.set(pred, fmt.Sprint("setp.num.f", from.Num().Bits()), x, x)
		r = g.set(c, "selp."+classTypes[c], r, "0", ordered)
	}
	if n := to.Num(); n.Bits() < 32 {
		low, high := int64(0), int64(1)<<n.Bits()-1
		if n.Signed() {
			low, high = -1<<(n.Bits()-1), 1<<(n.Bits()-1)-1
			r = g.set(b32, "max.s32", r, fmt.Sprint(low))
		}
		r = g.set(b32, "min."+intType(to), r, fmt.Sprint(high))
	}
	return r
}
