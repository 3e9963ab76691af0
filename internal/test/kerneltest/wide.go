package kerneltest

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/image"
)

// A WideCase is an array of images of 1 GiB or more, with the launches that write and read it.
type WideCase struct {
	Format image.Format
	Size   [3]int
	Row    int // bytes between rows
}

// WideCases are arrays whose elements have numbers of more than 31 bits, or whose bytes have offsets of more than 31
// bits, and with pitches that do not follow from the size.
var WideCases = []WideCase{
	{image.Format{Order: opencl.OrderR, Type: opencl.UnsignedInt8}, [3]int{16384, 16384, 9}, 16384},
	{image.Format{Order: opencl.OrderRGBA, Type: opencl.UnsignedInt8}, [3]int{16384, 5000, 8}, 65536},
	{image.Format{Order: opencl.OrderRGx, Type: opencl.UnsignedInt16}, [3]int{3000, 16384, 6}, 6 * 4000},
	{image.Format{Order: opencl.OrderRGBA, Type: opencl.UnsignedInt32}, [3]int{100, 5, 2}, 1 << 28},
}

// Bytes is the size of the image's memory.
func (c *WideCase) Bytes() int { return c.Row * c.Size[1] * c.Size[2] }

// Image returns the image over memory that the caller provides, of zeros.
func (c *WideCase) Image(data []byte) (*image.Image, error) {
	return image.New(c.Format, opencl.Image2DArray, c.Size, c.Row, c.Row*c.Size[1], data)
}

// Runs returns launches of kernels of FormatSources: a write, reads of the written elements, and samples.
func (c *WideCase) Runs(r *rand.Rand, m *image.Image) []FormatRun {
	ints := c.coordinates(r)
	floats := make([]byte, 0, len(ints))
	for i := 0; i < len(ints); i += 4 {
		f := float32(int32(binary.LittleEndian.Uint32(ints[i:]))) + float32(r.IntN(4))/4
		floats = binary.LittleEndian.AppendUint32(floats, math.Float32bits(f))
	}
	color := make([]byte, 16*formatItems)
	for i := range color {
		color[i] = byte(r.Uint32()) >> r.IntN(8)
	}
	const edge, border = opencl.SamplerClampToEdge, opencl.SamplerClamp
	return []FormatRun{
		{Kernel: "write_ui", Image: m, coords: distinct(ints, 4), color: color},
		{Kernel: "read_ui", Image: m, coords: ints, color: make([]byte, len(color))},
		{Kernel: "at_ui", Image: m, Sampler: edge | opencl.SamplerNearest, coords: ints, color: make([]byte, len(color))},
		{Kernel: "sample_ui", Image: m, Sampler: border | opencl.SamplerNearest, coords: floats, color: make([]byte, len(color))},
	}
}

// coordinates returns coordinates at the corners of the array's images, elsewhere in them, and outside.
func (c *WideCase) coordinates(r *rand.Rand) []byte {
	var b []byte
	for range formatItems {
		for d := range 4 {
			n := c.Size[min(d, 2)]
			x := []int{0, 1, n - 1, n - 2, r.IntN(n), r.IntN(n), n / 2}[r.IntN(7)]
			if r.IntN(20) == 0 {
				x = []int{-1, n, math.MinInt32, math.MaxInt32}[r.IntN(4)]
			}
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		}
	}
	return b
}

// Elements returns the offsets of the elements at the run's integer coordinates.
func (r *FormatRun) Elements() (list []int) {
	for b := r.coords; len(b) > 0; b = b[16:] {
		var p [3]int32
		for d := range p {
			p[d] = int32(binary.LittleEndian.Uint32(b[4*d:]))
		}
		if off, ok := r.Image.Offset(p); ok {
			list = append(list, off)
		}
	}
	return list
}

// Coords returns the coordinates, Color the colors to write or zeros.
func (r *FormatRun) Coords() []byte { return r.coords }
func (r *FormatRun) Color() []byte  { return r.color }

// Items is the number of work-items.
func (r *FormatRun) Items() int { return formatItems }
