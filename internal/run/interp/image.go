package interp

import (
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
)

// Operations on images. Package image defines them; this file handles columns, memory objects and the observers.

// image lowers an image query, read or write.
func (l *lowerer) image(v *ssa.Value, uniform bool) {
	if v.Op == ssa.OpImageQuery {
		l.use(v, v.Args[0], uniform)
		in := l.newInst(v, kImageQuery, uniform)
		in.imm = uint64(exec.ImageQuery(v))
		in.a = l.form(l.comps[v.Args[0].ID][0], uniform)
		in.d = l.newReg(4, uniform)
		l.comps[v.ID] = []reg{in.d}
		l.emit(in)
		return
	}
	call := exec.NewImageCall(v)
	kind := accRead
	if v.Op == ssa.OpImageWrite {
		kind = accWrite
	}
	in := l.newInst(v, kImage, false)
	in.keep, in.ext = true, call
	in.effect = kind == accWrite
	in.mem = &access{base: noReg, index: noReg, note: call.Access(), kind: kind}
	in.setColumns(&l.emitter, v)
	l.granule(1, 1)
	l.emit(in)
}

// image returns the object of an image handle, nil if the handle is invalid.
func (x *objects) image(handle uint64) *object {
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

// touchElement reports an existing element to the race observer.
func (v *view) touchElement(in *inst, s span, i int, o *object, p [3]int32) {
	if o.readOnly {
		return
	}
	m := o.desc.Image
	if off, ok := m.Offset(p); ok {
		v.x.touch(v, in, v.lane(s, i), o, uint64(off), uint64(m.ElementSize()), in.mem.kind)
	}
}

// word32 returns element i of a column whose components have size bytes.
func word32(v *view, u int32, s span, i, size int) uint32 {
	if size == 2 {
		return uint32(at[uint16](v, u, s)[i])
	}
	return at[uint32](v, u, s)[i]
}

// kImage reads or writes elements of images. in.src are the columns of the image, of the sampler for a sample, of
// the coordinates, and of the color for a write.
func kImage(v *view, in *inst) {
	call := in.ext.(*exec.ImageCall)
	size := call.ComponentSize()
	for _, s := range v.act {
		for i, h := range at[uint64](v, in.src[0], s) {
			var a exec.ImageArgs
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
				v.x.report(exec.WildPointer, in, v.lane(s, i), nil, 0, 0)
				a.Color = [4]uint32{}
			} else {
				var touch func(p [3]int32)
				if v.x.run.watchRaces {
					touch = func(p [3]int32) { v.touchElement(in, s, i, o, p) }
				}
				if v.x.p.Checks >= exec.ChecksAll && !call.Fits(o.desc.Image) {
					if f := v.x.report(exec.ImageFormat, in, v.lane(s, i), o, 0, 0); f != nil {
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
