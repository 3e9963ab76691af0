package imagecode

import (
	"math/big"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/image"
)

// A color has its components in F32 for a format of floating-point colors, else in I32 or U32.
type color [4]*ssa.Value

// An element describes a format for code generation.
type element struct {
	layout   image.Layout
	float    bool     // colors are floating-point numbers
	positive bool     // no channel is negative or a NaN
	kind     ssa.Kind // kind of a channel in memory; of a packed element: of the whole element
	channels int
	size     int // bytes of the element
	scale    int // divisor of a normalized channel, 0 for others
}

// channelKinds are the kinds of channels in memory, and the divisors of normalized ones.
var channelKinds = map[opencl.ChannelType]struct {
	kind  ssa.Kind
	scale int
}{
	opencl.SnormInt8: {ssa.I8, 127}, opencl.SnormInt16: {ssa.I16, 32767}, opencl.UnormInt8: {ssa.U8, 255}, opencl.UnormInt16: {ssa.U16, 65535},
	opencl.UnormShort565: {ssa.U16, 0}, opencl.UnormShort555: {ssa.U16, 0}, opencl.UnormInt101010: {ssa.U32, 0}, opencl.UnormInt101010x2: {ssa.U32, 0},
	opencl.SignedInt8: {ssa.I8, 0}, opencl.SignedInt16: {ssa.I16, 0}, opencl.SignedInt32: {ssa.I32, 0},
	opencl.UnsignedInt8: {ssa.U8, 0}, opencl.UnsignedInt16: {ssa.U16, 0}, opencl.UnsignedInt32: {ssa.U32, 0},
	opencl.HalfFloat: {ssa.F16, 0}, opencl.FloatChannel: {ssa.F32, 0},
}

// newElement describes a supported format.
func newElement(f image.Format) element {
	k := channelKinds[f.Type]
	x := element{layout: f.Layout(), float: f.Class() == image.FloatClass, kind: k.kind, scale: k.scale, channels: f.Channels(), size: f.Size()}
	if x.packed() {
		x.channels = 1
	}
	x.positive = x.packed() || x.kind == ssa.U8 || x.kind == ssa.U16
	return x
}

// srgb reports whether channel k is in the sRGB color space. The fourth is alpha.
func (x *element) srgb(k int) bool { return x.layout.SRGB && x.float && k < 3 }

func (x *element) packed() bool { return x.layout.Bits[0] != 0 }

// apart reports whether each channel is an access of its own, because no vector has the element's size.
func (x *element) apart() bool { return x.size&(x.size-1) != 0 }

// load returns the color at an address, or the border's if ok, which may be nil, is false. It sets c.vector instead if the color is
// only stored: a store takes its components in memory order.
func (e *emitter) load(c *call, ptr, ok *ssa.Value) (t color) {
	if ok == nil && c.kind == ssa.F32 && c.parts == 4 && c.format.inOrder(&c.format.layout.At) && !e.computed[c.v] {
		c.vector = e.loadVector(&c.format, ptr)
		return t
	}
	return e.color(c, e.channels(&c.format, ptr, ok), ok)
}

// inOrder reports whether the channels of an element are the components of a color of floating-point numbers, one after the other, and are
// converted alike. at is the layout's At or Holds.
func (x *element) inOrder(at *[4]int8) bool {
	return x.float && x.channels == 4 && *at == [4]int8{0, 1, 2, 3} && !x.packed() && !x.apart() && !x.layout.SRGB
}

// loadVector returns the color at an address as a vector, whose components stay in memory order.
func (e *emitter) loadVector(x *element, ptr *ssa.Value) *ssa.Value {
	t, v := ssa.Vec(x.kind, 4), (*ssa.Value)(nil)
	if x.size == wordBytes { // a gather takes words
		v = e.value(ssa.OpBitcast, t, e.value(ssa.OpLoad, ssa.TI32, ptr))
		v.Args[0].Aux = wordBytes
	} else {
		v = e.value(ssa.OpLoad, t, ptr)
		v.Aux = int64(x.size)
	}
	if x.kind == ssa.F32 {
		return v
	}
	if x.scale > 0 {
		v = e.convert(v, ssa.I32, false, 0)
	}
	v = e.convert(v, ssa.F32, false, 0)
	if x.scale == 0 {
		return v
	}
	hi, lo := reciprocal(x.scale)
	v = e.op(ssa.OpFMA, v, e.splat(hi), e.op(ssa.OpMul, v, e.splat(lo)))
	if x.kind.Num().Signed() {
		v = e.op(ssa.OpMax, e.splat(-1), v)
	}
	return v
}

// splat returns a vector of four equal numbers.
func (e *emitter) splat(x float32) *ssa.Value {
	return e.value(ssa.OpSplat, ssa.Vec(ssa.F32, 4), e.number(x))
}

// color returns the color with the channels ch, or the border's if ok, which may be nil, is false.
func (e *emitter) color(c *call, ch [4]*ssa.Value, ok *ssa.Value) (t color) {
	x := &c.format
	zero := e.number(0)
	one := e.number(1)
	if !x.float {
		zero, one = e.int(0), e.int(1)
	}
	for k, at := range x.layout.At {
		switch {
		case at >= 0:
			t[k] = ch[at]
		case k < 3 || !x.layout.Alpha:
			t[k] = zero
		case ok != nil && !x.layout.Opaque:
			t[k] = e.value(ssa.OpSelect, one.Type, ok, one, zero)
		default:
			t[k] = one
		}
	}
	return t
}

// channels returns the channels of an element, or zeros if ok is false: the border color is zero in all components
// that are channels.
func (e *emitter) channels(x *element, ptr, ok *ssa.Value) (ch [4]*ssa.Value) {
	load := func(t ssa.Type, at *ssa.Value, align int) *ssa.Value {
		v := e.value(ssa.OpLoad, t, at)
		v.Aux = int64(align)
		if ok != nil {
			v = e.value(ssa.OpSelect, t, ok, v, e.constant(t, 0))
		}
		return v
	}
	if x.apart() {
		for k := range x.channels {
			ch[k] = e.decode(x, k, load(ssa.Scalar(x.kind), e.channel(x, ptr, k), x.kind.Num().Size()))
		}
		return ch
	}
	unpacked := x.size <= 4 && (x.packed() || x.channels > 1) // load one word and split it
	t := ssa.Vec(x.kind, x.channels)
	if unpacked {
		t = ssa.Scalar(map[int]ssa.Kind{2: ssa.U16, 4: ssa.I32}[x.size])
	}
	v := load(t, ptr, min(t.Size(), x.size))
	if !unpacked {
		for k := range x.channels {
			ch[k] = e.decode(x, k, e.extract(v, k))
		}
		return ch
	}
	if t.K != ssa.I32 {
		v = e.convert(v, ssa.I32, false, 0)
	}
	if x.packed() {
		for k, n := range x.layout.Bits {
			ch[k] = e.number(0)
			if n > 0 {
				ch[k] = e.divided(e.field(v, uint(x.layout.Shift[k]), uint(n), false), 1<<n-1)
			}
		}
		return ch
	}
	n := 8 * uint(x.kind.Num().Size())
	for k := range x.channels {
		i := e.field(v, uint(k)*n, n, x.kind.Num().Signed())
		if x.kind == ssa.F16 {
			i = e.value(ssa.OpBitcast, ssa.Scalar(ssa.F16), e.convert(i, ssa.U16, false, 0))
		}
		ch[k] = e.decode(x, k, i)
	}
	return ch
}

// channel returns the address of channel k of an element.
func (e *emitter) channel(x *element, ptr *ssa.Value, k int) *ssa.Value {
	if k == 0 {
		return ptr
	}
	return e.value(ssa.OpPtrAdd, ptr.Type, ptr, e.constant(ssa.TI64, uint64(k*x.kind.Num().Size())))
}

// field returns bits of a word as an integer.
func (e *emitter) field(v *ssa.Value, at, n uint, signed bool) *ssa.Value {
	by := func(n uint) *ssa.Value { return e.int(int32(n)) }
	if signed {
		if up := 32 - n - at; up > 0 {
			v = e.op(ssa.OpShl, v, by(up))
		}
		return e.op(ssa.OpShr, v, by(32-n))
	}
	if at > 0 {
		v = e.bits(e.op(ssa.OpShr, e.bits(v, ssa.U32), by(at)), ssa.I32)
	}
	if at+n < 32 {
		v = e.op(ssa.OpAnd, v, e.int(1<<n-1))
	}
	return v
}

// decode converts channel k, or a narrow integer's value, to a component of the color.
func (e *emitter) decode(x *element, k int, v *ssa.Value) *ssa.Value {
	switch {
	case x.srgb(k):
		return e.linearized(v)
	case x.scale > 0:
		if v.Type.K != ssa.I32 {
			v = e.convert(v, ssa.I32, false, 0)
		}
		q := e.divided(v, x.scale)
		if x.kind.Num().Signed() {
			q = e.op(ssa.OpMax, e.number(-1), q)
		}
		return q
	case x.float:
		if v.Type.K != ssa.F32 {
			v = e.convert(v, ssa.F32, false, 0)
		}
		return v
	case v.Type.K.Num().Size() < 4 && x.kind.Num().Signed():
		return e.convert(v, ssa.I32, false, 0)
	case v.Type.K.Num().Size() < 4:
		return e.convert(v, ssa.U32, false, 0)
	}
	return v
}

// divided returns the quotient of an integer and a positive constant that is no power of two, as a float32 rounded
// to nearest. It is the integer times the two halves of the reciprocal, rounded once, which is correct for all
// channels (TestDivided).
func (e *emitter) divided(v *ssa.Value, by int) *ssa.Value {
	hi, lo := reciprocal(by)
	x := e.convert(v, ssa.F32, false, 0)
	return e.op(ssa.OpFMA, x, e.number(hi), e.op(ssa.OpMul, x, e.number(lo)))
}

// reciprocal returns 1/n as the sum of two numbers.
func reciprocal(n int) (hi, lo float32) {
	r := big.NewRat(1, int64(n))
	hi, _ = r.Float32()
	lo, _ = r.Sub(r, new(big.Rat).SetFloat64(float64(hi))).Float32()
	return hi, lo
}

// store stores the call's color at an address.
func (e *emitter) store(c *call, ptr *ssa.Value) {
	x := &c.format
	if v := c.color.Source(); c.kind == ssa.F32 && c.parts == 4 && v.Op.Has(ssa.Elementwise) && x.inOrder(&x.layout.Holds) {
		e.value(ssa.OpStore, ssa.TVoid, ptr, e.encodeVector(x, v)).Aux = int64(x.size)
		return
	}
	component := func(k int8) *ssa.Value {
		switch {
		case k < 0 || int(k) >= c.parts:
			return nil
		case c.kind == ssa.F16:
			return e.convert(e.extract(c.color, int(k)), ssa.F32, false, 0)
		}
		return e.extract(c.color, int(k))
	}
	var v *ssa.Value
	if x.packed() {
		v = e.pack(x, component)
	} else {
		t := ssa.Scalar(x.kind)
		ch := make([]*ssa.Value, x.channels)
		for k := range ch {
			if f := component(x.layout.Holds[k]); f != nil {
				ch[k] = e.encode(x, k, f)
			} else {
				ch[k] = e.constant(t, 0)
			}
		}
		if x.apart() {
			for k, v := range ch {
				e.value(ssa.OpStore, ssa.TVoid, e.channel(x, ptr, k), v).Aux = int64(x.kind.Num().Size())
			}
			return
		}
		if v = ch[0]; len(ch) > 1 {
			v = e.value(ssa.OpVec, ssa.Vec(x.kind, len(ch)), ch...)
		}
	}
	e.value(ssa.OpStore, ssa.TVoid, ptr, v).Aux = int64(x.size)
}

// encode converts a component of a color to channel k.
func (e *emitter) encode(x *element, k int, f *ssa.Value) *ssa.Value {
	switch {
	case x.srgb(k):
		return e.encodedSRGB(f, x.kind)
	case x.scale > 0:
		return e.convert(e.op(ssa.OpMul, f, e.number(float32(x.scale))), x.kind, true, numeric.RTE)
	case x.kind == ssa.F16:
		return e.convert(f, ssa.F16, false, numeric.RTE)
	case x.float:
		return f
	}
	i := ssa.U32
	if x.kind.Num().Signed() {
		i = ssa.I32
	}
	f = e.bits(f, i)
	if x.kind == i {
		return f
	}
	return e.convert(f, x.kind, true, 0)
}

// encodeVector converts a color to the four channels of an element in memory order.
func (e *emitter) encodeVector(x *element, v *ssa.Value) *ssa.Value {
	switch {
	case x.scale > 0:
		return e.convert(e.op(ssa.OpMul, v, e.splat(float32(x.scale))), x.kind, true, numeric.RTE)
	case x.kind == ssa.F16:
		return e.convert(v, ssa.F16, false, numeric.RTE)
	}
	return v
}

// pack returns a packed element.
func (e *emitter) pack(x *element, component func(k int8) *ssa.Value) *ssa.Value {
	v := e.int(0)
	for k, n := range x.layout.Bits {
		f := component(x.layout.Holds[k])
		if n == 0 || f == nil {
			continue
		}
		limit := e.number(float32(int(1)<<n - 1))
		i := e.convert(e.limit(e.op(ssa.OpMul, f, limit), limit), ssa.I32, false, numeric.RTE)
		if s := x.layout.Shift[k]; s > 0 {
			i = e.op(ssa.OpShl, i, e.int(int32(s)))
		}
		v = e.op(ssa.OpOr, v, i)
	}
	if x.kind == ssa.U32 {
		return e.bits(v, ssa.U32)
	}
	return e.convert(v, x.kind, false, 0)
}
