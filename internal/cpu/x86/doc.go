// Package x86 compiles a gang plan (package spmd) to x86-64 machine code for one CPU [Level].
//
// Input: a [spmd.Plan]. Output: a [Code]: position-independent bytes, with the facts that a launch needs to
// call them. The package executes nothing and does not know buffers; layout.go defines the interface between
// code and launch.
//
// Package gang makes a function of the plan for the level's [lanes.Target]. A [selector] translates its instructions one
// by one. Its layers are, from the bottom: operands, which maps gang registers to machine registers; elements, for
// operations on elements; objects, for accesses to known objects; and selector, for blocks, accesses through pointers,
// host calls and atomic operations. The layers below them (builder to lowerer) know machine registers only.
//
// Uniform integers and pointers, and the first lanes of affine ones, are in general registers. All other values are in
// vector registers, as many as the elements of all lanes fill (parts.go), and predicates in mask registers (AVX2: vectors
// of 32-bit elements). A vector of N elements per lane is in memory order or has a list of registers per element; operands
// converts on first use. Operations without instructions are host calls, computed lane by lane from package ssa's
// definition of the op ([Code.Ops]).
//
// # Invariants
//
//   - Accesses that the gang function has checked are in bounds. Accesses through pointers call a stub, which visits the lanes
//     and accesses the bytes inside the object.
//   - Results have the same bits as package numeric's.
//   - R15 is the worker's context, R14 the gang's frame; RAX, RCX and RDX are scratch registers.
//   - A register that a gang function assigns several times owns its machine registers; others may share them.
//
// Package lanes chooses access patterns and the places of bounds checks, package spmd the order of blocks, package gang the
// instructions and their shapes; this package has the machine's. A level is a row of [Features].
//
// Start reading at selector.go; then operands.go, elements.go, objects.go, alloc.go (the machine side of package
// regalloc), emit.go.
package x86
