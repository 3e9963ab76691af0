//go:build linux

package bench

import "math/rand/v2"

// memoryRows returns the rows of memory.cl.
func memoryRows() []*Row {
	of := func(class *Class, name string, full, small int, launch func(n int) Case) *Row {
		return &Row{Name: name, Class: class, File: "memory.cl", Kernel: name, Reference: name, Full: full, Small: small, Case: launch}
	}
	// each returns a row whose work-items and reference units are elements.
	each := func(class *Class, name string, full int, args func(n int) []Arg) *Row {
		return of(class, name, full, smallElements, func(n int) Case { return Case{Global: []int{n}, Units: n, Args: args(n)} })
	}
	floats := func(n int) Arg { return in(n, between[float32](-1, 1)) }
	bytes := func(n int) Arg { return in(n, random[uint8]) }
	transpose := func(name string, full int) *Row {
		row := of(Gather, "transpose_naive", full, 64, func(n int) Case {
			return Case{Global: []int{n, n}, Units: n / 16, Args: []Arg{out[float32](n * n), floats(n * n), integer(n)}}
		})
		row.Name = name
		return row
	}
	return []*Row{
		each(Gather, "gather", nearElements, func(n int) []Arg { return []Arg{out[float32](n), floats(n / 4), in(n, index[uint32](n/4))} }),
		{Name: "gather_far", Class: Gather, File: "memory.cl", Kernel: "gather", Reference: "gather", Full: farBytes / 4, Small: smallElements,
			Case: func(n int) Case {
				return Case{Global: []int{n / 4}, Units: n / 4, Args: []Arg{out[float32](n / 4), floats(n), in(n/4, index[uint32](n))}}
			}},
		each(Gather, "scatter", nearElements, func(n int) []Arg { return []Arg{out[float32](n), floats(n), in(n, permuted)} }),
		each(Gather, "lookup_uchar", 4*nearElements, func(n int) []Arg { return []Arg{out[uint8](n), bytes(n), bytes(256)} }),
		each(Gather, "interpolate", nearElements, func(n int) []Arg {
			return []Arg{out[float32](n), in(n, between[float32](0, 1)), floats(1024), integer(1024)}
		}),
		each(Gather, "strided4", nearElements/4, func(n int) []Arg { return []Arg{out[float32](n), floats(4 * n)} }),
		of(Gather, "half_size", 2048, 64, func(n int) Case {
			return Case{Global: []int{n / 2, n / 2}, Units: n / 2, Args: []Arg{out[uint8](n / 2 * n / 2), bytes(n * n), integer(n)}}
		}),
		each(Gather, "structures", nearElements/4, func(n int) []Arg { return []Arg{out[float32](n), particles(n)} }),
		of(Gather, "reverse", nearElements, smallElements, func(n int) Case {
			return Case{Global: []int{n}, Units: n, Args: []Arg{out[float32](n), floats(n)}, More: []Arg{integer(n)}}
		}),
		transpose("transpose_naive", 1024),
		transpose("transpose_512", 512), // rows whose columns meet in a few sets of the cache, and rows whose do not
		transpose("transpose_528", 528),
		each(Gather, "sparse", 1<<15, func(n int) []Arg {
			const most = 32 // numbers in a row
			return []Arg{out[float32](n), in(n+1, rising[int32](most)), in(n*most, index[int32](n)), floats(n * most), floats(n)}
		}),
		each(Gather, "binary_search", nearElements/4, func(n int) []Arg {
			const table, step = 1 << 12, 1 << 18
			return []Arg{out[int32](n), in(n, index[uint32](table*step)), in(table, rising[uint32](2*step)), integer(table)}
		}),
		of(Gather, "private_histogram", 1<<14, smallElements, func(n int) Case {
			const length = 256
			return Case{Global: []int{n}, Units: n, Args: []Arg{out[uint32](n), bytes(n * length), integer(length)}, More: []Arg{integer(n)}}
		}),

		of(Dot, "dot_char4", 1<<12, smallElements, func(n int) Case {
			const length = 256
			return Case{Global: []int{n}, Units: n, Args: []Arg{out[int32](n), in(4*n*length, random[int8]), in(4*length, random[int8]), integer(length)}, More: []Arg{integer(n)}}
		}),
		of(Dot, "dot_short2", 1<<12, smallElements, func(n int) Case {
			const length = 256
			return Case{Global: []int{n}, Units: n, Args: []Arg{out[int32](n), in(2*n*length, between[int16](-1000, 1000)), in(2*length, between[int16](-1000, 1000)), integer(length)}, More: []Arg{integer(n)}}
		}),
		each(Dot, "differences", nearElements/4, func(n int) []Arg { return []Arg{out[uint32](n), bytes(16 * n), bytes(16 * n)} }),
		each(Dot, "average", 4*nearElements, func(n int) []Arg { return []Arg{out[uint8](n), bytes(n), bytes(n)} }),
		each(Dot, "add_saturated", 4*nearElements, func(n int) []Arg { return []Arg{out[uint8](n), bytes(n), bytes(n)} }),
		each(Dot, "multiply_high", 2*nearElements, func(n int) []Arg { return []Arg{out[int16](n), in(n, random[int16]), in(n, random[int16])} }),
	}
}

// permuted returns number i of a permutation. Each block of 64 numbers is mixed. The count of numbers must be a multiple
// of 64.
func permuted(_ *rand.PCG, i int) uint32 {
	// Blocks of 64 are in order. Multiplication by an odd factor permutes each block.
	return uint32(i&^63 | i*37&63)
}

// rising returns numbers from 0 on, each greater than the last by less than most.
func rising[T int32 | uint32](most int) func(*rand.PCG, int) T {
	var last T
	return func(r *rand.PCG, i int) T {
		if i == 0 {
			last = 0
		} else {
			last += T(r.Uint64() % uint64(most))
		}
		return last
	}
}

// particles returns structures of four floats and two ints, as bytes.
func particles(n int) Arg {
	a := in(6*n, func(r *rand.PCG, i int) float32 {
		if i%6 < 4 {
			return between[float32](-1, 1)(r, i)
		}
		return 0
	})
	fill := a.fill
	a.fill = func(b []byte, seed int) {
		fill(b, seed)
		for i := 0; i < n; i++ {
			b[24*i+20] = byte(i * 7 >> 2)
		}
	}
	return a
}
