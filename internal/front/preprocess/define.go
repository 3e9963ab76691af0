package preprocess

import (
	"math"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
)

// macroName reads the name after #define, #undef or #ifdef.
func (p *preprocessor) macroName(t *token.Token) bool {
	p.raw(t)
	switch {
	case t.Kind == token.EOF:
		p.rep.Report(diag.MacroName, t.Span(), "macro name missing")
		return false
	case t.Kind != token.Ident:
		p.rep.Report(diag.MacroName, t.Span(), "macro name must be an identifier")
		return false
	}
	return true
}

// definableName reads the name after #define and #undef.
func (p *preprocessor) definableName(t *token.Token) bool {
	if !p.macroName(t) {
		return false
	}
	if t.Text == "defined" {
		p.rep.Report(diag.MacroName, t.Span(), "'defined' cannot be used as a macro name")
		return false
	}
	return true
}

// define processes a #define directive:
//
//	# define identifier replacement-list new-line
//	# define identifier lparen identifier-list(opt) ) replacement-list new-line
//	# define identifier lparen ... ) replacement-list new-line
//	# define identifier lparen identifier-list , ... ) replacement-list new-line
func (p *preprocessor) define() {
	var name, t token.Token
	if !p.definableName(&name) {
		return
	}
	m := &macro{name: name.Text}
	p.raw(&t)
	switch {
	case t.Kind == token.LParen && t.Flags&token.SpaceBefore == 0:
		m.funcLike = true
		if !p.macroParams(m) {
			return
		}
		p.raw(&t)
	case t.Kind != token.EOF && t.Flags&token.SpaceBefore == 0:
		p.rep.Report(diag.MacroSpace, t.Span(), "ISO C99 requires whitespace after the macro name")
	}
	t.Flags &^= token.SpaceBefore
	mark := len(p.argToks)
	end := name.Pos + diag.Pos(name.Len)
	for ; t.Kind != token.EOF; p.raw(&t) {
		end = t.Pos + diag.Pos(t.Len)
		p.argToks = append(p.argToks, t)
	}
	m.body = append(cut(&p.defs, len(p.argToks)-mark)[:0], p.argToks[mark:]...)
	p.argToks = p.argToks[:mark]
	m.def = diag.Span{Pos: name.Pos, End: max(end, t.Pos)}
	if p.macroBody(m) {
		p.install(&name, m)
	}
}

// macroParams reads the parameter list after its left parenthesis.
func (p *preprocessor) macroParams(m *macro) bool {
	var t token.Token
	for {
		p.raw(&t)
		switch {
		case t.Kind == token.RParen && len(m.params) == 0:
			return true
		case t.Kind == token.Ellipsis:
			m.variadic = true
			m.params = append(m.params, "__VA_ARGS__")
		case t.Kind == token.Ident:
			for _, q := range m.params {
				if q == t.Text {
					p.rep.Report(diag.MacroParameters, t.Span(), "duplicate macro parameter name '%s'", t.Text)
					return false
				}
			}
			if t.Text == "__VA_ARGS__" {
				p.rep.Report(diag.VaArgs, t.Span(), "__VA_ARGS__ can only appear in the expansion of a C99 variadic macro")
			}
			if len(m.params) >= math.MaxInt16 {
				p.rep.Report(diag.MacroParameters, t.Span(), "macro has more than %d parameters", math.MaxInt16)
				return false
			}
			m.params = append(m.params, t.Text)
		case t.Kind == token.EOF:
			p.rep.Report(diag.MacroParameters, t.Span(), "missing ')' in macro parameter list")
			return false
		default:
			p.rep.Report(diag.MacroParameters, t.Span(), "invalid token in macro parameter list")
			return false
		}
		p.raw(&t)
		if t.Kind == token.Ellipsis && !m.variadic { // GNU: name...
			m.variadic = true
			p.raw(&t)
		}
		switch {
		case t.Kind == token.RParen:
			return true
		case t.Kind == token.EOF || m.variadic:
			p.rep.Report(diag.MacroParameters, t.Span(), "missing ')' in macro parameter list")
			return false
		case t.Kind != token.Comma:
			p.rep.Report(diag.MacroParameters, t.Span(), "expected comma in macro parameter list")
			return false
		}
	}
}

// macroBody classifies the parameters and operators of a replacement list.
func (p *preprocessor) macroBody(m *macro) bool {
	n := len(m.body)
	if n == 0 {
		return true
	}
	for i, at := range [...]int{0, n - 1} {
		if m.body[at].Kind == token.HashHash {
			p.rep.Report(diag.PasteAtEnd, m.body[at].Span(), "'##' cannot appear at %s of macro expansion", [...]string{"start", "end"}[i])
			return false
		}
	}
	role := func(t *token.Token) int16 {
		if t.Kind == token.Ident {
			for k, q := range m.params {
				if q == t.Text {
					return int16(k)
				}
			}
			if t.Text == "__VA_ARGS__" {
				p.rep.Report(diag.VaArgs, t.Span(), "__VA_ARGS__ can only appear in the expansion of a C99 variadic macro")
			}
		}
		return rolePlain
	}
	m.role = cut(&p.roles, n)
	for i := range m.body {
		t := &m.body[i]
		switch m.role[i] = role(t); {
		case t.Kind == token.HashHash:
			m.role[i], m.pastes = rolePaste, true
		case t.Kind == token.Hash && m.funcLike:
			m.role[i] = roleStringize
			if i+1 == n || role(&m.body[i+1]) < 0 {
				p.rep.Report(diag.StringizeOperand, t.Span(), "'#' is not followed by a macro parameter")
				return false
			}
		}
	}
	return true
}

// install makes m the definition of its name. A redefinition must be identical (C99 6.10.3p2).
func (p *preprocessor) install(name *token.Token, m *macro) {
	old := p.macroOf(name)
	y := &p.idents[name.Sym]
	y.macro = m
	if !p.defining {
		p.record.define(m)
	}
	switch {
	case old == nil || p.defining:
	case old.builtin != 0:
		p.rep.Report(diag.BuiltinMacroRedefined, name.Span(), "redefining builtin macro")
	case !m.same(old):
		d := p.rep.Report(diag.MacroRedefined, name.Span(), "'%s' macro redefined", name.Text)
		if at := old.defName(); at.IsValid() {
			d.Note(at, "previous definition is here")
		}
	}
}

func (m *macro) same(o *macro) bool {
	if m.funcLike != o.funcLike || m.variadic != o.variadic || len(m.body) != len(o.body) || len(m.params) != len(o.params) {
		return false
	}
	for i := range m.params {
		if m.params[i] != o.params[i] {
			return false
		}
	}
	for i := range m.body {
		a, b := &m.body[i], &o.body[i]
		if a.Kind != b.Kind || a.Text != b.Text || a.Flags&token.SpaceBefore != b.Flags&token.SpaceBefore {
			return false
		}
	}
	return true
}

// undef processes an #undef directive.
func (p *preprocessor) undef() {
	var name token.Token
	if !p.definableName(&name) {
		return
	}
	if m := p.macroOf(&name); m != nil && m.builtin != 0 {
		p.rep.Report(diag.BuiltinMacroRedefined, name.Span(), "undefining builtin macro")
	}
	p.record.use(p.idents[name.Sym].macro, name.Span())
	p.idents[name.Sym].macro = nil
	p.endOfLine("undef")
}
