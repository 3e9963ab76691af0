// Command icd is libpurecl.so, the OpenCL driver: go build -buildmode=c-shared. It is the only package that uses
// cgo. It translates handles to objects of package host, C's arguments to Go's, and errors to status codes. Package
// host decides which calls are errors and how objects behave.
//
// The path of a call: the loader (libOpenCL.so) finds the dispatch table in the first word of a handle and calls a
// function of zdispatch.c. That calls a go… function of zexport.go, which calls the cl… function of the same
// name here and returns the status of its error. internal/gen/icd writes both z files from its table.
//
// A handle is the address of a slot in memory that is reserved once and never unmapped, so that a stale or foreign
// handle is recognised without an access to its memory (handle.go). A slot holds only the dispatch table. Go
// objects are in a table, indexed by the slot's number. C keeps no Go pointers: the memory of buffers and images is
// C's (memory.go).
//
// The host's threads may call with a handle while another releases it. Every call therefore holds its handles (hold
// in handle.go), in the generated functions: finding a handle and using its object is one step. Each call runs in
// the default floating-point environment and leaves the host's as it was (purecl_enter in driver.h; package fpenv
// explains why).
//
// After fork without exec only one thread is left, and Go cannot run: every function then returns
// CL_OUT_OF_RESOURCES from C (driver.c).
//
// A host's SIGINT stops endless kernels (interrupt.go, interrupt.c).
//
// Start reading at handle.go, then memory.go and transfer.go. docs/driver.md is the manual.
package main

//go:generate go run ../internal/gen/icd

func main() { run() }

// run is the program's main function. It does nothing without the tag "hosted" (hosted.go).
var run = func() {}
