package spmd

import "github.com/purecl/purecl/internal/ir/ssa"

// A shape classifies how an integer or a pointer varies over the lanes of a gang, as far as that follows from ids: never
// from data.
type shape uint8

const (
	uniformShape shape = iota // the same in all lanes
	affineShape               // affine, if nothing wraps
	steppedShape              // the same for many consecutive lanes, then another value
	unknownShape              // unknown
)

// minRun is the least number of consecutive lanes with the same value in steppedShape.
const minRun = 64

// shape returns the shape of v.
func (g *versions) shape(v *ssa.Value) shape {
	if int(v.ID) >= len(g.shapes) { // created since the analysis
		return unknownShape
	}
	if !g.Varying[v.ID] {
		return uniformShape
	}
	if s := g.shapes[v.ID]; s != 0 {
		return s - 1
	}
	s := g.shapeOf(v)
	g.shapes[v.ID] = s + 1
	return s
}

func (g *versions) shapeOf(v *ssa.Value) shape {
	if v.Type.N != 1 || !isInt(v.Type.K) && v.Op != ssa.OpPtrAdd {
		return unknownShape
	}
	switch v.Op {
	case ssa.OpWorkItem:
		switch ssa.WorkItemQuery(v.Aux) {
		case ssa.GlobalID, ssa.LocalID:
			return affineShape
		}
	case ssa.OpAdd, ssa.OpPtrAdd, ssa.OpSub, ssa.OpMin, ssa.OpMax:
		return max(g.shape(v.Args[0]), g.shape(v.Args[1]))
	case ssa.OpMul:
		a, b := g.shape(v.Args[0]), g.shape(v.Args[1])
		if min(a, b) == uniformShape {
			return max(a, b)
		}
	case ssa.OpSelect:
		if a := g.mostly(v); a != nil {
			return g.shape(a)
		}
	case ssa.OpShl:
		if g.shape(v.Args[1]) == uniformShape {
			return g.shape(v.Args[0])
		}
	case ssa.OpConvert, ssa.OpBitcast, ssa.OpCopy:
		if a := v.Args[0]; a.Type.N == 1 && isInt(a.Type.K) {
			return g.shape(a)
		}
	case ssa.OpDiv, ssa.OpRem, ssa.OpShr:
		a, by := g.shape(v.Args[0]), v.Args[1]
		if a == unknownShape || g.shape(by) != uniformShape {
			return unknownShape
		}
		often := by.IsConst() && by.ConstElem(0) < minRun
		if v.Op == ssa.OpShr {
			often = by.IsConst() && by.ConstElem(0) < 6 // 2^6 lanes
		}
		switch {
		case !often:
			return steppedShape
		case v.Op != ssa.OpRem:
			return a // at least monotonic along the lanes
		}
	}
	return unknownShape
}

func isInt(k ssa.Kind) bool { return k != ssa.Bool && !k.IsPtr() && k != ssa.Handle && k.Num().IsInt() }

// agree reports whether a condition is likely to hold in all lanes of a gang, and whether it is likely to hold
// in none.
func (g *versions) agree(c *ssa.Value) (all, none bool) {
	if g.terms(c, 0) > maxTerms {
		return false, false
	}
	return g.agreed(c)
}

// maxTerms bounds the comparisons of a condition.
const maxTerms = 8

// terms returns n plus the number of comparisons in a condition, up to about maxTerms.
func (g *versions) terms(c *ssa.Value, n int) int {
	if !g.isCondition(c) || c.Op != ssa.OpNot && c.Op != ssa.OpAnd && c.Op != ssa.OpOr {
		return n + 1
	}
	for _, a := range c.Args {
		if n > maxTerms {
			break
		}
		n = g.terms(a, n)
	}
	return n
}

func (g *versions) agreed(c *ssa.Value) (all, none bool) {
	if int(c.ID) >= len(g.shapes) {
		return false, false
	}
	if !g.Varying[c.ID] {
		return true, true
	}
	switch c.Op {
	case ssa.OpNot:
		all, none = g.agreed(c.Args[0])
		return none, all
	case ssa.OpAnd, ssa.OpOr:
		a1, n1 := g.agreed(c.Args[0])
		a2, n2 := g.agreed(c.Args[1])
		if c.Op == ssa.OpAnd {
			return a1 && a2, n1 || n2
		}
		return a1 || a2, n1 && n2
	case ssa.OpLt, ssa.OpLe, ssa.OpEq, ssa.OpNe:
		a, b := c.Args[0], c.Args[1]
		if a.Type.N != 1 || !isInt(a.Type.K) && !a.Type.K.IsPtr() {
			return false, false
		}
		if g.Unfolded {
			if all, none, known := g.facts().Decide(c); known {
				return all, none
			}
		}
		s := max(g.shape(a), g.shape(b))
		switch {
		case s == unknownShape:
			return false, false
		case s == steppedShape || c.Op == ssa.OpLt || c.Op == ssa.OpLe:
			return true, true
		}
		return c.Op == ssa.OpNe, c.Op == ssa.OpEq
	}
	return false, false
}

// operands calls f with the operands of a condition's comparisons.
func (g *versions) operands(c *ssa.Value, f func(*ssa.Value)) {
	if !g.isCondition(c) {
		f(c)
		return
	}
	for _, a := range c.Args {
		g.operands(a, f)
	}
}

// isCondition reports whether c is a varying Bool that is a comparison or combines other conditions.
func (g *versions) isCondition(c *ssa.Value) bool {
	if c.Type != ssa.TBool || int(c.ID) >= len(g.shapes) || !g.Varying[c.ID] {
		return false
	}
	switch c.Op {
	case ssa.OpNot, ssa.OpAnd, ssa.OpOr, ssa.OpLt, ssa.OpLe, ssa.OpEq, ssa.OpNe:
		return true
	}
	return false
}
