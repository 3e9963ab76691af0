// Package option reads the options of a build: the options string of clBuildProgram,
// clCompileProgram and clLinkProgram, and the same words on a command line (OpenCL API,
// "Compiler Options" and "Linker Options"; clang's spelling of -O, -W and -D).
//
// Input: a string or words. Output: a Build, which the front end, the compiler, the driver
// and the command line read; its Source is what the preprocessor, the parser and the checker
// need. Errors are *Error, with the place of the option and the one that may have been meant.
//
// Invariants: an option is one row of optionRows; no other package parses options. Options of
// other implementations that change no results here are listed in Build.Ignored.
//
// option must not know what the options do.
//
// Start reading at build.go.
package option
