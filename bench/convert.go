//go:build linux

package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// A conversion is an explicit conversion of OpenCL C. from and to are scalar types, mode is the suffix of the
// function's name after the type. Halves are loaded by vload_half and stored by vstore_half, whose suffix mode is
// then.
type conversion struct {
	from, to, mode string
	lanes          int // components of the vector form, 1 for the scalar one
}

// streamed are the conversions that run at memory speed.
var streamed = []conversion{
	{"float", "uchar", "_sat_rte", 1}, {"float", "uchar", "_sat_rte", 4}, {"float", "uchar", "_sat_rte", 16}, {"float", "uchar", "_sat", 1},
	{"float", "char", "_sat_rtp", 1}, {"float", "short", "_sat_rtn", 1}, {"float", "short", "_sat_rtn", 4}, {"float", "ushort", "_sat_rte", 1},
	{"float", "int", "_rte", 1}, {"float", "int", "_rtz", 4}, {"float", "int", "_rtp", 1}, {"float", "int", "_rtn", 4}, {"float", "int", "_sat", 1}, {"float", "int", "_sat_rte", 4},
	{"float", "uint", "_sat_rtp", 1}, {"float", "long", "_rtn", 1}, {"float", "double", "", 1}, {"float", "double", "", 4},
	{"int", "uchar", "_sat", 1}, {"int", "uchar", "_sat", 4}, {"int", "short", "_sat", 1}, {"int", "short", "_sat", 8}, {"int", "float", "", 1}, {"int", "float", "_rtz", 4},
	{"int", "long", "", 1}, {"int", "double", "", 4}, {"uint", "ushort", "", 1}, {"uint", "float", "_rtp", 1},
	{"short", "char", "_sat", 1}, {"short", "float", "", 1}, {"short", "int", "", 4}, {"ushort", "uchar", "_sat", 1}, {"ushort", "uchar", "", 8}, {"ushort", "uint", "", 1},
	{"uchar", "int", "", 1}, {"uchar", "float", "", 1}, {"uchar", "float", "", 4}, {"uchar", "ushort", "", 16}, {"char", "short", "", 1},
	{"long", "int", "_sat", 1}, {"long", "double", "_rtn", 1}, {"ulong", "uint", "", 1}, {"double", "float", "", 1}, {"double", "float", "_rtz", 4}, {"double", "int", "_sat_rte", 1},
	{"double", "int", "_rtz", 4}, {"double", "long", "_sat_rte", 1},
	{"half", "float", "", 1}, {"half", "float", "", 4}, {"float", "half", "_rte", 1}, {"float", "half", "_rte", 4}, {"float", "half", "_rtz", 1}, {"float", "half", "_rtp", 1},
}

// cached are the conversions within a core's cache.
var cached = []conversion{
	{"float", "uchar", "_sat_rte", 1}, {"float", "uchar", "_sat_rte", 4}, {"float", "char", "_sat_rtp", 1}, {"float", "short", "_sat_rtn", 4}, {"float", "ushort", "_sat_rte", 1},
	{"float", "int", "_rtp", 1}, {"float", "int", "_sat_rte", 4}, {"float", "uint", "_sat_rtp", 1}, {"int", "uchar", "_sat", 4}, {"int", "short", "_sat", 1}, {"int", "float", "_rtz", 4},
	{"short", "char", "_sat", 1}, {"ushort", "uint", "", 1}, {"uchar", "float", "", 1}, {"uchar", "float", "", 4}, {"uchar", "int", "", 1}, {"double", "int", "_sat_rte", 1},
	{"double", "float", "_rtz", 4}, {"int", "double", "", 4}, {"half", "float", "", 1}, {"float", "half", "_rte", 4}, {"long", "double", "_rtn", 1},
}

// chains convert in both directions in registers: back is the mode of the second conversion.
var chains = []struct {
	conversion
	back, factor, offset string
}{
	{conversion{"float", "uchar", "_sat_rte", 1}, "", "1.25f", "-20.0f"},
	{conversion{"float", "uchar", "_sat_rte", 4}, "", "1.25f", "-20.0f"},
	{conversion{"float", "short", "_sat_rtn", 1}, "", "1.75f", "-0.5f"},
	{conversion{"float", "int", "_sat_rtp", 1}, "_rtz", "1.0625f", "-3.5f"},
	{conversion{"float", "int", "_rtn", 4}, "", "0.75f", "100.5f"},
	{conversion{"int", "short", "_sat", 1}, "", "3", "-7"},
	{conversion{"int", "uchar", "_sat", 4}, "", "5", "-300"},
	{conversion{"double", "int", "_sat_rte", 1}, "", "1.25", "-0.25"},
	{conversion{"double", "float", "_rtz", 4}, "", "1.0009765625", "0.3"},
	{conversion{"uint", "float", "_rtp", 1}, "_sat_rtz", "3u", "12345u"},
}

func (c conversion) typeName(t string) string {
	if c.lanes > 1 {
		return fmt.Sprint(t, c.lanes)
	}
	return t
}

func (c conversion) name() string { return c.typeName(c.from) + "_" + c.typeName(c.to) + c.mode }

// reference returns the name of the C function, which is the same for scalars and vectors.
func (c conversion) reference(form string) string { return form + "_" + c.from + "_" + c.to + c.mode }

func (c conversion) options() string {
	// The load or store function converts halves.
	src, dst, fn := c.typeName(c.from), c.typeName(c.to), "convert_"+c.typeName(c.to)+c.mode
	vector := strings.TrimPrefix(src, c.from)
	var opts string
	if c.from == "half" {
		opts, src, fn = " -DLOAD_HALF=vload_half"+vector, dst, ""
	}
	if c.to == "half" {
		opts, dst, fn = " -DSTORE_HALF=vstore_half"+vector+c.mode, src, ""
	}
	return fmt.Sprintf("-DSRC=%s -DDST=%s -DCONVERT=%s%s -DLANES=%d", src, dst, fn, opts, c.lanes)
}

// memory describes the types' arguments: results, and inputs that sometimes exceed the ranges of narrower types.
var memory = map[string]struct {
	size    int
	in, out func(n int) Arg
}{
	"char":   {1, func(n int) Arg { return in(n, random[int8]) }, out[int8]},
	"uchar":  {1, func(n int) Arg { return in(n, random[uint8]) }, out[uint8]},
	"short":  {2, func(n int) Arg { return in(n, random[int16]) }, out[int16]},
	"ushort": {2, func(n int) Arg { return in(n, random[uint16]) }, out[uint16]},
	"int": {4, func(n int) Arg {
		return in(n, func(r *rand.PCG, _ int) int32 { return int32(r.Uint64()) >> (r.Uint64() % 32) })
	}, out[int32]},
	"uint": {4, func(n int) Arg { return in(n, random[uint32]) }, out[uint32]},
	"long": {8, func(n int) Arg {
		return in(n, func(r *rand.PCG, _ int) int64 { return int64(r.Uint64()) >> (r.Uint64() % 64) })
	}, out[int64]},
	"ulong":  {8, func(n int) Arg { return in(n, random[uint64]) }, out[uint64]},
	"half":   {2, func(n int) Arg { return in(n, between[numeric.Half](0, 0x7C00)) }, out[numeric.Half]},
	"float":  {4, func(n int) Arg { return in(n, func(r *rand.PCG, i int) float32 { return float32(wild(r, i, 1e4)) }) }, out[float32]},
	"double": {8, func(n int) Arg { return in(n, func(r *rand.PCG, i int) float64 { return wild(r, i, 1e9) }) }, out[float64]},
}

// wild returns numbers in [-scale/32, scale/32), and every 16th in [-scale, scale).
func wild(r *rand.PCG, i int, scale float64) float64 {
	if i%16 != 0 {
		scale /= 32
	}
	return between[float64](-scale, scale)(r, i)
}

// special is wild with some NaNs and infinities, for conversions that define their results.
func special[T float32 | float64](scale float64) func(r *rand.PCG, i int) T {
	return func(r *rand.PCG, i int) T {
		switch r.Uint64() % 64 {
		case 0:
			return T(math.NaN())
		case 1:
			return T(math.Inf(1))
		case 2:
			return T(math.Inf(-1))
		}
		return T(wild(r, i, scale))
	}
}

// input returns the conversion's input. Saturating conversions get special numbers too.
func (c conversion) input(n int) Arg {
	if strings.HasPrefix(c.mode, "_sat") {
		switch c.from {
		case "float":
			return in(n, special[float32](1e11))
		case "double":
			return in(n, special[float64](1e20))
		}
	}
	return memory[c.from].in(n)
}

// Sizes of the cached rows: eight arrays of that many numbers, at distances that put their lines into different
// sets of the cache.
const (
	cachedRow     = 8 << 10
	cachedPitch   = cachedRow + 192
	cachedRepeats = 1 << 10
	smallRepeats  = 3
	streamBytes   = 64 << 20
	smallStream   = 1 << 12
)

func convertRows() []*Row {
	var rows []*Row
	for _, c := range cached {
		rows = append(rows, &Row{
			Name: "cached_" + c.name(), Class: ConvertCompute, File: "convert.cl", Kernel: "cached", Options: c.options(), Reference: c.reference("cached"),
			Full: cachedRepeats, Small: smallRepeats,
			Case: func(n int) Case {
				return Case{Global: []int{cachedRow / c.lanes}, Units: cachedRow, Args: []Arg{
					memory[c.to].out(8 * cachedPitch), c.input(8 * cachedPitch), integer(cachedPitch), integer(n),
				}}
			},
		})
	}
	for _, c := range chains {
		rows = append(rows, &Row{
			Name: "chain_" + c.name(), Class: ConvertCompute, File: "convert.cl", Kernel: "chain", Reference: c.reference("chain"),
			Options: fmt.Sprintf("%s -DBACK=convert_%s%s -DFACTOR=%s -DOFFSET=%s", c.options(), c.typeName(c.from), c.back, c.factor, c.offset),
			Full:    1 << 16, Small: 1 << 10,
			Case: func(n int) Case {
				return Case{Global: []int{n / c.lanes}, Units: n, Args: []Arg{memory[c.from].out(n), c.input(n), integer(200)}}
			},
		})
	}
	for _, p := range pixels {
		r := p.row("cached", ConvertCompute)
		r.Options += " -DCACHED"
		r.Full, r.Small = cachedRepeats/2, smallRepeats
		r.Case = func(n int) Case {
			c := p.launch(cachedRow, 8*cachedPitch)
			c.Args = append(c.Args, integer(cachedPitch), integer(n))
			return c
		}
		rows = append(rows, r)
	}
	for _, c := range streamed {
		rows = append(rows, &Row{
			Name: "stream_" + c.name(), Class: ConvertStream, File: "convert.cl", Kernel: "stream", Options: c.options(), Reference: c.reference("stream"),
			Full: streamBytes / memory[c.from].size, Small: smallStream,
			Case: func(n int) Case {
				return Case{Global: []int{n / c.lanes}, Units: n, Args: []Arg{memory[c.to].out(n), c.input(n)}}
			},
		})
	}
	for _, p := range pixels {
		r := p.row("stream", ConvertStream)
		r.Full, r.Small = streamBytes/memory[p.from].size, smallStream
		r.Case = func(n int) Case { return p.launch(n, n) }
		rows = append(rows, r)
	}
	return rows
}

// A pixel is a kernel of pixels.cl: its inputs and the numbers after them.
type pixel struct {
	kernel, from, to string
	lanes, inputs    int
	numbers          []Arg
}

var pixels = []pixel{
	{"scale4", "uchar", "uchar", 4, 1, []Arg{float(1.3)}},
	{"scale1", "uchar", "uchar", 1, 1, []Arg{float(1.3)}},
	{"mix4", "uchar", "uchar", 4, 2, []Arg{float(0.3)}},
	{"audio1", "short", "short", 1, 1, []Arg{float(1.7)}},
	{"audio8", "short", "short", 8, 1, []Arg{float(1.7)}},
	{"halves1", "half", "half", 1, 1, []Arg{float(0.5)}},
	{"halves4", "half", "half", 4, 1, []Arg{float(0.5)}},
	{"premultiply4", "uchar", "uchar", 4, 1, nil},
	{"fixed4", "float", "int", 4, 1, []Arg{float(256)}},
}

func (p pixel) row(form string, class *Class) *Row {
	return &Row{
		Name: form + "_" + p.kernel, Class: class, File: "pixels.cl", Kernel: p.kernel, Options: fmt.Sprint("-DLANES=", p.lanes),
		Reference: form + "_" + strings.TrimRight(p.kernel, "148"),
	}
}

// launch returns the launch on a number of objects of a size.
func (p pixel) launch(numbers, size int) Case {
	c := Case{Global: []int{numbers / p.lanes}, Units: numbers, Args: []Arg{memory[p.to].out(size)}}
	for range p.inputs {
		c.Args = append(c.Args, memory[p.from].in(size))
	}
	c.Args = append(c.Args, p.numbers...)
	return c
}
