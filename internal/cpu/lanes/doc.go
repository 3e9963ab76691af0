// Package lanes says how each value of a kernel varies over the lanes of a gang, and what
// numbers it can be.
//
// Input: a function in the canonical form of package spmd, with its loops and the values that
// vary ([Input]). Output: [Facts], a [Fact] for each value: its shape (uniform, affine in the
// lane or varying), the interval of its numbers, and how many of its low bits are zero. On
// the facts rest the package's other answers: where an access's lanes lie ([Facts.Address]), what
// an address adds up to ([LinearOf]), where they may lie in runs ([Facts.Runs]), by how much it grows in each round of a loop ([Induction]),
// which accesses of a block one comparison covers ([Facts.Stretches]), how every machine makes an
// access ([Ways.Way]) and where its bounds are checked ([Ways.Check]), and how many work-items
// a gang should have ([Facts.Width], [Facts.LongWidth]).
//
// # Invariants
//
//   - A fact holds for every lane that executes the value, and for the other lanes too as far
//     as each of them computes the same operations on its own ids: the first lane's number
//     of an affine value is what that lane would compute.
//   - Ids and sizes are below [MaxID]. A launch that reaches it must not use code made by the facts.
//   - Facts come from one fixpoint, in [Analyse]. Values that are made later have the zero
//     Fact, which says nothing.
//
// The package must not know instructions, registers or CPU levels. [Target] is all that it sees of
// a machine: registers for width policy, patterns of accesses that are native.
//
// Sources: uniform, affine and varying as a lattice are LLVM's uniformity analysis and VPlan;
// intervals and known bits are those of any compiler, such as Go's prove and LLVM's KnownBits.
//
// Start reading at [Fact], then [Analyse] in analyse.go.
package lanes
