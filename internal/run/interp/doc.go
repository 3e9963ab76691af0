// Package interp is the reference executor. It runs a kernel in SSA form, one batch of work-items at a time, in
// lockstep, with all requested checks.
//
// Input: a kernel ([ssa.Func]) and the memory objects, arguments and ND-range of a launch ([exec.Env]). Output: the
// memory that the kernel wrote, printf's text, and findings ([exec.Finding]). The package knows nothing of OpenCL's
// host objects, of the language, or of machine code; package launch drives it.
//
// # How it works
//
// [Compile] turns the function into a flat [Program]. Vectors are scalarised: a value of type v4f32 is four
// registers, so that shuffles, inserts and most reinterpretations cost nothing. A register is a column with one
// element for each work-item ("lane") of the batch. A uniform value (uniform.go) is a single cell and is computed
// once. Columns with disjoint live ranges share storage (slots.go). Each instruction holds the kernel (a loop over
// columns) chosen for its types.
//
// A function is translated by five types, from the bottom up. Each embeds the ones below it:
//
//   - analysis (analysis.go, uninit.go) is what is known before: uniform values, and values that may be undefined.
//   - registers (registers.go) numbers registers and finds their forms as cells and columns.
//   - draft (draft.go, slots.go) is the function with registers instead of storage. It removes dead instructions and
//     assigns the storage.
//   - emitter (emit.go, uninit.go) appends instructions and the guards of their operands.
//   - lowerer (lower.go, lowermem.go, lowervec.go and the files of single ops) chooses the instructions of each op.
//
// A worker (worker.go) runs one batch: a whole work-group or, if the kernel cannot observe it (no barrier, no local
// memory), a slice of consecutive work-items across groups. Each lane has its own position. The lanes at the
// earliest block in loop order ([ssa.Func.LoopOrder]) run first. After every loop there is a virtual latch at which
// the lanes that iterate again wait for each other. This reconverges any reducible control flow as early as
// possible, and executes any other. The active lanes are a list of spans, so that each kernel has one form for
// complete and for scattered batches.
//
// A worker consists of nine types, from the bottom up. Each is part of the next one, by value:
//
//   - batchItems (items.go): which work-items the lanes are.
//   - columns (columns.go): the registers.
//   - objects (objects.go, uninit.go, faults.go): memory objects and their shadow bytes, beside columns. Instructions access
//     them through a view (memory.go).
//   - reporter (report.go, stops.go, memcheck.go): findings, and the lanes that they stop.
//   - orderObserver (order.go): which accesses happen before which.
//   - raceObserver (race.go, explain.go): accesses to shared memory.
//   - divergence (divergence.go): where lanes part, and barriers that only some reach.
//   - asyncCopies (async.go): copies of the work-group, and its events.
//   - worker (worker.go): the scheduler of lanes.
//
// A [Stepper] (stepper.go) runs the same instructions for package debug, one work-item or all.
//
// # Invariants
//
//   - Lanes write only to their own elements of a column: every lane computes exactly what
//     it would compute alone.
//   - In a reducible function, all lanes that execute a block in the same iteration of
//     its enclosing loops do so together. The uniformity analysis relies on this.
//   - No access leaves its object, whatever the pointer's bits are. The launch's
//     [exec.FaultMode] decides how the work-item continues (docs/faults.md).
//   - The results and reports of a launch do not depend on the number of workers, unless
//     the kernel itself depends on the order of work-groups (atomics whose old value
//     is used, races).
//
// Start reading at program.go (the flat form), worker.go (the scheduler of lanes), then draft.go and lower.go. Each
// observer has a file: memcheck.go, uninit.go, race.go (with explain.go and order.go), impldef.go, divergence.go.
//
// Sources: the OpenCL C specification; for uniformity, J. Rosemann et al., "An Abstract Interpretation for SPMD
// Divergence on Reducible Control Flow Graphs" (2021); for the race detector's per-byte states, C. Flanagan and S.
// Freund, "FastTrack" (2009); for the definition of races, the memory model of the OpenCL specification (3.3).
package interp
