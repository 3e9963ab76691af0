//go:build linux

package bench

import "math/rand/v2"

// Sizes of work-groups in groups.cl.
const (
	group = 256
	tile  = 16
)

// groupRows returns the rows of groups.cl.
func groupRows() []*Row {
	of := func(class *Class, name string, full, small int, launch func(n int) Case) *Row {
		return &Row{Name: name, Class: class, File: "groups.cl", Kernel: name, Reference: name, Full: full, Small: small, Case: launch}
	}
	floats := func(n int) Arg { return in(n, between[float32](-1, 1)) }
	uints := func(n int) Arg { return in(n, random[uint32]) }
	// groups returns a launch of n work-groups, a unit for each.
	groups := func(n int, args ...Arg) Case {
		return Case{Global: []int{n * group}, Local: []int{group}, Units: n, Args: args}
	}
	matrices := func(n int) []Arg { return []Arg{out[float32](n * n), floats(n * n), floats(n * n), integer(n)} }
	products := func(n int) int { return 2 * n * n * n }
	return []*Row{
		by("openblas_sgemm", flops(products, of(Matmul, "matmul_naive", 512, 64, func(n int) Case { return Case{Global: []int{n, n}, Units: n, Args: matrices(n)} }))),
		by("openblas_dgemm", precise(Double, flops(products, of(Matmul, "matmul_double", 256, 64, func(n int) Case {
			doubles := in(n*n, between[float64](-1, 1))
			return Case{Global: []int{n, n}, Units: n, Args: []Arg{out[float64](n * n), doubles, doubles, integer(n)}}
		})))),
		by("openblas_sgemm", flops(products, of(Matmul, "matmul_tiled", 512, 64, func(n int) Case {
			return Case{Global: []int{n, n}, Local: []int{tile, tile}, Units: n / tile, Args: matrices(n)}
		}))),
		by("openblas_sgemm", flops(products, of(Matmul, "matmul_rows4", 512, 64, func(n int) Case { return Case{Global: []int{n, n / 4}, Units: n / 4, Args: matrices(n)} }))),

		of(Local, "reduce_float", 1<<12, 16, func(n int) Case { return groups(n, out[float32](n), floats(n*group)) }),
		of(Local, "reduce_uint", 1<<9, 4, func(n int) Case { return groups(n, out[uint32](n), uints(16*n*group)) }),
		of(Local, "scan", 1<<12, 16, func(n int) Case { return groups(n, out[uint32](n*group), uints(n*group)) }),
		of(Local, "bitonic", 1<<11, 16, func(n int) Case { return groups(n, out[uint32](n*group), uints(n*group)) }),
		of(Local, "transpose_tiled", 1024, 64, func(n int) Case {
			return Case{Global: []int{n, n}, Local: []int{tile, tile}, Units: n / tile, Args: []Arg{out[float32](n * n), floats(n * n), integer(n)}}
		}),
		of(Local, "blur_local", 1<<12, 16, func(n int) Case {
			const radius = 8
			return groups(n, out[float32](n*group), floats(n*group+2*radius), integer(radius))
		}),

		of(Atomic, "histogram_local", 1<<9, 16, func(n int) Case {
			const each = 64
			return groups(n, out[uint32](256), in(n*each*group, random[uint8]), integer(each))
		}),
		of(Atomic, "histogram_global", 1<<20, 1<<10, func(n int) Case {
			return Case{Global: []int{n}, Units: n, Args: []Arg{out[uint32](1 << 16), in(n, random[uint16])}}
		}),
		of(Atomic, "histogram_levels", 1<<20, 1<<12, func(n int) Case {
			return Case{Global: []int{n}, Units: n, Args: []Arg{out[int32](17), in(n, quiet)}}
		}),
		of(Atomic, "histogram_skewed", 1<<9, 16, func(n int) Case {
			const each = 48
			return groups(n, out[uint32](64), in(n*each*group, quiet), integer(each))
		}),
		of(Atomic, "count_above", 1<<20, 1<<10, func(n int) Case {
			return Case{Global: []int{n}, Units: n, Args: []Arg{out[uint32](1), floats(n), float(0.25)}}
		}),
		of(Atomic, "maximum", 1<<20, 1<<10, func(n int) Case {
			return Case{Global: []int{n}, Units: n, Args: []Arg{out[uint32](1), uints(n)}}
		}),
	}
}

// quiet returns a sample near 0, except for one of 32.
func quiet(r *rand.PCG, i int) int16 {
	x := int16(r.Uint64())
	if i%32 != 7 {
		x >>= 10
	}
	return x
}
