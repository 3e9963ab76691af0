package ide

import (
	"fmt"
	"strings"

	"github.com/purecl/purecl/internal/front/check"
	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/token"
	"github.com/purecl/purecl/internal/front/types"
)

// A Hover describes the name or expression at a position.
type Hover struct {
	Range
	Text string // Markdown
}

// Hover describes the name or expression at an offset of a file, nil if there is none.
func (s *Snapshot) Hover(file string, off int) *Hover {
	v := s.inspect()
	text := s.FileText(file)
	if text == nil || off < 0 || off > len(text) {
		return nil
	}
	for _, r := range v.refs.at(file, off) {
		if t := v.describe(r); t != "" {
			return &Hover{Range{file, r.start, r.end}, t}
		}
	}
	if name, from, to := word(text, off); name != "" {
		if t := keywordType(name); t != nil && !v.inComment(file, from) {
			return &Hover{Range{file, from, to}, code(name) + "\n" + typeFacts(t)}
		}
	}
	return v.hoverExpr(file, off)
}

// describe returns the Markdown description of a name's meaning.
func (v *view) describe(r *reference) string {
	switch {
	case r.include != nil:
		if r.include.Found == "" {
			return "file not found"
		}
		return "`" + r.include.Found + "`"
	case r.macro != nil:
		return v.describeMacro(r)
	case r.object != nil:
		return v.describeObject(r)
	}
	return ""
}

// maxExpansion bounds the bytes of a macro's expansion in a description.
const maxExpansion = 2000

// describeMacro describes a macro by its definition and, at a use, its expansion.
func (v *view) describeMacro(r *reference) string {
	s := code("#define " + r.macro.String())
	if !r.macro.Span.IsValid() {
		s += "\npredefined\n"
	}
	if r.declares {
		return s
	}
	toks := v.expansionAt(r)
	var b strings.Builder
	for i := range toks {
		if b.Len() > 0 && toks[i].Flags&token.SpaceBefore != 0 {
			b.WriteByte(' ')
		}
		if b.Len() < maxExpansion {
			b.WriteString(toks[i].Text)
		}
	}
	if b.Len() > 0 && b.String() != r.macro.Text {
		s += "\nexpands to\n\n" + code(b.String())
	}
	if k := v.constantOf(toks); k != nil {
		s += fmt.Sprintf("\nvalue %s of type `%s`\n", k.Text(), k.T.Unqualified())
	}
	return s
}

// expansionAt returns the expansion of the macro invocation at a reference.
func (v *view) expansionAt(r *reference) (list []token.Token) {
	for i := range v.toks {
		t := &v.toks[i]
		call, expanded := v.outermostCall(t.Pos)
		if !expanded {
			continue
		}
		if f, off := v.src.File(call.Pos); f != nil && off == r.start && f.Name == v.main.Name {
			list = append(list, *t)
		}
	}
	return list
}

// outermostCall returns the macro invocation in a file that a position comes from.
func (v *view) outermostCall(p diag.Pos) (call diag.Span, expanded bool) {
	for {
		x, _ := v.src.Expansion(p)
		if x == nil {
			return call, expanded
		}
		call, p, expanded = x.Call, x.Call.Pos, true
	}
}

// constantOf returns the constant that the tokens are, in any number of parentheses, or nil.
func (v *view) constantOf(toks []token.Token) *check.Const {
	for len(toks) > 2 && toks[0].Kind == token.LParen && toks[len(toks)-1].Kind == token.RParen {
		toks = toks[1 : len(toks)-1]
	}
	if len(toks) == 0 {
		return nil
	}
	for _, e := range v.info.Values {
		if s := e.Span(); s.Pos == toks[0].Pos && s.End == toks[len(toks)-1].Span().End {
			if k, ok := e.(*check.Const); ok {
				return k
			}
		}
	}
	return nil
}

// describeObject describes an object by its declaration and properties.
func (v *view) describeObject(r *reference) string {
	o := r.object
	if o.Kind == check.BuiltinObject {
		if t := builtinText(v.info.Env, o.Name, r.overload); t != "" {
			return t
		}
		return code(o.Name) + "\nbuiltin of the compiler\n"
	}
	if o.Kind == check.TypeObject {
		return code(o.Name) + "\n" + typeFacts(o.Type.Type)
	}
	s := code(declaration(o))
	switch o.Kind {
	case check.VariableObject:
		if o.Var == nil {
			return s + "\nits declaration is in error\n"
		}
		s += "\n" + where(o.Var) + "\n\n" + typeFacts(o.Type.Type)
		if o.Var.Align > o.Type.Align() {
			s += fmt.Sprintf("\nits declaration asks for an alignment of %s\n", plural(o.Var.Align, "byte"))
		}
		if o.Type.IsPointer() && o.Type.Elem.Size() > 0 {
			s += fmt.Sprintf("\nelements: `%s`, %s\n", o.Type.Elem.Unqualified(), strings.TrimSpace(typeFacts(o.Type.Elem.Type)))
		}
		if k := initialConstant(o.Var); k != nil {
			s += "\nvalue " + k.Text() + "\n"
		}
	case check.FunctionObject:
		if k := o.Func.Kernel; k != nil && k.Text != "" {
			s += "\nattributes: `" + k.Text + "`\n"
		}
	case check.FieldObject:
		owner := types.Q(o.Owner).String()
		s += fmt.Sprintf("\nmember of `%s` at offset %d\n\n%s", owner, o.Field.Offset, typeFacts(o.Type.Type))
		if o.Field.Bits >= 0 {
			s += fmt.Sprintf("\n%s from bit %d of the unit at that offset\n", plural(int64(o.Field.Bits), "bit"), o.Field.BitOff)
		}
	case check.TypedefObject, check.TagObject:
		s += "\n" + typeFacts(o.Type.Type)
		if o.Align > 0 {
			s += fmt.Sprintf("\nan attribute asks for an alignment of %s\n", plural(o.Align, "byte"))
		}
	case check.EnumConstantObject, check.ConstantObject:
		s += fmt.Sprintf("\nvalue %d of type `%s`\n", o.Value, o.Type.Unqualified())
	}
	return s
}

// initialConstant returns the constant that a const variable always has, or nil.
func initialConstant(v *check.Var) *check.Const {
	if !v.Type.Const && v.Type.Space != types.Constant || v.Init == nil {
		return nil
	}
	k, _ := v.Init.(*check.Const)
	return k
}

// hoverExpr describes the innermost expression at an offset, including components of vectors.
func (v *view) hoverExpr(file string, off int) *Hover {
	var best check.Expr
	var at Range
	for _, e := range v.info.Values {
		if e.Type().IsInvalid() || e.Type().Kind == types.Func {
			continue
		}
		r := rangeOf(v.src, e.Span())
		if r.File != file || off < r.Start || off >= r.End && off != r.Start {
			continue
		}
		if best == nil || r.End-r.Start < at.End-at.Start {
			best, at = e, r
		}
	}
	if best == nil {
		return nil
	}
	t := best.Type()
	text := code(t.String())
	if k, ok := best.(*check.Const); ok {
		text += "\nvalue " + k.Text() + "\n"
	}
	if w, ok := best.(*check.Swizzle); ok {
		text += fmt.Sprintf("\ncomponents %s of `%s`\n", lanesText(w.Lanes), w.X.Type().Unqualified())
	}
	return &Hover{at, text + "\n" + typeFacts(t.Type)}
}

func lanesText(lanes []uint8) string {
	words := make([]string, len(lanes))
	for i, l := range lanes {
		words[i] = fmt.Sprint(l)
	}
	return strings.Join(words, ", ")
}

// inComment reports whether no token of the main file covers an offset: it is in a comment or between tokens.
func (v *view) inComment(file string, off int) bool {
	if v.main == nil || file != v.main.Name {
		return false
	}
	p := v.main.Pos(off)
	for i := range v.toks {
		if t := &v.toks[i]; t.Pos <= p && p < t.Pos+diag.Pos(t.Len) {
			return false
		}
	}
	return true
}
