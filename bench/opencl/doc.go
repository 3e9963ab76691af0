// Package opencl lets benchmarks run their kernels on any OpenCL library, such as PoCL or NVIDIA's.
//
// [Library] is the library, loaded at run time without cgo. [Player] takes turns with package bench's other
// players: it works in place on their shared memory.
package opencl
