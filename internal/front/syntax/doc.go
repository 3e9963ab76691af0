// Package syntax turns the tokens of OpenCL C into an abstract syntax tree and prints trees.
//
// Input: the token.Unit of a translation unit. Output: Parse makes a File of it; Print writes
// a File as source text again. All findings go to a diag.Reporter; nothing here returns an
// error or panics on bad input.
//
// # Parser
//
// Recursive descent over the grammar of C99 with OpenCL C's additions and the GNU
// extensions that clang accepts; the production stands above each function. Keywords
// are identifiers to the preprocessor, which numbers every identifier; the parser works with
// the numbers: the kind of a keyword and the current meaning of a name are array look-ups
// (symbols). Nodes come from slabs, one for each type, which
// a Memory keeps for the next translation unit.
//
// The tree says what the source says, unresolved: names are strings, types are type
// expressions. Only two things depend on declarations: whether a name is a type's (the
// typedef-name problem, C99 6.7.7; built-in type names are predeclared and can be
// hidden) and whether a cast before a parenthesis is a vector literal, which takes
// postfix operators as a whole: (float4)(a, b, c, d).x. Everything else about scopes,
// such as redeclarations, is check's.
//
// Invariants of the tree: every node has a span; the innermost TypeExpr of a
// Declarator is its *DeclSpec; where Parse reported an error,
// a BadStmt, BadDecl, BadType or BadExpr stands in, and File says how much is missing.
// Nesting of brackets and statements is limited (option.Source.MaxDepth, 256 by default, each
// kind of bracket by itself, as in clang); chains such as a+a+a…, a=b=c…, else-if and
// case labels are parsed in loops and may be longer, but no tree is higher than
// 2^17 = 131,072 nodes, so that later phases may recurse on it. (A phase with large
// frames had better walk the left spine of Binary in a loop.)
//
// Recovery: an error is reported at the token that cannot go on (a missing ';' behind
// the token before it), with clang's wording; then the parser skips to the end of the
// statement or declaration, mindful of brackets and of keywords that begin a line. At
// most one error is reported at a token, and none in a statement after its first.
//
// # Printer
//
// Print(Parse(Print(f))) equals Print(f) for every f without syntax errors; FuzzParse holds
// that.
//
// syntax must not know types, builtin functions or extensions' effects: an unknown
// function is a Name like any other.
//
// Start reading at ast.go, then parse.go (the parser's state, external
// declarations), parse_expr.go, parse_declarator.go.
package syntax
