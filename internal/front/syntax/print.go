package syntax

import (
	"github.com/purecl/purecl/internal/front/token"
	"strings"
)

// Print returns f as source text. Parsing the text gives f again, except for positions: Print(parse(Print(f)))
// equals Print(f). Print adds the necessary parentheses.
func Print(f *File) string {
	var p printer
	for _, d := range f.Decls {
		p.decl(d)
	}
	return p.b.String()
}

// PrintExpr returns x as source text.
func PrintExpr(x Expr) string {
	var p printer
	p.expr(x, precComma)
	return p.b.String()
}

// PrintType returns t as source text.
func PrintType(t *TypeName) string {
	var p printer
	p.typeName(t)
	return p.b.String()
}

// Precedence levels, loosest first; a binary operator has precBinary + binaryPrec.
const (
	precComma = iota
	precAssign
	precCond
	precBinary
	precUnary   = precBinary + 11
	precPostfix = precUnary + 1
	precPrimary = precPostfix + 1
)

type printer struct {
	b      strings.Builder
	indent int
}

func (p *printer) s(parts ...string) {
	for _, s := range parts {
		p.b.WriteString(s)
	}
}

func (p *printer) newline() {
	p.b.WriteByte('\n')
	for range p.indent {
		p.b.WriteByte('\t')
	}
}

func (p *printer) decl(d Decl) {
	switch d := d.(type) {
	case *VarDecl:
		p.varDecl(d)
	case *FuncDecl:
		p.spec(d.Spec)
		p.s(" ")
		p.declarator(d.Decl)
		p.newline()
		p.stmt(d.Body)
	case *PragmaDecl:
		p.pragma(d.Words)
	case *StaticAssert:
		p.s("_Static_assert(")
		p.expr(d.X, precAssign)
		if d.Msg != nil {
			p.s(", ")
			p.expr(d.Msg, precPrimary)
		}
		p.s(");")
	case *BadDecl:
		p.s("<bad declaration>")
	}
	p.newline()
}

// pragma prints a pragma on a line of its own.
func (p *printer) pragma(words []token.Token) {
	p.b.WriteByte('\n')
	p.s("#pragma")
	for _, w := range words {
		p.s(" ", w.Text)
	}
}

func (p *printer) varDecl(d *VarDecl) {
	p.spec(d.Spec)
	for i, it := range d.Items {
		if i > 0 {
			p.s(",")
		}
		p.s(" ")
		p.declarator(it.Decl)
		if it.Init != nil {
			p.s(" = ")
			p.expr(it.Init, precAssign)
		}
	}
	p.s(";")
}

// spec prints declaration specifiers.
func (p *printer) spec(d *DeclSpec) {
	for _, a := range d.Attrs {
		p.attr(a)
		p.s(" ")
	}
	if d.Storage != NoStorage {
		p.s(storageText[d.Storage], " ")
	}
	if d.Inline {
		p.s("inline ")
	}
	if d.Kernel {
		p.s("kernel ")
	}
	for _, q := range d.Quals.At {
		p.s(qualText(q.Qual), " ")
	}
	p.base(d.Base)
}

// qualText returns the spelling of one qualifier.
func qualText(q Quals) string {
	for i, b := range qualOf {
		if b == q {
			return qualNames[i]
		}
	}
	return ""
}

var qualNames = [len(qualOf)]string{"const", "volatile", "restrict", "", "__global", "__local", "__constant", "__private",
	"__generic", "__read_only", "__write_only", "__read_write"}

func (p *printer) attr(a *Attr) {
	p.s("__attribute__((", a.Name)
	if a.Args != nil {
		p.s("(")
		for i, x := range a.Args {
			if i > 0 {
				p.s(", ")
			}
			if x.Type != nil {
				p.typeName(x.Type)
			} else {
				p.expr(x.X, precAssign)
			}
		}
		p.s(")")
	}
	p.s("))")
}

func (p *printer) base(b BaseType) {
	switch b := b.(type) {
	case *BadType:
		p.s("<bad type>")
	case *BasicType:
		p.s(strings.Join(b.Words, " "))
	case *NamedType:
		p.s(b.Name)
	case *RecordType:
		p.s(recordWord(b))
		p.tag(b.Attrs, b.Tag)
		if b.HasBody {
			p.s(" {")
			p.indent++
			for _, f := range b.Fields {
				p.newline()
				switch f := f.(type) {
				case *VarDecl:
					p.varDecl(f)
				case *StaticAssert:
					p.decl(f)
				}
			}
			p.indent--
			p.newline()
			p.s("}")
		}
	case *EnumType:
		p.s("enum")
		p.tag(b.Attrs, b.Tag)
		if b.HasBody {
			p.s(" { ")
			for _, n := range b.Items {
				p.s(n.Name)
				for _, a := range n.Attrs {
					p.s(" ")
					p.attr(a)
				}
				if n.Value != nil {
					p.s(" = ")
					p.expr(n.Value, precCond)
				}
				p.s(", ")
			}
			p.s("}")
		}
	case *TypeofType:
		p.s("typeof(")
		if b.Type != nil {
			p.typeName(b.Type)
		} else {
			p.expr(b.X, precComma)
		}
		p.s(")")
	}
}

func (p *printer) tag(attrs []*Attr, tag string) {
	for _, a := range attrs {
		p.s(" ")
		p.attr(a)
	}
	if tag != "" {
		p.s(" ", tag)
	}
}

func (p *printer) typeName(t *TypeName) {
	p.spec(t.Spec)
	if t.Decl.Type != TypeExpr(t.Spec) || len(t.Decl.Attrs) > 0 {
		p.s(" ")
		p.declarator(t.Decl)
	}
}

// declarator prints a declarator with its attributes and bit-field width.
func (p *printer) declarator(d *Declarator) {
	before, after := declaratorText(d)
	p.s(before, d.Name, after)
	if d.Bits != nil {
		p.s(" : ")
		p.expr(d.Bits, precCond)
	}
	for _, a := range d.Attrs {
		p.s(" ")
		p.attr(a)
	}
}

// declaratorText returns the text before and after a declarator's name.
func declaratorText(d *Declarator) (before, after string) {
	// The pieces before the name are produced innermost first, so that they are collected and reversed.
	var pre []string
	var post printer
	pointer := false
	for t := d.Type; ; {
		switch m := t.(type) {
		case *PointerType:
			var q printer
			q.s("*")
			for _, x := range m.Quals.At {
				q.s(qualText(x.Qual), " ")
			}
			for _, a := range m.Attrs {
				q.attr(a)
				q.s(" ")
			}
			pre = append(pre, q.b.String())
			t, pointer = m.Elem, true
			continue
		case *ArrayType:
			pre = openPointer(pre, &post, pointer)
			post.array(m)
			t, pointer = m.Elem, false
			continue
		case *FuncType:
			pre = openPointer(pre, &post, pointer)
			post.params(m)
			t, pointer = m.Result, false
			continue
		}
		break
	}
	var b strings.Builder
	for i := len(pre) - 1; i >= 0; i-- {
		b.WriteString(pre[i])
	}
	return b.String(), post.b.String()
}

// openPointer adds parentheses around a pointer that precedes an array or function suffix.
func openPointer(pre []string, post *printer, pointer bool) []string {
	if !pointer {
		return pre
	}
	post.s(")")
	return append(pre, "(")
}

func (p *printer) array(t *ArrayType) {
	p.s("[")
	for _, q := range t.Quals.At {
		p.s(qualText(q.Qual), " ")
	}
	if t.Static {
		p.s("static ")
	}
	if t.Star {
		p.s("*")
	} else if t.Len != nil {
		p.expr(t.Len, precAssign)
	}
	p.s("]")
}

func (p *printer) params(t *FuncType) {
	p.s("(")
	for i, a := range t.Params {
		if i > 0 {
			p.s(", ")
		}
		p.spec(a.Spec)
		if a.Decl.Name != "" || a.Decl.Type != TypeExpr(a.Spec) || len(a.Decl.Attrs) > 0 {
			p.s(" ")
			p.declarator(a.Decl)
		}
	}
	switch {
	case t.Variadic:
		p.s(", ...")
	case len(t.Params) == 0 && !t.NoProto:
		p.s("void")
	}
	p.s(")")
}
