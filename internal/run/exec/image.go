package exec

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/image"
)

// imageQueries maps the Aux of an ImageQuery.
var imageQueries = [ssa.NumImageQueries]image.Property{
	ssa.ImageWidth:        image.Width,
	ssa.ImageHeight:       image.Height,
	ssa.ImageDepth:        image.DepthSize,
	ssa.ImageArraySize:    image.ArraySize,
	ssa.ImageChannelType:  image.ChannelType,
	ssa.ImageChannelOrder: image.ChannelOrder,
}

// An ImageCall is an operation that reads or writes an image.
type ImageCall struct {
	op     ssa.Op
	coords int
	float  bool        // the coordinates are floating-point
	kind   ssa.Kind    // of the color's components: F32, F16, I32 or U32
	class  image.Class // class of matching formats
	parts  int         // number of components: 4, or 1 for a depth image
}

// ImageArgs are a work-item's arguments of an ImageCall, as bits.
type ImageArgs struct {
	Sampler uint64
	X       [3]uint32 // coordinates, as many as the image has
	Color   [4]uint32 // the color to write, or the color read
}

// NewImageCall returns the call of the operation v.
func NewImageCall(v *ssa.Value) *ImageCall {
	color, at := v.Type, 1
	switch v.Op {
	case ssa.OpImageSample:
		at = 2
	case ssa.OpImageWrite:
		color = v.Args[2].Type
	}
	x := v.Args[at].Type
	call := &ImageCall{op: v.Op, coords: int(x.N), float: x.K == ssa.F32, kind: color.K, parts: int(color.N)}
	switch color.K {
	case ssa.I32:
		call.class = image.IntClass
	case ssa.U32:
		call.class = image.UintClass
	}
	return call
}

// Samples reports whether the call has a sampler.
func (call *ImageCall) Samples() bool { return call.op == ssa.OpImageSample }

// Class returns the class of formats for which the function is defined.
func (call *ImageCall) Class() image.Class { return call.class }

// Coords returns the number of coordinates that the call has.
func (call *ImageCall) Coords() int { return call.coords }

// ComponentSize returns the bytes of a component of the color.
func (call *ImageCall) ComponentSize() int { return call.kind.Num().Size() }

// Access returns the name of the access, as reports show it.
func (call *ImageCall) Access() string {
	if call.op == ssa.OpImageWrite {
		return "image write"
	}
	return "image read"
}

// Fits reports whether the function matches the image's format. Other functions read and write the channels' bits.
func (call *ImageCall) Fits(m *image.Image) bool { return m.Format.Class() == call.class }

// Do executes the call for one work-item. If the call is not allowed, it returns the kind of the finding, the
// number of bytes accessed and a note, and a read returns 0. touch, unless nil, is called for the accessed
// elements, which may be outside the image.
func (call *ImageCall) Do(m *image.Image, readOnly bool, a *ImageArgs, touch func(p [3]int32)) (bad FindingKind, size uint64, note string, ok bool) {
	write := call.op == ssa.OpImageWrite
	color := a.Color
	a.Color = [4]uint32{}
	if touch == nil {
		touch = func([3]int32) {}
	}
	p := [3]int32{int32(a.X[0]), int32(a.X[1]), int32(a.X[2])}
	size = uint64(m.ElementSize())
	if call.op != ssa.OpImageSample {
		if _, ok := m.Offset(p); !ok {
			return OutOfBounds, size, call.Outside(m, p), false
		}
	}
	if !call.Fits(m) {
		m = m.Raw()
	}
	switch {
	case write && readOnly:
		return ConstantWrite, size, "", false
	case write:
		touch(p)
		call.write(m, p, &color)
	case call.op == ssa.OpImageRead:
		touch(p)
		call.read(m, p, &a.Color)
	default:
		call.sample(m, a, touch)
	}
	return 0, 0, "", true
}

// Outside is the note of a finding about an element outside the image.
func (call *ImageCall) Outside(m *image.Image, p [3]int32) string {
	return elementName(p, m.Coords()) + " of the " + m.String()
}

// DoAll executes the call for several work-items with the same image and sampler. It returns false, and does
// nothing, if Do must report a fault or if the fast path does not support the mix of coordinates. It calls refuse
// with the faulting work-items before it writes any color.
func (call *ImageCall) DoAll(m *image.Image, readOnly bool, sampler uint64, c *image.Calls, refuse func(i int)) bool {
	if call.kind == ssa.F16 || call.parts != 4 || call.coords < m.Coords() {
		return false
	}
	if !call.Fits(m) {
		m = m.Raw()
	}
	if call.op == ssa.OpImageSample {
		if call.float {
			m.SampleFloat(opencl.Sampler(sampler), c)
		} else {
			m.SampleInt(opencl.Sampler(sampler), c)
		}
		return true
	}
	write := call.op == ssa.OpImageWrite
	if write && readOnly {
		return false
	}
	for out := m.Outside(c); out != 0; out &= out - 1 {
		refuse(bits.TrailingZeros64(out))
	}
	if write {
		m.Write(c)
	} else {
		m.Read(c)
	}
	return true
}

func (call *ImageCall) write(m *image.Image, p [3]int32, color *[4]uint32) {
	if m.Format.Class() == image.FloatClass {
		if call.kind == ssa.F16 {
			for k := range call.parts {
				color[k] = math.Float32bits(numeric.Half(color[k]).Float32())
			}
		}
		m.WriteFloat(p, [4]float32{math.Float32frombits(color[0]), math.Float32frombits(color[1]), math.Float32frombits(color[2]), math.Float32frombits(color[3])})
	} else {
		m.WriteInt(p, *color)
	}
}

// read returns the color of an element, the border color outside the image.
func (call *ImageCall) read(m *image.Image, p [3]int32, color *[4]uint32) {
	if m.Format.Class() != image.FloatClass {
		*color, _ = m.ReadInt(p)
		return
	}
	c, _ := m.ReadFloat(p)
	call.floats(color, &c)
}

func (call *ImageCall) sample(m *image.Image, a *ImageArgs, touch func(p [3]int32)) {
	sampler := opencl.Sampler(a.Sampler)
	if !call.float {
		p := m.At(sampler, [3]int32{int32(a.X[0]), int32(a.X[1]), int32(a.X[2])})
		touch(p)
		call.read(m, p, &a.Color)
		return
	}
	x := [3]float32{math.Float32frombits(a.X[0]), math.Float32frombits(a.X[1]), math.Float32frombits(a.X[2])}
	if m.Format.Class() != image.FloatClass { // linear filters are for floating-point colors only
		p := m.Nearest(sampler, x)
		touch(p)
		call.read(m, p, &a.Color)
		return
	}
	var from [8][3]int32
	c, n := m.Sample(sampler, x, &from)
	for _, p := range from[:n] {
		touch(p)
	}
	call.floats(&a.Color, &c)
}

// floats stores a color as the result: float32 values, or halfs.
func (call *ImageCall) floats(d *[4]uint32, c *[4]float32) {
	for k, x := range c {
		d[k] = math.Float32bits(x)
		if call.kind == ssa.F16 {
			d[k] = uint32(numeric.HalfFromFloat32(x, numeric.RTE))
		}
	}
}

// ImageQuery returns the property that v, an ImageQuery, queries.
func ImageQuery(v *ssa.Value) image.Property { return imageQueries[v.Aux] }

// QueryImage returns the result of v, an ImageQuery, for an image.
func QueryImage(v *ssa.Value, m *image.Image) uint32 { return m.Query(ImageQuery(v)) }

// elementName formats coordinates: "element (3, 4)".
func elementName(p [3]int32, n int) string {
	b := []byte("element (")
	for d := range n {
		if d > 0 {
			b = append(b, ", "...)
		}
		b = strconv.AppendInt(b, int64(p[d]), 10)
	}
	return string(append(b, ')'))
}
