// Package x86 compiles a gang function (package gang) to x86-64 machine code for one CPU [Level].
//
// Input: a [gang.Func], built for the level's [target.Target] or parsed from text. Output: a [Code]: position-independent
// bytes, with the facts that a launch needs to call them. The package executes nothing and does not know buffers; layout.go
// defines the interface between code and launch. It must not know plans or SSA values: of package ssa it uses the table of
// operations only (imports_test.go of the repository's root checks that).
//
// A [selector] translates the function's instructions one by one. It is a stack of layers. Each layer embeds the one
// below. The lower layers work on machine registers. From the bottom up:
//   - code (mir.go), builder (builder.go): machine instructions, labels, constants;
//   - vectors (parts.go, permute.go), masks (mask.go), arithmetic (vector.go, ops.go, convert.go, narrow.go): operations;
//   - values (generate.go), addresses (address.go), accesses (access.go, runs.go, rows.go), memory (private.go, sums.go),
//     lowerer (generate.go): accesses to memory at an address, and the state of the function.
//
// The upper layers work on the registers of the gang function:
//   - operands (operands.go): the machine registers of gang registers;
//   - elements (elements.go, moves.go, scalars.go): operations on elements;
//   - objects (objects.go, patterns.go, compact.go, numbered.go): accesses to known objects;
//   - selector (selector.go, control.go, host.go, atomics.go, copies.go): blocks, accesses through pointers, host calls, atomic operations.
//
// Passes over the machine instructions follow: deadcode.go removes instructions, fold.go and predicates.go combine them.
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
// Package gang chooses the instructions and their shapes; this package has the machine's. A level is a row of [Features].
// Package explain describes the code to people.
//
// Start reading at selector.go; then operands.go, elements.go, objects.go, alloc.go (the machine side of package
// regalloc), emit.go.
package x86
