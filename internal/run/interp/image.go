package interp

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/image"
)

// The runtime functions of images. Package image says what they do; here are the
// columns, the memory objects and what the observers are told.

var imageQueries = map[string]image.Property{
	ssa.RuntimeImageWidth:        image.Width,
	ssa.RuntimeImageHeight:       image.Height,
	ssa.RuntimeImageDepth:        image.DepthSize,
	ssa.RuntimeImageArraySize:    image.ArraySize,
	ssa.RuntimeImageChannelType:  image.ChannelType,
	ssa.RuntimeImageChannelOrder: image.ChannelOrder,
}

// An ImageCall is a call of a runtime function that reads or writes an image.
type ImageCall struct {
	name   string
	coords int
	float  bool        // the coordinates are
	kind   ssa.Kind    // of the color's components: F32, F16, I32 or U32
	class  image.Class // what formats they fit
	parts  int         // components: 4, or 1 of a depth image
}

// ImageArgs are a work-item's arguments of an ImageCall, bits that stand in memory.
type ImageArgs struct {
	Sampler uint64
	X       [3]uint32 // coordinates, as many as the image has
	Color   [4]uint32 // what is written, or what was read
}

// isImageFunction reports whether there is such a runtime function here.
func isImageFunction(name string) bool {
	_, query := ImageQuery(name)
	return query || name == ssa.RuntimeImageRead || name == ssa.RuntimeImageSample || name == ssa.RuntimeImageWrite
}

// image lowers a runtime function of images.
func (l *lowerer) image(v *ssa.Value, uniform bool) {
	name := v.Sym.(string)
	if q, ok := ImageQuery(name); ok {
		if len(v.Args) != 1 || v.Args[0].Type.K != ssa.Handle || v.Type != ssa.TI32 {
			l.c.fail(l.f, v.Pos, "a bad call of %s", name)
		}
		l.use(v, v.Args[0], uniform)
		in := l.newInst(v, kImageQuery, uniform)
		in.imm = uint64(q)
		in.a = l.form(l.comps[v.Args[0].ID][0], uniform)
		in.d = l.newReg(4, uniform)
		l.comps[v.ID] = []reg{in.d}
		l.emit(in)
		return
	}
	call := NewImageCall(v)
	if call == nil {
		l.c.fail(l.f, v.Pos, "a bad call of %s", name)
	}
	kind := accRead
	if name == ssa.RuntimeImageWrite {
		kind = accWrite
	}
	in := l.newInst(v, kImage, false)
	in.keep, in.ext = true, call
	in.effect = kind == accWrite
	in.mem = &access{base: noReg, index: noReg, note: call.Access(), kind: kind}
	for _, a := range v.Args {
		l.use(v, a, false)
		for _, r := range l.comps[a.ID] {
			in.src = append(in.src, l.vary(r))
		}
	}
	if v.Type.K != ssa.Void {
		l.comps[v.ID] = l.fresh(v.Type, false)
		in.dst = append(in.dst, l.comps[v.ID]...)
	}
	l.granule(1, 1)
	l.emit(in)
}

// NewImageCall returns the call that v is, nil if its types are not such a function's.
func NewImageCall(v *ssa.Value) *ImageCall {
	name, _ := v.Sym.(string)
	color, args := v.Type, v.Args
	at := 1
	switch name {
	case ssa.RuntimeImageRead:
	case ssa.RuntimeImageSample:
		at = 2
	case ssa.RuntimeImageWrite:
		if len(args) != 3 || v.Type.K != ssa.Void {
			return nil
		}
		color, args = args[2].Type, args[:2]
	default:
		return nil
	}
	if len(args) != at+1 || args[0].Type.K != ssa.Handle || args[at-1].Type.K != ssa.Handle {
		return nil
	}
	x := args[at].Type
	call := &ImageCall{name: name, coords: int(x.N), float: x.K == ssa.F32, kind: color.K, parts: int(color.N)}
	if x.K != ssa.I32 && !(x.K == ssa.F32 && at == 2) || call.parts != 1 && call.parts != 4 {
		return nil
	}
	switch color.K {
	case ssa.F32, ssa.F16:
	case ssa.I32:
		call.class = image.IntClass
	case ssa.U32:
		call.class = image.UintClass
	default:
		return nil
	}
	return call
}

// Samples reports whether the call has a sampler.
func (call *ImageCall) Samples() bool { return call.name == ssa.RuntimeImageSample }

// Coords returns the number of coordinates that the call has.
func (call *ImageCall) Coords() int { return call.coords }

// ComponentSize returns the bytes of a component of the color.
func (call *ImageCall) ComponentSize() int { return call.kind.Num().Size() }

// Access is what a report calls the access.
func (call *ImageCall) Access() string {
	if call.name == ssa.RuntimeImageWrite {
		return "image write"
	}
	return "image read"
}

// Fits reports whether the function is one for the image's format. A function of another kind
// reads and writes the channels' bits.
func (call *ImageCall) Fits(m *image.Image) bool { return m.Format.Class() == call.class }

// Do does the call for one work-item. If that is not allowed, it reports the kind of the
// finding, the bytes accessed and a note, and a read gives 0. touch, where it is not nil,
// is told the elements that are accessed, which may lie outside.
func (call *ImageCall) Do(m *image.Image, readOnly bool, a *ImageArgs, touch func(p [3]int32)) (bad FindingKind, size uint64, note string, ok bool) {
	write := call.name == ssa.RuntimeImageWrite
	color := a.Color
	a.Color = [4]uint32{}
	if touch == nil {
		touch = func([3]int32) {}
	}
	p := [3]int32{int32(a.X[0]), int32(a.X[1]), int32(a.X[2])}
	size = uint64(m.ElementSize())
	if call.name != ssa.RuntimeImageSample {
		if _, ok := m.Offset(p); !ok {
			return OutOfBounds, size, elementName(p, m.Coords()) + " of the " + m.String(), false
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
	case call.name == ssa.RuntimeImageRead:
		touch(p)
		call.read(m, p, &a.Color)
	default:
		call.sample(m, a, touch)
	}
	return 0, 0, "", true
}

// DoAll does the call for work-items side by side, all with the same image and sampler. It
// reports false, and does nothing, where Do must say what is wrong or where they are too
// unlike for haste; refuse is told the work-items of which the same holds, before any
// color is written.
func (call *ImageCall) DoAll(m *image.Image, readOnly bool, sampler uint64, c *image.Calls, refuse func(i int)) bool {
	if call.kind == ssa.F16 || call.parts != 4 || call.coords < m.Coords() {
		return false
	}
	if !call.Fits(m) {
		m = m.Raw()
	}
	if call.name == ssa.RuntimeImageSample {
		if call.float {
			m.SampleFloat(image.Sampler(sampler), c)
		} else {
			m.SampleInt(image.Sampler(sampler), c)
		}
		return true
	}
	write := call.name == ssa.RuntimeImageWrite
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

// read gives the color of an element, the border's where there is none.
func (call *ImageCall) read(m *image.Image, p [3]int32, color *[4]uint32) {
	if m.Format.Class() != image.FloatClass {
		*color, _ = m.ReadInt(p)
		return
	}
	c, _ := m.ReadFloat(p)
	call.floats(color, &c)
}

func (call *ImageCall) sample(m *image.Image, a *ImageArgs, touch func(p [3]int32)) {
	sampler := image.Sampler(a.Sampler)
	if !call.float {
		p := m.At(sampler, [3]int32{int32(a.X[0]), int32(a.X[1]), int32(a.X[2])})
		touch(p)
		call.read(m, p, &a.Color)
		return
	}
	x := [3]float32{math.Float32frombits(a.X[0]), math.Float32frombits(a.X[1]), math.Float32frombits(a.X[2])}
	if m.Format.Class() != image.FloatClass { // filters are for floating-point colors
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

// floats puts a color into the result: float32 values, or halfs.
func (call *ImageCall) floats(d *[4]uint32, c *[4]float32) {
	for k, x := range c {
		d[k] = math.Float32bits(x)
		if call.kind == ssa.F16 {
			d[k] = uint32(numeric.HalfFromFloat32(x, numeric.RTE))
		}
	}
}

// ImageQuery returns the property of an image that the runtime function of that name asks for.
func ImageQuery(name string) (p image.Property, ok bool) {
	p, ok = imageQueries[name]
	return p, ok
}

// QueryImage returns the property of an image that a runtime function asks for.
func QueryImage(name string, m *image.Image) uint32 { return m.Query(imageQueries[name]) }

// image returns the object of an image, nil if the handle's bits name none.
func (x *worker) image(handle uint64) *object {
	if o := x.object(handle >> ssa.ObjectShift); o.desc.Image != nil {
		return o
	}
	return nil
}

func kImageQuery(v *view, in *inst) {
	for _, s := range v.act {
		d := at[uint32](v, in.d, s)
		for i, h := range at[uint64](v, in.a, s) {
			d[i] = 0
			if o := v.x.image(h); o != nil {
				d[i] = o.desc.Image.Query(image.Property(in.imm))
			}
		}
	}
}

// elementName spells coordinates: "element (3, 4)".
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

// touchElement tells the race observer of an element that exists.
func (v *view) touchElement(in *inst, s span, i int, o *object, p [3]int32) {
	if o.readOnly {
		return
	}
	m := o.desc.Image
	if off, ok := m.Offset(p); ok {
		v.x.touch(v, in, v.lane(s, i), o, uint64(off), uint64(m.ElementSize()), in.mem.kind)
	}
}

// word32 returns element i of a column of components of so many bytes.
func word32(v *view, u int32, s span, i, size int) uint32 {
	if size == 2 {
		return uint32(at[uint16](v, u, s)[i])
	}
	return at[uint32](v, u, s)[i]
}

// kImage reads or writes elements of images: in.src are the columns of the image, the
// sampler (of a sample), the coordinates and, of a write, the color.
func kImage(v *view, in *inst) {
	call := in.ext.(*ImageCall)
	size := call.ComponentSize()
	for _, s := range v.act {
		for i, h := range at[uint64](v, in.src[0], s) {
			var a ImageArgs
			src := in.src[1:]
			if call.Samples() {
				a.Sampler = at[uint64](v, src[0], s)[i]
				src = src[1:]
			}
			for k := range min(call.Coords(), 3) {
				a.X[k] = at[uint32](v, src[k], s)[i]
			}
			for k, u := range src[call.Coords():] {
				a.Color[k] = word32(v, u, s, i, size)
			}
			if o := v.x.image(h); o == nil {
				v.x.report(WildPointer, in, v.lane(s, i), nil, 0, 0)
				a.Color = [4]uint32{}
			} else {
				var touch func(p [3]int32)
				if v.x.run.watchRaces {
					touch = func(p [3]int32) { v.touchElement(in, s, i, o, p) }
				}
				if v.x.p.Checks >= ChecksAll && !call.Fits(o.desc.Image) {
					if f := v.x.report(ImageFormat, in, v.lane(s, i), o, 0, 0); f != nil {
						f.Note = o.desc.Image.Format.String()
					}
				}
				if bad, n, note, ok := call.Do(o.desc.Image, o.readOnly, &a, touch); !ok {
					if f := v.x.report(bad, in, v.lane(s, i), o, 0, n); f != nil {
						f.Note = note
					}
				}
			}
			for k, u := range in.dst {
				if size == 2 {
					at[uint16](v, u, s)[i] = uint16(a.Color[k])
				} else {
					at[uint32](v, u, s)[i] = a.Color[k]
				}
			}
		}
	}
}
