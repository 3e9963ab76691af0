package preprocess

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
)

// Class bits of a source byte.
const (
	classAlpha  = 1 << iota // letter, underscore or $: starts an identifier
	classDigit              // 0-9
	classBlank              // white space inside a line
	classHigh               // part of a non-ASCII character
	classPunct              // starts another punctuator
	classSplice             // may start an escaped newline or a trigraph
	classEnd                // ends a line
	classSingle             // a punctuator that begins no other
)

var byteClass = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '$':
			t[c] = classAlpha
		case c >= '0' && c <= '9':
			t[c] = classDigit
		case c == ' ', c == '\t', c == '\f', c == '\v', c == 0:
			t[c] = classBlank
		case c == '\n', c == '\r':
			t[c] = classEnd
		case c >= 0x80:
			t[c] = classHigh
		case c == '\\':
			t[c] = classSplice
		case c == '?':
			t[c] = classSplice | classPunct
		case singles[c] != 0:
			t[c] = classSingle
		case strings.IndexByte(".-+&*~!/%<>=^|:;,#", byte(c)) >= 0:
			t[c] = classPunct
		}
	}
	return t
}()

// singles are the punctuators of one byte that begin no other.
var singles = [256]token.Kind{'(': token.LParen, ')': token.RParen, '[': token.LBrack, ']': token.RBrack, '{': token.LBrace, '}': token.RBrace,
	';': token.Semi, ',': token.Comma, '~': token.Tilde}

// A scanner converts the text of one file to tokens (translation phases 1 to 3, C99 5.1.1.2). Tokens without
// escaped newlines are substrings of the source.
type scanner struct {
	src  string
	off  int
	base diag.Pos // position of src[0]
	file *diag.File
	rep  *diag.Reporter // nil: no reports

	lineStart bool // the next token is the first of its line
	inLine    bool // a newline ends the token stream (a directive's line)
	quiet     bool // no reports about malformed tokens (in unused text)
	clean     bool // src has no escaped newlines and trigraphs: backslashes are literal
}

func (s *scanner) report(c *diag.Code, from, to int, format string, args ...any) {
	if s.rep != nil && !s.quiet {
		s.rep.Report(c, diag.Span{Pos: s.base + diag.Pos(from), End: s.base + diag.Pos(to)}, format, args...)
	}
}

// splice returns the length of the escaped newlines at offset i: a backslash (or
// its trigraph), optional blanks, a line end; any number of them.
func (s *scanner) splice(i int) int {
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
		for j < len(s.src) && byteClass[s.src[j]]&classBlank != 0 {
			j++
		}
		switch {
		case strings.HasPrefix(s.src[j:], "\r\n"):
			i = j + 2
		case j < len(s.src) && byteClass[s.src[j]] == classEnd:
			i = j + 1
		default:
			return i - start
		}
	}
}

// irregular reports whether an escaped newline or a trigraph begins at offset i.
func (s *scanner) irregular(i int) bool {
	if s.clean || i >= len(s.src) || byteClass[s.src[i]]&classSplice == 0 {
		return false
	}
	return s.splice(i) > 0 || trigraph(s.src[i:]) != 0
}

// trigraph returns the character of the trigraph at the start of s, or 0 (C99 5.2.1.1).
func trigraph(s string) byte {
	if len(s) >= 3 && s[0] == '?' && s[1] == '?' {
		if i := strings.IndexByte("=(/)'<!>-", s[2]); i >= 0 {
			return `#[\]^{|}~`[i]
		}
	}
	return 0
}

// next scans one token into t. At the end of the text, or of the line if inLine is set, it returns EOF at each
// call.
func (s *scanner) next(t *token.Token) {
	flags := token.Flags(0)
	if s.lineStart {
		flags = token.LineStart
	}
	src, i := s.src, s.off
	for i < len(src) {
		c := src[i]
		switch class := byteClass[c]; {
		case class&classAlpha != 0:
			s.ident(t, i, flags)
			return
		case class&classSingle != 0:
			s.make(t, singles[c], i, i+1, flags)
			return
		case class&classBlank != 0:
			if c == 0 {
				s.report(diag.NullCharacter, i, i+1, "null character ignored")
			}
			flags |= token.SpaceBefore
			for i++; i < len(src) && src[i] == ' '; i++ { // indentation
			}
		case class == classEnd:
			if s.inLine {
				s.eof(t, i, flags)
				return
			}
			flags |= token.LineStart
			i++
		case class == classDigit:
			s.number(t, i, flags)
			return
		case c == '/':
			j := i + 1
			if j < len(src) && src[j] != '/' && src[j] != '*' {
				j += s.splice(j)
			}
			if j < len(src) && src[j] == '/' {
				i = s.lineComment(j + 1)
				flags |= token.SpaceBefore
				continue
			}
			if j < len(src) && src[j] == '*' {
				i = s.blockComment(i, j+1)
				flags |= token.SpaceBefore
				continue
			}
			s.punct(t, i, flags)
			return
		case c == '"' || c == '\'':
			s.quoted(t, i, i, flags)
			return
		case c == '.' && i+1 < len(src) && byteClass[src[i+1]] == classDigit:
			s.number(t, i, flags)
			return
		case class&classHigh != 0:
			if n := s.spaceAt(i); n > 0 {
				i += n
				flags |= token.SpaceBefore
				continue
			}
			s.ident(t, i, flags)
			return
		case class&classSplice != 0 && s.irregular(i):
			if n := s.splice(i); n > 0 {
				i += n
				continue
			}
			s.spliced(t, i, flags)
			return
		case class&classPunct != 0:
			s.punct(t, i, flags)
			return
		default: // a stray character
			s.make(t, token.Invalid, i, i+1, flags)
			return
		}
	}
	s.eof(t, i, flags)
}

func (s *scanner) eof(t *token.Token, i int, flags token.Flags) {
	s.off = i
	*t = token.Token{Kind: token.EOF, Flags: flags, Pos: s.base + diag.Pos(i)}
}

func (s *scanner) make(t *token.Token, k token.Kind, from, to int, flags token.Flags) {
	s.off = to
	s.lineStart = false
	t.Kind, t.Flags, t.Sym = k, flags, 0
	t.Pos, t.Len, t.Text = s.base+diag.Pos(from), uint32(to-from), s.src[from:to]
}

// ident scans an identifier, or a wide literal that begins with L. Until it is interned, its Sym is its hash.
func (s *scanner) ident(t *token.Token, i int, flags token.Flags) {
	src, j, h := s.src, i, token.HashInit
	for j < len(src) && byteClass[src[j]]&(classAlpha|classDigit) != 0 {
		h = (h ^ uint32(src[j])) * token.HashPrime
		j++
	}
	if j < len(src) {
		c := src[j]
		if j == i+1 && src[i] == 'L' && (c == '"' || c == '\'') {
			s.quoted(t, i, j, flags)
			return
		}
		if byteClass[c]&(classHigh|classSplice) != 0 {
			if s.irregular(j) {
				s.spliced(t, i, flags)
				return
			}
			if byteClass[c] == classHigh {
				if j = s.identTail(j); j == i {
					s.badCharacter(t, i, flags)
					return
				}
				if s.irregular(j) {
					s.spliced(t, i, flags)
					return
				}
				h = token.NameHash(src[i:j])
			}
		}
	}
	s.make(t, token.Ident, i, j, flags)
	t.Sym = h
}

// identTail skips the characters of an identifier from offset j on, including non-ASCII letters, marks and digits
// (C99 annex D, interpreted as Unicode's classes).
func (s *scanner) identTail(j int) int {
	for j < len(s.src) {
		if c := s.src[j]; c < utf8.RuneSelf {
			if byteClass[c]&(classAlpha|classDigit) == 0 {
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

// spaceAt returns the length of the Unicode white space at offset i, or of a byte order mark at the start of the
// text; 0 if there is none.
func (s *scanner) spaceAt(i int) int {
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

func (s *scanner) badCharacter(t *token.Token, i int, flags token.Flags) {
	r, n := utf8.DecodeRuneInString(s.src[i:])
	if r == utf8.RuneError && n <= 1 {
		s.report(diag.InvalidUTF8, i, i+1, "source text is not valid UTF-8")
		n = 1
	} else {
		s.report(diag.UnexpectedCharacter, i, i+n, "unexpected character <U+%04X>", r)
	}
	s.make(t, token.Invalid, i, i+n, flags)
}

// number scans a pp-number (C99 6.4.8).
func (s *scanner) number(t *token.Token, i int, flags token.Flags) {
	src, j := s.src, i
	for j < len(src) {
		c := src[j]
		if class := byteClass[c]; class&(classAlpha|classDigit) != 0 || c == '.' {
			j++
			if c |= 0x20; (c == 'e' || c == 'p') && j < len(src) {
				if d := src[j]; d == '+' || d == '-' {
					j++
				} else if s.irregular(j) {
					break
				}
			}
		} else if class == classHigh {
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
	s.make(t, token.Number, i, j, flags)
}

// quoted scans a string literal or character constant whose quote is at q.
func (s *scanner) quoted(t *token.Token, i, q int, flags token.Flags) {
	src, quote := s.src, s.src[q]
	for j := q + 1; j < len(src); {
		switch c := src[j]; {
		case c == quote:
			k := token.StrLit
			if quote == '\'' {
				if k = token.CharLit; j == q+1 {
					s.report(diag.InvalidPPToken, i, j+1, "empty character constant")
					k = token.Invalid
				}
			}
			s.make(t, k, i, j+1, flags)
			return
		case byteClass[c] == classEnd:
			s.unterminated(t, i, j, quote, flags)
			return
		case byteClass[c]&classSplice != 0 && s.irregular(j):
			s.spliced(t, i, flags)
			return
		case c == '\\' && j+1 < len(src) && byteClass[src[j+1]] != classEnd:
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

// unterminated returns a token of an unterminated quote: the rest of the line.
func (s *scanner) unterminated(t *token.Token, i, end int, quote byte, flags token.Flags) {
	s.report(diag.InvalidPPToken, i, i+1, "missing terminating %s character", string(quote))
	s.make(t, token.Invalid, i, end, flags)
}

// lineComment skips the rest of a // comment and returns the offset of its line end.
func (s *scanner) lineComment(i int) int {
	for i < len(s.src) {
		end := i
		for end < len(s.src) && byteClass[s.src[end]] != classEnd {
			end++
		}
		if end == len(s.src) {
			return end
		}
		k := end // is it escaped by a backslash before it?
		for k > i && byteClass[s.src[k-1]]&classBlank != 0 {
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
func (s *scanner) blockComment(start, i int) int {
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
func (s *scanner) punct(t *token.Token, i int, flags token.Flags) {
	src := s.src
	var c1, c2 byte
	if i+1 < len(src) {
		c1 = src[i+1]
	}
	if i+2 < len(src) {
		c2 = src[i+2]
	}
	if (byteClass[c1]|byteClass[c2])&classSplice != 0 && (s.irregular(i+1) || byteClass[c1] == classPunct && s.irregular(i+2)) {
		s.spliced(t, i, flags)
		return
	}
	k, n := punctuator(src[i:], src[i], c1, c2)
	s.make(t, k, i, i+n, flags)
}

// punctuator returns the kind and length of the punctuator that consists of c and perhaps c1, c2 (C99 6.4.6,
// digraphs included).
func punctuator(src string, c, c1, c2 byte) (token.Kind, int) {
	switch c {
	case '?':
		return token.Question, 1
	case '.':
		if c1 == '.' && c2 == '.' {
			return token.Ellipsis, 3
		}
		return token.Dot, 1
	case '-':
		if c1 == '>' {
			return token.Arrow, 2
		}
		return longest(token.Minus, c1, '-', token.Dec, token.SubAssign)
	case '+':
		return longest(token.Plus, c1, '+', token.Inc, token.AddAssign)
	case '&':
		return longest(token.Amp, c1, '&', token.AndAnd, token.AndAssign)
	case '|':
		return longest(token.Pipe, c1, '|', token.OrOr, token.OrAssign)
	case '*':
		return longest(token.Star, c1, 0, 0, token.MulAssign)
	case '/':
		return longest(token.Slash, c1, 0, 0, token.DivAssign)
	case '^':
		return longest(token.Caret, c1, 0, 0, token.XorAssign)
	case '!':
		return longest(token.Not, c1, 0, 0, token.NotEq)
	case '=':
		return longest(token.Assign, c1, 0, 0, token.EqEq)
	case '#':
		return longest(token.Hash, c1, '#', token.HashHash, 0)
	case ':':
		return longest(token.Colon, c1, '>', token.RBrack, 0)
	case '%':
		if c1 == ':' {
			if strings.HasPrefix(src[2:], "%:") {
				return token.HashHash, 4
			}
			return token.Hash, 2
		}
		return longest(token.Percent, c1, '>', token.RBrace, token.RemAssign)
	case '<':
		switch {
		case c1 == '<' && c2 == '=':
			return token.ShlAssign, 3
		case c1 == ':':
			return token.LBrack, 2
		case c1 == '%':
			return token.LBrace, 2
		}
		return longest(token.Lt, c1, '<', token.Shl, token.Le)
	case '>':
		if c1 == '>' && c2 == '=' {
			return token.ShrAssign, 3
		}
		return longest(token.Gt, c1, '>', token.Shr, token.Ge)
	}
	return token.Invalid, 1
}

// longest selects among an operator, its form with a second character and its form with =. A kind of 0 marks a form
// that does not exist.
func longest(single token.Kind, c1, second byte, double, assign token.Kind) (token.Kind, int) {
	switch {
	case c1 == second && double != 0:
		return double, 2
	case c1 == '=' && assign != 0:
		return assign, 2
	}
	return single, 1
}

// spliced scans the token at offset i if it contains an escaped newline or a trigraph, from a copy of the text
// without them.
func (s *scanner) spliced(t *token.Token, i int, flags token.Flags) {
	const lookahead = 4 // characters after a token that may decide its end
	for size := 64; ; size *= 4 {
		text, ends, whole := s.cleaned(i, size)
		c := scanner{src: text, clean: true}
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
			if g := trigraph(s.src[j:]); g != 0 && s.splice(j) == 0 {
				s.report(diag.Trigraphs, j, j+3, "trigraph converted to '%c' character", g)
				j += 2
			}
		}
		if quote := strings.IndexAny(text[:min(2, n)], `"'`); k == token.Invalid && quote >= 0 {
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

// cleaned returns the text from offset i on, about size bytes of it, without escaped newlines and trigraphs;
// ends[k] is the distance from i to the end of the source of byte k. whole reports that the text's end was
// reached.
func (s *scanner) cleaned(i, size int) (text string, ends []uint32, whole bool) {
	var b strings.Builder
	for j := i; ; {
		if j >= len(s.src) {
			return b.String(), ends, true
		}
		if b.Len() >= size {
			return b.String(), ends, false
		}
		c, n := s.src[j], 1
		if byteClass[c]&classSplice != 0 {
			if k := s.splice(j); k > 0 {
				j += k
				continue
			}
			if g := trigraph(s.src[j:]); g != 0 {
				c, n = g, 3
			}
		}
		j += n
		b.WriteByte(c)
		ends = append(ends, uint32(j-i))
	}
}
