// Package cpu is the processor as a device of package exec: its description, its memory, copies shared among all
// hardware threads, and launches by package launch on machine code or the reference executor.
//
// Input: compiled programs, arguments and memory of the process. Output: the methods of exec.Device. The driver's
// devices use a [Device] too: sub-devices are made by Some, memory comes from a C allocator, and commands copy and
// fill memory in place.
//
// The package must not know of: OpenCL's object model, Go values of users.
//
// Start reading at Device.
package cpu
