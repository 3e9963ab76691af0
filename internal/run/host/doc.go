// Package host is OpenCL's object model: devices, contexts, programs, kernels, buffers,
// images, samplers, queues and events, without reference counts. It
// validates every call, runs commands on launch's executors and reports errors as the
// specification's status codes.
//
// Input: Go values that stand for the arguments of the host API. Output: commands run on
// memory objects, and *APIError, *BuildError or *FaultError.
//
// Invariants: an object is safe for use by several goroutines; a command that waits for a
// failed event fails with ExecStatusErrorForEventsInWaitList.
//
// It must not know of: C, handles and reference counts (icd), the command line.
//
// Beside it, cpu.go is the processor as a device of package exec, and CompileModule compiles
// for any device: package purecl uses these two.
//
// Start reading at context.go, queue.go and kernel.go.
package host
