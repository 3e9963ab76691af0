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
// # Layers
//
// Type checker checks a translation unit. It consists of layers, from the bottom up. Each embeds the layer below it,
// and calls nothing above itself:
//
//   - unit (unit.go) is the source, the options and the language's version, and takes the diagnostics.
//   - pragmas (pragma.go) holds the state that pragmas change.
//   - warnings (warn.go, uninit.go) reports valid code that is probably a mistake.
//   - nodes (node.go, const.go) creates the nodes of the tree and folds constants.
//   - conversions (conv.go, cast.go, convert.go, vector.go) converts expressions to other types.
//   - operators (operator.go, assign.go, member.go) checks operators on checked operands.
//   - scopes (scope.go, language.go) resolves names.
//   - calls (call.go) selects the function of a call.
//   - expressions (expr.go, typeop.go, literal.go, init.go) checks the syntax trees of expressions and initializers.
//   - declarators (typename.go, record.go, attr.go) resolves specifiers, attributes and declarators to types.
//   - declarations (decl.go, func.go, kernel.go) checks declarations, except the bodies of functions.
//   - checker (check.go, body.go, stmt.go) checks the bodies of functions, their statements, and the rules on the whole unit.
//
// Only an expression needs what is above it: a type name, as in a cast, and a GNU statement expression. It reaches
// these through an interface (enclosing). The receiver of all layers is named c, for the checker whose part it is.
//
// Start reading at check.go (the pass over a file), then scope.go (names), typename.go and decl.go (declarations),
// expr.go (expressions) with operator.go and conv.go (implicit conversions), stmt.go (statements).
package check
