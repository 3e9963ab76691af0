package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// conversions lists the printf conversions of each kind of numbers, for scalars and for vectors.
var conversions = [numeric.NumKinds][2][]string{
	numeric.I8:  {{"d", "c"}, {"hhd", "hhi"}},
	numeric.U8:  {{"u", "#x"}, {"hhu", "hhx"}},
	numeric.I16: {{"d", "+d"}, {"hd"}},
	numeric.U16: {{"u", "o"}, {"hu", "hx"}},
	numeric.I32: {{"d", "i", "8d", "-6d", ".3d"}, {"hld"}},
	numeric.U32: {{"u", "x", "08X"}, {"hlu", "#hlx"}},
	numeric.I64: {{"ld", "+ld"}, {"ld"}},
	numeric.U64: {{"lu", "lx"}, {"lu", "lX"}},
	numeric.F16: {{"g", "a"}, {"hg"}},
	numeric.F32: {{"f", "g", "e", "a", ".2f", "10.3e"}, {"hlf", "hlg", "hla"}},
	numeric.F64: {{"f", "g", "a"}, {"lf", "le"}},
}

// print prints some values. Each work-item's text is contiguous, in the order of work-items.
func (g *simpleStatements) print() *node {
	format, args := g.name("p"), []any{}
	for range g.IntN(4) {
		t := g.typ()
		c := conversions[t.Kind]
		if t.N > 1 {
			spec := oneOf(g, c[1]...)
			flag := ""
			if spec[0] == '#' {
				flag, spec = "#", spec[1:]
			}
			format += fmt.Sprintf(" %%%sv%d%s", flag, t.N, spec)
		} else {
			format += " %" + oneOf(g, c[0]...)
		}
		x := g.expr(t, 2)
		if t.N == 1 && t.Kind == numeric.I8 {
			x = value(t, "((", x, ") & 63) + 32") // a printable ASCII character
		}
		args = append(args, ", ", x)
	}
	if g.chance(4) {
		format += " %s"
		args = append(args, ", ", g.cond(2), ` ? "yes" : "no"`)
	}
	return statement(append(append([]any{fmt.Sprintf("  printf(\"%s%s\"", format, oneOf(g, `\n`, "|", "%%;"))}, args...), ");\n")...)
}
