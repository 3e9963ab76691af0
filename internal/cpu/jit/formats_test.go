//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/cpu/x86"
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

var everyFormat = flag.Bool("exhaustive", false, "TestFormats: every format with every sampler, shape and function")

// imageShapes are the image types and the types of their coordinates.
var imageShapes = []struct {
	shape  opencl.ImageShape
	name   string
	coords int
	size   [3]int
}{
	{opencl.Image2D, "image2d_t", 2, [3]int{6, 5, 1}}, {opencl.Image1D, "image1d_t", 1, [3]int{9, 1, 1}}, {opencl.Image3D, "image3d_t", 4, [3]int{4, 3, 5}},
	{opencl.Image2DArray, "image2d_array_t", 4, [3]int{5, 4, 3}}, {opencl.Image1DArray, "image1d_array_t", 2, [3]int{5, 3, 1}}, {opencl.Image1DBuffer, "image1d_buffer_t", 1, [3]int{7, 1, 1}},
}

// imageSuffixes are those of the functions, and their colors.
var imageSuffixes = [...]struct{ suffix, color string }{{"f", "float4"}, {"i", "int4"}, {"ui", "uint4"}, {"h", "half4"}}

func vectorOf(t string, n int) string {
	if n == 1 {
		return t
	}
	return fmt.Sprint(t, n)
}

// imageKernels has a kernel for each function and type of coordinates.
func imageKernels(name string, coords int, suffixes []string) string {
	var b strings.Builder
	b.WriteString("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n")
	at, fl := vectorOf("int", coords), vectorOf("float", coords)
	for _, s := range suffixes {
		color := ""
		for _, x := range imageSuffixes {
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
	}
	return b.String()
}

// imageCoordinates returns n coordinates of dims numbers in rows of width: in the image, at its edges and wild.
func imageCoordinates(r *rand.Rand, n, width int, size [3]int, float bool, scale bool) buf {
	special := []float32{0, -0.5, 0.5, 1, -1, -0.25, 0.999999, 1.000001, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e30, -1e30, 1e9, -1e9, 4e9, 1e-40, -1e-40, -1e-9, 8388607.5, 16777216, math.Float32frombits(0x7f800001), math.Float32frombits(0xffc12345)}
	b := make(buf, 0, 4*n*width)
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

// A formatRun is one launch of a kernel of imageKernels.
type formatRun struct {
	kernel string
	image  *image.Image
	bits   opencl.Sampler
	coords buf
	color  buf // written, or room for what is read
}

// launch runs it on an executor's program. It returns the image's bytes, the colors, the findings.
func (r *formatRun) launch(t *testing.T, p *launch.Program) (data, color []byte, text string) {
	t.Helper()
	k, err := p.Kernel(r.kernel)
	if err != nil {
		t.Fatal(err)
	}
	data, color = bytes.Clone(r.image.Data), bytes.Clone(r.color)
	m, err := image.New(r.image.Format, r.image.Shape, r.image.Size, r.image.Pitch[1], r.image.Pitch[len(r.image.Pitch)-1], data)
	if err != nil {
		t.Fatal(err)
	}
	args := []launch.Arg{launch.Picture(&launch.Image{Image: m})}
	if strings.HasPrefix(r.kernel, "sample") || strings.HasPrefix(r.kernel, "at") {
		args = append(args, launch.Sampler(r.bits))
	}
	args = append(args, launch.Memory(&launch.Buffer{Data: r.coords}), launch.Memory(&launch.Buffer{Data: color}))
	rep, err := RunRobust(&launch.Launch{Kernel: k, Args: args, Range: launch.Range{Global: []uint64{formatItems}, NonUniform: true}, Workers: 1})
	if err != nil {
		text = err.Error()
	}
	if rep != nil {
		for _, f := range rep.Findings {
			text += fmt.Sprintf("\n%v %d", f, f.Count)
		}
	}
	return data, color, text
}

// formatItems is how many work-items the launches of TestFormats have: whole gangs and a part of one.
const formatItems = 16*11 + 5

// TestFormats compares machine code with the reference executor: for formats, shapes, samplers and functions,
// at coordinates of all sorts.
func TestFormats(t *testing.T) {
	var samplers []opencl.Sampler
	for _, mode := range opencl.AddressingModes {
		for _, filter := range opencl.FilterModes {
			samplers = append(samplers, mode.Bits|filter.Bits, mode.Bits|filter.Bits|opencl.NormalizedCoords)
		}
	}
	var formats []image.Format
	for o := range opencl.ChannelOrders {
		for c := range opencl.ChannelTypes {
			if f := (image.Format{Order: opencl.OrderR + opencl.ChannelOrder(o), Type: opencl.SnormInt8 + opencl.ChannelType(c)}); f.Supported() {
				formats = append(formats, f)
			}
		}
	}
	x := newFormats(t)
	n := 0
	for s, sh := range imageShapes {
		for i, f := range formats {
			for j, sampler := range samplers {
				for k, suffix := range imageSuffixes {
					// All samplers with some formats, all formats with some samplers, in shapes by turns.
					n++
					some := i%32 == s && k == 0 || (i+3*j+5*s+7*k)%193 == 0
					if suffix.suffix == "h" && sh.shape == opencl.Image1DBuffer || !some && !*everyFormat {
						continue
					}
					x.compare(t, s, f, sampler, suffix.suffix)
				}
			}
		}
	}
	t.Logf("%d launches for %d of %d combinations", x.launches, x.tried, n)
}

// covered reports whether code accesses elements of a format in functions of that suffix, without calls of Go.
func covered(f image.Format, suffix string) bool {
	size := f.Size()
	float := suffix == "f" || suffix == "h"
	return size&(size-1) == 0 && !(float && f.Layout().SRGB) && !(suffix == "h" && f.Class() != image.FloatClass)
}

// formats has the programs of TestFormats.
type formats struct {
	r               *rand.Rand
	modules         map[string]*ssa.Module
	launches, tried int
}

func newFormats(t *testing.T) *formats {
	x := &formats{r: rand.New(rand.NewPCG(5, 6)), modules: map[string]*ssa.Module{}}
	for _, sh := range imageShapes {
		x.modules[sh.name] = build(t, imageKernels(sh.name, sh.coords, []string{"f", "i", "ui", "h"}))
		if sh.shape == opencl.Image2D || sh.shape == opencl.Image2DArray {
			depth := strings.Replace(sh.name, "_t", "_depth_t", 1)
			x.modules[depth] = build(t, imageKernels(depth, sh.coords, []string{"f"}))
		}
	}
	return x
}

// compare runs the functions of a suffix on a random image.
func (x *formats) compare(t *testing.T, s int, f image.Format, sampler opencl.Sampler, suffix string) {
	t.Helper()
	sh, r := imageShapes[s], x.r
	name := sh.name
	if f.Order == opencl.OrderDepth {
		if name = strings.Replace(name, "_t", "_depth_t", 1); x.modules[name] == nil || suffix != "f" {
			return
		}
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
		t.Fatal(err)
	}
	x.tried++
	lvs := levels()
	lv := lvs[r.IntN(len(lvs))]
	for _, kernel := range []string{"sample", "at", "read", "write"} {
		if sh.shape == opencl.Image1DBuffer && (kernel == "sample" || kernel == "at") {
			continue
		}
		float := kernel == "sample"
		c := formatRun{kernel: kernel + "_" + suffix, image: m, bits: sampler, coords: imageCoordinates(r, formatItems, sh.coords, sh.size, float, sampler.Normalized()), color: make(buf, 16*formatItems)}
		if kernel == "write" {
			c.coords = distinct(c.coords, sh.coords)
			for i := 0; i < len(c.color); i += 4 {
				v := math.Float32bits(r.Float32()*2.4 - 1.2)
				switch r.IntN(4) {
				case 0:
					v = r.Uint32()
				case 1:
					v = uint32(int32(r.Uint32()) >> r.IntN(32))
				}
				binary.LittleEndian.PutUint32(c.color[i:], v)
			}
		}
		x.same(t, x.modules[name], &c, lv)
	}
}

// distinct moves all but the first of equal coordinates out of the image, as the order of writes is open.
func distinct(coords buf, width int) buf {
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

// same compares a launch on the reference executor with one on a level.
func (x *formats) same(t *testing.T, m *ssa.Module, c *formatRun, lv *x86.Level) {
	t.Helper()
	ref, err := launch.NewProgram(m, interp.Reference)
	if err != nil {
		t.Fatal(err)
	}
	e := &lastCode{Executor: New(Options{Level: lv, Panics: true})}
	p, err := launch.NewProgram(m, e)
	if err != nil {
		t.Fatal(err)
	}
	data, color, text := c.launch(t, ref)
	gotData, gotColor, gotText := c.launch(t, p)
	x.launches++
	if code, ok := e.code.(*imageCode); !ok || code.plain != nil {
		t.Fatalf("%s of %v: no code of an image", c.kernel, c.image)
	} else {
		for _, f := range code.formats {
			if calls := hasImageCall(f.code); calls == covered(c.image.Format, c.kernel[strings.Index(c.kernel, "_")+1:]) {
				t.Errorf("%s of %v: accesses call Go: %t", c.kernel, c.image, calls)
			}
		}
	}
	where := fmt.Sprintf("%s, %v, sampler %#x, %s", c.kernel, c.image, uint32(c.bits), lv.Name)
	if gotText != text {
		t.Errorf("%s: findings%s\nwant%s", where, gotText, text)
	}
	if !bytes.Equal(data, gotData) {
		t.Errorf("%s: image\n%x, want\n%x", where, gotData, data)
	}
	for i := 0; i < len(color); i += 4 {
		if !bytes.Equal(color[i:i+4], gotColor[i:i+4]) {
			n := len(c.coords) / formatItems
			size := len(color) / formatItems
			if c.kernel[len(c.kernel)-1] == 'h' {
				size /= 2
			}
			if strings.Contains(c.image.Format.String(), "DEPTH") {
				size = 4
			}
			item := min(i/size, formatItems-1)
			t.Errorf("%s: work-item %d at %x: color %x, want %x", where, item, []byte(c.coords[n*item:n*item+n]), gotColor[i&^15:i&^15+16], color[i&^15:i&^15+16])
			break
		}
	}
}

// TestGrids reads images at sums of ids and constants, as integers and as numbers, near and far from the image.
func TestGrids(t *testing.T) {
	forms := []string{
		"(float2)(x, y)", "(float2)(x + 0.5f, y + 0.5f)", "convert_float2((int2)(x, y)) + (float2)(1.25f, -2.5f)", "(float2)(convert_uint(x) - 0.25f, convert_uint(y) + 3)",
		"(float2)(get_global_id(0) + 0.5f, get_global_id(1) - 1.75f)", "(float2)((long)x << n, (ulong)y)", "(float2)((short)x, (uchar)y) + 0.75f", "(float2)(x * 2 + 0.125f, y) - 1.5f",
		"(float2)(x + 1025.0f, y + 0.5f)", "(float2)(x + 1000.0f + 20.0f, y - 1000.0f + 1000.5f)", "(int2)(x, y) + (int2)(-1, 2)", "clamp((int2)(x, y), 1, 3)", "(int2)(5 - x, y) * 2",
	}
	src := ""
	for i, f := range forms {
		src += fmt.Sprintf("kernel void k%d(read_only image2d_t m, sampler_t s, int n, write_only image2d_t w, global float4 *out) {\n"+
			"  int i = get_global_id(0), j = get_global_id(1), x = i + n, y = j - (n >> 3); float4 c = read_imagef(m, s, %s);\n"+
			"  write_imagef(w, (int2)(i, j), c.zyxw); if (i == 3) c += read_imagef(m, (int2)(i, j)); out[j * get_global_size(0) + i] = c; }\n", i, f)
	}
	m := build(t, src)
	r := rand.New(rand.NewPCG(8, 9))
	data := make([]byte, 24*9*4)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	const wide, high = 37, 9
	run := func(e exec.Executor, kernel string, s opencl.Sampler, n int) ([]byte, []byte) {
		in, err := image.New(image.Format{Order: opencl.OrderBGRA, Type: opencl.UnormInt8}, opencl.Image2D, [3]int{23, 9, 1}, 24*4, 0, bytes.Clone(data))
		if err != nil {
			t.Fatal(err)
		}
		written, out := make([]byte, wide*high*8), make([]byte, wide*high*16)
		w, err := image.New(image.Format{Order: opencl.OrderRGBA, Type: opencl.SnormInt16}, opencl.Image2D, [3]int{wide, high, 1}, wide*8, 0, written)
		if err != nil {
			t.Fatal(err)
		}
		args := []launch.Arg{launch.Picture(&launch.Image{Image: in}), launch.Sampler(s), launch.Value(i32(n)), launch.Picture(&launch.Image{Image: w}), launch.Memory(&launch.Buffer{Data: out})}
		if _, err := RunRobust(&launch.Launch{Kernel: kernelOf(t, m, e, kernel), Args: args, Range: launch.Range{Global: []uint64{wide, high}, NonUniform: true}, Workers: 1}); err != nil {
			t.Fatal(err)
		}
		return written, out
	}
	for i := range forms {
		for k, mode := range []opencl.Sampler{opencl.SamplerClampToEdge, opencl.SamplerClamp, opencl.SamplerNone} {
			for j, n := range []int{0, -7, 3, 1 << 21, -1 << 21, 1<<23 - 5, 1<<24 + 1, math.MaxInt32 - 20, math.MinInt32 + 2} {
				if (i+j+k)%3 != 0 && n != 0 {
					continue
				}
				kernel := fmt.Sprint("k", i)
				written, out := run(interp.Reference, kernel, mode|opencl.SamplerNearest, n)
				lvs := levels()
				lv := lvs[(i+j+k)%len(lvs)]
				gotWritten, got := run(New(Options{Level: lv, Panics: true}), kernel, mode|opencl.SamplerNearest, n)
				if !bytes.Equal(out, got) || !bytes.Equal(written, gotWritten) {
					t.Errorf("%s, n = %d, sampler %#x, %s: other results than the reference executor's", forms[i], n, mode, lv.Name)
				}
			}
		}
	}
}

// hasImageCall reports whether the code calls Go for each access to an image.
func hasImageCall(c *Code) bool {
	if c == nil {
		return true
	}
	for _, v := range c.f.Blocks[0].Values {
		if v.Op.Has(ssa.ImageAccess) || v.Op == ssa.OpImageQuery {
			return true
		}
	}
	return false
}

// lastCode keeps the code that an executor makes.
type lastCode struct {
	exec.Executor
	code exec.Code
}

func (w *lastCode) Prepare(f *ssa.Func, checks exec.Checks, first *exec.NDRange) (exec.Code, error) {
	c, err := w.Executor.Prepare(f, checks, first)
	w.code = c
	return c, err
}
