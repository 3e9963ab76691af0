package preprocess

import (
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
)

// pragma processes a #pragma directive or the operand of _Pragma: the tokens up to the end of p.cur's line. It
// returns pragmas that concern the parser with ok set (C99 6.10.6, OpenCL C "Preprocessor Directives and
// Macros").
func (p *preprocessor) pragma(name *token.Token) (t token.Token, ok bool) {
	start := *p.cur
	var first, second token.Token
	p.raw(&first)
	p.raw(&second)
	*p.cur = start
	key := first.Text
	if key == "OPENCL" || key == "STDC" || key == "GCC" || key == "clang" {
		key += " " + second.Text
	}
	switch key {
	case "":
		return t, false
	case "OPENCL EXTENSION", "OPENCL FP_CONTRACT", "STDC FP_CONTRACT", "pack":
		return p.pragmaToken()
	case "unroll", "nounroll":
		return p.unrollToken()
	case "once":
		p.pragmaOnce(&first)
	case "message":
		p.raw(&first)
		p.pragmaMessage(diag.PragmaMessage)
	case "GCC warning", "clang warning", "GCC error", "clang error":
		p.raw(&first)
		p.raw(&first)
		code := diag.UserWarning
		if second.Text == "error" {
			code = diag.UserError
		}
		p.pragmaMessage(code)
	case "GCC poison", "clang poison":
		p.raw(&first)
		p.raw(&first)
		for p.raw(&first); first.Kind == token.Ident; p.raw(&first) {
			p.idents[first.Sym].poison = true
		}
	case "GCC diagnostic", "clang diagnostic":
		p.raw(&first)
		p.raw(&first)
		p.pragmaDiagnostic()
	case "push_macro", "pop_macro":
		p.pragmaMacro(key == "push_macro")
	case "STDC FENV_ACCESS", "STDC CX_LIMITED_RANGE", "GCC system_header",
		"clang system_header", "clang loop", "mark", "region", "endregion":
		// known, but without effect here
	default:
		what := "unknown pragma ignored"
		if first.Text == "STDC" {
			what = "unknown pragma in STDC namespace"
		}
		p.rep.Report(diag.UnknownPragmas, first.Span(), "%s", what)
	}
	return t, false
}

// pragmaToken returns the rest of the line as a Pragma token.
func (p *preprocessor) pragmaToken() (token.Token, bool) {
	text, at := p.rest()
	return newPragma(text, at), true
}

// newPragma returns the token. A backslash at the end, which can only remain at the end of the file, is not part of
// the pragma: if it were printed, it would escape the newline.
func newPragma(text string, at diag.Span) token.Token {
	return token.Token{Kind: token.Pragma, Flags: token.LineStart, Pos: at.Pos, Len: uint32(at.End - at.Pos), Text: strings.TrimRight(text, "\\ \t")}
}

// unrollToken is pragmaToken for a pragma whose argument is macro-replaced, as in clang for unroll.
func (p *preprocessor) unrollToken() (token.Token, bool) {
	line := *p.cur
	text, at := p.rest()
	*p.cur = line
	var b strings.Builder
	replaced := false
	var t token.Token
	for p.next(&t); t.Kind != token.EOF; p.next(&t) {
		if t.Kind == token.Ident && b.Len() > 0 && p.expand(&t) {
			replaced = true
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	if replaced {
		text = b.String()
	}
	return newPragma(text, at), true
}

func (p *preprocessor) pragmaOnce(at *token.Token) {
	if len(p.files) == 1 {
		p.rep.Report(diag.PragmaOnceMain, at.Span(), "#pragma once in main file")
		return
	}
	if p.once == nil {
		p.once = map[string]bool{}
	}
	p.once[p.files[len(p.files)-1].path] = true
}

// pragmaMessage reports the string operand of #pragma message, GCC warning, GCC error: one or several string
// literals, with or without parentheses.
func (p *preprocessor) pragmaMessage(code *diag.Code) {
	var t token.Token
	var b []byte
	at, n := diag.Span{}, 0
	for p.next(&t); t.Kind != token.EOF; p.next(&t) {
		switch {
		case t.Kind == token.Ident && p.expand(&t):
		case t.Kind == token.StrLit:
			s, issues := token.LiteralBytes(strings.TrimPrefix(t.Text, "L"))
			p.reportLiteral(&t, issues)
			b = append(b, s...)
			at = at.Join(t.Span())
			n++
		case t.Kind != token.LParen && t.Kind != token.RParen:
			n = -1 << 30
		}
	}
	if n <= 0 {
		p.rep.Report(diag.BadPragma, t.Span(), "expected string literal in pragma")
		return
	}
	p.rep.Report(code, at, "%s", b)
}

// pragmaDiagnostic processes the rest of "#pragma clang diagnostic push", "pop" or "ignored|warning|error|fatal
// "-Wname"".
func (p *preprocessor) pragmaDiagnostic() {
	levels := map[string]diag.Level{"ignored": diag.Ignored, "warning": diag.AsWarning, "error": diag.AsError, "fatal": diag.AsError}
	var word, t token.Token
	p.raw(&word)
	level, ok := levels[word.Text]
	switch {
	case word.Kind == token.Ident && (word.Text == "push" || word.Text == "pop"):
		if p.raw(&t); t.Kind != token.EOF {
			break
		}
		if word.Text == "push" {
			p.rep.PushLevels()
		} else if !p.rep.PopLevels(word.Pos) {
			p.rep.Report(diag.UnknownPragmas, word.Span(), "pragma diagnostic pop could not pop, no matching push")
		}
		return
	case word.Kind != token.Ident || !ok:
		p.rep.Report(diag.UnknownPragmas, word.Span(), "pragma diagnostic expected 'error', 'warning', 'ignored', 'fatal', 'push', or 'pop'")
		return
	default:
		var name []byte
		at := diag.Span{}
		for p.raw(&t); t.Kind == token.StrLit; p.raw(&t) {
			s, issues := token.LiteralBytes(t.Text)
			p.reportLiteral(&t, issues)
			name, at = append(name, s...), at.Join(t.Span())
		}
		if !at.IsValid() {
			p.rep.Report(diag.BadPragma, t.Span(), "expected string literal in pragma diagnostic")
			return
		}
		if t.Kind != token.EOF {
			break
		}
		group, found := strings.CutPrefix(string(name), "-W")
		if !found {
			p.rep.Report(diag.UnknownPragmas, at, "pragma diagnostic expected option name (e.g. \"-Wundef\")")
			return
		}
		p.rep.SetLevel(word.Pos, group, level)
		return
	}
	p.rep.Report(diag.UnknownPragmas, t.Span(), "unexpected token in pragma diagnostic")
}

// pragmaMacro processes push_macro("X") and pop_macro("X").
func (p *preprocessor) pragmaMacro(push bool) {
	var w, open, s, close token.Token
	p.raw(&w)
	p.raw(&open)
	p.raw(&s)
	p.raw(&close)
	if open.Kind != token.LParen || s.Kind != token.StrLit || close.Kind != token.RParen || len(s.Text) < 3 {
		p.rep.Report(diag.BadPragma, w.Span(), `pragma %s requires a parenthesized string`, w.Text)
		return
	}
	name := s.Text[1 : len(s.Text)-1]
	t := token.Token{Kind: token.Ident, Text: name, Pos: s.Pos + 1, Len: uint32(len(name))}
	t.Sym = token.NameHash(name)
	p.intern(&t)
	m := p.macroOf(&t)
	if push {
		if p.pushed == nil {
			p.pushed = map[uint32][]*macro{}
		}
		p.pushed[t.Sym] = append(p.pushed[t.Sym], m)
		return
	}
	stack := p.pushed[t.Sym]
	if len(stack) == 0 {
		p.rep.Report(diag.UnknownPragmas, s.Span(), "pragma pop_macro could not pop '%s', no matching push_macro", name)
		return
	}
	p.idents[t.Sym].macro = stack[len(stack)-1]
	p.pushed[t.Sym] = stack[:len(stack)-1]
}

// pragmaOperator evaluates _Pragma ( string-literal ), whose name is t (C99 6.10.9). If the pragma is for the
// parser, it replaces t by the Pragma token and returns true.
func (p *preprocessor) pragmaOperator(t *token.Token) bool {
	var s, close token.Token
	at := t.Span()
	if !p.lparen() {
		p.rep.Report(diag.BadPragma, at, "_Pragma takes a parenthesized string literal")
		return false
	}
	p.next(&s)
	if s.Kind != token.StrLit {
		p.rep.Report(diag.BadPragma, s.Span(), "_Pragma takes a parenthesized string literal")
		return false
	}
	p.next(&close)
	if close.Kind != token.RParen {
		p.rep.Report(diag.BadPragma, close.Span(), "_Pragma takes a parenthesized string literal")
		return false
	}
	text := strings.TrimPrefix(s.Text, "L")
	text = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(text[1 : len(text)-1])
	line := scanner{src: text, base: s.Pos + 1, file: p.cur.file, rep: p.rep, inLine: true, clean: true}
	cur, frames, sealed := p.cur, p.frames, p.sealed
	p.cur, p.frames, p.sealed = &line, nil, 0
	pragma, ok := p.pragma(t)
	p.cur, p.frames, p.sealed = cur, frames, sealed
	*t = pragma
	t.Flags |= token.SpaceBefore
	return ok
}

// PragmaWords calls f for each token of a Pragma token's text, without EOF. The Sym of an identifier is its hash.
func PragmaWords(pragma *token.Token, f func(w *token.Token)) {
	s := scanner{src: pragma.Text, base: pragma.Pos, clean: true, quiet: true}
	var w token.Token
	for s.next(&w); w.Kind != token.EOF; s.next(&w) {
		f(&w)
	}
}
