package imagecode

import (
	"math"
	"math/bits"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A place is an element along a coordinate: an index inside of the image, and whether it is the requested one (nil:
// always). If ok is false, the requested one is outside of the image.
type place struct{ at, ok *ssa.Value }

// sample returns the color at coordinates for a sampler.
func (e *emitter) sample(c *call, s opencl.Sampler) color {
	if c.float && s.Linear() && c.format.float {
		return e.filter(c, s)
	}
	var p [3]place
	dims := c.m.class.shape.Dims()
	for d, x := range c.coords {
		n := e.dim(c.m, d)
		switch {
		case d >= dims:
			p[d] = place{e.layer(x, n), nil}
		case c.float:
			p[d] = e.nearest(s, x, n)
		default:
			p[d].at = e.clamp(x, n.last)
			if s.Addressing() != opencl.SamplerClampToEdge {
				p[d].ok = e.inside(x, n.n)
			}
		}
	}
	ptr, ok := e.address(c, &p)
	return e.load(c, ptr, ok)
}

// layer selects an image of an array.
func (e *emitter) layer(x *ssa.Value, n *dimension) *ssa.Value {
	if x.Type.K == ssa.I32 {
		return e.clamp(x, n.last)
	}
	return e.trunc(e.limit(e.op(ssa.OpRint, x), n.lastf))
}

// limit clamps x to [0, last]; NaN gives 0.
func (e *emitter) limit(x, last *ssa.Value) *ssa.Value {
	return e.op(ssa.OpMin, last, e.op(ssa.OpMax, e.number(0), x))
}

// repeated returns the coordinate in elements within the image's repetition; ok is false if the sampler does not
// repeat.
func (e *emitter) repeated(s opencl.Sampler, x *ssa.Value, n *dimension) (u *ssa.Value, ok bool) {
	mode := s.Addressing()
	if mode != opencl.SamplerRepeat && mode != opencl.SamplerMirroredRepeat {
		return nil, false
	}
	if !s.Normalized() {
		x = e.op(ssa.OpDiv, x, n.nf)
	}
	if mode == opencl.SamplerRepeat {
		return e.op(ssa.OpMul, e.op(ssa.OpSub, x, e.op(ssa.OpFloor, x)), n.nf), true
	}
	t := e.op(ssa.OpMul, e.number(2), e.op(ssa.OpRint, e.op(ssa.OpMul, e.number(0.5), x)))
	return e.op(ssa.OpMul, e.op(ssa.OpFabs, e.op(ssa.OpSub, x, t)), n.nf), true
}

// nearest returns the element that contains a coordinate.
func (e *emitter) nearest(s opencl.Sampler, x *ssa.Value, n *dimension) (p place) {
	u, ok := e.repeated(s, x, n)
	switch {
	case ok && s.Addressing() == opencl.SamplerRepeat: // u is in [0, n], or NaN
		i := e.trunc(e.op(ssa.OpMax, e.number(0), u))
		return place{e.value(ssa.OpSelect, ssa.TI32, e.compare(ssa.OpLt, n.last, i), e.op(ssa.OpSub, i, n.n), i), nil}
	case ok:
		return place{e.trunc(e.limit(u, n.lastf)), nil}
	case !s.Normalized():
		if i := e.wholeElement(x); i != nil {
			return e.integral(s, i, n)
		}
		u = x
	default:
		u = e.op(ssa.OpMul, x, n.nf)
	}
	p.at = e.trunc(e.limit(u, n.lastf))
	if s.Addressing() != opencl.SamplerClampToEdge {
		p.ok = e.op(ssa.OpNot, e.op(ssa.OpOr, e.compare(ssa.OpLt, u, e.number(0)), e.compare(ssa.OpLe, n.nf, u)))
	}
	return p
}

// maxIndex bounds the integers whose sums with small multiples of 1/4 are exact in float32. Larger ones are beyond
// any sampled image, and so are their sums.
const maxIndex = 1 << 21

// wholeElement returns the index of the element that nearest filtering selects at x, if x is the float32 of an
// integer plus constants; else nil.
func (e *emitter) wholeElement(x *ssa.Value) *ssa.Value {
	sum := float32(0)
	for x.Op == ssa.OpAdd || x.Op == ssa.OpSub {
		c := x.Args[1].Source()
		if !c.IsConst() {
			return nil
		}
		f := math.Float32frombits(uint32(c.ConstElem(0)))
		if x.Op == ssa.OpSub {
			f = -f
		}
		// The negated comparison is true for NaN too.
		if !(f >= -1024 && f <= 1024 && f*4 == float32(int(f*4)) && sum+f >= -1024 && sum+f <= 1024) {
			return nil
		}
		sum += f
		x = x.Args[0].Source()
	}
	if x.Op != ssa.OpConvert || !x.Args[0].Type.K.Num().IsInt() || x.Args[0].Type.K == ssa.Bool {
		return nil
	}
	i := e.index(x.Args[0].Source())
	if n := int32(math.Floor(float64(sum))); n != 0 { // the sum must not wrap
		i = e.op(ssa.OpMin, e.op(ssa.OpMax, i, e.int(-maxIndex)), e.int(maxIndex))
		i = e.op(ssa.OpAdd, i, e.int(n))
	}
	return i
}

// index returns an integer as an I32, or clamped to a number beyond any image on the same side.
func (e *emitter) index(x *ssa.Value) *ssa.Value {
	k := x.Type.K
	switch limit := uint64(maxIndex); {
	case k == ssa.I32:
		return x
	case k.Num().Size() < 4, isID(x):
	case k.Num().Signed():
		x = e.op(ssa.OpMin, e.op(ssa.OpMax, x, e.constant(x.Type, -limit)), e.constant(x.Type, limit))
	default:
		x = e.op(ssa.OpMin, x, e.constant(x.Type, limit))
	}
	return e.convert(x, ssa.I32, false, 0)
}

// isID reports whether x is an id. Executors run copies of kernels only if ids fit in 31 bits.
func isID(x *ssa.Value) bool {
	if x.Op != ssa.OpWorkItem {
		return false
	}
	switch ssa.WorkItemQuery(x.Aux) {
	case ssa.GlobalID, ssa.LocalID, ssa.GroupID:
		return true
	}
	return false
}

// integral is nearest for an integer.
func (e *emitter) integral(s opencl.Sampler, i *ssa.Value, n *dimension) (p place) {
	p.at = e.clamp(i, n.last)
	if s.Addressing() != opencl.SamplerClampToEdge {
		p.ok = e.inside(i, n.n)
	}
	return p
}

// linear returns the two elements along a coordinate and their weights. If a weight is NaN, the elements are
// irrelevant.
func (e *emitter) linear(s opencl.Sampler, x *ssa.Value, n *dimension) (p [2]place, w [2]*ssa.Value) {
	u, ok := e.repeated(s, x, n)
	switch {
	case ok:
	case s.Normalized():
		u = e.op(ssa.OpMul, x, n.nf)
	default:
		u = x
	}
	h := e.op(ssa.OpSub, u, e.number(0.5))
	f := e.op(ssa.OpFloor, h)
	w[1] = e.op(ssa.OpSub, h, f)
	w[0] = e.op(ssa.OpSub, e.number(1), w[1])
	one := e.int(1)
	switch s.Addressing() {
	case opencl.SamplerRepeat: // f is in [-1, n)
		i := e.trunc(e.op(ssa.OpMax, e.number(-1), f))
		j := e.op(ssa.OpAdd, i, one)
		p[0].at = e.value(ssa.OpSelect, ssa.TI32, e.compare(ssa.OpLt, i, e.int(0)), e.op(ssa.OpAdd, i, n.n), i)
		p[1].at = e.value(ssa.OpSelect, ssa.TI32, e.compare(ssa.OpLt, n.last, j), e.op(ssa.OpSub, j, n.n), j)
	case opencl.SamplerClampToEdge, opencl.SamplerMirroredRepeat:
		i := e.trunc(e.op(ssa.OpMin, n.lastf, e.op(ssa.OpMax, e.number(-1), f)))
		p[0].at = e.op(ssa.OpMax, i, e.int(0))
		p[1].at = e.op(ssa.OpMin, e.op(ssa.OpAdd, i, one), n.last)
	default:
		i := e.trunc(e.op(ssa.OpMin, n.nf, e.op(ssa.OpMax, e.number(-2), f)))
		j := e.op(ssa.OpAdd, i, one)
		p[0] = place{e.clamp(i, n.last), e.inside(i, n.n)}
		p[1] = place{e.clamp(j, n.last), e.inside(j, n.n)}
	}
	return p, w
}

// filter samples with a linear filter, one corner after the other as [image.Image.Sample] does.
func (e *emitter) filter(c *call, s opencl.Sampler) color {
	dims := c.m.class.shape.Dims()
	var p [3][2]place
	var w [3][2]*ssa.Value
	for d, x := range c.coords {
		n := e.dim(c.m, d)
		if d < dims {
			p[d], w[d] = e.linear(s, x, n)
		} else {
			p[d][0].at = e.layer(x, n)
		}
	}
	weights := w[0][:] // by corner: bit d of its number selects the element along coordinate d
	for d := 1; d < dims; d++ {
		var next []*ssa.Value
		for _, v := range w[d] {
			for _, before := range weights {
				next = append(next, e.op(ssa.OpMul, before, v))
			}
		}
		weights = next
	}
	var sum, next color // next is that of the next corner, if loaded
	inWords := c.m.inWords(&c.format, s)
	for corner, weight := range weights {
		var at [3]place
		for d := range c.coords {
			at[d] = p[d][corner>>d&1]
		}
		var t color
		switch {
		case !inWords:
			ptr, ok := e.address(c, &at)
			t = e.color(c, e.channels(&c.format, ptr, ok), ok)
		case corner&1 == 0:
			t, next = e.neighbours(c, &at, p[0][1].at)
		default:
			t = next
		}
		for k := range sum {
			x := e.op(ssa.OpMul, weight, t[k])
			switch {
			case corner > 0:
				x = e.op(ssa.OpAdd, sum[k], x)
			case !c.format.positive: // 0 + x is x, except for the sign of zero
				x = e.op(ssa.OpAdd, e.number(0), x)
			}
			sum[k] = x
		}
	}
	return sum
}

// wordBytes is the size of a word from which two neighbours are taken.
const wordBytes = 4

// inWords reports whether a linear filter loads a word that has both neighbours along the first coordinate, instead of each
// by itself: gathers are expensive. The sampler must not wrap around, so that the second neighbour is the first or follows it.
func (m *imageParams) inWords(x *element, s opencl.Sampler) bool {
	edge := s.Addressing() == opencl.SamplerClampToEdge || s.Addressing() == opencl.SamplerMirroredRepeat
	return edge && m.class.words && !m.class.wide && 2*x.size <= wordBytes && x.channels == 1 && !x.packed() && x.kind.Num().IsInt()
}

// neighbours returns the color of an element, and of the element at the first coordinate next, which is the same or follows
// it. The word that it loads begins at the element, or before it at the end of the image.
func (e *emitter) neighbours(c *call, p *[3]place, next *ssa.Value) (t, u color) {
	m, x := c.m, &c.format
	bit := e.int(int32(8 * x.size))
	at := p[0].at
	before, last := (*ssa.Value)(nil), e.dim(m, 0).last
	for d := 1; d < len(c.coords); d++ {
		row := e.op(ssa.OpMul, p[d].at, m.params[paramPitch+d-1])
		last = e.op(ssa.OpAdd, last, e.op(ssa.OpMul, e.dim(m, d).last, m.params[paramPitch+d-1]))
		if before != nil {
			row = e.op(ssa.OpAdd, before, row)
		}
		before = row
	}
	if before != nil {
		at, next = e.op(ssa.OpAdd, before, at), e.op(ssa.OpAdd, before, next)
	}
	from := e.op(ssa.OpMin, at, e.op(ssa.OpSub, last, e.int(int32(wordBytes/x.size-1))))
	off := e.convert(from, ssa.I64, false, 0)
	if x.size > 1 {
		off = e.op(ssa.OpShl, off, e.constant(ssa.TI64, uint64(bits.TrailingZeros(uint(x.size)))))
	}
	word := e.value(ssa.OpLoad, ssa.Scalar(ssa.U32), e.value(ssa.OpPtrAdd, m.params[paramData].Type, m.params[paramData], off))
	word.Aux = int64(x.size)
	one := func(at *ssa.Value) color {
		by := e.bits(e.op(ssa.OpMul, e.op(ssa.OpSub, at, from), bit), ssa.U32)
		v := e.bits(e.op(ssa.OpShr, word, by), ssa.I32)
		return e.color(c, [4]*ssa.Value{e.decode(x, 0, e.field(v, 0, uint(8*x.size), x.kind.Num().Signed()))}, nil)
	}
	return one(at), one(next)
}

// address returns the address of an element inside of the image, and whether it is the requested one (nil: always).
func (e *emitter) address(c *call, p *[3]place) (ptr, ok *ssa.Value) {
	m := c.m
	n := len(c.coords)
	place := func(d int) *ssa.Value {
		if m.class.wide {
			return e.convert(p[d].at, ssa.I64, false, 0)
		}
		return p[d].at
	}
	at := place(0)
	for d := 1; d < n; d++ {
		at = e.op(ssa.OpAdd, e.op(ssa.OpMul, place(d), m.params[paramPitch+d-1]), at)
	}
	for d := n - 1; d >= 0; d-- {
		ok = e.and(ok, p[d].ok)
	}
	off := at
	if !m.class.wide {
		off = e.convert(at, ssa.I64, false, 0)
	}
	switch size := c.format.size; {
	case c.format.apart():
		off = e.op(ssa.OpMul, off, e.constant(ssa.TI64, uint64(size)))
	case size > 1:
		off = e.op(ssa.OpShl, off, e.constant(ssa.TI64, uint64(bits.TrailingZeros(uint(size)))))
	}
	return e.value(ssa.OpPtrAdd, m.params[paramData].Type, m.params[paramData], off), ok
}

// unsampled expands a read without a sampler, or a write. For coordinates outside of the image the original call
// remains, which reports them.
func (e *emitter) unsampled(c *call) {
	v := c.v
	var ok *ssa.Value
	var p [3]place
	for d, x := range c.coords {
		p[d].at = x
		ok = e.and(ok, e.inside(x, c.m.params[paramSize+d]))
	}
	in, out, join := e.f.NewBlock(""), e.f.NewBlock(""), e.f.NewBlock("")
	e.b.Branch(ok, in, out)
	e.b.B = in
	ptr, _ := e.address(c, &p)
	var read *ssa.Value
	if c.color == nil {
		read = e.result(c, e.load(c, ptr, nil))
	} else {
		e.store(c, ptr)
	}
	e.b.Jump(join)
	e.b.B = out
	if c.color != nil {
		out.Append(v)
		e.b.Jump(join)
		e.b.B = join
		return
	}
	w := e.b.Aux(v.Op, v.Type, v.Aux, v.Args...)
	w.Flags, w.Aux = v.Flags, v.Aux
	e.b.Jump(join)
	e.b.B = join
	v.BecomeCopy(e.value(ssa.OpPhi, v.Type, read, w))
	join.Append(v)
}

// result converts a color to the function's result.
func (e *emitter) result(c *call, x color) *ssa.Value {
	if c.vector != nil {
		return c.vector
	}
	for k := range x[:c.parts] {
		if c.kind == ssa.F16 {
			x[k] = e.convert(x[k], ssa.F16, false, numeric.RTE)
		} else {
			x[k] = e.bits(x[k], c.kind)
		}
	}
	if c.parts == 1 {
		return x[0]
	}
	return e.value(ssa.OpVec, ssa.Vec(c.kind, c.parts), x[:]...)
}
