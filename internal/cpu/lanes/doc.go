// Package lanes computes how each value of a kernel varies over the lanes of a gang, and its possible values.
//
// Input: a function in the canonical form of package spmd, with its loops and its varying values ([Input]).
// Output: [Facts], a [Fact] for each value: its shape (uniform, affine in the lane or varying), its interval,
// and its number of low zero bits. The package's other analyses use these facts: the distance of an access's
// lanes ([Facts.Address]), linear forms of addresses ([LinearOf]), runs ([Facts.Runs]), induction variables
// ([Induction]), merged bounds checks ([Facts.ByteRanges]), the pattern of each access ([Patterns.Access]) and the
// place of its bounds check ([Patterns.Check]), and the length of gangs ([Facts.Width], [Facts.LongWidth]).
//
// # Invariants
//
//   - A fact holds for every lane that executes the value. It also holds for inactive lanes, as far as each
//     computes the same operations on its own ids.
//   - Ids and sizes are below [MaxID]. A launch that reaches MaxID must not use code that relies on the
//     facts.
//   - Facts come from one fixpoint, in [Analyse]. Values created later have the zero Fact, which claims
//     nothing.
//
// The package must not know instructions, registers or CPU levels. It knows a machine only through its
// [target.Target]: the registers that bound a gang's length, and the native patterns of accesses.
//
// Sources: uniform, affine and varying as a lattice are LLVM's uniformity analysis and VPlan;
// intervals and known bits are those of any compiler, such as Go's prove and LLVM's KnownBits.
//
// Start reading at [Fact], then [Analyse] in analyse.go.
package lanes
