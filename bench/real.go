//go:build linux

package bench

import (
	"math"
	"math/rand/v2"
	"slices"
)

// realRows returns the rows of real.cl: kernels of PolyBench, Rodinia, SHOC and NVIDIA's samples.
func realRows() []*Row {
	return slices.Concat(polybenchRows(), rodiniaRows(), shocRows(), sampleRows())
}

func suite(name string, full, small int, launch func(n int) Case) *Row {
	return &Row{Name: name, Class: Real, File: "real.cl", Kernel: name, Reference: name, Full: full, Small: small, Case: launch}
}

// inGroups returns a launch of n work-items in groups of group.
func inGroups(n int, args ...Arg) Case {
	return Case{Global: []int{n}, Local: []int{min(n, group)}, Units: n, Args: args}
}

// polybenchRows returns kernels of PolyBench's OpenCL version. Matrices have rows of a power of two, as there.
func polybenchRows() []*Row {
	matrix := func(n int) Arg { return inout(n*n, between[float32](-1, 1)) }
	vector := func(n int) Arg { return inout(n, between[float32](-1, 1)) }
	// The factors are so small that repeated eliminations change the matrices little.
	factors := func(n int) Arg { return in(n*n, between[float32](-0.001, 0.001)) }
	eliminated := func(n int) Case {
		return inGroups(n, matrix(n), inout(n*n, between[float32](8, 12)), factors(n), integer(n))
	}
	squares := func(n int) int { return 2 * n * n }
	return []*Row{
		flops(func(n int) int { return 6 * n * n * n }, suite("syr2k", 512, 64, func(n int) Case {
			return Case{Global: []int{n, n}, Local: []int{32, 8}, Units: n / 16, Args: []Arg{matrix(n), floatsIn(n * n), floatsIn(n * n), float(0.75), float(0.5), integer(n), integer(n)}}
		})),
		suite("adi_rows", 1024, 64, eliminated),
		suite("adi_back", 1024, 64, func(n int) Case {
			return inGroups(n, matrix(n), factors(n), in(n*n, between[float32](0.9999, 1.0001)), integer(n))
		}),
		suite("adi_columns", 1024, 64, eliminated),
		flops(squares, suite("gemver_columns", 2048, 64, func(n int) Case {
			return inGroups(n, vector(n), floatsIn(n*n), floatsIn(n), floatsIn(n), float(0.75), integer(n))
		})),
		flops(squares, suite("mvt_rows", 2048, 64, func(n int) Case { return inGroups(n, vector(n), floatsIn(n*n), floatsIn(n), integer(n)) })),
		suite("gramschmidt", 1024, 64, func(n int) Case {
			unit := math.Sqrt(3 / float64(n)) // columns of q have a length of about 1
			k := n/4 - 1
			c := inGroups(n-k-1, matrix(n), out[float32](n*n), in(n*n, between[float32](-unit, unit)), integer(k), integer(n), integer(n))
			c.Local = []int{(n - k - 1) / 3}
			return c
		}),
		flops(func(n int) int { return n * n * n }, suite("correlation", 512, 64, func(n int) Case {
			return inGroups(n, out[float32](n*n), floatsIn(n*n), integer(n), integer(n))
		})),
	}
}

// beside returns the indices of the neighbours that are step away from each of n, within the border.
func beside(n, step int) Arg {
	return in(n, func(_ *rand.PCG, i int) int32 { return int32(min(max(i+step, 0), n-1)) })
}

// rodiniaRows returns kernels of Rodinia.
func rodiniaRows() []*Row {
	return []*Row{
		suite("hotspot", 512, 32, func(n int) Case {
			const steps, inner = 2, tile - 2*2
			groups := (n + inner - 1) / inner
			return Case{Global: []int{groups * tile, groups * tile}, Local: []int{tile, tile}, Units: n, Args: []Arg{
				integer(steps), in(n*n, between[float32](0, 0.001)), in(n*n, between[float32](320, 340)), out[float32](n * n),
				integer(n), integer(n), integer(steps), integer(steps), float(0.5), float(10), float(8), float(5), float(0.25),
			}}
		}),
		suite("srad", 458, 32, func(n int) Case {
			rows := n + 44
			size := rows * n
			results := []Arg{out[float32](size), out[float32](size), out[float32](size), out[float32](size), out[float32](size)}
			inputs := []Arg{in(size, between[float32](1, math.E)), beside(rows, -1), beside(rows, 1), beside(n, 1), beside(n, -1)}
			numbers := []Arg{integer(rows), integer(n), integer(size), float(0.05)}
			return Case{Global: []int{(size + group - 1) / group * group}, Local: []int{group}, Units: n, Args: slices.Concat(results, inputs, numbers)}
		}),
		suite("needle", 128, 4, func(n int) Case {
			columns := n*tile + 1
			scores := func(r *rand.PCG, _ int) int32 { return int32(r.Uint64()%21) - 10 }
			return Case{Global: []int{n * tile}, Local: []int{tile}, Units: n, Args: []Arg{inout(columns*columns, scores), in(columns*columns, scores), integer(columns), integer(10), integer(n)}}
		}),
		flops(func(n int) int { return 2 * tile * (n - tile) * (n - tile) }, suite("lud_internal", 1024, 64, func(n int) Case {
			return Case{Global: []int{n - tile, n - tile}, Local: []int{tile, tile}, Units: n/tile - 1, Args: []Arg{inout(n*n, between[float32](-1, 1)), integer(n), integer(0)}}
		})),
	}
}

// shocRows returns kernels of SHOC.
func shocRows() []*Row {
	const reactions, species, corrected = 72, 22, 10
	const chemical = 1e-5 // the relative tolerance of rates, which amplify the errors of logarithms
	loose := func(tolerance float64, r *Row) *Row {
		r.Tolerance = tolerance
		return r
	}
	temperatures := func(n int) Arg { return in(n, between[float32](0.5, 2.5)) }
	some := func(n int) Arg { return in(n, between[float32](0.1, 1)) }
	return []*Row{
		flops(func(n int) int { return n * 2 * group * 12 }, suite("stencil2d", 512, 32, func(n int) Case {
			const perItem, columns, alignment = 8, 2 * group, 16
			const pitch = (columns + 2 + alignment - 1) / alignment * alignment
			return Case{Global: []int{n / perItem, columns}, Local: []int{1, group}, Units: n, Args: []Arg{
				floatsIn((n + 2) * pitch), out[float32]((n + 2) * pitch), integer(alignment), float(0.25), float(0.125), float(0.0625),
			}, More: []Arg{integer(columns)}}
		})),
		suite("lennard_jones", 1<<12, 512, func(n int) Case {
			const neighbours = 64
			another := in(n*neighbours, func(r *rand.PCG, i int) int32 { return int32((i + 1 + int(r.Uint64()%uint64(n-1))) % n) })
			return inGroups(n, out[float32](4*n), in(4*n, between[float32](0, 20)), integer(neighbours), another, float(200), float(1.5), float(2), integer(n))
		}),
		loose(chemical, suite("s3d_rates", 1<<12, 512, func(n int) Case {
			return inGroups(n, out[float32](reactions*n), temperatures(n), float(1000), integer(n))
		})),
		loose(chemical, suite("s3d_falloff", 1<<12, 512, func(n int) Case {
			return inGroups(n, out[float32](corrected*n), out[float32](corrected*n), temperatures(n), some(species*n), some(corrected*n), some(corrected*n), some(corrected*n), float(1000), integer(n))
		})),
	}
}

// sampleRows returns kernels of NVIDIA's samples.
func sampleRows() []*Row {
	return []*Row{
		suite("dct8x8", 1024, 64, func(n int) Case {
			return Case{Global: []int{n, n / 8}, Local: []int{32, 2}, Units: n / 8, Args: []Arg{out[float32](n * n), floatsIn(n * n), integer(n), integer(n), integer(n)}}
		}),
		flops(func(n int) int { return n * n * 34 }, suite("convolve_rows", 1024, 128, func(n int) Case {
			return Case{Global: []int{n / 8, n}, Local: []int{16, 4}, Units: n, Args: []Arg{out[float32](n * n), floatsIn(n * n), floatsIn(17), integer(n), integer(n), integer(n)}}
		})),
	}
}
