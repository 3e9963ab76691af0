package check

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
	"github.com/purecl/purecl/internal/front/token"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// number evaluates an integer or floating constant (C99 6.4.4.1, 6.4.4.2; OpenCL C 6.3.1).
func (c *expressions) number(n *syntax.NumberLit) Expr {
	text := n.Text
	s := n.Span()
	if len(text) == 1 && text[0] >= '0' && text[0] <= '9' {
		return c.konst(types.ScalarType(types.Int), s, uint64(text[0]-'0'))
	}
	k, isFloat, bad, at := token.IntConstant(text)
	switch {
	case isFloat:
		return c.floating(text, k.Base == 16, s)
	case bad != "":
		p := s.Pos + diag.Pos(at)
		c.err(diag.InvalidNumber, diag.Span{Pos: p, End: max(p+1, s.End)}, "%s", bad)
		return c.badExpr(s)
	case k.Overflow:
		c.err(diag.InvalidNumber, s, "integer literal is too large to be represented in any integer type")
		return c.badExpr(s)
	}
	kind := c.intLitType(k.Value, k.Base == 10, k.Unsigned, k.Long > 0, s)
	return c.konst(types.ScalarType(kind), s, k.Value)
}

// intLitType selects the type of an integer constant (C99 6.4.4.1p5).
func (c *expressions) intLitType(v uint64, decimal, unsigned, long bool, s diag.Span) types.Kind {
	if !long {
		switch {
		case !unsigned && v <= math.MaxInt32:
			return types.Int
		case (unsigned || !decimal) && v <= math.MaxUint32:
			return types.UInt
		}
	}
	switch {
	case !unsigned && v <= math.MaxInt64:
		return types.Long
	case !unsigned && decimal:
		c.rep.Report(diag.ImplicitlyUnsigned, s, "integer literal is too large to be represented in a signed integer type, interpreting as unsigned")
	}
	return types.ULong
}

func (c *expressions) floating(text string, hex bool, s diag.Span) Expr {
	body, kind := text, types.Double
	if c.opts.SinglePrecision { // -cl-single-precision-constant
		kind = types.Float
	}
	switch text[len(text)-1] | 0x20 {
	case 'f':
		if !hex || strings.ContainsAny(text, "pP") {
			body, kind = text[:len(text)-1], types.Float
		}
	case 'h':
		if !c.enabled("cl_khr_fp16") {
			c.err(diag.HalfLiteral, s, "half precision constant requires cl_khr_fp16")
			return c.badExpr(s)
		}
		body, kind = text[:len(text)-1], types.Half
	case 'l':
		body = text[:len(text)-1]
	default:
		if kind == types.Double && !c.supported("cl_khr_fp64") {
			kind = types.Float
			c.rep.Report(diag.DoubleLiteral, s, "double precision constant requires cl_khr_fp64, casting to single precision")
		}
	}
	if hex && !strings.ContainsAny(body, "pP") {
		c.err(diag.InvalidNumber, s, "hexadecimal floating constant requires an exponent")
		return c.badExpr(s)
	}
	size := 64
	if kind == types.Float {
		size = 32
	}
	v, err := strconv.ParseFloat(body, size)
	if strings.ContainsRune(body, '_') || err != nil && err.(*strconv.NumError).Err != strconv.ErrRange {
		c.invalidFloat(text, s)
		return c.badExpr(s)
	}
	t := types.ScalarType(kind)
	var b uint64
	switch kind {
	case types.Float:
		b = uint64(math.Float32bits(float32(v)))
	case types.Half:
		b = uint64(numeric.HalfFromFloat64(roundToOdd(body, v), numeric.RTE))
		v = numeric.Half(b).Float64()
	default:
		b = math.Float64bits(v)
	}
	if math.IsInf(v, 0) {
		c.rep.Report(diag.LiteralRange, s, "magnitude of floating-point constant too large for type '%s'; maximum is %s", t, maxima[kind])
	} else if v == 0 && strings.ContainsAny(mantissa(body), "123456789abcdfABCDF") {
		c.rep.Report(diag.LiteralRange, s, "magnitude of floating-point constant too small for type '%s'", t)
	}
	return c.konst(t, s, b)
}

var maxima = map[types.Kind]string{types.Half: "65504", types.Float: "3.40282347E+38", types.Double: "1.7976931348623157E+308"}

func mantissa(s string) string {
	if i := strings.IndexAny(s, "pP"); i >= 0 {
		return s[2:i]
	}
	if i := strings.IndexAny(s, "eE"); i >= 0 && !strings.HasPrefix(s, "0x") {
		return s[:i]
	}
	return s
}

// roundToOdd returns a float64 that rounds to half exactly as the text does: the text's value, with the last bit
// set if it is inexact.
func roundToOdd(text string, v float64) float64 {
	f, _, err := big.ParseFloat(text, 0, 256, big.ToNearestEven)
	if err != nil || math.IsInf(v, 0) || v == 0 {
		return v
	}
	if cmp := f.Cmp(big.NewFloat(v)); cmp != 0 {
		if cmp < 0 {
			v = math.Nextafter(v, 0)
		}
		v = math.Float64frombits(math.Float64bits(v) | 1)
	}
	return v
}

func (c *expressions) invalidFloat(text string, s diag.Span) {
	i := len(text)
	for i > 0 && (text[i-1]|0x20 >= 'a' && text[i-1]|0x20 <= 'z' || text[i-1] == '_') {
		i--
	}
	if strings.HasSuffix(strings.ToLower(text[i:]), "e") || strings.HasSuffix(strings.ToLower(text[i:]), "p") {
		c.err(diag.InvalidNumber, s, "exponent has no digits")
		return
	}
	c.err(diag.InvalidNumber, s, "invalid suffix '%s' on floating constant", text[i:])
}

// charConst evaluates a character constant (C99 6.4.4.4), which has type int.
func (c *expressions) charConst(n *syntax.CharConst) Expr {
	v, issues := token.CharConstant(n.Text)
	if c.literalIssues(issues, n.Span().Pos) {
		return c.badExpr(n.Span())
	}
	return c.intConst(n.Span(), v)
}

// literalIssues reports mistakes in the spelling of a literal at position at.
func (c *expressions) literalIssues(list []token.LiteralIssue, at diag.Pos) (failed bool) {
	for _, x := range list {
		c.rep.Report(x.Code, diag.Span{Pos: at + diag.Pos(x.From), End: at + diag.Pos(x.To)}, "%s", x.Message)
		failed = failed || x.Code.Severity >= diag.Error
	}
	return failed
}

// stringData returns the contents of adjacent string literals, without the terminating zero.
func (c *expressions) stringData(n *syntax.StringLit) (out []byte, ok bool) {
	ok = true
	for i := range n.Parts {
		t := &n.Parts[i]
		text := t.Text
		prefix := strings.IndexByte(text, '"')
		if prefix > 0 && text[:prefix] != "u8" {
			c.err(diag.WideString, t.Span(), "wide string literals are not supported in OpenCL")
			return nil, false
		}
		data, issues := token.LiteralBytes(text[max(prefix, 0):])
		if c.literalIssues(issues, t.Pos+diag.Pos(max(prefix, 0))) {
			ok = false
		}
		out = append(out, data...)
	}
	return out, ok
}

// stringLit returns a string literal, which is an array of char in constant memory.
func (c *expressions) stringLit(n *syntax.StringLit) Expr {
	data, ok := c.stringData(n)
	if !ok {
		return c.badExpr(n.Span())
	}
	data = append(data, 0)
	t := types.Q(c.tc.ArrayOf(types.Q(types.ScalarType(types.Char)), int64(len(data)))).In(types.Constant)
	t.Const = true
	return &StringConst{Base{t, n.Span()}, data}
}
