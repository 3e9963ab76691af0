package irgen

import (
	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// boolean evaluates e != 0 of the scalar e to a Bool.
func (ev *evaluator) boolean(e check.Expr) *ssa.Value {
	switch x := e.(type) {
	case *check.Const:
		ev.Pos = x.S.Pos
		return ev.constant(ssa.TBool, b2i(isTrue(x)))
	case *check.Convert:
		if x.T.Kind == types.Bool {
			return ev.boolean(x.X)
		}
	case *check.Compare:
		if !x.X.Type().IsVector() {
			return ev.compare(x)
		}
	case *check.LNot:
		b := ev.boolean(x.X)
		ev.Pos = x.S.Pos
		return ev.Value(ssa.OpNot, ssa.TBool, b)
	case *check.Logical:
		return ev.logical(x, ssa.TBool)
	}
	v := ev.value(e)
	ev.Pos = e.Span().Pos
	return ev.toBool(v)
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

// branch jumps to yes if the scalar e is not zero, else to no.
func (ev *evaluator) branch(e check.Expr, yes, no *ssa.Block) {
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
			ev.Pos = x.S.Pos
			if isTrue(x) {
				ev.Jump(yes)
			} else {
				ev.Jump(no)
			}
			return
		case *check.Logical:
			operands := chain(x)
			for _, y := range operands[:len(operands)-1] {
				next := ev.newBlock("")
				if x.Or {
					ev.branch(y, yes, next)
				} else {
					ev.branch(y, next, no)
				}
				if ev.begin(next); ev.B == nil {
					return
				}
			}
			e = operands[len(operands)-1]
			continue
		}
		break
	}
	c := ev.boolean(e)
	if ev.B != nil {
		ev.Pos = e.Span().Pos
		ev.Branch(c, yes, no)
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
func (ev *evaluator) logical(x *check.Logical, t ssa.Type) *ssa.Value {
	yes, no := ev.newBlock(""), ev.newBlock("")
	ev.branch(x, yes, no)
	var j join
	ev.begin(yes)
	ev.Pos = x.S.Pos
	if ev.B != nil {
		j.add(&ev.funcBuilder, ev.constant(t, 1))
	}
	ev.begin(no)
	if ev.B != nil {
		j.add(&ev.funcBuilder, ev.constant(t, 0))
	}
	return j.end(&ev.funcBuilder, t)
}

// A join is the block in which the paths of an expression meet.
type join struct {
	block *ssa.Block
	vals  [2]*ssa.Value
	n     int
}

// add ends one of at most two paths, with the value v.
func (j *join) add(fb *funcBuilder, v *ssa.Value) {
	if fb.B == nil {
		return
	}
	if j.block == nil {
		j.block = fb.newBlock("")
	}
	j.vals[j.n] = v
	j.n++
	fb.Jump(j.block)
}

// end continues in the join and returns the value.
func (j *join) end(fb *funcBuilder, t ssa.Type) *ssa.Value {
	if j.n == 0 {
		fb.unreachable()
		if t == ssa.TVoid {
			return nil
		}
		return fb.Value(ssa.OpUndef, t)
	}
	fb.begin(j.block)
	if t == ssa.TVoid || j.n == 1 {
		return j.vals[0]
	}
	return fb.Value(ssa.OpPhi, t, j.vals[0], j.vals[1])
}

// cond evaluates C ? X : Y with a scalar C.
func (ev *evaluator) cond(x *check.Cond) *ssa.Value {
	if x.X == nil {
		return ev.elvis(x)
	}
	yes, no := ev.newBlock(""), ev.newBlock("")
	ev.branch(x.C, yes, no)
	t := ssaType(x.T.Type)
	var tmp *ssa.Value
	if isRecord(x.T.Type) {
		tmp = ev.temp(x.T.Type)
	}
	var j join
	for i, way := range [2]check.Expr{x.X, x.Y} {
		ev.begin([2]*ssa.Block{yes, no}[i])
		if ev.B == nil {
			continue
		}
		var v *ssa.Value
		switch {
		case tmp != nil:
			ev.recordInto(tmp, way)
		case t == ssa.TVoid:
			ev.effect(way)
		default:
			v = ev.value(way)
		}
		ev.Pos = x.S.Pos
		j.add(&ev.funcBuilder, v)
	}
	if tmp != nil {
		j.end(&ev.funcBuilder, ssa.TVoid)
		return tmp
	}
	return j.end(&ev.funcBuilder, t)
}

// elvis evaluates C ?: Y (GNU): C is evaluated once.
func (ev *evaluator) elvis(x *check.Cond) *ssa.Value {
	c := peelBool(x.C)
	v := ev.value(c)
	ev.Pos = x.S.Pos
	t := ssaType(x.T.Type)
	yes, no := ev.newBlock(""), ev.newBlock("")
	ev.Branch(ev.toBool(v), yes, no)
	var j join
	ev.begin(yes)
	j.add(&ev.funcBuilder, ev.convertTo(v, x.T.Type))
	ev.begin(no)
	y := ev.value(x.Y)
	ev.Pos = x.S.Pos
	j.add(&ev.funcBuilder, y)
	return j.end(&ev.funcBuilder, t)
}

// compareOps lists the op of each comparison and whether its operands are exchanged.
var compareOps = [...]struct {
	op   ssa.Op
	swap bool
}{check.Eq: {ssa.OpEq, false}, check.Ne: {ssa.OpNe, false}, check.Lt: {ssa.OpLt, false}, check.Le: {ssa.OpLe, false}, check.Gt: {ssa.OpLt, true}, check.Ge: {ssa.OpLe, true}}

// compare evaluates a comparison to Bools.
func (ev *evaluator) compare(x *check.Compare) *ssa.Value {
	a := ev.value(x.X)
	return ev.compareValues(x, a)
}

// compareValues compares a, the value of x.X, with x.Y.
func (ev *evaluator) compareValues(x *check.Compare, a *ssa.Value) *ssa.Value {
	b := ev.value(x.Y)
	ev.Pos = x.S.Pos
	if a.Type != b.Type && a.Type.K.IsPtr() {
		b = ev.toPtr(b, a.Type)
	}
	row := compareOps[x.Op]
	if row.swap {
		a, b = b, a
	}
	v := ev.Value(row.op, a.Type.With(ssa.Bool), a, b)
	if a.Type.K.Num().IsFloat() {
		v.Flags = ev.opts.Float &^ (ssa.Contract | ssa.Reassoc)
	}
	return v
}
