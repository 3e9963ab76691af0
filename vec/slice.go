package vec

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/purecl/purecl/internal/cpu/jit"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

// vectors is the set of the vectors of T, for [Data].
type vectors[T Number] interface {
	Vec2[T] | Vec3[T] | Vec4[T] | Vec8[T] | Vec16[T]
}

// Data is the set of OpenCL C's scalar and vector types.
type Data interface {
	Number | vectors[int8] | vectors[uint8] | vectors[int16] | vectors[uint16] | vectors[int32] | vectors[uint32] |
		vectors[int64] | vectors[uint64] | vectors[Half] | vectors[float32] | vectors[float64]
}

// ConvertSlice converts each element of src into the element of dst with the same index, like [Convert] and its
// siblings: scalars to scalars, and vectors to vectors of the same width. It uses vector instructions and, for many
// elements, several processors. It panics if the slices differ in length or the types in their numbers of
// components.
func ConvertSlice[D, S Data](dst []D, src []S, modes ...Mode) {
	dk, dn := shapeOf[D]()
	sk, sn := shapeOf[S]()
	if dn != sn {
		panic(fmt.Sprintf("vec: ConvertSlice from elements of %d components to elements of %d", sn, dn))
	}
	if len(dst) != len(src) {
		panic(fmt.Sprintf("vec: ConvertSlice from %d elements to %d", len(src), len(dst)))
	}
	c := conversion(dk, sk, modes)
	if n := len(src) * slots(sn); n > 0 {
		convertBytes(c, n, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(dst))), n*dk.Size()),
			unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(src))), n*sk.Size()))
	}
}

// shapeOf returns the number format of T's components and their number.
func shapeOf[T Data]() (numeric.Kind, int) {
	switch x := any(*new(T)).(type) {
	case int8:
		return numeric.I8, 1
	case uint8:
		return numeric.U8, 1
	case int16:
		return numeric.I16, 1
	case uint16:
		return numeric.U16, 1
	case int32:
		return numeric.I32, 1
	case uint32:
		return numeric.U32, 1
	case int64:
		return numeric.I64, 1
	case uint64:
		return numeric.U64, 1
	case Half:
		return numeric.F16, 1
	case float32:
		return numeric.F32, 1
	case float64:
		return numeric.F64, 1
	case interface{ shape() (numeric.Kind, int) }:
		return x.shape()
	}
	panic("vec: no data type")
}

func (Vec2[T]) shape() (numeric.Kind, int)  { return kindOf[T](), 2 }
func (Vec3[T]) shape() (numeric.Kind, int)  { return kindOf[T](), 3 }
func (Vec4[T]) shape() (numeric.Kind, int)  { return kindOf[T](), 4 }
func (Vec8[T]) shape() (numeric.Kind, int)  { return kindOf[T](), 8 }
func (Vec16[T]) shape() (numeric.Kind, int) { return kindOf[T](), 16 }

// slots returns the number of components that a vector of n occupies in memory.
func slots(n int) int {
	if n == 3 {
		return 4
	}
	return n
}

const (
	// group is the granularity of a launch: the number of its elements is a multiple of group.
	group = 256
	// leastLaunch is the number of elements from which a launch pays.
	leastLaunch = 2048
	// worthCode is the number of converted elements from which machine code pays: generating it takes about as long
	// as converting that number of elements without it.
	worthCode = 1 << 16
)

// A converter is a conversion's machine code, generated when it pays.
type converter struct {
	seen   atomic.Int64 // elements converted without code
	once   sync.Once
	kernel *launch.Kernel // nil where this machine has no compiler for it
}

var converters [numeric.NumKinds][numeric.NumKinds][2][numeric.NumRounds]atomic.Pointer[converter]

// launches are unused launches, whose memory is reused.
var launches = sync.Pool{New: func() any { return new(conversionLaunch) }}

type conversionLaunch struct {
	launch.Launch
	report   launch.Report
	dst, src launch.Buffer
	global   [1]uint64
	args     [2]launch.Arg
}

// convertBytes converts n elements.
func convertBytes(c numeric.Conversion, n int, dst, src []byte) {
	done := 0
	if c.Dst == c.Src {
		copy(dst, src)
		return
	}
	if n >= leastLaunch {
		if k := kernelOf(c, n); k != nil && run(k, n&^(group-1), c, dst, src) {
			done = n &^ (group - 1)
		}
	}
	c.Apply(dst[done*c.Dst.Size():], src[done*c.Src.Size():])
}

// kernelOf returns the conversion's code, or nil if it has none or generating it does not pay for n more elements.
func kernelOf(c numeric.Conversion, n int) *launch.Kernel {
	sat := 0
	if c.Sat {
		sat = 1
	}
	slot := &converters[c.Dst][c.Src][sat][c.Round]
	v := slot.Load()
	if v == nil {
		slot.CompareAndSwap(nil, new(converter))
		v = slot.Load()
	}
	if v.seen.Load() < worthCode && v.seen.Add(int64(n)) < worthCode {
		return nil
	}
	v.once.Do(func() { v.kernel = makeKernel(c) })
	return v.kernel
}

// makeKernel generates machine code that converts element by element.
func makeKernel(c numeric.Conversion) *launch.Kernel {
	m, err := ssa.ParseText("vec.ConvertSlice", []byte(kernelText(c)))
	if err != nil {
		return nil
	}
	p, err := launch.NewProgram(m, jit.Executor())
	if err != nil {
		return nil
	}
	k, err := p.Kernel("convert")
	if err != nil {
		return nil
	}
	code, err := k.Prepare(0)
	if err != nil || code.Executor() == interp.Reference.Name() {
		return nil
	}
	return k
}

// kernelText returns the kernel of a conversion in the text form of package ssa.
func kernelText(c numeric.Conversion) string {
	op := "convert"
	if c.Sat {
		op += ".sat"
	}
	if r := c.Round.String(); r != "" {
		op += "." + r
	}
	return fmt.Sprintf(`kernel @convert(v0 ptr.global, v1 ptr.global) {
  arg kind=global name="dst" typename="%[1]s*" size=%[3]d align=%[3]d elem=%[1]v
  arg kind=global name="src" typename="%[2]s*" size=%[4]d align=%[4]d elem=%[2]v const
b0 "entry":
  v2 = const u32 0
  v3 = const i64 %[3]d
  v4 = const i64 %[4]d
  v5 = workitem u64 v2 query=global_id
  v6 = convert i64 v5
  v7 = mul i64 v6, v4
  v8 = ptradd ptr.global v1, v7
  v9 = load %[2]v v8 align=%[4]d
  v10 = %[5]s %[1]v v9
  v11 = mul i64 v6, v3
  v12 = ptradd ptr.global v0, v11
  store v12, v10 align=%[3]d
  return
}
`, c.Dst, c.Src, c.Dst.Size(), c.Src.Size(), op)
}

// run converts n elements, a multiple of group, with the kernel.
func run(k *launch.Kernel, n int, c numeric.Conversion, dst, src []byte) bool {
	l := launches.Get().(*conversionLaunch)
	l.dst.Data, l.src.Data = dst[:n*c.Dst.Size()], src[:n*c.Src.Size()]
	l.src.ReadOnly = true
	l.args = [2]launch.Arg{launch.Memory(&l.dst), launch.Memory(&l.src)}
	l.global[0] = uint64(n)
	l.Kernel, l.Args, l.Range = k, l.args[:], launch.Range{Global: l.global[:]}
	_, err := launch.RunTo(context.Background(), &l.Launch, &l.report)
	l.Kernel, l.Args, l.args = nil, nil, [2]launch.Arg{}
	l.dst.Data, l.src.Data, l.report = nil, nil, launch.Report{}
	launches.Put(l)
	return err == nil
}
