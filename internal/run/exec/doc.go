// Package exec is what a device implements, and the list of devices. Package purecl is the
// face of it.
//
// A [Device] makes code of a program, allocates memory, copies, launches and waits. All
// that is the same on every device stands above it: compiling OpenCL C, binding Go values to
// arguments, streams, errors and how they read.
//
// Input: compiled programs (package ssa) and bound arguments. Output: the objects' new
// contents and a [Report]. A package that has a device registers it in its init function
// with [Register]; the processor (package host) is the first.
//
// The package must not know of: OpenCL's object model, Go values of users, any device.
//
// Start reading at Device.
package exec
