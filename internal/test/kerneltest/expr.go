package kerneltest

import (
	"fmt"
	"math/bits"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// expressions writes values of any type, from names in scope and from memory, and lvalues. It declares nothing, and
// has no state of its own.
type expressions struct{ memory }

// value returns the node of an expression of type t.
func value(t Type, parts ...any) *node {
	return &node{parts: parts, typ: t, least: fmt.Sprintf("(%s)(0)", t)}
}

// truth is the type of conditions.
var truth = Type{numeric.Bool, 1}

func yesNo(parts ...any) *node { return &node{parts: parts, typ: truth, least: "1"} }

var intTypes = []Type{{numeric.I32, 1}, {numeric.I32, 1}, {numeric.U32, 1}, {numeric.I64, 1}, {numeric.U64, 1}, {numeric.I16, 1}, {numeric.U8, 1}}

var componentNames = "0123456789abcdef"

// leaf is an expression without operands.
func (g *expressions) leaf(t Type) *node {
	var same []string
	for _, v := range g.vars {
		if v.typ == t {
			same = append(same, v.name)
		}
	}
	if len(same) > 0 && !g.chance(4) {
		return value(t, same[g.IntN(len(same))])
	}
	if t.N == 1 && g.kernel && g.chance(8) {
		return value(t, fmt.Sprintf("(%s)", t), g.query())
	}
	if len(g.vars) > 0 && !g.chance(3) {
		v := g.vars[g.IntN(len(g.vars))]
		return value(t, g.adapt(v.name, v.typ, t))
	}
	return value(t, g.literal(t))
}

// kernelOnly returns the condition n in a kernel, else another one: functions have no lin.
func (g *expressions) kernelOnly(n *node) *node {
	if g.kernel {
		return n
	}
	return yesNo("(", g.leaf(Type{numeric.I32, 1}), " & 1)")
}

// adapt returns the text x of type from, converted or resized to type to.
func (g *expressions) adapt(x string, from, to Type) string {
	if from.N != to.N {
		switch {
		case to.N == 1:
			x = fmt.Sprintf("%s.s%c", x, componentNames[g.IntN(from.N)])
		case from.N == 1:
			x = fmt.Sprintf("(%s)(%s)", to.with(from.Kind), x)
		default:
			s := ""
			for range to.N {
				s += string(componentNames[g.IntN(from.N)])
			}
			x += ".s" + s
		}
	}
	return g.convert(x, from.Kind, to)
}

// convert returns the text x, whose kind is from and which has as many components as to, converted to to.
func (g *expressions) convert(x string, from numeric.Kind, to Type) string {
	if from == to.Kind {
		return x
	}
	if to.N == 1 && g.chance(2) {
		return fmt.Sprintf("(%s)(%s)", to, x)
	}
	mode := ""
	if to.Kind.IsInt() && g.chance(3) {
		mode = "_sat"
	}
	if (to.Kind.IsFloat() || from.IsFloat()) && g.chance(2) {
		mode += oneOf(g, "_rte", "_rtz", "_rtp", "_rtn")
	}
	return fmt.Sprintf("convert_%s%s(%s)", to, mode, x)
}

// wrap returns the node x with the text of f around it.
func wrap(t Type, f func(string) string, x *node) *node {
	const mark = "\x00"
	s := f(mark)
	for i := range s {
		if s[i] == mark[0] {
			return value(t, s[:i], x, s[i+1:])
		}
	}
	panic("no place for the operand in " + s)
}

// wrap2 converts an expression of type from to t.
func (g *expressions) wrap2(t, from Type, parts ...any) *node {
	if from == t {
		return value(t, parts...)
	}
	return wrap(t, func(s string) string { return g.adapt(s, from, t) }, value(from, parts...))
}

// plain returns an expression whose operator promotes narrow integers, converted back to t.
func plain(t Type, parts ...any) *node {
	if t.N == 1 {
		return value(t, append(append([]any{fmt.Sprintf("(%s)(", t)}, parts...), ")")...)
	}
	return value(t, append(append([]any{"("}, parts...), ")")...)
}

// expr returns an expression of type t, at most d levels deep.
func (g *expressions) expr(t Type, d int) *node {
	if d <= 0 || g.chance(6) {
		return g.leaf(t)
	}
	for {
		var n *node
		switch g.IntN(16) {
		case 0, 1, 2, 3:
			n = g.binary(t, d-1)
		case 4:
			n = g.unary(t, d-1)
		case 5:
			u := t.with(g.kind())
			x := g.expr(u, d-1)
			n = wrap(t, func(s string) string { return g.convert(s, u.Kind, t) }, x)
		case 6:
			n = g.reinterpret(t, d-1)
		case 7:
			n = g.compare(t, d-1)
		case 8:
			n = g.choose(t, d-1)
		case 9, 10:
			n = g.components(t, d-1)
		case 11, 12:
			n = g.load(t, d-1)
		case 13, 14:
			n = g.builtin(t, d-1)
		case 15:
			n = g.call(t, d-1, false)
		}
		if n != nil {
			return n
		}
	}
}

func (g *expressions) binary(t Type, d int) *node {
	x, y := g.expr(t, d), g.expr(t, d)
	if t.Kind.IsFloat() {
		return plain(t, x, oneOf(g, " + ", " - ", " * ", " / "), y)
	}
	switch op := oneOf(g, "+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"); op {
	case "<<", ">>":
		if g.chance(2) {
			return plain(t, x, " "+op+" ", fmt.Sprintf("(%s)(%d)", t, g.IntN(8*t.Kind.Size())))
		}
		return plain(t, x, " "+op+" ", y)
	case "/", "%":
		if g.chance(2) {
			return plain(t, x, " "+op+" ", fmt.Sprintf("(%s)(%d)", t, 1+g.IntN(100)))
		}
		return plain(t, x, " "+op+" (", y, fmt.Sprintf(" | (%s)(1))", t))
	default:
		return plain(t, x, " "+op+" ", y)
	}
}

func (g *expressions) unary(t Type, d int) *node {
	x := g.expr(t, d)
	if t.Kind.IsFloat() {
		return plain(t, "-(", x, ")")
	}
	if t.N == 1 && g.chance(3) {
		return plain(t, "!", x)
	}
	return plain(t, oneOf(g, "-(", "~("), x, ")")
}

// reinterpret returns as_type of a value of the same size.
func (g *expressions) reinterpret(t Type, d int) *node {
	size := t.Kind.Size() * t.N
	for range 8 {
		u := Type{kinds[g.IntN(len(kinds))], oneOf(g, 1, 2, 4, 8, 16)}
		if t.N == 3 {
			u.N = 3
		}
		if u != t && u.Kind.Size()*u.N == size {
			return value(t, fmt.Sprintf("as_%s(", t), g.expr(u, d), ")")
		}
	}
	return nil
}

// compare returns a relation: 0 or 1 for scalars, 0 or -1 for vectors.
func (g *expressions) compare(t Type, d int) *node {
	if t.N == 1 {
		return value(t, fmt.Sprintf("(%s)(", t), g.cond(d), ")")
	}
	if !t.Kind.IsInt() || !t.Kind.Signed() {
		return nil
	}
	u := g.sameSize(t)
	return value(t, "(", g.expr(u, d), g.relation(u), g.expr(u, d), ")")
}

func (g *expressions) relation(t Type) string {
	return " " + oneOf(g, "<", "<=", ">", ">=", "==", "!=") + " "
}

// cond returns a condition, a scalar int.
func (g *expressions) cond(d int) *node {
	switch g.IntN(10) {
	case 0:
		if d > 0 && g.even {
			return yesNo("(", g.cond(d-1), oneOf(g, " & ", " | "), g.cond(d-1), ")")
		}
		if d > 0 {
			return yesNo("(", g.cond(d-1), oneOf(g, " && ", " || "), g.cond(d-1), ")")
		}
	case 1:
		if d > 0 {
			return yesNo("!(", g.cond(d-1), ")")
		}
	case 2:
		t := Type{oneOf(g, numeric.I8, numeric.I16, numeric.I32, numeric.I64), oneOf(g, 2, 3, 4, 8)}
		return yesNo(oneOf(g, "any", "all"), "(", g.expr(t, d), ")")
	case 3:
		t := Type{oneOf(g, numeric.F16, numeric.F32, numeric.F64), 1}
		if g.chance(2) {
			return yesNo(oneOf(g, "isnan", "isinf", "isfinite", "isnormal", "signbit"), "(", g.expr(t, d), ")")
		}
		return yesNo(oneOf(g, "isgreater", "isless", "islessgreater", "isordered", "isunordered", "isnotequal"), "(", g.expr(t, d), ", ", g.expr(t, d), ")")
	case 4:
		return g.kernelOnly(yesNo("(lin & ", fmt.Sprint(1<<g.IntN(4)), ")"))
	case 5:
		return g.kernelOnly(yesNo("lin ", oneOf(g, "<", ">", "==", "%"), " ", fmt.Sprint(1+g.IntN(40))))
	}
	t := g.scalar()
	if g.chance(2) {
		t = intTypes[g.IntN(len(intTypes))]
	}
	return yesNo("(", g.expr(t, d), g.relation(t), g.expr(t, d), ")")
}

// choose returns ?:, select or bitselect.
func (g *expressions) choose(t Type, d int) *node {
	x, y := g.expr(t, d), g.expr(t, d)
	switch mask := t.with(oneOf(g, t.Kind.SignedInt(), t.Kind.SignedInt().Unsigned())); {
	case g.chance(4):
		return value(t, "bitselect(", x, ", ", y, ", ", g.expr(t, d), ")")
	case g.chance(3):
		return value(t, "select(", x, ", ", y, ", ", g.expr(mask, d), ")")
	case t.N == 1 && g.even:
		return value(t, "select(", x, ", ", y, ", ", g.expr(mask, d), ")")
	case t.N == 1:
		return plain(t, g.cond(d), " ? ", x, " : ", y)
	default:
		return plain(t, g.expr(t.with(t.Kind.SignedInt()), d), " ? ", x, " : ", y)
	}
}

// components returns components of a vector, or a vector constructed from parts.
func (g *expressions) components(t Type, d int) *node {
	if t.N > 1 && g.chance(2) {
		parts := []any{fmt.Sprintf("(%s)(", t)}
		for left := t.N; left > 0; {
			n := oneOf(g, 1, 1, 2, 3, 4)
			if n > left || n == t.N {
				n = 1
			}
			if left < t.N {
				parts = append(parts, ", ")
			}
			parts = append(parts, g.expr(Type{t.Kind, n}, min(d, 1)))
			left -= n
		}
		return value(t, append(parts, ")")...)
	}
	u := Type{t.Kind, oneOf(g, 2, 2, 3, 3, 4, 4, 4, 8, 16)}
	if half := (u.N + 1) / 2; half == t.N && g.chance(3) {
		return value(t, g.operand(u, d), oneOf(g, ".lo", ".hi", ".even", ".odd"))
	}
	if t.N > 4 && g.chance(3) && u.N != 3 && u.N <= 16 && t.N != 3 {
		mask := t.with(t.Kind.SignedInt().Unsigned())
		if u.N >= 2 && g.chance(2) {
			return value(t, "shuffle(", g.expr(u, d), ", ", g.expr(mask, d), ")")
		}
		return value(t, "shuffle2(", g.expr(u, d), ", ", g.expr(u, d), ", ", g.expr(mask, d), ")")
	}
	s := ".s"
	for range t.N {
		s += string(componentNames[g.IntN(u.N)])
	}
	return value(t, g.operand(u, d), s)
}

// operand returns an expression that a suffix may follow.
func (g *expressions) operand(t Type, d int) *node { return value(t, "(", g.expr(t, d), ")") }

// index returns an index below n.
func (g *expressions) index(n, d int) *node {
	t := Type{numeric.U32, 1}
	if g.chance(3) || n == 1 || g.even {
		return value(t, fmt.Sprint(g.IntN(n)))
	}
	for range 2 {
		if len(g.vars) > 0 {
			if v := g.vars[g.IntN(len(g.vars))]; v.below > 0 && v.below <= n && v.typ.N == 1 {
				if slack := n - v.below; slack > 0 && g.chance(2) {
					return value(t, fmt.Sprintf("%s + %d", v.name, g.IntN(slack+1)))
				}
				if g.chance(4) {
					return value(t, fmt.Sprintf("%d - %s", v.below-1, v.name))
				}
				if full := 1 << bits.Len(uint(v.below-1)); full <= n && g.chance(3) {
					return value(t, fmt.Sprintf("((uint)%s ^ %s)", v.name, g.flip(full)))
				}
				return value(t, v.name)
			}
		}
	}
	if g.kernel && g.chance(4) {
		return value(t, g.shaped(n))
	}
	from := intTypes[g.IntN(len(intTypes))]
	x := g.expr(from, d)
	switch {
	case bits.OnesCount(uint(n)) == 1 && g.chance(2):
		return value(t, "((", x, fmt.Sprintf(") & %d)", n-1))
	case g.chance(3):
		return value(t, "min((uint)(", x, fmt.Sprintf("), %du)", n-1))
	case g.chance(3):
		return value(t, "clamp((int)(", x, fmt.Sprintf("), 0, %d)", n-1))
	}
	return value(t, "(uint)(", x, fmt.Sprintf(") %% %du", n))
}

// combine returns one operation on two values of a type.
func (g *expressions) combine(t Type, x, y *node) *node {
	if t.Kind.IsFloat() {
		switch g.IntN(7) {
		case 0:
			return value(t, oneOf(g, "fmin", "fmax"), "(", x, ", ", y, ")")
		case 1:
			return value(t, oneOf(g, "mad", "fma"), "(", x, ", ", g.literalNode(t), ", ", y, ")")
		}
		return plain(t, x, oneOf(g, " + ", " + ", " - ", " * "), y)
	}
	if g.chance(2) {
		return value(t, oneOf(g, "add_sat", "sub_sat", "hadd", "rhadd", "min", "max", "mul_hi", "rotate"), "(", x, ", ", y, ")")
	}
	return plain(t, x, oneOf(g, " + ", " + ", " - ", " * ", " & ", " | ", " ^ "), y)
}

func (g *expressions) literalNode(t Type) *node { return value(t, g.literal(t)) }

// order returns a component suffix such as ".s31": n components of a vector of that many.
func (g *expressions) order(n, of int) string {
	s := ".s"
	for range n {
		s += string(componentNames[g.IntN(of)])
	}
	return s
}

// call returns a call of one of the program's functions. whole is set if the call is a statement's whole
// expression; only then may it be a function that writes through its arguments.
func (g *expressions) call(t Type, d int, whole bool) *node {
	if len(g.funcs) == 0 {
		return nil
	}
	f := g.funcs[g.IntN(len(g.funcs))]
	parts := []any{f.name + "("}
	used := map[string]bool{}
	for i, p := range f.params {
		if i > 0 {
			parts = append(parts, ", ")
		}
		if f.ptr[i] {
			v := g.addressable(p)
			if v == "" || used[v] || !whole {
				return nil
			}
			used[v] = true
			parts = append(parts, "&"+v)
			continue
		}
		parts = append(parts, g.expr(p, min(d, 1)))
	}
	return g.wrap2(t, f.result, append(parts, ")")...)
}
