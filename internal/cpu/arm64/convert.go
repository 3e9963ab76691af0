package arm64

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Conversions work on lists of registers whose elements are side by side. A list of one register may hold a
// scalar, in every element; its conversion is one register too.

// widened returns integers of 1 << t bytes as integers of twice that size.
func (s *elements) widened(list []reg, t uint8, signed bool) (wide []reg) {
	lo, hi := VUXTL, VUXTL2
	if signed {
		lo, hi = VSXTL, VSXTL2
	}
	scalar := s.isScalar(list, t)
	for _, x := range list {
		if wide = append(wide, s.v2(lo, t, x)); !scalar {
			wide = append(wide, s.v2(hi, t, x))
		}
	}
	return wide
}

// isScalar reports whether a list of elements of 1 << t bytes holds a scalar.
func (s *elements) isScalar(list []reg, t uint8) bool { return len(list) < 1<<t }

// narrowed returns elements of 1 << t bytes as elements of half that size: lo makes the lower half of each
// register, hi the upper one.
func (s *elements) narrowed(list []reg, t uint8, lo, hi op) (narrow []reg) {
	if s.isScalar(list, t) {
		list = []reg{list[0], list[0]}
	}
	for k := 0; k < len(list); k += 2 {
		d := s.v2(lo, t, list[k])
		s.emit(inst{op: hi, t: t, d: d, n: list[k+1]})
		narrow = append(narrow, d)
	}
	return narrow
}

// resized returns integers of 1 << from bytes as integers of 1 << to bytes, truncated or extended.
func (s *elements) resized(list []reg, from, to uint8, signed bool) []reg {
	for ; from < to; from++ {
		list = s.widened(list, from, signed)
	}
	for ; from > to; from-- {
		list = s.narrowed(list, from, VXTN, VXTN2)
	}
	return list
}

// widenFloat returns floats as floats of 1 << t bytes, twice their size.
func (s *elements) widenFloat(t uint8, list []reg) (wide []reg) {
	scalar := s.isScalar(list, t-1)
	for _, x := range list {
		if wide = append(wide, s.v2(FCVTL, t, x)); !scalar {
			wide = append(wide, s.v2(FCVTL2, t, x))
		}
	}
	return wide
}

// narrowFloat returns floats of 1 << t bytes as floats of half that size, rounded to nearest even.
func (s *elements) narrowFloat(t uint8, list []reg) []reg { return s.narrowed(list, t, FCVTN, FCVTN2) }

// all applies f to each register.
func (s *elements) all(list []reg, f func(x reg) reg) []reg {
	out := make([]reg, len(list))
	for k, x := range list {
		out[k] = f(x)
	}
	return out
}

// convert selects a conversion. It returns nil if the machine has no instructions for it.
func (s *selector) convert(i *gang.Inst, t, from gang.Type) []reg {
	k, d := from.K.Num(), t.K.Num()
	sat, round := ssa.ConvParts(i.Aux)
	list := s.operand(i.Args[0])
	scalar := t.Class == gang.Scalar
	switch {
	case from.K == ssa.Bool:
		return s.fromBool(list[0], d, scalar)
	case t.K == ssa.Bool:
		return s.toBool(list, k)
	case k.IsInt() && d.IsInt() && sat:
		if scalar {
			return nil
		}
		return s.saturated(list, k, d)
	case k.IsInt() && d.IsInt() && k.Size() == d.Size():
		return s.copied(list)
	case k.IsInt() && d.IsInt():
		return s.resized(list, log2(k.Size()), log2(d.Size()), k.Signed())
	case k.IsFloat() && d.IsFloat():
		return s.floatToFloat(list, k, d, round)
	case k.IsInt():
		return s.intToFloat(list, k, d, round)
	}
	return s.floatToInt(list, k, d, sat, round)
}

// fromBool returns 1 for each set bit of a predicate, else 0.
func (s *elements) fromBool(p reg, d numeric.Kind, scalar bool) []reg {
	one := uint64(1)
	if d.IsFloat() {
		one = map[int]uint64{2: 0x3c00, 4: 0x3f800000, 8: 0x3ff0000000000000}[d.Size()]
	}
	bits := s.everywhere(log2(d.Size()), one)
	n := d.Size()
	if scalar {
		n = 1
	}
	masks := []reg{p}
	if n > 1 {
		masks = s.expanded(p, log2(d.Size()), n)
	}
	return s.all(masks, func(m reg) reg { return s.v3(VAND, 0, m, bits) })
}

// toBool returns the predicate of the elements that are not 0.
func (s *elements) toBool(list []reg, k numeric.Kind) []reg {
	t := log2(k.Size())
	zero := s.everywhere(t, 0)
	eq := VCMEQ
	switch {
	case k.IsFloat() && k.Size() == 2: // +0 and -0
		rest := s.everywhere(1, 0x7fff)
		list = s.all(list, func(x reg) reg { return s.v3(VAND, 0, x, rest) })
	case k.IsFloat():
		eq = FCMEQ
	}
	p := s.reduced(s.all(list, func(x reg) reg { return s.v3(eq, t, x, zero) }))
	return []reg{s.v2(VNOT, 0, p)}
}

// saturated converts integers of kind k to kind d with saturation.
func (s *elements) saturated(list []reg, k, d numeric.Kind) []reg {
	from, to := log2(k.Size()), log2(d.Size())
	switch {
	case from < to:
		if k.Signed() && !d.Signed() {
			list = s.notNegative(list, from)
		}
		return s.resized(list, from, to, k.Signed())
	case from == to && k.Signed() == d.Signed():
		return s.copied(list)
	case from == to && k.Signed():
		return s.notNegative(list, from)
	case from == to && from < 3:
		most := s.everywhere(from, 1<<(8*d.Size()-1)-1)
		return s.all(list, func(x reg) reg { return s.v3(VUMIN, from, x, most) })
	case from == to:
		most := s.everywhere(from, 1<<63-1)
		return s.all(list, func(x reg) reg {
			return s.tied(VBSL, 0, s.v3(VCMHI, 3, x, most), most, x)
		})
	}
	for ; from > to; from-- {
		last := from-1 == to
		switch {
		case k.Signed() && d.Signed():
			list = s.narrowed(list, from, VSQXTN, VSQXTN2)
		case k.Signed(): // clamp negative values to 0; the rest is unsigned
			list = s.narrowed(list, from, VSQXTUN, VSQXTUN2)
			k = numeric.U32
		default:
			list = s.narrowed(list, from, VUQXTN, VUQXTN2)
			if last && d.Signed() {
				most := s.everywhere(to, 1<<(8*d.Size()-1)-1)
				list = s.all(list, func(x reg) reg { return s.v3(VUMIN, to, x, most) })
			}
		}
	}
	return list
}

// notNegative replaces negative integers of 1 << t bytes by 0.
func (s *elements) notNegative(list []reg, t uint8) []reg {
	return s.all(list, func(x reg) reg { return s.v3(VBIC, 0, x, s.vi(VSSHRI, t, x, 8<<t-1)) })
}

func (s *elements) floatToFloat(list []reg, k, d numeric.Kind, round numeric.Round) []reg {
	switch {
	case k == d:
		return s.copied(list)
	case k.Size() < d.Size():
		for t := log2(k.Size()) + 1; t <= log2(d.Size()); t++ {
			list = s.widenFloat(t, list)
		}
		return list
	case round != numeric.RoundDefault && round != numeric.RTE || k.Size() == 8 && d.Size() == 2:
		return nil // FCVTN rounds to nearest even, and two roundings differ from one
	}
	return s.narrowFloat(log2(k.Size()), list)
}

// intToFloat converts integers to floats if the conversion is exact or rounds once, to nearest even.
func (s *elements) intToFloat(list []reg, k, d numeric.Kind, round numeric.Round) []reg {
	exact := k.Size() <= 2 && d.Size() >= 4 || k.Size() <= 4 && d.Size() == 8
	if d.Size() == 2 || k.Size() > d.Size() || !exact && round != numeric.RoundDefault && round != numeric.RTE {
		return nil
	}
	t := log2(d.Size())
	o := UCVTF
	if k.Signed() {
		o = SCVTF
	}
	list = s.resized(list, log2(k.Size()), t, k.Signed())
	return s.all(list, func(x reg) reg { return s.v2(o, t, x) })
}

// floatToInt follows docs/decisions/0002-out-of-range-conversion.md.
func (s *elements) floatToInt(list []reg, k, d numeric.Kind, sat bool, round numeric.Round) []reg {
	if k.Size() == 2 {
		list, k = s.widenFloat(2, list), numeric.F32
	}
	if d.Size() == 8 && k.Size() == 4 {
		list, k = s.widenFloat(3, list), numeric.F64
	}
	t := log2(k.Size())
	type modes struct{ signed, unsigned, integral op }
	o := map[numeric.Round]modes{
		numeric.RoundDefault: {FCVTZS, FCVTZU, FRINTZ}, numeric.RTZ: {FCVTZS, FCVTZU, FRINTZ}, numeric.RTE: {FCVTNS, FCVTNU, FRINTN},
		numeric.RTP: {FCVTPS, FCVTPU, FRINTP}, numeric.RTN: {FCVTMS, FCVTMU, FRINTM},
	}[round]
	if sat {
		wide, op := numeric.I32, o.signed
		switch {
		case t == 3 && !d.Signed():
			wide, op = numeric.U64, o.unsigned
		case t == 3:
			wide = numeric.I64
		case !d.Signed():
			wide, op = numeric.U32, o.unsigned
		}
		list = s.all(list, func(x reg) reg { return s.v2(op, t, x) })
		if s.isScalar(list, t) && wide.Size() != d.Size() {
			return nil
		}
		return s.saturated(list, wide, d)
	}
	// The integer modulo the width if it is in range; otherwise the result that the decision prescribes.
	twoTo := func(n int, sign uint64) reg {
		if t == 3 {
			return s.everywhere(t, sign<<63|uint64(1023+n)<<52)
		}
		return s.everywhere(t, sign<<31|uint64(127+n)<<23)
	}
	low, top := 31, 31
	if d.Size() == 8 {
		low, top = 63, 63
	}
	whole := d.Size() >= 4 && !d.Signed()
	if whole {
		top++
	}
	least, most := twoTo(low, 1), twoTo(top, 0)
	half := reg(0)
	if whole && 8<<t == 8*d.Size() {
		half = twoTo(low, 0)
	}
	bad := uint64(0)
	if d.Size() >= 4 {
		bad = 1 << (8*d.Size() - 1)
	}
	other := s.everywhere(t, bad)
	list = s.all(list, func(x reg) reg {
		x = s.v2(o.integral, t, x)
		r := s.v2(FCVTZS, t, x)
		if half != 0 { // the upper half of the unsigned range
			r = s.tied(VBSL, 0, s.v3(FCMGE, t, x, half), s.v2(FCVTZU, t, x), r)
		}
		in := s.v3(VAND, 0, s.v3(FCMGE, t, x, least), s.v3(FCMGT, t, most, x))
		return s.tied(VBSL, 0, in, r, other)
	})
	return s.resized(list, t, log2(d.Size()), false)
}
