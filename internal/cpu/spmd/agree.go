package spmd

import "github.com/purecl/purecl/internal/ir/ssa"

// A shape is how an integer changes along the lanes of a gang, as far as that follows
// from ids: never from data.
type shape uint8

const (
	flat  shape = iota // the same in all lanes
	line               // by the same step from lane to lane, where nothing wraps
	steps              // the same for many lanes, then another
	wild               // anything
)

// rare is the least number of lanes that steps stay the same for.
const rare = 64

// shape returns how v changes along the lanes.
func (g *versions) shape(v *ssa.Value) shape {
	if int(v.ID) >= len(g.shapes) { // made since the analysis
		return wild
	}
	if !g.Varying[v.ID] {
		return flat
	}
	if s := g.shapes[v.ID]; s != 0 {
		return s - 1
	}
	s := g.shapeOf(v)
	g.shapes[v.ID] = s + 1
	return s
}

func (g *versions) shapeOf(v *ssa.Value) shape {
	if v.Type.N != 1 || !isInt(v.Type.K) {
		return wild
	}
	switch v.Op {
	case ssa.OpWorkItem:
		switch ssa.WorkItemQuery(v.Aux) {
		case ssa.GlobalID, ssa.LocalID:
			return line
		}
	case ssa.OpAdd, ssa.OpSub, ssa.OpMin, ssa.OpMax:
		return max(g.shape(v.Args[0]), g.shape(v.Args[1]))
	case ssa.OpMul:
		a, b := g.shape(v.Args[0]), g.shape(v.Args[1])
		if min(a, b) == flat {
			return max(a, b)
		}
	case ssa.OpSelect:
		if a := g.mostly(v); a != nil {
			return g.shape(a)
		}
	case ssa.OpShl:
		if g.shape(v.Args[1]) == flat {
			return g.shape(v.Args[0])
		}
	case ssa.OpConvert, ssa.OpBitcast, ssa.OpCopy:
		if a := v.Args[0]; a.Type.N == 1 && isInt(a.Type.K) {
			return g.shape(a)
		}
	case ssa.OpDiv, ssa.OpRem, ssa.OpShr:
		a, by := g.shape(v.Args[0]), v.Args[1]
		if a == wild || g.shape(by) != flat {
			return wild
		}
		often := by.IsConst() && by.ConstElem(0) < rare
		if v.Op == ssa.OpShr {
			often = by.IsConst() && by.ConstElem(0) < 6 // 2^6 lanes
		}
		switch {
		case !often:
			return steps
		case v.Op != ssa.OpRem:
			return a // grows along the lanes at least
		}
	}
	return wild
}

func isInt(k ssa.Kind) bool { return k != ssa.Bool && !k.IsPtr() && k != ssa.Handle && k.Num().IsInt() }

// agree says whether it is likely that a condition holds in all lanes of a gang, and that
// it holds in none.
func (g *versions) agree(c *ssa.Value) (all, none bool) {
	if g.terms(c, 0) > maxTerms {
		return false, false
	}
	return g.agreed(c)
}

// maxTerms is how many comparisons a condition may be made of.
const maxTerms = 8

// terms counts the comparisons in a condition, from n to maxTerms.
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
		if a.Type.N != 1 || !isInt(a.Type.K) {
			return false, false
		}
		if g.Unfolded {
			if all, none, known := g.facts().Decide(c); known {
				return all, none
			}
		}
		s := max(g.shape(a), g.shape(b))
		switch {
		case s == wild:
			return false, false
		case s == steps || c.Op == ssa.OpLt || c.Op == ssa.OpLe:
			return true, true
		}
		return c.Op == ssa.OpNe, c.Op == ssa.OpEq
	}
	return false, false
}

// operands calls f with the values that a condition is made of: what its comparisons
// compare.
func (g *versions) operands(c *ssa.Value, f func(*ssa.Value)) {
	if !g.isCondition(c) {
		f(c)
		return
	}
	for _, a := range c.Args {
		g.operands(a, f)
	}
}

// isCondition reports whether c is a varying Bool computed from others or by comparison.
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
