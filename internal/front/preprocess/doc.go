// Package preprocess converts OpenCL C source text to tokens: translation phases 1 to 4 of C99 5.1.1.2.
//
// Input: files of a diag.Source and an option.Source. Output: Run returns a token.Unit, the tokens after macro
// expansion, each with its position and, through that, its chain of macros. Findings go to a diag.Reporter; no
// function returns an error or panics on bad input.
//
// The files follow the phases: scan.go (tokens), preprocess.go (directives), condition.go (#if), include.go,
// define.go, pragma.go, macro.go (expansion by the method of hide flags on tokens), predefined.go (the macros that
// OpenCL C predefines for a version and its extensions). A predefined macro is defined when its name first occurs,
// so that unused ones cost nothing.
//
// Invariants: the last token is EOF. Tokens, expansions, includes and nesting are bounded for any input
// (option.Source.MaxTokens, MaxDepth, and the constants max…).
//
// preprocess must not know keywords or grammar: it passes pragmas for the parser as Pragma tokens.
//
// Start reading at preprocess.go.
package preprocess
