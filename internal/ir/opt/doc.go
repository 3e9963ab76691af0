// Package opt makes scalar SSA clean, and fit for lanes side by side: calls inlined,
// variables in values, constants folded, equal computations merged, nothing dead; short
// loops unrolled, cheap branches made selects, integers as narrow as they may be, no
// divisions by constants.
//
// Input: a verified [ssa.Module]. Output: the same module, transformed in place, which
// computes bit for bit the same: floating point is folded only where the result has
// the same bits for every operand, signed zeros and NaN payloads as package numeric
// defines them. OpUndef is never replaced by another value nor merged away in a phi,
// so that the checking executor still sees each use; removing a dead access keeps
// results but also removes its report (Config.KeepAccesses forbids that).
//
// The pipeline is a table (pipeline.go): one row a pass with what must have run before
// it and what must run again after it. Callees come before callers, so that what is
// inlined is already clean; functions that do not depend on each other go side by side
// (plan.go), so that a pass changes its function alone and of others reads only callees,
// which are done. Each pass is in the file of its name, with tests in
// testdata/NAME; it can be disabled, dumped and timed by that name.
//
// The package knows nothing of the source language, of executors and machines.
//
// Invariants between passes: the function verifies; unreachable blocks are gone after
// cfg; there is no OpCopy after simplify, mem2reg and gvn. Passes index dense slices
// by value and block ID and take time near-linear in the size of the function; none
// recurses on it.
//
// Sources: mem2reg: Cytron et al., "Efficiently Computing Static Single Assignment
// Form and the Control Dependence Graph" (1991), pruned by liveness, frontiers as in
// Cooper, Harvey and Kennedy (2001). gvn: dominator-based value numbering, Briggs,
// Cooper and Simpson (1997). divide: Granlund and Montgomery, "Division by Invariant
// Integers using Multiplication" (1994). Where to start reading: pipeline.go.
package opt
