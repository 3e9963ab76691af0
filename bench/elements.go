//go:build linux

package bench

// Sizes of the rows of single elements: nearElements fit the caches of two cores, farBytes exceed every cache.
const (
	nearElements  = 1 << 18
	farBytes      = 64 << 20
	smallElements = 1 << 10
)

// elementRows returns the rows of elements.cl: one work-item, one element of the result.
func elementRows() []*Row {
	floats := func(n int) Arg { return in(n, between[float32](-100, 100)) }
	positive := func(n int) Arg { return in(n, between[float32](0.01, 100)) }
	accumulated := func(n int) Arg { return inout(n, between[float32](-100, 100)) }
	// of returns a row whose units are elements; args returns the arguments for n of them.
	of := func(name string, class *Class, kernel, reference string, full int, args func(n int) []Arg) *Row {
		return &Row{Name: name, Class: class, File: "elements.cl", Kernel: kernel, Reference: reference, Full: full, Small: smallElements,
			Case: func(n int) Case { return Case{Global: []int{n}, Units: n, Args: args(n)} }}
	}
	// wide sets how many of the reference's units a work-item does.
	wide := func(lanes int, r *Row) *Row {
		inner := r.Case
		r.Case = func(n int) Case {
			c := inner(n)
			c.Units *= lanes
			return c
		}
		return r
	}
	return []*Row{
		of("absolute", Bits, "absolute", "absolute", nearElements, func(n int) []Arg { return []Arg{out[float32](n), floats(n)} }),
		wide(4, of("select_less4", Bits, "select_less4", "select_less", nearElements/4, func(n int) []Arg {
			return []Arg{out[float32](4 * n), floats(4 * n), in(4*n, between[float32](-50, 50))}
		})),
		wide(4, of("blend4", Bits, "blend4", "blend", nearElements/4, func(n int) []Arg {
			return []Arg{out[float32](4 * n), floats(4 * n), floats(4 * n), float(10)}
		})),
		of("exponent", Bits, "exponent", "exponent", nearElements, func(n int) []Arg { return []Arg{out[int32](n), positive(n)} }),
		of("sort_key", Bits, "sort_key", "sort_key", nearElements, func(n int) []Arg { return []Arg{out[uint32](n), floats(n)} }),
		of("inverse_root", Bits, "inverse_root", "inverse_root", nearElements, func(n int) []Arg { return []Arg{out[float32](n), positive(n), integer(4)} }),
		of("rgb565", Bits, "rgb565", "rgb565", nearElements, func(n int) []Arg { return []Arg{out[uint16](n), in(4*n, random[uint8])} }),
		of("popcount_clz_rotate", Bits, "bits", "bits", nearElements, func(n int) []Arg { return []Arg{out[uint32](n), in(n, random[uint32])} }),
		of("morton", Bits, "morton", "morton", nearElements, func(n int) []Arg { return []Arg{out[uint32](n), in(2*n, random[uint16])} }),

		of("bgra", Swizzle, "bgra", "bgra", nearElements, func(n int) []Arg { return []Arg{out[uint8](4 * n), in(4*n, random[uint8])} }),
		wide(4, of("bgra16", Swizzle, "bgra16", "bgra", nearElements/4, func(n int) []Arg { return []Arg{out[uint8](16 * n), in(16*n, random[uint8])} })),
		of("transpose4", Swizzle, "transpose4", "transpose4", nearElements/16, func(n int) []Arg { return []Arg{out[float32](16 * n), floats(16 * n)} }),
		of("quaternion", Swizzle, "quaternion", "quaternion", nearElements/4, func(n int) []Arg { return []Arg{out[float32](4 * n), floats(4 * n), floats(4 * n)} }),
		of("complex_multiply", Swizzle, "complex_multiply", "complex_multiply", nearElements/2, func(n int) []Arg {
			return []Arg{out[float32](2 * n), floats(2 * n), floats(2 * n)}
		}),
		of("deinterleave", Swizzle, "deinterleave", "deinterleave", nearElements/8, func(n int) []Arg {
			return []Arg{out[float32](4 * n), out[float32](4 * n), floats(8 * n)}
		}),
		of("cross4", Swizzle, "cross4", "cross", nearElements/4, func(n int) []Arg { return []Arg{out[float32](4 * n), floats(4 * n), floats(4 * n)} }),
		of("planar", Swizzle, "planar", "planar", nearElements, func(n int) []Arg {
			return []Arg{out[uint8](n), out[uint8](n), out[uint8](n), in(4*n, random[uint8])}
		}),
		of("packed3", Swizzle, "packed3", "packed3", nearElements/4, func(n int) []Arg { return []Arg{out[float32](3 * n), floats(3 * n), float(1.5)} }),
		of("matrix_vector", Swizzle, "matrix_vector", "matrix_vector", nearElements/4, func(n int) []Arg {
			return []Arg{out[float32](4 * n), floats(4 * n), floats(16)}
		}),

		of("saxpy_near", Saxpy, "saxpy", "saxpy", nearElements/2, func(n int) []Arg { return []Arg{accumulated(n), floats(n), float(0.5)} }),
		of("saxpy", Saxpy, "saxpy", "saxpy", farBytes/4, func(n int) []Arg { return []Arg{accumulated(n), floats(n), float(0.5)} }),
		wide(4, of("saxpy4", Saxpy, "saxpy4", "saxpy", farBytes/16, func(n int) []Arg { return []Arg{accumulated(4 * n), floats(4 * n), float(0.5)} })),
		of("triad_near", Saxpy, "triad", "triad", nearElements/2, func(n int) []Arg { return []Arg{out[float32](n), floats(n), floats(n), float(0.5)} }),
		of("triad", Saxpy, "triad", "triad", farBytes/4, func(n int) []Arg { return []Arg{out[float32](n), floats(n), floats(n), float(0.5)} }),
		of("daxpy", Saxpy, "daxpy", "daxpy", farBytes/8, func(n int) []Arg {
			return []Arg{inout(n, between[float64](-1, 1)), in(n, between[float64](-1, 1)), float(0.5)}
		}),
		of("copy", Saxpy, "copy", "copy", farBytes/4, func(n int) []Arg { return []Arg{out[uint32](n), in(n, random[uint32])} }),
		of("fill", Saxpy, "fill", "fill", farBytes/4, func(n int) []Arg { return []Arg{out[float32](n), float(1.5)} }),
	}
}
