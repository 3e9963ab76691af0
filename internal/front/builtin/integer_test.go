package builtin_test

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"
)

// An intType is an integer type of OpenCL C, for oracles in math/big.
type intType struct {
	name   string
	bits   uint
	signed bool
}

var intTypes = []intType{{"char", 8, true}, {"uchar", 8, false}, {"short", 16, true}, {"ushort", 16, false}, {"int", 32, true}, {"uint", 32, false}, {"long", 64, true}, {"ulong", 64, false}}

func (t intType) value(raw uint64) *big.Int {
	v := new(big.Int).SetUint64(raw & t.mask())
	if t.signed && raw>>(t.bits-1)&1 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), t.bits))
	}
	return v
}

func (t intType) mask() uint64 { return ^uint64(0) >> (64 - t.bits) }

func (t intType) raw(v *big.Int) uint64 {
	m := new(big.Int).And(v, new(big.Int).SetUint64(t.mask()))
	return m.Uint64()
}

// sat clamps v to the type's range.
func (t intType) sat(v *big.Int) *big.Int {
	lo, hi := big.NewInt(0), new(big.Int).SetUint64(t.mask())
	if t.signed {
		hi.Rsh(hi, 1)
		lo.Not(hi)
	}
	if v.Cmp(lo) < 0 {
		return lo
	}
	if v.Cmp(hi) > 0 {
		return hi
	}
	return v
}

func (t intType) unsigned() intType {
	return intType{strings.Replace("u"+t.name, "uu", "u", 1), t.bits, false}
}

// An intFunc is an integer function with its definition.
type intFunc struct {
	call string // uses a, b, c of type T; R is the result
	// result is "T", "U" (unsigned) or "W" (double width)
	result string
	only   uint // width of the types it exists for, 0: all
	max    uint // greatest width of the types it exists for, 0: 64
	f      func(t intType, a, b, c *big.Int, ra, rb, rc uint64) *big.Int
}

func num(x int) *big.Int { return big.NewInt(int64(x)) }

var intFuncs = []intFunc{
	{call: "abs(a)", result: "U", f: func(t intType, a, b, c *big.Int, _, _, _ uint64) *big.Int { return a.Abs(a) }},
	{call: "abs_diff(a, b)", result: "U", f: func(t intType, a, b, c *big.Int, _, _, _ uint64) *big.Int { return a.Abs(a.Sub(a, b)) }},
	{call: "add_sat(a, b)", f: func(t intType, a, b, c *big.Int, _, _, _ uint64) *big.Int { return t.sat(a.Add(a, b)) }},
	{call: "sub_sat(a, b)", f: func(t intType, a, b, c *big.Int, _, _, _ uint64) *big.Int { return t.sat(a.Sub(a, b)) }},
	{call: "hadd(a, b)", f: func(t intType, a, b, c *big.Int, _, _, _ uint64) *big.Int { return a.Rsh(a.Add(a, b), 1) }},
	{call: "rhadd(a, b)", f: func(t intType, a, b, c *big.Int, _, _, _ uint64) *big.Int {
		return a.Rsh(a.Add(a.Add(a, b), num(1)), 1)
	}},
	{call: "mul_hi(a, b)", f: func(t intType, a, b, c *big.Int, _, _, _ uint64) *big.Int { return a.Rsh(a.Mul(a, b), t.bits) }},
	{call: "mad_hi(a, b, c)", f: func(t intType, a, b, c *big.Int, _, _, _ uint64) *big.Int {
		return a.Add(a.Rsh(a.Mul(a, b), t.bits), c)
	}},
	{call: "mad_sat(a, b, c)", f: func(t intType, a, b, c *big.Int, _, _, _ uint64) *big.Int { return t.sat(a.Add(a.Mul(a, b), c)) }},
	{call: "max(a, b)", f: func(t intType, a, b, c *big.Int, _, _, _ uint64) *big.Int {
		if a.Cmp(b) < 0 {
			return b
		}
		return a
	}},
	{call: "min(a, b)", f: func(t intType, a, b, c *big.Int, _, _, _ uint64) *big.Int {
		if a.Cmp(b) > 0 {
			return b
		}
		return a
	}},
	{call: "clamp(a, min(b, c), max(b, c))", f: func(t intType, a, b, c *big.Int, _, _, _ uint64) *big.Int {
		if b.Cmp(c) > 0 {
			b, c = c, b
		}
		switch {
		case a.Cmp(b) < 0:
			return b
		case a.Cmp(c) > 0:
			return c
		}
		return a
	}},
	{call: "rotate(a, b)", f: func(t intType, _, _, _ *big.Int, a, b, _ uint64) *big.Int {
		n := uint(b) % t.bits
		a &= t.mask()
		return new(big.Int).SetUint64(a<<n | a>>(t.bits-n))
	}},
	{call: "clz(a)", f: func(t intType, _, _, _ *big.Int, a, _, _ uint64) *big.Int {
		return num(bits.LeadingZeros64(a&t.mask()) - 64 + int(t.bits))
	}},
	{call: "ctz(a)", f: func(t intType, _, _, _ *big.Int, a, _, _ uint64) *big.Int {
		return num(min(bits.TrailingZeros64(a&t.mask()), int(t.bits)))
	}},
	{call: "popcount(a)", f: func(t intType, _, _, _ *big.Int, a, _, _ uint64) *big.Int { return num(bits.OnesCount64(a & t.mask())) }},
	{call: "upsample(a, AS_U(b))", result: "W", max: 32, f: func(t intType, a, _, _ *big.Int, _, b, _ uint64) *big.Int {
		return a.Add(a.Lsh(a, t.bits), new(big.Int).SetUint64(b&t.mask()))
	}},
	// 24-bit operands
	{call: "mul24(a << 8 >> 8, b << 8 >> 8)", only: 32, f: func(t intType, _, _, _ *big.Int, a, b, _ uint64) *big.Int {
		return new(big.Int).Mul(int24(t, a), int24(t, b))
	}},
	{call: "mad24(a << 8 >> 8, b << 8 >> 8, c)", only: 32, f: func(t intType, _, _, c *big.Int, a, b, _ uint64) *big.Int {
		return c.Add(c, new(big.Int).Mul(int24(t, a), int24(t, b)))
	}},
	{call: "bitselect(a, b, c)", f: func(t intType, _, _, _ *big.Int, a, b, c uint64) *big.Int {
		return new(big.Int).SetUint64((a&^c | b&c) & t.mask())
	}},
	{call: "bit_reverse(a)", f: func(t intType, _, _, _ *big.Int, a, _, _ uint64) *big.Int {
		return new(big.Int).SetUint64(bits.Reverse64(a) >> (64 - t.bits))
	}},
	{call: "bitfield_extract_signed(a, 3, 4)", result: "S", f: func(t intType, _, _, _ *big.Int, a, _, _ uint64) *big.Int {
		return num(int(int64(a<<57) >> 60))
	}},
	{call: "bitfield_extract_unsigned(a, 3, 4)", result: "U", f: func(t intType, _, _, _ *big.Int, a, _, _ uint64) *big.Int {
		return num(int(a >> 3 & 15))
	}},
	{call: "bitfield_extract_signed(a, 0, 8 * sizeof(S))", result: "S", f: func(t intType, a, _, _ *big.Int, _, _, _ uint64) *big.Int { return a }},
	{call: "bitfield_extract_unsigned(a, 5, 0)", result: "U", f: func(t intType, a, _, _ *big.Int, _, _, _ uint64) *big.Int { return num(0) }},
	{call: "bitfield_insert(a, b, 2, 5)", f: func(t intType, _, _, _ *big.Int, a, b, _ uint64) *big.Int {
		return new(big.Int).SetUint64(a&t.mask()&^(31<<2) | b&31<<2)
	}},
}

func int24(t intType, x uint64) *big.Int {
	if t.signed {
		return big.NewInt(int64(int32(x<<8) >> 8))
	}
	return new(big.Int).SetUint64(x & 0xffffff)
}

// TestInteger compares the integer functions with math/big: all pairs of edge cases, and random operands; scalars
// and vectors of 4.
func TestInteger(t *testing.T) {
	wide := map[string]string{"char": "short", "uchar": "ushort", "short": "int", "ushort": "uint", "int": "long", "uint": "ulong"}
	rng := rand.New(rand.NewPCG(3, 4))
	for _, typ := range intTypes {
		const n = 512
		var in [3][]uint64
		edges := []uint64{0, 1, 2, 3, ^uint64(0), typ.mask() >> 1, typ.mask()>>1 + 1, typ.mask()>>1 + 2, 1 << (typ.bits / 2)}
		for i := range in {
			for j := range n {
				x := rng.Uint64() >> rng.UintN(typ.bits)
				if i < 2 && j < len(edges)*len(edges) {
					x = edges[[2]int{j / len(edges), j % len(edges)}[i]]
				} else if rng.UintN(4) == 0 {
					x = edges[rng.IntN(len(edges))]
				}
				in[i] = append(in[i], x)
			}
		}
		var src strings.Builder
		unsigned := typ.unsigned().name
		fmt.Fprintf(&src, "#pragma OPENCL EXTENSION cl_khr_extended_bit_ops : enable\n#define S %s\n#define AS_U(x) as_%s4(x)\n#define AS_U1(x) as_%s(x)\n", typ.name, unsigned, unsigned)
		src.WriteString("kernel void k(global const ulong *ga, global const ulong *gb, global const ulong *gc, global ulong *out) {\n\tsize_t i = get_global_id(0);\n\tulong4 r;\n")
		for _, v := range []string{"a", "b", "c"} {
			fmt.Fprintf(&src, "\t%s4 %s = convert_%s4(vload4(i, g%s));\n", typ.name, v, typ.name, v)
		}
		var fs []intFunc
		for _, f := range intFuncs {
			if f.only != 0 && f.only != typ.bits || f.max != 0 && typ.bits > f.max {
				continue
			}
			result := typ.name
			switch f.result {
			case "U":
				result = unsigned
			case "S":
				result = strings.TrimPrefix(typ.name, "u")
			case "W":
				result = wide[typ.name]
			}
			fmt.Fprintf(&src, "\t{ %s4 v = %s; vstore4(convert_ulong4(as_u%s4(v)), i, out + %d);\n", result, f.call, strings.TrimPrefix(result, "u"), 2*n*len(fs))
			// The components again, as scalars.
			src.WriteString("\tfor (int j = 0; j < 4; j++) { S a1 = ga[4 * i + j], b1 = gb[4 * i + j], c1 = gc[4 * i + j];\n")
			call := strings.NewReplacer("AS_U(b)", "AS_U1(b1)", "(a", "(a1", "b)", "b1)", "b,", "b1,", "c)", "c1)", "b <<", "b1 <<").Replace(f.call)
			fmt.Fprintf(&src, "\t%s s = %s; out[%d + 4 * i + j] = as_u%s(s); } }\n", result, call, 2*n*len(fs)+n, strings.TrimPrefix(result, "u"))
			fs = append(fs, f)
		}
		src.WriteString("}\n")
		out := make([]uint64, 2*n*len(fs))
		build(t, src.String()).run(t, n/4, 0, raw(in[0]), raw(in[1]), raw(in[2]), raw(out))
		for fi, f := range fs {
			res := typ
			if f.result == "W" {
				res.bits *= 2
			}
			for j := range n {
				ra, rb, rc := in[0][j], in[1][j], in[2][j]
				want := res.raw(f.f(typ, typ.value(ra), typ.value(rb), typ.value(rc), ra, rb, rc))
				for k, got := range []uint64{out[2*n*fi+j], out[2*n*fi+n+j]} {
					if got != want {
						t.Errorf("%s %s, a = %#x, b = %#x, c = %#x: %#x, want %#x (%s)", typ.name, f.call, ra&typ.mask(), rb&typ.mask(), rc&typ.mask(), got, want, [...]string{"vector", "scalar"}[k])
						return
					}
				}
			}
		}
	}
}
