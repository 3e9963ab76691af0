// Package check is the semantic analysis of OpenCL C: it resolves names, computes types, makes every implicit
// conversion a node, folds constants, and reports violations of the language's rules.
//
// Input: a syntax.File. Output: a Program, the typed tree of tree.go, or nil if an error was reported.
//
// Invariants of the tree: no expression has an invalid type; l-values are exactly the node types that tree.go
// lists, everything else is an r-value whose type has no qualifiers; both operands of an operator have the type
// that tree.go requires; an arithmetic expression whose operands are constants is a Const, computed by package
// numeric. An expression with a reported error has the invalid type, and no rule reports anything about operands of
// that type, so that one mistake gives one diagnostic.
//
// check must not know how values are represented in SSA, nor the semantics of builtin functions: package builtin
// selects the overload of a call. The exceptions are the families convert_T and as_T, which are conversions here
// (convert.go).
//
// The rules are those of the OpenCL C specification. Where it leaves a choice, check follows clang 19, as it does
// in the wording of diagnostics.
//
// Start reading at check.go (the pass over a file), then scope.go (names), typename.go and decl.go (declarations),
// expr.go (expressions) with conv.go (implicit conversions), vector.go (components and vector literals), convert.go
// (explicit conversions), init.go (initializers), stmt.go (statements).
package check
