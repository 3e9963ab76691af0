// Package compile is the compiler: OpenCL C source in, optimised SSA out.
//
// Input: source texts and Options (or clBuildProgram's options string, [ParseOptions]).
// Output: a [Result] with the diagnostics and what every phase made; an error is a
// *[diag.List] (the program is wrong), an [*InternalError] (we are), or the context's.
// The package decides nothing about the language or the machine: it is the order of the
// phases, the cache of compiled library functions, and the one place where a panic of
// ours becomes an error.
//
// [Units] compiles each unit to SSA (compile.go), merges and resolves them by the link
// names that check gives (link.go), adds the library's bodies and optimises the whole.
// [Compile] is a link of one unit.
//
// [Compile] is safe for concurrent use. The bodies of builtin functions (builtin.Source)
// are compiled by this same pipeline on their first use, once in a process, and cloned
// into each program that calls them (library.go).
//
// Later compilations reuse the memory of tokens and trees (memory.go), because fresh memory
// costs more than the work on it.
//
// Start reading at compile.go.
package compile
