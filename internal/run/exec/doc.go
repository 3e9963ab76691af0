// Package exec defines the vocabulary of running kernels, and the interfaces of executors and devices.
//
// An [Executor] turns a kernel in SSA form into [Code], and Code with an [Env] (objects, parameters, index space)
// into an [Execution]: batches of work-items. Package interp, the reference executor, and package jit implement it;
// package launch schedules the batches. The package defines everything on which executors must agree bit for bit
// and word for word: the [FaultMode], the [Finding] and its message, printf, image functions, atomic operations,
// async copies.
//
// A [Device] is a layer above: it compiles a program's code, allocates memory, copies, launches and waits. A
// package that has a device registers it in its init function with [Register]; the processor (package cpu) is the
// first. Package purecl implements everything that is the same on every device.
//
// The package must not know of: OpenCL's object model, OpenCL C, Go values of users, any executor or device.
//
// Start reading at executor.go, then device.go.
package exec
