// Package builtin is the table of OpenCL C's builtin functions: one Row a function,
// with signatures as gentype patterns, requirement, permitted error and implementation.
//
// Input: a name and argument types (Resolve); output: the Overload to call, or the
// candidates and why each does not fit. An overload is implemented by ops, which its row's
// Emit generates, or by a body in lib/*.cl, OpenCL C that the compiler compiles like any
// other program (Source). Overloads without either become ssa.OpExtern.
//
// Nothing is done at start-up: the index of names is made on the first lookup, the
// overloads of a name on its first use, the source of a body on its first call. All of
// it is kept for the process and is safe for concurrent use; an Env is not.
//
// The package must not know the typed tree, the checker or the compiler's pipeline.
//
// Sources: "Built-in Functions" (6.15) of the OpenCL C specification; overload
// resolution as clang does it for overloadable functions in C (clang's
// SemaOverload.cpp); the algorithms of bodies are cited in lib/*.cl.
//
// docs/builtins.md is made from the table and testdata/accuracy.txt by go generate.
//
// Start reading at builtin.go (Row), then signature.go, resolve.go, library.go.
package builtin
