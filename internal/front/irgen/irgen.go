package irgen

import (
	"slices"

	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Options are the compile options that affect the translation.
type Options struct {
	// Float holds the flags of every floating-point operation, which -cl-mad-enable, -cl-no-signed-zeros,
	// -cl-finite-math-only and so on set.
	Float ssa.ValueFlags
	// Body is called for each builtin overload with a body in the library, once, at its first call.
	Body func(ov *builtin.Overload)
	// Debug adds an ssa.DebugInfo to functions, and memory to every variable.
	Debug bool
	// Expression, if set, becomes an additional kernel.
	Expression *Expression
	// Separate is set if functions of other modules may call the kernels.
	Separate bool
}

// A generator translates a program, one function at a time: its statements (stmt.go), parameters and kernels.
type generator struct {
	evaluator

	debug    *recorder // nil without Options.Debug
	fn       *check.Func
	sret     *ssa.Value // address of a record result
	breakTo  *ssa.Block
	nextTo   *ssa.Block // target of continue
	switches int        // depth of switch statements
}

// Generate translates p. Afterwards the Data of a check.Func is its *ssa.Func, or an *ssa.Extern if p does not
// define it; the Data of a variable is its *ssa.Global.
func Generate(p *check.Program, opts Options) *ssa.Module {
	g := &generator{}
	g.unit = newUnit(p.Source, opts)
	g.statements = g
	for _, v := range p.Globals {
		g.global(v)
	}
	for _, v := range p.Globals {
		g.initGlobal(v)
	}
	if opts.Debug {
		g.debug = newRecorder(&g.unit, p)
	}
	for _, f := range p.Funcs {
		if opts.Separate && f.Kernel != nil && hasRecordParam(f) {
			g.called[f] = true
		}
		for _, callee := range f.Calls {
			if callee.Kernel != nil {
				g.called[callee] = true
			}
		}
	}
	for _, f := range p.Funcs {
		if f.Body != nil {
			g.declare(f)
		}
	}
	for _, f := range p.Funcs {
		if f.Body != nil {
			g.function(f)
			if g.called[f] {
				g.entryOf(f)
			}
		}
	}
	if opts.Expression != nil {
		g.expression(opts.Expression)
	}
	for _, f := range g.m.Funcs {
		f.Share(nil)
	}
	return g.m
}

// hasRecordParam reports whether the function's parameters differ when it is a kernel.
func hasRecordParam(f *check.Func) bool {
	return slices.ContainsFunc(f.Params, func(p *check.Var) bool { return isRecord(p.Type.Type) })
}

// enter begins the translation of f into sf.
func (g *generator) enter(f *check.Func, sf *ssa.Func) {
	g.fn, g.sret, g.breakTo, g.nextTo, g.switches = f, nil, nil, nil, 0
	g.open(sf, f.Span.Pos)
}

// function translates the body of f.
func (g *generator) function(f *check.Func) {
	sf := f.Data.(*ssa.Func)
	g.enter(f, sf)
	g.debug.function(f, sf)
	params := sf.Params
	if f.Type.Elem.Kind == types.Record {
		g.sret, params = params[0], params[1:]
	}
	for i, p := range f.Params {
		g.bindParam(p, params[i])
		if g.debug != nil {
			g.debug.variable(p, g.variable(p), f.Body.S.Pos)
		}
	}
	g.block(f.Body)
	if g.B != nil {
		g.Pos = f.Body.S.End
		if g.debug != nil {
			g.Pos = f.Body.S.End - 1
			g.debug.statement(diag.Span{Pos: g.Pos, End: f.Body.S.End})
		}
		g.implicitReturn()
	}
	g.leave()
}

// bindParam sets a parameter's value or memory.
func (g *generator) bindParam(p *check.Var, v *ssa.Value) {
	g.Pos = p.Span.Pos
	changes := p.Assigned || p.AddrTaken || g.debug != nil
	switch {
	case isRecord(p.Type.Type) && v.Type.K == ssa.PtrPrivate && g.debug == nil:
		p.Data = v // the caller has made a copy
	case isRecord(p.Type.Type) && (changes || hasArray(p.Type.Type)):
		a := g.alloca(p)
		g.memCopy(a, v, p.Type.Size(), false)
	case isRecord(p.Type.Type):
		p.Data = v
	case changes:
		a := g.alloca(p)
		g.Store(a, v, p.Align)
	default:
		p.Data = (*regVar)(v)
	}
}

// entryOf creates the kernel of a function that is a kernel and also called as a function: the kernel calls the
// body.
func (g *generator) entryOf(f *check.Func) {
	body := f.Data.(*ssa.Func)
	sf := g.newFunc(f.Name, ssa.TVoid, len(f.Params))
	sf.Pos, sf.Kernel = f.Span.Pos, kernel(f)
	var args []*ssa.Value
	for _, p := range f.Params {
		t := ssaType(p.Type.Type)
		if isRecord(p.Type.Type) {
			t = ssa.Scalar(ssa.PtrConstant)
		}
		args = append(args, g.param(sf, t, p.Span.Pos))
	}
	g.enter(f, sf)
	for i, p := range f.Params {
		if isRecord(p.Type.Type) {
			tmp := g.temp(p.Type.Type)
			g.memCopy(tmp, args[i], p.Type.Size(), false)
			args[i] = tmp
		}
	}
	g.Sym(ssa.OpCall, ssa.TVoid, body, args...)
	g.Return(nil)
	g.leave()
}
