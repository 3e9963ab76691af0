// Package arm64 translates gang functions (package gang) to A64 machine code with NEON.
//
// Input: a [gang.Func] of [Lanes] lanes. Output: a [Code]: position-independent bytes and the list of host
// calls that they make. The package executes nothing. layout.go defines the interface between code and host,
// run.go implements the host's side.
//
// A gang has 16 lanes, so that a vector of any element size is a whole number of 128-bit registers: elements of
// n bytes take n registers. A predicate is one register with a byte for each lane, all ones or zeros. A scalar
// integer is in a general register, zero-extended from its width. A scalar float is in every element of a
// vector register.
//
// # Invariants
//
//   - Results have the same bits as package numeric's. If the processor's NaN differs
//     (docs/decisions/0003-nan-results.md), a cold block replaces it.
//   - The host evaluates operations without an instruction sequence by package ssa's definition, in the
//     middle of the function. All registers survive such a call.
//   - X26 is the context; X16, X17 and V29 to V31 are scratch registers. X18, X28, X29 and SP belong to the
//     system and the Go runtime and are not touched.
//
// The package must not know SSA functions, plans or launches.
//
// Sources: Arm Architecture Reference Manual for A-profile, chapters C4 (encodings), C6 and C7
// (instructions). Start reading at generate.go; table.go is the instruction table.
package arm64
