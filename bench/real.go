//go:build linux

package bench

import "slices"

// realRows returns the rows of real.cl: kernels of PolyBench, Rodinia and SHOC.
func realRows() []*Row {
	return slices.Concat(polybenchRows())
}

func suite(name string, full, small int, launch func(n int) Case) *Row {
	return &Row{Name: name, Class: Real, File: "real.cl", Kernel: name, Reference: name, Full: full, Small: small, Case: launch}
}

// polybenchRows returns kernels of PolyBench's OpenCL version. Matrices have rows of a power of two, as there.
func polybenchRows() []*Row {
	return []*Row{
		flops(func(n int) int { return 6 * n * n * n }, suite("syr2k", 512, 64, func(n int) Case {
			args := []Arg{inout(n*n, between[float32](-1, 1)), floatsIn(n * n), floatsIn(n * n), float(0.75), float(0.5), integer(n), integer(n)}
			return Case{Global: []int{n, n}, Local: []int{32, 8}, Units: n / 16, Args: args}
		})),
	}
}
