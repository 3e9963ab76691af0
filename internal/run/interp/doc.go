// Package interp is the reference executor: it runs a kernel in SSA form, a batch of
// work-items at a time, in lockstep, with every check that is wanted.
//
// Input: a kernel ([ssa.Func]) and the memory objects, arguments and ND-range of a
// launch ([exec.Env]). Output: the memory that the kernel wrote, printf's text, and findings
// ([exec.Finding]). The package knows nothing of OpenCL's host objects, of the language, or
// of machine code; package launch drives it.
//
// # How it works
//
// [Compile] turns the function into a flat [Program]. Vectors are taken apart: a value
// of type v4f32 is four registers, so that shuffles, inserts and most reinterpretations
// cost nothing. A register is a column, one element for each work-item ("lane") of the
// batch; a value that is the same for all work-items (uniform.go) is a single cell, and
// is computed once. Columns share storage where their lives do not overlap (slots.go).
// Each instruction holds the kernel (a loop over columns) that was chosen for its types.
//
// A worker (worker.go) runs one batch: a whole work-group or, where nothing can observe
// it (no barrier, no local memory), a slice of consecutive work-items across groups.
// Each lane has its own position. The lanes that stand at the earliest block in loop
// order ([ssa.Func.LoopOrder]) go first; behind every loop stands a virtual latch at
// which those that go round again wait for each other. That reconverges any reducible
// control flow as early as possible and executes any other. The lanes that go together
// are a list of spans, so that one form of every kernel serves both the batch that is
// whole and the one that is scattered.
//
// # Invariants
//
//   - Lanes write only to their own elements of a column: every lane sees exactly what it
//     would see alone.
//   - In a reducible function, all lanes that execute a block in the same iteration of
//     the loops around it do so together. The uniformity analysis rests on this.
//   - No access leaves its object, whatever the pointer's bits are. The launch's
//     [exec.FaultMode] decides what the work-item does then (docs/faults.md).
//   - What a launch computes and reports does not depend on the number of workers, except
//     where the kernel itself depends on the order of work-groups (atomics whose old value
//     is used, races).
//
// Start reading at program.go (the flat form), worker.go (the scheduler of lanes), then
// lower.go. The observers stand one to a file: memcheck.go, uninit.go, race.go
// (with explain.go and order.go), impldef.go, divergence.go.
//
// Sources: the OpenCL C specification; for uniformity, J. Rosemann et al., "An Abstract
// Interpretation for SPMD Divergence on Reducible Control Flow Graphs" (2021); for the
// race detector's per-byte states, C. Flanagan and S. Freund, "FastTrack" (2009); for what
// races are, the memory model of the OpenCL specification (3.3).
package interp
