package preprocess

import (
	"slices"
	"time"
	"unsafe"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/option"
	"github.com/purecl/purecl/internal/front/token"
)

// A preprocessor is the state of one call of Run.
type preprocessor struct {
	opts   *option.Source
	source *diag.Source
	rep    *diag.Reporter
	conds  []conditional
	out    []token.Token
	record *Record

	reader
	bounds
	stopped  bool // a limit was exceeded: all further tokens are EOF
	defining bool // a predefined macro is being defined
	counter  int  // __COUNTER__
	now      time.Time
	pushed   map[uint32][]*macro // #pragma push_macro
	once     map[string]bool     // files with #pragma once, by resolved name
	texts    map[string][]byte
}

// A reader is a source of tokens: expansions in progress, then files.
type reader struct {
	names  *token.Names
	idents []identifier // by the number of their names in names
	cur    *scanner     // of the innermost file
	files  []*openFile
	frames []frame
	sealed int         // number of frames at whose end next returns EOF; 0: none
	carry  token.Flags // white space before an expansion that produced no token
	storage
}

// storage is the memory from which definitions and expansions are allocated.
type storage struct {
	argToks []token.Token // the arguments of the invocations being read, one after the other
	args    []argument
	pool    [][]token.Token
	bodies  []diag.Body
	starts  []uint32
	spell   []diag.Pos
	defs    []token.Token // replacement lists
	roles   []int16
}

// bounds are the remaining resources of the program.
type bounds struct {
	limit         int // tokens of the program
	budget        int // remaining tokens of macro expansion
	bytes         int // remaining bytes for # and ##
	nesting       int // nesting depth of arguments being expanded
	included      int // number of included files
	includedBytes int // their total size
}

// An openFile is a file being read.
type openFile struct {
	scan  scanner
	file  *diag.File
	path  string // resolved name
	conds int    // number of open conditionals at its beginning
}

// A conditional is an open conditional (C99 6.10.1).
type conditional struct {
	at    diag.Span // of the directive's name
	taken bool      // a group of it was processed
	els   bool      // #else was seen
}

// An identifier is the preprocessor's information about an identifier.
type identifier struct {
	macro  *macro
	predef int16 // row of predefined plus 1, if not yet defined, else 0
	poison bool
}

// A Memory holds tokens and the tables of the preprocessor. It serves one translation unit after the other: the
// tokens of a unit are valid until the next one.
type Memory struct {
	// Record, if not nil, collects facts about the units for tools; a missing header is then no error.
	Record *Record

	out    []token.Token
	names  token.Names
	idents []identifier
}

// Run performs translation phases 1 to 4 (C99 5.1.1.2) on file, which must be part of src. Findings go to rep.
// Tokens share the text of the files; their positions resolve in src.
//
// Resources are bounded for any input: see option.Source.
func Run(src *diag.Source, file *diag.File, opts *option.Source, rep *diag.Reporter) token.Unit {
	return new(Memory).Run(src, file, opts, rep)
}

// Run is the function Run with tokens in m.
func (m *Memory) Run(src *diag.Source, file *diag.File, opts *option.Source, rep *diag.Reporter) token.Unit {
	p := &preprocessor{opts: opts, source: src, rep: rep, record: m.Record, reader: reader{names: &m.names, idents: append(m.idents[:0], identifier{})}, bounds: bounds{limit: opts.MaxTokens, bytes: maxBytes}}
	m.names.Begin()
	if p.limit <= 0 {
		p.limit = 1 << 24
	}
	p.budget = min(p.limit, maxExpanded)
	p.out = slices.Grow(m.out[:0], len(file.Src)/4+64)
	p.enter(file, file.Name)
	if text := commandLine(opts); len(text) > 0 {
		if f, ok := src.AddFile("<command line>", text, 0); ok {
			p.enter(f, f.Name)
		}
	}
	p.run()
	m.out, m.idents = p.out, p.idents
	return token.Unit{Tokens: p.out, Names: p.names}
}

// enter makes file the innermost file.
func (p *preprocessor) enter(file *diag.File, path string) {
	f := &openFile{file: file, path: path, conds: len(p.conds)}
	f.scan = scanner{src: viewString(file.Src), base: file.Pos(0), file: file, rep: p.rep, lineStart: true}
	p.files = append(p.files, f)
	p.cur = &f.scan
}

// viewString returns bytes, which must not change any more, as a string without copying.
func viewString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// leave ends the innermost file and reports whether another file includes it.
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

// stop ends every source of tokens, after a limit was exceeded.
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

// intern numbers the identifier t, whose Sym is its hash before.
func (r *reader) intern(t *token.Token) {
	sym := r.names.Intern(t.Text, t.Sym)
	if int(sym) == len(r.idents) {
		r.add(t)
	}
	t.Sym = sym
}

// add adds the identifier t, whose Sym is its hash, to the table.
func (r *reader) add(t *token.Token) {
	var n identifier
	if w := knownNames().Find(t.Text, t.Sym); w != nil {
		n.predef = w.predef
		if w.builtin != 0 {
			n.macro = &macro{name: t.Text, builtin: w.builtin}
		}
	}
	r.idents = append(r.idents, n)
}

// run produces the translation unit's tokens.
func (p *preprocessor) run() {
	for {
		n := len(p.out)
		if n == cap(p.out) {
			grown := make([]token.Token, n, n+n/2+64)
			copy(grown, p.out)
			p.out = grown
		}
		p.out = p.out[:n+1]
		t := &p.out[n]
		if len(p.frames) == 0 && p.carry == 0 {
			p.cur.next(t)
			if t.Kind == token.Ident { // as intern, which is not inlined
				sym := p.names.Intern(t.Text, t.Sym)
				if int(sym) == len(p.idents) {
					p.add(t)
				}
				t.Sym = sym
			}
		} else {
			p.next(t)
		}
		switch t.Kind {
		case token.Ident:
			if y := &p.idents[t.Sym]; y.macro == nil && y.predef == 0 && !y.poison {
				continue
			}
			// expand may grow p.out through directives inside arguments.
			tok := *t
			p.out = p.out[:n]
			if !p.expand(&tok) {
				p.out = append(p.out, tok)
			}
		case token.Hash:
			if t.Flags&token.LineStart != 0 && len(p.frames) == 0 {
				tok := *t
				p.out = p.out[:n]
				if pragma, ok := p.directive(tok, false); ok {
					p.out = append(p.out, pragma)
				}
			}
		case token.EOF:
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

// A directive is the function of a directive.
type directive func(p *preprocessor, name *token.Token, inArgs bool) (token.Token, bool)

// directive processes the directive whose # is hash. inArgs is set inside the arguments of a macro invocation. It
// returns a pragma for the parser with ok set.
func (p *preprocessor) directive(hash token.Token, inArgs bool) (pragma token.Token, ok bool) {
	s := p.cur
	s.inLine = true
	var name token.Token
	s.next(&name)
	defer func() {
		s.inLine, s.lineStart = false, true
	}()
	switch name.Kind {
	case token.EOF: // null directive
		return token.Token{}, false
	case token.Number: // GNU line marker: # 12 "file"
		p.lineDirective(&name, true)
		p.skipLine()
		return token.Token{}, false
	case token.Ident:
		if d := directives[name.Text]; d != nil {
			pragma, ok = d(p, &name, inArgs)
			if s == p.cur { // else a file was entered, at the end of the line
				p.skipLine()
			}
			return pragma, ok
		}
	}
	p.badDirective(&name)
	p.skipLine()
	return token.Token{}, false
}

func (p *preprocessor) badDirective(name *token.Token) {
	d := p.rep.Report(diag.InvalidDirective, name.Span(), "invalid preprocessing directive")
	if name.Kind == token.Ident && d != nil {
		if best, ok := diag.Nearest(name.Text, directiveNames); ok {
			d.Message += ", did you mean '#" + best + "'?"
			d.Replace(name.Span(), best)
		}
	}
}

// skipLine skips the rest of a directive's line.
func (r *reader) skipLine() {
	for len(r.frames) > 0 {
		r.pop()
	}
	s := r.cur
	quiet := s.quiet
	s.quiet = true
	var t token.Token
	for s.next(&t); t.Kind != token.EOF; s.next(&t) {
	}
	s.quiet = quiet
}

// raw reads the next token of the directive's line without macro replacement.
func (r *reader) raw(t *token.Token) {
	r.cur.next(t)
	if t.Kind == token.Ident {
		r.intern(t)
	}
}

// endOfLine warns about tokens after a directive's operands.
func (p *preprocessor) endOfLine(directive string) {
	var t token.Token
	p.cur.next(&t)
	if t.Kind != token.EOF {
		p.rep.Report(diag.ExtraTokens, t.Span(), "extra tokens at end of #%s directive", directive)
	}
}

// rest returns the rest of the directive's line, trimmed, and its position. The text shares the source's memory
// unless it has escaped newlines or comments.
func (r *reader) rest() (string, diag.Span) {
	s := r.cur
	quiet := s.quiet
	s.quiet = true
	var t token.Token
	s.next(&t)
	from, to := t.Pos, t.Pos
	for ; t.Kind != token.EOF; s.next(&t) {
		to = t.Pos + diag.Pos(t.Len)
	}
	s.quiet = quiet
	text := s.src[from-s.base : to-s.base]
	for i := range len(text) {
		if byteClass[text[i]]&(classSplice|classEnd) != 0 || text[i] == '/' {
			return plainText(text), diag.Span{Pos: from, End: to}
		}
	}
	return text, diag.Span{Pos: from, End: to}
}

// plainText returns text without escaped newlines, and with each comment replaced by a space.
func plainText(text string) string {
	s := scanner{src: text, lineStart: false}
	var b []byte
	var t token.Token
	for s.next(&t); t.Kind != token.EOF; s.next(&t) {
		if len(b) > 0 && t.Flags&(token.SpaceBefore|token.LineStart) != 0 {
			b = append(b, ' ')
		}
		b = append(b, t.Text...)
	}
	return string(b)
}

// errorDirective processes #error and #warning.
func (p *preprocessor) errorDirective(name *token.Token, code *diag.Code) {
	text, _ := p.rest()
	span := name.Span()
	if text == "" {
		text = "#" + name.Text
	}
	p.rep.Report(code, span, "%s", text)
}

// directives maps names to their functions. init sets it to avoid an initialisation cycle.
var (
	directives     map[string]directive
	directiveNames []string
)

func init() {
	none := func(f func(p *preprocessor, name *token.Token)) directive {
		return func(p *preprocessor, name *token.Token, _ bool) (token.Token, bool) {
			f(p, name)
			return token.Token{}, false
		}
	}
	rows := []struct {
		name string
		do   directive
	}{
		{"define", none(func(p *preprocessor, _ *token.Token) { p.define() })},
		{"undef", none(func(p *preprocessor, _ *token.Token) { p.undef() })},
		{"if", none(func(p *preprocessor, n *token.Token) { p.ifDirective(n) })},
		{"ifdef", none(func(p *preprocessor, n *token.Token) { p.ifdefDirective(n, true) })},
		{"ifndef", none(func(p *preprocessor, n *token.Token) { p.ifdefDirective(n, false) })},
		{"elif", none((*preprocessor).elseDirective)},
		{"elifdef", none((*preprocessor).elseDirective)},
		{"elifndef", none((*preprocessor).elseDirective)},
		{"else", none((*preprocessor).elseDirective)},
		{"endif", none((*preprocessor).endifDirective)},
		{"include", func(p *preprocessor, n *token.Token, inArgs bool) (token.Token, bool) {
			p.include(n, inArgs)
			return token.Token{}, false
		}},
		{"line", none(func(p *preprocessor, n *token.Token) { p.lineDirective(n, false) })},
		{"error", none(func(p *preprocessor, n *token.Token) { p.errorDirective(n, diag.UserError) })},
		{"warning", none(func(p *preprocessor, n *token.Token) { p.errorDirective(n, diag.UserWarning) })},
		{"ident", none(func(*preprocessor, *token.Token) {})},
		{"sccs", none(func(*preprocessor, *token.Token) {})},
		{"pragma", func(p *preprocessor, n *token.Token, _ bool) (token.Token, bool) { return p.pragma(n) }},
	}
	directives = make(map[string]directive, len(rows))
	for _, r := range rows {
		directives[r.name] = r.do
		directiveNames = append(directiveNames, r.name)
	}
}
