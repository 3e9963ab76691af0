// Package purecl compiles and runs OpenCL C kernels in pure Go: no driver, no LLVM,
// no cgo. A kernel cannot corrupt its host: every access outside of its memory
// objects is caught and becomes an error with the source line, the work-item and the
// buffer.
//
// The short way is [Compile], [Program.Kernel] and [Kernel.Run], which works on plain
// Go slices, in place:
//
//	prog, err := purecl.Compile(`
//	    kernel void saxpy(global float *y, global const float *x, float a) {
//	        size_t i = get_global_id(0);
//	        y[i] = a * x[i] + y[i];
//	    }`, "")
//	k, err := prog.Kernel("saxpy")
//	err = k.Run(ctx, purecl.Range(len(x)), y, x, 2.0)
//
// Slices of numbers, of the application vector types ([Float4], [Uchar16], …: Table 4.3
// of the OpenCL C data types), of structs of these, and [Buffer] objects can be
// arguments; [LocalMem] gives local memory. Images are [Image] objects or Go's own
// *image.NRGBA and *image.Gray, samplers [SamplerDesc].
//
// For OpenCL's own model there are [Context], [Buffer], [Image], [Queue] and [Event]: commands
// run asynchronously, wait for each other through events, and fail with the status that
// the specification gives.
//
// Conversions and reinterpretations of the application types have the names and exactly
// the meaning that they have in kernels: [ConvertUchar4SatRte], [AsInt4].
//
// Errors work with errors.Is and errors.As: a [*BuildError] carries diagnostics with
// positions, a [*FaultError] what a kernel did wrong, and each has a [Status].
package purecl
