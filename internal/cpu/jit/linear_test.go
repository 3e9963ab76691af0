//go:build amd64 && (linux || darwin || windows)

package jit

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/run/exec"
	"github.com/purecl/purecl/internal/run/image"
	"github.com/purecl/purecl/internal/run/interp"
	"github.com/purecl/purecl/internal/run/launch"
)

const linearKernels = `
#define READ(name, type, at) kernel void name(read_only type m, sampler_t s, float by, global float4 *out) { \
  int i = get_global_id(0), j = get_global_id(1); float x = (i - 6) * by, y = (j - 5) * by; out[j * get_global_size(0) + i] = read_imagef(m, s, at); }
READ(line, image1d_t, x + y * 3)
READ(plane, image2d_t, (float2)(x, y))
READ(layers, image2d_array_t, (float4)(x, y, j, 0))
READ(solid, image3d_t, (float4)(x, y, x - y, 0))
`

// TestLinear compares linear filters on images of small elements, whose neighbours may be loaded together, down to images of
// one element.
func TestLinear(t *testing.T) {
	m := build(t, linearKernels)
	data := filled(400, func(i int) byte { return byte(i*i*31 + i*7) })
	shapes := []struct {
		kernel string
		shape  opencl.ImageShape
		sizes  [][3]int
	}{
		{"line", opencl.Image1D, [][3]int{{1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {4, 1, 1}, {5, 1, 1}, {19, 1, 1}}},
		{"plane", opencl.Image2D, [][3]int{{1, 1, 1}, {1, 2, 1}, {1, 4, 1}, {2, 2, 1}, {3, 1, 1}, {7, 5, 1}}},
		{"layers", opencl.Image2DArray, [][3]int{{1, 1, 1}, {1, 1, 3}, {2, 1, 2}, {5, 4, 3}}},
		{"solid", opencl.Image3D, [][3]int{{1, 1, 1}, {1, 1, 3}, {2, 2, 1}, {5, 4, 3}}},
	}
	for _, typ := range []opencl.ChannelType{opencl.UnormInt8, opencl.SnormInt8, opencl.UnormInt16, opencl.SnormInt16, opencl.HalfFloat} {
		for _, order := range []opencl.ChannelOrder{opencl.OrderR, opencl.OrderA, opencl.OrderRG} {
			f := image.Format{Order: order, Type: typ}
			for _, x := range shapes {
				for _, size := range x.sizes {
					run := func(e exec.Executor, s opencl.Sampler, by float32) []byte {
						row := size[0] * f.Size()
						in, err := image.New(f, x.shape, size, row, row*size[1], data[:row*size[1]*size[2]:row*size[1]*size[2]])
						if err != nil {
							t.Fatal(err)
						}
						out := make([]byte, 16*13*11)
						args := []launch.Arg{launch.Picture(&launch.Image{Image: in}), launch.Sampler(s), launch.Value(f32(by)), launch.Memory(&launch.Buffer{Data: out})}
						rep, err := RunRobust(&launch.Launch{Kernel: kernelOf(t, m, e, x.kernel), Args: args, Range: launch.Range{Global: []uint64{13, 11}, NonUniform: true}, Workers: 1})
						if err != nil || len(rep.Findings) > 0 {
							t.Fatal(err, rep.Findings)
						}
						return out
					}
					for _, s := range []opencl.Sampler{opencl.SamplerClampToEdge, opencl.SamplerMirroredRepeat | opencl.NormalizedCoords, opencl.SamplerClamp} {
						s |= opencl.SamplerLinear
						want := run(interp.Reference, s, 0.375)
						for _, lv := range levels() {
							if got := run(New(Options{Level: lv, Panics: true}), s, 0.375); !bytes.Equal(got, want) {
								t.Errorf("%s of %v, %v, sampler %#x, %s: results differ from the reference executor", x.kernel, f, fmt.Sprint(size), uint32(s), lv.Name)
							}
						}
					}
				}
			}
		}
	}
}
