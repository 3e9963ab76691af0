package image

import (
	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// These methods implement the built-in read and write functions. Coordinates beyond those of the shape are ignored.

// ReadFloat returns the color of the element at p, of a FloatClass format. If it does not exist, ok is false and
// the color is the border's.
func (m *Image) ReadFloat(p [3]int32) (c [4]float32, ok bool) {
	off, ok := m.Offset(p)
	if !ok {
		return m.Border(), false
	}
	return m.loadFloat(off), true
}

// ReadInt returns the color of the element at p, of an IntClass or UintClass format.
func (m *Image) ReadInt(p [3]int32) (c [4]uint32, ok bool) {
	off, ok := m.Offset(p)
	if !ok {
		return m.BorderInt(), false
	}
	return m.loadInt(off), true
}

// WriteFloat stores a color at p, of a FloatClass format. If there is no such element, ok is false and nothing is
// stored.
func (m *Image) WriteFloat(p [3]int32, c [4]float32) (ok bool) {
	off, ok := m.Offset(p)
	if ok {
		m.storeFloat(off, c)
	}
	return ok
}

// WriteInt stores a color at p, of an IntClass or UintClass format.
func (m *Image) WriteInt(p [3]int32, c [4]uint32) (ok bool) {
	off, ok := m.Offset(p)
	if ok {
		m.storeInt(off, c)
	}
	return ok
}

// Encode returns the bytes of an element of a FloatClass format with the color c.
func Encode(f Format, c [4]float32) []byte {
	m := element(f)
	m.storeFloat(0, c)
	return m.Data
}

// EncodeInt returns the bytes of an element of an IntClass or UintClass format with the color c.
func EncodeInt(f Format, c [4]uint32) []byte {
	m := element(f)
	m.storeInt(0, c)
	return m.Data
}

// element returns an image of one element.
func element(f Format) *Image {
	n := f.Size()
	m, err := New(f, opencl.Image1D, [3]int{1, 1, 1}, n, n, make([]byte, n))
	if err != nil {
		panic(err) // callers have checked the format
	}
	return m
}

// At returns the element that a sampler selects with integer coordinates. They are unnormalized, whatever the
// sampler's bits, and are not repeated: samplers with these properties are undefined for integer coordinates.
func (m *Image) At(s opencl.Sampler, p [3]int32) [3]int32 {
	for d := range m.Shape.Dims() {
		p[d] = address(s, p[d], m.Size[d])
	}
	if m.Shape.Array() {
		d := m.coord - 1
		p[d] = min(max(p[d], 0), int32(m.Size[d]-1))
	}
	return p
}

// Nearest returns the element that a sampler without filter selects.
func (m *Image) Nearest(s opencl.Sampler, x [3]float32) (p [3]int32) {
	for d := range m.Shape.Dims() {
		p[d] = nearest(s, x[d], m.Size[d])
	}
	if m.Shape.Array() {
		d := m.coord - 1
		p[d] = layer(x[d], m.Size[d])
	}
	return p
}

// Sample returns the color that a sampler gives at the coordinates x, of a FloatClass format, and the 1 to 8
// elements that contribute to it. Elements outside of the image contribute the border color.
func (m *Image) Sample(s opencl.Sampler, x [3]float32, from *[8][3]int32) (c [4]float32, n int) {
	if !s.Linear() {
		from[0] = m.Nearest(s, x)
		c, _ = m.ReadFloat(from[0])
		return c, 1
	}
	var lo, hi [3]int32
	var w [3]float32
	dims := m.Shape.Dims()
	for d := range dims {
		lo[d], hi[d], w[d] = linear(s, x[d], m.Size[d])
	}
	if m.Shape.Array() {
		d := m.coord - 1
		lo[d] = layer(x[d], m.Size[d])
	}
	n = 1 << dims
	for i := range n {
		p, f := lo, float32(1)
		for d := range dims {
			if i>>d&1 != 0 {
				p[d] = hi[d]
				f = numeric.Mul(f, w[d])
			} else {
				f = numeric.Mul(f, numeric.Sub(1, w[d]))
			}
		}
		t, _ := m.ReadFloat(p)
		from[i] = p
		for k := range c {
			c[k] = numeric.Add(c[k], numeric.Mul(f, t[k]))
		}
	}
	return c, n
}
