package irgen

import (
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A recorder collects debug information about functions; nil, without Options.Debug, collects nothing. With a
// recorder every variable has memory, in which a debugger finds it.
type recorder struct {
	src      *diag.Source
	spelling func(*types.Type) string
	statics  map[*check.Func][]*check.Var // variables of functions that are globals
	info     *ssa.DebugInfo               // of the current function
	scope    diag.Span                    // of the innermost block
}

func newRecorder(u *unit, p *check.Program) *recorder {
	r := &recorder{src: p.Source, spelling: u.spelling, statics: map[*check.Func][]*check.Var{}}
	for _, v := range p.Globals {
		if v.Func != nil && v.Name != "" {
			r.statics[v.Func] = append(r.statics[v.Func], v)
		}
	}
	return r
}

// function begins a function.
func (r *recorder) function(f *check.Func, sf *ssa.Func) {
	if r == nil {
		return
	}
	span := r.src.FileSpan(diag.Span{Pos: f.Span.Pos, End: f.Body.S.End})
	r.info = &ssa.DebugInfo{Name: f.Name, File: r.src.Location(span.Pos).File, Range: r.between(span)}
	r.scope = f.Body.S
	sf.Debug = r.info
	for _, v := range r.statics[f] {
		r.info.Vars = append(r.info.Vars, ssa.DebugVar{Name: v.Name, Type: r.spelling(v.Type.Type), Global: v.Data.(*ssa.Global), Scope: r.from(v.Span.End), Data: v.Type})
	}
}

// place returns a position in the form of debug information.
func (r *recorder) place(p diag.Pos) ssa.LineColumn {
	loc := r.src.Location(p)
	return ssa.LineColumn{Line: loc.Line, Column: loc.Column}
}

func (r *recorder) between(s diag.Span) ssa.Range {
	s = r.src.FileSpan(s)
	return ssa.Range{From: r.place(s.Pos), To: r.place(s.End)}
}

// from returns the rest of the current scope from a position on.
func (r *recorder) from(p diag.Pos) ssa.Range {
	scope := r.between(r.scope)
	if at := r.place(p); scope.Contains(at) {
		scope.From = at
	}
	return scope
}

// enter begins a scope and returns the enclosing one, which must be passed to leave.
func (r *recorder) enter(s diag.Span) (outer diag.Span) {
	if r == nil {
		return s
	}
	outer, r.scope = r.scope, s
	return outer
}

func (r *recorder) leave(outer diag.Span) {
	if r != nil {
		r.scope = outer
	}
}

// variable records an automatic variable at an address, which is visible from a position on.
func (r *recorder) variable(v *check.Var, at *ssa.Value, from diag.Pos) {
	if v.Name != "" {
		r.info.Vars = append(r.info.Vars, ssa.DebugVar{Name: v.Name, Type: r.spelling(v.Type.Type), Value: at, Scope: r.from(from), Data: v.Type})
	}
}

// simple records a statement that contains no statements.
func (r *recorder) simple(s check.Stmt) {
	if r == nil {
		return
	}
	switch x := s.(type) {
	case *check.ExprStmt, *check.Return, *check.Goto, *check.Break, *check.Continue:
		r.statement(s.Span())
	case *check.VarStmt:
		span := x.S
		if init := x.Var.Init; init != nil && init.Span().End > span.End {
			span.End = init.Span().End
		}
		r.statement(span)
	}
}

// statement records a statement or condition.
func (r *recorder) statement(s diag.Span) {
	if r != nil && s.IsValid() {
		r.info.Statements = append(r.info.Statements, r.between(s))
	}
}
