package image

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
)

// The reference implementation is a transcription of "Image Addressing and Filtering" (OpenCL C, 8) in float64.

// taps returns the elements along a coordinate and the weight of the second.
func taps(s opencl.Sampler, x float64, n int) (i0, i1 int, a float64) {
	size := float64(n)
	u := x
	if s.Normalized() {
		u = x * size
	}
	mode := s.Addressing()
	switch mode {
	case opencl.SamplerRepeat:
		u = (x - math.Floor(x)) * size
	case opencl.SamplerMirroredRepeat:
		u = math.Abs(x-2*math.RoundToEven(0.5*x)) * size
	}
	clamp := func(i int) int {
		switch mode {
		case opencl.SamplerClamp:
			return min(max(i, -1), n)
		case opencl.SamplerClampToEdge:
			return min(max(i, 0), n-1)
		}
		return i
	}
	if !s.Linear() {
		i := int(math.Floor(u))
		switch mode {
		case opencl.SamplerRepeat:
			if i > n-1 {
				i -= n
			}
		case opencl.SamplerMirroredRepeat:
			i = min(i, n-1)
		default:
			i = clamp(i)
		}
		return i, i, 0
	}
	i0 = int(math.Floor(u - 0.5))
	i1 = i0 + 1
	a = u - 0.5 - math.Floor(u-0.5)
	switch mode {
	case opencl.SamplerRepeat:
		if i0 < 0 {
			i0 += n
		}
		if i1 > n-1 {
			i1 -= n
		}
	case opencl.SamplerMirroredRepeat:
		i0, i1 = max(i0, 0), min(i1, n-1)
	default:
		i0, i1 = clamp(i0), clamp(i1)
	}
	return i0, i1, a
}

// edgy reports whether x is so close to the edge of an element that rounding may select another one.
func edgy(s opencl.Sampler, x float64, n int) bool {
	if s.Normalized() {
		x *= float64(n)
	}
	return math.Abs(x-math.Round(x)) < 1e-3
}

var samplers = func() (list []opencl.Sampler) {
	for _, a := range []opencl.Sampler{opencl.SamplerNone, opencl.SamplerClampToEdge, opencl.SamplerClamp} {
		for _, f := range []opencl.Sampler{opencl.SamplerNearest, opencl.SamplerLinear} {
			list = append(list, a|f, a|f|opencl.NormalizedCoords)
		}
	}
	for _, a := range []opencl.Sampler{opencl.SamplerRepeat, opencl.SamplerMirroredRepeat} {
		list = append(list, a|opencl.SamplerNearest|opencl.NormalizedCoords, a|opencl.SamplerLinear|opencl.NormalizedCoords)
	}
	return list
}()

var shapes = []struct {
	shape opencl.ImageShape
	size  [3]int
}{{opencl.Image1D, [3]int{9, 1, 1}}, {opencl.Image1DArray, [3]int{5, 3, 1}}, {opencl.Image2D, [3]int{7, 5, 1}}, {opencl.Image2DArray, [3]int{4, 3, 5}}, {opencl.Image3D, [3]int{5, 4, 3}}}

// TestSample compares every sampler on every shape with the reference implementation.
func TestSample(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, sh := range shapes {
		for _, f := range []Format{{opencl.OrderRGBA, opencl.FloatChannel}, {opencl.OrderR, opencl.UnormInt16}} {
			row := (sh.size[0] + 2) * f.Size()
			slice := row * sh.size[1]
			if sh.shape == opencl.Image1DArray {
				slice = row
			}
			data := make([]byte, row*sh.size[1]*sh.size[2])
			m, err := New(f, sh.shape, sh.size, row, slice, data)
			if err != nil {
				t.Fatal(err)
			}
			fill(m, r)
			for _, s := range samplers {
				t.Run(fmt.Sprintf("%v/%v/%#x", sh.shape, f.Type, uint32(s)), func(t *testing.T) {
					for range 300 {
						checkSample(t, m, s, r)
					}
				})
			}
		}
	}
}

func fill(m *Image, r *rand.Rand) {
	for z := range m.Size[2] {
		for y := range m.Size[1] {
			for x := range m.Size[0] {
				m.WriteFloat([3]int32{int32(x), int32(y), int32(z)}, [4]float32{r.Float32(), r.Float32(), r.Float32(), r.Float32()})
			}
		}
	}
}

func checkSample(t *testing.T, m *Image, s opencl.Sampler, r *rand.Rand) {
	t.Helper()
	var x [3]float32
	var idx [3][2]int
	var w [3]float64
	inside := true
	dims := m.Shape.Dims()
	for d := range dims {
		n := m.Size[d]
		span := 4.0
		if !s.Normalized() {
			span *= float64(n)
		}
		if s.Addressing() == opencl.SamplerNone {
			span /= 4
		}
		x[d] = float32(span * r.Float64())
		if s.Addressing() != opencl.SamplerNone {
			x[d] -= float32(span / 2)
		}
		if edgy(s, float64(x[d]), n) && !s.Linear() {
			return
		}
		idx[d][0], idx[d][1], w[d] = taps(s, float64(x[d]), n)
		for _, i := range idx[d] {
			inside = inside && i >= 0 && i < n
		}
	}
	if s.Addressing() == opencl.SamplerNone && !inside {
		return // undefined
	}
	if m.Shape.Array() {
		n := m.Size[dims]
		x[dims] = float32(r.Float64()*float64(n+4) - 2)
		if f := x[dims] - floor(x[dims]); math.Abs(float64(f-0.5)) < 1e-3 {
			return
		}
		l := min(max(int(math.RoundToEven(float64(x[dims]))), 0), n-1)
		idx[dims] = [2]int{l, l}
	}
	var want [4]float64
	for k := range 1 << dims {
		p, f := [3]int32{int32(idx[0][0]), int32(idx[1][0]), int32(idx[2][0])}, 1.0
		for d := range dims {
			if k>>d&1 != 0 {
				p[d], f = int32(idx[d][1]), f*w[d]
			} else {
				f *= 1 - w[d]
			}
		}
		c, _ := m.ReadFloat(p)
		for i := range want {
			want[i] += f * float64(c[i])
		}
	}
	var from [8][3]int32
	got, _ := m.Sample(s, x, &from)
	for i := range got {
		if math.Abs(float64(got[i])-want[i]) > 1e-4 {
			t.Fatalf("at %v: got %v, want %v", x, got, want)
		}
	}
}

// TestExact checks that unnormalized coordinates without filter select the element without any loss of precision
// ("Precision of Addressing and Filter Modes").
func TestExact(t *testing.T) {
	for _, c := range []struct {
		s    opencl.Sampler
		x    float32
		want int32
	}{
		{opencl.SamplerClampToEdge, 6.9999995, 6}, {opencl.SamplerClampToEdge, 7, 7}, {opencl.SamplerClampToEdge, -1e-30, 0}, {opencl.SamplerClamp, -1e-30, -1}, {opencl.SamplerClamp, 0, 0},
		{opencl.SamplerClamp, 1e30, 100}, {opencl.SamplerClamp, -1e30, -1}, {opencl.SamplerClampToEdge, float32(math.Inf(1)), 99}, {opencl.SamplerNone, 99.99999, 99},
	} {
		if got := nearest(c.s, c.x, 100); got != c.want {
			t.Errorf("sampler %#x at %v: element %d, want %d", uint32(c.s), c.x, got, c.want)
		}
	}
}

// TestWild checks that no bits of a sampler or a coordinate access bytes outside of the memory.
func TestWild(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var from [8][3]int32
	for _, sh := range shapes {
		n := Format{opencl.OrderRGBA, opencl.UnormInt8}.Size()
		slice := sh.size[0] * n
		if sh.shape != opencl.Image1DArray {
			slice *= sh.size[1]
		}
		m, err := New(Format{opencl.OrderRGBA, opencl.UnormInt8}, sh.shape, sh.size, sh.size[0]*n, slice, make([]byte, sh.size[0]*sh.size[1]*sh.size[2]*n))
		if err != nil {
			t.Fatal(err)
		}
		for range 20000 {
			s := opencl.Sampler(r.Uint32())
			var x [3]float32
			var p [3]int32
			for d := range x {
				x[d], p[d] = math.Float32frombits(r.Uint32()), int32(r.Uint32())
			}
			m.Sample(s, x, &from)
			m.ReadFloat(m.Nearest(s, x))
			m.ReadFloat(m.At(s, p))
			if off, ok := m.Offset(p); ok || off < 0 {
				m.WriteFloat(p, [4]float32{})
			}
		}
	}
}

func BenchmarkSample(b *testing.B) {
	const n = 256
	m, err := New(Format{opencl.OrderRGBA, opencl.UnormInt8}, opencl.Image2D, [3]int{n, n, 1}, 4*n, 4*n*n, make([]byte, 4*n*n))
	if err != nil {
		b.Fatal(err)
	}
	var from [8][3]int32
	for name, s := range map[string]opencl.Sampler{"nearest": opencl.SamplerClampToEdge, "linear": opencl.SamplerClampToEdge | opencl.SamplerLinear, "linear repeat": opencl.SamplerRepeat | opencl.SamplerLinear | opencl.NormalizedCoords} {
		b.Run(name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				m.Sample(s, [3]float32{float32(i&255) + 0.3, float32(i>>8&255) + 0.7}, &from)
				i++
			}
		})
	}
}
