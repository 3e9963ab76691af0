// Package debug is a debugger for kernels without a user interface: it runs a launch on the
// reference executor's instructions, stops it at lines, conditions, findings and accesses, steps
// work-items and work-groups forward and back, and evaluates OpenCL C where a work-item stands.
//
// Input: the units of a program, a kernel, its arguments and range. Output: stops, frames, variables
// and memory. It must not know of: terminals, the Debug Adapter Protocol, the command line, the driver.
//
// Invariant: what a session shows depends on its launch and on the requests made of it, never on
// time, so that the past can be computed again.
//
// Start reading at Session.
package debug
