package ssa

import (
	"math"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/ir/numeric"
)

func (p *parser) lanes(v *Value) {
	for {
		if p.got("u") {
			v.Lanes = append(v.Lanes, ShuffleUndef)
		} else {
			v.Lanes = append(v.Lanes, uint8(p.small(254)))
		}
		if p.nl || !p.got(":") {
			return
		}
		if len(v.Lanes) > 64 {
			p.fail(p.tok.off, "too many lanes")
		}
	}
}

func (p *parser) constant(v *Value) {
	if !p.got("(") {
		if p.nl {
			p.fail(p.tok.off, "constant without value")
		}
		v.Bits = []uint64{p.literal(v.Type.K)}
		return
	}
	for !p.got(")") {
		if len(v.Bits) > 64 {
			p.fail(p.tok.off, "too many elements")
		}
		v.Bits = append(v.Bits, p.literal(v.Type.K))
	}
}

// literal parses one element of a constant.
func (p *parser) literal(k Kind) uint64 {
	t := p.take()
	if t.text == "nan" && k.isFloat() {
		p.want("(")
		x := p.take()
		p.want(")")
		n, err := strconv.ParseUint(x.text, 0, k.Num().Bits())
		if err != nil || !isNaN(n, k) {
			p.fail(x.off, "not the bits of a NaN: %q", x.text)
		}
		return n
	}
	return p.bits(t, k)
}

func isNaN(x uint64, k Kind) bool {
	switch k {
	case F16:
		return numeric.Half(x).IsNaN()
	case F32:
		return math.IsNaN(float64(math.Float32frombits(uint32(x))))
	}
	return math.IsNaN(math.Float64frombits(x))
}

// bits returns the raw bits of a number of kind k.
func (p *parser) bits(t token, k Kind) uint64 {
	n := k.Num()
	bad := func(err error) {
		if err != nil {
			p.fail(t.off, "%q is not a valid %v", t.text, k)
		}
	}
	switch {
	case k == Bool:
		if t.text != "true" && t.text != "false" {
			p.fail(t.off, "expected true or false, found %q", t.text)
		}
		return bit(t.text == "true")
	case k.isFloat():
		return p.floatBits(t, k)
	case n.Signed():
		x, err := strconv.ParseInt(t.text, 0, n.Bits())
		bad(err)
		s := 64 - n.Bits()
		return uint64(x) << s >> s
	case k.class() != 0:
		x, err := strconv.ParseUint(t.text, 0, n.Bits())
		bad(err)
		return x
	}
	p.fail(t.off, "no constants of type %v", k)
	return 0
}

func (p *parser) floatBits(t token, k Kind) uint64 {
	if strings.Contains(t.text, "_") || strings.Contains(strings.ToLower(t.text), "n") && t.text != "inf" && t.text != "-inf" {
		p.fail(t.off, "%q is not a valid %v", t.text, k)
	}
	size := 64
	if k == F32 {
		size = 32
	}
	x, err := strconv.ParseFloat(t.text, size)
	if err != nil {
		p.fail(t.off, "%q is not a valid %v", t.text, k)
	}
	switch k {
	case F16:
		h := numeric.HalfFromFloat64(x, numeric.RTE)
		if h.Float64() != x {
			p.fail(t.off, "%q is not exactly representable as half", t.text)
		}
		return uint64(h)
	case F32:
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}
