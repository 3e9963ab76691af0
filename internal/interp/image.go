package interp

import (
	"math"
	"strconv"
	"unsafe"

	"github.com/purecl/purecl/internal/image"
	"github.com/purecl/purecl/internal/numeric"
	"github.com/purecl/purecl/internal/ssa"
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

// An imageCall is a read or a write of an image: in.src are the columns of the image,
// the sampler (of a sample), the coordinates and, of a write, the color.
type imageCall struct {
	coords int
	float  bool        // the coordinates are
	kind   ssa.Kind    // of the color's components: F32, F16, I32 or U32
	class  image.Class // what formats they fit
	parts  int         // components: 4, or 1 of a depth image
}

// isImageFunction reports whether there is such a runtime function here.
func isImageFunction(name string) bool {
	_, query := imageQueries[name]
	return query || name == ssa.RuntimeImageRead || name == ssa.RuntimeImageSample || name == ssa.RuntimeImageWrite
}

// image lowers a runtime function of images.
func (l *lowerer) image(v *ssa.Value, uniform bool) {
	name := v.Sym.(string)
	if q, ok := imageQueries[name]; ok {
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
	call := l.imageCall(v, name)
	run, note := kImageRead, "image read"
	kind := accRead
	switch name {
	case ssa.RuntimeImageSample:
		run = kImageSample
	case ssa.RuntimeImageWrite:
		run, note, kind = kImageWrite, "image write", accWrite
	}
	in := l.newInst(v, run, false)
	in.keep, in.ext = true, call
	in.effect = kind == accWrite
	in.mem = &access{base: noReg, index: noReg, note: note, kind: kind}
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

// imageCall checks the types of a call.
func (l *lowerer) imageCall(v *ssa.Value, name string) *imageCall {
	color, args := v.Type, v.Args
	bad := func() { l.c.fail(l.f, v.Pos, "a bad call of %s", name) }
	if name == ssa.RuntimeImageWrite {
		if len(args) != 3 || v.Type.K != ssa.Void {
			bad()
		}
		color, args = args[2].Type, args[:2]
	}
	at := 1
	if name == ssa.RuntimeImageSample {
		at = 2
	}
	if len(args) != at+1 || args[0].Type.K != ssa.Handle || args[at-1].Type.K != ssa.Handle {
		bad()
	}
	x := args[at].Type
	call := &imageCall{coords: int(x.N), float: x.K == ssa.F32, kind: color.K, parts: int(color.N)}
	switch {
	case x.K != ssa.I32 && !(x.K == ssa.F32 && at == 2), call.parts != 1 && call.parts != 4:
		bad()
	}
	switch color.K {
	case ssa.F32, ssa.F16:
	case ssa.I32:
		call.class = image.IntClass
	case ssa.U32:
		call.class = image.UintClass
	default:
		bad()
	}
	return call
}

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

// operands are the columns of a call for a span.
type operands struct {
	image   []uint64
	sampler []uint64
	x       [3][]uint32 // bits of the coordinates, as many as the call has, up to 3
	color   []int32     // columns of the color
}

func (call *imageCall) operands(v *view, in *inst, s span, sampled bool) (o operands) {
	src := in.src
	o.image, src = at[uint64](v, src[0], s), src[1:]
	if sampled {
		o.sampler, src = at[uint64](v, src[0], s), src[1:]
	}
	for k := range min(call.coords, 3) {
		o.x[k] = at[uint32](v, src[k], s)
	}
	o.color = src[call.coords:]
	return o
}

// ints returns the coordinates of lane i.
func (o *operands) ints(i int) (p [3]int32) {
	for k, x := range o.x {
		if x != nil {
			p[k] = int32(x[i])
		}
	}
	return p
}

func (o *operands) floats(i int) (p [3]float32) {
	for k, x := range o.x {
		if x != nil {
			p[k] = math.Float32frombits(x[i])
		}
	}
	return p
}

// target returns the image that lane i of a call names, if its format fits the function;
// if not, that is reported.
func (v *view) target(in *inst, s span, i int, handle uint64) (*object, *image.Image) {
	call := in.ext.(*imageCall)
	o := v.x.image(handle)
	if o == nil {
		v.x.report(WildPointer, in, v.lane(s, i), nil, 0, 0)
		return nil, nil
	}
	m := o.desc.Image
	if m.Format.Class() != call.class {
		if f := v.x.report(ImageFormat, in, v.lane(s, i), o, 0, 0); f != nil {
			f.Note = m.Format.String()
		}
		return nil, nil
	}
	return o, m
}

// outside reports an access to an element that does not exist.
func (v *view) outside(in *inst, s span, i int, o *object, p [3]int32) {
	m := o.desc.Image
	if f := v.x.report(OutOfBounds, in, v.lane(s, i), o, 0, uint64(m.ElementSize())); f != nil {
		f.Note = elementName(p, m.Coords()) + " of the " + m.String()
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
	if !v.x.run.watchRaces || o.readOnly {
		return
	}
	m := o.desc.Image
	if off, ok := m.Offset(p); ok {
		v.x.touch(v, in, v.lane(s, i), o, uint64(off), uint64(m.ElementSize()), in.mem.kind)
	}
}

// put gives lane i of the results a color: float32 values, or integers as they are.
func (call *imageCall) put(v *view, in *inst, s span, i int, c *[4]uint32) {
	for k, u := range in.dst[:call.parts] {
		if call.kind == ssa.F16 {
			at[uint16](v, u, s)[i] = uint16(numeric.HalfFromFloat32(math.Float32frombits(c[k]), numeric.RTE))
		} else {
			at[uint32](v, u, s)[i] = c[k]
		}
	}
}

func floatBits(c *[4]float32) *[4]uint32 { return (*[4]uint32)(unsafe.Pointer(c)) }

// kImageRead reads elements at integer coordinates.
func kImageRead(v *view, in *inst) {
	call := in.ext.(*imageCall)
	for _, s := range v.act {
		args := call.operands(v, in, s, false)
		for i, h := range args.image {
			o, m := v.target(in, s, i, h)
			p := args.ints(i)
			if m == nil {
				call.put(v, in, s, i, &[4]uint32{})
				continue
			}
			if _, ok := m.Offset(p); !ok {
				v.outside(in, s, i, o, p)
				call.put(v, in, s, i, &[4]uint32{})
				continue
			}
			call.read(v, in, s, i, o, p)
		}
	}
}

// read gives lane i the color of an element, the border's where there is none.
func (call *imageCall) read(v *view, in *inst, s span, i int, o *object, p [3]int32) {
	m := o.desc.Image
	v.touchElement(in, s, i, o, p)
	if call.class == image.FloatClass {
		c, _ := m.ReadFloat(p)
		call.put(v, in, s, i, floatBits(&c))
		return
	}
	c, _ := m.ReadInt(p)
	call.put(v, in, s, i, &c)
}

// kImageSample reads through a sampler.
func kImageSample(v *view, in *inst) {
	call := in.ext.(*imageCall)
	var from [8][3]int32
	for _, s := range v.act {
		args := call.operands(v, in, s, true)
		for i, h := range args.image {
			o, m := v.target(in, s, i, h)
			if m == nil {
				call.put(v, in, s, i, &[4]uint32{})
				continue
			}
			sampler := image.Sampler(args.sampler[i])
			switch {
			case !call.float:
				call.read(v, in, s, i, o, m.At(sampler, args.ints(i)))
			case call.class != image.FloatClass: // filters are for floating-point colors
				call.read(v, in, s, i, o, m.Nearest(sampler, args.floats(i)))
			default:
				c, n := m.Sample(sampler, args.floats(i), &from)
				for _, p := range from[:n] {
					v.touchElement(in, s, i, o, p)
				}
				call.put(v, in, s, i, floatBits(&c))
			}
		}
	}
}

// kImageWrite writes elements.
func kImageWrite(v *view, in *inst) {
	call := in.ext.(*imageCall)
	for _, s := range v.act {
		args := call.operands(v, in, s, false)
		for i, h := range args.image {
			o, m := v.target(in, s, i, h)
			if m == nil {
				continue
			}
			p := args.ints(i)
			if _, ok := m.Offset(p); !ok {
				v.outside(in, s, i, o, p)
				continue
			}
			if o.readOnly {
				v.x.report(ConstantWrite, in, v.lane(s, i), o, 0, uint64(m.ElementSize()))
				continue
			}
			v.touchElement(in, s, i, o, p)
			var c [4]uint32
			for k, u := range args.color {
				if call.kind == ssa.F16 {
					c[k] = math.Float32bits(numeric.Half(at[uint16](v, u, s)[i]).Float32())
				} else {
					c[k] = at[uint32](v, u, s)[i]
				}
			}
			if call.class == image.FloatClass {
				m.WriteFloat(p, *(*[4]float32)(unsafe.Pointer(&c)))
			} else {
				m.WriteInt(p, c)
			}
		}
	}
}
