//go:build linux

package bench

import (
	"math/rand/v2"
	"slices"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// applicationRows returns the rows of applications.cl.
func applicationRows() []*Row {
	return slices.Concat(hashcatRows(), silxRows(), fluidRows())
}

func application(name string, full, small int, launch func(n int) Case) *Row {
	return &Row{Name: name, Class: Real, File: "applications.cl", Kernel: name, Reference: name, Full: full, Small: small, Case: launch}
}

// hashcatRows returns the loop of hashcat's mode 22000 (WPA).
func hashcatRows() []*Row {
	const words, iterations = 30, 16
	return []*Row{
		application("wpa_loop", 1<<12, 128, func(n int) Case {
			return Case{Global: []int{n}, Local: []int{64}, Units: n, Args: []Arg{inout(words*n, random[uint32]), integer(n), integer(iterations)}}
		}),
	}
}

// silxRows returns convolutions of volumes, as silx does them from buffers and from textures.
func silxRows() []*Row {
	const length, side = 9, 5
	buffers := func(name string) *Row {
		return flops(func(n int) int { return 2 * length * n * n * n }, application(name, 128, 32, func(n int) Case {
			args := []Arg{floatsIn(n * n * n), out[float32](n * n * n), floatsIn(length), integer(length), integer(n), integer(n), integer(n)}
			return Case{Global: []int{n, n, n}, Units: n * n, Args: args}
		}))
	}
	volume := func(n int) Arg { return picture{floats1, [3]int{n, n, n}}.of(floatsIn(n * n * n)) }
	return []*Row{
		buffers("silx_rows"),
		buffers("silx_planes"),
		flops(func(n int) int { return 2 * side * side * side * n * n * n }, application("silx_texture", 64, 16, func(n int) Case {
			return Case{Global: []int{n, n, n}, Units: n * n, Args: []Arg{volume(n), out[float32](n * n * n), volume(side),
				integer(side), integer(side), integer(side), integer(n), integer(n), integer(n)}}
		})),
	}
}

// fluidRows returns a step of FluidX3D's D3Q19 lattice, with float and half in memory. n is the number of layers.
func fluidRows() []*Row {
	const layer, directions = 64 * 64, 19
	step := func(name string, values func(n int) Arg) *Row {
		return flops(func(n int) int { return n * layer * 290 }, application(name, 32, 2, func(n int) Case {
			solid := func(r *rand.PCG, _ int) uint8 { return uint8(1 - min(r.Uint64()%16, 1)) }
			args := []Arg{values(directions * layer * n), in(layer*n, solid), integer(n), float(1.25), integer(1)}
			return Case{Global: []int{layer * n}, Local: []int{64}, Units: n * 64, Args: args}
		}))
	}
	// Values are differences from those of equilibrium.
	deviation := between[float32](-0.001, 0.001)
	half := step("d3q19_half", func(n int) Arg {
		return inout(n, func(r *rand.PCG, i int) numeric.Half {
			return numeric.HalfFromFloat64(float64(deviation(r, i))*(1<<15), numeric.RTE)
		})
	})
	half.Kernel, half.Options = "d3q19", "-DHALF"
	return []*Row{step("d3q19", func(n int) Arg { return inout(n, deviation) }), half}
}
