package check

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
)

// uninitialized warns of reads of automatic variables that no path to the read has assigned. It skips functions
// with labels, whose control flow is not a tree.
func (c *warnings) uninitialized(f *funcInfo) {
	if !c.rep.Wants(diag.Uninitialized) || len(f.body.labelList) > 0 {
		return
	}
	u := uninit{c: c, unset: map[*Var]bool{}}
	u.stmt(f.Body)
}

// An uninit walks a function in the order of execution. unset holds the variables that have no value at this point
// on any path.
type uninit struct {
	c     *warnings
	unset map[*Var]bool
}

func clone(m map[*Var]bool) map[*Var]bool {
	n := make(map[*Var]bool, len(m))
	for v := range m {
		n[v] = true
	}
	return n
}

// meet returns the variables that are unset on both paths.
func meet(a, b map[*Var]bool) map[*Var]bool {
	for v := range a {
		if !b[v] {
			delete(a, v)
		}
	}
	return a
}

func (u *uninit) stmts(list []Stmt) {
	for _, s := range list {
		u.stmt(s)
	}
}

func (u *uninit) stmt(s Stmt) {
	switch s := s.(type) {
	case *Block:
		u.stmts(s.List)
	case *VarStmt:
		t := s.Var.Type
		if s.Var.Init != nil {
			u.expr(s.Var.Init)
			delete(u.unset, s.Var)
		} else if t.IsScalar() || t.IsVector() {
			u.unset[s.Var] = true
		}
	case *ExprStmt:
		u.expr(s.X)
	case *If:
		u.expr(s.Cond)
		before := clone(u.unset)
		u.stmt(s.Then)
		then := u.unset
		u.unset = before
		if s.Else != nil {
			u.stmt(s.Else)
		}
		u.unset = meet(u.unset, then)
	case *Loop:
		u.loop(s)
	case *Switch:
		u.expr(s.X)
		before := clone(u.unset)
		u.branch(s.Body, before)
		u.unset = meet(u.unset, before)
	case *Case:
		u.stmt(s.Body)
	case *Return:
		u.expr(s.X)
	}
}

// branch walks a switch body: the switch may enter at each case.
func (u *uninit) branch(s Stmt, entry map[*Var]bool) {
	b, ok := s.(*Block)
	if !ok {
		u.stmt(s)
		return
	}
	for _, s := range b.List {
		if _, ok := s.(*Case); ok {
			u.unset = meet(u.unset, entry)
		}
		u.stmt(s)
	}
}

// loop walks the body once and warns of reads in the first iteration.
func (u *uninit) loop(s *Loop) {
	u.stmts(s.Init)
	if !s.Do {
		u.expr(s.Cond)
	}
	before := clone(u.unset)
	u.stmt(s.Body)
	u.expr(s.Post)
	if s.Do {
		u.expr(s.Cond)
		return
	}
	u.unset = meet(u.unset, before)
}

// set marks the variable that contains e as assigned.
func (u *uninit) set(e Expr) {
	switch e := e.(type) {
	case *VarRef:
		delete(u.unset, e.Var)
	case *Member:
		u.set(e.X)
	case *Swizzle:
		u.set(e.X)
	case *VecIndex:
		u.expr(e.I)
		u.set(e.X)
	case *Deref:
		u.expr(e.X)
	}
}

func (u *uninit) exprs(list ...Expr) {
	for _, e := range list {
		u.expr(e)
	}
}

func (u *uninit) expr(e Expr) {
	switch e := e.(type) {
	case nil, *Const, *StringConst:
	case *VarRef:
		if u.unset[e.Var] {
			u.c.rep.Report(diag.Uninitialized, e.S, "variable '%s' is uninitialized when used here", e.Var.Name).
				Note(e.Var.Span, "'%s' is declared here", e.Var.Name)
			delete(u.unset, e.Var)
		}
	case *AddrOf:
		u.set(e.X)
	case *Decay:
		u.set(e.X)
	case *Assign:
		u.expr(e.X)
		u.set(e.L)
	case *CompoundAssign:
		u.exprs(e.L, e.Y)
		u.set(e.L)
	case *IncDec:
		u.expr(e.L)
		u.set(e.L)
	case *Logical:
		u.expr(e.X)
		before := clone(u.unset)
		u.expr(e.Y)
		if e.T.Kind == types.Vector {
			return
		}
		u.unset = meet(before, u.unset)
		// Variables that Y assigns are assigned on one path only: they count as assigned from here on.
	case *Cond:
		u.expr(e.C)
		before := clone(u.unset)
		u.expr(e.X)
		x := u.unset
		u.unset = before
		u.expr(e.Y)
		u.unset = meet(u.unset, x)
	case *StmtExpr:
		u.stmt(e.Body)
		u.expr(e.Value)
	case *InitList:
		for i := range e.Items {
			u.expr(e.Items[i].Value)
		}
	case *CompoundLit:
		u.expr(e.Var.Init)
	case *VectorLit:
		u.exprs(e.Elems...)
	case *Call:
		u.exprs(e.Args...)
	case *BuiltinCall:
		u.exprs(e.Args...)
	default:
		u.exprs(operands(e)...)
	}
}

// operands returns the operands of an operator or conversion.
func operands(e Expr) []Expr {
	switch e := e.(type) {
	case *Deref:
		return []Expr{e.X}
	case *Member:
		return []Expr{e.X}
	case *Swizzle:
		return []Expr{e.X}
	case *VecIndex:
		return []Expr{e.X, e.I}
	case *Load:
		return []Expr{e.X}
	case *Decay:
		return []Expr{e.X}
	case *AddrOf:
		return []Expr{e.X}
	case *PtrAdd:
		return []Expr{e.X, e.I}
	case *PtrDiff:
		return []Expr{e.X, e.Y}
	case *Convert:
		return []Expr{e.X}
	case *Splat:
		return []Expr{e.X}
	case *Bitcast:
		return []Expr{e.X}
	case *SpaceCast:
		return []Expr{e.X}
	case *ToVoid:
		return []Expr{e.X}
	case *Unary:
		return []Expr{e.X}
	case *Binary:
		return []Expr{e.X, e.Y}
	case *Compare:
		return []Expr{e.X, e.Y}
	case *LNot:
		return []Expr{e.X}
	case *VecSelect:
		return []Expr{e.C, e.X, e.Y}
	case *Comma:
		return []Expr{e.X, e.Y}
	}
	return nil
}
