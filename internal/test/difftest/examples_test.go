package difftest

import (
	"path/filepath"
	"testing"
)

// examples are launches of the kernels of the examples' programs.
var examples = []struct{ file, header string }{
	{"filter/filter.cl", `// run: kernel=convolve global=37,11
// arg: src uchar4[407] = rand(1)
// arg: dst uchar4[407] =
// arg: width int 37
// arg: height int 11
// arg: weights float[25] = rand(2)
// arg: radius int 2
// run: kernel=convolve_careless global=37,11
// arg: src uchar4[407] = rand(3)
// arg: dst uchar4[407] =
// arg: width int 37
// arg: weights float[9] = rand(4)
`},
	{"gpus/gpus.cl", `// run: kernel=pull global=40
// arg: out float4[40] =
// arg: pos float4[64] = rand(1)
// arg: n int 64
// arg: first int 24
`},
	{"histogram/histogram.cl", `// run: kernel=histogram global=256 local=64
// arg: data uchar[1000] = rand(1)
// arg: n uint 1000
// arg: counts uint[256] =
`},
	{"mandelbrot/mandelbrot.cl", `// run: kernel=mandelbrot global=61,20
// arg: image uchar4[1220] =
// arg: centre float2 (-0.5,0.1)
// arg: scale float 0.05
// arg: limit int 100
`},
	{"nbody/nbody.cl", `// run: kernel=step global=48 local=16
// arg: pos float4[48] = rand(1)
// arg: next float4[48] =
// arg: vel float4[48] = rand(2)
// arg: n uint 48
// arg: dt float 0.01
// arg: softening float 0.001
// arg: tile local 256
`},
	{"reduction/reduction.cl", `// run: kernel=sum global=96 local=32
// arg: x float[90] = rand(1)
// arg: partial float[3] =
// arg: n uint 90
// arg: tmp local 128
`},
	{"rotate/rotate.cl", `// run: kernel=rotate_image global=20,12
// arg: src image2d RGBA UNORM_INT8 20x12 = rand(1)
// arg: dst image2d RGBA UNORM_INT8 20x12 =
// arg: angle float 0.4
// arg: zoom float 1.5
`},
	{"saxpy/saxpy.cl", `// run: kernel=saxpy global=1000
// arg: y float[1000] = rand(1)
// arg: x float[1000] = rand(2)
// arg: a float 1.5
`},
}

// TestExamples runs the kernels of all examples on all executors. Some examples read out of bounds on purpose.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../../examples/*/*.cl")
	if err != nil || len(files) != len(examples) {
		t.Errorf("%d examples have kernels, %d are known here: %v", len(files), len(examples), err)
	}
	for _, c := range exampleCases(t) {
		sameCase(t, c.Kernel, c, Options{Executors: MachineExecutors()})
	}
}
