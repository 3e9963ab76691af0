// Package preprocess makes tokens of OpenCL C source text: translation phases 1 to 4 of
// C99 5.1.1.2.
//
// Input: files of a diag.Source and an option.Source. Output: Run gives a token.Unit, the
// tokens after macro expansion, each with its position and, through that, its chain of macros.
// Findings go to a diag.Reporter; nothing here returns an error or panics on bad input.
//
// The files follow the phases: scan.go (tokens), preprocess.go (directives), condition.go (#if),
// include.go, define.go, pragma.go, macro.go (expansion by the method of hide flags on
// tokens), predefined.go (what OpenCL C predefines for a version and its extensions).
// A predefined macro is defined when its name first occurs, so that a unit pays for no others.
//
// Invariants: the last token is EOF. Tokens, expansions, includes and nesting are bounded
// whatever the input is (option.Source.MaxTokens, MaxDepth, and the constants max…).
//
// preprocess must not know keywords or grammar: of a pragma that the parser needs it makes a
// Pragma token.
//
// Start reading at preprocess.go.
package preprocess
