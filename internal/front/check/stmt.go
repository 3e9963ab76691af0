package check

import (
	"slices"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// blockItems checks the statements of a block. ends reports whether control can reach
// its end.
func (c *checker) blockItems(list []syntax.Stmt) (out []Stmt, ends bool) {
	mark := c.slabs.stmts.Mark()
	contract := c.contract
	ends = true
	warned := false
	for _, s := range list {
		if c.rep.Full() {
			break
		}
		if !ends && !warned && !isTarget(s) {
			c.rep.Report(diag.UnreachableCode, s.Span(), "code will never be executed")
			warned = true
		}
		end := c.stmt(s)
		ends = end && (ends || reenters(s))
	}
	c.contract = contract
	return c.slabs.stmts.Cut(mark), ends
}

// isTarget reports whether control can reach a statement other than from above, or the statement does nothing by
// itself.
func isTarget(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.Label, *syntax.Case, *syntax.DeclStmt, *syntax.Empty:
		return true
	case *syntax.Attributed:
		return isTarget(s.Body)
	}
	return reenters(s)
}

// reenters reports whether control can enter the statement s through a label in it.
func reenters(s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.Label, *syntax.Case:
		return true
	case *syntax.Attributed:
		return reenters(s.Body)
	case *syntax.Block:
		return slices.ContainsFunc(s.List, reenters)
	case *syntax.If:
		return reenters(s.Then) || s.Else != nil && reenters(s.Else)
	case *syntax.For:
		return reenters(s.Body)
	case *syntax.While:
		return reenters(s.Body)
	case *syntax.Do:
		return reenters(s.Body)
	}
	return false
}

// sub checks a substatement and returns it as one statement.
func (c *checker) sub(s syntax.Stmt) (Stmt, bool) {
	mark := c.slabs.stmts.Mark()
	ends := c.stmt(s)
	list := c.slabs.stmts.Since(mark)
	defer c.slabs.stmts.Drop(mark)
	if len(list) == 1 {
		if _, ok := list[0].(*VarStmt); !ok {
			return list[0], ends
		}
	}
	return c.mkBlock(s.Span(), c.slabs.stmts.Keep(list)), ends
}

// stmt checks a statement and emits its translation. It reports whether control can continue after it.
func (c *checker) stmt(s syntax.Stmt) bool {
	if !c.enter(s) {
		c.leave()
		c.fn.body.failed = true
		return true
	}
	ends := c.statement(s)
	c.leave()
	return ends
}

func (c *checker) statement(s syntax.Stmt) bool {
	base := StmtBase{s.Span()}
	switch s := s.(type) {
	case *syntax.ExprStmt:
		c.exprStmt(s)
	case *syntax.DeclStmt:
		c.declStmt(s)
	case *syntax.BadStmt:
		c.fn.body.failed, c.fn.body.incomplete = true, true
		if c.info != nil && s.Rest != nil {
			return c.stmt(s.Rest)
		}
	case *syntax.Block:
		c.push()
		list, ends := c.blockItems(s.List)
		c.pop()
		c.emit(c.mkBlock(base.S, list))
		return ends
	case *syntax.If:
		return c.ifStmt(s)
	case *syntax.For:
		return c.forStmt(s)
	case *syntax.While:
		return c.whileStmt(s)
	case *syntax.Do:
		return c.doStmt(s)
	case *syntax.Switch:
		return c.switchStmt(s)
	case *syntax.Case:
		return c.caseStmt(s)
	case *syntax.Label:
		return c.labelStmt(s)
	case *syntax.Attributed:
		c.attributes(s.Attrs, onStmt)
		return c.stmt(s.Body)
	case *syntax.Goto:
		if s.Name == "" { // a syntax error
			c.fn.body.failed = true
			return false
		}
		l := c.label(s.Name, s.NameSpan)
		l.label.Used = true
		c.info.label(l.label, s.NameSpan, false)
		c.emit(&Goto{base, l.label})
		return false
	case *syntax.Break:
		if c.fn.body.jump == nil {
			c.err(diag.StrayJump, s.Span(), "'break' statement not in loop or switch statement")
			return true
		}
		c.fn.body.jump.broken = true
		c.emit(&Break{base})
		return false
	case *syntax.Continue:
		if c.fn.body.loops == 0 {
			c.err(diag.StrayJump, s.Span(), "'continue' statement not in loop statement")
			return true
		}
		c.emit(&Continue{base})
		return false
	case *syntax.Return:
		c.returnStmt(s)
		return false
	}
	return true
}

func (c *checker) exprStmt(s *syntax.ExprStmt) {
	e := c.expr(s.X)
	if isBad(e) {
		return
	}
	if e.Type().Kind == types.Func {
		c.rvalue(e)
		return
	}
	c.unusedValue(e, s.X)
	n := c.slabs.exprStmt.New()
	n.S, n.X = s.Span(), c.discarded(e)
	c.emit(n)
}

func (c *checker) declStmt(s *syntax.DeclStmt) {
	if d, ok := s.Decl.(*syntax.FuncDecl); ok {
		c.err(diag.NestedFunction, d.Span(), "function definition is not allowed here")
		return
	}
	c.declaration(s.Decl)
}

// condition checks a controlling expression: a scalar, converted to bool.
func (c *checker) condition(x syntax.Expr) Expr {
	e := c.unatomic(c.value(x))
	if isBad(e) {
		return e
	}
	if !e.Type().IsScalar() {
		d := c.err(diag.ConditionType, x.Span(), "statement requires expression of scalar type ('%s' invalid)", e.Type().Unqualified())
		if e.Type().IsVector() {
			d.Note(diag.Span{}, "use any() or all() to reduce a vector to one condition")
		}
		return c.badExpr(x.Span())
	}
	c.warnAssignCondition(x)
	return c.toBool(e)
}

// constantCond returns 1 if the condition is known to be true, 0 if it is known to be false, else -1.
func constantCond(e Expr) int {
	if e == nil {
		return 1
	}
	if k, ok := e.(*Const); ok {
		return int(k.Bits[0] & 1)
	}
	return -1
}

func (c *checker) ifStmt(s *syntax.If) bool {
	cond := c.condition(s.Cond)
	c.warnEmptyBody(s.Then, s.Cond, "if")
	c.push()
	then, thenEnds := c.sub(s.Then)
	c.pop()
	var els Stmt
	elseEnds := true
	if s.Else != nil {
		c.push()
		els, elseEnds = c.sub(s.Else)
		c.pop()
	}
	n := c.slabs.ifStmt.New()
	n.S, n.Cond, n.Then, n.Else = s.Span(), cond, then, els
	c.emit(n)
	switch constantCond(cond) {
	case 1:
		return thenEnds
	case 0:
		return elseEnds
	}
	return thenEnds || elseEnds
}

// loopBody checks a loop's body and reports whether a break leaves the loop.
func (c *checker) loopBody(s syntax.Stmt) (body Stmt, broken bool) {
	j := jumpScope{outer: c.fn.body.jump}
	c.fn.body.jump = &j
	c.fn.body.loops++
	c.push()
	body, _ = c.sub(s)
	c.pop()
	c.fn.body.loops--
	c.fn.body.jump = j.outer
	return body, j.broken
}

func (c *checker) forStmt(s *syntax.For) bool {
	c.push()
	defer c.pop()
	mark := c.slabs.stmts.Mark()
	if s.Init != nil {
		c.stmt(s.Init)
	}
	l := c.slabs.loop.New()
	l.S, l.Unroll = s.Span(), c.loopHints(s.Attrs)
	l.Init = c.slabs.stmts.Cut(mark)
	if s.Cond != nil {
		l.Cond = c.condition(s.Cond)
	}
	if s.Post != nil {
		e := c.expr(s.Post)
		if !isBad(e) {
			if e.Type().Kind != types.Func {
				c.unusedValue(e, s.Post)
			}
			l.Post = c.discarded(e)
		}
	}
	c.warnEmptyBody(s.Body, nil, "for")
	var broken bool
	l.Body, broken = c.loopBody(s.Body)
	c.emit(l)
	return broken || constantCond(l.Cond) != 1
}

func (c *checker) whileStmt(s *syntax.While) bool {
	l := &Loop{StmtBase: StmtBase{s.Span()}, Unroll: c.loopHints(s.Attrs)}
	l.Cond = c.condition(s.Cond)
	c.warnEmptyBody(s.Body, s.Cond, "while")
	var broken bool
	l.Body, broken = c.loopBody(s.Body)
	c.emit(l)
	return broken || constantCond(l.Cond) != 1
}

func (c *checker) doStmt(s *syntax.Do) bool {
	l := &Loop{StmtBase: StmtBase{s.Span()}, Do: true, Unroll: c.loopHints(s.Attrs)}
	var broken bool
	l.Body, broken = c.loopBody(s.Body)
	l.Cond = c.condition(s.Cond)
	c.emit(l)
	return broken || constantCond(l.Cond) != 1
}

// switchStmt checks switch (C99 6.8.4.2).
func (c *checker) switchStmt(s *syntax.Switch) bool {
	x := c.unatomic(c.value(s.X))
	t := types.ScalarType(types.Int)
	if !isBad(x) {
		if !x.Type().IsInteger() {
			c.err(diag.ConditionType, s.X.Span(), "statement requires expression of integer type ('%s' invalid)", x.Type().Unqualified())
			c.fn.body.failed = true
		} else {
			x = c.promote(x)
			t = x.Type().Type
		}
	}
	st := switchState{outer: c.fn.body.sw, kind: t, stmt: &Switch{StmtBase: StmtBase{s.Span()}, X: x}}
	j := jumpScope{outer: c.fn.body.jump}
	c.fn.body.sw, c.fn.body.jump = &st, &j
	c.push()
	body, ends := c.sub(s.Body)
	c.pop()
	c.fn.body.sw, c.fn.body.jump = st.outer, j.outer
	st.stmt.Body = body
	c.duplicateCases(st.stmt, t)
	c.emit(st.stmt)
	return ends || j.broken || st.stmt.Default == nil
}

// duplicateCases reports case labels with a common value.
func (c *checker) duplicateCases(s *Switch, t *types.Type) {
	if len(s.Cases) < 2 {
		return
	}
	k := t.Num()
	list := slices.Clone(s.Cases)
	cmp := func(a, b uint64) int {
		switch {
		case a == b:
			return 0
		case foldCompare(Lt, k, a, b):
			return -1
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b *Case) int { return cmp(a.Lo, b.Lo) })
	last := list[0]
	for _, x := range list[1:] {
		if cmp(x.Lo, last.Hi) <= 0 {
			first, second := last, x
			if first.S.Pos > second.S.Pos {
				first, second = second, first
			}
			c.err(diag.DuplicateCase, second.S, "duplicate case value '%s'", spellConst(k, x.Lo)).Note(first.S, "previous case defined here")
		}
		if cmp(x.Hi, last.Hi) > 0 {
			last = x
		}
	}
}

func (c *checker) caseStmt(s *syntax.Case) bool {
	st := c.fn.body.sw
	if st == nil {
		word := "case"
		if s.Lo == nil {
			word = "default"
		}
		c.err(diag.StrayJump, s.Span(), "'%s' statement not in switch statement", word)
		return c.stmt(s.Body)
	}
	n := &Case{StmtBase: StmtBase{s.Span()}, Default: s.Lo == nil}
	if s.Lo == nil {
		// The label's position is its first token.
		at := diag.Span{Pos: s.Span().Pos, End: s.Span().Pos + diag.Pos(len("default"))}
		if st.stmt.Default != nil {
			c.err(diag.DuplicateCase, at, "multiple default labels in one switch").Note(st.def, "previous default label is here")
		}
		st.stmt.Default, st.def = n, at
	} else {
		n.S = s.Lo.Span()
		lo, ok := c.caseValue(s.Lo, st.kind)
		hi, ok2 := lo, true
		if s.Hi != nil {
			hi, ok2 = c.caseValue(s.Hi, st.kind)
		}
		if ok && ok2 {
			n.Lo, n.Hi = lo, hi
			if foldCompare(Lt, st.kind.Num(), hi, lo) {
				c.rep.Report(diag.EmptyCaseRange, s.Lo.Span(), "empty case range specified")
			} else {
				st.stmt.Cases = append(st.stmt.Cases, n)
			}
		} else {
			c.fn.body.failed = true
		}
	}
	body, ends := c.sub(s.Body)
	n.Body = body
	c.emit(n)
	return ends
}

// caseValue evaluates a case label, converted to the type of the switch.
func (c *checker) caseValue(x syntax.Expr, t *types.Type) (uint64, bool) {
	e := c.value(x)
	if isBad(e) {
		return 0, false
	}
	k, why := c.constant(e)
	if k == nil || !e.Type().IsInteger() {
		d := c.err(diag.NotConstant, x.Span(), "expression is not an integer constant expression")
		if why.text != "" {
			d.Note(why.span, "%s", why.text)
		}
		return 0, false
	}
	from := k.T.Num()
	v := numeric.ConvertBits(t.Num(), false, numeric.RoundDefault, from, k.Bits[0])
	if back := numeric.ConvertBits(from, false, numeric.RoundDefault, t.Num(), v); back != k.Bits[0] {
		c.rep.Report(diag.SwitchOverflow, x.Span(), "overflow converting case value to switch condition type (%s to %s)", spellConst(from, k.Bits[0]), spellConst(t.Num(), v))
	}
	return v, true
}

func (c *checker) labelStmt(s *syntax.Label) bool {
	l := c.label(s.Name, s.NameSpan)
	if l.defined {
		c.err(diag.Redefinition, s.NameSpan, "redefinition of label '%s'", s.Name).Note(l.label.S, "previous definition is here")
		return c.stmt(s.Body)
	}
	l.defined = true
	l.label.S = s.NameSpan
	c.info.label(l.label, s.NameSpan, true)
	body, ends := c.sub(s.Body)
	l.label.Body = body
	c.emit(l.label)
	return ends
}

func (c *checker) returnStmt(s *syntax.Return) {
	c.fn.body.returns = true
	want := c.fn.Type.Elem
	n := &Return{StmtBase: StmtBase{s.Span()}}
	switch {
	case s.X == nil:
		if !want.IsVoid() && !want.IsInvalid() {
			c.err(diag.ReturnMismatch, s.Span(), "non-void function '%s' should return a value", c.fn.Name)
		}
	default:
		e := c.value(s.X)
		switch {
		case isBad(e) || want.IsInvalid():
			return
		case want.IsVoid():
			if !e.Type().IsVoid() {
				c.err(diag.ReturnMismatch, s.X.Span(), "void function '%s' should not return a value", c.fn.Name)
				return
			}
			c.emit(&ExprStmt{StmtBase{s.Span()}, e})
		default:
			if n.X = c.assign(e, want, returning); isBad(n.X) {
				return
			}
			c.warnReturnAddress(n.X)
		}
	}
	c.emit(n)
}

// stmtExpr checks the GNU ({ … }).
func (c *checker) stmtExpr(n *syntax.StmtExpr) Expr {
	s := n.Span()
	if c.fn == nil {
		c.err(diag.InvalidInitializer, s, "statement expression not allowed at file scope")
		return c.badExpr(s)
	}
	before := c.rep.Errors
	c.push()
	body := n.Body.List
	var value Expr
	var last *syntax.ExprStmt
	if len(body) > 0 {
		if x, ok := body[len(body)-1].(*syntax.ExprStmt); ok {
			last, body = x, body[:len(body)-1]
		}
	}
	list, _ := c.blockItems(body)
	t := types.Q(types.VoidType)
	if last != nil {
		value = c.value(last.X)
		t = value.Type().Unqualified()
	}
	c.pop()
	if c.rep.Errors > before && (value == nil || isBad(value)) {
		return c.badExpr(s)
	}
	return &StmtExpr{Base{t, s}, &Block{StmtBase{s}, list}, value}
}
