// Package check gives an OpenCL C syntax tree its meaning: it resolves names,
// computes types, makes every implicit conversion a node, folds constants, and
// reports what the language forbids.
//
// Input: a syntax.File. Output: a Program, the typed tree of tree.go, or nil where an
// error was reported.
//
// Invariants of the tree: no expression has an invalid type; l-values are exactly the
// node types that tree.go lists, everything else is an r-value whose type has no
// qualifiers; both operands of an operator have the type that tree.go demands; an
// arithmetic expression whose operands are constants is a Const, computed by package
// numeric. An expression of which an error was reported has the invalid type, and
// every rule is silent about operands of that type, so that one mistake gives one
// diagnostic.
//
// check must not know how values are represented in SSA, nor what a builtin function
// does: it asks package builtin which overload a call means. The exceptions are the
// families that the language defines by name, convert_T and as_T, which are
// conversions here (convert.go).
//
// The rules are those of the OpenCL C specification; where it leaves a choice, clang
// 19 decides, whose wording the diagnostics follow.
//
// Start reading at check.go (the pass over a file), then scope.go (names), typename.go
// and decl.go (declarations), expr.go (expressions) with conv.go (implicit
// conversions), vector.go (components and vector literals), convert.go (explicit
// conversions), init.go (initializers), stmt.go (statements).
package check
