package image

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// MaxCalls is the greatest number of work-items in Calls.
const MaxCalls = 64

// Calls are the calls of one function by several work-items: element i of a column belongs to work-item i. The
// results equal those of the functions for one work-item; format and sampler are evaluated once.
type Calls struct {
	Active uint64      // bit i is set if work-item i takes part
	X      [3][]uint32 // coordinates, as many as the image has: bits of int32 or float32
	Color  [4][]uint32 // the colors to write, or the colors read, as bits; may share memory with X

	p    [3][MaxCalls]uint32 // coordinates that a sampler has chosen
	off  [MaxCalls]int       // offsets of elements
	in   [MaxCalls]uint8     // the active work-items whose element exists, in order
	n    int                 // number of elements of in
	none uint64              // the other active work-items

	filter filtering
}

// locate finds the elements at integer coordinates.
func (m *Image) locate(c *Calls, x [3][]uint32) {
	c.n, c.none = 0, 0
	first := x[0]
	for a := c.Active; a != 0; a &= a - 1 {
		i := bits.TrailingZeros64(a) & (MaxCalls - 1)
		p := int(int32(first[i]))
		off, ok := p*m.Pitch[0], uint(p) < uint(m.Size[0])
		for d := 1; d < m.coord; d++ {
			p := int(int32(x[d][i]))
			ok = ok && uint(p) < uint(m.Size[d])
			off += p * m.Pitch[d]
		}
		if !ok {
			c.none |= 1 << i
			continue
		}
		c.off[i] = off
		c.in[c.n] = uint8(i)
		c.n++
	}
}

// Outside returns the work-items of c whose element does not exist in m. Coordinates are integers, without a
// sampler. [Image.Read] and [Image.Write] skip them.
func (m *Image) Outside(c *Calls) uint64 {
	m.locate(c, c.X)
	return c.none
}

// Read reads the elements that the last call of Outside located.
func (m *Image) Read(c *Calls) {
	c.none = 0
	m.load(c)
}

// Write writes the elements that the last call of Outside located.
func (m *Image) Write(c *Calls) {
	if m.plain {
		for k := range m.chans {
			m.storeChannel(c, k*m.size, c.Color[m.holds[k]])
		}
		return
	}
	for _, i := range c.in[:c.n] {
		v := [4]uint32{c.Color[0][i], c.Color[1][i], c.Color[2][i], c.Color[3][i]}
		if m.typ.class == FloatClass {
			m.storeFloat(c.off[i], [4]float32{math.Float32frombits(v[0]), math.Float32frombits(v[1]), math.Float32frombits(v[2]), math.Float32frombits(v[3])})
		} else {
			m.storeInt(c.off[i], v)
		}
	}
}

// SampleInt samples at integer coordinates.
func (m *Image) SampleInt(s opencl.Sampler, c *Calls) {
	x := c.X
	for d := range m.coord {
		first, last := int32(0), int32(m.Size[d]-1)
		if d < m.Shape.Dims() {
			switch s.Addressing() {
			case opencl.SamplerClampToEdge:
			case opencl.SamplerClamp:
				first, last = -1, last+1
			default:
				continue // unchanged
			}
		}
		p, from := c.p[d][:], x[d]
		for a := c.Active; a != 0; a &= a - 1 {
			i := bits.TrailingZeros64(a) & (MaxCalls - 1)
			p[i] = uint32(min(max(int32(from[i]), first), last))
		}
		x[d] = p
	}
	m.locate(c, x)
	m.load(c)
}

// SampleFloat samples at floating-point coordinates.
func (m *Image) SampleFloat(s opencl.Sampler, c *Calls) {
	if s.Linear() && m.typ.class == FloatClass {
		m.filter(s, c)
		return
	}
	var x [3][]uint32
	for d := range m.coord {
		p := c.p[d][:]
		for a := c.Active; a != 0; a &= a - 1 {
			i := bits.TrailingZeros64(a) & (MaxCalls - 1)
			v := math.Float32frombits(c.X[d][i])
			if d < m.Shape.Dims() {
				p[i] = uint32(nearest(s, v, m.Size[d]))
			} else {
				p[i] = uint32(layer(v, m.Size[d]))
			}
		}
		x[d] = p
	}
	m.locate(c, x)
	m.load(c)
}

// A filtering is the state of a linear filter: for each coordinate the two elements and the weight of the second,
// and the colors of one corner and of the sum.
type filtering struct {
	at     [2][3][MaxCalls]uint32
	weight [3][MaxCalls]float32
	color  [4][MaxCalls]uint32
	sum    [4][MaxCalls]float32
}

// filter samples with a linear filter: one corner after the other, as [Image.Sample] does.
func (m *Image) filter(s opencl.Sampler, c *Calls) {
	f := &c.filter
	dims := m.Shape.Dims()
	for d := range m.coord {
		lo, hi, weight := &f.at[0][d], &f.at[1][d], &f.weight[d]
		for a := c.Active; a != 0; a &= a - 1 {
			i := bits.TrailingZeros64(a) & (MaxCalls - 1)
			x := math.Float32frombits(c.X[d][i])
			if d < dims {
				p, q, w := linear(s, x, m.Size[d])
				lo[i], hi[i], weight[i] = uint32(p), uint32(q), w
			} else {
				lo[i] = uint32(layer(x, m.Size[d]))
			}
		}
	}
	result := c.Color
	for k := range c.Color {
		c.Color[k] = f.color[k][:]
	}
	f.sum = [4][MaxCalls]float32{}
	for corner := range 1 << dims {
		var x [3][]uint32
		for d := range m.coord {
			x[d] = f.at[corner>>d&1][d][:] // only the first of an array's images
		}
		m.locate(c, x)
		m.load(c)
		for a := c.Active; a != 0; a &= a - 1 {
			i := bits.TrailingZeros64(a) & (MaxCalls - 1)
			w := float32(1)
			for d := range dims {
				if corner>>d&1 != 0 {
					w = numeric.Mul(w, f.weight[d][i])
				} else {
					w = numeric.Mul(w, numeric.Sub(1, f.weight[d][i]))
				}
			}
			for k := range f.sum {
				f.sum[k][i] = numeric.Add(f.sum[k][i], numeric.Mul(w, math.Float32frombits(f.color[k][i])))
			}
		}
	}
	c.Color = result
	for k := range result {
		for a := c.Active; a != 0; a &= a - 1 {
			i := bits.TrailingZeros64(a) & (MaxCalls - 1)
			result[k][i] = math.Float32bits(f.sum[k][i])
		}
	}
}

// load reads the located elements, and sets the others to the border color.
func (m *Image) load(c *Calls) {
	switch {
	case m.typ.bits[0] != 0:
		for _, i := range c.in[:c.n] {
			for k, v := range m.loadFloat(c.off[i]) {
				c.Color[k][i] = math.Float32bits(v)
			}
		}
	case m.info.at == [4]int8{0, 1, 2, 3} && m.size == 4:
		m.loadWords(c)
	case m.info.at == [4]int8{0, 1, 2, 3} && m.Format.Type == opencl.UnormInt8 && m.srgb == nil:
		m.loadBytes(c)
	default:
		for k, ch := range m.info.at {
			if ch >= 0 {
				m.loadChannel(c, int(ch)*m.size, k, c.Color[k])
			} else {
				v := m.constant(ch)
				for _, i := range c.in[:c.n] {
					c.Color[k][i] = v
				}
			}
		}
	}
	border := [4]uint32{}
	if m.info.opaque {
		border[3] = m.constant(one)
	}
	for a := c.none; a != 0; a &= a - 1 {
		for k, v := range border {
			c.Color[k][bits.TrailingZeros64(a)] = v
		}
	}
}

// loadWords is load for located elements of four 32-bit channels. It is a separate pass, because elements of
// different rows may evict each other from the cache.
func (m *Image) loadWords(c *Calls) {
	r, g, b, a := c.Color[0], c.Color[1], c.Color[2], c.Color[3]
	for _, i := range c.in[:c.n] {
		p := m.Data[c.off[i&(MaxCalls-1)]:][:16]
		r[i], g[i] = binary.LittleEndian.Uint32(p), binary.LittleEndian.Uint32(p[4:])
		b[i], a[i] = binary.LittleEndian.Uint32(p[8:]), binary.LittleEndian.Uint32(p[12:])
	}
}

// loadBytes is loadWords for RGBA, UnormInt8.
func (m *Image) loadBytes(c *Calls) {
	r, g, b, a := c.Color[0], c.Color[1], c.Color[2], c.Color[3]
	for _, i := range c.in[:c.n] {
		p := m.Data[c.off[i&(MaxCalls-1)]:][:4]
		r[i], g[i] = math.Float32bits(unorm8Values[p[0]]), math.Float32bits(unorm8Values[p[1]])
		b[i], a[i] = math.Float32bits(unorm8Values[p[2]]), math.Float32bits(unorm8Values[p[3]])
	}
}

// constant returns the bits of zero or one in the format's class.
func (m *Image) constant(ch int8) uint32 {
	switch {
	case ch == zero:
		return 0
	case m.typ.class == FloatClass:
		return math.Float32bits(1)
	}
	return 1
}

// loadChannel decodes the channel at byte offset at of each element, which is component k of the color. The type
// must not be packed.
func (m *Image) loadChannel(c *Calls, at, k int, color []uint32) {
	data, in := m.Data[at:], c.in[:c.n]
	switch m.Format.Type {
	case opencl.UnormInt8:
		values := &unorm8Values
		if m.srgb != nil && k < 3 {
			values = m.srgb
		}
		for _, i := range in {
			color[i] = math.Float32bits(values[data[c.off[i&(MaxCalls-1)]]])
		}
	case opencl.SignedInt8:
		for _, i := range in {
			color[i] = uint32(int32(int8(data[c.off[i&(MaxCalls-1)]])))
		}
	case opencl.UnsignedInt8:
		for _, i := range in {
			color[i] = uint32(data[c.off[i&(MaxCalls-1)]])
		}
	case opencl.SignedInt16:
		for _, i := range in {
			color[i] = uint32(int32(int16(binary.LittleEndian.Uint16(data[c.off[i&(MaxCalls-1)]:]))))
		}
	case opencl.UnsignedInt16:
		for _, i := range in {
			color[i] = uint32(binary.LittleEndian.Uint16(data[c.off[i&(MaxCalls-1)]:]))
		}
	case opencl.FloatChannel, opencl.SignedInt32, opencl.UnsignedInt32:
		for _, i := range in {
			color[i] = binary.LittleEndian.Uint32(data[c.off[i&(MaxCalls-1)]:])
		}
	default:
		for _, i := range in {
			color[i] = math.Float32bits(channel(m.Format.Type, data[c.off[i&(MaxCalls-1)]:]))
		}
	}
}

// storeChannel encodes the channel at byte offset at of each element. The type must not be packed, colors are
// linear.
func (m *Image) storeChannel(c *Calls, at int, color []uint32) {
	data, in := m.Data[at:], c.in[:c.n]
	switch m.Format.Type {
	case opencl.UnormInt8:
		for _, i := range in {
			data[c.off[i&(MaxCalls-1)]] = uint8(unorm(math.Float32frombits(color[i]), 255))
		}
	case opencl.UnormInt16:
		for _, i := range in {
			binary.LittleEndian.PutUint16(data[c.off[i&(MaxCalls-1)]:], uint16(unorm(math.Float32frombits(color[i]), 65535)))
		}
	case opencl.SnormInt8:
		for _, i := range in {
			data[c.off[i&(MaxCalls-1)]] = uint8(normalize(math.Float32frombits(color[i]), 127, -128, 127))
		}
	case opencl.SnormInt16:
		for _, i := range in {
			binary.LittleEndian.PutUint16(data[c.off[i&(MaxCalls-1)]:], uint16(normalize(math.Float32frombits(color[i]), 32767, -32768, 32767)))
		}
	case opencl.HalfFloat:
		for _, i := range in {
			binary.LittleEndian.PutUint16(data[c.off[i&(MaxCalls-1)]:], uint16(numeric.HalfFromFloat32(math.Float32frombits(color[i]), numeric.RTE)))
		}
	case opencl.SignedInt8:
		for _, i := range in {
			data[c.off[i&(MaxCalls-1)]] = uint8(min(max(int32(color[i]), -128), 127))
		}
	case opencl.UnsignedInt8:
		for _, i := range in {
			data[c.off[i&(MaxCalls-1)]] = uint8(min(color[i], 255))
		}
	case opencl.SignedInt16:
		for _, i := range in {
			binary.LittleEndian.PutUint16(data[c.off[i&(MaxCalls-1)]:], uint16(min(max(int32(color[i]), -32768), 32767)))
		}
	case opencl.UnsignedInt16:
		for _, i := range in {
			binary.LittleEndian.PutUint16(data[c.off[i&(MaxCalls-1)]:], uint16(min(color[i], 65535)))
		}
	default:
		for _, i := range in {
			binary.LittleEndian.PutUint32(data[c.off[i&(MaxCalls-1)]:], color[i])
		}
	}
}

// unorm is normalize(f, limit, 0, limit) for a limit below 1<<22.
func unorm(f, limit float32) uint32 {
	const whole = 1 << 23 // its neighbours are integers: adding it rounds
	x := float32(f * limit)
	switch {
	case !(x > 0): // NaN too
		return 0
	case x >= limit:
		return uint32(limit)
	}
	return math.Float32bits(float32(x+whole)) & (1<<22 - 1)
}
