package syntax

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
)

const (
	defaultNesting = 256
	// maxHeight bounds the height of the tree of one declaration, so that later phases
	// may recurse on it: the longest chain of operators, else-ifs or cases.
	maxHeight = 1 << 17
)

// The kinds of nesting, which are counted separately, as clang counts brackets.
const (
	nestParen = iota
	nestBrack
	nestBrace
	nestStmt
	numNests
)

// A recovery is the cursor with errors: it reports them, bounds the nesting and the height of the tree, remembers how
// much of the code is missing in it, and skips to where parsing can continue. It must not know productions of the
// grammar.
type recovery struct {
	cursor
	src *diag.Source
	rep *diag.Reporter

	nest          [numNests]int
	maxNest       int
	height        int  // of the tallest tree built so far in this declaration
	bad           bool // an error was reported in this statement or declaration
	badToken      int  // index after the token at which the last error was reported
	incomplete    bool // after an error: parts of this statement or declaration are missing
	anyIncomplete bool // File.Incomplete
	broken        bool // File.Broken
	stopped       bool // no further errors are reported
}

// enter counts a level of nesting. At the limit it reports an error, stops the parser and returns false. If enter
// returns true, the caller must call leave.
func (p *recovery) enter(sort int) bool {
	if p.nest[sort] >= p.maxNest {
		if !p.stopped {
			p.errorHere(diag.NestingTooDeep, "bracket nesting level exceeded maximum of %d", p.maxNest)
			p.stop()
		}
		return false
	}
	p.nest[sort]++
	return true
}

func (p *recovery) leave(sort int) { p.nest[sort]-- }

// grow records that the tree under construction became one level taller.
func (p *recovery) grow() {
	p.height++
	if p.height > maxHeight && !p.stopped {
		p.errorHere(diag.NestingTooDeep, "more than %d operators, branches or labels in one chain", maxHeight)
		p.stop()
	}
}

// stop ends parsing: every later token becomes the end of the file.
func (p *recovery) stop() {
	p.stopped = true
	p.i = len(p.toks) - 1
	p.c = token.EOF
}

// errorAt reports an error unless one was already reported at the current token. The result may be nil, which the
// methods of Diagnostic accept.
func (p *recovery) errorAt(c *diag.Code, s diag.Span, format string, args ...any) *diag.Diagnostic {
	p.bad, p.incomplete = true, true
	if p.stopped || p.badToken == p.i+1 {
		return nil
	}
	p.badToken = p.i + 1
	d := p.rep.Report(c, s, format, args...)
	if p.rep.Full() {
		p.stop()
	}
	return d
}

// recovered marks the error just reported as repaired: the tree is complete and needs no
// BadExpr. incomplete is p.incomplete from before the error.
func (p *recovery) recovered(incomplete bool) { p.bad, p.incomplete = false, incomplete }

// errorHere reports an error at the current token.
func (p *recovery) errorHere(c *diag.Code, format string, args ...any) *diag.Diagnostic {
	return p.errorAt(c, p.tok().Span(), format, args...)
}

// afterPrevious returns the empty span after the previous token; for a token from a macro, after the macro's
// invocation.
func (p *recovery) afterPrevious() diag.Span {
	if p.i == 0 {
		return diag.Span{Pos: p.pos(), End: p.pos()}
	}
	end := p.end
	for {
		x, _ := p.src.Expansion(end)
		if x == nil {
			return diag.Span{Pos: end, End: end}
		}
		end = x.Call.End
	}
}

// expect moves past a k or reports that one is missing: "expected 'k' where".
func (p *recovery) expect(k token.Kind, where string) bool {
	if p.accept(k) {
		return true
	}
	if where != "" {
		where = " " + where
	}
	p.unexpected("expected '%s'%s", k, where)
	return false
}

// unexpected reports an error at the current token (at the end of the file, after the last one). If no construct
// begins with the token, the message is about the token itself.
func (p *recovery) unexpected(format string, args ...any) *diag.Diagnostic {
	t := p.tok()
	switch {
	case p.c == token.EOF:
		return p.errorAt(diag.ExpectedToken, p.afterPrevious(), format, args...)
	case p.c == token.Invalid || p.c == token.Hash || p.c == token.HashHash:
		return p.errorHere(diag.StrayToken, "stray '%s' in program", t.Text)
	case p.c == token.Colon && p.peek(1) == token.Colon:
		return p.errorHere(diag.UnsupportedCPlusPlus, "'::' is C++ for OpenCL, which is not supported")
	}
	return p.errorHere(diag.ExpectedToken, format, args...)
}

// semi parses the ";" that ends a statement or a declaration inside a function. After an earlier error it silently
// skips to the end of the statement.
func (p *recovery) semi(what string) {
	switch {
	case p.bad:
		p.skipStmt()
	case p.c == token.Semi:
		p.next()
	case (p.c == token.RParen || p.c == token.RBrack) && p.peek(1) == token.Semi:
		incomplete := p.incomplete
		p.errorHere(diag.ExtraneousParen, "extraneous '%s' before ';'", p.c).Replace(p.tok().Span(), "")
		p.recovered(incomplete)
		p.next()
		p.next()
	default:
		incomplete := p.incomplete
		p.missingSemi(what)
		if p.c != token.RBrace && p.tok().Flags&token.LineStart == 0 && !p.startsStmt() {
			p.skipStmt()
		} else {
			p.recovered(incomplete)
		}
	}
	p.bad = false
}

// missingSemi reports a missing ";" after the previous token.
func (p *recovery) missingSemi(what string) {
	switch {
	case p.c == token.Invalid, p.c == token.Hash, p.c == token.HashHash, p.c == token.Colon && p.peek(1) == token.Colon:
		p.unexpected("expected ';' %s", what)
	default:
		at := p.afterPrevious()
		p.errorAt(diag.ExpectedSemi, at, "expected ';' %s", what).Replace(at, ";")
		p.badToken = 0 // the current token may be wrong as well
	}
}

// closing parses the bracket that matches the token with index open. If it is missing, closing reports that,
// and skips to the bracket if it is in the same statement.
func (p *recovery) closing(open int, k token.Kind) bool {
	if p.accept(k) {
		return true
	}
	o := &p.toks[open]
	if !p.bad {
		p.unexpected("expected '%s'", k).Note(o.Span(), "to match this '%s'", o.Kind)
	}
	p.skipTo(func(c token.Kind) bool { return c == k || c == token.LBrace })
	return p.accept(k)
}

// skipTo skips tokens until stop accepts one at the current level of brackets. It stops before a ";", an unmatched
// closing bracket, or the end of the file.
func (p *recovery) skipTo(stop func(token.Kind) bool) {
	for p.c != token.EOF && !stop(p.c) {
		switch p.c {
		case token.Semi, token.RParen, token.RBrack, token.RBrace:
			return
		case token.LParen, token.LBrack, token.LBrace:
			if !p.skipBalanced() {
				return
			}
		default:
			if p.tok().Flags&token.LineStart != 0 && kindClass[p.c]&clsStmt != 0 {
				return
			}
			p.next()
		}
	}
}

// skipBalanced skips a bracketed sequence that begins at the current token. Outside of braces it stops before a ";"
// or "}", and where a statement or a kernel begins at the start of a line, and returns false.
func (p *recovery) skipBalanced() bool {
	depth, braces := 0, 0
	for p.c != token.EOF {
		switch p.c {
		case token.LParen, token.LBrack:
			depth++
		case token.RParen, token.RBrack:
			depth--
		case token.LBrace:
			depth++
			braces++
		case token.RBrace:
			if braces == 0 {
				return false
			}
			depth--
			braces--
		case token.Semi:
			if braces == 0 {
				return false
			}
		default:
			if p.tok().Flags&token.LineStart != 0 && (p.c == kwKernel || braces == 0 && kindClass[p.c]&clsStmt != 0) {
				return false
			}
		}
		p.next()
		if depth <= 0 {
			return true
		}
	}
	return false
}

// skipStmt skips past the ";" that ends the current statement, or to the "}" or the keyword at a line start that
// must begin the next one.
func (p *recovery) skipStmt() {
	p.skipTo(func(c token.Kind) bool {
		return kindClass[c]&(clsStmt|clsStorage|clsType) != 0 && p.tok().Flags&token.LineStart != 0
	})
	switch p.c {
	case token.Semi, token.RParen, token.RBrack:
		p.next()
	}
	p.bad = false
}

// skipDecl skips the rest of a malformed declaration at file scope.
func (p *recovery) skipDecl() {
	for p.c != token.EOF {
		switch p.c {
		case token.Semi:
			p.next()
			return
		case token.LBrace:
			if !p.skipBalanced() || p.c != token.Semi && p.c != token.Comma {
				return
			}
		case token.LParen, token.LBrack:
			if !p.skipBalanced() && p.c == token.RBrace {
				return
			}
		case token.RBrace, token.Pragma:
			return
		default:
			if p.tok().Flags&token.LineStart != 0 && p.badToken != p.i+1 && kindClass[p.c]&(clsStorage|clsTypeSpec|clsWord) != 0 {
				return
			}
			p.next()
		}
	}
}

// badExpr returns a placeholder at the current token.
func (p *recovery) badExpr() Expr { return &BadExpr{node: node{p.tok().Span()}} }

// cplusplusWords begin declarations of C++ that C does not have.
var cplusplusWords = map[string]bool{"template": true, "class": true, "namespace": true, "using": true, "constexpr": true,
	"virtual": true, "public": true, "protected": true, "typename": true, "operator": true, "friend": true, "explicit": true,
	"mutable": true, "decltype": true, "__auto_type": true}

// unknownType reports that the identifier at the current token is not a type's name. It returns false, and sets
// p.bad, if the declaration would be invalid with any type.
func (p *recovery) unknownType() bool {
	t := p.tok()
	if cplusplusWords[t.Text] {
		p.errorHere(diag.UnsupportedCPlusPlus, "'%s' is C++ for OpenCL, which is not supported", t.Text)
		return false
	}
	if p.stopped || p.badToken == p.i+1 {
		p.bad = true
		return false
	}
	was, incomplete := p.bad, p.incomplete
	if near, ok := diag.Nearest(t.Text, p.types()); ok {
		p.errorHere(diag.UnknownType, "unknown type name '%s'; did you mean '%s'?", t.Text, near).Replace(t.Span(), near)
	} else {
		p.errorHere(diag.UnknownType, "unknown type name '%s'", t.Text)
	}
	p.bad, p.incomplete = was, incomplete
	return true
}

// expectedExpr reports that no expression begins at the current token.
func (p *recovery) expectedExpr() {
	switch p.c {
	case token.EOF:
		p.errorAt(diag.ExpectedExpr, p.afterPrevious(), "expected expression")
		return
	case token.Invalid, token.Hash, token.HashHash, token.Colon:
		if p.c != token.Colon || p.peek(1) == token.Colon {
			p.unexpected("expected expression")
			if p.c != token.Colon {
				p.next()
			}
			return
		}
	}
	p.errorHere(diag.ExpectedExpr, "expected expression")
}
