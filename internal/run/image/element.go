package image

import (
	"encoding/binary"
	"math"
	"sync"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// These functions convert between a stored element and its color (OpenCL C, "Conversion Rules", 8.3 to 8.6). The
// color of a FloatClass format is four float32, that of others four 32-bit integers as raw bits.

// unorm8Values are the normalized values of UnormInt8.
var unorm8Values = func() (t [256]float32) {
	for i := range t {
		t[i] = float32(i) / 255
	}
	return t
}()

// linearized returns the linear values of the 256 stored sRGB values.
var linearized = sync.OnceValue(func() *[256]float32 {
	t := new([256]float32)
	for i := range t {
		c := float64(i) / 255
		if c <= 0.04045 {
			t[i] = float32(c / 12.92)
		} else {
			t[i] = float32(math.Pow((c+0.055)/1.055, 2.4))
		}
	}
	return t
})

// encodeSRGB returns the sRGB value, 0 to 255, of a linear one.
func encodeSRGB(y float32) uint8 {
	c := float64(y)
	switch {
	case !(c > 0): // NaN too
		return 0
	case c > 1:
		return 255
	case c < 0.0031308:
		c *= 12.92
	default:
		c = 1.055*math.Pow(c, 1/2.4) - 0.055
	}
	return uint8(math.RoundToEven(c * 255))
}

// channel decodes one channel of an unpacked FloatClass type.
func channel(t opencl.ChannelType, p []byte) float32 {
	switch t {
	case opencl.UnormInt8:
		return unorm8Values[p[0]]
	case opencl.FloatChannel:
		return math.Float32frombits(binary.LittleEndian.Uint32(p))
	case opencl.HalfFloat:
		return numeric.Half(binary.LittleEndian.Uint16(p)).Float32()
	case opencl.UnormInt16:
		return float32(binary.LittleEndian.Uint16(p)) / 65535
	case opencl.SnormInt8:
		return max(float32(int8(p[0]))/127, -1)
	case opencl.SnormInt16:
		return max(float32(int16(binary.LittleEndian.Uint16(p)))/32767, -1)
	}
	return 0
}

// loadFloat returns the color of the element at an offset, for FloatClass formats.
func (m *Image) loadFloat(off int) (c [4]float32) {
	p := m.Data[off : off+m.elem]
	if m.Format == (Format{opencl.OrderRGBA, opencl.UnormInt8}) { // the most frequent format
		return [4]float32{unorm8Values[p[0]], unorm8Values[p[1]], unorm8Values[p[2]], unorm8Values[p[3]]}
	}
	var v [4]float32
	switch {
	case m.typ.bits[0] != 0:
		x := uint32(0)
		for i, b := range p {
			x |= uint32(b) << (8 * i)
		}
		for k := range m.chans {
			if n := m.typ.bits[k]; n > 0 {
				limit := uint32(1)<<n - 1
				v[k] = float32(x>>m.typ.shift[k]&limit) / float32(limit)
			}
		}
	case m.srgb != nil:
		for k, b := range p {
			v[k] = m.srgb[b]
		}
		if k := m.info.at[3]; k >= 0 {
			v[k] = unorm8Values[p[k]]
		}
	default:
		for k := range m.chans {
			v[k] = channel(m.Format.Type, p[k*m.size:])
		}
	}
	for i, k := range m.info.at {
		switch k {
		case zero:
		case one:
			c[i] = 1
		default:
			c[i] = v[k]
		}
	}
	return c
}

// loadInt returns the color of the element at an offset, for IntClass and UintClass.
func (m *Image) loadInt(off int) (c [4]uint32) {
	p := m.Data[off : off+m.elem]
	for i, k := range m.info.at {
		switch k {
		case zero:
		case one:
			c[i] = 1
		default:
			q := p[int(k)*m.size:]
			switch m.Format.Type {
			case opencl.SignedInt8:
				c[i] = uint32(int32(int8(q[0])))
			case opencl.UnsignedInt8:
				c[i] = uint32(q[0])
			case opencl.SignedInt16:
				c[i] = uint32(int32(int16(binary.LittleEndian.Uint16(q))))
			case opencl.UnsignedInt16:
				c[i] = uint32(binary.LittleEndian.Uint16(q))
			default:
				c[i] = binary.LittleEndian.Uint32(q)
			}
		}
	}
	return c
}

// normalize converts f * scale to an integer in [lo, hi], to nearest even; NaN gives 0.
func normalize(f, scale, lo, hi float32) int32 {
	x := float32(f * scale)
	if x != x {
		return 0
	}
	return int32(math.RoundToEven(float64(min(max(x, lo), hi))))
}

// storeFloat stores a color at an offset, for FloatClass formats.
func (m *Image) storeFloat(off int, c [4]float32) {
	p := m.Data[off : off+m.elem]
	if m.Format == (Format{opencl.OrderRGBA, opencl.UnormInt8}) {
		p = p[:4]
		for k := range p {
			p[k] = uint8(normalize(c[k], 255, 0, 255))
		}
		return
	}
	if m.typ.bits[0] != 0 {
		x := uint32(0)
		for k := range m.chans {
			if n := m.typ.bits[k]; n > 0 {
				limit := float32(uint32(1)<<n - 1)
				if i := m.holds[k]; i >= 0 {
					x |= uint32(normalize(c[i], limit, 0, limit)) << m.typ.shift[k]
				}
			}
		}
		for i := range p {
			p[i] = byte(x >> (8 * i))
		}
		return
	}
	for k := range m.chans {
		i := m.holds[k]
		f := float32(0)
		if i >= 0 {
			f = c[i]
		}
		q := p[k*m.size:]
		switch m.Format.Type {
		case opencl.UnormInt8:
			if m.srgb != nil && i < 3 {
				q[0] = encodeSRGB(f)
			} else {
				q[0] = uint8(normalize(f, 255, 0, 255))
			}
		case opencl.UnormInt16:
			binary.LittleEndian.PutUint16(q, uint16(normalize(f, 65535, 0, 65535)))
		case opencl.SnormInt8:
			q[0] = uint8(normalize(f, 127, -128, 127))
		case opencl.SnormInt16:
			binary.LittleEndian.PutUint16(q, uint16(normalize(f, 32767, -32768, 32767)))
		case opencl.HalfFloat:
			binary.LittleEndian.PutUint16(q, uint16(numeric.HalfFromFloat32(f, numeric.RTE)))
		default:
			binary.LittleEndian.PutUint32(q, math.Float32bits(f))
		}
	}
}

// storeInt stores a color of integers, signed or unsigned by the format, at an offset. Values saturate.
func (m *Image) storeInt(off int, c [4]uint32) {
	p := m.Data[off : off+m.elem]
	for k := range m.chans {
		x := uint32(0)
		if i := m.holds[k]; i >= 0 {
			x = c[i]
		}
		q := p[k*m.size:]
		switch m.Format.Type {
		case opencl.SignedInt8:
			q[0] = uint8(min(max(int32(x), -128), 127))
		case opencl.UnsignedInt8:
			q[0] = uint8(min(x, 255))
		case opencl.SignedInt16:
			binary.LittleEndian.PutUint16(q, uint16(min(max(int32(x), -32768), 32767)))
		case opencl.UnsignedInt16:
			binary.LittleEndian.PutUint16(q, uint16(min(x, 65535)))
		default:
			binary.LittleEndian.PutUint32(q, x)
		}
	}
}

// Border returns the border color, for FloatClass formats.
func (m *Image) Border() (c [4]float32) {
	if m.info.opaque {
		c[3] = 1
	}
	return c
}

// BorderInt returns the border color of other formats.
func (m *Image) BorderInt() (c [4]uint32) {
	if m.info.opaque {
		c[3] = 1
	}
	return c
}
