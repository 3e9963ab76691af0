package syntax

import (
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
)

// A ppSymKind marks the names that the preprocessor itself knows.
type ppSymKind uint8

// Roles of a replacement-list token other than a parameter's index.
const (
	ppPlain     = -1 // stands for itself
	ppPaste     = -2 // the ## operator
	ppStringize = -3 // the # operator; the parameter follows
)

// A ppMacro is a macro definition (C99 6.10.3).
type ppMacro struct {
	name     string
	body     []Token
	role     []int16 // per token of body: a parameter's index or ppPlain, …
	params   []string
	funcLike bool
	variadic bool    // the last parameter takes the rest
	disabled bool    // being expanded: its name is not expanded again (6.10.3.4p2)
	ready    bool    // object-like: list and shared are filled
	list     []Token // object-like: body with its ## applied
	builtin  ppSymKind
	pastes   bool
	def      diag.Span
	shared   diag.Body
	size     uint32
}

// A ppFrame is a list of tokens to be read before those of the file: a macro's
// expansion, or an argument that is expanded by itself.
type ppFrame struct {
	toks   []Token
	i      int
	base   diag.Pos // positions of toks where starts is not nil
	starts []uint32
	macro  *ppMacro // re-enabled when the frame is left
	flags  Flags    // for the first token: white space before the macro's name
	pooled bool     // toks goes back to the pool
}

// A ppArg is an argument of a macro invocation.
type ppArg struct {
	toks     []Token
	expanded []Token
	done     bool // expanded is valid …
	pooled   bool // … and a list of the pool
	omitted  bool // the variable argument is not even empty
}

// next reads the next token before macro replacement: from the expansions in
// progress, then from the file. In a sealed list (an argument) its end is EOF.
func (p *preprocessor) next(t *Token) {
	for len(p.frames) > 0 {
		f := &p.frames[len(p.frames)-1]
		if f.i < len(f.toks) {
			*t = f.toks[f.i]
			if f.starts != nil {
				t.Pos = f.base + diag.Pos(f.starts[f.i])
			}
			if f.i == 0 && f.macro != nil {
				t.Flags = t.Flags&^(SpaceBefore|LineStart) | f.flags
			}
			f.i++
			t.Flags |= p.carry
			p.carry = 0
			return
		}
		if len(p.frames) == p.sealed {
			*t = Token{Kind: EOF}
			return
		}
		p.pop()
	}
	p.cur.next(t)
	if t.Kind == Ident {
		t.Sym = p.syms.intern(t.Text, t.Sym)
	}
	t.Flags |= p.carry
	p.carry = 0
}

func (p *preprocessor) pop() {
	f := &p.frames[len(p.frames)-1]
	if f.macro != nil {
		f.macro.disabled = false
		if len(f.toks) == 0 {
			p.carry |= f.flags & SpaceBefore
		}
	}
	if f.pooled {
		p.release(f.toks)
	}
	p.frames = p.frames[:len(p.frames)-1]
}

func (p *preprocessor) push(f ppFrame) {
	if f.macro != nil {
		f.macro.disabled = true
	}
	p.frames = append(p.frames, f)
}

// lparen reports whether the next token is a left parenthesis, and takes it then.
// Frames that are at their end are looked through without being left, because the
// macro stays disabled until a token after it is really read.
func (p *preprocessor) lparen() bool {
	for k := len(p.frames) - 1; k >= 0; k-- {
		f := &p.frames[k]
		if f.i < len(f.toks) {
			if f.toks[f.i].Kind != LParen {
				return false
			}
			for len(p.frames)-1 > k {
				p.pop()
			}
			p.frames[k].i++
			return true
		}
		if k+1 == p.sealed {
			return false
		}
	}
	s := p.cur
	save, quiet := *s, s.quiet
	s.quiet = true
	var t Token
	s.next(&t)
	s.quiet = quiet
	if t.Kind != LParen {
		*s = save
		return false
	}
	for len(p.frames) > 0 {
		p.pop()
	}
	return true
}

// macroOf returns the macro that the identifier t names, or nil.
func (p *preprocessor) macroOf(t *Token) *ppMacro {
	y := &p.syms.list[t.Sym]
	if y.predef != 0 {
		p.materialise(t.Sym)
		y = &p.syms.list[t.Sym]
	}
	if y.poison {
		p.rep.Report(diag.PoisonedIdentifier, t.Span(), "attempt to use a poisoned identifier")
	}
	return y.macro
}

// expand replaces the identifier t, just read, if it is a macro invocation: the
// replacement will be read next. It reports whether t was replaced; *t may have been
// changed into the token to be used instead even where it was not.
func (p *preprocessor) expand(t *Token) bool {
	y := &p.syms.list[t.Sym]
	if y.macro == nil && y.predef == 0 && !y.poison {
		return false
	}
	m := p.macroOf(t)
	if m == nil || t.Flags&NoExpand != 0 {
		return false
	}
	if m.disabled {
		t.Flags |= NoExpand
		return false
	}
	if m.builtin != 0 {
		return p.expandBuiltin(t, m)
	}
	if !m.funcLike {
		p.expandObject(t, m)
		return true
	}
	if !p.lparen() {
		return false
	}
	mark, argMark := len(p.argToks), len(p.args)
	end, ok := p.collect(t, m)
	if ok {
		p.expandFunction(t, m, p.args[argMark:], diag.Span{Pos: t.Pos, End: end})
	}
	p.argToks, p.args = p.argToks[:mark], p.args[:argMark]
	return ok
}

// spend takes n tokens off the budget that bounds all macro expansion together.
func (p *preprocessor) spend(n int, at diag.Span) bool {
	if p.budget -= n; p.budget >= 0 {
		return true
	}
	if !p.stopped {
		p.rep.Report(diag.ExpansionTooLarge, at, "macro expansion produces more than %d tokens", min(p.limit, ppMaxExpanded))
		p.stop()
	}
	return false
}

// ppMaxExpanded bounds the tokens that macro expansion produces, intermediate ones
// included: each takes up to 200 bytes, with its positions and as part of arguments.
const ppMaxExpanded = 1 << 23

// addExpansion takes positions for an expansion.
func (p *preprocessor) addExpansion(body *diag.Body, call diag.Span, size uint32) diag.Pos {
	base, ok := p.source.AddExpansion(body, call, size)
	if !ok && !p.stopped {
		p.rep.Report(diag.SourceTooLarge, call, "source files and macro expansions exceed 4 GiB")
		p.stop()
	}
	return base
}

func (p *preprocessor) expandObject(t *Token, m *ppMacro) {
	if !m.ready {
		p.prepare(m)
	}
	if !p.spend(len(m.list)+1, t.Span()) {
		return
	}
	if len(m.list) == 0 {
		p.carry |= t.Flags & SpaceBefore
		return
	}
	base := p.addExpansion(&m.shared, t.Span(), m.size)
	p.push(ppFrame{toks: m.list, base: base, starts: m.shared.Starts, macro: m, flags: t.Flags & (SpaceBefore | LineStart)})
}

// prepare applies the ## operators of an object-like macro, once, and lays out its tokens.
func (p *preprocessor) prepare(m *ppMacro) {
	m.ready = true
	m.list = m.body
	if m.pastes {
		m.list = p.substitute(m, nil, nil)
	}
	spell, starts := make([]diag.Pos, len(m.list)), make([]uint32, len(m.list))
	for i := range m.list {
		starts[i], spell[i] = m.size, m.list[i].Pos
		m.size += m.list[i].Len + 1
	}
	m.shared = diag.Body{Macro: m.name, Def: m.def, Starts: starts, Spell: spell}
}

// collect reads the arguments of an invocation of m named by t, whose left
// parenthesis has been read, up to the right parenthesis (C99 6.10.3p10–12). It
// appends to p.args and returns the end of the invocation. Where it fails it has
// reported why.
func (p *preprocessor) collect(t *Token, m *ppMacro) (end diag.Pos, ok bool) {
	var starts [16]int
	bounds := append(starts[:0], len(p.argToks))
	depth, n := 0, 0 // n: arguments ended
	var a Token
	for {
		p.next(&a)
		switch a.Kind {
		case EOF:
			if !p.stopped {
				p.rep.Report(diag.UnterminatedInvocation, t.Span(), "unterminated function-like macro invocation").
					Note(m.defName(), "macro '%s' defined here", m.name)
			}
			return 0, false
		case Hash:
			if a.Flags&LineStart != 0 && len(p.frames) == 0 && !p.cur.inLine {
				if pragma, ok := p.directive(a, true); ok {
					p.argToks = append(p.argToks, pragma)
				}
				continue
			}
		case LParen:
			depth++
		case RParen:
			if depth == 0 {
				return a.Pos + diag.Pos(a.Len), p.checkArgs(t, &a, m, append(bounds, len(p.argToks)), n+1)
			}
			depth--
		case Comma:
			if depth == 0 && !(m.variadic && n >= len(m.params)-1) {
				bounds = append(bounds, len(p.argToks))
				n++
				continue
			}
		case Ident:
			if y := &p.syms.list[a.Sym]; y.macro != nil && y.macro.disabled {
				a.Flags |= NoExpand
			}
		}
		if a.Flags&LineStart != 0 {
			a.Flags = a.Flags&^LineStart | SpaceBefore
		}
		p.argToks = append(p.argToks, a)
		if !p.spend(1, t.Span()) {
			return 0, false
		}
	}
}

// checkArgs compares the n arguments that lie between the bounds with m's parameters
// and appends them to p.args; the variable argument may be omitted.
func (p *preprocessor) checkArgs(t, rparen *Token, m *ppMacro, bounds []int, n int) bool {
	if len(m.params) == 0 && n == 1 && bounds[0] == bounds[1] {
		return true
	}
	need := len(m.params)
	switch {
	case n > need:
		at := rparen.Span()
		if b := bounds[need]; b < len(p.argToks) {
			at = p.argToks[b].Span()
		}
		p.rep.Report(diag.MacroArguments, at, "too many arguments provided to function-like macro invocation").
			Note(m.defName(), "macro '%s' defined here", m.name)
		return false
	case n < need && !(m.variadic && n == need-1):
		p.rep.Report(diag.MacroArguments, rparen.Span(), "too few arguments provided to function-like macro invocation").
			Note(m.defName(), "macro '%s' defined here", m.name)
		return false
	}
	for i := range n {
		p.args = append(p.args, ppArg{toks: p.argToks[bounds[i]:bounds[i+1]:bounds[i+1]]})
	}
	if n < need {
		p.args = append(p.args, ppArg{done: true, omitted: true})
	}
	return true
}

func (m *ppMacro) defName() diag.Span {
	if !m.def.IsValid() {
		return diag.Span{}
	}
	n := len(m.name)
	return diag.Span{Pos: m.def.Pos, End: m.def.Pos + diag.Pos(n)}
}

func (p *preprocessor) expandFunction(t *Token, m *ppMacro, args []ppArg, call diag.Span) {
	out := p.substitute(m, args, p.buffer())
	for i := range args {
		if args[i].pooled {
			p.release(args[i].expanded)
		}
	}
	if !p.spend(len(out)+1, t.Span()) {
		return
	}
	if len(out) == 0 {
		p.carry |= t.Flags & SpaceBefore
		p.release(out)
		return
	}
	body := p.newBody()
	*body = diag.Body{Macro: m.name, Def: m.def, Starts: ppSlab(&p.starts, len(out)), Spell: ppSlab(&p.spell, len(out))}
	size := uint32(0)
	for i := range out {
		body.Starts[i], body.Spell[i] = size, out[i].Pos
		size += out[i].Len + 1
	}
	base := p.addExpansion(body, call, size)
	for i := range out {
		out[i].Pos = base + diag.Pos(body.Starts[i])
	}
	p.push(ppFrame{toks: out, macro: m, flags: t.Flags & (SpaceBefore | LineStart), pooled: true})
}

// substitute appends m's replacement list to out, with the arguments in the place of
// the parameters and the operators # and ## applied (C99 6.10.3.1–3). The tokens'
// positions are those where they were spelled.
func (p *preprocessor) substitute(m *ppMacro, args []ppArg, out []Token) []Token {
	first := len(out)
	pending, empty, gap := false, true, Flags(0) // ## seen; its left operand is empty; white space to pass on
	for i := 0; i < len(m.body); i++ {
		tok, role := &m.body[i], ppPlain
		if m.role != nil {
			role = int(m.role[i])
		}
		if role == ppPaste {
			pending = true
			continue
		}
		var one [1]Token
		list, glued := one[:1], false
		switch {
		case role == ppPlain:
			one[0] = *tok
		case role == ppStringize:
			i++
			one[0] = p.stringize(args[m.role[i]].toks, tok)
		default:
			a := &args[role]
			comma := pending && !empty && m.variadic && role == len(m.params)-1 && m.body[i-2].Kind == Comma && m.role[i-2] == ppPlain
			switch {
			case comma && a.omitted && len(m.params) > 1:
				// GNU: ", ## __VA_ARGS__" without variable argument drops the comma.
				out = out[:len(out)-1]
				pending, empty = false, len(out) == first
				continue
			case comma && len(a.toks) > 0: // GNU: kept apart from the comma
				list, glued = a.toks, true
			case pending || i+1 < len(m.body) && m.role[i+1] == ppPaste:
				list = a.toks
			default:
				list = p.expandedArg(a)
			}
		}
		space := tok.Flags&SpaceBefore | gap
		if len(list) == 0 {
			if !pending {
				gap, empty = space, true
			}
			pending = false
			continue
		}
		if !p.spend(len(list), m.defName()) {
			break
		}
		lead := !glued
		if pending && !empty && !glued {
			if left := &out[len(out)-1]; p.paste(left, &list[0], m) {
				if left.Pos < m.def.Pos || left.Pos >= m.def.End {
					left.Pos = tok.Pos
				}
				list, lead = list[1:], false
			}
		}
		n := len(out)
		out = append(out, list...)
		if lead {
			out[n].Flags = out[n].Flags&^(SpaceBefore|LineStart) | space
		}
		pending, empty, gap = false, false, 0
	}
	return out
}

// expandedArg returns the argument completely macro-replaced, as if it formed the
// rest of the file (C99 6.10.3.1).
func (p *preprocessor) expandedArg(a *ppArg) []Token {
	if a.done {
		return a.expanded
	}
	a.done = true
	plain := true
	for i := range a.toks {
		if t := &a.toks[i]; t.Kind == Ident && t.Flags&NoExpand == 0 {
			if y := &p.syms.list[t.Sym]; y.macro != nil || y.predef != 0 {
				plain = false
				break
			}
		}
	}
	if plain {
		a.expanded = a.toks
		return a.toks
	}
	if p.nesting++; p.nesting > ppMaxNesting {
		if !p.stopped {
			p.rep.Report(diag.ExpansionTooDeep, a.toks[0].Span(), "macro invocations nested more than %d deep in arguments", ppMaxNesting)
			p.stop()
		}
		p.nesting--
		return nil
	}
	sealed, carry := p.sealed, p.carry
	p.carry = 0
	p.push(ppFrame{toks: a.toks})
	p.sealed = len(p.frames)
	out := p.buffer()
	var t Token
	for {
		p.next(&t)
		if t.Kind == EOF {
			break
		}
		if t.Kind == Ident && p.expand(&t) {
			continue
		}
		out = append(out, t)
		if !p.spend(1, t.Span()) {
			break
		}
	}
	for len(p.frames) >= p.sealed {
		p.pop()
	}
	p.sealed, p.carry = sealed, carry
	p.nesting--
	a.expanded, a.pooled = out, true
	return out
}

// ppMaxNesting bounds the recursion of expandedArg.
const ppMaxNesting = 1000

// paste joins right to left with the ## operator (C99 6.10.3.3). Where they form no
// token it reports that and leaves both.
func (p *preprocessor) paste(left, right *Token, m *ppMacro) bool {
	if left.Kind == Pragma || right.Kind == Pragma || !p.spendBytes(len(left.Text)+len(right.Text), right.Span()) {
		return false
	}
	text := left.Text + right.Text
	s := ppScanner{src: text, clean: true}
	var t Token
	s.next(&t)
	if len(t.Text) != len(text) || t.Kind == Invalid {
		p.rep.Report(diag.InvalidPaste, right.Span(), "pasting formed '%s', an invalid preprocessing token", ppClip(text)).
			Note(m.defName(), "in the expansion of macro '%s'", m.name)
		return false
	}
	t.Flags, t.Pos = left.Flags&^NoExpand, left.Pos
	if t.Kind == Ident {
		t.Sym = p.syms.intern(t.Text, t.Sym)
	}
	*left = t
	return true
}

// stringize makes the string literal of an argument's spelling (C99 6.10.3.2).
func (p *preprocessor) stringize(arg []Token, op *Token) Token {
	var b strings.Builder
	b.WriteByte('"')
	for i := range arg {
		a := &arg[i]
		if a.Kind == Pragma {
			continue
		}
		if i > 0 && a.Flags&(SpaceBefore|LineStart) != 0 {
			b.WriteByte(' ')
		}
		if (a.Kind == StrLit || a.Kind == CharLit || a.Kind == Invalid) && strings.ContainsAny(a.Text, `"\`) && a.Text != `\` {
			for text := a.Text; text != ""; {
				k := strings.IndexAny(text, `"\`)
				if k < 0 {
					b.WriteString(text)
					break
				}
				b.WriteString(text[:k])
				b.WriteByte('\\')
				b.WriteByte(text[k])
				text = text[k+1:]
			}
		} else {
			b.WriteString(a.Text)
		}
	}
	text := b.String()
	// A trailing lone backslash would escape the closing quote.
	n := 0
	for n < len(text)-1 && text[len(text)-1-n] == '\\' {
		n++
	}
	if n%2 == 1 {
		p.rep.Report(diag.InvalidStringize, arg[len(arg)-1].Span(), `invalid string literal, ignoring final '\'`)
		text = text[:len(text)-1]
	}
	text += `"`
	p.spendBytes(len(text), op.Span())
	return Token{Kind: StrLit, Flags: op.Flags, Pos: op.Pos, Len: uint32(len(text)), Text: text}
}

// spendBytes bounds the memory of spellings that # and ## make.
func (p *preprocessor) spendBytes(n int, at diag.Span) bool {
	if p.bytes -= n; p.bytes >= 0 {
		return true
	}
	if !p.stopped {
		p.rep.Report(diag.ExpansionTooLarge, at, "the operators # and ## produce more than %d MB of text", ppMaxBytes>>20)
		p.stop()
	}
	return false
}

// ppMaxBytes bounds the text that # and ## make in one translation unit.
const ppMaxBytes = 64 << 20

// ppClip shortens text that is shown in a message.
func ppClip(s string) string {
	if len(s) > 80 {
		return strings.ToValidUTF8(s[:77], "") + "..."
	}
	return s
}

// buffer and release keep a pool of token lists, because expansions nest.
func (p *preprocessor) buffer() []Token {
	if n := len(p.pool); n > 0 {
		b := p.pool[n-1]
		p.pool = p.pool[:n-1]
		return b
	}
	return make([]Token, 0, 64)
}

func (p *preprocessor) release(b []Token) {
	if cap(b) > 0 {
		p.pool = append(p.pool, b[:0])
	}
}

// newBody and ppSlab allocate what the positions of expansions need in large pieces.
func (p *preprocessor) newBody() *diag.Body { return &ppSlab(&p.bodies, 1)[0] }

func ppSlab[T any](slab *[]T, n int) []T {
	if len(*slab)+n > cap(*slab) {
		*slab = make([]T, 0, max(min(2*cap(*slab), 1<<14), 128, n))
	}
	k := len(*slab)
	*slab = (*slab)[:k+n]
	return (*slab)[k : k+n : k+n]
}
