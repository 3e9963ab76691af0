//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// boundaries returns bits of kind k at which conversions change their behaviour.
func boundaries(k numeric.Kind) (out []uint64) {
	if k.IsFloat() {
		add := func(x float64) {
			b := numeric.ConvertBits(k, false, numeric.RTE, numeric.F64, math.Float64bits(x))
			out = append(out, b, b+1, b-1)
		}
		for _, e := range []int{-24, -14, -1, 0, 1, 7, 8, 10, 11, 15, 16, 23, 24, 31, 32, 52, 53, 63, 64, 65} {
			for _, d := range []float64{0, 0.5, -0.5, 1, -1, 1.5} {
				add(math.Ldexp(1, e) + d)
				add(-math.Ldexp(1, e) + d)
			}
		}
		for _, x := range []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), 65504, 65519, 65520, 5e-324, 1e300, 3.4028235e38, math.MaxFloat64} {
			add(x)
		}
		n := uint(k.Bits())
		quiet := map[numeric.Kind]uint64{numeric.F16: 0x7e00, numeric.F32: 0x7fc00000, numeric.F64: 0x7ff8000000000000}[k]
		out = append(out, quiet, quiet|5, quiet|1<<(n-1), quiet&^(quiet&-quiet)|1, quiet&^(quiet&-quiet)|3|1<<(n-1))
	} else {
		for e := range k.Bits() {
			for _, d := range []uint64{0, 1, ^uint64(0), 1 << max(e-1, 0), 1 << max(e-11, 0), 1 << max(e-24, 0), 1 << max(e-25, 0), 3 << max(e-54, 0)} {
				out = append(out, 1<<e+d, -(1<<e + d))
			}
		}
	}
	for i := range out {
		out[i] &= ^uint64(0) >> (64 - k.Bits())
	}
	return out
}

// conversions makes a kernel that converts vectors of n elements from kind sk to dk in every mode, with and
// without _sat. The result is one array of len(bits) elements per mode. It returns the kernel, its argument,
// and the results by package numeric.
func conversions(sk, dk ssa.Kind, n int, bits []uint64) (m *ssa.Module, src buf, want []byte) {
	ss, ds := sk.Num().Size(), dk.Num().Size()
	put := func(to []byte, b uint64, size int) []byte {
		var w [8]byte
		binary.LittleEndian.PutUint64(w[:], b)
		return append(to, w[:size]...)
	}
	for _, b := range bits {
		src = put(src, b, ss)
	}
	m = &ssa.Module{}
	f := m.NewFunc("k", ssa.TVoid)
	b := ssa.Builder{F: f, B: f.NewBlock("")}
	ptr := ssa.Scalar(ssa.PtrGlobal)
	f.Params = []*ssa.Value{b.Aux(ssa.OpParam, ptr, 0), b.Aux(ssa.OpParam, ptr, 1)}
	f.Kernel = &ssa.Kernel{Args: []ssa.KernelArg{{Kind: ssa.ArgGlobal}, {Kind: ssa.ArgGlobal}}}
	gid := b.Value(ssa.OpBitcast, ssa.TI64, b.Aux(ssa.OpWorkItem, ssa.TU64, int64(ssa.GlobalID), b.Const(ssa.TU32, 0)))
	at := func(p *ssa.Value, size, off int) *ssa.Value {
		o := b.Value(ssa.OpMul, ssa.TI64, gid, b.Const(ssa.TI64, uint64(size)))
		return b.Value(ssa.OpPtrAdd, ptr, b.Value(ssa.OpPtrAdd, ptr, p, o), b.Const(ssa.TI64, uint64(off)))
	}
	x := b.Load(ssa.Type{K: sk, N: uint8(n)}, at(f.Params[0], ss*n, 0), 1)
	for _, sat := range []bool{false, true} {
		if sat && dk.Num().IsFloat() {
			continue
		}
		for r := range numeric.NumRounds {
			b.Store(at(f.Params[1], ds*n, len(want)), b.Convert(x, dk, sat, numeric.Round(r)), 1)
			for _, s := range bits {
				want = put(want, numeric.ConvertBits(dk.Num(), sat, numeric.Round(r), sk.Num(), s), ds)
			}
		}
	}
	b.Return(nil)
	return m, src, want
}

// checkConversions compares conversions on executors with package numeric.
func checkConversions(t *testing.T, sk, dk ssa.Kind, n int, bits []uint64, on []exec.Executor) {
	t.Helper()
	m, src, want := conversions(sk, dk, n, bits)
	ds := dk.Num().Size()
	for _, e := range on {
		got, msg := run(t, m, "k", e, []uint64{uint64(len(bits) / n)}, nil, []any{src, make(buf, len(want))})
		if msg != "" {
			t.Fatal(msg)
		}
		for i := 0; i < len(want); i += ds {
			if string(got[1][i:i+ds]) != string(want[i:i+ds]) {
				k := i / ds
				t.Errorf("%s: convert number %d of %v%d to %v: %#x gives % x, want % x", e.Name(), k/len(bits), sk, n, dk, bits[k%len(bits)], got[1][i:i+ds], want[i:i+ds])
				break
			}
		}
	}
}

var convertKinds = []ssa.Kind{ssa.I8, ssa.U8, ssa.I16, ssa.U16, ssa.I32, ssa.U32, ssa.I64, ssa.U64, ssa.F16, ssa.F32, ssa.F64}

// TestConversions compares every conversion on every level with package numeric.
func TestConversions(t *testing.T) {
	for _, sk := range convertKinds {
		bits := boundaries(sk.Num())
		for _, dk := range convertKinds {
			m, _, _ := conversions(sk, dk, 1, bits)
			var on []exec.Executor
			for _, lv := range levels() {
				if _, err := compileKernel(m.Func("k"), Options{Panics: true, Level: lv}, nil); err != nil {
					t.Errorf("%v to %v %s: %v", sk, dk, lv.Name, err)
					continue
				}
				on = append(on, New(Options{Panics: true, Level: lv}))
			}
			checkConversions(t, sk, dk, 1, bits, on)
		}
	}
}

// TestHalfConversions converts all halfs to every type. It converts to half all 16-bit integers, all halfs, and
// the values at and next to the midpoints of neighbouring halfs. It does so on every level with gangs of every
// width.
func TestHalfConversions(t *testing.T) {
	all := make([]uint64, 1<<16)
	for i := range all {
		all[i] = uint64(i)
	}
	var on []exec.Executor
	for _, lv := range levels() {
		if lv.Base != nil {
			continue
		}
		for lanes := lv.Lanes; lanes <= 4*lv.Lanes; lanes *= 2 {
			on = append(on, New(Options{Panics: true, Level: lv, Lanes: lanes}))
		}
	}
	for _, k := range convertKinds {
		checkConversions(t, ssa.F16, k, 1, all, on)
		checkConversions(t, ssa.F16, k, 4, all, on)
		bits := all[:1<<min(16, k.Num().Bits())]
		if k.Num().Bits() > 16 {
			bits = aroundHalfs(k.Num())
		}
		checkConversions(t, k, ssa.F16, 1, bits, on)
		checkConversions(t, k, ssa.F16, 4, bits, on)
	}
}

// aroundHalfs returns the halfs that kind k can represent, the midpoints between neighbours, and the values
// next to each of them.
func aroundHalfs(k numeric.Kind) (out []uint64) {
	for h := range uint64(0x7c00) {
		a := numeric.Half(h).Float64()
		step := numeric.Half(h+1).Float64() - a
		if h == 0x7bff {
			step = a - numeric.Half(h-1).Float64()
		}
		for _, x := range []float64{a, a + step/2} {
			for _, x := range []float64{x, -x} {
				b := numeric.ConvertBits(k, true, numeric.RTE, numeric.F64, math.Float64bits(x))
				out = append(out, b, b+1, b-1)
			}
		}
	}
	for i := range out {
		out[i] &= ^uint64(0) >> (64 - k.Bits())
	}
	out = append(out, boundaries(k)...)
	return out[:len(out)&^3]
}

// TestConvertIDs: no level needs a host call to convert 64-bit ids and sizes to floating point.
func TestConvertIDs(t *testing.T) {
	m := build(t, `kernel void k(global const int *a, global float *y, global double *z) { size_t i = get_global_id(0); y[i] = get_local_id(0) + (float)get_local_size(0) * i; z[i] = i + (double)get_group_id(0); }
kernel void large(global const int *a, global float *y, global double *z) { size_t i = get_global_id(0), j = i * 0x7ffffff3ul; long k = -(long)j; y[i] = j - (float)k; z[i] = k; }`)
	for _, f := range m.Funcs {
		alike(t, m, f.Name, []shape{line(1), {[]uint64{100}, []uint64{20}}}, make(buf, 4), make(buf, 400), make(buf, 800))
	}
	for _, lv := range levels() {
		c, err := Compile(m.Func("k"), lv)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.base.Ops) != 0 {
			t.Errorf("%s: %d operations need host calls", lv.Name, len(c.base.Ops))
		}
	}
}
