package vec

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/run/launch"
)

func bytesOf[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}

// modes are all suffixes of a conversion to a D.
func modes[D Number]() (list [][]Mode) {
	for _, sat := range []bool{false, true} {
		if sat && kindOf[D]().IsFloat() {
			continue
		}
		for _, r := range []Mode{0, RTE, RTZ, RTP, RTN} {
			var m []Mode
			if r != 0 {
				m = append(m, r)
			}
			if sat {
				m = append(m, Sat)
			}
			list = append(list, m)
		}
	}
	return list
}

// want returns the bits of the conversion by package numeric, one element at a time.
func want[D, S Number](t *testing.T, src []S, m []Mode) []D {
	t.Helper()
	c := numeric.Conversion{Dst: kindOf[D](), Src: kindOf[S](), Sat: slices.Contains(m, Sat)}
	for _, r := range m {
		if r != Sat {
			c.Round = map[Mode]numeric.Round{RTE: numeric.RTE, RTZ: numeric.RTZ, RTP: numeric.RTP, RTN: numeric.RTN}[r]
		}
	}
	out := make([]D, len(src))
	sb, db := bytesOf(src), bytesOf(out)
	for i := range src {
		var x uint64
		for j := c.Src.Size() - 1; j >= 0; j-- {
			x = x<<8 | uint64(sb[i*c.Src.Size()+j])
		}
		x = c.Bits(x)
		for j := range c.Dst.Size() {
			db[i*c.Dst.Size()+j] = byte(x >> (8 * j))
		}
	}
	return out
}

// values returns n values: random bits, and numbers near the boundaries of all kinds.
func values[S Number](n int) []S {
	r := rand.New(rand.NewPCG(1, uint64(kindOf[S]())))
	out := make([]S, n)
	b := bytesOf(out)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	edges := make([]float64, 0, 256)
	for _, bits := range []int{7, 8, 10, 11, 15, 16, 24, 31, 32, 53, 63, 64} {
		for _, d := range []float64{-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2} {
			x := float64(uint64(1)<<(bits/2))*float64(uint64(1)<<(bits-bits/2)) + d
			edges = append(edges, x, -x)
		}
	}
	for i, x := range want[S](&testing.T{}, edges, nil) {
		out[i*7%n] = x
	}
	return out
}

func checkPair[D, S Number](t *testing.T) {
	src := values[S](leastLaunch + 300)
	for _, m := range modes[D]() {
		w := want[D](t, src, m)
		bad := func(form string, i int, got any) {
			t.Helper()
			t.Errorf("convert_%s%v(%s %v), %s: %v, numeric: %v", kindOf[D]().CName(), m, kindOf[S]().CName(), src[i], form, got, w[i])
		}
		same := func(form string, got []D, at int) {
			if g := bytesOf(got); !bytes.Equal(g, bytesOf(w[at:at+len(got)])) {
				bad(form, at, got)
			}
		}
		for i := 0; i < 512; i += 16 {
			same("scalar", []D{Convert[D](src[i], m...)}, i)
			a, b, c := Convert2[D](Vec2[S](src[i:]), m...), Convert3[D](Vec3[S](src[i:]), m...), Convert4[D](Vec4[S](src[i:]), m...)
			d, e := Convert8[D](Vec8[S](src[i:]), m...), Convert16[D](Vec16[S](src[i:]), m...)
			same("2", a[:], i)
			same("3", b[:3], i)
			same("4", c[:], i)
			same("8", d[:], i)
			same("16", e[:], i)
		}
		got := make([]D, len(src))
		for _, n := range []int{0, 1, 100, leastLaunch - 1, len(src)} {
			clear(got)
			ConvertSlice(got[:n], src[:n], m...)
			same("slice", got[:n], 0)
			if !bytes.Equal(bytesOf(got[n:]), make([]byte, len(bytesOf(got[n:])))) {
				t.Errorf("ConvertSlice writes behind its %d elements", n)
			}
		}
		c := conversion(kindOf[D](), kindOf[S](), m)
		if k := makeKernel(c); c.Dst != c.Src && k != nil {
			n := len(src) &^ (group - 1)
			if !run(k, n, c, bytesOf(got), bytesOf(src)) {
				t.Fatal("the kernel does not run")
			}
			same("engine", got[:n], 0)
		} else if _, err := machineCode(); err == nil && c.Dst != c.Src {
			t.Errorf("no machine code for %s%v of %s", kindOf[D]().CName(), m, kindOf[S]().CName())
		}
	}
}

func machineCode() (*launch.Kernel, error) {
	k := makeKernel(numeric.Conversion{Dst: numeric.I32, Src: numeric.I8})
	if k == nil {
		return nil, launch.ErrNoKernel
	}
	return k, nil
}

func checkFrom[S Number](t *testing.T) {
	t.Run(kindOf[S]().CName(), func(t *testing.T) {
		t.Parallel()
		checkPair[int8, S](t)
		checkPair[uint8, S](t)
		checkPair[int16, S](t)
		checkPair[uint16, S](t)
		checkPair[int32, S](t)
		checkPair[uint32, S](t)
		checkPair[int64, S](t)
		checkPair[uint64, S](t)
		checkPair[Half, S](t)
		checkPair[float32, S](t)
		checkPair[float64, S](t)
	})
}

// TestConvertAllPairs compares every conversion, in every form, with package numeric.
func TestConvertAllPairs(t *testing.T) {
	checkFrom[int8](t)
	checkFrom[uint8](t)
	checkFrom[int16](t)
	checkFrom[uint16](t)
	checkFrom[int32](t)
	checkFrom[uint32](t)
	checkFrom[int64](t)
	checkFrom[uint64](t)
	checkFrom[Half](t)
	checkFrom[float32](t)
	checkFrom[float64](t)
}

func TestConvertSliceOfVectors(t *testing.T) {
	src := []Float3{{1.5, 300, -2, 7}, {2.5, 0, 1, 9}}
	dst := make([]Uchar3, 2)
	ConvertSlice(dst, src, Sat, RTE)
	if !dst[0].Equal(Uchar3{2, 255, 0}) || !dst[1].Equal(Uchar3{2, 0, 1}) {
		t.Errorf("%v", dst)
	}
	mustPanic(t, "3 components to elements of 4", func() { ConvertSlice(make([]Uchar4, 2), src) })
	mustPanic(t, "2 elements to 1", func() { ConvertSlice(dst[:1], src) })
}

func mustPanic(t *testing.T, text string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if s, _ := recover().(string); !strings.Contains(s, text) {
			t.Errorf("panic %q, want %q", s, text)
		}
	}()
	f()
}

// BenchmarkConvertSlice converts slices that are larger than all caches. "copies" is the best time divided by that
// of a goroutine that copies the same number of bytes; both alternate.
func BenchmarkConvertSlice(b *testing.B) {
	const n = 16 << 20
	bench[uint8, float32](b, n, "float_uchar_sat_rte", Sat, RTE)
	bench[float32, uint8](b, n, "uchar_float")
	bench[int16, float32](b, n, "float_short_sat_rte", Sat, RTE)
	bench[float32, Half](b, n, "half_float")
	bench[Half, float32](b, n, "float_half_rte", RTE)
	bench[int32, float32](b, n, "float_int")
	bench[float32, float64](b, n, "double_float")
	bench[float64, int64](b, n, "long_double")
}

func bench[D, S Number](b *testing.B, n int, name string, m ...Mode) {
	b.Run(name, func(b *testing.B) {
		src, dst := make([]S, n), make([]D, n)
		for i := range src {
			src[i] = Convert[S](int32(i % 251))
		}
		moved := int64(n) * int64(unsafe.Sizeof(src[0])+unsafe.Sizeof(dst[0]))
		from, to := make([]byte, moved/2), make([]byte, moved/2)
		for i := range from {
			from[i] = byte(i)
		}
		ConvertSlice(dst, src, m...)
		copy(to, from)
		converted, copied := time.Duration(1<<62), time.Duration(1<<62)
		for b.Loop() {
			start := time.Now()
			ConvertSlice(dst, src, m...)
			half := time.Now()
			copy(to, from)
			converted, copied = min(converted, half.Sub(start)), min(copied, time.Since(half))
		}
		b.ReportMetric(float64(converted)/float64(copied), "copies")
		b.ReportMetric(float64(moved)/float64(converted.Nanoseconds()), "GB/s")
		b.ReportMetric(0, "ns/op") // the time of both together
	})
}
