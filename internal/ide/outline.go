package ide

import (
	"strings"

	"github.com/purecl/purecl/internal/front/diag"
	"github.com/purecl/purecl/internal/front/syntax"
)

// A SymbolKind is the kind of a Symbol.
type SymbolKind uint8

// The kinds of symbols.
const (
	KernelSymbol SymbolKind = iota
	FunctionSymbol
	VariableSymbol
	ConstantSymbol
	StructSymbol
	EnumSymbol
	EnumConstantSymbol
	FieldSymbol
	TypedefSymbol
	MacroSymbol
)

// A Symbol is a declaration of a file for its outline.
type Symbol struct {
	Name     string
	Detail   string
	Kind     SymbolKind
	Whole    Range // the declaration
	At       Range // its name
	Children []Symbol
}

// Symbols returns the declarations of a file in order: kernels, functions, variables, types with their
// members, macros.
func (s *Snapshot) Symbols(file string) []Symbol {
	v := s.inspect()
	o := outliner{v: v, file: file}
	for _, m := range v.record.Macros {
		o.add(Symbol{Name: m.Name, Detail: clip(m.Text), Kind: MacroSymbol}, m.Span, m.Span)
	}
	for _, d := range v.tree.Decls {
		o.decl(d)
	}
	return o.out
}

func clip(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}

// An outliner collects symbols of a file.
type outliner struct {
	v    *view
	file string
	out  []Symbol
}

// add adds a symbol if it is in the file; the name's range is inside of the declaration's.
func (o *outliner) add(x Symbol, whole, at diag.Span) *Symbol {
	x.Whole, x.At = rangeOf(o.v.src, whole), rangeOf(o.v.src, at)
	if x.At.File != o.file || x.Whole.File != o.file {
		return nil
	}
	x.Whole.Start, x.Whole.End = min(x.Whole.Start, x.At.Start), max(x.Whole.End, x.At.End)
	if x.Name == "" {
		x.Name = "(anonymous)"
	}
	o.out = append(o.out, x)
	return &o.out[len(o.out)-1]
}

func (o *outliner) decl(d syntax.Decl) {
	switch d := d.(type) {
	case *syntax.FuncDecl:
		kind := FunctionSymbol
		if d.Spec.Kernel {
			kind = KernelSymbol
		}
		o.record(d.Spec, nil)
		o.add(Symbol{Name: d.Decl.Name, Detail: o.params(d.Decl), Kind: kind}, d.Span(), d.Decl.NameSpan)
	case *syntax.VarDecl:
		o.varDecl(d)
	case *syntax.BadDecl:
		if d.Rest != nil {
			o.varDecl(d.Rest)
		}
	}
}

// params returns the text of a function's parameters.
func (o *outliner) params(d *syntax.Declarator) string {
	fn, ok := d.Type.(*syntax.FuncType)
	if !ok {
		return ""
	}
	at := rangeOf(o.v.src, fn.Span())
	if at.File != o.file {
		return ""
	}
	f, _ := o.v.src.File(o.v.src.Outermost(fn.Span().Pos))
	text := strings.Join(strings.Fields(string(f.Src[at.Start:at.End])), " ")
	if i := strings.IndexByte(text, '('); i >= 0 {
		text = text[i:]
	}
	return clip(text)
}

func (o *outliner) varDecl(d *syntax.VarDecl) {
	o.record(d.Spec, d)
	for _, it := range d.Items {
		kind := VariableSymbol
		switch _, isFunc := it.Decl.Type.(*syntax.FuncType); {
		case d.Spec.Storage == syntax.Typedef:
			kind = TypedefSymbol
		case isFunc:
			kind = FunctionSymbol
		case d.Spec.Quals.Quals&(syntax.Constant|syntax.Const) != 0:
			kind = ConstantSymbol
		}
		detail := ""
		if kind == FunctionSymbol {
			detail = o.params(it.Decl)
		}
		o.add(Symbol{Name: it.Decl.Name, Detail: detail, Kind: kind}, d.Span(), it.Decl.NameSpan)
	}
}

// record adds the struct, union or enum that specifiers define, with its members. d is the declaration that
// contains them; a typedef names a record without a tag.
func (o *outliner) record(spec *syntax.DeclSpec, d *syntax.VarDecl) {
	switch b := spec.Base.(type) {
	case *syntax.RecordType:
		if !b.HasBody {
			return
		}
		at, name := b.TagSpan, b.Tag
		if name == "" {
			at = diag.Span{Pos: b.Span().Pos, End: b.Span().Pos + 1}
			if d != nil && spec.Storage == syntax.Typedef && len(d.Items) > 0 {
				name = d.Items[0].Decl.Name
			}
		}
		inner := outliner{v: o.v, file: o.file}
		for _, m := range b.Fields {
			inner.member(m)
		}
		o.add(Symbol{Name: name, Kind: StructSymbol, Children: inner.out}, b.Span(), at)
	case *syntax.EnumType:
		if !b.HasBody {
			return
		}
		at := b.TagSpan
		if b.Tag == "" {
			at = diag.Span{Pos: b.Span().Pos, End: b.Span().Pos + 1}
		}
		inner := outliner{v: o.v, file: o.file}
		for _, it := range b.Items {
			name := diag.Span{Pos: it.Span().Pos, End: it.Span().Pos + diag.Pos(len(it.Name))}
			inner.add(Symbol{Name: it.Name, Kind: EnumConstantSymbol}, it.Span(), name)
		}
		o.add(Symbol{Name: b.Tag, Kind: EnumSymbol, Children: inner.out}, b.Span(), at)
	}
}

func (o *outliner) member(m syntax.Decl) {
	d, ok := m.(*syntax.VarDecl)
	if bad, isBad := m.(*syntax.BadDecl); isBad && bad.Rest != nil {
		d, ok = bad.Rest, true
	}
	if !ok {
		return
	}
	o.record(d.Spec, nil)
	for _, it := range d.Items {
		if it.Decl.Name != "" {
			o.add(Symbol{Name: it.Decl.Name, Kind: FieldSymbol}, it.Decl.Span(), it.Decl.NameSpan)
		}
	}
}

// A Kernel is a kernel's name and position.
type Kernel struct {
	Name string
	At   Range
}

// Kernels returns the kernels that a file defines, in order.
func (s *Snapshot) Kernels(file string) (list []Kernel) {
	for _, x := range s.Symbols(file) {
		if x.Kind == KernelSymbol {
			list = append(list, Kernel{x.Name, x.At})
		}
	}
	return list
}
