// Package syntax parses the tokens of OpenCL C into an abstract syntax tree, and prints trees.
//
// Input: the token.Unit of a translation unit. Output: Parse returns a File; Print writes a File as source text.
// All findings go to a diag.Reporter; no function returns an error or panics on bad input.
//
// # Parser
//
// The parser is a recursive descent over the grammar of C99 with OpenCL C's additions and the GNU extensions that
// clang accepts; each function's comment has its production. Keywords are identifiers to the preprocessor, which
// numbers every identifier. The parser uses the numbers: the kind of a keyword and the current meaning of a name
// are array lookups (symbols). Nodes come from slabs, one for each type, which a Memory keeps for the next
// translation unit.
//
// The parser is layers, each a type that embeds the one below it. From the bottom up:
//   - cursor (parse_cursor.go, symbols.go): moves over tokens; knows keywords and the meanings of names
//   - recovery (parse_recover.go): reports errors, limits nesting, skips to where parsing continues
//   - exprParser (parse_expr.go, parse_init.go): expressions and initializers
//   - typeParser (parse_type.go, parse_declarator.go, parse_attr.go): declaration specifiers, records, enumerations,
//     attributes, declarators, type names
//   - declParser (parse_decl.go, parse_pragma.go): declarations, pragmas, function definitions
//   - stmtParser (parse_stmt.go): statements and blocks
//   - parser (parse.go): external declarations
//
// A layer calls only itself and those below it. Where the grammar leads up, to the type of a cast or the block of a
// function, a layer calls through the interface upper.
//
// The tree is unresolved: names are strings, types are type expressions. Only two things depend on declarations:
// whether a name is a type's (the typedef-name problem, C99 6.7.7; builtin type names are predeclared and can be
// hidden) and whether a cast before a parenthesis is a vector literal, to which postfix operators apply as a whole:
// (float4)(a, b, c, d).x. Package check handles everything else about scopes, such as redeclarations.
//
// Invariants of the tree: every node has a span; the innermost TypeExpr of a Declarator is its *DeclSpec; a
// BadStmt, BadDecl, BadType or BadExpr replaces code with a reported error, and File describes how much is missing.
// Nesting of brackets and statements is limited (option.Source.MaxDepth, 256 by default, separately for each kind
// of bracket, as in clang). Chains such as a+a+a…, a=b=c…, else-if and case labels are parsed in loops and may
// be longer, but no tree is higher than 2^17 = 131,072 nodes, so that later phases may recurse on it. (A phase with
// large frames should walk the left spine of Binary in a loop.)
//
// Recovery: an error is reported at the token that cannot continue (a missing ';' after the token before it), with
// clang's wording. Then the parser skips to the end of the statement or declaration, taking brackets and keywords
// at line starts into account. At most one error is reported at a token, and none in a statement after its first.
//
// # Printer
//
// Print(Parse(Print(f))) equals Print(f) for every f without syntax errors; FuzzParse checks that.
//
// syntax must not know types, builtin functions or extensions' effects: an unknown function is a Name like any
// other.
//
// Start reading at ast.go, then parse.go (external declarations), parse_cursor.go, parse_recover.go (the parser's
// state), parse_expr.go, parse_declarator.go.
package syntax
