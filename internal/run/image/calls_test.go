package image

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
)

// TestCalls compares Calls with the functions for one work-item, which other tests compare with the specification.
func TestCalls(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	shapes := map[opencl.ImageShape][3]int{opencl.Image1D: {9, 1, 1}, opencl.Image1DBuffer: {5, 1, 1}, opencl.Image1DArray: {4, 3, 1}, opencl.Image2D: {6, 5, 1}, opencl.Image2DArray: {3, 4, 2}, opencl.Image3D: {4, 3, 2}}
	for _, f := range allFormats() {
		for shape, size := range shapes {
			row := f.Size()*size[0] + 8
			slice := row * size[1]
			if shape == opencl.Image1DArray {
				slice = row
			}
			data := make([]byte, row*size[1]*size[2])
			m, err := New(f, shape, size, row, slice, data)
			if err != nil {
				t.Fatal(err)
			}
			for i := range data {
				data[i] = byte(r.Uint32())
			}
			for range 4 {
				checkCalls(t, m, r)
			}
		}
	}
}

// randomCalls returns calls with coordinates inside, around and far outside of the image.
func randomCalls(m *Image, r *rand.Rand, float bool) *Calls {
	c := &Calls{Active: r.Uint64() | r.Uint64()}
	if r.IntN(2) == 0 {
		c.Active = 1<<16 - 1
	}
	for d := range 3 {
		c.X[d] = make([]uint32, MaxCalls)
		for i := range c.X[d] {
			x := uint32(int32(r.IntN(m.Size[d]+2) - 1))
			if float {
				x = math.Float32bits(float32(int32(x)) + r.Float32())
			}
			if r.IntN(20) == 0 {
				x = r.Uint32()
			}
			c.X[d][i] = x
		}
	}
	for k := range c.Color {
		c.Color[k] = make([]uint32, MaxCalls)
		for i := range c.Color[k] {
			switch r.IntN(3) {
			case 0:
				c.Color[k][i] = math.Float32bits(r.Float32()*1.2 - 0.1)
			case 1:
				c.Color[k][i] = math.Float32bits(float32(2*r.IntN(256)+1) / 510) // a tie of UnormInt8
			default:
				c.Color[k][i] = r.Uint32()
			}
		}
	}
	return c
}

func checkCalls(t *testing.T, m *Image, r *rand.Rand) {
	t.Helper()
	s := opencl.Sampler(r.IntN(64))
	// one is the result of work-item i by the functions for one work-item: the color, and whether the element
	// exists.
	type result struct {
		color [4]uint32
		ok    bool
	}
	asBits := func(c [4]float32) (v [4]uint32) {
		for k := range c {
			v[k] = math.Float32bits(c[k])
		}
		return v
	}
	read := func(p [3]int32) (v result) {
		if m.Format.Class() != FloatClass {
			v.color, v.ok = m.ReadInt(p)
			return v
		}
		var c [4]float32
		c, v.ok = m.ReadFloat(p)
		v.color = asBits(c)
		return v
	}
	ints := func(c *Calls, i int) [3]int32 { return [3]int32{int32(c.X[0][i]), int32(c.X[1][i]), int32(c.X[2][i])} }
	floats := func(c *Calls, i int) [3]float32 {
		return [3]float32{math.Float32frombits(c.X[0][i]), math.Float32frombits(c.X[1][i]), math.Float32frombits(c.X[2][i])}
	}
	compare := func(what string, c *Calls, want func(i int) result) {
		t.Helper()
		before := [4][]uint32{}
		for k := range before {
			before[k] = append([]uint32(nil), c.Color[k]...)
		}
		wants := [MaxCalls]result{}
		for i := range wants {
			if wants[i] = (result{ok: true}); c.Active>>i&1 != 0 {
				wants[i] = want(i)
			}
		}
		outside := uint64(0)
		switch what {
		case "read":
			outside = m.Outside(c)
			m.Read(c)
		case "int":
			m.SampleInt(s, c)
		case "float":
			m.SampleFloat(s, c)
		}
		for i, w := range wants {
			if what == "read" && outside>>i&1 != 0 == w.ok {
				t.Fatalf("%v: read at %v: outside is %v", m, ints(c, i), w.ok)
			}
			for k := range 4 {
				got := c.Color[k][i]
				if c.Active>>i&1 == 0 || what == "read" && !w.ok { // the caller handles it
					w.color[k] = before[k][i]
				}
				if got != w.color[k] && !(m.Format.Class() == FloatClass && same(math.Float32frombits(got), math.Float32frombits(w.color[k]))) {
					t.Fatalf("%v: %s with sampler %#x at %v, component %d is %#x, want %#x", m, what, s, ints(c, i), k, got, w.color[k])
				}
			}
		}
	}
	c := randomCalls(m, r, false)
	compare("read", c, func(i int) result { return read(ints(c, i)) })
	c = randomCalls(m, r, false)
	compare("int", c, func(i int) result { return read(m.At(s, ints(c, i))) })
	c = randomCalls(m, r, true)
	compare("float", c, func(i int) (v result) {
		if m.Format.Class() != FloatClass {
			return read(m.Nearest(s, floats(c, i)))
		}
		var from [8][3]int32
		color, _ := m.Sample(s, floats(c, i), &from)
		return result{asBits(color), true}
	})

	c = randomCalls(m, r, false)
	data := slices.Clone(m.Data)
	m.Outside(c)
	m.Write(c)
	got := m.Data
	m.Data = data
	for i := range MaxCalls {
		v := [4]uint32{c.Color[0][i], c.Color[1][i], c.Color[2][i], c.Color[3][i]}
		switch {
		case c.Active>>i&1 == 0:
		case m.Format.Class() != FloatClass:
			m.WriteInt(ints(c, i), v)
		default:
			var f [4]float32
			for k := range f {
				f[k] = math.Float32frombits(v[k])
			}
			m.WriteFloat(ints(c, i), f)
		}
	}
	if !slices.Equal(got, m.Data) {
		t.Fatalf("%v: written %x, want %x", m, got, m.Data)
	}
	m.Data = got
}

func BenchmarkCalls(b *testing.B) {
	const n = 256
	for _, f := range []Format{{opencl.OrderRGBA, opencl.UnormInt8}, {opencl.OrderRGBA, opencl.FloatChannel}, {opencl.OrderR, opencl.UnsignedInt8}, {opencl.OrderRGBA, opencl.HalfFloat}} {
		m, err := New(f, opencl.Image2D, [3]int{n, n, 1}, 16*n, 16*n*n, make([]byte, 16*n*n))
		if err != nil {
			b.Fatal(err)
		}
		c := &Calls{Active: 1<<16 - 1}
		for d := range 2 {
			c.X[d] = make([]uint32, 16)
			for i := range c.X[d] {
				c.X[d][i] = uint32(i)
			}
		}
		for k := range c.Color {
			c.Color[k] = make([]uint32, 16)
		}
		b.Run("sample "+f.String(), func(b *testing.B) {
			for b.Loop() {
				m.SampleInt(opencl.SamplerClampToEdge, c)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/16, "ns/element")
		})
		if f.Class() == FloatClass {
			var x [3][16]uint32
			for d := range 2 {
				for i := range x[d] {
					x[d][i] = math.Float32bits(float32(i) + 0.3)
				}
			}
			b.Run("filter "+f.String(), func(b *testing.B) {
				l := *c
				l.X = [3][]uint32{x[0][:], x[1][:]}
				for b.Loop() {
					m.SampleFloat(opencl.SamplerClampToEdge|opencl.SamplerLinear, &l)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/16, "ns/element")
			})
		}
		b.Run("write "+f.String(), func(b *testing.B) {
			for b.Loop() {
				m.Outside(c)
				m.Write(c)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/16, "ns/element")
		})
	}
}
