// Package opt optimises scalar SSA and prepares it for vectorisation. It inlines calls, promotes variables to
// values, folds constants, merges equal computations, removes dead code, unrolls short loops, converts cheap
// branches to selects, narrows integers, replaces divisions by constants, and reorders sums of integers.
//
// Input: a verified [ssa.Module]. Output: the same module, transformed in place, with bit-identical results.
// Floating point is folded only if the result has the same bits for every operand, including signed zeros and
// NaN payloads as package numeric defines them. OpUndef is never replaced by another value and never merged in
// a phi, so that the checking executor sees each use. Removing a dead access keeps results but also removes its
// report; Config.KeepAccesses forbids that.
//
// The pipeline is a table (pipeline.go). Each row is a pass, with the passes that must run before it and those
// that must run again after it. Callees are optimised before callers, so that inlined code is already
// optimised. Independent functions are optimised concurrently (plan.go): a pass changes only its function and
// reads only finished callees. Each pass is in the file of its name, with tests in testdata/NAME. It can be
// disabled, dumped and timed by that name.
//
// The package does not know the source language, executors or machines.
//
// Invariants between passes: the function verifies; it has no unreachable blocks after cfg; it has no OpCopy
// after simplify, mem2reg and gvn. Passes index dense slices by value and block ID and take time near-linear in
// the size of the function. None recurses on it.
//
// Sources: mem2reg: Cytron et al., "Efficiently Computing Static Single Assignment Form and the Control
// Dependence Graph" (1991), pruned by liveness, frontiers as in Cooper, Harvey and Kennedy (2001). gvn:
// dominator-based value numbering, Briggs, Cooper and Simpson (1997). divide: Granlund and Montgomery,
// "Division by Invariant Integers using Multiplication" (1994). Start reading at pipeline.go.
package opt
