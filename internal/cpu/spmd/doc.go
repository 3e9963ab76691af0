// Package spmd prepares a kernel for execution by gangs: W work-items side by side in
// the lanes of vector registers.
//
// Input: a kernel in SSA form without calls. Output: a [Plan], which holds a copy of the
// function in a form that needs no further transformation of its control flow, and for
// it: which values and branches are uniform (the same in all lanes), the order in which
// blocks are executed, and for each block where its mask of active lanes comes from. The
// package knows nothing of instructions and registers.
//
// # How control flow becomes straight
//
// The copy has one return, no critical edges, one latch and one entering edge for each
// loop, and is in loop-closed form (a value that a loop computes is used outside of it
// through phis only). Blocks are executed in loop order ([ssa.Func.LoopOrder]), each by
// all lanes that have arrived: after a branch that lanes take differently, the first of
// its targets in that order comes next, and the lanes that go elsewhere wait. [Plan.Next]
// is that successor, [Plan.Skip] the one where a block has no lanes. Which blocks lanes
// may wait at is a static question: lanes at b and lanes at c were together last at a
// divergent branch from which different ways lead to b and to c.
//
// Nearly all gangs agree about tests of ids against sizes and borders: with
// [Options.Versions] the parts of the kernel behind such tests, and loops that end by
// them, stand there a second time for gangs whose lanes take them together, which an
// [ssa.OpVote] finds out (guard.go, peel.go). Where the lanes do not agree any more,
// control changes to the first form. [Plan.Origin] says what a value is a copy of.
//
// Loops stand there a second time also for when all their accesses are in bounds, which an
// [ssa.OpInside] finds out (inside.go), and so do blocks with neighbouring accesses
// (together.go). Loops in which each lane walks along a row of its own have a copy that reads and writes pieces of the
// rows (rows.go, stores.go), and does their rounds as elements of vectors where those do not wait for each other (abreast.go).
//
// With [Options.Coarsen] gangs do the work-items of several rows of the range together, where those share enough (coarsen.go).
//
// With [Options.Gangs] a kernel with barriers becomes, where that can be, a function of the
// work-group, in which gangs follow each other from barrier to barrier (gangs.go). With
// [Options.Unfold], for work-groups of one size, it has no loops over gangs: each gang's code
// stands after or beside the other's, and what is known of its ids decides branches (unfold.go,
// decide.go).
//
// # Invariants
//
//   - A block's mask is that of the block Plan.Class names: its own, computed on the edges
//     that lead to it, that of a block that dominates it and that it post-dominates, or
//     that of the whole gang.
//   - A block without a test (Plan.Test) is entered only by lanes that are there.
//
// Sources: J. Rosemann et al., "An Abstract Interpretation for SPMD Divergence on
// Reducible Control Flow Graphs" (2021); package interp, whose scheduler does the same at
// run time. The transformations are passes, in the table of passes.go; tests show each of them
// alone (testdata). Start reading at passes.go, then plan.go.
package spmd
