package imagecode

import (
	"slices"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/opt"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
)

// A Kernel is a kernel that reads, writes or queries images among its arguments.
type Kernel struct {
	f        *ssa.Func
	images   []int // parameters that are images of image functions
	samplers []int // parameters that are samplers of image functions
	// Words makes linear filters load two neighbours of 1 or 2 bytes as one word, for processors on which the number of
	// loads matters most.
	Words bool
}

// New finds the image functions of a kernel. It returns nil if none of them has an argument of the kernel as its
// image.
func New(f *ssa.Func) *Kernel {
	k := &Kernel{f: f}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if !isImageFunction(v) {
				continue
			}
			if p := v.Args[0].Source(); p.Op == ssa.OpParam {
				k.images = append(k.images, int(p.Aux))
			}
			if v.Op == ssa.OpImageSample {
				if p := v.Args[1].Source(); p.Op == ssa.OpParam {
					k.samplers = append(k.samplers, int(p.Aux))
				}
			}
		}
	}
	if len(k.images) == 0 {
		return nil
	}
	slices.Sort(k.images)
	slices.Sort(k.samplers)
	k.images, k.samplers = slices.Compact(k.images), slices.Compact(k.samplers)
	return k
}

// isImageFunction reports whether v is an operation on an image.
func isImageFunction(v *ssa.Value) bool { return v.Op.Has(ssa.ImageAccess) || v.Op == ssa.OpImageQuery }

// The numbers of maxElements elements fit in 31 bits. A size up to maxSize fits in a float32 together with fractions.
const (
	maxElements = 1 << 31
	maxSize     = 1 << 20
)

// A class is the set of properties of an image that its code depends on.
type class struct {
	format   image.Format
	shape    opencl.ImageShape
	readOnly bool // kernels may not write the image
	sampled  bool // the size allows coordinates in float32
	wide     bool // the numbers of elements take more than 31 bits
	words    bool // the elements are at least a word together, and linear filters may load words
}

// The flags of an image in a key.
const (
	known    = 1 << iota // the image's functions can be expanded
	readOnly             // see class
	sampled
	wide
	words
)

// classBytes is the size of an image in a key, samplerBytes that of a sampler.
const (
	classBytes   = 4
	samplerBytes = 1
)

// object returns the object of a parameter of the launch.
func object(env *exec.Env, param int) *exec.Object {
	if n := env.Params[param][0] >> ssa.ObjectShift; n < uint64(len(env.Objects)) {
		return &env.Objects[n]
	}
	return nil
}

// AppendKey appends the properties of a launch on which the copy's code depends.
func (k *Kernel) AppendKey(key []byte, env *exec.Env) []byte {
	for _, p := range k.images {
		o := object(env, p)
		if o == nil || o.Image == nil || !addressable(o.Image) || len(o.Data) == 0 || &o.Data[0] != &o.Image.Data[0] || !complete(o) {
			key = append(key, 0, 0, 0, 0)
			continue
		}
		m, flags := o.Image, byte(known)
		if o.ReadOnly || o.Space == ssa.PtrConstant {
			flags |= readOnly
		}
		if max(m.Size[0], m.Size[1], m.Size[2]) <= maxSize {
			flags |= sampled
		}
		if isWide(m) {
			flags |= wide
		}
		if k.Words && (lastElement(m)+1)*m.ElementSize() >= wordBytes {
			flags |= words
		}
		key = append(key, flags, byte(m.Format.Order.Number()), byte(m.Format.Type.Number()), byte(m.Shape-opencl.Image2D))
	}
	for _, p := range k.samplers {
		key = append(key, byte(env.Params[p][0]))
	}
	return key
}

// KeyOf returns the key of launches whose images all have format f, or its depth equivalent, and whose sampler
// arguments are s.
func (k *Kernel) KeyOf(f image.Format, s opencl.Sampler) (key []byte) {
	for _, p := range k.images {
		row, f := types.ImageKind(k.f.Kernel.Args[p].Image).Row(), f
		if row.Depth {
			f = image.Format{Order: opencl.OrderDepth, Type: opencl.FloatChannel}
		}
		flags := byte(known | sampled)
		if k.Words {
			flags |= words
		}
		key = append(key, flags, byte(f.Order.Number()), byte(f.Type.Number()), byte(row.Shape-opencl.Image2D))
	}
	for range k.samplers {
		key = append(key, byte(s))
	}
	return key
}

// isWide reports whether the numbers of an image's elements take more than 31 bits.
func isWide(m *image.Image) bool { return len(m.Data)/m.ElementSize() >= maxElements }

// lastElement returns the number of an image's last element.
func lastElement(m *image.Image) int {
	n := m.Size[0] - 1
	for d := 1; d < m.Coords(); d++ {
		n += (m.Size[d] - 1) * m.Pitch[d] / m.ElementSize()
	}
	return n
}

// complete reports whether an object has all elements of its image, and at least one.
func complete(o *exec.Object) bool {
	m := o.Image
	return min(m.Size[0], m.Size[1], m.Size[2]) > 0 && min(m.Pitch[1], m.Pitch[2]) >= 0 && (lastElement(m)+1)*m.ElementSize() <= len(o.Data)
}

// addressable reports whether the offset of each element is a multiple of its size.
func addressable(m *image.Image) bool {
	n := m.ElementSize()
	for d := 1; d < m.Coords(); d++ {
		if m.Pitch[d]%n != 0 {
			return false
		}
	}
	return true
}

// The parameters of an image in a copy, after those of the kernel.
const (
	paramData  = iota // address of its bytes
	paramSize         // along each of three coordinates
	paramPitch = 4    // distance in elements between rows, and between slices or images
	numParams  = 6
)

// paramNames are the suffixes of the parameters' names in listings, after the argument's name.
var paramNames = [numParams]string{"data", "size 0", "size 1", "size 2", "row pitch", "slice pitch"}

// addParams adds the parameters of the image argument p of the kernel g. The pitches of a wide image have 64 bits.
func addParams(g *ssa.Func, p int, wide bool) (params [numParams]*ssa.Value) {
	for i, name := range paramNames {
		a := ssa.KernelArg{Name: g.Kernel.Args[p].Name + "'s " + name, Kind: ssa.ArgValue, Type: ssa.TI32, TypeName: "int", Size: 4, Align: 4}
		t := a.Type
		if i == paramData {
			a.Kind, a.Type, a.TypeName, a.Size, a.Align = ssa.ArgGlobal, ssa.Type{}, "char*", 1, 1
			a.Pixels = true
			t = ssa.Scalar(ssa.PtrGlobal)
		}
		if wide && i >= paramPitch {
			t, a.Type, a.TypeName, a.Size, a.Align = ssa.TI64, ssa.TI64, "long", 8, 8
		}
		v := g.NewValue(ssa.OpParam, t, 0)
		v.Aux = int64(len(g.Params))
		g.Blocks[0].InsertAt(len(g.Params), v)
		g.Params = append(g.Params, v)
		g.Kernel.Args = append(g.Kernel.Args, a)
		params[i] = v
	}
	return params
}

// AppendParams appends the additional parameters of a copy.
func (k *Kernel) AppendParams(params [][]uint64, env *exec.Env) [][]uint64 {
	room := make([]uint64, numParams*len(k.images))
	for _, p := range k.images {
		x := room[:numParams]
		room = room[numParams:]
		if o := object(env, p); o != nil && o.Image != nil {
			m := o.Image
			n := max(m.ElementSize(), 1)
			x[paramData] = env.Params[p][0]
			for d, size := range m.Size {
				x[paramSize+d] = uint64(uint32(size))
			}
			for d := range 2 {
				pitch := uint64(m.Pitch[d+1] / n)
				if !isWide(m) {
					pitch = uint64(uint32(pitch))
				}
				x[paramPitch+d] = pitch
			}
		}
		for i := range x {
			params = append(params, x[i:i+1])
		}
	}
	return params
}

// maxValues bounds the values of a copy; further calls are not expanded.
const maxValues = 20_000

// Func returns the copy for a key. If verify is set, it is verified after each pass.
func (k *Kernel) Func(key []byte, verify bool) (*ssa.Func, error) {
	f := k.f
	about := *f.Kernel
	about.Args = slices.Clip(about.Args)
	g := &ssa.Func{Name: f.Name, Result: f.Result, Kernel: &about, Module: f.Module, Pos: f.Pos, Attrs: f.Attrs}
	clone := ssa.Cloner{Dst: g}
	g.Params = slices.Clone(clone.Clone(f, nil)[0].Values[:len(f.Params)])
	e := &emitter{f: g, images: map[int]*imageParams{}, samplers: map[int]opencl.Sampler{}, consts: map[constant]*ssa.Value{}}
	for _, p := range k.images {
		x := &imageParams{}
		if key[0]&known != 0 {
			x.class = &class{image.Format{Order: opencl.OrderR + opencl.ChannelOrder(key[1]), Type: opencl.SnormInt8 + opencl.ChannelType(key[2])},
				opencl.Image2D + opencl.ImageShape(key[3]), key[0]&readOnly != 0, key[0]&sampled != 0, key[0]&wide != 0, key[0]&words != 0}
		}
		x.params = addParams(g, p, key[0]&wide != 0)
		key = key[classBytes:]
		e.images[p] = x
	}
	for _, p := range k.samplers {
		e.samplers[p] = opencl.Sampler(key[0])
		key = key[samplerBytes:]
	}
	e.run()
	return g, opt.Reoptimise(g, verify)
}
