// Package program compiles programs for any device and words what builds and launches find:
// the step between a source with the options of clBuildProgram and a device's Load.
//
// Input: sources, options, files that #include reads; findings of executors. Output: a
// [Module] for exec.Device.Load, or an [Error]; diagnostics and findings with their text,
// place and form for renderers.
//
// The package must not know of: devices, OpenCL's object model and status codes, Go values of
// users.
//
// Start reading at Compile.
package program
