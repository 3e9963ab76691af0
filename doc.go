// Package purecl runs OpenCL C kernels from Go, without cgo and without an OpenCL
// installation. It compiles them to machine code for the processor it finds itself on, or
// runs them on a reference executor that works anywhere.
//
//	prog, err := purecl.Compile(source)
//	k, err := prog.Kernel("saxpy")
//	err = k.Run(ctx, purecl.Range(len(y)), y, x, 2.0) // slices are used in place
//
// A kernel cannot touch memory outside the objects that it was given: an access that
// leaves them is a [FaultError] with its position in the source, the work-item and the
// buffer, whatever the kernel does. Launches are safe to run from many goroutines at once,
// and a context cancels them.
//
// # Arguments
//
// A pointer to global or constant memory is a slice, a [Buffer] or nil; a pointer to local
// memory [Local]; a number a Go number; a vector a type of package vec, such as
// vec.Float4; a struct a Go struct with the same fields; an image a picture of Go's
// package image; a sampler a [Sampler]. Go's untyped constants fit any number that can
// hold them.
//
// For a read_only image any picture fits. *image.NRGBA, *image.RGBA and *image.Gray are
// used in place and fit images that kernels write to; kernels see the channels as they lie
// there, premultiplied in *image.RGBA. Others are copied, without premultiplication.
//
// # Devices
//
// [Compile] and [CompileFile] use the default device: that which PURECL_DEVICE names, else
// the processor. [Open] and [Devices] give others. A [Buffer] is memory of a device, and a
// [Stream] work that a device does in order while Go goes on.
//
// # Errors
//
// A program that does not compile is a [BuildError], a kernel that did what it must not a
// [FaultError], an argument that does not fit an [ArgError]; errors.As finds them.
package purecl
