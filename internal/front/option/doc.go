// Package option parses the options of a build: the options string of clBuildProgram, clCompileProgram and
// clLinkProgram, and the same words on a command line (OpenCL API, "Compiler Options" and "Linker Options"; clang's
// spelling of -O, -W and -D).
//
// Input: a string or words. Output: a Build, which the front end, the compiler, the driver and the command line
// use; its Source has the options of the preprocessor, the parser and the checker. Errors are *Error, with the
// option's position and a suggestion.
//
// Invariants: an option is one row of optionRows; no other package parses options. Options of other implementations
// that have no effect are listed in Build.Ignored.
//
// option must not know the effects of options.
//
// Start reading at build.go.
package option
