package kerneltest

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
	"github.com/purecl/purecl/internal/run/launch"
)

// FormatCases and FormatSources launch all image functions, for every format, shape and sampler, at coordinates
// inside, at the edges and far outside of the image.

// formatShapes are the image types and the types of their coordinates.
var formatShapes = []struct {
	shape  opencl.ImageShape
	name   string
	coords int
	size   [3]int
}{
	{opencl.Image2D, "image2d_t", 2, [3]int{6, 5, 1}}, {opencl.Image1D, "image1d_t", 1, [3]int{9, 1, 1}}, {opencl.Image3D, "image3d_t", 4, [3]int{4, 3, 5}},
	{opencl.Image2DArray, "image2d_array_t", 4, [3]int{5, 4, 3}}, {opencl.Image1DArray, "image1d_array_t", 2, [3]int{5, 3, 1}}, {opencl.Image1DBuffer, "image1d_buffer_t", 1, [3]int{7, 1, 1}},
}

// formatSuffixes are the suffixes of the functions with their color types.
var formatSuffixes = [...]struct{ suffix, color string }{{"f", "float4"}, {"i", "int4"}, {"ui", "uint4"}, {"h", "half4"}}

func vectorOf(t string, n int) string {
	if n == 1 {
		return t
	}
	return fmt.Sprint(t, n)
}

// formatKernels returns the source of a kernel for each function and type of coordinates.
func formatKernels(name string, coords int, suffixes []string) string {
	var b strings.Builder
	b.WriteString("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n")
	at, fl := vectorOf("int", coords), vectorOf("float", coords)
	for _, s := range suffixes {
		color := ""
		for _, x := range formatSuffixes {
			if x.suffix == s {
				color = x.color
			}
		}
		if strings.Contains(name, "depth") {
			color = "float"
		}
		if name != "image1d_buffer_t" {
			fmt.Fprintf(&b, "kernel void sample_%s(read_only %s m, sampler_t s, global const %s *at, global %s *out) { int i = get_global_id(0); out[i] = read_image%s(m, s, at[i]); }\n", s, name, fl, color, s)
			fmt.Fprintf(&b, "kernel void at_%s(read_only %s m, sampler_t s, global const %s *at, global %s *out) { int i = get_global_id(0); out[i] = read_image%s(m, s, at[i]); }\n", s, name, at, color, s)
		}
		fmt.Fprintf(&b, "kernel void read_%s(read_only %s m, global const %s *at, global %s *out) { int i = get_global_id(0); out[i] = read_image%s(m, at[i]); }\n", s, name, at, color, s)
		fmt.Fprintf(&b, "kernel void write_%s(write_only %s m, global const %s *at, global const %s *in) { int i = get_global_id(0); write_image%s(m, at[i], in[i]); }\n", s, name, at, color, s)
		if color == "float4" { // vectors in memory order, and single components
			fmt.Fprintf(&b, "kernel void turned_%s(read_only %s m, global const %s *at, global float4 *out) { int i = get_global_id(0); out[i] = read_image%s(m, at[i]).wzyx; }\n", s, name, at, s)
			fmt.Fprintf(&b, "kernel void scaled_%s(write_only %s m, global const %s *at, global const float4 *in) { int i = get_global_id(0); write_image%s(m, at[i], in[i] * 1.5f); }\n", s, name, at, s)
		}
	}
	return b.String()
}

// coordinates returns n coordinates of dims numbers each, at a stride of width: inside the image, at its edges, and
// far outside.
func coordinates(r *rand.Rand, n, width int, size [3]int, float bool, scale bool) []byte {
	special := []float32{0, -0.5, 0.5, 1, -1, -0.25, 0.999999, 1.000001, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e30, -1e30, 1e9, -1e9, 4e9, 1e-40, -1e-40, -1e-9, 8388607.5, 16777216, math.Float32frombits(0x7f800001), math.Float32frombits(0xffc12345)}
	b := make([]byte, 0, 4*n*width)
	for range n {
		for d := range width {
			length := size[min(d, 2)]
			x := uint32(int32(r.IntN(length+4) - 2))
			if r.IntN(8) == 0 {
				x = []uint32{1 << 31, 1<<31 - 1, ^uint32(0), uint32(length), 1 << 30, r.Uint32()}[r.IntN(6)]
			}
			if float {
				f := float32(r.IntN(length+4)-2) + float32(r.IntN(5))/4
				switch r.IntN(8) {
				case 0:
					f = special[r.IntN(len(special))]
				case 1:
					f = math.Float32frombits(r.Uint32())
				case 2, 3:
					f += r.Float32()
				}
				if scale && r.IntN(8) != 0 {
					f /= float32(length)
				}
				x = math.Float32bits(f)
			}
			b = binary.LittleEndian.AppendUint32(b, x)
		}
	}
	return b
}

// A FormatRun is one launch of a kernel of FormatSources.
type FormatRun struct {
	Kernel  string
	Image   *image.Image
	Sampler opencl.Sampler
	coords  []byte
	color   []byte // the colors to write, or the room for the ones read
}

// Launch runs the kernel of a program. It returns the image's bytes, the colors and the findings.
func (r *FormatRun) Launch(t testing.TB, p *launch.Program) (data, color []byte, text string) {
	t.Helper()
	data = bytes.Clone(r.Image.Data)
	m, err := image.New(r.Image.Format, r.Image.Shape, r.Image.Size, r.Image.Pitch[1], r.Image.Pitch[len(r.Image.Pitch)-1], data)
	if err != nil {
		t.Fatal(err)
	}
	color, text = r.LaunchOn(t, p, m)
	return data, color, text
}

// LaunchOn is Launch with an image in the place of the run's.
func (r *FormatRun) LaunchOn(t testing.TB, p *launch.Program, m *image.Image) (color []byte, text string) {
	t.Helper()
	k, err := p.Kernel(r.Kernel)
	if err != nil {
		t.Fatal(err)
	}
	color = bytes.Clone(r.color)
	args := []launch.Arg{launch.Picture(&launch.Image{Image: m})}
	if strings.HasPrefix(r.Kernel, "sample") || strings.HasPrefix(r.Kernel, "at") {
		args = append(args, launch.Sampler(r.Sampler))
	}
	args = append(args, launch.Memory(&launch.Buffer{Data: r.coords}), launch.Memory(&launch.Buffer{Data: color}))
	rep, err := launch.Run(context.Background(), &launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: []uint64{formatItems}, NonUniform: true}, Workers: 1, Faults: exec.Robust})
	if err != nil {
		text = err.Error()
	}
	if rep != nil {
		for _, f := range rep.Findings {
			text += fmt.Sprintf("\n%v: %v %d", k.Locate(f), f, f.Count)
		}
	}
	return color, text
}

// formatItems is the number of work-items of the launches: whole gangs and a partial one.
const formatItems = 16*11 + 5

// FormatSources returns the source of the kernels for each type of images.
func FormatSources() map[string]string {
	list := map[string]string{}
	for _, sh := range formatShapes {
		list[sh.name] = formatKernels(sh.name, sh.coords, []string{"f", "i", "ui", "h"})
		if sh.shape == opencl.Image2D || sh.shape == opencl.Image2DArray {
			depth := depthName(sh.name)
			list[depth] = formatKernels(depth, sh.coords, []string{"f"})
		}
	}
	return list
}

func depthName(name string) string { return strings.Replace(name, "_t", "_depth_t", 1) }

// A FormatCase is a format with a shape, a sampler and a suffix of functions.
type FormatCase struct {
	Source  string // a key of FormatSources
	Format  image.Format
	Sampler opencl.Sampler
	Suffix  string
	// Some is set for a subset of the cases: all samplers with some formats and all formats with some samplers, in
	// alternating shapes, and sRGB in all shapes.
	Some bool

	shape int
}

// FormatCases calls yield with each case.
func FormatCases(yield func(FormatCase) bool) {
	var samplers []opencl.Sampler
	for _, mode := range opencl.AddressingModes {
		for _, filter := range opencl.FilterModes {
			samplers = append(samplers, mode.Bits|filter.Bits, mode.Bits|filter.Bits|opencl.NormalizedCoords)
		}
	}
	formats := testedFormats()
	for s, sh := range formatShapes {
		for i, f := range formats {
			for j, sampler := range samplers {
				for k, suffix := range formatSuffixes {
					c := FormatCase{sh.name, f, sampler, suffix.suffix, i%32 == s && k == 0 || (i+3*j+5*s+7*k)%193 == 0 || f.Layout().SRGB && j == s && k == 0, s}
					if f.Order == opencl.OrderDepth {
						c.Source = depthName(sh.name)
					}
					if !(c.Suffix == "h" && sh.shape == opencl.Image1DBuffer) && !yield(c) {
						return
					}
				}
			}
		}
	}
}

// testedFormats returns the listed formats, and those that are not listed and have elements of three channels.
func testedFormats() (list []image.Format) {
	for f := range image.Formats {
		list = append(list, f)
	}
	for _, o := range []opencl.ChannelOrder{opencl.OrderRGx, opencl.OrderSRGB} {
		for k := range opencl.ChannelTypes {
			if f := (image.Format{Order: o, Type: opencl.SnormInt8 + opencl.ChannelType(k)}); f.Supported() {
				list = append(list, f)
			}
		}
	}
	return list
}

// Runs returns the launches of a case on a random image.
func (c *FormatCase) Runs(r *rand.Rand) (list []FormatRun) {
	sh, f := formatShapes[c.shape], c.Format
	if f.Order == opencl.OrderDepth && (sh.shape != opencl.Image2D && sh.shape != opencl.Image2DArray || c.Suffix != "f") {
		return nil
	}
	row := f.Size() * (sh.size[0] + r.IntN(3))
	slice := row * (sh.size[1] + r.IntN(2))
	if sh.shape == opencl.Image1DArray {
		slice = row
	}
	data := make([]byte, slice*sh.size[2]+row*sh.size[1])
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	m, err := image.New(f, sh.shape, sh.size, row, slice, data)
	if err != nil {
		panic(err)
	}
	for _, kernel := range []string{"sample", "at", "read", "write", "turned", "scaled"} {
		if (kernel == "turned" || kernel == "scaled") && (c.Suffix != "f" || f.Order == opencl.OrderDepth) {
			continue
		}
		if sh.shape == opencl.Image1DBuffer && (kernel == "sample" || kernel == "at") {
			continue
		}
		float := kernel == "sample"
		x := FormatRun{Kernel: kernel + "_" + c.Suffix, Image: m, Sampler: c.Sampler, coords: coordinates(r, formatItems, sh.coords, sh.size, float, c.Sampler.Normalized()), color: make([]byte, 16*formatItems)}
		if kernel == "write" || kernel == "scaled" {
			x.coords = distinct(x.coords, sh.coords)
			for i := 0; i < len(x.color); i += 4 {
				v := math.Float32bits(r.Float32()*2.4 - 1.2)
				switch r.IntN(4) {
				case 0:
					v = r.Uint32()
				case 1:
					v = uint32(int32(r.Uint32()) >> r.IntN(32))
				}
				if f := math.Float32frombits(v); kernel == "scaled" && f != f {
					v = math.Float32bits(1) // the bits of a product of NaNs depend on the machine, and an integer format shows them
				}
				binary.LittleEndian.PutUint32(x.color[i:], v)
			}
		}
		list = append(list, x)
	}
	return list
}

// distinct moves repeated coordinates out of the image, because the order of writes to one element is undefined.
func distinct(coords []byte, width int) []byte {
	seen := map[string]bool{}
	for i := 0; i < len(coords); i += 4 * width {
		p := coords[i : i+4*width]
		if width == 4 {
			clear(p[12:])
		}
		if key := string(p); seen[key] {
			binary.LittleEndian.PutUint32(p, 1<<20)
		} else {
			seen[key] = true
		}
	}
	return coords
}

// Colors describes the first color that differs, "" if none does. If nans is set, all NaNs are equal.
func (r *FormatRun) Colors(got, want []byte, nans bool) string {
	half := strings.HasSuffix(r.Kernel, "_h")
	alike := func(a, b []byte) bool { return bytes.Equal(oneNaN(a, half), oneNaN(b, half)) }
	for i := 0; i < len(want); i += 4 {
		if bytes.Equal(want[i:i+4], got[i:i+4]) || nans && alike(want[i:i+4], got[i:i+4]) {
			continue
		}
		n := len(r.coords) / formatItems
		size := len(want) / formatItems
		if r.Kernel[len(r.Kernel)-1] == 'h' {
			size /= 2
		}
		if r.Image.Format.Order == opencl.OrderDepth {
			size = 4
		}
		item := min(i/size, formatItems-1)
		return fmt.Sprintf("work-item %d at %x: color %x, want %x", item, r.coords[n*item:n*item+n], got[i&^15:i&^15+16], want[i&^15:i&^15+16])
	}
	return ""
}

// SameImage reports whether two images have the same bytes. If nans is set, all NaNs are equal:
// conversions create them.
func (r *FormatRun) SameImage(got, want []byte, nans bool) bool {
	half := r.Image.Format.Type == opencl.HalfFloat
	if !nans || !half && r.Image.Format.Type != opencl.FloatChannel {
		return bytes.Equal(got, want)
	}
	size := 4
	if half {
		size = 2
	}
	for i := 0; i+size <= len(want); i += size {
		at := func(b []byte) []byte { return oneNaN(append(slices.Clone(b[i:i+size]), 0, 0), half) }
		if !bytes.Equal(at(got), at(want)) {
			return false
		}
	}
	return true
}

// oneNaN returns 4 bytes, a float or two halves, with each NaN replaced by one NaN.
func oneNaN(b []byte, half bool) []byte {
	x := binary.LittleEndian.Uint32(b)
	switch {
	case !half && x&0x7fffffff > 0x7f800000:
		x = 0x7fc00000
	case half:
		for s := 0; s < 32; s += 16 {
			if x>>s&0x7fff > 0x7c00 {
				x = x&^(0xffff<<s) | 0x7e00<<s
			}
		}
	}
	return binary.LittleEndian.AppendUint32(nil, x)
}
