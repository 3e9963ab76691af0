package syntax

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/purecl/purecl/internal/front/diag"
)

// Class bits of a source byte.
const (
	ppAlpha  = 1 << iota // letter, underscore or $: starts an identifier
	ppDigit              // 0-9
	ppBlank              // white space inside a line
	ppHigh               // part of a non-ASCII character
	ppPunct              // starts a punctuator
	ppSplice             // may start an escaped newline or a trigraph
	ppEnd                // ends a line
)

var ppClass = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '$':
			t[c] = ppAlpha
		case c >= '0' && c <= '9':
			t[c] = ppDigit
		case c == ' ', c == '\t', c == '\f', c == '\v', c == 0:
			t[c] = ppBlank
		case c == '\n', c == '\r':
			t[c] = ppEnd
		case c >= 0x80:
			t[c] = ppHigh
		case c == '\\':
			t[c] = ppSplice
		case c == '?':
			t[c] = ppSplice | ppPunct
		case strings.IndexByte("()[]{}.-+&*~!/%<>=^|:;,#", byte(c)) >= 0:
			t[c] = ppPunct
		}
	}
	return t
}()

// A ppScanner turns the text of one file into tokens (translation phases 1 to 3,
// C99 5.1.1.2). Tokens without escaped newlines are substrings of the source.
type ppScanner struct {
	src  string
	off  int
	base diag.Pos // position of src[0]
	file *diag.File
	rep  *diag.Reporter // nil: silent

	lineStart bool // the next token is the first of its line
	inLine    bool // a newline ends the token stream (a directive's line)
	quiet     bool // no reports about malformed tokens (text that is not used)
	clean     bool // src has no escaped newlines and trigraphs left: backslashes are what they are
}

func (s *ppScanner) report(c *diag.Code, from, to int, format string, args ...any) {
	if s.rep != nil && !s.quiet {
		s.rep.Report(c, diag.Span{Pos: s.base + diag.Pos(from), End: s.base + diag.Pos(to)}, format, args...)
	}
}

// splice returns the length of the escaped newlines at offset i: a backslash (or
// its trigraph), optional blanks, a line end; any number of them.
func (s *ppScanner) splice(i int) int {
	if s.clean {
		return 0
	}
	start := i
	for {
		j := i
		switch {
		case j < len(s.src) && s.src[j] == '\\':
			j++
		case strings.HasPrefix(s.src[j:], "??/"):
			j += 3
		default:
			return i - start
		}
		for j < len(s.src) && ppClass[s.src[j]]&ppBlank != 0 {
			j++
		}
		switch {
		case strings.HasPrefix(s.src[j:], "\r\n"):
			i = j + 2
		case j < len(s.src) && ppClass[s.src[j]] == ppEnd:
			i = j + 1
		default:
			return i - start
		}
	}
}

// irregular reports whether an escaped newline or a trigraph begins at offset i.
func (s *ppScanner) irregular(i int) bool {
	if s.clean || i >= len(s.src) || ppClass[s.src[i]]&ppSplice == 0 {
		return false
	}
	return s.splice(i) > 0 || ppTrigraph(s.src[i:]) != 0
}

// ppTrigraph returns the character that a trigraph at the start of s stands for, or
// 0 (C99 5.2.1.1).
func ppTrigraph(s string) byte {
	if len(s) >= 3 && s[0] == '?' && s[1] == '?' {
		if i := strings.IndexByte("=(/)'<!>-", s[2]); i >= 0 {
			return `#[\]^{|}~`[i]
		}
	}
	return 0
}

// next scans one token into t. At the end of the text, or of the line where inLine
// is set, it gives EOF and stays there.
func (s *ppScanner) next(t *Token) {
	flags := Flags(0)
	if s.lineStart {
		flags = LineStart
	}
	src, i := s.src, s.off
	for i < len(src) {
		c := src[i]
		switch class := ppClass[c]; {
		case class&ppAlpha != 0:
			s.ident(t, i, flags)
			return
		case class&ppBlank != 0:
			if c == 0 {
				s.report(diag.NullCharacter, i, i+1, "null character ignored")
			}
			flags |= SpaceBefore
			i++
		case class == ppEnd:
			if s.inLine {
				s.eof(t, i, flags)
				return
			}
			flags |= LineStart
			i++
		case class == ppDigit:
			s.number(t, i, flags)
			return
		case c == '/':
			j := i + 1
			if j < len(src) && src[j] != '/' && src[j] != '*' {
				j += s.splice(j)
			}
			if j < len(src) && src[j] == '/' {
				i = s.lineComment(j + 1)
				flags |= SpaceBefore
				continue
			}
			if j < len(src) && src[j] == '*' {
				i = s.blockComment(i, j+1)
				flags |= SpaceBefore
				continue
			}
			s.punct(t, i, flags)
			return
		case c == '"' || c == '\'':
			s.quoted(t, i, i, flags)
			return
		case c == '.' && i+1 < len(src) && ppClass[src[i+1]] == ppDigit:
			s.number(t, i, flags)
			return
		case class&ppHigh != 0:
			if n := s.spaceAt(i); n > 0 {
				i += n
				flags |= SpaceBefore
				continue
			}
			s.ident(t, i, flags)
			return
		case class&ppSplice != 0 && s.irregular(i):
			if n := s.splice(i); n > 0 {
				i += n
				continue
			}
			s.spliced(t, i, flags)
			return
		case class&ppPunct != 0:
			s.punct(t, i, flags)
			return
		default: // a stray character
			s.make(t, Invalid, i, i+1, flags)
			return
		}
	}
	s.eof(t, i, flags)
}

func (s *ppScanner) eof(t *Token, i int, flags Flags) {
	s.off = i
	*t = Token{Kind: EOF, Flags: flags, Pos: s.base + diag.Pos(i)}
}

func (s *ppScanner) make(t *Token, k Kind, from, to int, flags Flags) {
	s.off = to
	s.lineStart = false
	t.Kind, t.Flags, t.Sym = k, flags, 0
	t.Pos, t.Len, t.Text = s.base+diag.Pos(from), uint32(to-from), s.src[from:to]
}

// ident scans an identifier, or a wide literal that begins with L. Its Sym is its hash
// until it is interned.
func (s *ppScanner) ident(t *Token, i int, flags Flags) {
	src, j, h := s.src, i, hashInit
	for j < len(src) && ppClass[src[j]]&(ppAlpha|ppDigit) != 0 {
		h = (h ^ uint32(src[j])) * hashPrime
		j++
	}
	if j < len(src) {
		c := src[j]
		if j == i+1 && src[i] == 'L' && (c == '"' || c == '\'') {
			s.quoted(t, i, j, flags)
			return
		}
		if ppClass[c]&(ppHigh|ppSplice) != 0 {
			if s.irregular(j) {
				s.spliced(t, i, flags)
				return
			}
			if ppClass[c] == ppHigh {
				if j = s.identTail(j); j == i {
					s.badCharacter(t, i, flags)
					return
				}
				if s.irregular(j) {
					s.spliced(t, i, flags)
					return
				}
				h = hashOf(src[i:j])
			}
		}
	}
	s.make(t, Ident, i, j, flags)
	t.Sym = h
}

// identTail skips the characters of an identifier from offset j on, non-ASCII
// letters, marks and digits included (C99 annex D, taken as Unicode's classes).
func (s *ppScanner) identTail(j int) int {
	for j < len(s.src) {
		if c := s.src[j]; c < utf8.RuneSelf {
			if ppClass[c]&(ppAlpha|ppDigit) == 0 {
				return j
			}
			j++
			continue
		}
		r, n := utf8.DecodeRuneInString(s.src[j:])
		if r == utf8.RuneError && n <= 1 || !unicode.In(r, unicode.L, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Nl, unicode.Pc) {
			return j
		}
		j += n
	}
	return j
}

// spaceAt returns the length of the Unicode white space at offset i, or of a byte
// order mark at the start of the text; 0 where there is none.
func (s *ppScanner) spaceAt(i int) int {
	r, n := utf8.DecodeRuneInString(s.src[i:])
	if i == 0 && r == 0xFEFF {
		return n
	}
	if !unicode.IsSpace(r) {
		return 0
	}
	s.report(diag.UnicodeWhitespace, i, i+n, "treating Unicode character <U+%04X> as whitespace", r)
	return n
}

func (s *ppScanner) badCharacter(t *Token, i int, flags Flags) {
	r, n := utf8.DecodeRuneInString(s.src[i:])
	if r == utf8.RuneError && n <= 1 {
		s.report(diag.InvalidUTF8, i, i+1, "source text is not valid UTF-8")
		n = 1
	} else {
		s.report(diag.UnexpectedCharacter, i, i+n, "unexpected character <U+%04X>", r)
	}
	s.make(t, Invalid, i, i+n, flags)
}

// number scans a pp-number (C99 6.4.8).
func (s *ppScanner) number(t *Token, i int, flags Flags) {
	src, j := s.src, i
	for j < len(src) {
		c := src[j]
		if class := ppClass[c]; class&(ppAlpha|ppDigit) != 0 || c == '.' {
			j++
			if c |= 0x20; (c == 'e' || c == 'p') && j < len(src) {
				if d := src[j]; d == '+' || d == '-' {
					j++
				} else if s.irregular(j) {
					break
				}
			}
		} else if class == ppHigh {
			k := s.identTail(j)
			if k == j {
				break
			}
			j = k
		} else {
			break
		}
	}
	if s.irregular(j) {
		s.spliced(t, i, flags)
		return
	}
	s.make(t, Number, i, j, flags)
}

// quoted scans a string literal or character constant whose quote stands at q.
func (s *ppScanner) quoted(t *Token, i, q int, flags Flags) {
	src, quote := s.src, s.src[q]
	for j := q + 1; j < len(src); {
		switch c := src[j]; {
		case c == quote:
			k := StrLit
			if quote == '\'' {
				if k = CharLit; j == q+1 {
					s.report(diag.InvalidPPToken, i, j+1, "empty character constant")
					k = Invalid
				}
			}
			s.make(t, k, i, j+1, flags)
			return
		case ppClass[c] == ppEnd:
			s.unterminated(t, i, j, quote, flags)
			return
		case ppClass[c]&ppSplice != 0 && s.irregular(j):
			s.spliced(t, i, flags)
			return
		case c == '\\' && j+1 < len(src) && ppClass[src[j+1]] != ppEnd:
			if j++; s.irregular(j) {
				s.spliced(t, i, flags)
				return
			}
			j++
		default:
			j++
		}
	}
	s.unterminated(t, i, len(src), quote, flags)
}

// unterminated makes a token of a quote without partner: the rest of the line.
func (s *ppScanner) unterminated(t *Token, i, end int, quote byte, flags Flags) {
	s.report(diag.InvalidPPToken, i, i+1, "missing terminating %s character", string(quote))
	s.make(t, Invalid, i, end, flags)
}

// lineComment skips the rest of a // comment and returns the offset of its line end.
func (s *ppScanner) lineComment(i int) int {
	for i < len(s.src) {
		end := i
		for end < len(s.src) && ppClass[s.src[end]] != ppEnd {
			end++
		}
		if end == len(s.src) {
			return end
		}
		k := end // escaped by a backslash before it?
		for k > i && ppClass[s.src[k-1]]&ppBlank != 0 {
			k--
		}
		switch {
		case k > i && s.src[k-1] == '\\':
			k--
		case k > i+2 && s.src[k-3:k] == "??/":
			k -= 3
		default:
			return end
		}
		i = k + s.splice(k)
		if i <= end { // clean text: the backslash is part of the comment
			return end
		}
	}
	return i
}

// blockComment skips a comment that began at start; i is the offset after its "/*".
func (s *ppScanner) blockComment(start, i int) int {
	for {
		n := strings.IndexByte(s.src[i:], '*')
		if n < 0 {
			s.report(diag.UnterminatedComment, start, start+2, "unterminated /* comment")
			return len(s.src)
		}
		i += n + 1
		j := i + s.splice(i)
		if j < len(s.src) && s.src[j] == '/' {
			return j + 1
		}
	}
}

// punct scans a punctuator, the longest that matches.
func (s *ppScanner) punct(t *Token, i int, flags Flags) {
	src := s.src
	var c1, c2 byte
	if i+1 < len(src) {
		c1 = src[i+1]
	}
	if i+2 < len(src) {
		c2 = src[i+2]
	}
	if (ppClass[c1]|ppClass[c2])&ppSplice != 0 && (s.irregular(i+1) || ppClass[c1] == ppPunct && s.irregular(i+2)) {
		s.spliced(t, i, flags)
		return
	}
	k, n := ppPunctuator(src[i:], src[i], c1, c2)
	s.make(t, k, i, i+n, flags)
}

// ppPunctuator returns the kind and length of the punctuator that begins with c and
// goes on with c1, c2 (C99 6.4.6, digraphs included).
func ppPunctuator(src string, c, c1, c2 byte) (Kind, int) {
	switch c {
	case '(':
		return LParen, 1
	case ')':
		return RParen, 1
	case '[':
		return LBrack, 1
	case ']':
		return RBrack, 1
	case '{':
		return LBrace, 1
	case '}':
		return RBrace, 1
	case ';':
		return Semi, 1
	case ',':
		return Comma, 1
	case '~':
		return Tilde, 1
	case '?':
		return Question, 1
	case '.':
		if c1 == '.' && c2 == '.' {
			return Ellipsis, 3
		}
		return Dot, 1
	case '-':
		if c1 == '>' {
			return Arrow, 2
		}
		return ppOr(Minus, c1, '-', Dec, SubAssign)
	case '+':
		return ppOr(Plus, c1, '+', Inc, AddAssign)
	case '&':
		return ppOr(Amp, c1, '&', AndAnd, AndAssign)
	case '|':
		return ppOr(Pipe, c1, '|', OrOr, OrAssign)
	case '*':
		return ppOr(Star, c1, 0, 0, MulAssign)
	case '/':
		return ppOr(Slash, c1, 0, 0, DivAssign)
	case '^':
		return ppOr(Caret, c1, 0, 0, XorAssign)
	case '!':
		return ppOr(Not, c1, 0, 0, NotEq)
	case '=':
		return ppOr(Assign, c1, 0, 0, EqEq)
	case '#':
		return ppOr(Hash, c1, '#', HashHash, 0)
	case ':':
		return ppOr(Colon, c1, '>', RBrack, 0)
	case '%':
		if c1 == ':' {
			if strings.HasPrefix(src[2:], "%:") {
				return HashHash, 4
			}
			return Hash, 2
		}
		return ppOr(Percent, c1, '>', RBrace, RemAssign)
	case '<':
		switch {
		case c1 == '<' && c2 == '=':
			return ShlAssign, 3
		case c1 == ':':
			return LBrack, 2
		case c1 == '%':
			return LBrace, 2
		}
		return ppOr(Lt, c1, '<', Shl, Le)
	case '>':
		if c1 == '>' && c2 == '=' {
			return ShrAssign, 3
		}
		return ppOr(Gt, c1, '>', Shr, Ge)
	}
	return Invalid, 1
}

// ppOr picks among an operator, its form with a second character and its form with =.
// A kind of 0 stands for a form that does not exist.
func ppOr(single Kind, c1, second byte, double, assign Kind) (Kind, int) {
	switch {
	case c1 == second && double != 0:
		return double, 2
	case c1 == '=' && assign != 0:
		return assign, 2
	}
	return single, 1
}

// spliced scans the token at offset i where it contains an escaped newline or a
// trigraph: from a copy of the text without them that is grown until the token ends
// well inside it, so that the work is proportional to the token's length.
func (s *ppScanner) spliced(t *Token, i int, flags Flags) {
	const lookahead = 4 // characters after a token that may decide its end
	for size := 64; ; size *= 4 {
		text, ends, whole := s.cleaned(i, size)
		c := ppScanner{src: text, clean: true}
		c.next(t)
		n := len(t.Text)
		if !whole && n+lookahead > len(text) {
			continue
		}
		if n == 0 { // cannot be: what is no token was skipped before
			s.eof(t, len(s.src), flags)
			return
		}
		k, sym, text := t.Kind, t.Sym, t.Text
		end := i + int(ends[n-1])
		for j := i; j < end; j++ {
			if g := ppTrigraph(s.src[j:]); g != 0 && s.splice(j) == 0 {
				s.report(diag.Trigraphs, j, j+3, "trigraph converted to '%c' character", g)
				j += 2
			}
		}
		if quote := strings.IndexAny(text[:min(2, n)], `"'`); k == Invalid && quote >= 0 {
			if text[quote:] == "''" {
				s.report(diag.InvalidPPToken, i, end, "empty character constant")
			} else {
				s.report(diag.InvalidPPToken, i, i+1, "missing terminating %c character", text[quote])
			}
		}
		s.make(t, k, i, end, flags)
		t.Text, t.Sym = text, sym
		return
	}
}

// cleaned returns the text from offset i on, about size bytes of it, with escaped
// newlines removed and trigraphs replaced; ends[k] is the distance from i to the end
// of what byte k came from. whole says that the text's end was reached.
func (s *ppScanner) cleaned(i, size int) (text string, ends []uint32, whole bool) {
	var b strings.Builder
	for j := i; ; {
		if j >= len(s.src) {
			return b.String(), ends, true
		}
		if b.Len() >= size {
			return b.String(), ends, false
		}
		c, n := s.src[j], 1
		if ppClass[c]&ppSplice != 0 {
			if k := s.splice(j); k > 0 {
				j += k
				continue
			}
			if g := ppTrigraph(s.src[j:]); g != 0 {
				c, n = g, 3
			}
		}
		j += n
		b.WriteByte(c)
		ends = append(ends, uint32(j-i))
	}
}
