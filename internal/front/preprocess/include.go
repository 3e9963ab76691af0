package preprocess

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
)

// Limits on inclusion, far above those of real programs.
const (
	maxIncludes         = 1 << 16
	maxIncludeBytes     = 256 << 20
	defaultIncludeDepth = 200
)

// include processes an #include directive (C99 6.10.2):
//
//	# include <h-char-sequence> new-line
//	# include "q-char-sequence" new-line
//	# include pp-tokens new-line
func (p *preprocessor) include(name *token.Token, inArgs bool) {
	file, at, angled, ok := p.headerName()
	if !ok {
		return
	}
	if inArgs {
		p.rep.Report(diag.DirectiveInArguments, name.Span(), "embedding a #include directive within macro arguments is not supported")
		return
	}
	if file == "" {
		p.rep.Report(diag.IncludeName, at, "empty filename")
		return
	}
	p.endOfLine("include")
	p.skipLine()
	limit := p.opts.MaxDepth
	if limit <= 0 {
		limit = defaultIncludeDepth
	}
	if len(p.files) > limit {
		p.rep.Report(diag.IncludeTooDeep, at, "#include nested too deeply")
		p.stop()
		return
	}
	text, resolved, err := p.find(file, angled)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			d := p.rep.Report(diag.FileNotFound, at, "'%s' file not found", diag.Clip(file))
			if standardHeaders[file] {
				d.Note(diag.Span{}, "OpenCL C has no standard headers: its types and functions are built in, so the line can go")
			}
			p.record.include(at, file, "")
		} else {
			p.rep.Report(diag.FileNotFound, at, "cannot read file '%s': %v", diag.Clip(file), err)
		}
		if p.record == nil {
			p.stop()
		}
		return
	}
	p.record.include(at, file, resolved)
	if p.once[resolved] {
		return
	}
	p.included++
	p.includedBytes += len(text)
	if p.included > maxIncludes || p.includedBytes > maxIncludeBytes {
		p.rep.Report(diag.IncludeTooDeep, at, "more than %d files or %d MB included", maxIncludes, maxIncludeBytes>>20)
		p.stop()
		return
	}
	f, ok := p.source.AddFile(resolved, text, name.Pos)
	if !ok {
		p.rep.Report(diag.SourceTooLarge, at, "source files and macro expansions exceed 4 GiB")
		p.stop()
		return
	}
	p.cur.inLine, p.cur.lineStart = false, true
	p.rep.ContinueLevels(f.Pos(0))
	p.enter(f, resolved)
}

// headerName reads the operand of #include, which may come from macros.
func (p *preprocessor) headerName() (file string, at diag.Span, angled, ok bool) {
	if t, ok := p.cur.angled(); ok {
		return t.Text[1 : len(t.Text)-1], t.Span(), true, true
	}
	var t token.Token
	for {
		p.next(&t)
		if t.Kind != token.Ident || !p.expand(&t) {
			break
		}
	}
	switch {
	case t.Kind == token.StrLit && t.Text[0] == '"':
		return t.Text[1 : len(t.Text)-1], t.Span(), false, true
	case t.Kind == token.Lt:
		// <…> as tokens, from a macro: join their spellings up to the >.
		var b strings.Builder
		open := t
		for {
			p.next(&t)
			if t.Kind == token.Ident && p.expand(&t) {
				continue
			}
			if t.Kind == token.EOF {
				p.rep.Report(diag.IncludeName, open.Span(), "expected '>'")
				return "", open.Span(), false, false
			}
			if t.Kind == token.Gt {
				return b.String(), open.Span().Join(t.Span()), true, true
			}
			if t.Flags&token.SpaceBefore != 0 && b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(t.Text)
		}
	}
	p.rep.Report(diag.IncludeName, t.Span(), `expected "FILENAME" or <FILENAME>`)
	return "", t.Span(), false, false
}

// angled scans a header name in the form <…>, or in the quoted form, in which a backslash is no escape, if one is
// next on the line.
func (s *scanner) angled() (t token.Token, ok bool) {
	save := *s
	s.quiet = true
	s.next(&t)
	s.quiet = save.quiet
	if t.Kind != token.Lt && t.Kind != token.Le && t.Kind != token.Shl && t.Kind != token.ShlAssign && !(t.Kind == token.LBrack || t.Kind == token.LBrace) || !strings.HasPrefix(t.Text, "<") {
		*s = save
		return t, false
	}
	from := int(t.Pos - s.base)
	for i := from + 1; i < len(s.src) && byteClass[s.src[i]] != classEnd; i++ {
		if s.src[i] == '>' {
			s.make(&t, token.Header, from, i+1, t.Flags)
			return t, true
		}
	}
	*s = save
	return t, false
}

// find looks up a header: first in memory; then, for the quoted form, beside the including file; then in the -I
// directories; then, for the quoted form again, in the working directory, which is the location of a program text
// passed through the API.
func (p *preprocessor) find(name string, angled bool) (text []byte, resolved string, err error) {
	from := p.files[len(p.files)-1]
	var places []string
	if !angled {
		places = append(places, path.Join(path.Dir(from.path), name))
	}
	if p.opts.Headers != nil {
		for _, n := range append(places, name, path.Clean(name)) {
			if b, ok := p.opts.Headers[n]; ok {
				return b, n, nil
			}
		}
	}
	if p.opts.ReadFile == nil {
		return nil, "", fs.ErrNotExist
	}
	if path.IsAbs(name) {
		places = []string{name}
	} else {
		for _, d := range p.opts.IncludeDirs {
			places = append(places, path.Join(d, name))
		}
		if !angled {
			places = append(places, path.Clean(name))
		}
	}
	var first error
	for _, n := range places {
		if b, ok := p.texts[n]; ok {
			if b != nil {
				return b, n, nil
			}
			continue
		}
		b, err := p.opts.ReadFile(n)
		if p.texts == nil {
			p.texts = map[string][]byte{}
		}
		if err == nil {
			if b == nil {
				b = []byte{}
			}
			p.texts[n] = b
			return b, n, nil
		}
		p.texts[n] = nil
		if first == nil && !errors.Is(err, fs.ErrNotExist) {
			first = err
		}
	}
	if first == nil {
		first = fs.ErrNotExist
	}
	return nil, "", first
}

// lineDirective processes #line, and GNU line markers, whose number is first.
//
//	# line digit-sequence "s-char-sequence"(opt) new-line
func (p *preprocessor) lineDirective(first *token.Token, marker bool) {
	var t token.Token
	next := func() {
		for p.next(&t); !marker && t.Kind == token.Ident && p.expand(&t); p.next(&t) {
		}
	}
	if marker {
		t = *first
	} else {
		next()
	}
	what := "#line directive"
	if marker {
		what = "line marker directive"
	}
	line := 0
	for i := 0; i < len(t.Text) && t.Kind == token.Number; i++ {
		if t.Text[i] < '0' || t.Text[i] > '9' || line > 1<<31-1 {
			p.rep.Report(diag.LineNumber, t.Span(), "%s requires a simple digit sequence", what)
			return
		}
		line = line*10 + int(t.Text[i]-'0')
	}
	if t.Kind != token.Number || line > 1<<31-1 {
		p.rep.Report(diag.LineNumber, t.Span(), "%s requires a positive integer argument", what)
		return
	}
	name := ""
	if next(); t.Kind == token.StrLit {
		if t.Text[0] != '"' {
			p.rep.Report(diag.LineNumber, t.Span(), "invalid filename for %s", what)
			return
		}
		b, issues := token.LiteralBytes(t.Text)
		p.reportLiteral(&t, issues)
		name = string(b)
	} else if t.Kind != token.EOF {
		p.rep.Report(diag.LineNumber, t.Span(), "invalid filename for %s", what)
		return
	}
	if !marker {
		p.endOfLine("line")
	}
	p.skipLine()
	p.cur.file.SetLine(p.cur.off, line, name)
}

// standardHeaders are headers of C and CUDA, which OpenCL C does not need.
var standardHeaders = map[string]bool{"assert.h": true, "complex.h": true, "ctype.h": true, "float.h": true, "limits.h": true, "math.h": true,
	"stdbool.h": true, "stddef.h": true, "stdint.h": true, "stdio.h": true, "stdlib.h": true, "string.h": true, "cuda.h": true,
	"cuda_runtime.h": true, "device_launch_parameters.h": true, "CL/cl.h": true, "CL/opencl.h": true}
