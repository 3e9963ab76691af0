// Package cpu is the processor as a device of package exec: its description, its memory, copies
// that all hardware threads share, and launches by package launch on machine code or the
// reference executor.
//
// Input: compiled programs, arguments and memory of the process. Output: what exec.Device
// promises. The driver's objects stand on a [Device] too: its sub-devices are Some of it, its
// memory comes from an allocator of C's, and its commands copy and fill memory in place.
//
// The package must not know of: OpenCL's object model, Go values of users.
//
// Start reading at Device.
package cpu
