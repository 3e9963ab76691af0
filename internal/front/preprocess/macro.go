package preprocess

import (
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
)

// A computed identifies a macro whose value the preprocessor computes.
type computed uint8

// Roles of a replacement-list token other than a parameter's index.
const (
	rolePlain     = -1 // an ordinary token
	rolePaste     = -2 // the ## operator
	roleStringize = -3 // the # operator; the parameter follows
)

// A macro is a macro definition (C99 6.10.3).
type macro struct {
	name     string
	body     []token.Token
	role     []int16 // per token of body: a parameter's index or rolePlain, …
	params   []string
	funcLike bool
	variadic bool          // the last parameter takes the remaining arguments
	disabled bool          // it is being expanded: its name is not expanded again (6.10.3.4p2)
	ready    bool          // object-like: list and shared are set
	list     []token.Token // object-like: body with ## applied
	builtin  computed
	pastes   bool
	def      diag.Span
	shared   diag.Body
	size     uint32
}

// A frame is a list of tokens to read before those of the file: a macro's expansion, or an argument that is
// expanded separately.
type frame struct {
	toks   []token.Token
	i      int
	base   diag.Pos // positions of toks, if starts is not nil
	starts []uint32
	macro  *macro      // enabled again when the frame is left
	flags  token.Flags // for the first token: white space before the macro's name
	pooled bool        // toks must be returned to the pool
}

// An argument is an argument of a macro invocation.
type argument struct {
	toks     []token.Token
	expanded []token.Token
	done     bool // expanded is valid
	pooled   bool // expanded is a list of the pool
	omitted  bool // the variable argument is missing, not empty
}

// next reads the next token before macro replacement: from the expansions in
// progress, then from the file. In a sealed list (an argument) its end is EOF.
func (r *reader) next(t *token.Token) {
	for len(r.frames) > 0 {
		f := &r.frames[len(r.frames)-1]
		if f.i < len(f.toks) {
			*t = f.toks[f.i]
			if f.starts != nil {
				t.Pos = f.base + diag.Pos(f.starts[f.i])
			}
			if f.i == 0 && f.macro != nil {
				t.Flags = t.Flags&^(token.SpaceBefore|token.LineStart) | f.flags
			}
			f.i++
			t.Flags |= r.carry
			r.carry = 0
			return
		}
		if len(r.frames) == r.sealed {
			*t = token.Token{Kind: token.EOF}
			return
		}
		r.pop()
	}
	r.cur.next(t)
	if t.Kind == token.Ident {
		r.intern(t)
	}
	t.Flags |= r.carry
	r.carry = 0
}

func (r *reader) pop() {
	f := &r.frames[len(r.frames)-1]
	if f.macro != nil {
		f.macro.disabled = false
		if len(f.toks) == 0 {
			r.carry |= f.flags & token.SpaceBefore
		}
	}
	if f.pooled {
		r.release(f.toks)
	}
	r.frames = r.frames[:len(r.frames)-1]
}

func (r *reader) push(f frame) {
	if f.macro != nil {
		f.macro.disabled = true
	}
	r.frames = append(r.frames, f)
}

// lparen consumes the next token if it is a left parenthesis, and reports whether it is. It skips finished frames
// without leaving them, because a macro stays disabled until a token after it is actually read.
func (r *reader) lparen() bool {
	for k := len(r.frames) - 1; k >= 0; k-- {
		f := &r.frames[k]
		if f.i < len(f.toks) {
			if f.toks[f.i].Kind != token.LParen {
				return false
			}
			for len(r.frames)-1 > k {
				r.pop()
			}
			r.frames[k].i++
			return true
		}
		if k+1 == r.sealed {
			return false
		}
	}
	s := r.cur
	save, quiet := *s, s.quiet
	s.quiet = true
	var t token.Token
	s.next(&t)
	s.quiet = quiet
	if t.Kind != token.LParen {
		*s = save
		return false
	}
	for len(r.frames) > 0 {
		r.pop()
	}
	return true
}

// macroOf returns the macro that the identifier t names, or nil.
func (p *preprocessor) macroOf(t *token.Token) *macro {
	y := &p.idents[t.Sym]
	if y.predef != 0 {
		p.materialise(t.Sym)
		y = &p.idents[t.Sym]
	}
	if y.poison {
		p.rep.Report(diag.PoisonedIdentifier, t.Span(), "attempt to use a poisoned identifier")
	}
	return y.macro
}

// expand replaces the identifier t, which was just read, if it is a macro invocation: the replacement will be read
// next. It reports whether t was replaced. If not, *t may still have been changed to the token to use instead.
func (p *preprocessor) expand(t *token.Token) bool {
	y := &p.idents[t.Sym]
	if y.macro == nil && y.predef == 0 && !y.poison {
		return false
	}
	m := p.macroOf(t)
	if m == nil || t.Flags&token.NoExpand != 0 {
		return false
	}
	if m.disabled {
		t.Flags |= token.NoExpand
		return false
	}
	p.record.use(m, t.Span())
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

// spend subtracts n tokens from the budget that all macro expansions share.
func (p *preprocessor) spend(n int, at diag.Span) bool {
	if p.budget -= n; p.budget >= 0 {
		return true
	}
	if !p.stopped {
		p.rep.Report(diag.ExpansionTooLarge, at, "macro expansion produces more than %d tokens", min(p.limit, maxExpanded))
		p.stop()
	}
	return false
}

// maxExpanded bounds the tokens produced by macro expansion, including intermediate ones. Each takes up to 200
// bytes, with its positions and as part of arguments.
const maxExpanded = 1 << 23

// addExpansion reserves positions for an expansion.
func (p *preprocessor) addExpansion(body *diag.Body, call diag.Span, size uint32) diag.Pos {
	base, ok := p.source.AddExpansion(body, call, size)
	if !ok && !p.stopped {
		p.rep.Report(diag.SourceTooLarge, call, "source files and macro expansions exceed 4 GiB")
		p.stop()
	}
	return base
}

func (p *preprocessor) expandObject(t *token.Token, m *macro) {
	if !m.ready {
		p.prepare(m)
	}
	if !p.spend(len(m.list)+1, t.Span()) {
		return
	}
	if len(m.list) == 0 {
		p.carry |= t.Flags & token.SpaceBefore
		return
	}
	base := p.addExpansion(&m.shared, t.Span(), m.size)
	p.push(frame{toks: m.list, base: base, starts: m.shared.Starts, macro: m, flags: t.Flags & (token.SpaceBefore | token.LineStart)})
}

// prepare applies the ## operators of an object-like macro, once, and lays out its tokens.
func (p *preprocessor) prepare(m *macro) {
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

// collect reads the arguments of an invocation of m named by t, from after its left parenthesis to the right
// parenthesis (C99 6.10.3p10–12). It appends to p.args and returns the end of the invocation. If it fails, it has
// reported the error.
func (p *preprocessor) collect(t *token.Token, m *macro) (end diag.Pos, ok bool) {
	var starts [16]int
	bounds := append(starts[:0], len(p.argToks))
	depth, n := 0, 0 // n: number of completed arguments
	var a token.Token
	for {
		p.next(&a)
		switch a.Kind {
		case token.EOF:
			if !p.stopped {
				p.rep.Report(diag.UnterminatedInvocation, t.Span(), "unterminated function-like macro invocation").
					Note(m.defName(), "macro '%s' defined here", m.name)
			}
			return 0, false
		case token.Hash:
			if a.Flags&token.LineStart != 0 && len(p.frames) == 0 && !p.cur.inLine {
				if pragma, ok := p.directive(a, true); ok {
					p.argToks = append(p.argToks, pragma)
				}
				continue
			}
		case token.LParen:
			depth++
		case token.RParen:
			if depth == 0 {
				return a.Pos + diag.Pos(a.Len), p.checkArgs(t, &a, m, append(bounds, len(p.argToks)), n+1)
			}
			depth--
		case token.Comma:
			if depth == 0 && !(m.variadic && n >= len(m.params)-1) {
				bounds = append(bounds, len(p.argToks))
				n++
				continue
			}
		case token.Ident:
			if y := &p.idents[a.Sym]; y.macro != nil && y.macro.disabled {
				a.Flags |= token.NoExpand
			}
		}
		if a.Flags&token.LineStart != 0 {
			a.Flags = a.Flags&^token.LineStart | token.SpaceBefore
		}
		p.argToks = append(p.argToks, a)
		if !p.spend(1, t.Span()) {
			return 0, false
		}
	}
}

// checkArgs compares the n arguments between the bounds with m's parameters and appends them to p.args; the
// variable argument may be missing.
func (p *preprocessor) checkArgs(t, rparen *token.Token, m *macro, bounds []int, n int) bool {
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
		p.args = append(p.args, argument{toks: p.argToks[bounds[i]:bounds[i+1]:bounds[i+1]]})
	}
	if n < need {
		p.args = append(p.args, argument{done: true, omitted: true})
	}
	return true
}

func (m *macro) defName() diag.Span {
	if !m.def.IsValid() {
		return diag.Span{}
	}
	n := len(m.name)
	return diag.Span{Pos: m.def.Pos, End: m.def.Pos + diag.Pos(n)}
}

func (p *preprocessor) expandFunction(t *token.Token, m *macro, args []argument, call diag.Span) {
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
		p.carry |= t.Flags & token.SpaceBefore
		p.release(out)
		return
	}
	body := p.newBody()
	*body = diag.Body{Macro: m.name, Def: m.def, Starts: cut(&p.starts, len(out)), Spell: cut(&p.spell, len(out))}
	size := uint32(0)
	for i := range out {
		body.Starts[i], body.Spell[i] = size, out[i].Pos
		size += out[i].Len + 1
	}
	base := p.addExpansion(body, call, size)
	for i := range out {
		out[i].Pos = base + diag.Pos(body.Starts[i])
	}
	p.push(frame{toks: out, macro: m, flags: t.Flags & (token.SpaceBefore | token.LineStart), pooled: true})
}

// substitute appends m's replacement list to out, with parameters replaced by arguments and the operators # and ##
// applied (C99 6.10.3.1–3). The tokens keep their original positions.
func (p *preprocessor) substitute(m *macro, args []argument, out []token.Token) []token.Token {
	first := len(out)
	pending, empty, gap := false, true, token.Flags(0) // state after ##: pending, whether its left operand is empty, and the white space to pass on
	for i := 0; i < len(m.body); i++ {
		tok, role := &m.body[i], rolePlain
		if m.role != nil {
			role = int(m.role[i])
		}
		if role == rolePaste {
			pending = true
			continue
		}
		var one [1]token.Token
		list, glued := one[:1], false
		switch {
		case role == rolePlain:
			one[0] = *tok
		case role == roleStringize:
			i++
			one[0] = p.stringize(args[m.role[i]].toks, tok)
		default:
			a := &args[role]
			comma := pending && !empty && m.variadic && role == len(m.params)-1 && m.body[i-2].Kind == token.Comma && m.role[i-2] == rolePlain
			switch {
			case comma && a.omitted && len(m.params) > 1:
				// GNU: ", ## __VA_ARGS__" without a variable argument drops the comma.
				out = out[:len(out)-1]
				pending, empty = false, len(out) == first
				continue
			case comma && len(a.toks) > 0: // GNU: the argument is not pasted to the comma
				list, glued = a.toks, true
			case pending || i+1 < len(m.body) && m.role[i+1] == rolePaste:
				list = a.toks
			default:
				list = p.expandedArg(a)
			}
		}
		space := tok.Flags&token.SpaceBefore | gap
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
			out[n].Flags = out[n].Flags&^(token.SpaceBefore|token.LineStart) | space
		}
		pending, empty, gap = false, false, 0
	}
	return out
}

// expandedArg returns the argument completely macro-replaced, as if it were the rest of the file (C99 6.10.3.1).
func (p *preprocessor) expandedArg(a *argument) []token.Token {
	if a.done {
		return a.expanded
	}
	a.done = true
	plain := true
	for i := range a.toks {
		if t := &a.toks[i]; t.Kind == token.Ident && t.Flags&token.NoExpand == 0 {
			if y := &p.idents[t.Sym]; y.macro != nil || y.predef != 0 {
				plain = false
				break
			}
		}
	}
	if plain {
		a.expanded = a.toks
		return a.toks
	}
	if p.nesting++; p.nesting > maxArgumentNesting {
		if !p.stopped {
			p.rep.Report(diag.ExpansionTooDeep, a.toks[0].Span(), "macro invocations nested more than %d deep in arguments", maxArgumentNesting)
			p.stop()
		}
		p.nesting--
		return nil
	}
	sealed, carry := p.sealed, p.carry
	p.carry = 0
	p.push(frame{toks: a.toks})
	p.sealed = len(p.frames)
	out := p.buffer()
	var t token.Token
	for {
		p.next(&t)
		if t.Kind == token.EOF {
			break
		}
		if t.Kind == token.Ident && p.expand(&t) {
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

// maxArgumentNesting bounds the recursion of expandedArg.
const maxArgumentNesting = 1000

// paste joins right to left by the ## operator (C99 6.10.3.3). If the result is no token, it reports that and keeps
// both.
func (p *preprocessor) paste(left, right *token.Token, m *macro) bool {
	if left.Kind == token.Pragma || right.Kind == token.Pragma || !p.spendBytes(len(left.Text)+len(right.Text), right.Span()) {
		return false
	}
	text := left.Text + right.Text
	s := scanner{src: text, clean: true}
	var t token.Token
	s.next(&t)
	if len(t.Text) != len(text) || t.Kind == token.Invalid {
		p.rep.Report(diag.InvalidPaste, right.Span(), "pasting formed '%s', an invalid preprocessing token", diag.Clip(text)).
			Note(m.defName(), "in the expansion of macro '%s'", m.name)
		return false
	}
	t.Flags, t.Pos = left.Flags&^token.NoExpand, left.Pos
	if t.Kind == token.Ident {
		p.intern(&t)
	}
	*left = t
	return true
}

// stringize returns the string literal of an argument's spelling (C99 6.10.3.2).
func (p *preprocessor) stringize(arg []token.Token, op *token.Token) token.Token {
	var b strings.Builder
	b.WriteByte('"')
	for i := range arg {
		a := &arg[i]
		if a.Kind == token.Pragma {
			continue
		}
		if i > 0 && a.Flags&(token.SpaceBefore|token.LineStart) != 0 {
			b.WriteByte(' ')
		}
		if (a.Kind == token.StrLit || a.Kind == token.CharLit || a.Kind == token.Invalid) && strings.ContainsAny(a.Text, `"\`) && a.Text != `\` {
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
	return token.Token{Kind: token.StrLit, Flags: op.Flags, Pos: op.Pos, Len: uint32(len(text)), Text: text}
}

// spendBytes bounds the memory of spellings created by # and ##.
func (p *preprocessor) spendBytes(n int, at diag.Span) bool {
	if p.bytes -= n; p.bytes >= 0 {
		return true
	}
	if !p.stopped {
		p.rep.Report(diag.ExpansionTooLarge, at, "the operators # and ## produce more than %d MB of text", maxBytes>>20)
		p.stop()
	}
	return false
}

// maxBytes bounds the text created by # and ## in one translation unit.
const maxBytes = 64 << 20

// buffer and release manage a pool of token lists, because expansions nest.
func (s *storage) buffer() []token.Token {
	if n := len(s.pool); n > 0 {
		b := s.pool[n-1]
		s.pool = s.pool[:n-1]
		return b
	}
	return make([]token.Token, 0, 64)
}

func (s *storage) release(b []token.Token) {
	if cap(b) > 0 {
		s.pool = append(s.pool, b[:0])
	}
}

// newBody and cut allocate the data of expansions' positions in large pieces.
func (s *storage) newBody() *diag.Body { return &cut(&s.bodies, 1)[0] }

func cut[T any](slab *[]T, n int) []T {
	if len(*slab)+n > cap(*slab) {
		*slab = make([]T, 0, max(min(2*cap(*slab), 1<<14), 128, n))
	}
	k := len(*slab)
	*slab = (*slab)[:k+n]
	return (*slab)[k : k+n : k+n]
}
