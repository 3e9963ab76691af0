// Package ptx makes NVIDIA's PTX of kernels: a work-item is a thread, a work-group a block.
//
// Input: a kernel's optimised scalar SSA, whose calls are inlined ([ssa.Func]). Output: the text
// of a PTX module with one entry, and what a launch must know of it ([Kernel]): the layout of
// the parameter block, the accesses that findings name, the variables that it uses. The package
// must not know of drivers, devices and memory; package device launches what it makes.
//
// # Pointers
//
// A pointer's bits are those of every executor: the number of a memory object above
// ssa.ObjectShift, the byte offset below. Where the compiler proves which object a pointer
// points into (roots.go), a register holds the offset alone; the object's address and size come
// from the parameter block. Every access is compared with its object's size first. One that
// fails the comparison, or whose address is not aligned as the instruction needs it, leaves to a
// slow path outside of the straight line: functions of the module (runtime.go) that record the
// finding and do what docs/faults.md says, byte by byte.
//
// # Arithmetic
//
// Every operation carries its rounding, so that the assembler fuses nothing; nothing flushes
// subnormals. Integers of 8 and 16 bits live in 32-bit registers, extended as their kind says.
// Conversions follow docs/decisions/0002: the hardware's where it agrees, else with a fix-up.
//
// # Ends
//
// Loops count down at each way back, and every so often look at a word that the host can set.
// A barrier that is not proved to be reached by all work-items compares where they wait.
//
// Start reading at kernel.go, then function.go.
package ptx
