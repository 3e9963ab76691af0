// Command icd is libpurecl.so, the OpenCL driver: go build -buildmode=c-shared. It is the
// only package that uses cgo, and it translates: handles to objects of package purecl,
// C's arguments to Go's, errors to status codes. Package host decides which calls are errors and
// how objects behave.
//
// The way of a call: the loader (libOpenCL.so) finds the dispatch table behind the first
// word of a handle and calls a function of zdispatch.c, which hands over to a go… function
// of zexport.go, which calls the cl… function of the same name here and makes a status of
// its error. internal/gen/icd writes both z files from its table.
//
// A handle is the address of a slot in memory that is reserved once and never unmapped,
// so that a stale or foreign one can be told without being followed (handle.go). A slot
// holds the dispatch table, and nothing else; Go objects stand in a table by number of
// the slot. No Go pointer is kept in C: the memory of buffers and images is C's (memory.go).
//
// The host's threads may call with a handle while another releases it. Every call therefore
// holds its handles (hold in handle.go), in the generated functions: finding a handle and
// using its object is one step. Each call runs in the default floating-point environment and
// leaves the host's as it was (purecl_enter in driver.h; package fpenv says why).
//
// After fork without exec only one thread is left, and Go cannot run: every function then
// answers CL_OUT_OF_RESOURCES in C (driver.c).
//
// A host's SIGINT ends kernels that do not end (interrupt.go, interrupt.c).
//
// Start reading at handle.go, then memory.go and enqueue.go. docs/driver.md is the manual.
package main

//go:generate go run ../internal/gen/icd

func main() { run() }

// run is the program's main function: it does nothing, except as described in hosted.go.
var run = func() {}
