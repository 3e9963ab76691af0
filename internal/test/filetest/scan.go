package filetest

import (
	"slices"
	"sort"
	"strings"
)

// A span is a token or a comment of a C source.
type span struct {
	from, to int
	comment  bool
}

// punctuators of more than one character, longest first.
var punctuators = []string{"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##"}

// scan splits a C source into tokens and comments. Preprocessing directives are tokens
// like others; the <name> of an #include is one token.
func scan(src []byte) (out []span) {
	s := string(src)
	include := 0 // 1 after #, 2 after #include
	for i := 0; i < len(s); {
		c := s[i]
		from := i
		switch {
		case c == '\n':
			include = 0
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			i++
			continue
		case c == '\\' && i+1 < len(s) && (s[i+1] == '\n' || s[i+1] == '\r'):
			i += 2
			continue
		case strings.HasPrefix(s[i:], "//"):
			for i < len(s) && s[i] != '\n' {
				i++
			}
			out = append(out, span{from, i, true})
			continue
		case strings.HasPrefix(s[i:], "/*"):
			if n := strings.Index(s[i+2:], "*/"); n >= 0 {
				i += n + 4
			} else {
				i = len(s)
			}
			out = append(out, span{from, i, true})
			continue
		case c == '"' || c == '\'':
			i = endOfString(s, i)
		case c == '<' && include == 2 && strings.IndexByte(s[i:], '>') > 0:
			i += strings.IndexByte(s[i:], '>') + 1
		case c >= '0' && c <= '9' || c == '.' && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9':
			i = endOfNumber(s, i)
		case isWord(c):
			for i < len(s) && isWord(s[i]) {
				i++
			}
		default:
			i++
			if k := slices.IndexFunc(punctuators, func(p string) bool { return strings.HasPrefix(s[from:], p) }); k >= 0 {
				i = from + len(punctuators[k])
			}
		}
		switch word := s[from:i]; {
		case word == "#":
			include = 1
		case include == 1 && word == "include":
			include = 2
		default:
			include = 0
		}
		out = append(out, span{from, i, false})
	}
	return out
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func endOfString(s string, i int) int {
	quote := s[i]
	for i++; i < len(s) && s[i] != '\n'; i++ {
		if s[i] == '\\' {
			i++
		} else if s[i] == quote {
			return i + 1
		}
	}
	return min(i, len(s))
}

// endOfNumber returns the end of a preprocessing number.
func endOfNumber(s string, i int) int {
	for i++; i < len(s); i++ {
		sign := (s[i] == '+' || s[i] == '-') && strings.IndexByte("eEpP", s[i-1]) >= 0
		if !isWord(s[i]) && s[i] != '.' && !sign {
			break
		}
	}
	return i
}

// positions converts offsets to lines and columns.
type positions struct {
	starts []int
	size   int
}

func newPositions(src []byte) *positions {
	p := &positions{starts: []int{0}, size: len(src)}
	for i, c := range src {
		if c == '\n' {
			p.starts = append(p.starts, i+1)
		}
	}
	return p
}

func (p *positions) at(off int) (line, col int) {
	line = sort.SearchInts(p.starts, off+1)
	return line, off - p.starts[line-1] + 1
}

func (p *positions) offset(line, col int) int {
	if line < 1 || line > len(p.starts) {
		return p.size
	}
	return min(p.starts[line-1]+col-1, p.size)
}
