// Package x86 compiles a gang plan (package spmd) to x86-64 machine code for one CPU [Level].
//
// Input: a [spmd.Plan]. Output: a [Code]: position-independent bytes, with the facts that a launch needs to
// call them. The package executes nothing and does not know buffers; layout.go defines the interface between
// code and launch.
//
// An OpenCL vector is in memory order as long as operations are elementwise (flat.go), else one list of
// registers per component. Uniform integers and pointers, and the first lanes of affine ones (first + lane *
// stride), are in general registers. All other values are in vector registers, as many as the elements of all
// lanes fill (parts.go), and Bools in mask registers (AVX2: vectors of 32-bit elements). Operations without
// instructions are host calls, computed lane by lane from package ssa's definition of the op ([Code.Ops]).
//
// # Invariants
//
//   - Every access is first checked against its object's size. The fast path compares once for the gang. If
//     that fails, a stub visits the lanes and accesses the bytes inside the object.
//   - Results have the same bits as package numeric's.
//   - R15 is the worker's context, R14 the gang's frame; RAX, RCX and RDX are scratch registers.
//
// Package lanes chooses access patterns and the places of bounds checks, package spmd the order of blocks; this
// package has the instructions. A level is a row of [Features].
//
// Start reading at lower.go; then memory.go, vector.go, alloc.go (the machine side of package
// regalloc), emit.go.
package x86
