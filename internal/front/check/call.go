package check

import (
	"fmt"
	"math"

	"github.com/purecl/purecl/internal/front/builtin"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/types"
)

// calls selects the function or overload for a call with checked arguments, and converts the arguments to its
// parameters. It adds the call to the call graph.
type calls struct{ scopes }

// A funcRef is the name of a function; it can only be called.
type funcRef struct {
	Base
	sym  *symbol // nil for a builtin
	name string
	lang language
}

// callFunc checks a call of a function of the program.
func (c *calls) callFunc(ref *funcRef, n *syntax.Call, args []Expr, bad bool) Expr {
	f := ref.sym.fns[0]
	if ref.sym.overloaded() {
		if bad {
			return c.badExpr(n.Span())
		}
		if f = overload(ref, args); f == nil {
			if builtin.Exists(&c.env, ref.name) {
				if o, _ := builtin.Resolve(&c.env, ref.name, argTypes(args)); o != nil {
					return c.mkBuiltin(o, n, args)
				}
			}
			c.noOverload(ref, args)
			return c.badExpr(n.Span())
		}
	}
	c.noteCall(f, ref.Span())
	s := n.Span()
	if want := len(f.Type.Params); want != len(args) {
		c.argumentCount(f, n, len(args))
		return c.badExpr(s)
	}
	if bad {
		return c.badExpr(s)
	}
	list := c.slabs.exprs.Keep(args)
	for i := range list {
		var p paramRef
		if i < len(f.paramNames) {
			p = paramRef{f.paramNames[i], f.paramSpans[i]}
		}
		list[i] = c.assign(list[i], f.Type.Params[i], action{"passing", &p})
		bad = bad || isBad(list[i])
	}
	if bad || f.Type.Elem.IsInvalid() {
		return c.badExpr(s)
	}
	call := c.slabs.call.New()
	*call = Call{Base{f.Type.Elem, s}, f.Func, list}
	return call
}

// noteCall adds a call to the call graph.
func (c *calls) noteCall(f *funcInfo, at diag.Span) {
	f.used = true
	f.sym.used = true
	c.info.use(f.Func, at)
	if c.fn == nil || f.lastCaller == c.fn.Func {
		return
	}
	// Bodies are checked one after the other, so that this is the first call from this body.
	f.lastCaller = c.fn.Func
	c.fn.Calls = append(c.fn.Calls, f.Func)
	c.fn.calls = append(c.fn.calls, at)
}

// argumentCount reports a call with too few or too many arguments, in clang's wording.
func (c *calls) argumentCount(f *funcInfo, n *syntax.Call, have int) {
	want := len(f.Type.Params)
	single := want == 1 && len(f.paramNames) == 1 && f.paramNames[0] != ""
	var d *diag.Diagnostic
	if have < want {
		at := diag.Span{Pos: n.Rparen, End: n.Rparen + 1}
		if single {
			d = c.err(diag.ArgumentCount, at, "too few arguments to function call, single argument '%s' was not specified", f.paramNames[0])
		} else {
			d = c.err(diag.ArgumentCount, at, "too few arguments to function call, expected %d, have %d", want, have)
		}
	} else {
		at := n.Args[want].Span()
		if single {
			d = c.err(diag.ArgumentCount, at, "too many arguments to function call, expected single argument '%s', have %d arguments", f.paramNames[0], have)
		} else {
			d = c.err(diag.ArgumentCount, at, "too many arguments to function call, expected %d, have %d", want, have)
		}
	}
	d.Note(f.Span, "'%s' declared here", f.Name)
}

func argTypes(args []Expr) []types.QType {
	list := make([]types.QType, len(args))
	for i, a := range args {
		list[i] = a.Type()
	}
	return list
}

// overload selects an overloadable function of the program: the one for which no argument's conversion is worse
// than for another candidate.
func overload(ref *funcRef, args []Expr) *funcInfo {
	var best *funcInfo
	var bestRank []int
	ambiguous := false
	for _, f := range ref.sym.fns {
		if len(f.Type.Params) != len(args) {
			continue
		}
		ranks := make([]int, len(args))
		fits := true
		for i, a := range args {
			ranks[i] = conversionRank(a, f.Type.Params[i])
			fits = fits && ranks[i] >= 0
		}
		if !fits {
			continue
		}
		if best == nil {
			best, bestRank = f, ranks
			continue
		}
		switch better(ranks, bestRank) {
		case 1:
			best, bestRank, ambiguous = f, ranks, false
		case 0:
			ambiguous = true
		}
	}
	if ambiguous {
		return nil
	}
	return best
}

// better returns 1 if a is better than b, -1 if b is, 0 if neither.
func better(a, b []int) int {
	less, more := false, false
	for i := range a {
		less = less || a[i] < b[i]
		more = more || a[i] > b[i]
	}
	switch {
	case less && !more:
		return 1
	case more && !less:
		return -1
	}
	return 0
}

// conversionRank ranks the conversion of an argument: 0 is exact, a higher rank is worse, -1 means that there is
// none.
func conversionRank(a Expr, p types.QType) int {
	t := a.Type()
	switch {
	case t.Type == p.Type:
		return 0
	case t.IsArithmetic() && p.IsArithmetic():
		from, to := arithType(t.Type).Kind, arithType(p.Type).Kind
		if promoteKind(from) == to || from == types.Float && to == types.Double {
			return 2
		}
		return 4
	case t.IsArithmetic() && p.IsVector():
		return 6
	case p.IsPointer() && isNull(a):
		return 4
	case t.IsPointer() && p.IsPointer():
		from, to := t.Elem, p.Elem
		switch {
		case !spaceFits(from.Space, to.Space):
			return -1
		case from.Type == to.Type && !(from.Const && !to.Const) && !(from.Volatile && !to.Volatile):
			return 1
		case to.IsVoid():
			return 4
		case from.Type == to.Type || from.IsVoid():
			return 7
		}
		return 8
	case t.IsPointer() && p.Kind == types.Bool:
		return 5
	case p.Kind == types.Sampler && t.IsInteger(), p.Kind == types.Event && isZero(a):
		return 4
	}
	return -1
}

// noOverload reports that no overload matches.
func (c *calls) noOverload(ref *funcRef, args []Expr) {
	d := c.err(diag.NoMatchingFunction, ref.Span(), "no matching function for call to '%s'", ref.name)
	for _, f := range ref.sym.fns {
		d.Note(f.Span, "candidate function not viable: %s", unfit(f.Type, args))
	}
}

func unfit(t *types.Type, args []Expr) string {
	if len(t.Params) != len(args) {
		return fmt.Sprintf("requires %d arguments, but %d were provided", len(t.Params), len(args))
	}
	for i, p := range t.Params {
		if conversionRank(args[i], p) < 0 {
			return fmt.Sprintf("no known conversion from '%s' to '%s' for argument %d", args[i].Type(), p, i+1)
		}
	}
	return "the call is ambiguous"
}

// callBuiltin checks a call of a builtin function.
func (c *calls) callBuiltin(f *funcRef, n *syntax.Call, at diag.Span, args []Expr, bad bool) Expr {
	s, name := n.Span(), f.name
	switch {
	case f.lang == isConversion:
		return c.explicitConversion(name, at, args, s)
	case f.lang == isFolded && !bad:
		return foldedBuiltins[name](c, name, args, at, s)
	}
	if bad {
		return c.badExpr(s)
	}
	c.slabs.argTypes = c.slabs.argTypes[:0]
	for _, a := range args {
		c.slabs.argTypes = append(c.slabs.argTypes, a.Type())
	}
	o, candidates := builtin.Resolve(&c.env, name, c.slabs.argTypes)
	if o == nil {
		c.noBuiltin(name, at, args, candidates)
		return c.badExpr(s)
	}
	return c.mkBuiltin(o, n, args)
}

// mkBuiltin converts the arguments to the overload's parameters.
func (c *calls) mkBuiltin(o *builtin.Overload, n *syntax.Call, args []Expr) Expr {
	if c.info != nil {
		c.info.language(BuiltinObject, o.Row.Name, unparen(n.Fun).Span(), o, types.QType{}, 0)
	}
	list := c.slabs.exprs.Keep(args)
	bad := false
	for i := range list {
		if i < len(o.Params) {
			list[i] = c.assign(list[i], o.Params[i], action{"passing", &paramRef{}})
		} else {
			list[i] = c.defaultPromotion(list[i])
		}
		bad = bad || isBad(list[i])
	}
	if o.Row.Name == "printf" && !bad {
		c.warnFormat(list)
	}
	if bad {
		return c.badExpr(n.Span())
	}
	if c.opts.FastMath {
		o = builtin.Relaxed(&c.env, o)
	}
	call := c.slabs.builtin.New()
	*call = BuiltinCall{Base{o.Result.Unqualified(), n.Span()}, o, list}
	return call
}

// maxCandidates bounds the overloads that an error lists.
const maxCandidates = 6

// noBuiltin reports that no overload of a builtin matches.
func (c *calls) noBuiltin(name string, at diag.Span, args []Expr, list []builtin.Candidate) {
	ambiguous := len(list) > 0 && list[0].Reason == ""
	var d *diag.Diagnostic
	if ambiguous {
		d = c.err(diag.AmbiguousCall, at, "call to '%s' is ambiguous", name)
	} else {
		d = c.err(diag.NoMatchingFunction, at, "no matching function for call to '%s'", name)
	}
	if d == nil {
		return
	}
	d.Note(diag.Span{}, "the arguments have types (%s)", typeList(argTypes(args)))
	for i, k := range list {
		if i == maxCandidates {
			d.Note(diag.Span{}, "and %d more candidates", len(list)-i)
			break
		}
		if k.Reason == "" {
			d.Note(diag.Span{}, "candidate function: %s(%s)", name, typeList(k.Overload.Params))
		} else {
			d.Note(diag.Span{}, "candidate function %s(%s) not viable: %s", name, typeList(k.Overload.Params), k.Reason)
		}
	}
}

func typeList(list []types.QType) string {
	s := ""
	for i, q := range list {
		if i > 0 {
			s += ", "
		}
		s += q.Unqualified().String()
	}
	return s
}

// foldedBuiltins are compiler builtins whose calls are constants or are removed.
var foldedBuiltins = map[string]func(c *calls, name string, args []Expr, at, s diag.Span) Expr{}

func init() {
	floats := func(t types.Kind, f64, f32, f16 uint64) func(c *calls, name string, args []Expr, at, s diag.Span) Expr {
		return func(c *calls, name string, args []Expr, at, s diag.Span) Expr {
			return c.konst(types.ScalarType(t), s, map[types.Kind]uint64{types.Double: f64, types.Float: f32, types.Half: f16}[t])
		}
	}
	inf, nan := math.Float64bits(math.Inf(1)), uint64(0x7ff8)<<48
	for _, n := range []string{"__builtin_huge_val", "__builtin_inf"} {
		foldedBuiltins[n] = floats(types.Double, inf, 0, 0)
		foldedBuiltins[n+"f"] = floats(types.Float, 0, 0x7f800000, 0)
	}
	foldedBuiltins["__builtin_nan"] = floats(types.Double, nan, 0, 0)
	foldedBuiltins["__builtin_nanf"] = floats(types.Float, 0, 0x7fc00000, 0)
	foldedBuiltins["__builtin_expect"] = func(c *calls, name string, args []Expr, at, s diag.Span) Expr {
		if len(args) != 2 || !args[0].Type().IsInteger() || !args[1].Type().IsInteger() {
			c.err(diag.NoMatchingFunction, at, "no matching function for call to '%s'", name)
			return c.badExpr(s)
		}
		return c.convertTo(args[0], types.ScalarType(types.Long))
	}
	foldedBuiltins["__builtin_assume"] = func(c *calls, name string, args []Expr, at, s diag.Span) Expr {
		if len(args) != 1 || !args[0].Type().IsScalar() {
			c.err(diag.NoMatchingFunction, at, "no matching function for call to '%s'", name)
			return c.badExpr(s)
		}
		return &ToVoid{Base{types.Q(types.VoidType), s}, args[0]}
	}
	foldedBuiltins["__builtin_constant_p"] = func(c *calls, name string, args []Expr, at, s diag.Span) Expr {
		if len(args) != 1 {
			c.err(diag.ArgumentCount, at, "too few arguments to function call, expected 1, have %d", len(args))
			return c.badExpr(s)
		}
		k, _ := c.constant(args[0])
		v := int64(0)
		if k != nil {
			v = 1
		}
		return c.intConst(s, v)
	}
}
