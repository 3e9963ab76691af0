package irgen

import (
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// call evaluates a call; a record result has its own memory.
func (ev *evaluator) call(x *check.Call) *ssa.Value {
	if x.T.Kind != types.Record {
		return ev.callInto(x, nil)
	}
	ev.Pos = x.S.Pos
	tmp := ev.temp(x.T.Type)
	ev.callInto(x, tmp)
	return tmp
}

// callInto calls a function; a record result is stored at dst.
func (ev *evaluator) callInto(x *check.Call, dst *ssa.Value) *ssa.Value {
	bottom := len(ev.args)
	if dst != nil {
		ev.args = append(ev.args, dst)
	}
	for _, a := range x.Args {
		v := ev.argument(a)
		ev.args = append(ev.args, v)
	}
	ev.Pos = x.S.Pos
	var v *ssa.Value
	result := ssaType(x.T.Type)
	if dst != nil {
		result = ssa.TVoid
	}
	if x.Func.Body == nil { // the linker resolves it
		if x.Func.Data == nil {
			x.Func.Data = &ssa.Extern{Name: x.Func.LinkName}
		}
		v = ev.Sym(ssa.OpExtern, result, x.Func.Data, ev.args[bottom:]...)
	} else {
		v = ev.Sym(ssa.OpCall, result, ev.declare(x.Func), ev.args[bottom:]...)
	}
	ev.args = ev.args[:bottom]
	if result == ssa.TVoid {
		return nil
	}
	return v
}

// argument evaluates an argument. A record is copied, because the callee may change it; the result of another call
// is not shared and needs no copy.
func (ev *evaluator) argument(e check.Expr) *ssa.Value {
	t := e.Type()
	if !isRecord(t.Type) {
		return ev.value(e)
	}
	if c, ok := e.(*check.Call); ok {
		return ev.call(c)
	}
	ev.Pos = e.Span().Pos
	tmp := ev.temp(t.Type)
	ev.recordInto(tmp, e)
	return tmp
}

// builtinCall calls a builtin function. Its row emits the call, or it is external: a body in the library is linked
// later.
func (ev *evaluator) builtinCall(call *check.BuiltinCall) *ssa.Value {
	ov := call.Overload
	bottom := len(ev.args)
	for _, a := range call.Args {
		v := ev.value(a)
		ev.args = append(ev.args, v)
	}
	args := ev.args[bottom:]
	ev.args = ev.args[:bottom]
	ev.Pos = call.S.Pos
	result := ssaType(call.T.Type)
	impl := ov.Impl()
	if impl == builtin.ImplOp {
		ev.emission = builtin.Emission{B: &ev.Builder, Call: ov, Args: args, Result: result}
		return emit(&ev.emission, ev.opts.Float)
	}
	x := ev.externs[ov]
	if x == nil {
		x = &ssa.Extern{Name: ov.Key, Builtin: true}
		ev.externs[ov] = x
		if impl == builtin.ImplBody && ev.opts.Body != nil {
			ev.opts.Body(ov)
		}
	}
	v := ev.Sym(ssa.OpExtern, result, x, args...)
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
