// Package gangtest runs gang functions (package gang) for tests: by the interpreter, and by machine code that a test
// brings along.
//
// Input: a [Case] of a .gang file, or a function of [Random] or [Mutate]. Output: the memory afterwards and the
// [Log] of violations and host calls. [Launch.Compare] runs a function both ways and compares the outputs.
//
// # Cases
//
// A .gang file is a sequence of cases. A case is a header in the form of package filetest's runs and the text of a
// function:
//
//	; run: global=16 readonly=a
//	; arg: out int[16]
//	; arg: a int[16] = range
//	; want: out 0 2 4 …
//	; want-error: bounds "access 0" "1 time"
//	gang @double lanes=16 full {
//	…
//	}
//
// The arguments are the function's parameters in order, then the memory of its program variables. Words of the run
// line besides filetest's: readonly=NAME for memory that must not be written, alias=NAME:OTHER for a parameter whose
// memory is that of another one, flush for subnormal numbers that count as zero. A function of a row runs for
// global work-items; one of a work-group for one work-group, whose size is global.
//
// A host call adds its arguments and the number of the result's element. Host calls are in the log with their lanes and arguments.
//
// Invariants: no function damages memory besides its objects without an error. Runs of one launch do not influence each other.
//
// The package must not know instructions.
//
// Start reading at launch.go.
package gangtest
