package token

import "github.com/purecl/purecl/internal/front/diag"

// A Token is one token after preprocessing (or, inside the preprocessor, before it).
type Token struct {
	Kind  Kind
	Flags Flags
	Pos   diag.Pos
	Len   uint32 // length in the source in bytes, escaped newlines included: Pos+Len is the end
	Sym   uint32 // of an identifier: its number in this translation unit, else 0
	Text  string // the spelling without escaped newlines; shares the source's memory if that has none
}

// Span returns the token's position.
func (t *Token) Span() diag.Span { return diag.Span{Pos: t.Pos, End: t.Pos + diag.Pos(t.Len)} }

// Flags of a token.
type Flags uint8

// The flags.
const (
	SpaceBefore Flags = 1 << iota // white space or a comment precedes it
	LineStart                     // first token of its line
	NoExpand                      // a macro name that must not be expanded (C99 6.10.3.4p2)
)

// A Kind is the kind of a token.
type Kind uint8

// The kinds. Punctuators and keywords follow in tables below.
const (
	EOF Kind = iota
	Ident
	Number  // pp-number
	CharLit // with its quotes and prefix
	StrLit
	Header  // <name> after #include
	Pragma  // a pragma for the parser; Text is the rest of its line, without "#pragma"
	Invalid // a stray character; reported if it reaches the parser

	// punctuators
	LParen
	RParen
	LBrack
	RBrack
	LBrace
	RBrace
	Dot
	Arrow
	Inc
	Dec
	Amp
	Star
	Plus
	Minus
	Tilde
	Not
	Slash
	Percent
	Shl
	Shr
	Lt
	Gt
	Le
	Ge
	EqEq
	NotEq
	Caret
	Pipe
	AndAnd
	OrOr
	Question
	Colon
	Semi
	Ellipsis
	Assign
	MulAssign
	DivAssign
	RemAssign
	AddAssign
	SubAssign
	ShlAssign
	ShrAssign
	AndAssign
	XorAssign
	OrAssign
	Comma
	Hash
	HashHash
	NumKinds // the first unused number: a parser numbers its keywords from here
)

var kindText = [NumKinds]string{
	EOF: "end of file", Ident: "identifier", Number: "number", CharLit: "character constant", StrLit: "string literal",
	Header: "header name", Pragma: "#pragma", Invalid: "stray character",
	LParen: "(", RParen: ")", LBrack: "[", RBrack: "]", LBrace: "{", RBrace: "}", Dot: ".", Arrow: "->", Inc: "++", Dec: "--",
	Amp: "&", Star: "*", Plus: "+", Minus: "-", Tilde: "~", Not: "!", Slash: "/", Percent: "%", Shl: "<<", Shr: ">>",
	Lt: "<", Gt: ">", Le: "<=", Ge: ">=", EqEq: "==", NotEq: "!=", Caret: "^", Pipe: "|", AndAnd: "&&", OrOr: "||",
	Question: "?", Colon: ":", Semi: ";", Ellipsis: "...", Assign: "=", MulAssign: "*=", DivAssign: "/=", RemAssign: "%=",
	AddAssign: "+=", SubAssign: "-=", ShlAssign: "<<=", ShrAssign: ">>=", AndAssign: "&=", XorAssign: "^=", OrAssign: "|=",
	Comma: ",", Hash: "#", HashHash: "##",
}

// String returns a punctuator's spelling or the name of the kind.
func (k Kind) String() string { return kindText[k] }
