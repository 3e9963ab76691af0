// Package regalloc assigns machine registers to the virtual registers of machine code. It spills values that do
// not fit and rematerialises values that are cheap to recompute. It serves every machine: the machine keeps its
// instructions and implements [Machine].
//
// Input: for each instruction the virtual registers that it uses and defines, by block (a [Survey]); for each
// virtual register its class, a copy hint and whether it is rematerialisable. Output: a machine register for
// every virtual one ([Allocator.PReg]), and the code, with spills, that the machine has rewritten as directed.
//
// # Algorithm
//
// [Allocator.Allocate] first chooses the rematerialisable values that keep a register (remat.go). It bounds the
// live ranges of registers that are defined only on some paths (implicit.go). Then it runs a linear scan over
// live ranges with holes (M. Poletto and V. Sarkar, "Linear Scan Register Allocation", 1999; scan.go). If no
// register is free, the scan spills the cheapest one, the machine adds short-lived registers around each use
// (rewrite.go), and the scan starts again. A spilled register that an innermost loop only reads is reloaded once
// before the loop, where a machine register is free (split.go). A register that cold code displaces keeps its machine
// register in hot code (cool.go). Finally, temporaries of one value become one where a machine register is free
// between them (share.go).
//
// # Invariants
//
//   - The result depends on the input only: equal input gives equal code.
//   - A temporary of the allocator is never spilled.
//   - [Allocator.Check] proves that every use reads its virtual register's value (check.go); tests run it.
//
// The package must not know gangs, SSA values or any machine's instructions.
//
// Start reading at regalloc.go.
package regalloc
