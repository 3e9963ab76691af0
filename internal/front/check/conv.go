package check

import (
	"fmt"
	"math"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// conversions converts expressions to other types: implicitly, as the operand of an operator, an argument or an
// initial value, and explicitly, as a cast does. It reports conversions that are not allowed. It knows nothing of
// the operators for which it converts.
type conversions struct{ nodes }

// rvalue returns the value of e: it loads l-values and decays arrays (C99 6.3.2.1).
func (c *conversions) rvalue(e Expr) Expr {
	t := e.Type()
	switch t.Kind {
	case types.Invalid:
		return e
	case types.Func:
		c.err(diag.FunctionPointer, e.Span(), "taking address of function is not allowed")
		return c.badExpr(e.Span())
	case types.Array:
		return c.decay(e)
	}
	if !isLvalue(e) {
		return e
	}
	if d, ok := e.(*Deref); ok && t.IsVoid() {
		return &ToVoid{Base{types.Q(types.VoidType), e.Span()}, d.X}
	}
	if t.Kind == types.Half && !c.enabled("cl_khr_fp16") && c.discard == 0 {
		if _, ok := e.(*Swizzle); !ok {
			c.err(diag.HalfAccess, e.Span(), "loading directly from pointer to type '%s' requires fp16. Use vector data load builtin functions instead", t)
			return c.badExpr(e.Span())
		}
	}
	if s, ok := e.(*Swizzle); ok && hasDuplicates(s.Lanes) {
		return c.mkSwizzle(c.rvalue(s.X), s.Lanes, s.T.Type, s.S)
	}
	markRead(e)
	l := c.slabs.load.New()
	l.T.Type, l.S, l.X = t.Type, e.Span(), e
	return l
}

// markRead marks the variable that contains e as read.
func markRead(e Expr) {
	for {
		switch x := e.(type) {
		case *VarRef:
			x.Var.Used = true
			return
		case *Member:
			e = x.X
		case *Swizzle:
			e = x.X
		case *VecIndex:
			e = x.X
		default:
			return
		}
	}
}

// decay returns the address of an array's first element.
func (c *conversions) decay(e Expr) Expr {
	t := e.Type()
	elem := types.QType{Type: t.Elem.Type, Quals: t.Quals}
	elem.Restrict = false
	if elem.Space == types.NoSpace {
		elem.Space = types.Private
	}
	if !isLvalue(e) {
		// An array inside an r-value record gets its own unnamed variable.
		c.err(diag.RvalueArray, e.Span(), "cannot use an array inside an r-value of type '%s'", t)
		return c.badExpr(e.Span())
	}
	markRead(e)
	addressTaken(e)
	n := c.slabs.decay.New()
	n.T.Type, n.S, n.X = c.tc.PointerTo(elem), e.Span(), e
	return n
}

// addressTaken marks the variable that contains e: its address escapes.
func addressTaken(e Expr) {
	for {
		switch x := e.(type) {
		case *VarRef:
			x.Var.AddrTaken = true
			return
		case *CompoundLit:
			x.Var.AddrTaken = true
			return
		case *Member:
			e = x.X
		default:
			return
		}
	}
}

// discarded returns an expression whose value is not used.
func (c *conversions) discarded(e Expr) Expr {
	t := e.Type()
	if t.IsInvalid() {
		return e
	}
	if t.Kind == types.Func {
		return c.rvalue(e)
	}
	if !isLvalue(e) {
		return e
	}
	x := c.rvalue(e)
	if isBad(x) || x.Type().IsVoid() || t.Volatile {
		return x
	}
	return &ToVoid{Base{types.Q(types.VoidType), e.Span()}, x}
}

// promoteKind applies the integer promotions (C99 6.3.1.1p2).
func promoteKind(k types.Kind) types.Kind {
	if k >= types.Bool && k < types.Int {
		return types.Int
	}
	return k
}

// arithType returns the scalar type in which an arithmetic type computes, with enums resolved.
func arithType(t *types.Type) *types.Type {
	if t.Kind == types.Enum {
		return t.Under
	}
	return t
}

// promote applies the integer promotions to an r-value scalar.
func (c *conversions) promote(e Expr) Expr {
	t := arithType(e.Type().Type)
	if !t.IsArithmetic() {
		return e
	}
	k := promoteKind(t.Kind)
	if l, ok := e.(*Load); ok {
		// A bit-field whose values fit int becomes int.
		if m, ok := l.X.(*Member); ok && m.Field.Bits >= 0 && t.Kind == types.UInt && m.Field.Bits < 32 {
			k = types.Int
		}
	}
	return c.convertTo(e, types.ScalarType(k))
}

// usualKind returns the common type of the usual arithmetic conversions (C99 6.3.1.8; OpenCL C 6.4.6 adds half,
// which ranks below float and is not promoted).
func usualKind(a, b types.Kind) types.Kind {
	if a >= types.Half || b >= types.Half {
		return max(a, b)
	}
	a, b = promoteKind(a), promoteKind(b)
	if a == b {
		return a
	}
	lo, hi := min(a, b), max(a, b)
	// hi has the greater rank, or is the unsigned one of equal rank: int+uint is uint, uint+long is long because
	// long can represent every uint.
	_ = lo
	return hi
}

// usual converts two arithmetic r-values to their common type.
func (c *conversions) usual(x, y Expr) (Expr, Expr, *types.Type) {
	x, y = c.bitFieldInt(x), c.bitFieldInt(y)
	t := types.ScalarType(usualKind(arithType(x.Type().Type).Kind, arithType(y.Type().Type).Kind))
	return c.convertTo(x, t), c.convertTo(y, t), t
}

func (c *conversions) bitFieldInt(e Expr) Expr {
	if l, ok := e.(*Load); ok {
		if m, ok := l.X.(*Member); ok && m.Field.Bits >= 0 {
			return c.promote(e)
		}
	}
	return e
}

// unatomic returns an atomic value as an ordinary one.
func (c *conversions) unatomic(e Expr) Expr {
	if t := e.Type(); t.Kind == types.Atomic {
		return c.retype(e, t.Elem.Type)
	}
	return e
}

// convertTo inserts the implicit conversion of an r-value to the arithmetic, vector or pointer type t. The
// conversion must be allowed.
func (c *conversions) convertTo(e Expr, t *types.Type) Expr {
	from := e.Type().Type
	switch {
	case from == t || from.IsInvalid():
		return e
	case t.Kind == types.Vector && from.Kind != types.Vector:
		return c.mkSplat(c.convertTo(e, t.Elem.Type), t, e.Span())
	case from.Kind == types.Enum && from.Under == t, t.Kind == types.Enum && t.Under == from,
		t.Kind == types.Enum && from.Kind == types.Enum && t.Under == from.Under:
		return c.retype(e, t)
	}
	return c.mkConvert(e, t, false, numeric.RoundDefault, true, e.Span())
}

// toBool converts a scalar r-value for a condition.
func (c *conversions) toBool(e Expr) Expr {
	t := e.Type().Type
	if t.Kind == types.Bool || t.IsInvalid() {
		return e
	}
	// A comparison's 0 or 1 is a bool already, but the tree keeps the node kinds apart.
	return c.mkConvert(e, types.ScalarType(types.Bool), false, numeric.RoundDefault, true, e.Span())
}

// An action is the reason for an implicit conversion, in the words of diagnostics.
type action struct {
	verb  string // "initializing", "assigning to", "passing", "returning"
	param *paramRef
}

type paramRef struct {
	name string
	span diag.Span
}

var (
	initializing = action{verb: "initializing"}
	assigning    = action{verb: "assigning to"}
	returning    = action{verb: "returning"}
)

// describe formulates the two types as clang does for each action.
func (a action) describe(dst, src types.QType) string {
	dst.Quals, src.Quals = types.Quals{}, types.Quals{}
	switch a.verb {
	case "assigning to":
		return fmt.Sprintf("assigning to '%s' from", dst)
	case "passing":
		return fmt.Sprintf("passing '%s' to parameter of", src)
	case "returning":
		return fmt.Sprintf("returning '%s' from a function with", src)
	}
	return fmt.Sprintf("initializing '%s' with an expression of", dst)
}

// mismatch reports that src cannot be converted to dst.
func (c *conversions) mismatch(e Expr, dst types.QType, a action) *diag.Diagnostic {
	src := e.Type().Unqualified()
	dst.Quals = types.Quals{}
	var d *diag.Diagnostic
	switch a.verb {
	case "assigning to":
		d = c.err(diag.IncompatibleTypes, e.Span(), "assigning to '%s' from incompatible type '%s'", dst, src)
	case "passing":
		d = c.err(diag.IncompatibleTypes, e.Span(), "passing '%s' to parameter of incompatible type '%s'", src, dst)
	case "returning":
		d = c.err(diag.IncompatibleTypes, e.Span(), "returning '%s' from a function with incompatible result type '%s'", src, dst)
	default:
		d = c.err(diag.IncompatibleTypes, e.Span(), "initializing '%s' with an expression of incompatible type '%s'", dst, src)
	}
	return noteParam(d, a)
}

func noteParam(d *diag.Diagnostic, a action) *diag.Diagnostic {
	if a.param != nil && a.param.span.IsValid() {
		if a.param.name != "" {
			d.Note(a.param.span, "passing argument to parameter '%s' here", a.param.name)
		} else {
			d.Note(a.param.span, "passing argument to parameter here")
		}
	}
	return d
}

// assign converts an r-value as in an assignment to an object of type dst (C99 6.5.16.1; OpenCL C, "Implicit
// Conversions" 6.4.1 and "Usual Arithmetic Conversions" 6.4.6).
func (c *conversions) assign(e Expr, dst types.QType, a action) Expr {
	src := e.Type()
	switch {
	case src.IsInvalid() || dst.IsInvalid():
		return c.badExpr(e.Span())
	case src.Type == dst.Type:
		return e
	case dst.Kind == types.Atomic && (src.IsArithmetic() || src.IsPointer()):
		e = c.assign(e, dst.Elem, a)
		if isBad(e) {
			return e
		}
		return c.retype(e, dst.Type)
	case src.Kind == types.Atomic:
		return c.assign(c.retype(e, src.Elem.Type), dst, a)
	case dst.IsArithmetic():
		return c.assignArithmetic(e, dst, a)
	case dst.Kind == types.Vector:
		if src.IsArithmetic() {
			return c.convertTo(e, dst.Type)
		}
		d := c.mismatch(e, dst, a)
		if src.Kind == types.Vector {
			suggestConversion(d, e, dst.Type)
		}
		return c.badExpr(e.Span())
	case dst.Kind == types.Pointer:
		return c.assignPointer(e, dst, a)
	case dst.Kind == types.Sampler && src.IsInteger():
		return c.samplerConst(e, dst.Type)
	case (dst.Kind == types.Event || dst.Kind == types.Placeholder) && isZero(e):
		return c.konst(dst.Type, e.Span(), 0)
	case dst.Kind == types.Image && src.Kind == types.Image && dst.Image == src.Image && src.Access == types.NoAccess:
		return e
	}
	c.mismatch(e, dst, a)
	return c.badExpr(e.Span())
}

func (c *conversions) assignArithmetic(e Expr, dst types.QType, a action) Expr {
	src := e.Type()
	switch {
	case src.IsArithmetic():
		c.warnConversion(e, dst.Type)
		return c.convertTo(e, dst.Type)
	case src.IsPointer() && dst.Kind == types.Bool:
		return c.toBool(e)
	case src.IsPointer() && dst.IsInteger():
		d := c.err(diag.IntConversion, e.Span(), "incompatible pointer to integer conversion %s type '%s'", a.describe(dst, src), pick(a, dst, src))
		noteParam(d, a)
		return c.badExpr(e.Span())
	}
	d := c.mismatch(e, dst, a)
	if src.IsVector() {
		d.Note(diag.Span{}, "select one component, such as .x or .s0")
	}
	return c.badExpr(e.Span())
}

// pick returns the type that describe leaves for the end of the sentence.
func pick(a action, dst, src types.QType) types.QType {
	dst.Quals, src.Quals = types.Quals{}, types.Quals{}
	if a.verb == "passing" || a.verb == "returning" {
		return dst
	}
	return src
}

// isZero reports whether e is the integer constant 0, a null pointer constant
// (C99 6.3.2.3p3).
func isZero(e Expr) bool {
	k, ok := e.(*Const)
	return ok && k.T.IsInteger() && k.Bits[0] == 0
}

// isNull reports whether e is a null pointer constant: 0 or (void *)0, without a named
// address space.
func isNull(e Expr) bool {
	if isZero(e) {
		return true
	}
	k, ok := e.(*Const)
	if !ok || !k.T.IsPointer() || k.Bits[0] != 0 || !k.T.Elem.IsVoid() {
		return false
	}
	switch k.T.Elem.Space {
	case types.Global, types.Local, types.Constant:
		return false
	}
	return true
}

// samplerConst returns a sampler from an integer constant (OpenCL C, "Samplers", 6.15.15.1).
func (c *conversions) samplerConst(e Expr, t *types.Type) Expr {
	k, _ := c.constant(e)
	if k == nil {
		c.err(diag.SamplerConstant, e.Span(), "sampler_t initialization requires 32-bit integer constant, not '%s'", e.Type().Unqualified())
		return c.badExpr(e.Span())
	}
	if e.Type().Size() > 4 && k.Bits[0] > math.MaxUint32 {
		c.err(diag.SamplerConstant, e.Span(), "sampler_t initialization requires 32-bit integer constant, not '%s'", e.Type().Unqualified())
		return c.badExpr(e.Span())
	}
	return c.konst(t, e.Span(), k.Bits[0])
}

func (c *conversions) assignPointer(e Expr, dst types.QType, a action) Expr {
	src := e.Type()
	switch {
	case isNull(e):
		return c.konst(dst.Type, e.Span(), 0)
	case src.IsInteger():
		d := c.err(diag.IntConversion, e.Span(), "incompatible integer to pointer conversion %s type '%s'", a.describe(dst, src), pick(a, dst, src))
		noteParam(d, a)
		return c.badExpr(e.Span())
	case src.Kind != types.Pointer:
		c.mismatch(e, dst, a)
		return c.badExpr(e.Span())
	}
	from, to := src.Elem, dst.Elem
	if !spaceFits(from.Space, to.Space) {
		d := c.err(diag.AddressSpace, e.Span(), "%s type '%s' changes address space of pointer", a.describe(dst, src), pick(a, dst, src))
		noteParam(d, a)
		return c.badExpr(e.Span())
	}
	switch {
	case from.Type == to.Type || from.IsVoid() || to.IsVoid():
		if from.Const && !to.Const && from.Space != types.Constant || from.Volatile && !to.Volatile {
			d := c.rep.Report(diag.DiscardsQualifiers, e.Span(), "%s type '%s' discards qualifiers", a.describe(dst, src), pick(a, dst, src))
			noteParam(d, a)
		}
	case differInSign(from.Type, to.Type):
		d := c.rep.Report(diag.PointerSign, e.Span(), "%s type '%s' converts between pointers to integer types with different sign", a.describe(dst, src), pick(a, dst, src))
		noteParam(d, a)
	case from.Kind == types.Pointer && to.Kind == types.Pointer && nestedSpace(from, to):
		d := c.err(diag.AddressSpace, e.Span(), "%s type '%s' changes address space of nested pointer", a.describe(dst, src), pick(a, dst, src))
		noteParam(d, a)
		return c.badExpr(e.Span())
	case sameButQuals(from.Type, to.Type):
		d := c.rep.Report(diag.DiscardsQualifiers, e.Span(), "%s type '%s' discards qualifiers in nested pointer types", a.describe(dst, src), pick(a, dst, src))
		noteParam(d, a)
	default:
		d := c.rep.Report(diag.IncompatiblePointers, e.Span(), "incompatible pointer types %s type '%s'", a.describe(dst, src), pick(a, dst, src))
		noteParam(d, a)
	}
	return c.pointerTo(e, dst.Type)
}

// pointerTo converts a pointer to another pointer type.
func (c *conversions) pointerTo(e Expr, t *types.Type) Expr {
	from := e.Type()
	if from.Type == t {
		return e
	}
	if k, ok := e.(*Const); ok {
		return c.konst(t, e.Span(), k.Bits[0])
	}
	if from.Elem.Space != t.Elem.Space {
		e = &SpaceCast{Base{types.Q(c.tc.PointerTo(from.Elem.In(t.Elem.Space))), e.Span()}, e}
		if e.Type().Type == t {
			return e
		}
	}
	return &Bitcast{Base{types.Q(t), e.Span()}, e}
}

// sameSpace converts two pointers to a common address space.
func (c *conversions) sameSpace(x, y Expr) (Expr, Expr) {
	a, b := x.Type().Elem, y.Type().Elem
	if a.Space == b.Space {
		return x, y
	}
	if a.Space == types.Generic {
		return x, c.pointerTo(y, c.tc.PointerTo(b.In(types.Generic)))
	}
	return c.pointerTo(x, c.tc.PointerTo(a.In(types.Generic))), y
}

// overlap reports operations on pointers into disjoint address spaces.
func (c *conversions) overlap(x, y Expr, at diag.Span) bool {
	a, b := x.Type().Elem.Space, y.Type().Elem.Space
	if spaceFits(a, b) || spaceFits(b, a) {
		return true
	}
	c.err(diag.AddressSpace, at, "operation on pointers to different address spaces ('%s' and '%s')", x.Type(), y.Type())
	return false
}

// integerOf converts an integer or pointer to the 64-bit integer type u.
func (c *conversions) integerOf(e Expr, u *types.Type) Expr {
	if e.Type().IsPointer() {
		if k, ok := e.(*Const); ok {
			return c.konst(u, e.Span(), k.Bits[0])
		}
		return &Bitcast{Base{types.Q(u), e.Span()}, e}
	}
	return c.convertTo(e, u)
}

// spaceFits reports whether a pointer to one address space converts implicitly to
// one to another (OpenCL C, "The Generic Address Space", 6.7.5).
func spaceFits(from, to types.AddressSpace) bool {
	return from == to || to == types.Generic && from != types.Constant
}

func differInSign(a, b *types.Type) bool {
	a, b = arithType(a), arithType(b)
	if a.Kind == types.Vector || b.Kind == types.Vector {
		return a.Kind == b.Kind && a.Len == b.Len && differInSign(a.Elem.Type, b.Elem.Type)
	}
	return a.IsInteger() && b.IsInteger() && a.Kind != types.Bool && b.Kind != types.Bool && a.Size() == b.Size()
}

// nestedSpace reports whether two pointer types differ in an address space below the outermost level.
func nestedSpace(a, b types.QType) bool {
	for a.Kind == types.Pointer && b.Kind == types.Pointer {
		if a.Elem.Space != b.Elem.Space {
			return true
		}
		a, b = a.Elem, b.Elem
	}
	return false
}

// sameButQuals reports whether nested pointers differ in const and the like only.
func sameButQuals(a, b *types.Type) bool {
	for a.Kind == types.Pointer && b.Kind == types.Pointer {
		a, b = a.Elem.Type, b.Elem.Type
	}
	return a == b
}

// suggestConversion adds to an error about a vector the explicit conversion that corrects it (OpenCL C, "Explicit
// Conversions", 6.4.3).
func suggestConversion(d *diag.Diagnostic, e Expr, dst *types.Type) {
	src := e.Type()
	if d == nil || src.Kind != types.Vector || dst.Kind != types.Vector {
		return
	}
	d.Note(diag.Span{}, "there are no implicit conversions between vector types")
	if src.Len != dst.Len {
		return
	}
	if conv, ok := e.(*Convert); ok && !conv.Implicit {
		// The span begins with the function's name.
		was, want := conversionName(src.Type, conv.Sat, conv.Round), conversionName(dst, conv.Sat && !dst.Elem.IsFloating(), conv.Round)
		d.Note(diag.Span{}, "did you mean '%s'?", want).Replace(diag.Span{Pos: conv.S.Pos, End: conv.S.Pos + diag.Pos(len(was))}, want)
		return
	}
	if src.Size() == dst.Size() {
		d.Note(diag.Span{}, "use convert_%s to convert the values or as_%s to keep the bits", dst, dst)
	} else {
		d.Note(diag.Span{}, "use convert_%s to convert the values", dst)
	}
}

// defaultPromotion promotes an argument of printf (OpenCL C, "printf", 6.15.14): small integers to int, half and,
// if double is supported, float to double.
func (c *conversions) defaultPromotion(e Expr) Expr {
	e = c.unatomic(e)
	t := e.Type()
	switch {
	case t.IsInteger():
		return c.promote(e)
	case t.IsFloating():
		return c.convertTo(e, types.ScalarType(types.Double))
	}
	return e
}
