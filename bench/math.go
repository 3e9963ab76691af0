//go:build linux

package bench

// Tolerances, relative: of functions for which the standard allows 4 ulp (sin, cos, exp: OpenCL C, "Relative Error
// as ULPs") and of results computed from them.
const (
	ulps   = 1e-6
	ulps64 = 1e-14
	priced = 1e-4
)

// mathRows returns the rows of math.cl and hash.cl. Work-items and units are elements.
func mathRows() []*Row {
	of := func(class *Class, file, name, reference string, full, lanes int, tolerance float64, args func(n int) []Arg) *Row {
		return &Row{Name: name, Class: class, File: file, Kernel: name, Reference: reference, Tolerance: tolerance, Full: full, Small: smallElements,
			Case: func(n int) Case { return Case{Global: []int{n}, Units: n * lanes, Args: args(n)} }}
	}
	// function returns a row of a function with one argument.
	function := func(name, typ, f, reference string, n, lanes int, tolerance float64, args func(n int) []Arg) *Row {
		r := of(Math, "math.cl", name, reference, n, lanes, tolerance, args)
		r.Kernel, r.Options = "function", "-DTYPE="+typ+" -DFUNCTION="+f
		return r
	}
	one := func(name, f string, lo, hi float64) *Row {
		return function(name, "float", f, name, nearElements, 1, ulps, func(n int) []Arg { return []Arg{out[float32](n), in(n, between[float32](lo, hi))} })
	}
	one64 := func(name, f string, lo, hi float64) *Row {
		return function(name, "double", f, name, nearElements/2, 1, ulps64, func(n int) []Arg { return []Arg{out[float64](n), in(n, between[float64](lo, hi))} })
	}
	hash := func(name string, full int, args func(n int) []Arg) *Row {
		return of(Hash, "hash.cl", name, name, full, 1, 0, args)
	}
	bodies := func(n int) []Arg {
		return []Arg{out[float32](4 * n), in(4*n, between[float32](0.1, 1)), integer(n), float(0.01)}
	}
	const perPair = 18 // floating-point operations
	pairs := func(n int) int { return perPair * n * n }
	return []*Row{
		flops(pairs, of(Physics, "math.cl", "nbody", "nbody", 1<<12, 1, 0, bodies)),
		flops(pairs, of(Physics, "math.cl", "nbody_global", "nbody", 1<<12, 1, 0, bodies)),
		of(Physics, "math.cl", "black_scholes", "black_scholes", nearElements/4, 1, priced, func(n int) []Arg {
			return []Arg{out[float32](n), out[float32](n), in(n, between[float32](5, 30)), in(n, between[float32](1, 100)), in(n, between[float32](0.25, 10)), float(0.02), float(0.3)}
		}),
		of(Physics, "math.cl", "horner", "horner", nearElements, 1, 0, func(n int) []Arg { return []Arg{out[float32](n), in(n, between[float32](-1, 1))} }),
		of(Physics, "math.cl", "normalize4", "normalize", nearElements/4, 1, 0, func(n int) []Arg { return []Arg{out[float32](4 * n), in(4*n, between[float32](0.1, 1))} }),

		one("sine", "sin", -100, 100), one("cosine", "cos", -100, 100), one("exponential", "exp", -20, 5), one("logarithm", "log", 0.001, 1000),
		one("arc_tangent", "atan", -10, 10), one("hyperbolic_tangent", "tanh", -3, 3), one("root", "sqrt", 0, 100),
		function("sine4", "float4", "sin", "sine", nearElements/4, 4, ulps, func(n int) []Arg { return []Arg{out[float32](4 * n), in(4*n, between[float32](-100, 100))} }),
		one64("sine_double", "sin", -100, 100), one64("exponential_double", "exp", -20, 5),
		of(Math, "math.cl", "power", "power", nearElements/2, 1, ulps, func(n int) []Arg {
			return []Arg{out[float32](n), in(n, between[float32](0.1, 10)), in(n, between[float32](-3, 3))}
		}),
		of(Math, "math.cl", "rotate_points", "rotate_points", nearElements/2, 1, ulps, func(n int) []Arg {
			return []Arg{out[float32](2 * n), in(2*n, between[float32](-1, 1)), in(n, between[float32](-10, 10))}
		}),

		hash("md5", 1<<17, func(n int) []Arg { return []Arg{out[uint32](4 * n)} }),
		hash("sha256", 1<<16, func(n int) []Arg { return []Arg{out[uint32](n)} }),
		hash("xorshift", 1<<17, func(n int) []Arg { return []Arg{out[uint32](n), integer(100)} }),
		hash("philox", 1<<18, func(n int) []Arg { return []Arg{out[uint32](4 * n), integer(12345)} }),
		hash("fnv", 1<<17, func(n int) []Arg { return []Arg{out[uint32](n), in(64*n, random[uint8])} }),
	}
}
