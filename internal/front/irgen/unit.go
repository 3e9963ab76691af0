package irgen

import (
	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A unit is the module under construction: its functions' signatures, its variables and their constant initial values
// (global.go). It knows nothing of the code of functions.
type unit struct {
	opts    Options
	m       *ssa.Module
	slabs   ssa.Slabs // of all functions
	strings map[string]*ssa.Global
	names   map[string]int         // names of globals, to make them unique
	linked  map[string]*ssa.Global // variables that other units can refer to
	spelled map[*types.Type]string
	externs map[*builtin.Overload]*ssa.Extern // builtin calls left to the linker
	called  map[*check.Func]bool              // kernels that other functions call
}

func newUnit(src *diag.Source, opts Options) unit {
	return unit{
		opts: opts, m: &ssa.Module{Source: src},
		strings: map[string]*ssa.Global{}, names: map[string]int{}, linked: map[string]*ssa.Global{}, spelled: map[*types.Type]string{},
		externs: map[*builtin.Overload]*ssa.Extern{}, called: map[*check.Func]bool{},
	}
}

// declare creates the function with its signature.
func (u *unit) declare(f *check.Func) *ssa.Func {
	if f.Data != nil {
		return f.Data.(*ssa.Func)
	}
	name := f.LinkName
	if u.called[f] {
		name += ".body"
	}
	result := f.Type.Elem.Type
	sf := u.newFunc(name, ssaType(result), len(f.Params))
	if result.Kind == types.Record {
		sf.Result = ssa.TVoid
		u.param(sf, ssa.Scalar(ssa.PtrPrivate), f.Span.Pos)
	}
	isKernel := f.Kernel != nil && !u.called[f]
	for _, p := range f.Params {
		t := ssaType(p.Type.Type)
		if isRecord(p.Type.Type) && isKernel {
			t = ssa.Scalar(ssa.PtrConstant)
		}
		u.param(sf, t, p.Span.Pos)
	}
	sf.Pos = f.Span.Pos
	if f.Attrs.NoInline {
		sf.Attrs |= ssa.NoInline
	}
	if f.Attrs.AlwaysInline {
		sf.Attrs |= ssa.AlwaysInline
	}
	if isKernel {
		sf.Kernel = kernel(f)
	}
	f.Data = sf
	return sf
}

// newFunc adds a function to the module, with capacity for n parameters and one more.
func (u *unit) newFunc(name string, result ssa.Type, n int) *ssa.Func {
	f := u.m.NewFunc(name, result)
	f.Share(&u.slabs)
	f.Params = make([]*ssa.Value, 0, n+1)
	return f
}

func (u *unit) param(f *ssa.Func, t ssa.Type, pos diag.Pos) *ssa.Value {
	v := f.NewValue(ssa.OpParam, t, pos)
	v.Aux = int64(len(f.Params))
	f.Params = append(f.Params, v)
	return v
}
