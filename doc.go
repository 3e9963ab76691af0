// Package purecl runs OpenCL C kernels from Go, without cgo and without an OpenCL installation. It compiles them to
// machine code for the processor that it runs on. Where it has no compiler for the processor, a reference executor
// runs them.
//
//	prog, err := purecl.Compile(source)
//	k, err := prog.Kernel("saxpy")
//	err = k.Run(ctx, purecl.Range(len(y)), y, x, 2.0) // slices are used in place
//
// A kernel cannot access memory outside the objects that it was given. An access that leaves them is a [FaultError]
// with its position in the source, the work-item and the buffer. Launches are safe to run from many goroutines at
// once, and a context cancels them.
//
// # Arguments
//
// The argument of a pointer to global or constant memory is a slice, a [Buffer] or nil; of a pointer to local
// memory, [Local]; of a number, a Go number; of a vector, a type of package vec, such as vec.Float4; of a struct, a
// Go struct with the same fields; of an image, a picture of Go's package image; of a sampler, a [Sampler]. Go's
// untyped constants fit any number that can hold them.
//
// For a read_only image any picture fits. *image.NRGBA, *image.RGBA and *image.Gray are used in place and fit
// images that kernels write to. Kernels see the channels as they are in memory, premultiplied in *image.RGBA. Other
// pictures are copied, without premultiplication.
//
// # Devices
//
// [Compile] and [CompileFile] use the default device: the one that PURECL_DEVICE names, else the processor. [Open]
// and [Devices] return others. A [Buffer] is memory of a device. A [Stream] is work that a device does in order
// while the Go program continues.
//
// # Errors
//
// The error of a program that does not compile is a [BuildError], that of a kernel's mistake a [FaultError], and
// that of an argument that does not fit an [ArgError]; errors.As finds them.
package purecl
