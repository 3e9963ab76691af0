// Package builtin is the table of OpenCL C's builtin functions. Each function has one Row, with its signatures as
// gentype patterns, requirement, permitted error and implementation.
//
// Input: a name and argument types (Resolve); output: the Overload to call, or the candidates with the reasons why
// they do not match. An overload is implemented by ops, which its row's Emit generates, or by a body in lib/*.cl,
// OpenCL C that is compiled like any other program (Source). Overloads without either become ssa.OpExtern.
//
// Nothing is computed at start-up: the index of names is built on the first lookup, the overloads of a name on its
// first use, the source of a body on its first call. All of it is kept for the process and is safe for concurrent
// use; an Env is not.
//
// The package must not know the typed tree, the checker or the compiler's pipeline.
//
// Sources: "Built-in Functions" (6.15) of the OpenCL C specification; overload resolution of clang for overloadable
// functions in C (clang's SemaOverload.cpp); the algorithms of bodies are cited in lib/*.cl.
//
// go generate creates docs/builtins.md from the table and testdata/accuracy.txt.
//
// Start reading at builtin.go (Row), then signature.go, resolve.go, library.go.
package builtin
