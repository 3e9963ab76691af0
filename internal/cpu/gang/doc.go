// Package gang is the intermediate representation between a plan (package spmd) and machine instructions. It
// describes the code that a gang of work-items executes: registers have types, branches and bounds checks are
// explicit, and each memory access has a shape.
//
// Input of [Build]: a [spmd.Plan]. Output: a [Func]. A machine's package translates it to instructions,
// [Func.Run] interprets it, and [Func.String] prints it. [Parse] reads the text back.
//
// # Registers
//
// A register is a scalar (one value for the gang), a vector (an element for each lane, or N of them side by
// side, as in memory) or a predicate (a bit for each lane). Its kind is one of package ssa; a scalar of kind
// bool is 0 or 1, and a varying Bool is a predicate. Registers are variables: instructions may overwrite them.
// A phi becomes a select into the same register on each edge. The number of registers has no limit.
//
// # Accesses
//
// A root is a memory object known at build time. The instruction check compares the first lane's offset with
// the root's size and branches. After it, load and store touch bytes that are certainly in bounds, in one of
// the shapes of [Shape]. If a check fails, and for pointers into unknown objects, loadptr, storeptr and the
// atomic operations call the [Host]. It checks each lane's pointer, reports a violation and continues. An
// access needs no check of its own if a test before its loop covers it, or a check of a neighbour.
//
// If the machine's [target.Target] has more patterns than single lanes, the builder makes loads of whole structures,
// from which the op part takes elements, and shapes with promises about the lanes' offsets. For other machines it
// expands these.
//
// # Gangs
//
// A function has one of three forms. Without a word in its first line it runs the gangs of a row of work-items,
// one after the other: begin announces each. With "groups" it runs once for a work-group whose gangs reach each
// barrier together: next goes to the next gang. With "waits" it runs once for each gang, and barrier suspends
// it until the other gangs have reached the barrier.
//
// A function of a work-group of known size has firstids: its gangs are in sequence or interleaved, without next. With
// "once" its first block is the same for all work-groups, and need not be executed again. A
// function with rows runs gangs of several rows of work-items, and leave ends it where these cannot stay together.
//
// # The host
//
// The instruction call is for rare operations and those that need the launch: text, images, casts to a named
// address space. Its access names the operation.
//
// # Invariants
//
//   - A check dominates every load and store, unless the access uses only the lanes that inside has found in
//     bounds, or the launch has tested it ([spmd.Extents]).
//   - A lane whose bit in an instruction's predicate is clear has no effect on memory.
//   - Elementwise operations have the semantics of [ssa.EvalScalar], bit for bit.
//
// # The builder
//
// A builder is four layers. Each embeds the one below it. From the bottom up:
//
//   - emitter (build.go, inserts.go): blocks, instructions, constants
//   - values (build.go, whole.go, vote.go): the registers of SSA values
//   - accesses (memory.go, structures.go, gather.go, bounds.go, atomic.go): loads, stores and their checks
//   - builder (build.go, value.go, call.go, edges.go): operations, host calls, the ends of blocks
//
// The package must not know machine registers, flags, encodings or launches.
//
// Start reading at op.go, then build.go and memory.go.
package gang
