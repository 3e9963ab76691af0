// Package compile is the compiler driver: OpenCL C source in, optimised SSA out.
//
// Input: source texts and Options, or the options string of clBuildProgram ([ParseOptions]). Output: a [Result]
// with the diagnostics and the results of the phases. An error is a *[diag.List] (the program is wrong), an
// [*InternalError] (a bug of the compiler), or the error of the context. The package decides nothing about the
// language or the machine. It has the order of the phases and the cache of compiled library functions, and it
// turns panics into errors.
//
// [Units] compiles each unit to SSA (compile.go), merges the units and resolves references by the link names from
// package check (link.go), adds the bodies of library functions and optimises the module. [Compile] is [Units]
// with one unit.
//
// [Compile] is safe for concurrent use. The first use of a builtin function with a body (builtin.Source) compiles
// the body by this same pipeline, once per process. Each program that calls the function gets a clone
// (library.go).
//
// Later compilations reuse the memory of tokens and trees (memory.go), because fresh memory costs more time than
// lexing and parsing.
//
// Start reading at compile.go.
package compile
