package image

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
)

// channelsOf are the components of an order's channels, by its name and "Mapping Image Channels to Color Values"
// (6.15.15.7); x is ignored.
var channelsOf = map[opencl.ChannelOrder]string{opencl.OrderR: "r", opencl.OrderA: "a", opencl.OrderRG: "rg", opencl.OrderRA: "ra", opencl.OrderRGB: "rgb", opencl.OrderRGBA: "rgba", opencl.OrderBGRA: "bgra", opencl.OrderARGB: "argb", opencl.OrderABGR: "abgr",
	opencl.OrderIntensity: "i", opencl.OrderLuminance: "l", opencl.OrderRx: "rx", opencl.OrderRGx: "rgx", opencl.OrderRGBx: "rgbx", opencl.OrderDepth: "r", opencl.OrderSRGB: "rgb", opencl.OrderSRGBx: "rgbx", opencl.OrderSRGBA: "rgba", opencl.OrderSBGRA: "bgra"}

// colorOf returns the color of some channel values, by the specification's table.
func colorOf[T float32 | uint32](o opencl.ChannelOrder, ch []T) (c [4]T) {
	names := channelsOf[o]
	if !strings.Contains(names, "a") && o != opencl.OrderDepth {
		c[3] = 1
	}
	for k, n := range names {
		switch n {
		case 'i':
			c = [4]T{ch[k], ch[k], ch[k], ch[k]}
		case 'l':
			c[0], c[1], c[2] = ch[k], ch[k], ch[k]
		case 'x':
		default:
			c[strings.IndexRune("rgba", n)] = ch[k]
		}
	}
	return c
}

// ratio returns n/d rounded to float32.
func ratio(n, d int64) float32 {
	f, _ := big.NewRat(n, d).Float32()
	return f
}

// packedBits are the widths of packed channels from the most significant used bit down, then the number of unused
// bits above (API, "Image Format Descriptor").
var packedBits = map[opencl.ChannelType][]int{opencl.UnormShort565: {5, 6, 5, 0}, opencl.UnormShort555: {5, 5, 5, 1}, opencl.UnormInt101010: {10, 10, 10, 2}, opencl.UnormInt101010x2: {10, 10, 10, 2, 0}}

// channelValues decodes the channels of an element of a normalized or floating-point type.
func channelValues(f Format, p []byte) (ch []float32) {
	le := binary.LittleEndian
	if w := packedBits[f.Type]; w != nil {
		x, at := uint64(0), 8*len(p)-w[len(w)-1]
		for i, b := range p {
			x |= uint64(b) << (8 * i)
		}
		for _, n := range w[:len(w)-1] {
			at -= n
			ch = append(ch, ratio(int64(x>>at&(1<<n-1)), 1<<n-1))
		}
		return append(ch, 0)
	}
	for i := 0; i < len(p); {
		switch f.Type {
		case opencl.UnormInt8:
			ch = append(ch, ratio(int64(p[i]), 255))
			i++
		case opencl.SnormInt8:
			ch = append(ch, max(-1, ratio(int64(int8(p[i])), 127)))
			i++
		case opencl.UnormInt16:
			ch = append(ch, ratio(int64(le.Uint16(p[i:])), 65535))
			i += 2
		case opencl.SnormInt16:
			ch = append(ch, max(-1, ratio(int64(int16(le.Uint16(p[i:]))), 32767)))
			i += 2
		case opencl.HalfFloat:
			ch = append(ch, float32(halfValue(le.Uint16(p[i:]))))
			i += 2
		case opencl.FloatChannel:
			ch = append(ch, math.Float32frombits(le.Uint32(p[i:])))
			i += 4
		}
	}
	return ch
}

func halfValue(h uint16) float64 {
	m, e := float64(h&1023), int(h>>10&31)
	v := math.Ldexp(m, -24)
	switch {
	case e == 31 && m != 0:
		return math.NaN()
	case e == 31:
		v = math.Inf(1)
	case e > 0:
		v = math.Ldexp(1024+m, e-25)
	}
	if h>>15 != 0 {
		v = -v
	}
	return v
}

func allFormats() (list []Format) {
	for o := opencl.OrderR; o.Known(); o++ {
		for t := opencl.SnormInt8; t.Known(); t++ {
			if f := (Format{o, t}); f.Supported() {
				list = append(list, f)
			}
		}
	}
	return list
}

func same(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// TestLoad decodes every format, with every value of 8-bit channels.
func TestLoad(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, f := range allFormats() {
		n := f.Size()
		m, err := New(f, opencl.Image1D, [3]int{1, 1, 1}, n, n, make([]byte, n))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 600 {
			for k := range m.Data {
				m.Data[k] = byte(r.Uint32())
				if i < 256 {
					m.Data[k] = byte(i + k)
				}
			}
			switch srgb := orderRow(f.Order).srgb; {
			case f.Class() != FloatClass:
				got, _ := m.ReadInt([3]int32{})
				if want := colorOf(f.Order, intChannels(f, m.Data)); got != want {
					t.Fatalf("%v %x: got %x, want %x", f, m.Data, got, want)
				}
			case srgb:
				got, _ := m.ReadFloat([3]int32{})
				checkSRGB(t, f, m.Data, got)
			default:
				got, _ := m.ReadFloat([3]int32{})
				want := colorOf(f.Order, channelValues(f, m.Data))
				for k := range got {
					if !same(got[k], want[k]) {
						t.Fatalf("%v %x: got %v, want %v", f, m.Data, got, want)
					}
				}
			}
		}
	}
}

func intChannels(f Format, p []byte) (ch []uint32) {
	size := len(p) / len(channelsOf[f.Order])
	for i := 0; i < len(p); i += size {
		x := int64(0)
		for k := range size {
			x |= int64(p[i+k]) << (8 * k)
		}
		if f.Class() == IntClass {
			x = x << (64 - 8*size) >> (64 - 8*size)
		}
		ch = append(ch, uint32(x))
	}
	return ch
}

// checkSRGB checks a color against the accuracy that 8.6 requires, |x - 255 c_sRGB(y)| <= 0.5, with a much smaller
// tolerance. Alpha is linear.
func checkSRGB(t *testing.T, f Format, p []byte, c [4]float32) {
	t.Helper()
	ch := make([]float32, len(p))
	for k := range ch {
		ch[k] = float32(p[k])
	}
	want := colorOf(f.Order, ch)
	for k := range 3 {
		y := float64(c[k])
		s := 12.92 * y
		if y >= 0.0031308 {
			s = 1.055*math.Pow(y, 1/2.4) - 0.055
		}
		if math.Abs(255*s-float64(want[k])) > 1e-3 {
			t.Fatalf("%v: stored %v gives %v", f, want[k], y)
		}
	}
	if want[3] != 1 && c[3] != ratio(int64(want[3]), 255) || strings.Contains(channelsOf[f.Order], "x") && c[3] != 1 {
		t.Fatalf("%v: alpha %v gives %v", f, want[3], c[3])
	}
}

// product returns f*scale rounded to float32, then to an integer, ties to even, within limits.
func product(f float32, scale, lo, hi int64) int64 {
	switch {
	case f != f:
		return 0
	case math.IsInf(float64(f), 0) || math.Abs(float64(f)) > 1e30:
		if f < 0 {
			return lo
		}
		return hi
	}
	p := new(big.Float).SetPrec(24).SetMode(big.ToNearestEven).Mul(big.NewFloat(float64(f)), big.NewFloat(float64(scale)))
	x, _ := p.Float64()
	n := math.Floor(x)
	if d := x - n; d > 0.5 || d == 0.5 && math.Mod(n, 2) != 0 {
		n++
	}
	return int64(min(max(n, float64(lo)), float64(hi)))
}

// TestStore encodes colors and compares values with the formulas of 8.3.3; TestLoad tests the positions.
func TestStore(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	values := []float32{0, 1, -1, 0.5, -0.5, 2, -2, 1e-10, 0.00196, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 0.49803925, 1 - 0x1p-24}
	limits := map[opencl.ChannelType][3]int64{opencl.UnormInt8: {255, 0, 255}, opencl.UnormInt16: {65535, 0, 65535}, opencl.SnormInt8: {127, -128, 127}, opencl.SnormInt16: {32767, -32768, 32767}}
	for _, f := range allFormats() {
		for range 300 {
			var c [4]float32
			var bits [4]uint32
			for k := range c {
				c[k] = r.Float32()*3 - 1.5
				if r.IntN(3) == 0 {
					c[k] = values[r.IntN(len(values))]
				}
				if r.IntN(8) == 0 { // near the junction of the sRGB curve's two parts
					c[k] = 0.003 + 0.0013*r.Float32()
				}
				bits[k] = uint32(int32(r.Uint64()) >> (8 * r.IntN(4)))
			}
			if f.Class() != FloatClass {
				checkStoredInts(t, f, bits)
				continue
			}
			p := Encode(f, c)
			for k, name := range channelsOf[f.Order] {
				i := strings.IndexRune("rgba", name)
				switch {
				case name == 'x':
					continue
				case i < 0: // intensity, luminance
					i = 0
				}
				var got, want int64
				lim, plain := limits[f.Type]
				size := f.Type.Size()
				switch w := packedBits[f.Type]; {
				case w != nil:
					top := int64(1)<<w[k] - 1
					want, got = product(c[i], top, 0, top), int64(math.Round(float64(channelValues(f, p)[k])*float64(top)))
				case orderRow(f.Order).srgb && i < 3:
					s := float64(c[i])
					switch {
					case !(s >= 0):
						s = 0
					case s > 1:
						s = 1
					case s < 0.0031308:
						s *= 12.92
					default:
						s = 1.055*math.Pow(s, 1/2.4) - 0.055
					}
					if math.Abs(float64(p[k])-255*s) > 0.5+1e-6 {
						t.Fatalf("%v: %v gives %d", f, c, p)
					}
				case plain:
					want = product(c[i], lim[0], lim[1], lim[2])
					got = int64(channelRaw(p[k*size:], size, lim[1] < 0))
				case f.Type == opencl.FloatChannel:
					want, got = int64(math.Float32bits(c[i])), int64(binary.LittleEndian.Uint32(p[4*k:]))
				default:
					if h := halfValue(binary.LittleEndian.Uint16(p[2*k:])); math.Abs(h-float64(c[i])) > math.Abs(float64(c[i]))*0x1p-11+0x1p-25 {
						t.Fatalf("%v: %v stored as %v", f, c[i], h)
					}
				}
				if got != want {
					t.Fatalf("%v: color %v, channel %d: got %d, want %d", f, c, k, got, want)
				}
			}
		}
	}
}

func channelRaw(p []byte, size int, signed bool) int64 {
	x := int64(0)
	for k := range size {
		x |= int64(p[k]) << (8 * k)
	}
	if signed {
		x = x << (64 - 8*size) >> (64 - 8*size)
	}
	return x
}

func checkStoredInts(t *testing.T, f Format, c [4]uint32) {
	t.Helper()
	p := EncodeInt(f, c)
	size := len(p) / f.Channels()
	for k, name := range channelsOf[f.Order] {
		if name == 'x' {
			continue
		}
		i := strings.IndexRune("rgba", name)
		want, signed := int64(c[i]), f.Class() == IntClass
		lo, hi := int64(0), int64(1)<<(8*size)-1
		if signed {
			want, lo, hi = int64(int32(c[i])), -1<<(8*size-1), 1<<(8*size-1)-1
		}
		want = min(max(want, lo), hi)
		if got := channelRaw(p[k*size:], size, signed); got != want {
			t.Fatalf("%v: %x: channel %d is %d, want %d", f, c, k, got, want)
		}
	}
}

// TestBorder tests "Determining the Border Color or Value" (6.15.15.1.1).
func TestBorder(t *testing.T) {
	for _, f := range allFormats() {
		m := element(f)
		want := float32(0)
		switch f.Order {
		case opencl.OrderR, opencl.OrderRG, opencl.OrderRGB, opencl.OrderLuminance, opencl.OrderSRGB:
			want = 1
		}
		c, ok := m.ReadFloat([3]int32{-1})
		if f.Class() == FloatClass && (ok || c != [4]float32{3: want}) {
			t.Errorf("%v: border %v", f, c)
		}
		if ci, ok := m.ReadInt([3]int32{1}); f.Class() != FloatClass && (ok || ci != [4]uint32{3: uint32(want)}) {
			t.Errorf("%v: border %v", f, ci)
		}
	}
}

func TestFormatSizes(t *testing.T) {
	for f, want := range map[Format]int{{opencl.OrderRGBA, opencl.UnormInt8}: 4, {opencl.OrderR, opencl.HalfFloat}: 2, {opencl.OrderRGBA, opencl.FloatChannel}: 16, {opencl.OrderRGB, opencl.UnormShort565}: 2, {opencl.OrderRGBx, opencl.UnormInt101010}: 4, {opencl.OrderRG, opencl.SignedInt16}: 4,
		{opencl.OrderRx, opencl.UnormInt8}: 2, {opencl.OrderRGBA, opencl.UnormInt101010x2}: 4, {opencl.OrderDepth, opencl.UnormInt16}: 2} {
		if got := f.Size(); got != want {
			t.Errorf("%v: %d bytes, want %d", f, got, want)
		}
	}
	for _, f := range []Format{{opencl.OrderRGB, opencl.UnormInt8}, {opencl.OrderBGRA, opencl.FloatChannel}, {opencl.OrderDepthStencil, opencl.FloatChannel}, {opencl.OrderDepth, opencl.UnormInt8}, {opencl.OrderIntensity, opencl.SignedInt8}, {opencl.OrderRGBA, opencl.UnormShort565}, {0, opencl.FloatChannel}, {opencl.OrderRGBA, 7}} {
		if f.Supported() {
			t.Errorf("%v is supported", f)
		}
		if _, err := New(f, opencl.Image1D, [3]int{1, 1, 1}, 16, 16, make([]byte, 16)); err == nil {
			t.Errorf("an image of %v", f)
		}
	}
}
