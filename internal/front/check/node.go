package check

import (
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// nodes creates the nodes of the typed tree from operands that already have the types that the node requires. It folds
// constants, evaluates constant expressions, and inserts no conversions.
type nodes struct {
	warnings
	slabs *slabs
}

// A badExpr replaces an expression with a reported error.
type badExpr struct{ Base }

func (c *nodes) badExpr(s diag.Span) Expr {
	return &badExpr{Base{types.Q(types.InvalidType), s}}
}

func isBad(e Expr) bool { return e.Type().IsInvalid() }

// isLvalue reports whether the expression is an l-value (tree.go lists them).
func isLvalue(e Expr) bool {
	switch e := e.(type) {
	case *VarRef, *Deref, *CompoundLit, *StringConst:
		return true
	case *Member:
		return isLvalue(e.X)
	case *Swizzle:
		return isLvalue(e.X)
	case *VecIndex:
		return isLvalue(e.X)
	}
	return false
}

func hasDuplicates(lanes []uint8) bool {
	var seen uint32
	for _, l := range lanes {
		if seen&(1<<l) != 0 {
			return true
		}
		seen |= 1 << l
	}
	return false
}

// konst returns a constant with one value for all components.
func (c *nodes) konst(t *types.Type, s diag.Span, v uint64) *Const {
	k := c.slabs.constant.New()
	k.T.Type, k.S = t, s
	k.Bits = c.slabs.bits(1)
	k.Bits[0] = v
	return k
}

// konstVec returns a constant of n components, computed by f.
func (c *nodes) konstVec(t *types.Type, s diag.Span, n int, f func(i int) uint64) *Const {
	k := c.slabs.constant.New()
	k.T.Type, k.S = t, s
	k.Bits = c.slabs.bits(n)
	for i := range k.Bits {
		k.Bits[i] = f(i)
	}
	return k
}

func (c *nodes) intConst(s diag.Span, v int64) *Const {
	return c.konst(types.ScalarType(types.Int), s, uint64(uint32(v)))
}

// mkUnary returns - or ~ of an operand of the result's type, folding constants.
func (c *nodes) mkUnary(op UnaryOp, x Expr, s diag.Span) Expr {
	t := x.Type().Type
	if k, ok := x.(*Const); ok {
		n := t.Num()
		return c.konstVec(t, s, len(k.Bits), func(i int) uint64 {
			if op == Neg {
				return foldNeg(n, k.Bits[i])
			}
			return truncate(n, ^k.Bits[i])
		})
	}
	return &Unary{Base{types.Q(t), s}, op, x}
}

// mkLNot returns !, folding constants.
func (c *nodes) mkLNot(x Expr, t *types.Type, s diag.Span) Expr {
	if k, ok := x.(*Const); ok {
		n := x.Type().Num()
		return c.konstVec(t, s, len(k.Bits), func(i int) uint64 { return truth(!nonzero(n, k.Bits[i]), t) })
	}
	return &LNot{Base{types.Q(t), s}, x}
}

// mkBinary returns an arithmetic operator on operands of type t, folding constants.
func (c *nodes) mkBinary(op BinaryOp, x, y Expr, t *types.Type, contract bool, s diag.Span) Expr {
	b, yIsConst := y.(*Const)
	if yIsConst && (op == Div || op == Rem) && !t.Element().IsFloating() {
		for _, v := range b.Bits {
			if v == 0 {
				what := "division"
				if op == Rem {
					what = "remainder"
				}
				if c.discard == 0 {
					c.rep.Report(diag.DivisionByZero, s, "%s by zero is undefined", what)
				}
				break
			}
		}
	}
	if a, ok := x.(*Const); ok && yIsConst {
		if r := c.foldBinaryConst(op, a, b, t, s); r != nil {
			return r
		}
	}
	n := c.slabs.binary.New()
	*n = Binary{Base{types.Q(t), s}, op, x, y, contract && t.Element().IsFloating()}
	return n
}

func (c *nodes) foldBinaryConst(op BinaryOp, a, b *Const, t *types.Type, s diag.Span) Expr {
	k, n := t.Num(), width(a, b)
	bits := c.slabs.bits(n)
	for i := range bits {
		var ok bool
		if bits[i], ok = foldBinary(op, k, a.lane(i), b.lane(i)); !ok {
			return nil
		}
	}
	if k.Signed() && !k.IsFloat() && !t.IsVector() {
		c.warnOverflow(op, k, a.Bits[0], b.Bits[0], bits[0], t, s)
	}
	r := c.slabs.constant.New()
	*r = Const{Base{types.Q(t), s}, bits}
	return r
}

// mkCompare returns a comparison of operands of one type, folding constants.
func (c *nodes) mkCompare(op CompareOp, x, y Expr, t *types.Type, s diag.Span) Expr {
	a, ok1 := x.(*Const)
	b, ok2 := y.(*Const)
	if ok1 && ok2 {
		k := x.Type().Num()
		return c.konstVec(t, s, width(a, b), func(i int) uint64 {
			return truth(foldCompare(op, k, a.lane(i), b.lane(i)), t)
		})
	}
	n := c.slabs.compare.New()
	*n = Compare{Base{types.Q(t), s}, op, x, y}
	return n
}

func (c *nodes) mkLogical(or bool, x, y Expr, t *types.Type, s diag.Span) Expr {
	a, ok1 := x.(*Const)
	b, ok2 := y.(*Const)
	if ok1 && ok2 {
		k := x.Type().Num()
		return c.konstVec(t, s, width(a, b), func(i int) uint64 {
			p, q := nonzero(k, a.lane(i)), nonzero(k, b.lane(i))
			return truth(p && q || or && (p || q), t)
		})
	}
	if ok1 && !t.IsVector() && (a.Bits[0] != 0) == or {
		return c.konst(t, s, a.Bits[0]) // Y is never evaluated
	}
	return &Logical{Base{types.Q(t), s}, or, x, y}
}

// truth returns the value of a relational result: 1 for a scalar, -1 for a vector.
func truth(b bool, t *types.Type) uint64 {
	if !b {
		return 0
	}
	if t.IsVector() {
		return truncate(t.Num(), ^uint64(0))
	}
	return 1
}

func nonzero(k numeric.Kind, b uint64) bool {
	if k.IsFloat() {
		return floatValue(k, b) != 0
	}
	return b != 0
}

// mkConvert converts arithmetic values, component by component.
func (c *nodes) mkConvert(e Expr, t *types.Type, sat bool, r numeric.Round, implicit bool, s diag.Span) Expr {
	from := e.Type().Type
	if k, ok := e.(*Const); ok && (from.IsArithmetic() || from.IsVector() || from.IsPointer()) {
		conv := numeric.Conversion{Dst: t.Num(), Src: from.Num(), Sat: sat, Round: r}
		if conv.Dst == conv.Src {
			n := c.slabs.constant.New()
			*n = Const{Base{types.Q(t), s}, k.Bits}
			return n
		}
		for _, b := range k.Bits {
			if c.discard == 0 && conv.BitsOutOfRange(b) {
				c.rep.Report(diag.ImplementationDefined, s, "conversion of out of range value %s from '%s' to '%s' is implementation-defined", spellConst(conv.Src, b), from, t).
					Note(diag.Span{}, "use convert_%s_sat to clamp to the range of the type", t)
				break
			}
		}
		return c.konstVec(t, s, len(k.Bits), func(i int) uint64 { return conv.Bits(k.Bits[i]) })
	}
	n := c.slabs.convert.New()
	n.T.Type, n.S, n.X, n.Sat, n.Round, n.Implicit = t, s, e, sat, r, implicit
	if implicit {
		c.info.converted(n)
	}
	return n
}

// retype returns an r-value with another type of the same representation.
func (c *nodes) retype(e Expr, t *types.Type) Expr {
	if k, ok := e.(*Const); ok {
		n := *k
		n.T = types.Q(t)
		return &n
	}
	return &Bitcast{Base{types.Q(t), e.Span()}, e}
}

// respan returns a copy of a constant at the position s, such as the position of the enclosing operator. It returns other
// expressions unchanged.
func respan(e Expr, s diag.Span) Expr {
	if k, ok := e.(*Const); ok {
		n := *k
		n.S = s
		return &n
	}
	return e
}

// mkSplat returns a vector of copies of a scalar of its element type.
func (c *nodes) mkSplat(e Expr, t *types.Type, s diag.Span) Expr {
	if k, ok := e.(*Const); ok {
		return c.konst(t, s, k.Bits[0])
	}
	n := c.slabs.splat.New()
	n.T.Type, n.S, n.X = t, s, e
	if s == e.Span() { // a cast has its own position
		c.info.converted(n)
	}
	return n
}

// mkBitcast reinterprets the bits of an arithmetic value.
func (c *nodes) mkBitcast(e Expr, t *types.Type, s diag.Span) Expr {
	from := e.Type().Type
	if from == t {
		return e
	}
	k, ok := e.(*Const)
	if !ok || !from.IsArithmetic() && !from.IsVector() || !t.IsArithmetic() && !t.IsVector() {
		return &Bitcast{Base{types.Q(t), s}, e}
	}
	// Convert through memory, little-endian: components that the source lacks are zero.
	var mem [128]byte
	put := func(at, size int, v uint64) {
		for i := range size {
			mem[at+i] = byte(v >> (8 * i))
		}
	}
	fs, ts := from.Num().Size(), t.Num().Size()
	for i := range from.Lanes() {
		put(i*fs, fs, k.lane(i))
	}
	return c.konstVec(t, s, t.Lanes(), func(i int) (v uint64) {
		for j := range ts {
			v |= uint64(mem[i*ts+j]) << (8 * j)
		}
		return v
	})
}

// mkSwizzle selects components, folding constants and selections of selections.
func (c *nodes) mkSwizzle(x Expr, lanes []uint8, t *types.Type, s diag.Span) Expr {
	if k, ok := x.(*Const); ok {
		n := x.Type().Lanes()
		return c.konstVec(t, s, len(lanes), func(i int) uint64 {
			if int(lanes[i]) >= n {
				return 0 // the fourth component of a 3-vector
			}
			return k.lane(int(lanes[i]))
		})
	}
	if inner, ok := x.(*Swizzle); ok {
		composed := c.slabs.lanes(len(lanes))
		for i, l := range lanes {
			if int(l) >= len(inner.Lanes) {
				composed = nil
				break
			}
			composed[i] = inner.Lanes[l]
		}
		if composed != nil {
			x, lanes = inner.X, composed
		}
	}
	n := c.slabs.swizzle.New()
	n.T, n.S, n.X, n.Lanes = x.Type(), s, x, lanes
	n.T.Type = t
	if !isLvalue(x) {
		n.T.Quals = types.Quals{}
	}
	return n
}

// mkVectorLit returns a vector of operands that have its element type and all its components, folding constants.
func (c *nodes) mkVectorLit(t *types.Type, list []Expr, s diag.Span) Expr {
	for _, e := range list {
		if _, ok := e.(*Const); !ok {
			n := c.slabs.literal.New()
			n.T.Type, n.S, n.Elems = t, s, list
			return n
		}
	}
	bits := c.slabs.bits(t.Lanes())
	n := 0
	for _, e := range list {
		k := e.(*Const)
		for i := range e.Type().Lanes() {
			bits[n] = k.lane(i)
			n++
		}
	}
	r := c.slabs.constant.New()
	*r = Const{Base{types.Q(t), s}, bits}
	return r
}

// mkDeref returns the object at pointer p.
func (c *nodes) mkDeref(p Expr, s diag.Span) Expr {
	if a, ok := p.(*AddrOf); ok {
		return a.X
	}
	n := c.slabs.deref.New()
	n.T, n.S, n.X = p.Type().Elem, s, p
	return n
}

// mkMember selects a field. It is in its record's memory and inherits the record's qualifiers (C99 6.5.2.3p3).
func (c *nodes) mkMember(x Expr, f *types.Field, s diag.Span) Expr {
	q := f.Type
	if isLvalue(x) {
		t := x.Type()
		q.Const = q.Const || t.Const
		q.Volatile = q.Volatile || t.Volatile
		q.Space = t.Space
	} else if q.Kind != types.Array {
		q.Quals = types.Quals{}
	}
	n := c.slabs.member.New()
	n.T, n.S, n.X, n.Field = q, s, x, f
	return n
}

// standIn returns an r-value of the l-value's type that does not fold. It does not appear in the tree, and does not
// count as a use of the variable.
func (c *nodes) standIn(l Expr) Expr {
	e := c.slabs.load.New()
	e.T.Type, e.S, e.X = l.Type().Type, l.Span(), l
	return e
}

func (c *nodes) emit(s Stmt) { c.slabs.stmts.Push(s) }

func (c *nodes) mkBlock(s diag.Span, list []Stmt) *Block {
	b := c.slabs.block.New()
	b.S, b.List = s, list
	return b
}
