// Package irgen translates the typed tree of package check to scalar SSA: the code of one work-item, with OpenCL
// vectors as first-class values.
//
// Input: a [check.Program] without errors, with every conversion explicit and every constant folded. Output: a
// verified-by-construction [ssa.Module] ([ssa.VerifyModule] agrees), not yet optimised. The package knows nothing
// of syntax, of diagnostics caused by users, of the semantics of builtin functions (their rows emit themselves, the
// others become OpExtern, which ssa.Linker resolves), and of execution.
//
// # Shape of the output
//
//   - An automatic variable is an OpAlloca of the entry block, which package opt converts
//     to SSA values. A scalar or vector that is never assigned and whose address is not
//     taken is the value of its initializer right away; the same holds for a parameter.
//   - A record is its address. A record passed by value is a pointer to a copy that the
//     caller made; a record result is stored through a hidden first parameter. A kernel's
//     record parameter is a pointer to constant memory.
//   - A store to components of a vector in memory writes only these components; for an
//     automatic variable it stores the whole vector.
//   - Scalar conditions become branches; the value of a condition, if needed, is a phi.
//     No block is unreachable.
//   - Pointer arithmetic is ptradd(p, index*size), with the index sign-extended to i64 before
//     the multiplication, and constants separate, for the analysis of affine accesses.
//
// # Layers
//
// A generator consists of six types, from the bottom up. Each embeds the one below it and calls nothing above it,
// except that an evaluator passes the statements of a statement expression to the generator:
//
//   - unit (unit.go, global.go): the module, its variables and constant initial values.
//   - funcBuilder (func.go): the current function's blocks, the memory of its variables, and constants.
//   - operators (operators.go): operators and conversions of values.
//   - memory (memory.go, bitfield.go, atomic.go): loads and stores of a place.
//   - evaluator (expr.go, place.go, assign.go, call.go, cond.go, aggregate.go): expressions, and the places of l-values.
//   - generator (irgen.go, stmt.go, expression.go): statements, functions and kernels.
//
// [Generate] uses the Data fields of the tree's nodes, so that a tree can be translated only once. Left spines of
// operators, comma and logical chains and else-if chains are walked iteratively; everything else nests as deep as
// the parser allows.
//
// Start reading at irgen.go, then stmt.go, expr.go and place.go (l-values).
package irgen
