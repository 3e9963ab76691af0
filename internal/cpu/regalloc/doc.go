// Package regalloc gives the virtual registers of machine code machine registers, spills
// what does not fit and rematerialises what is cheap to compute again. It serves every
// machine: the instructions stay the machine's, which implements [Machine].
//
// Input: for each instruction the virtual registers that it uses and defines, by block
// (a [Survey]); for each virtual register its class, a copy hint and whether its definition
// can be repeated. Output: a machine register for every virtual one ([Allocator.PReg]), and
// instructions that the machine changed as the allocator asked.
//
// # Algorithm
//
// [Allocator.Allocate] first chooses which rematerialisable values keep a register (remat.go)
// and bounds the live ranges of registers that are defined on some paths only (implicit.go).
// Then it runs a linear scan over live ranges with holes (M. Poletto and V. Sarkar, "Linear
// Scan Register Allocation", 1999; scan.go). Where no register is free, the scan spills the
// cheapest one, the machine rewrites the instructions with short-lived registers around each
// use (rewrite.go), and the scan starts again.
//
// # Invariants
//
//   - The result depends on the input only: equal input gives equal code.
//   - A register that the allocator made for a single instruction is never spilled.
//   - [Allocator.Check] proves of the result that every use reads the value that the virtual
//     register had (check.go); tests run it.
//
// The package must not know of gangs, of SSA values or of any machine's instructions.
//
// Start reading at regalloc.go.
package regalloc
