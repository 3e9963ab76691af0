package irgen

import (
	"slices"

	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// An Expression is an expression of the program that becomes a separate kernel, so that a debugger can evaluate it.
type Expression struct {
	X check.Expr // neither void nor a function

	// Generate sets:
	Func  *ssa.Func    // a kernel: its parameters are the result's address, then the addresses of the variables
	Vars  []*check.Var // automatic variables and parameters that it uses
	Type  types.QType
	Place bool  // the result is the address of an object of the type
	Size  int64 // of the result
}

// ExpressionName is the name of an expression's kernel.
const ExpressionName = "<expression>"

// expression creates the kernel of e, after all functions have been translated.
func (g *generator) expression(e *Expression) {
	f := g.newFunc(ExpressionName, ssa.TVoid, 1)
	f.Kernel = &ssa.Kernel{Args: []ssa.KernelArg{{Name: "result", Kind: ssa.ArgGlobal}}}
	e.Func, e.Type = f, e.X.Type()
	to := g.param(f, ssa.Scalar(ssa.PtrGlobal), e.X.Span().Pos)
	g.enter(&check.Func{}, f)
	g.outer = e
	t := e.Type.Type
	if p, ok := g.addressed(e.X); ok {
		e.Place, e.Size = true, 8
		g.Store(to, g.addr(&p), 8)
	} else if v := g.value(e.X); isRecord(t) {
		e.Size = t.Size()
		g.memCopy(to, v, e.Size, false)
	} else {
		e.Size = max(t.Size(), 1)
		g.Store(to, v, t.Align())
	}
	g.Return(nil)
	g.outer = nil
	g.leave()
}

// addressed returns the place of an l-value that is a whole object in memory.
func (ev *evaluator) addressed(e check.Expr) (place, bool) {
	for x := e; ; {
		switch y := x.(type) {
		case *check.VarRef, *check.Deref:
			p := ev.lvalue(e)
			return p, p.reg == nil && p.part == whole
		case *check.Member:
			if y.Field.Bits >= 0 {
				return place{}, false
			}
			x = y.X
		default:
			return place{}, false
		}
	}
}

// outerVar returns the address of a variable of the function that contains the expression.
func (ev *evaluator) outerVar(v *check.Var) *ssa.Value {
	i := slices.Index(ev.outer.Vars, v)
	if i < 0 {
		i = len(ev.outer.Vars)
		ev.outer.Vars = append(ev.outer.Vars, v)
		p := ev.param(ev.F, ssa.Scalar(ssa.PtrPrivate), v.Span.Pos)
		entry := ev.order[0]
		p.Block = entry
		entry.Values = slices.Insert(entry.Values, i+1, p)
		ev.F.Kernel.Args = append(ev.F.Kernel.Args, ssa.KernelArg{Name: v.Name, Kind: ssa.ArgGlobal})
	}
	return ev.F.Params[i+1]
}
