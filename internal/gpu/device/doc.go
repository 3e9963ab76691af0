// Package device launches kernels on GPUs: it is everything of a GPU device but the driver.
//
// Input: a [Machine], which is a GPU as its driver shows it: memory, modules of PTX text, streams.
// Output: an exec.Device ([New]), and an executor for tests that compare executors ([Executor]).
// The package makes a kernel's PTX (package ptx), lays out the object table, the parameter block
// and local memory of a launch, and makes findings and printf's text of what the kernel left.
// It must not know of CUDA.
//
// # A launch
//
// A stream keeps for each kernel a launch state: the object table in device memory, which is
// written again only if it differs from the last launch's, the records of findings, which are
// read only if the kernel has set a signal in memory that both see, and the parameter block.
//
// Start reading at machine.go, then launch.go.
package device
