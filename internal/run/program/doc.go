// Package program compiles programs for any device, and formulates the messages about builds and launches. It
// connects a source with clBuildProgram's options to a device's Load.
//
// Input: sources, options, files that #include reads; findings of executors. Output: a [Module] for
// exec.Device.Load, or an [Error]; diagnostics and findings with their text, position and form for renderers.
//
// The package must not know of: devices, OpenCL's object model and status codes, Go values of users.
//
// Start reading at Compile.
package program
