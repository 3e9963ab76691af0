package filetest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A Diag is a diagnostic.
type Diag struct {
	Line, Col int    // from 1, bytes
	Severity  string // "error" or "warning"
	Code      string
	Message   string
}

func (d Diag) String() string {
	return fmt.Sprintf("%d:%d: %s %s: %s", d.Line, d.Col, d.Severity, d.Code, d.Message)
}

// An expectation is an ERROR or WARNING comment.
type expectation struct {
	Diag
	parts    []string // parts of the message
	from, to int      // the comment's bytes in the file
	found    bool
	atLine   bool // of a run: the finding is at the comment's line
}

// Diagnostics runs the .cl files below dir. check compiles a source with the options
// given and returns its errors and warnings in the main file.
func Diagnostics(t *testing.T, dir string, check func(name string, src []byte, options string) []Diag) {
	t.Helper()
	files(t, dir, []string{".cl"}, func(t *testing.T, path string, src []byte) []byte {
		wants, toks, err := expectations(src)
		if err != nil {
			t.Fatalf("%s:%v", path, err)
		}
		unexpected := match(wants, check(path, src, optionsOf(src)))
		if *update {
			return rewriteDiagnostics(src, toks, wants, unexpected)
		}
		for _, d := range unexpected {
			t.Errorf("%s:%v: not expected", path, d)
		}
		for _, w := range wants {
			if !w.found {
				t.Errorf("%s:%d:%d: %s %s %q expected, not reported", path, w.Line, w.Col, w.Severity, w.Code, w.parts)
			}
		}
		return nil
	})
}

// optionsOf returns the build options of the leading comment lines.
func optionsOf(src []byte) string {
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "// options:"); ok {
			return strings.TrimSpace(rest)
		}
		if line != "" && !strings.HasPrefix(line, "//") {
			break
		}
	}
	return ""
}

// match marks the expectations that are met and returns the unexpected diagnostics.
func match(wants []*expectation, got []Diag) (unexpected []Diag) {
next:
	for _, d := range got {
		for _, w := range wants {
			if !w.found && w.Line == d.Line && w.Col == d.Col && w.Severity == d.Severity && w.Code == d.Code && contains(d.Message, w.parts) {
				w.found = true
				continue next
			}
		}
		unexpected = append(unexpected, d)
	}
	return unexpected
}

func contains(s string, parts []string) bool {
	return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(s, p) })
}

// expectations returns the expectations and the tokens of a source.
func expectations(src []byte) (wants []*expectation, toks []span, err error) {
	pos := newPositions(src)
	last := -1
	for _, s := range scan(src) {
		if !s.comment {
			toks = append(toks, s)
			last = s.from
			continue
		}
		text := strings.TrimPrefix(string(src[s.from:s.to]), "//")
		if strings.HasPrefix(text, "/*") {
			text = strings.TrimSuffix(text[2:], "*/")
		}
		w, err := parseExpectation(strings.TrimSpace(text))
		line, col := pos.at(s.from)
		if err != nil {
			return nil, nil, fmt.Errorf("%d:%d: %w", line, col, err)
		}
		if w == nil {
			continue
		}
		w.from, w.to = s.from, s.to
		switch {
		case w.Line < 0:
			w.Line, w.Col = pos.at(len(src))
		case w.Line == 0 && last < 0:
			return nil, nil, fmt.Errorf("%d:%d: no token stands before this", line, col)
		case w.Line == 0:
			w.Line, w.Col = pos.at(last)
		}
		wants = append(wants, w)
	}
	return wants, toks, nil
}

// parseExpectation parses a comment's text; it returns nil for another comment. Line is 0 if the token before the
// comment is the position, -1 for the end of the file.
func parseExpectation(s string) (*expectation, error) {
	word, rest, _ := strings.Cut(s, " ")
	word, at, hasAt := strings.Cut(word, "@")
	if word != "ERROR" && word != "WARNING" {
		return nil, nil
	}
	w := &expectation{Diag: Diag{Severity: strings.ToLower(word)}}
	if at == "eof" {
		w.Line = -1
	} else if hasAt {
		if n, err := fmt.Sscanf(at, "%d:%d", &w.Line, &w.Col); n != 2 || err != nil || w.Line < 1 {
			return nil, fmt.Errorf("expected @line:column or @eof, found %q", at)
		}
	}
	w.Code, rest, _ = strings.Cut(strings.TrimSpace(rest), " ")
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		q, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return nil, fmt.Errorf("expected a quoted string, found %q", rest)
		}
		part, _ := strconv.Unquote(q)
		w.parts = append(w.parts, part)
		rest = rest[len(q):]
	}
	if w.Code == "" || len(w.parts) == 0 {
		return nil, fmt.Errorf(`expected %s code "part of the text"`, word)
	}
	return w, nil
}

// rewriteDiagnostics removes the expectations that were not met and adds the
// diagnostics that were not expected.
func rewriteDiagnostics(src []byte, toks []span, wants []*expectation, unexpected []Diag) []byte {
	type edit struct {
		from, to int
		text     string
	}
	var edits []edit
	for _, w := range wants {
		if !w.found {
			from := w.from
			for from > 0 && (src[from-1] == ' ' || src[from-1] == '\t') {
				from--
			}
			edits = append(edits, edit{from, w.to, ""})
		}
	}
	pos := newPositions(src)
	for _, d := range unexpected {
		off := pos.offset(d.Line, d.Col)
		text := fmt.Sprintf("%s %q", d.Code, d.Message)
		i := slices.IndexFunc(toks, func(s span) bool { return s.from == off })
		switch {
		case i >= 0:
			edits = append(edits, edit{toks[i].to, toks[i].to, fmt.Sprintf(" /* %s %s */", strings.ToUpper(d.Severity), text)})
		case off >= len(src):
			edits = append(edits, edit{len(src), len(src), fmt.Sprintf("/* %s@eof %s */\n", strings.ToUpper(d.Severity), text)})
		default:
			edits = append(edits, edit{len(src), len(src), fmt.Sprintf("// %s@%d:%d %s\n", strings.ToUpper(d.Severity), d.Line, d.Col, text)})
		}
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(out, src[at:max(at, e.from)]...)
		out = append(out, e.text...)
		at = max(at, e.to)
	}
	return append(out, src[at:]...)
}
