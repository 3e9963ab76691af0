// Package token defines the tokens of a translation unit, which the preprocessor produces and the parser reads.
//
// Input: nothing; the package is data. Output: Token with its Kind, Flags and position; Names, which numbers
// identifiers; the values of constants and string literals (C99 6.4.4, 6.4.5).
//
// Invariants: two identifiers of a unit have the same Token.Sym exactly if they have the same spelling. Token.Text
// shares the memory of the source.
//
// token must not know macros, keywords or grammar: a keyword is an identifier here, and the parser numbers its
// keywords from NumKinds on.
//
// Start reading at token.go.
package token
