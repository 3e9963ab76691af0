package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// A builtin is a set of builtin functions with the same signature. The first letter of sig is the result, the
// others are the operands: t is the given type, e its element, s and u its signed and unsigned integers of the same
// size, i int with as many components, n int, w the type twice as wide.
type builtin struct {
	sig   string
	names []string
	kinds []numeric.Kind // element kinds of t
	sizes []int          // numbers of components of t; nil: any
}

var (
	integers = kinds[:8]
	floats   = kinds[8:]
	wide     = []numeric.Kind{numeric.F32, numeric.F64}
	ints32   = []numeric.Kind{numeric.I32, numeric.U32}
)

var builtins = []builtin{
	{"ttt", []string{"add_sat", "sub_sat", "hadd", "rhadd", "min", "max", "mul_hi", "rotate"}, integers, nil},
	{"tt", []string{"clz", "popcount"}, integers, nil},
	{"tt", []string{"ctz"}, integers, nil},
	{"tttt", []string{"mad_sat", "mad_hi"}, integers, nil},
	{"us", []string{"abs"}, integers, nil},
	{"uss", []string{"abs_diff"}, integers, nil},
	{"uuu", []string{"abs_diff"}, integers, nil},
	{"ttt", []string{"fmin", "fmax", "copysign", "nextafter", "fdim", "min", "max"}, floats, nil},
	{"tt", []string{"floor", "ceil", "trunc", "rint", "round", "fabs", "sqrt", "sign"}, floats, nil},
	{"tttt", []string{"fma", "mad", "mix"}, floats, nil},
	{"st", []string{"isnan", "isinf", "isfinite", "isnormal", "signbit"}, floats, []int{2, 3, 4, 8, 16}},
	{"stt", []string{"isequal", "isless", "isgreater", "isordered", "islessgreater"}, floats, []int{2, 3, 4, 8, 16}},
	{"tti", []string{"ldexp"}, floats, nil},
	{"it", []string{"ilogb"}, floats, nil},
	{"ttt", []string{"step"}, floats, nil},
	{"tte", []string{"fmin", "fmax"}, floats, []int{2, 3, 4, 8, 16}},
	{"tte", []string{"min", "max"}, integers, []int{2, 3, 4, 8, 16}},
	{"ett", []string{"dot", "distance"}, floats, []int{2, 3, 4}},
	{"et", []string{"length"}, floats, []int{2, 3, 4}},
	{"ttt", []string{"cross"}, floats, []int{3, 4}},
	{"tt", []string{"normalize"}, floats, []int{2, 3, 4}},
	{"tt", []string{"degrees", "radians"}, floats, nil},
}

// slowBuiltins are builtins of many instructions.
var slowBuiltins = []builtin{
	{"tt", []string{"exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinpi", "cospi", "atan", "asin", "acos", "sinh", "cosh", "tanh", "cbrt", "rsqrt", "erf", "logb"}, wide, []int{1, 2, 3, 4}},
	{"ttt", []string{"pow", "atan2", "hypot", "fmod", "remainder", "powr"}, wide, []int{1, 2, 4}},
	{"tti", []string{"pown", "rootn"}, wide, []int{1, 2}},
	{"tt", []string{"native_exp", "native_sin", "native_recip", "native_rsqrt", "half_cos", "half_log2"}, []numeric.Kind{numeric.F32}, []int{1, 4}},
	{"tttt", []string{"smoothstep"}, floats, nil},
}

// letter returns the type that a letter of a signature denotes, for the given type t.
func letter(c byte, t Type) Type {
	switch c {
	case 'e':
		return t.elem()
	case 's':
		return t.with(t.Kind.SignedInt())
	case 'u':
		return t.with(t.Kind.SignedInt().Unsigned())
	case 'i':
		return t.with(numeric.I32)
	}
	return t
}

func contains[T comparable](list []T, x T) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return list == nil
}

// builtin calls a builtin function with a result of type t.
func (g *expressions) builtin(t Type, d int) *node {
	if g.chance(12) {
		return g.special(t, d)
	}
	rows := builtins
	if g.slow && g.chance(4) {
		rows = slowBuiltins
	}
	for range 12 {
		r := &rows[g.IntN(len(rows))]
		u := Type{r.kinds[g.IntN(len(r.kinds))], t.N}
		if r.sig[0] == 'e' {
			u.N = oneOf(g, 2, 3, 4)
		} else if contains(r.kinds, t.Kind) {
			u.Kind = t.Kind
		}
		if !contains(r.sizes, u.N) {
			continue
		}
		if r.names[0] == "ctz" && g.standard == opencl12 {
			continue // since OpenCL C 2.0
		}
		parts := []any{oneOf(g, r.names...), "("}
		for i := 1; i < len(r.sig); i++ {
			if i > 1 {
				parts = append(parts, ", ")
			}
			parts = append(parts, g.expr(letter(r.sig[i], u), d))
		}
		return g.wrap2(t, letter(r.sig[0], u), append(parts, ")")...)
	}
	return nil
}

// special calls a function whose operands have restricted values.
func (g *expressions) special(t Type, d int) *node {
	x := func(t Type) *node { return g.expr(t, d) }
	switch g.IntN(5) {
	case 3, 4:
		return g.dotProduct(t, d)
	case 0: // 24-bit integers
		u := Type{ints32[g.IntN(2)], t.N}
		arg := func() *node { return value(u, "((", x(u), ") >> 8)") }
		if u.Kind == numeric.U32 {
			return g.wrap2(t, u, "mad24(", arg(), ", ", arg(), ", ", x(u), ")")
		}
		return g.wrap2(t, u, "mul24(", arg(), ", ", arg(), ")")
	case 1:
		to, from := oneOf(g, numeric.I16, numeric.U16, numeric.I32, numeric.U32, numeric.I64), numeric.I8
		switch to {
		case numeric.U16:
			from = numeric.U8
		case numeric.I32:
			from = numeric.I16
		case numeric.U32:
			from = numeric.U16
		case numeric.I64:
			from = numeric.I32
		}
		return g.wrap2(t, t.with(to), "upsample(", x(t.with(from)), ", ", x(t.with(from.Unsigned())), ")")
	case 2: // the lower bound comes first
		u := t
		var lo, hi string
		if u.Kind.IsFloat() {
			lo, hi = fmt.Sprintf("(%s)(-2)", u.elem()), fmt.Sprintf("(%s)(7)", u.elem())
		} else {
			lo, hi = fmt.Sprintf("(%s)(3)", u.elem()), fmt.Sprintf("(%s)(100)", u.elem())
		}
		return value(t, "clamp(", x(u), fmt.Sprintf(", (%s)(%s), (%s)(%s))", u, lo, u, hi))
	}
	return nil
}

// dotProduct calls a dot product of 8-bit integers.
func (g *expressions) dotProduct(t Type, d int) *node {
	to := Type{numeric.I32, 1}
	letters := "ss"
	switch g.IntN(4) {
	case 0:
		letters = "us"
	case 1:
		letters = "su"
	case 2:
		letters, to.Kind = "uu", numeric.U32
	}
	name, acc := "dot", []any{")"}
	if g.chance(2) {
		name, acc = "dot_acc_sat", []any{", ", g.expr(to, d), ")"}
	}
	operand := func(c byte) *node {
		if c == 'u' {
			return g.expr(Type{numeric.U8, 4}, d)
		}
		return g.expr(Type{numeric.I8, 4}, d)
	}
	if g.chance(2) {
		name += "_4x8packed_" + letters + "_" + to.String()
		operand = func(byte) *node { return g.expr(Type{numeric.U32, 1}, d) }
	}
	return g.wrap2(t, to, append([]any{name, "(", operand(letters[0]), ", ", operand(letters[1])}, acc...)...)
}

// through calls a function that returns a second result through a pointer. The call is a statement's whole
// expression, so that the order of evaluation does not matter.
func (g *expressions) through(d int) (n *node, t Type) {
	t = Type{floats[g.IntN(3)], oneOf(g, 1, 1, 2, 4)}
	u, name := t, oneOf(g, "modf", "fract", "frexp")
	if name == "frexp" {
		u.Kind = numeric.I32
	}
	if v := g.addressable(u); v != "" {
		return value(t, name, "(", g.expr(t, d), ", &", v, ")"), t
	}
	return nil, t
}
