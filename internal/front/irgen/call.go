package irgen

import (
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// call evaluates a call; a record result has its own memory.
func (g *generator) call(x *check.Call) *ssa.Value {
	if x.T.Kind != types.Record {
		return g.callInto(x, nil)
	}
	g.Pos = x.S.Pos
	tmp := g.temp(x.T.Type)
	g.callInto(x, tmp)
	return tmp
}

// callInto calls a function; a record result is stored at dst.
func (g *generator) callInto(x *check.Call, dst *ssa.Value) *ssa.Value {
	bottom := len(g.args)
	if dst != nil {
		g.args = append(g.args, dst)
	}
	for _, a := range x.Args {
		v := g.argument(a)
		g.args = append(g.args, v)
	}
	g.Pos = x.S.Pos
	var v *ssa.Value
	result := ssaType(x.T.Type)
	if dst != nil {
		result = ssa.TVoid
	}
	if x.Func.Body == nil { // the linker resolves it
		if x.Func.Data == nil {
			x.Func.Data = &ssa.Extern{Name: x.Func.LinkName}
		}
		v = g.Sym(ssa.OpExtern, result, x.Func.Data, g.args[bottom:]...)
	} else {
		v = g.Sym(ssa.OpCall, result, g.declare(x.Func), g.args[bottom:]...)
	}
	g.args = g.args[:bottom]
	if result == ssa.TVoid {
		return nil
	}
	return v
}

// argument evaluates an argument. A record is copied, because the callee may change it; the result of another call
// is not shared and needs no copy.
func (g *generator) argument(e check.Expr) *ssa.Value {
	t := e.Type()
	if !isRecord(t.Type) {
		return g.value(e)
	}
	if c, ok := e.(*check.Call); ok {
		return g.call(c)
	}
	g.Pos = e.Span().Pos
	tmp := g.temp(t.Type)
	g.recordInto(tmp, e)
	return tmp
}

// builtinCall calls a builtin function. Its row emits the call, or it is external: a body in the library is linked
// later.
func (g *generator) builtinCall(call *check.BuiltinCall) *ssa.Value {
	ov := call.Overload
	bottom := len(g.args)
	for _, a := range call.Args {
		v := g.value(a)
		g.args = append(g.args, v)
	}
	args := g.args[bottom:]
	g.args = g.args[:bottom]
	g.Pos = call.S.Pos
	result := ssaType(call.T.Type)
	impl := ov.Impl()
	if impl == builtin.ImplOp {
		g.emission = builtin.Emission{B: &g.Builder, Call: ov, Args: args, Result: result}
		return emit(&g.emission, g.opts.Float)
	}
	x := g.externs[ov]
	if x == nil {
		x = &ssa.Extern{Name: ov.Key, Builtin: true}
		g.externs[ov] = x
		if impl == builtin.ImplBody && g.opts.Body != nil {
			g.opts.Body(ov)
		}
	}
	v := g.Sym(ssa.OpExtern, result, x, args...)
	if result == ssa.TVoid {
		return nil
	}
	return v
}

// emit emits the call of a builtin by its row. Its divisions and square roots get the flags of build options.
func emit(e *builtin.Emission, flags ssa.ValueFlags) *ssa.Value {
	b, n := e.B.B, len(e.B.B.Values)
	v := e.Call.Row.Emit(e)
	if flags == 0 || e.B.B != b {
		return v
	}
	for _, x := range b.Values[n:] {
		if (x.Op == ssa.OpDiv || x.Op == ssa.OpSqrt) && x.Type.K.Num().IsFloat() {
			x.Flags |= flags
		}
	}
	return v
}
