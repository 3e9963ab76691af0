package irgen

import (
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// boolean evaluates e != 0 of the scalar e to a Bool.
func (g *generator) boolean(e check.Expr) *ssa.Value {
	switch x := e.(type) {
	case *check.Const:
		g.Pos = x.S.Pos
		return g.constant(ssa.TBool, b2i(isTrue(x)))
	case *check.Convert:
		if x.T.Kind == types.Bool {
			return g.boolean(x.X)
		}
	case *check.Compare:
		if !x.X.Type().IsVector() {
			return g.compare(x)
		}
	case *check.LNot:
		b := g.boolean(x.X)
		g.Pos = x.S.Pos
		return g.Value(ssa.OpNot, ssa.TBool, b)
	case *check.Logical:
		return g.logical(x, ssa.TBool)
	}
	v := g.value(e)
	g.Pos = e.Span().Pos
	return g.toBool(v)
}

// isTrue reports whether a scalar constant differs from zero.
func isTrue(c *check.Const) bool {
	bits := c.Bits[0]
	if k := c.T.Num(); k.IsFloat() {
		return bits&(1<<(k.Bits()-1)-1) != 0 // the sign of zero does not matter
	}
	return bits != 0
}

func b2i(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// toBool converts the scalar v to a Bool.
func (g *generator) toBool(v *ssa.Value) *ssa.Value {
	switch {
	case v.Type.K == ssa.Bool:
		return v
	case v.Type.K.IsPtr():
		return g.Value(ssa.OpNe, ssa.TBool, v, g.constant(v.Type, 0))
	case v.Type.K == ssa.Handle:
		return g.toBool(g.Value(ssa.OpBitcast, ssa.TU64, v))
	}
	return g.Convert(v, ssa.Bool, false, 0)
}

// branch jumps to yes if the scalar e is not zero, else to no.
func (g *generator) branch(e check.Expr, yes, no *ssa.Block) {
	for {
		switch x := e.(type) {
		case *check.Convert:
			if x.T.Kind == types.Bool {
				e = x.X
				continue
			}
		case *check.LNot:
			e, yes, no = x.X, no, yes
			continue
		case *check.Const:
			g.Pos = x.S.Pos
			if isTrue(x) {
				g.Jump(yes)
			} else {
				g.Jump(no)
			}
			return
		case *check.Logical:
			operands := chain(x)
			for _, y := range operands[:len(operands)-1] {
				next := g.newBlock("")
				if x.Or {
					g.branch(y, yes, next)
				} else {
					g.branch(y, next, no)
				}
				if g.begin(next); g.B == nil {
					return
				}
			}
			e = operands[len(operands)-1]
			continue
		}
		break
	}
	c := g.boolean(e)
	if g.B != nil {
		g.Pos = e.Span().Pos
		g.Branch(c, yes, no)
	}
}

// chain returns the operands of a chain of one logical operator, in order: for ((a && b) && c) they are a, b,
// c.
func chain(x *check.Logical) []check.Expr {
	n := 2
	for l := x; ; n++ {
		y, ok := peelBool(l.X).(*check.Logical)
		if !ok || y.Or != x.Or {
			break
		}
		l = y
	}
	list := make([]check.Expr, n)
	for l := x; ; {
		n--
		list[n] = l.Y
		if n == 1 {
			list[0] = l.X
			return list
		}
		l = peelBool(l.X).(*check.Logical)
	}
}

// peelBool removes conversions to bool.
func peelBool(e check.Expr) check.Expr {
	for {
		c, ok := e.(*check.Convert)
		if !ok || c.T.Kind != types.Bool {
			return e
		}
		e = c.X
	}
}

// logical evaluates a scalar && or || to 0 or 1 of type t.
func (g *generator) logical(x *check.Logical, t ssa.Type) *ssa.Value {
	yes, no := g.newBlock(""), g.newBlock("")
	g.branch(x, yes, no)
	var j join
	g.begin(yes)
	g.Pos = x.S.Pos
	if g.B != nil {
		j.add(g, g.constant(t, 1))
	}
	g.begin(no)
	if g.B != nil {
		j.add(g, g.constant(t, 0))
	}
	return j.end(g, t)
}

// A join is the block in which the paths of an expression meet.
type join struct {
	block *ssa.Block
	vals  [2]*ssa.Value
	n     int
}

// add ends one of at most two paths, with the value v.
func (j *join) add(g *generator, v *ssa.Value) {
	if g.B == nil {
		return
	}
	if j.block == nil {
		j.block = g.newBlock("")
	}
	j.vals[j.n] = v
	j.n++
	g.Jump(j.block)
}

// end continues in the join and returns the value.
func (j *join) end(g *generator, t ssa.Type) *ssa.Value {
	if j.n == 0 {
		g.unreachable()
		if t == ssa.TVoid {
			return nil
		}
		return g.Value(ssa.OpUndef, t)
	}
	g.begin(j.block)
	if t == ssa.TVoid || j.n == 1 {
		return j.vals[0]
	}
	return g.Value(ssa.OpPhi, t, j.vals[0], j.vals[1])
}

// unreachable begins an unreachable block, for the rest of an expression whose evaluation does not return.
func (g *generator) unreachable() {
	if g.B == nil {
		g.place(g.newBlock("dead"))
	}
}

// cond evaluates C ? X : Y with a scalar C.
func (g *generator) cond(x *check.Cond) *ssa.Value {
	if x.X == nil {
		return g.elvis(x)
	}
	yes, no := g.newBlock(""), g.newBlock("")
	g.branch(x.C, yes, no)
	t := ssaType(x.T.Type)
	var tmp *ssa.Value
	if isRecord(x.T.Type) {
		tmp = g.temp(x.T.Type)
	}
	var j join
	for i, way := range [2]check.Expr{x.X, x.Y} {
		g.begin([2]*ssa.Block{yes, no}[i])
		if g.B == nil {
			continue
		}
		var v *ssa.Value
		switch {
		case tmp != nil:
			g.recordInto(tmp, way)
		case t == ssa.TVoid:
			g.effect(way)
		default:
			v = g.value(way)
		}
		g.Pos = x.S.Pos
		j.add(g, v)
	}
	if tmp != nil {
		j.end(g, ssa.TVoid)
		return tmp
	}
	return j.end(g, t)
}

// elvis evaluates C ?: Y (GNU): C is evaluated once.
func (g *generator) elvis(x *check.Cond) *ssa.Value {
	c := peelBool(x.C)
	v := g.value(c)
	g.Pos = x.S.Pos
	t := ssaType(x.T.Type)
	yes, no := g.newBlock(""), g.newBlock("")
	g.Branch(g.toBool(v), yes, no)
	var j join
	g.begin(yes)
	j.add(g, g.convertTo(v, x.T.Type))
	g.begin(no)
	y := g.value(x.Y)
	g.Pos = x.S.Pos
	j.add(g, y)
	return j.end(g, t)
}

// compareOps lists the op of each comparison and whether its operands are exchanged.
var compareOps = [...]struct {
	op   ssa.Op
	swap bool
}{check.Eq: {ssa.OpEq, false}, check.Ne: {ssa.OpNe, false}, check.Lt: {ssa.OpLt, false}, check.Le: {ssa.OpLe, false}, check.Gt: {ssa.OpLt, true}, check.Ge: {ssa.OpLe, true}}

// compare evaluates a comparison to Bools.
func (g *generator) compare(x *check.Compare) *ssa.Value {
	a := g.value(x.X)
	return g.compareValues(x, a)
}

// compareValues compares a, the value of x.X, with x.Y.
func (g *generator) compareValues(x *check.Compare, a *ssa.Value) *ssa.Value {
	b := g.value(x.Y)
	g.Pos = x.S.Pos
	if a.Type != b.Type && a.Type.K.IsPtr() {
		b = g.toPtr(b, a.Type)
	}
	row := compareOps[x.Op]
	if row.swap {
		a, b = b, a
	}
	v := g.Value(row.op, a.Type.With(ssa.Bool), a, b)
	if a.Type.K.Num().IsFloat() {
		v.Flags = g.opts.Float &^ (ssa.Contract | ssa.Reassoc)
	}
	return v
}

// maskToInt converts a vector of Bools to 0 and -1 of type t.
func (g *generator) maskToInt(m *ssa.Value, t ssa.Type) *ssa.Value {
	if m.Type.K != ssa.Bool {
		return m
	}
	ones := ^uint64(0) >> (64 - t.K.Num().Bits())
	return g.Value(ssa.OpSelect, t, m, g.constant(t, ones), g.constant(t, 0))
}

// nonZero compares each element of the vector v with zero.
func (g *generator) nonZero(v *ssa.Value, op ssa.Op) *ssa.Value {
	return g.Value(op, v.Type.With(ssa.Bool), v, g.constant(v.Type, 0))
}
