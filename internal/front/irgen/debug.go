package irgen

import (
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// debugFunc begins what a debugger wants to know of f: with Options.Debug alone. Every variable has
// memory then, so that a debugger finds it there.
func (g *generator) debugFunc(f *check.Func, sf *ssa.Func) {
	if !g.opts.Debug {
		return
	}
	span := g.m.Source.FileSpan(diag.Span{Pos: f.Span.Pos, End: f.Body.S.End})
	sf.Debug = &ssa.DebugInfo{Name: f.Name, File: g.m.Source.Location(span.Pos).File, Range: g.between(span)}
	g.scope = f.Body.S
	for _, v := range g.statics[f] {
		d := v.Data.(*ssa.Global)
		sf.Debug.Vars = append(sf.Debug.Vars, ssa.DebugVar{Name: v.Name, Type: g.spelling(v.Type.Type), Global: d, Scope: g.from(v.Span.End), Data: v.Type})
	}
}

// lineColumn is a position as debug information has it.
func (g *generator) lineColumn(p diag.Pos) ssa.LineColumn {
	loc := g.m.Source.Location(p)
	return ssa.LineColumn{Line: loc.Line, Column: loc.Column}
}

func (g *generator) between(s diag.Span) ssa.Range {
	s = g.m.Source.FileSpan(s)
	return ssa.Range{From: g.lineColumn(s.Pos), To: g.lineColumn(s.End)}
}

// from returns the rest of the scope at hand from a position on.
func (g *generator) from(p diag.Pos) ssa.Range {
	scope := g.between(g.scope)
	if at := g.lineColumn(p); scope.Contains(at) {
		scope.From = at
	}
	return scope
}

// debugVar records an automatic variable that is in sight from a position on.
func (g *generator) debugVar(v *check.Var, from diag.Pos) {
	if d := g.F.Debug; d != nil && v.Name != "" {
		d.Vars = append(d.Vars, ssa.DebugVar{Name: v.Name, Type: g.spelling(v.Type.Type), Value: g.variable(v), Scope: g.from(from), Data: v.Type})
	}
}

// statement records a statement or condition.
func (g *generator) statement(s diag.Span) {
	if d := g.F.Debug; d != nil && s.IsValid() {
		d.Statements = append(d.Statements, g.between(s))
	}
}

// scoped runs do, whose variables are in sight within s.
func (g *generator) scoped(s diag.Span, do func()) {
	outer := g.scope
	g.scope = s
	do()
	g.scope = outer
}

// declaration returns where a variable's name and initializer stand.
func declaration(s *check.VarStmt) diag.Span {
	span := s.S
	if init := s.Var.Init; init != nil && init.Span().End > span.End {
		span.End = init.Span().End
	}
	return span
}
