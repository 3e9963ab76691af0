package check

import (
	"slices"
	"strings"

	"github.com/purecl/purecl/internal/base/opencl"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// The explicit conversions are families of functions that the language defines by
// name (OpenCL C, "Explicit Conversions" 6.4.3, "Reinterpreting Data As Another Type" 6.4.4):
//
//	convert_TYPE[_sat][_rte|_rtz|_rtp|_rtn](x)
//	as_TYPE(x)

// A conversion is the meaning of a convert_ function's name.
type conversion struct {
	dst   *types.Type
	sat   bool
	round numeric.Round
}

func isConversionName(name string) bool {
	return strings.HasPrefix(name, "convert_") || asType(name) != nil || name == "as_bool" || name == "as_void"
}

// conversionName spells the function that converts to dst.
func conversionName(dst *types.Type, sat bool, r numeric.Round) string {
	name := "convert_" + dst.Name
	if sat {
		name += "_sat"
	}
	if r != numeric.RoundDefault {
		name += "_" + r.String()
	}
	return name
}

// convertibleType returns the type of a name that convert_ and as_ accept: a scalar or vector of numbers other than
// bool.
func convertibleType(name string) *types.Type {
	t := builtinTypes[name]
	if t == nil || t.Kind == types.Bool || !t.IsArithmetic() && !t.IsVector() {
		return nil
	}
	return t
}

func asType(name string) *types.Type {
	rest, ok := strings.CutPrefix(name, "as_")
	if !ok {
		return nil
	}
	return convertibleType(rest)
}

// parseConversion parses the name of a convert_ function. bad is the mistake in it, better the likely name.
func parseConversion(name string) (k conversion, bad, better string) {
	rest := strings.TrimPrefix(name, "convert_")
	for _, alias := range opencl.PointerSized { // convert_ does not accept these types
		if mods, ok := strings.CutPrefix(rest, alias.Name); ok && (mods == "" || mods[0] == '_') {
			return k, "'" + alias.Name + "' is not a type that values can be converted to", "convert_" + alias.As + mods
		}
	}
	word, mods, _ := strings.Cut(rest, "_")
	t := builtinTypes[word]
	switch {
	case t == nil || !t.IsArithmetic() && !t.IsVector():
		return k, "'" + word + "' is not a type that values can be converted to", ""
	}
	k.dst = t
	if t.Kind == types.Bool {
		return k, "there is no conversion to bool; compare with 0", ""
	}
	for mods != "" {
		var m string
		m, mods, _ = strings.Cut(mods, "_")
		r, isRound := numeric.ParseRound(m)
		switch {
		case m == "sat" && !k.sat && k.round == numeric.RoundDefault:
			k.sat = true
		case m == "sat" && !k.sat:
			return k, "'_sat' comes before the rounding mode", conversionName(t, true, k.round)
		case isRound && k.round == numeric.RoundDefault:
			k.round = r
		default:
			return k, "'_" + m + "' is neither '_sat' nor a rounding mode (_rte, _rtz, _rtp, _rtn)", ""
		}
	}
	if k.sat && t.Element().IsFloating() {
		return k, "'_sat' cannot be used for conversions to a floating-point type", conversionName(t, false, k.round)
	}
	return k, "", ""
}

// nearestConversion suggests a conversion for a misspelt name.
func nearestConversion(name string) (string, bool) {
	for _, p := range [...]string{"convert_", "as_"} {
		if !strings.HasPrefix(name, p) {
			continue
		}
		var list []string
		for n := range builtinTypes {
			if convertibleType(n) != nil {
				list = append(list, p+n)
			}
		}
		slices.Sort(list) // makes the choice among equally near names deterministic
		return diag.Nearest(name, list)
	}
	return "", false
}

// explicitConversion checks a call of a convert_ or as_ function.
func (c *conversions) explicitConversion(name string, at diag.Span, args []Expr, s diag.Span) Expr {
	t := asType(name)
	var k conversion
	if word, ok := strings.CutPrefix(name, "as_"); ok && t == nil {
		c.err(diag.InvalidReinterpretation, at, "there is no reinterpretation as '%s'", word)
		return c.badExpr(s)
	}
	if t == nil {
		var bad, better string
		if k, bad, better = parseConversion(name); bad != "" {
			d := c.err(diag.InvalidConversion, at, "'%s' is not a conversion function: %s", name, bad)
			if better == "" && k.dst == nil {
				better, _ = nearestConversion(name)
			}
			if better != "" {
				d.Note(diag.Span{}, "did you mean '%s'?", better).Replace(at, better)
			}
			return c.badExpr(s)
		}
	}
	if len(args) != 1 {
		word := "few"
		if len(args) > 1 {
			word = "many"
		}
		c.err(diag.ArgumentCount, at, "too %s arguments to function call, expected 1, have %d", word, len(args))
		return c.badExpr(s)
	}
	if isBad(args[0]) {
		return c.badExpr(s)
	}
	if t != nil {
		return c.reinterpret(args[0], t, s)
	}
	return c.convertExplicitly(c.unatomic(args[0]), k, name, at, s)
}

func (c *conversions) convertExplicitly(x Expr, k conversion, name string, at, s diag.Span) Expr {
	from := x.Type()
	switch {
	case !from.IsArithmetic() && !from.IsVector():
		c.err(diag.InvalidConversion, x.Span(), "'%s' cannot convert a value of type '%s'", name, from.Unqualified())
		return c.badExpr(s)
	case from.Lanes() != k.dst.Lanes():
		d := c.err(diag.ConversionCount, at, "'%s' needs %s, not '%s': the number of elements must be the same", name, countText(k.dst), from.Unqualified())
		if !from.IsVector() {
			d.Note(diag.Span{}, "(%s)(x) gives all components the value of a scalar", k.dst)
		} else if want := types.VectorType(k.dst.Element(), from.Lanes()); want != nil {
			better := conversionName(want, k.sat, k.round)
			d.Note(diag.Span{}, "did you mean '%s'?", better).Replace(at, better)
		}
		return c.badExpr(s)
	}
	if from.Type == k.dst {
		return respan(x, s)
	}
	if from.Kind == types.Enum {
		x = c.retype(x, from.Under)
		if x.Type().Type == k.dst {
			return x
		}
	}
	return c.mkConvert(x, k.dst, k.sat, k.round, false, s)
}

func countText(t *types.Type) string {
	if t.IsVector() {
		return "a vector of " + t.Name[len(t.Elem.Name):] + " elements"
	}
	return "a scalar"
}

// reinterpret checks as_TYPE(x) and __builtin_astype.
func (c *conversions) reinterpret(x Expr, t *types.Type, s diag.Span) Expr {
	from := x.Type()
	switch {
	case from.IsInvalid() || t.IsInvalid():
		return c.badExpr(s)
	case from.Type == t:
		return respan(x, s)
	case from.IsPointer() && t.IsPointer():
		if from.Elem.Space != t.Elem.Space {
			c.err(diag.AddressSpace, s, "reinterpreting '%s' as '%s' changes address space of pointer", from.Unqualified(), t)
			return c.badExpr(s)
		}
		return c.pointerTo(x, t)
	case !reinterpretable(from.Type) || !reinterpretable(t):
		bad := from.Unqualified()
		if reinterpretable(from.Type) {
			bad = types.Q(t)
		}
		c.err(diag.InvalidReinterpretation, x.Span(), "invalid reinterpretation: type '%s' cannot be reinterpreted", bad)
		return c.badExpr(s)
	}
	if from.Kind == types.Enum {
		x = c.retype(x, from.Under)
		from = x.Type()
	}
	// A 3-component vector is as large as a 4-component one. A vector literal that adds a fourth component of its
	// own type to it reinterprets nothing (docs/decisions/0004).
	narrow := from.Lanes() == 4 && t.Lanes() == 3
	lengthen := from.Lanes() == 3 && t.Lanes() == 4 && from.Element() == t.Element()
	if from.Size() != t.Size() || lengthen {
		d := c.err(diag.ReinterpretationSize, s, "invalid reinterpretation: sizes of '%s' and '%s' must match", t, from.Unqualified())
		d.Note(diag.Span{}, "'%s' has %d bytes, '%s' has %d", t, visibleSize(t), from.Unqualified(), visibleSize(from.Type))
		if from.Lanes() == t.Lanes() {
			d.Note(diag.Span{}, "to convert the values use 'convert_%s'", t)
		} else if lengthen {
			d.Note(diag.Span{}, "give the fourth component a value first: (%s4)(x, 0)", from.Element())
		}
		return c.badExpr(s)
	}
	if from.Lanes() != t.Lanes() && !narrow {
		d := c.rep.Report(diag.ImplementationDefined, s, "reinterpreting '%s' as '%s', with another number of elements, is implementation-defined", from.Unqualified(), t)
		d.Note(diag.Span{}, "the result has the bytes in memory order, as through a union")
		if from.Lanes() == 3 {
			d.Note(diag.Span{}, "'%s' has values for %d of the %d bytes", from.Unqualified(), visibleSize(from.Type), from.Size())
		}
	}
	return c.mkBitcast(x, t, s)
}

func reinterpretable(t *types.Type) bool {
	return t.IsVector() || t.IsArithmetic() && t.Kind != types.Bool
}

// visibleSize returns the size of a type's components, without the fourth slot of a 3-vector.
func visibleSize(t *types.Type) int { return t.Lanes() * t.Num().Size() }
