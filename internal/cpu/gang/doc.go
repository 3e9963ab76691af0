// Package gang is the intermediate representation between a plan (package spmd) and machine
// instructions: what a gang of work-items executes, with every register typed, every branch
// and every bounds check explicit, and memory accesses sorted by their shape.
//
// Input of [Build]: a [spmd.Plan]. Output: a [Func], which a machine's package turns into
// instructions, [Func.Run] interprets, and [Func.String] prints. [Parse] reads the text back.
//
// # Registers
//
// A register is scalar (one value for the gang), a vector (an element for each lane, or N of
// them side by side, as in memory) or a predicate (a bit for each lane). It has the kind of
// package ssa; a scalar of kind bool is 0 or 1, and a Bool that lanes differ in is a predicate.
// Registers are variables: an instruction may overwrite one, and a value that lanes bring along
// different edges is a select into the same register. Their number has no limit.
//
// # Accesses
//
// A memory object that is known when code is made is a root. The instruction check compares the
// first lane's offset with the root's size and branches; behind it, load and store touch bytes
// that are certainly in bounds, in one of the shapes of [Shape]. Where a check fails, and for
// pointers into objects that are not known, loadptr, storeptr and the atomic operations go to the
// [Host], which checks each lane's pointer, reports a violation and goes on. Accesses of a loop that
// one test before it is about, and neighbours that one check spans, have no check of their own.
//
// # Gangs
//
// A function is of one of three forms. Without a word in its first line it goes through gangs side by
// side in a row of work-items: begin says which one. With "groups" it runs once for a work-group,
// whose barriers all gangs have reached together: next goes on with the next gang. With "waits" it
// runs once for each gang, and barrier lets the other gangs go on first.
//
// # The host
//
// The instruction call is for what needs the launch or is rare: text, images, casts to a named address
// space. Its operation is that of its access.
//
// # Invariants
//
//   - Every load and store is dominated by a check, or uses the lanes that inside has found to be
//     in bounds.
//   - A lane whose bit in an instruction's predicate is not set has no effect on memory.
//   - Elementwise operations mean what [ssa.EvalScalar] says, bit for bit.
//
// The package must not know of machine registers, flags, encodings or of launches.
//
// Start reading at op.go, then build.go.
package gang
