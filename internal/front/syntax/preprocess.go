package syntax

import (
	"slices"
	"time"
	"unsafe"

	"github.com/purecl/purecl/internal/front/diag"
)

// A preprocessor is the state of one call of Preprocess.
type preprocessor struct {
	opts   *Options
	source *diag.Source
	rep    *diag.Reporter
	syms   *symbols
	cur    *ppScanner // of the innermost file
	files  []*ppFile
	conds  []ppCond
	frames []ppFrame
	sealed int   // number of frames at whose end next gives EOF; 0: none
	carry  Flags // white space before an expansion that gave no token
	out    []Token

	argToks []Token // the arguments of the invocations being read, one behind the other
	args    []ppArg
	pool    [][]Token
	bodies  []diag.Body
	starts  []uint32
	spell   []diag.Pos
	defs    []Token // replacement lists
	roles   []int16

	limit         int  // tokens that the program may have
	budget        int  // tokens that macro expansion may still produce
	bytes         int  // bytes that # and ## may produce
	nesting       int  // of arguments being expanded
	included      int  // number of files included so far …
	includedBytes int  // … and their size
	stopped       bool // a limit was hit: everything reads as EOF
	defining      bool // a predefined macro is being defined
	counter       int  // __COUNTER__
	now           time.Time
	pushed        map[uint32][]*ppMacro // #pragma push_macro
	once          map[string]bool       // files with #pragma once, by resolved name
	texts         map[string][]byte
}

// A ppFile is a file being read.
type ppFile struct {
	scan  ppScanner
	file  *diag.File
	path  string // resolved name, by which it is found again
	conds int    // number of conditionals open where it began
}

// A ppCond is an open conditional (C99 6.10.1).
type ppCond struct {
	at    diag.Span // of the directive's name
	taken bool      // a group of it was processed
	els   bool      // #else was seen
}

// Preprocess performs translation phases 1 to 4 (C99 5.1.1.2) on file, which is part
// of src, and returns the tokens up to and including EOF. Findings go to rep. Tokens
// share the text of the files; their positions resolve in src.
//
// Resources are bounded whatever the input: see Options.MaxTokens and MaxDepth.
func Preprocess(src *diag.Source, file *diag.File, opts *Options, rep *diag.Reporter) []Token {
	return new(Memory).Preprocess(src, file, opts, rep)
}

// Preprocess is the function Preprocess with tokens that live until m is Reset.
func (m *Memory) Preprocess(src *diag.Source, file *diag.File, opts *Options, rep *diag.Reporter) []Token {
	p := &preprocessor{opts: opts, source: src, rep: rep, syms: &m.syms, limit: opts.MaxTokens, bytes: ppMaxBytes}
	m.syms.begin(opts.Std)
	if p.limit <= 0 {
		p.limit = 1 << 24
	}
	p.budget = min(p.limit, ppMaxExpanded)
	p.out = slices.Grow(m.out[:0], len(file.Src)/4+64)
	p.enter(file, file.Name)
	if text := ppCommandLine(opts); len(text) > 0 {
		if f, ok := src.AddFile("<command line>", text, 0); ok {
			p.enter(f, f.Name)
		}
	}
	p.run()
	m.out = p.out
	return p.out
}

// enter makes file the innermost file.
func (p *preprocessor) enter(file *diag.File, path string) {
	f := &ppFile{file: file, path: path, conds: len(p.conds)}
	f.scan = ppScanner{src: ppString(file.Src), base: file.Pos(0), file: file, rep: p.rep, lineStart: true}
	p.files = append(p.files, f)
	p.cur = &f.scan
}

// ppString views bytes, which nobody changes any more, as a string.
func ppString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// leave ends the innermost file and reports whether there is one around it.
func (p *preprocessor) leave() bool {
	f := p.files[len(p.files)-1]
	for len(p.conds) > f.conds {
		c := p.conds[len(p.conds)-1]
		p.conds = p.conds[:len(p.conds)-1]
		if !p.stopped {
			p.rep.Report(diag.UnterminatedConditional, c.at, "unterminated conditional directive")
		}
	}
	if len(p.files) == 1 {
		return false
	}
	p.files = p.files[:len(p.files)-1]
	p.cur = &p.files[len(p.files)-1].scan
	p.rep.ContinueLevels(p.cur.base + diag.Pos(p.cur.off))
	return true
}

// stop makes every source of tokens end, after a limit was exceeded.
func (p *preprocessor) stop() {
	p.stopped = true
	for _, f := range p.files {
		f.scan.off = len(f.scan.src)
		f.scan.quiet = true
	}
	for i := range p.frames {
		p.frames[i].i = len(p.frames[i].toks)
	}
}

// run produces the translation unit's tokens.
func (p *preprocessor) run() {
	for {
		n := len(p.out)
		if n == cap(p.out) {
			grown := make([]Token, n, n+n/2+64)
			copy(grown, p.out)
			p.out = grown
		}
		p.out = p.out[:n+1]
		t := &p.out[n]
		if len(p.frames) == 0 && p.carry == 0 {
			p.cur.next(t)
			if t.Kind == Ident {
				t.Sym = p.syms.intern(t.Text, t.Sym)
			}
		} else {
			p.next(t)
		}
		switch t.Kind {
		case Ident:
			if y := &p.syms.list[t.Sym]; y.macro == nil && y.predef == 0 && !y.poison {
				continue
			}
			// expand may grow p.out through directives inside arguments.
			tok := *t
			p.out = p.out[:n]
			if !p.expand(&tok) {
				p.out = append(p.out, tok)
			}
		case Hash:
			if t.Flags&LineStart != 0 && len(p.frames) == 0 {
				tok := *t
				p.out = p.out[:n]
				if pragma, ok := p.directive(tok, false); ok {
					p.out = append(p.out, pragma)
				}
			}
		case EOF:
			if p.leave() {
				p.out = p.out[:n]
				continue
			}
			return
		}
		if p.rep.Full() && !p.stopped {
			p.stop()
		}
		if len(p.out) > p.limit && !p.stopped {
			p.rep.Report(diag.ExpansionTooLarge, p.out[n-1].Span(), "program has more than %d tokens", p.limit)
			p.stop()
		}
	}
}

// A ppDirective is what a directive's name stands for.
type ppDirective func(p *preprocessor, name *Token, inArgs bool) (Token, bool)

// directive processes the directive whose # is hash. inArgs says that it stands
// inside the arguments of a macro invocation. A pragma that the parser must see is
// returned with ok set.
func (p *preprocessor) directive(hash Token, inArgs bool) (pragma Token, ok bool) {
	s := p.cur
	s.inLine = true
	var name Token
	s.next(&name)
	defer func() {
		s.inLine, s.lineStart = false, true
	}()
	switch name.Kind {
	case EOF: // null directive
		return Token{}, false
	case Number: // GNU line marker: # 12 "file"
		p.lineDirective(&name, true)
		p.skipLine()
		return Token{}, false
	case Ident:
		if d := ppDirectives[name.Text]; d != nil {
			pragma, ok = d(p, &name, inArgs)
			if s == p.cur { // else a file was entered, at the end of the line
				p.skipLine()
			}
			return pragma, ok
		}
	}
	p.badDirective(&name)
	p.skipLine()
	return Token{}, false
}

func (p *preprocessor) badDirective(name *Token) {
	d := p.rep.Report(diag.InvalidDirective, name.Span(), "invalid preprocessing directive")
	if name.Kind == Ident && d != nil {
		if best, ok := diag.Nearest(name.Text, ppDirectiveNames); ok {
			d.Message += ", did you mean '#" + best + "'?"
			d.Replace(name.Span(), best)
		}
	}
}

// skipLine skips what is left of a directive's line.
func (p *preprocessor) skipLine() {
	for len(p.frames) > 0 {
		p.pop()
	}
	s := p.cur
	quiet := s.quiet
	s.quiet = true
	var t Token
	for s.next(&t); t.Kind != EOF; s.next(&t) {
	}
	s.quiet = quiet
}

// raw reads the next token of the directive's line without macro replacement.
func (p *preprocessor) raw(t *Token) {
	p.cur.next(t)
	if t.Kind == Ident {
		t.Sym = p.syms.intern(t.Text, t.Sym)
	}
}

// endOfLine warns where a directive goes on after its operands.
func (p *preprocessor) endOfLine(directive string) {
	var t Token
	p.cur.next(&t)
	if t.Kind != EOF {
		p.rep.Report(diag.ExtraTokens, t.Span(), "extra tokens at end of #%s directive", directive)
	}
}

// rest returns the rest of the directive's line without the blanks around it, and its
// place. The text is the source's own unless it has escaped newlines or comments.
func (p *preprocessor) rest() (string, diag.Span) {
	s := p.cur
	quiet := s.quiet
	s.quiet = true
	var t Token
	s.next(&t)
	from, to := t.Pos, t.Pos
	for ; t.Kind != EOF; s.next(&t) {
		to = t.Pos + diag.Pos(t.Len)
	}
	s.quiet = quiet
	text := s.src[from-s.base : to-s.base]
	for i := range len(text) {
		if ppClass[text[i]]&(ppSplice|ppEnd) != 0 || text[i] == '/' {
			return ppPlainText(text), diag.Span{Pos: from, End: to}
		}
	}
	return text, diag.Span{Pos: from, End: to}
}

// ppPlainText returns text without escaped newlines and with comments as one space.
func ppPlainText(text string) string {
	s := ppScanner{src: text, lineStart: false}
	var b []byte
	var t Token
	for s.next(&t); t.Kind != EOF; s.next(&t) {
		if len(b) > 0 && t.Flags&(SpaceBefore|LineStart) != 0 {
			b = append(b, ' ')
		}
		b = append(b, t.Text...)
	}
	return string(b)
}

// errorDirective is #error and #warning.
func (p *preprocessor) errorDirective(name *Token, code *diag.Code) {
	text, _ := p.rest()
	span := name.Span()
	if text == "" {
		text = "#" + name.Text
	}
	p.rep.Report(code, span, "%s", text)
}

// ppDirectives maps names to what they do; set in init, because the functions use
// the table's names.
var (
	ppDirectives     map[string]ppDirective
	ppDirectiveNames []string
)

func init() {
	none := func(f func(p *preprocessor, name *Token)) ppDirective {
		return func(p *preprocessor, name *Token, _ bool) (Token, bool) {
			f(p, name)
			return Token{}, false
		}
	}
	rows := []struct {
		name string
		do   ppDirective
	}{
		{"define", none(func(p *preprocessor, _ *Token) { p.define() })},
		{"undef", none(func(p *preprocessor, _ *Token) { p.undef() })},
		{"if", none(func(p *preprocessor, n *Token) { p.ifDirective(n) })},
		{"ifdef", none(func(p *preprocessor, n *Token) { p.ifdefDirective(n, true) })},
		{"ifndef", none(func(p *preprocessor, n *Token) { p.ifdefDirective(n, false) })},
		{"elif", none((*preprocessor).elseDirective)},
		{"elifdef", none((*preprocessor).elseDirective)},
		{"elifndef", none((*preprocessor).elseDirective)},
		{"else", none((*preprocessor).elseDirective)},
		{"endif", none((*preprocessor).endifDirective)},
		{"include", func(p *preprocessor, n *Token, inArgs bool) (Token, bool) {
			p.include(n, inArgs)
			return Token{}, false
		}},
		{"line", none(func(p *preprocessor, n *Token) { p.lineDirective(n, false) })},
		{"error", none(func(p *preprocessor, n *Token) { p.errorDirective(n, diag.UserError) })},
		{"warning", none(func(p *preprocessor, n *Token) { p.errorDirective(n, diag.UserWarning) })},
		{"ident", none(func(*preprocessor, *Token) {})},
		{"sccs", none(func(*preprocessor, *Token) {})},
		{"pragma", func(p *preprocessor, n *Token, _ bool) (Token, bool) { return p.pragma(n) }},
	}
	ppDirectives = make(map[string]ppDirective, len(rows))
	for _, r := range rows {
		ppDirectives[r.name] = r.do
		ppDirectiveNames = append(ppDirectiveNames, r.name)
	}
}
