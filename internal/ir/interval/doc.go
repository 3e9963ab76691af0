// Package interval bounds the values of integers: an [Interval] and the arithmetic of the operations of package ssa on it.
//
// Input: the intervals of a value's operands. Output: an interval that holds the value's elements ([Eval]). The
// analyses that use it are in packages opt and lanes. They know what is special in their functions: the work-item queries,
// undefined values and phis.
//
// # Invariants
//
//   - An interval's bounds are numbers of the value's type. An integer of 64 bits has small bounds (maxBound), so that sums of
//     a few do not overflow, or none.
//   - The result holds all results of [ssa.EvalScalar] for elements in the operands' intervals.
//
// The package must not know lanes, plans or executors.
//
// Start reading at interval.go, then eval.go.
package interval
