// Package x86 turns a gang plan (package spmd) into x86-64 machine code for one CPU
// [Level].
//
// Input: a [spmd.Plan]. Output: a [Code]: bytes that can run anywhere, with the facts a
// launch needs to call them. The package executes nothing and knows nothing of buffers;
// layout.go says how code and launch talk.
//
// An OpenCL vector is in memory order as long as operations are elementwise (flat.go), else
// one list of registers per component. Integers and pointers that are
// uniform, and the first lane's part of those that are affine in the lane (first + lane *
// stride), live in general registers; all else in vector registers, as many as the
// elements of all lanes fill (parts.go), Bools in mask registers (AVX2: vectors
// of 32-bit elements). The launch computes operations without instructions, lane by lane,
// from package ssa's definition of the op ([Code.Ops]).
//
// # Invariants
//
//   - Every access is checked against its object's size first. The fast path compares
//     once for the gang; where that fails, a stub goes through the lanes and moves the
//     bytes that lie inside the object.
//   - Results have the same bits as package numeric's.
//   - R15 is the worker's context, R14 the gang's frame, RAX, RCX and RDX are scratch.
//
// Package lanes decides how an access is made and where its bounds are checked, package spmd where control
// goes on behind a block; this package has the instructions for it. A level is a row of [Features].
//
// Start reading at lower.go; then memory.go, vector.go, alloc.go (the machine side of package
// regalloc), emit.go.
package x86
