package token

import (
	"math/bits"
	"strings"
	"unicode/utf8"

	"github.com/purecl/purecl/internal/front/diag"
)

// An IntConst is an integer constant as written (C99 6.4.4.1).
type IntConst struct {
	Value    uint64
	Base     int    // 8, 10, 16, or 2 (a GNU extension)
	Unsigned bool   // suffix u
	Long     int    // number of l's in the suffix: 0, 1 or 2
	Overflow bool   // the value needs more than 64 bits
	Suffix   string // as written
}

// IntConstant parses an integer constant. bad is the error in clang's wording, "" if there is none; at is its
// offset. isFloat is set if the text is a floating constant.
func IntConstant(text string) (c IntConst, isFloat bool, bad string, at int) {
	c.Base = 10
	i := 0
	switch {
	case len(text) > 2 && text[0] == '0' && text[1]|0x20 == 'x':
		c.Base, i = 16, 2
	case len(text) > 2 && text[0] == '0' && text[1]|0x20 == 'b':
		c.Base, i = 2, 2
	case len(text) > 1 && text[0] == '0':
		c.Base, i = 8, 1
	}
	if ppLooksFloat(text, c.Base) {
		return c, true, "", 0
	}
	digits := i
	for ; i < len(text); i++ {
		d := digitValue(text[i])
		if d >= c.Base && !(c.Base < 10 && d < 10) || d < 0 {
			break
		}
		if d >= c.Base {
			return c, false, "invalid digit '" + text[i:i+1] + "' in " + map[int]string{8: "octal", 2: "binary"}[c.Base] + " constant", i
		}
		hi, lo := bits.Mul64(c.Value, uint64(c.Base))
		sum, carry := bits.Add64(lo, uint64(d), 0)
		if hi|carry != 0 {
			c.Overflow = true
		}
		c.Value = sum
	}
	c.Suffix = text[i:]
	if i == digits && c.Base != 8 {
		return c, false, "invalid suffix '" + text[1:] + "' on integer constant", 1
	}
	switch strings.ToLower(c.Suffix) {
	case "":
	case "u":
		c.Unsigned = true
	case "l":
		c.Long = 1
	case "ul", "lu":
		c.Unsigned, c.Long = true, 1
	case "ll":
		c.Long = 2
	case "ull", "llu":
		c.Unsigned, c.Long = true, 2
	default:
		return c, false, "invalid suffix '" + diag.Clip(c.Suffix) + "' on integer constant", i
	}
	if strings.Contains(c.Suffix, "lL") || strings.Contains(c.Suffix, "Ll") {
		return c, false, "invalid suffix '" + c.Suffix + "' on integer constant", i
	}
	return c, false, "", 0
}

// ppLooksFloat reports whether a pp-number has the form of a floating constant.
func ppLooksFloat(text string, base int) bool {
	if base == 16 {
		return strings.ContainsAny(text, ".pP")
	}
	if base == 2 {
		return false
	}
	for i := range len(text) {
		switch c := text[i]; {
		case c == '.':
			return true
		case c|0x20 == 'e':
			return true
		case c|0x20 == 'f' || c|0x20 == 'h':
			return i == len(text)-1 && text[0] != '0' || i == len(text)-1 && base == 10
		case c < '0' || c > '9':
			return false
		}
	}
	return false
}

func digitValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// A LiteralIssue is a mistake in a character constant or string literal.
type LiteralIssue struct {
	Code    *diag.Code
	Message string // in clang's wording
	From    int    // offsets in the spelling
	To      int
}

// LiteralBytes decodes a string literal or character constant without prefix L, including its quotes, to its
// execution characters (C99 6.4.4.4, 6.4.5): escapes are replaced, other text is UTF-8.
func LiteralBytes(text string) (b []byte, issues []LiteralIssue) {
	if len(text) < 2 {
		return nil, nil
	}
	end := len(text) - 1
	for i := 1; i < end; {
		c := text[i]
		if c != '\\' || i+1 >= end {
			b = append(b, c)
			i++
			continue
		}
		v, n, issue := escape(text[i:end])
		if issue.Message != "" {
			issue.From, issue.To = issue.From+i, issue.To+i
			issues = append(issues, issue)
		}
		if k := text[i+1]; k == 'u' || k == 'U' {
			b = utf8.AppendRune(b, rune(v))
		} else {
			b = append(b, byte(v))
		}
		i += n
	}
	return b, issues
}

// escape decodes the escape sequence at the start of s and returns its length.
func escape(s string) (v uint32, n int, issue LiteralIssue) {
	switch c := s[1]; c {
	case '\'', '"', '?', '\\':
		return uint32(c), 2, issue
	case 'a':
		return 7, 2, issue
	case 'b':
		return 8, 2, issue
	case 'e', 'E': // GNU
		return 27, 2, issue
	case 'f':
		return 12, 2, issue
	case 'n':
		return 10, 2, issue
	case 'r':
		return 13, 2, issue
	case 't':
		return 9, 2, issue
	case 'v':
		return 11, 2, issue
	case 'x':
		n = 2
		over := false
		for n < len(s) && digitValue(s[n]) >= 0 {
			over = over || v>>28 != 0
			v = v<<4 | uint32(digitValue(s[n]))
			n++
		}
		if n == 2 {
			issue = LiteralIssue{diag.BadEscape, "\\x used with no following hex digits", 0, 2}
		} else if over || v > 255 {
			issue = LiteralIssue{diag.BadEscape, "hex escape sequence out of range", 0, n}
		}
		return v, n, issue
	case '0', '1', '2', '3', '4', '5', '6', '7':
		n = 1
		for n < len(s) && n < 4 && s[n] >= '0' && s[n] <= '7' {
			v = v<<3 | uint32(s[n]-'0')
			n++
		}
		if v > 255 {
			issue = LiteralIssue{diag.BadEscape, "octal escape sequence out of range", 0, n}
		}
		return v, n, issue
	case 'u', 'U':
		want := 4
		if c == 'U' {
			want = 8
		}
		for n = 2; n < len(s) && n < 2+want && digitValue(s[n]) >= 0; n++ {
			v = v<<4 | uint32(digitValue(s[n]))
		}
		if n != 2+want || v > utf8.MaxRune || v >= 0xD800 && v < 0xE000 {
			return utf8.RuneError, n, LiteralIssue{diag.BadEscape, "incomplete or invalid universal character name", 0, n}
		}
		return v, n, issue
	default:
		return uint32(c), 2, LiteralIssue{diag.UnknownEscape, "unknown escape sequence '\\" + string(rune(c)) + "'", 0, 2}
	}
}

// CharConstant evaluates a character constant: an int; several characters are packed big-endian as in GCC and
// clang; a wide one is its code point.
func CharConstant(text string) (v int64, issues []LiteralIssue) {
	if strings.HasPrefix(text, "L") {
		b, issues := LiteralBytes(text[1:])
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n <= 1 && len(b) > 0 {
			r = rune(b[0])
			n = 1
		}
		if n < len(b) {
			issues = append(issues, LiteralIssue{diag.CharTooLong, "extraneous characters in character constant ignored", 0, len(text)})
		}
		return int64(r), issues
	}
	b, issues := LiteralBytes(text)
	switch {
	case len(b) == 1:
		return int64(int8(b[0])), issues
	case len(b) > 4:
		issues = append(issues, LiteralIssue{diag.CharTooLong, "character constant too long for its type", 0, len(text)})
	case len(b) > 1:
		issues = append(issues, LiteralIssue{diag.Multichar, "multi-character character constant", 0, len(text)})
	}
	var u uint32
	for _, c := range b {
		u = u<<8 | uint32(c)
	}
	return int64(int32(u)), issues
}
