// Package device launches kernels on GPUs: it is a GPU device without its driver.
//
// Input: a [Machine], which is a GPU as its driver presents it: memory, modules of PTX text, streams. Output: an
// exec.Device ([New]), and an executor for tests that compare executors ([Executor]). The package compiles kernels
// to PTX (package ptx), lays out the object table, the parameter block and local memory of a launch, and turns the
// kernel's records into findings and printf's text. It must not know of CUDA.
//
// # A launch
//
// A stream keeps a launch state for each kernel. It has the object table in device memory, which is written only if
// it differs from the last launch's; the records of findings, which are read only if the kernel has set a signal in
// shared memory; and the parameter block. A launch that is the same as the one before takes over that block (repeat.go).
//
// Start reading at machine.go, then launch.go.
package device
