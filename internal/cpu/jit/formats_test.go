//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
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
	"github.com/purecl/purecl/internal/test/kerneltest"
)

var everyFormat = flag.Bool("exhaustive", false, "TestFormats: every format with every sampler, shape and function")

// TestFormats compares machine code with the reference executor for formats, shapes, samplers, functions and
// coordinates of every kind.
func TestFormats(t *testing.T) {
	x := newFormats(t)
	n := 0
	for c := range kerneltest.FormatCases {
		n++
		if c.Some || *everyFormat {
			x.compare(t, &c)
		}
	}
	t.Logf("%d launches for %d of %d combinations", x.launches, x.tried, n)
}

// covered reports whether code accesses elements of a format without host calls, in functions with that suffix.
func covered(f image.Format, suffix string) bool {
	return suffix != "h" || f.Class() == image.FloatClass
}

// formats has the programs of TestFormats.
type formats struct {
	r               *rand.Rand
	modules         map[string]*ssa.Module
	launches, tried int
}

func newFormats(t *testing.T) *formats {
	x := &formats{r: rand.New(rand.NewPCG(5, 6)), modules: map[string]*ssa.Module{}}
	for name, src := range kerneltest.FormatSources() {
		x.modules[name] = build(t, src)
	}
	return x
}

// compare runs the functions of a case on a random image.
func (x *formats) compare(t *testing.T, c *kerneltest.FormatCase) {
	t.Helper()
	runs := c.Runs(x.r)
	if len(runs) == 0 {
		return
	}
	x.tried++
	lvs := levels()
	lv := lvs[x.r.IntN(len(lvs))]
	for i := range runs {
		x.same(t, x.modules[c.Source], &runs[i], lv)
	}
}

// same compares a launch on the reference executor with one on a level.
func (x *formats) same(t *testing.T, m *ssa.Module, c *kerneltest.FormatRun, lv *x86.Level) {
	t.Helper()
	ref := programOf(t, m, interp.Reference)
	e := &lastCode{Executor: New(Options{Level: lv, Panics: true})}
	p := programOf(t, m, e)
	data, color, text := c.Launch(t, ref)
	gotData, gotColor, gotText := c.Launch(t, p)
	x.launches++
	if code, ok := e.code.(*imageCode); !ok || code.plain != nil {
		t.Fatalf("%s of %v: no code of an image", c.Kernel, c.Image)
	} else {
		for _, f := range code.formats {
			if calls := hasImageCall(f.code); calls == covered(c.Image.Format, c.Kernel[strings.Index(c.Kernel, "_")+1:]) {
				t.Errorf("%s of %v: accesses make host calls: %t", c.Kernel, c.Image, calls)
			}
		}
	}
	where := fmt.Sprintf("%s, %v, sampler %#x, %s", c.Kernel, c.Image, uint32(c.Sampler), lv.Name)
	if gotText != text {
		t.Errorf("%s: findings%s\nwant%s", where, gotText, text)
	}
	if !bytes.Equal(data, gotData) {
		t.Errorf("%s: image\n%x, want\n%x", where, gotData, data)
	}
	if text := c.Colors(gotColor, color, false); text != "" {
		t.Errorf("%s: %s", where, text)
	}
}

// TestGrids reads images at integer and floating-point sums of ids and constants, near the image and far from
// it.
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
	data := filled(24*9*4, func(i int) byte { return byte(r.Uint32()) })
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
					t.Errorf("%s, n = %d, sampler %#x, %s: results differ from the reference executor", forms[i], n, mode, lv.Name)
				}
			}
		}
	}
}

// hasImageCall reports whether the code makes a host call for an image access.
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

// lastCode records the code that an executor makes.
type lastCode struct {
	exec.Executor
	code exec.Code
}

func (w *lastCode) Prepare(f *ssa.Func, checks exec.Checks, first *exec.NDRange) (exec.Code, error) {
	c, err := w.Executor.Prepare(f, checks, first)
	w.code = c
	return c, err
}
