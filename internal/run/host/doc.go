// Package host is OpenCL's object model: devices, contexts, programs, kernels, buffers, images, samplers, queues
// and events, without reference counts. It validates every call, runs commands and reports errors as the
// specification's status codes. Kernels run on the processor (package cpu) or on other devices of package exec.
// Memory objects are in the host's memory, where commands that copy and fill work on them in place. A device with
// memory of its own has copies of them, which copies.go keeps up to date.
//
// Input: the arguments of the host API, as bytes and objects. Output: commands run on memory objects, and
// *APIError, *BuildError or *FaultError.
//
// Invariants: an object is safe for use by several goroutines; a command that waits for a failed event fails with
// ExecStatusErrorForEventsInWaitList.
//
// It must not know of: C, handles and reference counts (icd), the command line.
//
// Start reading at context.go, queue.go and kernel.go.
package host
