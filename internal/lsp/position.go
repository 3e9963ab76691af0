package lsp

import (
	"net/url"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/purecl/purecl/internal/lsp/protocol"
)

// lines is a text with the offsets of its lines. A line ends with \n, \r\n or \r.
type lines struct {
	text   []byte
	starts []int
}

func newLines(text []byte) *lines {
	l := &lines{text: text, starts: []int{0}}
	for i, c := range text {
		if c == '\n' || c == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			l.starts = append(l.starts, i+1)
		}
	}
	return l
}

// An encoding is the unit of columns.
type encoding protocol.PositionEncodingKind

// width returns the width in columns of a rune whose UTF-8 form has n bytes.
func (e encoding) width(r rune, n int) int {
	switch {
	case e == encoding(protocol.PositionEncodingKindUTF8):
		return n
	case r >= 0x10000:
		return 2
	}
	return 1
}

// offset returns the byte offset of a position. It clamps a column to the line's end, and a line to the text's end.
func (l *lines) offset(p protocol.Position, e encoding) int {
	if int(p.Line) >= len(l.starts) {
		return len(l.text)
	}
	i, end := l.starts[p.Line], len(l.text)
	if int(p.Line)+1 < len(l.starts) {
		end = l.starts[p.Line+1]
	}
	for end > i && (l.text[end-1] == '\n' || l.text[end-1] == '\r') {
		end--
	}
	for column := 0; i < end && column < int(p.Character); {
		r, n := utf8.DecodeRune(l.text[i:end])
		if column += e.width(r, n); column > int(p.Character) {
			break // inside of a character
		}
		i += n
	}
	return i
}

// position returns the position of a byte offset.
func (l *lines) position(off int, e encoding) protocol.Position {
	off = min(max(off, 0), len(l.text))
	line := sort.Search(len(l.starts), func(i int) bool { return l.starts[i] > off }) - 1
	column := 0
	for i := l.starts[line]; i < off; {
		r, n := utf8.DecodeRune(l.text[i:])
		column += e.width(r, n)
		i += n
	}
	return protocol.Position{Line: uint32(line), Character: uint32(column)}
}

func (l *lines) span(start, end int, e encoding) protocol.Range {
	return protocol.Range{Start: l.position(start, e), End: l.position(end, e)}
}

// pathOf returns the slash-separated path of a file URI, or another URI unchanged.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return uri
	}
	p := u.Path
	if len(p) > 2 && p[0] == '/' && p[2] == ':' { // /c:/x
		p = strings.ToUpper(p[1:2]) + p[2:]
	}
	if u.Host != "" && u.Host != "localhost" {
		p = "//" + u.Host + p
	}
	return p
}

// uriOf returns the URI of a slash-separated path.
func uriOf(path string) string {
	if strings.Contains(path, "://") || strings.HasPrefix(path, "untitled:") {
		return path
	}
	if !strings.HasPrefix(path, "/") {
		if runtime.GOOS != "windows" || len(path) < 2 || path[1] != ':' {
			if abs, err := filepath.Abs(filepath.FromSlash(path)); err == nil {
				path = filepath.ToSlash(abs)
			}
		}
		if !strings.HasPrefix(path, "/") {
			path = "/" + path
		}
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
