package syntax

import "github.com/purecl/purecl/internal/front/token"

// precOf returns the precedence of x's outermost operator.
func precOf(x Expr) int {
	switch x := x.(type) {
	case *Binary:
		if x.Op == token.Comma {
			return precComma
		}
		return precBinary + int(binaryPrec[x.Op])
	case *AssignExpr:
		return precAssign
	case *Cond:
		return precCond
	case *Unary, *TypeOp:
		return precUnary
	case *Cast:
		if x.VectorLit {
			return precPostfix
		}
		return precUnary
	case *Postfix, *Call, *Index, *Member, *CompoundLit:
		return precPostfix
	}
	return precPrimary
}

// expr prints x, in parentheses if its precedence is below least.
func (p *printer) expr(x Expr, least int) {
	prec := precOf(x)
	if prec < least {
		p.s("(")
		p.expr(x, precComma)
		p.s(")")
		return
	}
	switch x := x.(type) {
	case *Binary:
		p.expr(x.X, prec)
		p.s(" ", x.Op.String(), " ")
		p.expr(x.Y, prec+1)
	case *AssignExpr:
		p.expr(x.X, precCond)
		p.s(" ", x.Op.String(), " ")
		p.expr(x.Y, precAssign)
	case *Cond:
		p.cond(x)
	case *Unary:
		p.s(x.Op.String())
		if y, ok := x.X.(*Unary); ok && (y.Op == x.Op || sameStart(y.Op, x.Op)) {
			p.s(" ") // - -x, & &x, + ++x
		}
		p.expr(x.X, precUnary)
	case *TypeOp:
		p.typeOp(x)
	case *Cast:
		p.s("(")
		p.typeName(x.Type)
		p.s(")")
		if x.VectorLit {
			p.expr(x.X, precPrimary)
		} else {
			p.castOperand(x)
		}
	default:
		p.postfixExpr(x)
	}
}

func sameStart(a, b token.Kind) bool { return a.String()[0] == b.String()[0] }

func (p *printer) cond(x *Cond) {
	p.expr(x.C, precBinary)
	p.s(" ?")
	if x.X != nil {
		p.s(" ")
		p.expr(x.X, precComma)
	}
	p.s(" : ")
	p.expr(x.Y, precCond)
}

// castOperand prints the operand of a cast. Parentheses around a postfix expression distinguish (float4)((a)).x
// from the literal's component.
func (p *printer) castOperand(x *Cast) {
	_, paren := x.X.(*Paren)
	if x.Type.isVector() && !paren && leftmostParen(x.X) {
		p.s("(")
		p.expr(x.X, precComma)
		p.s(")")
		return
	}
	p.expr(x.X, precUnary)
}

// leftmostParen reports whether x is a chain of postfix operators on a parenthesis.
func leftmostParen(x Expr) bool {
	switch x := leftmost(x).(type) {
	case *Paren, *StmtExpr:
		return true
	default:
		return precOf(x) < precPostfix
	}
}

// leftmost returns the first operand of a chain of postfix operators.
func leftmost(x Expr) Expr {
	for {
		switch y := x.(type) {
		case *Postfix:
			x = y.X
		case *Call:
			x = y.Fun
		case *Index:
			x = y.X
		case *Member:
			x = y.X
		default:
			return x
		}
	}
}

func (p *printer) typeOp(x *TypeOp) {
	op := x.Op
	if op == "alignof" {
		op = "_Alignof"
	}
	p.s(op)
	if x.Type != nil {
		p.s("(")
		p.typeName(x.Type)
		p.s(")")
		return
	}
	p.s(" ")
	if startsWithType(x.X) {
		p.s("(")
		p.expr(x.X, precComma)
		p.s(")")
		return
	}
	p.expr(x.X, precUnary)
}

// startsWithType reports whether x begins with a parenthesised type, except a compound literal's: sizeof would take
// it as its operand.
func startsWithType(x Expr) bool {
	_, cast := leftmost(x).(*Cast)
	return cast
}

func (p *printer) postfixExpr(x Expr) {
	switch x := x.(type) {
	case *Postfix:
		p.expr(x.X, precPostfix)
		p.s(x.Op.String())
	case *Call:
		p.expr(x.Fun, precPostfix)
		p.s("(")
		for i, a := range x.Args {
			if i > 0 {
				p.s(", ")
			}
			p.expr(a, precAssign)
		}
		p.s(")")
	case *Index:
		p.expr(x.X, precPostfix)
		p.s("[")
		p.expr(x.I, precComma)
		p.s("]")
	case *Member:
		if _, number := x.X.(*NumberLit); number {
			p.s("(")
			p.expr(x.X, precComma)
			p.s(")")
		} else {
			p.expr(x.X, precPostfix)
		}
		if x.Arrow {
			p.s("->", x.Name)
		} else {
			p.s(".", x.Name)
		}
	case *CompoundLit:
		p.s("(")
		p.typeName(x.Type)
		p.s(")")
		p.initList(x.Init)
	default:
		p.primary(x)
	}
}

func (p *printer) primary(x Expr) {
	switch x := x.(type) {
	case *Name:
		p.s(x.Name)
	case *NumberLit:
		p.s(x.Text)
	case *CharConst:
		p.s(x.Text)
	case *StringLit:
		for i := range x.Parts {
			if i > 0 {
				p.s(" ")
			}
			p.s(x.Parts[i].Text)
		}
	case *Paren:
		p.s("(")
		p.expr(x.X, precComma)
		p.s(")")
	case *InitList:
		p.initList(x)
	case *StmtExpr:
		p.s("(")
		p.stmt(x.Body)
		p.s(")")
	case *Offsetof:
		p.s("__builtin_offsetof(")
		p.typeName(x.Type)
		p.s(", ")
		p.expr(x.Path, precPostfix)
		p.s(")")
	case *BuiltinAsType:
		p.s("__builtin_astype(")
		p.expr(x.X, precAssign)
		p.s(", ")
		p.typeName(x.Type)
		p.s(")")
	case *BadExpr:
		p.s("<bad expression>")
	}
}

func (p *printer) initList(l *InitList) {
	p.s("{")
	for i, it := range l.Items {
		if i > 0 {
			p.s(", ")
		}
		for _, d := range it.Desig {
			if d.Index == nil {
				p.s(".", d.Name)
				continue
			}
			p.s("[")
			p.expr(d.Index, precCond)
			if d.Hi != nil {
				p.s(" ... ")
				p.expr(d.Hi, precCond)
			}
			p.s("]")
		}
		if len(it.Desig) > 0 {
			p.s(" = ")
		}
		p.expr(it.Value, precAssign)
	}
	p.s("}")
}
