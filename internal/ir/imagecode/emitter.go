package imagecode

import (
	"math"
	"slices"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// imageParams are an image's parameters, and the values computed from them at the start of the kernel.
type imageParams struct {
	class  *class // nil: its calls are not expanded
	params [numParams]*ssa.Value
	dims   [3]*dimension
}

// A dimension is the size along a coordinate, n: itself, n-1, and both as float32.
type dimension struct{ n, last, nf, lastf *ssa.Value }

type constant struct {
	t    ssa.Type
	bits uint64
}

// An emitter replaces image calls in a copy of a kernel.
type emitter struct {
	f        *ssa.Func
	images   map[int]*imageParams   // by parameter of the kernel
	samplers map[int]opencl.Sampler // by parameter of the kernel
	b        ssa.Builder
	entry    []*ssa.Value // values for the start of the kernel
	consts   map[constant]*ssa.Value
	made     int                 // number of values created
	computed map[*ssa.Value]bool // see computedWith
}

// run replaces the calls.
func (e *emitter) run() {
	e.b.F = e.f
	e.computed = computedWith(e.f)
	made := e.f.CountValues()
	for _, b := range e.f.Blocks[:len(e.f.Blocks):len(e.f.Blocks)] {
		values, succs := b.Values, slices.Clone(b.Succs)
		if !slices.ContainsFunc(values, isImageFunction) {
			continue
		}
		b.Values = make([]*ssa.Value, 0, len(values)+64)
		b.Succs = nil
		e.b.B = b
		for _, v := range values {
			if made+e.made > maxValues || !isImageFunction(v) || !e.replace(v) {
				e.b.B.Append(v)
			}
		}
		last := e.b.B
		last.Succs = succs
		if last != b {
			for _, s := range succs {
				s.ReplacePred(b, last)
			}
		}
	}
	b := e.f.Blocks[0]
	n := len(e.f.Params)
	rest := append([]*ssa.Value(nil), b.Values[n:]...)
	b.Values = b.Values[:n]
	for _, v := range append(e.entry, rest...) {
		b.Append(v)
	}
	e.f.ResolvePhis()
	e.f.ReplaceCopies()
}

// computedWith returns the reads of images that have other uses than stores. Most computations are faster with components in registers of
// their own, which are taken out of words by shifts.
func computedWith(f *ssa.Func) map[*ssa.Value]bool {
	computed := map[*ssa.Value]bool{}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			for _, a := range v.Args {
				if isImageFunction(a) && v.Op != ssa.OpStore {
					computed[a] = true
				}
			}
		}
	}
	return computed
}

// replace expands the call v. It returns false if the call must stay.
func (e *emitter) replace(v *ssa.Value) bool {
	p := v.Args[0].Source()
	if p.Op != ssa.OpParam {
		return false
	}
	m := e.images[int(p.Aux)]
	if m == nil || m.class == nil {
		return false
	}
	e.b.Pos = v.Pos
	if v.Op == ssa.OpImageQuery {
		v.BecomeCopy(e.query(m, v.Aux))
		e.b.B.Append(v)
		return true
	}
	c := e.newCall(m, v)
	if c == nil {
		return false
	}
	if v.Op == ssa.OpImageSample {
		s, ok := e.sampler(v.Args[1].Source())
		if !ok || c.float && !m.class.sampled {
			return false
		}
		v.BecomeCopy(e.result(c, e.sample(c, s)))
		e.b.B.Append(v)
		return true
	}
	e.unsampled(c)
	return true
}

// Kept lists the calls of a copy that stay host calls, because their format has no code.
func Kept(f *ssa.Func) (list []*ssa.Value) {
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if isImageFunction(v) && !rare(v) {
				list = append(list, v)
			}
		}
	}
	return list
}

// rare reports whether v is in a block that only reports accesses outside of an image.
func rare(v *ssa.Value) bool {
	b := v.Block
	return len(b.Values) == 2 && len(b.Preds) == 1 && b.Preds[0].Term().Op == ssa.OpBranch && b.Preds[0].Succs[1] == b
}

// sampler returns the sampler v if it is known.
func (e *emitter) sampler(v *ssa.Value) (s opencl.Sampler, ok bool) {
	switch v.Op {
	case ssa.OpConst:
		return opencl.Sampler(v.Bits[0]), true
	case ssa.OpParam:
		s, ok = e.samplers[int(v.Aux)]
	}
	return s, ok
}

// query returns a property of an image.
func (e *emitter) query(m *imageParams, property int64) *ssa.Value {
	c := m.class
	size := func(ok bool, d int) *ssa.Value {
		if !ok {
			return e.int(0)
		}
		return m.params[paramSize+d]
	}
	switch property {
	case ssa.ImageWidth:
		return size(true, 0)
	case ssa.ImageHeight:
		return size(c.shape.Dims() >= 2, 1)
	case ssa.ImageDepth:
		return size(c.shape == opencl.Image3D, 2)
	case ssa.ImageArraySize:
		return size(c.shape.Array(), c.shape.Dims())
	case ssa.ImageChannelType:
		return e.int(int32(c.format.Type))
	}
	return e.int(int32(c.format.Order))
}

// A call is an image read or write.
type call struct {
	v      *ssa.Value
	m      *imageParams
	format element // the format as the function accesses it
	kind   ssa.Kind
	parts  int // components of the color: 4, or 1 for a depth
	float  bool
	coords []*ssa.Value
	color  *ssa.Value // of a write
	vector *ssa.Value // the color of a read if it is computed as a vector
}

// newCall analyses a call. It returns nil if the call cannot be expanded.
func (e *emitter) newCall(m *imageParams, v *ssa.Value) *call {
	x := exec.NewImageCall(v)
	write := v.Op == ssa.OpImageWrite
	c := &call{v: v, m: m, kind: v.Type.K, parts: int(v.Type.N)}
	at := v.Args[1]
	if v.Op == ssa.OpImageSample {
		at = v.Args[2]
	}
	if write {
		c.color = v.Args[2]
		c.kind, c.parts = c.color.Type.K, int(c.color.Type.N)
	}
	f := m.class.format
	if x.Class() != f.Class() {
		f = f.Raw()
	}
	c.format = newElement(f)
	c.float = at.Type.K == ssa.F32
	if write && m.class.readOnly || c.kind == ssa.F16 && !c.format.float || x.Coords() < m.coords() {
		return nil
	}
	for d := range m.coords() {
		c.coords = append(c.coords, e.component(at, d, maxChain))
	}
	return c
}

// coords returns the number of coordinates.
func (m *imageParams) coords() int {
	n := m.class.shape.Dims()
	if m.class.shape.Array() {
		n++
	}
	return n
}

// dim returns the size along coordinate d.
func (e *emitter) dim(m *imageParams, d int) *dimension {
	if x := m.dims[d]; x != nil {
		return x
	}
	n := m.params[paramSize+d]
	start := func(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
		v := e.f.NewValue(op, t, 0, args...)
		e.entry = append(e.entry, v)
		return v
	}
	last := start(ssa.OpSub, ssa.TI32, n, e.int(1))
	x := &dimension{n, last, start(ssa.OpConvert, ssa.TF32, n), start(ssa.OpConvert, ssa.TF32, last)}
	m.dims[d] = x
	return x
}

func (e *emitter) value(op ssa.Op, t ssa.Type, args ...*ssa.Value) *ssa.Value {
	e.made++
	return e.b.Value(op, t, args...)
}

// op appends an operation whose result has its first argument's type.
func (e *emitter) op(op ssa.Op, args ...*ssa.Value) *ssa.Value {
	return e.value(op, args[0].Type, args...)
}

func (e *emitter) compare(op ssa.Op, a, b *ssa.Value) *ssa.Value {
	return e.value(op, ssa.TBool, a, b)
}

func (e *emitter) constant(t ssa.Type, bits uint64) *ssa.Value {
	v := e.consts[constant{t, bits}]
	if v == nil {
		v = e.f.NewConst(t, bits)
		e.entry = append(e.entry, v)
		e.consts[constant{t, bits}] = v
	}
	return v
}

func (e *emitter) int(x int32) *ssa.Value { return e.constant(ssa.TI32, uint64(uint32(x))) }

func (e *emitter) number(x float32) *ssa.Value {
	return e.constant(ssa.TF32, uint64(math.Float32bits(x)))
}

func (e *emitter) convert(x *ssa.Value, k ssa.Kind, sat bool, r numeric.Round) *ssa.Value {
	e.made++
	return e.b.Convert(x, k, sat, r)
}

// bits returns x, of 32 bits, as another type.
func (e *emitter) bits(x *ssa.Value, k ssa.Kind) *ssa.Value {
	if x.Type.K == k {
		return x
	}
	return e.value(ssa.OpBitcast, x.Type.With(k), x)
}

// extract returns component i of a vector or scalar.
func (e *emitter) extract(x *ssa.Value, i int) *ssa.Value {
	x = x.Source()
	switch {
	case !x.Type.IsVec():
		return x
	case x.Op == ssa.OpVec:
		return x.Args[i].Source()
	}
	e.made++
	return e.b.Extract(x, i)
}

// maxChain bounds the vector operations through which a coordinate is followed.
const maxChain = 8

// component is extract for coordinates: it repeats elementwise vector operations for the one component, so that
// analyses of indices can follow them.
func (e *emitter) component(x *ssa.Value, i, n int) *ssa.Value {
	x = x.Source()
	if !x.Type.IsVec() {
		return x
	}
	switch x.Op {
	case ssa.OpVec, ssa.OpSplat:
		return x.Args[min(i, len(x.Args)-1)].Source()
	case ssa.OpConst:
		return e.constant(x.Type.Elem(), x.ConstElem(i))
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpMin, ssa.OpMax, ssa.OpShl, ssa.OpShr, ssa.OpAnd, ssa.OpNeg, ssa.OpConvert, ssa.OpFMA:
		if n == 0 || x.Block == nil {
			break
		}
		var args [3]*ssa.Value
		for k, a := range x.Args {
			args[k] = e.component(a, i, n-1)
		}
		v := e.value(x.Op, x.Type.Elem(), args[:len(x.Args)]...)
		v.Flags, v.Aux = x.Flags, x.Aux
		return v
	}
	return e.extract(x, i)
}

// clamp limits an integer to [0, last].
func (e *emitter) clamp(x, last *ssa.Value) *ssa.Value {
	return e.op(ssa.OpMin, e.op(ssa.OpMax, x, e.int(0)), last)
}

// trunc converts a number in range to an integer.
func (e *emitter) trunc(x *ssa.Value) *ssa.Value { return e.convert(x, ssa.I32, false, numeric.RTZ) }

// inside reports whether x is in [0, n).
func (e *emitter) inside(x, n *ssa.Value) *ssa.Value {
	return e.compare(ssa.OpLt, e.bits(x, ssa.U32), e.bits(n, ssa.U32))
}

// and returns whether both hold; nil is true.
func (e *emitter) and(a, b *ssa.Value) *ssa.Value {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return e.op(ssa.OpAnd, a, b)
}
