//go:build linux

package bench

import (
	"math/rand/v2"
	"slices"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/run/image"
)

// applicationRows returns the rows of applications.cl.
func applicationRows() []*Row {
	return slices.Concat(videoRows(), hashcatRows(), silxRows(), fluidRows(), []*Row{nonbondedRow(), gemmRow()})
}

func application(name string, full, small int, launch func(n int) Case) *Row {
	return &Row{Name: name, Class: Real, File: "applications.cl", Kernel: name, Reference: name, Full: full, Small: small, Case: launch}
}

// videoRows returns kernels of ffmpeg's filters nlmeans, unsharp and deshake, for frames of n by n pixels.
func videoRows() []*Row {
	frame := func(f image.Format, n int, a Arg) Arg { return picture{f, [3]int{n, n, 1}}.of(a) }
	gray := image.Format{Order: opencl.OrderR, Type: opencl.UnormInt8}
	input := func(n int) Arg { return frame(gray, n, in(n*n, tiles(n))) }
	shifts := []Arg{integer(1), integer(-7), integer(4), integer(10), integer(0), integer(3), integer(-5), integer(8)}
	weights := application("nlmeans_weights", 960, 64, func(n int) Case {
		const patch, strength = 3, 30
		// Sums of squares of 40 at each pixel, nearly.
		sums := in(4*n*n, func(r *rand.PCG, i int) uint32 { return uint32(i/4%n*(i/4/n)*40) + uint32(r.Uint64()%200) })
		args := []Arg{inout(n*n, between[float32](0, 1)), inout(n*n, between[float32](0, 1)), sums, input(n), integer(n), integer(n), integer(patch), float(strength)}
		return Case{Global: []int{n, n}, Units: n, Args: slices.Concat(args, shifts)}
	})
	weights.Tolerance = priced
	return []*Row{
		application("nlmeans_rows", 960, 64, func(n int) Case {
			return Case{Global: []int{n}, Units: n, Args: slices.Concat([]Arg{out[uint32](4 * n * n), input(n), integer(n), integer(n)}, shifts)}
		}),
		application("nlmeans_columns", 960, 64, func(n int) Case {
			// Some sums exceed 32 bits near the last row.
			rows := in(4*n*n, index[uint32](1<<33/n))
			return Case{Global: []int{n}, Units: n / 16, Args: []Arg{out[uint32](4 * n * n), out[int32](1), rows, integer(n), integer(n)}}
		}),
		weights,
		application("unsharp", 1024, 64, func(n int) Case {
			const size = 5
			coefficients := in(size, between[float32](0.1, 0.3))
			args := []Arg{frame(bytes4, n, out[uint8](4*n*n)), frame(bytes4, n, in(4*n*n, random[uint8])), integer(size), integer(size), float(0.8), coefficients, coefficients}
			return Case{Global: []int{n, n}, Local: []int{16, 16}, Units: n / 16, Args: args, More: []Arg{integer(n)}}
		}),
		application("deshake_harris", 512, 64, func(n int) Case {
			return Case{Global: []int{n, n}, Local: []int{8, 8}, Units: n / 8, Args: []Arg{input(n), out[float32](n * n)}, More: []Arg{integer(n), integer(n)}}
		}),
		application("deshake_brief", 32, 8, func(n int) Case {
			const block, pairs = 32, 512
			features := in(2*n*n, func(r *rand.PCG, i int) float32 {
				if i/2%5 == 3 {
					return -1 // none was found
				}
				at := i / 2 % n
				if i%2 == 1 {
					at = i / 2 / n
				}
				return between[float32](float64(block*at), float64(block*at+block))(r, i)
			})
			pattern := in(4*pairs, between[float32](-15, 15))
			return Case{Global: []int{n, n}, Local: []int{8, 8}, Units: n * n, Args: []Arg{input(block * n), features, out[uint64](8 * n * n), pattern},
				More: []Arg{integer(block * n), integer(block * n)}}
		}),
	}
}

// tiles returns the pixels of an image with rows of n: dark and light tiles with corners, and noise.
func tiles(n int) func(r *rand.PCG, i int) uint8 {
	return func(r *rand.PCG, i int) uint8 {
		return uint8(40 + (i%n/11+i/n/13)%2*160 + int(r.Uint64()%16))
	}
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

// nonbondedRow returns OpenMM's loop over pairs of n blocks of 32 atoms, in an order that it does not sort.
func nonbondedRow() *Row {
	const block, side, groups = 32, 16, 64
	return flops(func(n int) int { return n * (n + 1) / 2 * block * block * 45 }, application("openmm_nonbonded", 64, 8, func(n int) Case {
		var tiles []int32
		for y := range n {
			for x := y; x < n; x++ {
				tiles = append(tiles, int32(x), int32(y))
			}
		}
		count, atoms := len(tiles)/2, n*block
		// An atom is near its place in a cubic lattice.
		position := func(r *rand.PCG, i int) float32 {
			place := [4]int{i / 4 % side, i / 4 / side % side, i / 4 / side / side, 0}[i%4]
			return float32(place) + between[float32](-0.2, 0.2)(r, i)
		}
		parameters := func(r *rand.PCG, i int) float32 { return between[float32](0.3, 0.45)(r, i) }
		included := func(r *rand.PCG, i int) uint32 {
			bits := uint32(0) // each is set in seven of eight cases
			for range 3 {
				bits |= uint32(r.Uint64())
			}
			if t := i / block; tiles[2*t] == tiles[2*t+1] {
				bits &^= 1 << (i % block) // an atom and itself
			}
			return bits
		}
		args := []Arg{out[uint64](3 * atoms), in(4*atoms, position), in(2*atoms, parameters), in(count*block, included),
			in(2*count, func(_ *rand.PCG, i int) int32 { return tiles[i] }), integer(count), integer(atoms), float(side), float(float64(atoms) / (side * side)), float(3)}
		return Case{Global: []int{groups * block}, Local: []int{block}, Units: count, Args: args}
	}))
}

// gemmRow returns CLBlast's product of matrices of n by n, for n that is no multiple of the tiles.
func gemmRow() *Row {
	const tile, items = 32, 8
	return flops(func(n int) int { return 2 * n * n * n }, application("gemm_direct", 300, 44, func(n int) Case {
		c := inout(n*n, between[float32](-1, 1))
		size := integer(n)
		args := []Arg{size, size, size, float(1.5), float(0.5), floatsIn(n * n), integer(0), size, floatsIn(n * n), integer(0), size, c, integer(0), size, integer(0)}
		global := (n + tile - 1) / tile * items
		return Case{Global: []int{global, global}, Local: []int{items, items}, Units: (n + 3) / 4, Args: args}
	}))
}
