package ide

import (
	"fmt"
	"slices"

	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/types"
	"github.com/purecl/purecl/internal/ir/numeric"
)

// A Hint is a text that an editor shows in the source.
type Hint struct {
	At    Range  // an empty range
	Text  string // short
	Doc   string // Markdown
	After bool   // it belongs to the text before it
}

// Conversions returns hints for the implicit conversions in a part of a file that can change a value or cost time:
// between integers and floating point, to another width of floating point, to a narrower or differently signed
// integer, and of scalars to vectors.
func (s *Snapshot) Conversions(part Range) []Hint {
	v := s.inspect()
	var list []Hint
	seen := map[Hint]bool{}
	for _, e := range v.info.Implicit {
		from, x := source(e)
		to := e.Type().Type
		if !notable(from, to) {
			continue
		}
		if m, _ := v.src.Expansion(x.Span().Pos); m != nil && !m.Arg {
			continue // the hint would be at the macro's name
		}
		at := rangeOf(v.src, x.Span())
		if at.File != part.File || at.Start < part.Start || at.Start > part.End {
			continue
		}
		h := Hint{At: Range{at.File, at.Start, at.Start}, Text: "(" + to.String() + ")", Doc: fmt.Sprintf("implicit conversion of `%s` to `%s`", from, to)}
		if !seen[h] {
			seen[h] = true
			list = append(list, h)
		}
	}
	slices.SortStableFunc(list, func(a, b Hint) int { return a.At.Start - b.At.Start })
	return list
}

// source returns the operand of a conversion and its type. It treats a conversion to a vector's element type and
// the following splat as one conversion.
func source(e check.Expr) (*types.Type, check.Expr) {
	var x check.Expr
	switch e := e.(type) {
	case *check.Convert:
		x = e.X
	case *check.Splat:
		x = e.X
		if c, ok := x.(*check.Convert); ok && c.Implicit {
			x = c.X
		}
	default:
		return nil, e
	}
	return x.Type().Type, x
}

// notable reports whether a hint should show an implicit conversion.
func notable(from, to *types.Type) bool {
	if from.IsInvalid() || to.IsInvalid() || to.Kind == types.Bool || from.Kind == types.Bool {
		return false
	}
	if from.Lanes() != to.Lanes() {
		return true
	}
	f, t := from.Num(), to.Num()
	if f == numeric.Invalid || t == numeric.Invalid {
		return false
	}
	switch {
	case f.IsFloat() != t.IsFloat():
		return true
	case f.IsFloat():
		return f != t
	case f.Size() > t.Size():
		return true
	case f.Size() == t.Size():
		return f.Signed() != t.Signed()
	}
	return f.Signed() && !t.Signed()
}
