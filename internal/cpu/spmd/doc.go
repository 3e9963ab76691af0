// Package spmd prepares a kernel for execution by gangs: W work-items in the lanes of vector registers.
//
// Input: a kernel in SSA form without calls. Output: a [Plan]. It holds a copy of the function whose control
// flow needs no further transformation. It records the uniform values and branches (the same in all lanes), the
// order in which blocks are executed, and the mask of active lanes for each block. The package does not know
// instructions and registers.
//
// # Linearised control flow
//
// The copy has one return, no critical edges, one latch and one entering edge for each loop, and is in
// loop-closed form (a value of a loop is used outside of it through phis only). Blocks are executed in loop
// order ([ssa.Func.LoopOrder]), each by all lanes that have arrived. After a divergent branch, the first of its
// targets in that order comes next, and the lanes that go elsewhere wait. [Plan.Next] is that successor;
// [Plan.Skip] is the successor of a block without lanes. The blocks at which lanes may wait are known
// statically: lanes at b and lanes at c were last together at a divergent branch from which disjoint paths lead
// to b and to c.
//
// Nearly all gangs agree on tests of ids against sizes and borders. [Options.Versions] makes copies of the code
// after such tests, and of loops that end by them, for gangs whose lanes agree; an [ssa.OpVote] tests that
// (guard.go, peel.go). When the lanes no longer agree, control moves to the original. [Plan.Origin] maps a copy
// to its original. Divisions of ids are done once for a gang whose lanes have one quotient (quotient.go), and by
// comparisons where they have two (near.go). Neighbours' indices that wrap around at the ends of rows become one of two
// integers there (wraps.go).
//
// Counted loops with clamped indices have a version for the iterations in which no lane's index is clamped (indexset.go).
// Further versions of loops have no bounds checks, because an [ssa.OpInside] has found all their accesses in
// bounds (inside.go); the same holds for versions of blocks with neighbouring accesses (merge.go). Loops in
// which each lane accesses successive elements of its own row get a copy that reads and writes pieces of the
// rows (rows.go, stores.go). If their iterations are independent, the copy computes several at once as elements
// of vectors (vectorise.go), or for long rows in the lanes, one row after the other (byrow.go). In a nest of two loops, one over columns, several columns are computed at once, and
// memory that iterations read and write is kept in registers (nests.go, jam.go). All accesses of the nest are
// tested before it (boxes.go).
//
// With [Options.Coarsen] a gang executes the work-items of several rows of the range if these share enough
// (coarsen.go), as the loads of neighbours (shared.go). An element that a work-item reads and writes in a loop is then
// in a register (promote.go).
//
// In work-groups of known size, loops in which each work-item fills all of a local array are divided among the work-items
// (fills.go).
//
// Offsets in local memory that differ by constants share sums of 64 bits (offsets.go).
//
// With [Options.Gangs] a kernel with barriers becomes, if possible, a function of the work-group. It executes
// its gangs one after the other from barrier to barrier (gangs.go). Work-items that return before the last barrier
// are masked after the next one (returns.go). With [Options.Unfold], for work-groups of
// one size, the function has no loops over gangs: the gangs' code is in sequence or interleaved, and the known
// ids decide branches (unfold.go, decide.go). With [Options.Evaluate] such a function comes from symbolic execution,
// which keeps elements of local arrays in lanes of registers (evaluate.go, symbol.go, components.go, cells.go, clamped.go, gather.go),
// and counts where the kernel computes prefix sums of conditions (prefix.go).
// It may be for launches with a known number of steps (steps.go), and has a version for work-groups away from borders
// (interior.go, inequality.go).
// With [Unfolding.Tested] most accesses of that function have no bounds checks: [Plan.Extents] tests them before a launch
// (extent.go, tested.go), which must not use the function if the test fails.
//
// # Invariants
//
//   - Plan.Class names the block whose mask a block uses. It is the block itself, with a mask computed on its
//     incoming edges; or a block that dominates it and that it post-dominates; or nil for the mask of the whole
//     gang.
//   - A block without a test (Plan.Test) is entered only with active lanes.
//
// Sources: J. Rosemann et al., "An Abstract Interpretation for SPMD Divergence on Reducible Control Flow
// Graphs" (2021); package interp, whose scheduler does the same at run time. The transformations are passes, in
// the table of passes.go. Each has tests of its own (testdata). Start reading at passes.go, then plan.go.
package spmd
