// Package irgen translates the typed tree of package check into scalar SSA: one
// work-item's view, OpenCL vectors as first-class values.
//
// Input: a [check.Program] without errors, every conversion explicit and every constant
// folded. Output: a verified-by-construction [ssa.Module] ([ssa.VerifyModule] agrees),
// not yet optimised. The package knows nothing of syntax, of diagnostics that a user
// could cause, of what builtin functions mean (their rows emit themselves, the
// others become OpExtern, which ssa.Linker resolves), and of execution.
//
// # Shape of the output
//
//   - An automatic variable is an OpAlloca of the entry block, which package opt turns
//     into SSA values. A scalar or vector that is never assigned nor has its address
//     taken is the value of its initializer right away, likewise a parameter.
//   - A record is its address. One passed by value is a pointer to a copy that the
//     caller made; one returned is stored through a hidden first parameter. A kernel's
//     record parameter is a pointer to constant memory.
//   - A store to components of a vector in memory touches only these components; of an
//     automatic variable the whole vector is stored.
//   - Scalar conditions become branches; a value of a condition that is needed is a phi.
//     No block is unreachable.
//   - Pointer arithmetic is ptradd(p, index*size), the index sign-extended to i64 before
//     the multiplication, and constants apart, for the analysis of affine accesses.
//
// [Generate] uses the Data fields of the tree's nodes, so a tree is translated once.
// Depth: left spines of operators, comma and logical chains and else-if chains are
// walked iteratively; all else nests as deep as the parser allowed.
//
// Start reading at irgen.go, then place.go (l-values) and expr.go.
package irgen
