// Package arm64 turns gang functions (package gang) into A64 machine code with NEON.
//
// Input: a [gang.Func] of [Lanes] lanes. Output: a [Code]: bytes that can run anywhere, and what
// they ask their host for. The package executes nothing; layout.go says how code and host talk,
// run.go is the host's side of it.
//
// A gang has 16 lanes, so that a vector of any element size is a whole number of 128-bit registers:
// elements of n bytes take n of them. A predicate is one register with a byte for each lane, all
// ones or zeros. A scalar integer is in a general register, zero-extended from its width; a scalar
// float is in every element of a vector register.
//
// # Invariants
//
//   - Results have the same bits as package numeric's. Where the processor's NaN is another one
//     (docs/decisions/0003-nan-results.md), a cold block puts the right one in.
//   - What has no instruction sequence here is computed by the host from package ssa's definition,
//     in the middle of the function: every register survives such a call.
//   - X26 is the context, X16, X17 and V29 to V31 are scratch. X18, X28, X29 and SP are not touched:
//     they are the system's and the Go runtime's.
//
// The package must not know of SSA functions, plans or launches.
//
// Sources: Arm Architecture Reference Manual for A-profile, chapters C4 (encodings), C6 and C7
// (instructions). Start reading at generate.go; table.go is the instruction table.
package arm64
