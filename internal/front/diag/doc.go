// Package diag has the infrastructure of findings about a program: source texts and positions in them, macro
// expansion chains, the registry of diagnostic codes, the reporter that collects findings, and the renderers.
//
// Input: source files (Source.AddFile), macro expansions (Source.AddExpansion) and findings (Reporter.Report).
// Output: text for a terminal or a build log (Style), JSON (WriteJSON) and SARIF 2.1.0 (WriteSARIF).
//
// A position is one 32-bit number. Files and macro expansions have consecutive ranges of the position space in the
// order in which they are added, so that a binary search resolves a position, and one number represents a token's
// whole macro chain. (clang's SourceManager works the same way.)
//
// Invariants: positions of one token are consecutive; a position inside an expansion resolves through finitely many
// steps to a file; the position 0 is invalid. Columns are bytes, counted from 1; renderers convert to display
// columns.
//
// diag must not know about tokens, syntax trees or types: it sees bytes and spans. Each package declares its own
// codes in a file codes_AREA.go here, so that the registry is complete without imports.
//
// Start reading at source.go (positions), then diag.go (Diagnostic, Reporter), then render.go (text).
package diag
