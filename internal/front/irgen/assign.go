package irgen

import (
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// assign evaluates L = X. It returns the value only if want is set.
func (g *generator) assign(x *check.Assign, want bool) *ssa.Value {
	v := g.value(x.X)
	p := g.lvalue(x.L)
	if isRecord(x.T.Type) {
		g.Pos = x.S.Pos
		to := g.addr(&p)
		if v != to {
			g.memCopy(to, v, x.T.Size(), p.volatile)
		}
		return to
	}
	g.store(&p, v)
	if want {
		return g.stored(&p, v)
	}
	return nil
}

// compoundAssign evaluates L Op= Y.
func (g *generator) compoundAssign(x *check.CompoundAssign, want bool) *ssa.Value {
	y := g.value(x.Y)
	p := g.lvalue(x.L)
	v := g.combine(x, g.load(&p), y)
	g.store(&p, v)
	if want {
		return g.stored(&p, v)
	}
	return nil
}

// combine computes old Op y in the type of the computation and converts back.
func (g *generator) combine(x *check.CompoundAssign, old, y *ssa.Value) *ssa.Value {
	g.Pos = x.S.Pos
	if old.Type.K.IsPtr() {
		i := g.scale(y, strideOf(x.L.Type().Elem.Type))
		if x.Op == check.Sub {
			i = g.Value(ssa.OpNeg, ssa.TI64, i)
		}
		return g.Value(ssa.OpPtrAdd, old.Type, old, i)
	}
	k := ssa.Kind(x.Comp.Num())
	v := old
	if v.Type.K != k {
		v = g.Convert(v, k, false, 0)
		v.Flags |= ssa.Implicit
	}
	v = g.binary(x.Op, v, y, x.Contract, nil, x.Y)
	return g.back(v, old.Type)
}

// back converts the result of a computation to the type of the object.
func (g *generator) back(v *ssa.Value, t ssa.Type) *ssa.Value {
	switch {
	case v.Type.K == t.K:
		return v
	case t.K == ssa.Bool:
		return g.toBool(v)
	}
	v = g.Convert(v, t.K, false, 0)
	v.Flags |= ssa.Implicit
	return v
}

// ones holds the bits of 1 in the floating-point formats.
var ones = [...]uint64{ssa.F16: 0x3C00, ssa.F32: 0x3F800000, ssa.F64: 0x3FF0000000000000}

// incDec evaluates ++L, --L, L++ and L--.
func (g *generator) incDec(x *check.IncDec, want bool) *ssa.Value {
	p := g.lvalue(x.L)
	old := g.load(&p)
	v := g.step(x, old)
	g.store(&p, v)
	switch {
	case !want:
		return nil
	case x.Post:
		return old
	}
	return g.stored(&p, v)
}

// step returns old plus or minus 1.
func (g *generator) step(x *check.IncDec, old *ssa.Value) *ssa.Value {
	g.Pos = x.S.Pos
	t := old.Type
	switch {
	case t.K.IsPtr():
		n := strideOf(x.L.Type().Elem.Type)
		if x.Dec {
			n = -n
		}
		return g.offset(old, n)
	case t.K == ssa.Bool: // computed as an int (C99 6.5.2.4p2)
		if !x.Dec {
			return g.constant(t, 1)
		}
		return g.Value(ssa.OpNot, t, old)
	}
	op, one := ssa.OpAdd, uint64(1)
	if x.Dec {
		op = ssa.OpSub
	}
	if t.K.Num().IsFloat() {
		one = ones[t.K]
	}
	return g.float(g.Value(op, t, old, g.constant(t, one)))
}
