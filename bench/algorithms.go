//go:build linux

package bench

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// algorithmRows returns the rows of algorithms.cl.
func algorithmRows() []*Row {
	return slices.Concat(rowKernels(), cooperatingRows(), stepRows())
}

func algorithm(class *Class, name string, full, small int, launch func(n int) Case) *Row {
	return &Row{Name: name, Class: class, File: "algorithms.cl", Kernel: name, Reference: name, Full: full, Small: small, Case: launch}
}

// flops sets a row's number of floating-point operations, for size n.
func flops(count func(n int) int, r *Row) *Row {
	r.Operations = count
	return r
}

// precise sets the type of a row's operations.
func precise(p Precision, r *Row) *Row {
	r.Precision = p
	return r
}

// eachOf returns a launch of n work-items, groupsOf one of n work-groups.
func eachOf(n int, args ...Arg) Case { return Case{Global: []int{n}, Units: n, Args: args} }
func groupsOf(n int, args ...Arg) Case {
	return Case{Global: []int{n * group}, Local: []int{group}, Units: n, Args: args}
}

func floatsIn(n int) Arg { return in(n, between[float32](-1, 1)) }
func uintsIn(n int) Arg  { return in(n, random[uint32]) }

// rowKernels returns kernels whose work-items each access a row.
func rowKernels() []*Row {
	const length = 160 // of rows
	dots := func(n int) int { return 2 * n * length }
	products := func(n int) int { return 2 * n * n * n }
	factors := func(n int) []Arg { return []Arg{out[float32](n * n), floatsIn(n * n), floatsIn(n * n), integer(n)} }
	return []*Row{
		flops(dots, algorithm(RowWalks, "row_dot_float", 1<<11, 64, func(n int) Case {
			return eachOf(n, out[float32](n), floatsIn(n*length), floatsIn(n*length), integer(length))
		})),
		precise(Half, flops(dots, algorithm(RowWalks, "row_dot_half", 1<<12, 64, func(n int) Case {
			return eachOf(n, out[float32](n), in(n*length, halfs), in(length, halfs), integer(length))
		}))),
		algorithm(RowWalks, "row_dot_char", 1<<12, 64, func(n int) Case {
			return eachOf(n, out[int32](n), in(n*length, random[int8]), in(n*length, random[int8]), integer(length))
		}),
		algorithm(RowWalks, "row_dot_short", 1<<12, 64, func(n int) Case {
			return eachOf(n, out[int32](n), in(n*length, between[int16](-1000, 1000)), in(length, between[int16](-1000, 1000)), integer(length))
		}),
		algorithm(RowWalks, "row_prefix", 1<<11, 64, func(n int) Case {
			return eachOf(n, out[float32](n*length), floatsIn(n*length), integer(length))
		}),
		by("openblas_sgemm", flops(products, algorithm(RowWalks, "matmul_row", 256, 64, func(n int) Case { return eachOf(n, factors(n)...) }))),
		by("openblas_sgemm_transposed", flops(products, algorithm(RowWalks, "matmul_transposed", 256, 64, func(n int) Case {
			return Case{Global: []int{n, n}, Units: n / 16, Args: factors(n)}
		}))),
	}
}

// cooperatingRows returns kernels whose work-items cooperate in many steps.
func cooperatingRows() []*Row {
	sort := algorithm(Cooperating, "odd_even_merge", 1<<9, 8, func(n int) Case { return groupsOf(n, out[uint32](n*group), uintsIn(n*group)) })
	sort.Reference = "bitonic" // any sort is a fair reference
	return []*Row{
		sort,
		algorithm(Cooperating, "argmin", 1<<11, 8, func(n int) Case { return groupsOf(n, out[float32](n), out[int32](n), floatsIn(n*group)) }),
		algorithm(Cooperating, "segmented_scan", 1<<10, 8, func(n int) Case {
			return groupsOf(n, out[int32](n*group), in(n*group, random[int32]), in(n*group, random[uint8]))
		}),
		algorithm(Cooperating, "radix_pass", 1<<9, 8, func(n int) Case { return groupsOf(n, out[uint32](n*group), uintsIn(n*group), integer(8)) }),
		by("fftw_256", flops(func(n int) int { return n * 256 * 34 }, algorithm(Cooperating, "fft_radix4", 1<<9, 8, func(n int) Case {
			const points = 256
			return Case{Global: []int{n * points / 4}, Local: []int{points / 4}, Units: n, Args: []Arg{out[float32](2 * points * n), floatsIn(2 * points * n), in(2*points, rootOfOne)}}
		}))),
		flops(func(n int) int { return n * 256 * 8 * 5 }, algorithm(Cooperating, "heat_steps", 1<<10, 8, func(n int) Case {
			const inner = group - 16
			return groupsOf(n, out[float32](n*inner), floatsIn(n*inner+16), float(0.2))
		})),
		algorithm(Cooperating, "marching_squares", 512, 16, func(n int) Case {
			const w = 2 * group
			return Case{Global: []int{w, n}, Local: []int{group, 1}, Units: 2 * n, Args: []Arg{out[uint32](n * w), out[uint32](2 * n), floatsIn((n+2)*w + 1), integer(w), float(0.25)}, More: []Arg{integer(2)}}
		}),
	}
}

// stepRows returns steps of algorithms that programs run repeatedly.
func stepRows() []*Row {
	return []*Row{
		algorithm(Steps, "spmv_csr", 1<<14, 256, func(n int) Case {
			const most = 24 // numbers in a row
			return eachOf(n, out[float64](n), in(n+1, rising[uint32](most)), in(n*most, index[uint16](n)), in(n*most, between[float64](-1, 1)), in(n, between[float64](-1, 1)))
		}),
		algorithm(Steps, "spmv_ell", 1<<14, 256, func(n int) Case {
			const width = 9
			c := eachOf(n, out[float32](n), in(n*width, index[int32](n)), floatsIn(n*width), floatsIn(n), integer(width))
			c.More = []Arg{integer(n)}
			return c
		}),
		by("openblas_dger", precise(Double, flops(func(n int) int { return 2 * (n - 33) * (n - 33) }, algorithm(Steps, "lu_step", 513, 65, func(n int) Case {
			const k = 32
			return Case{Global: []int{n - k - 1, n - k - 1}, Units: n - k - 1, Args: []Arg{inout(n*n, between[float64](-1, 1)), integer(n), integer(k)}}
		})))),
		flops(func(n int) int { return n * 24 * 8 }, algorithm(Steps, "k_means", 1<<16, smallElements, func(n int) Case {
			return eachOf(n, out[uint8](n), floatsIn(n), floatsIn(n), floatsIn(n), floatsIn(3*24))
		})),
		algorithm(Steps, "floyd_warshall", 1000, 50, func(n int) Case {
			return Case{Global: []int{n, n}, Units: n, Args: []Arg{out[int32](n * n), in(n*n, index[int32](1<<20)), integer(n), integer(n / 3)}}
		}),
		algorithm(Steps, "queens", 12, 6, func(n int) Case { return eachOf(n*n, out[uint32](n*n), integer(n)) }),
		flops(func(n int) int { return n * n * 110 }, algorithm(Steps, "lattice", 384, 32, func(n int) Case {
			return Case{Global: []int{n, n}, Units: n, Args: []Arg{out[float32](9 * n * n), in(9*n*n, between[float32](0.05, 0.15)), integer(n), integer(n), float(1.2)}}
		})),
	}
}

// halfs returns half-precision numbers in (-1, 1).
func halfs(r *rand.PCG, i int) numeric.Half {
	return numeric.HalfFromFloat64(between[float64](-1, 1)(r, i), numeric.RTE)
}

// rootOfOne returns the real and imaginary parts of the 256th roots of unity, clockwise.
func rootOfOne(_ *rand.PCG, i int) float32 {
	sin, cos := math.Sincos(-2 * math.Pi * float64(i/2) / 256)
	if i%2 == 0 {
		return float32(cos)
	}
	return float32(sin)
}
