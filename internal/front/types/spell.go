package types

import (
	"strconv"
	"strings"
)

// String returns the type's spelling in diagnostics.
func (t *Type) String() string { return Q(t).String() }

// String returns the qualified type in clang's spelling: qualifiers first, declarator syntax for pointers, arrays
// and functions, as in "const __global float *".
func (q QType) String() string {
	if q.Type == nil {
		return "<none>"
	}
	return strings.TrimRight(spell(q, ""), " ")
}

// Declaration returns the declaration of an entity of that type: "int g(__global float *)".
func (q QType) Declaration(name string) string { return spell(q, name) }

func (q Quals) words() string {
	var b strings.Builder
	for _, w := range [...]struct {
		on   bool
		text string
	}{{q.Const, "const "}, {q.Volatile, "volatile "}, {q.Space != NoSpace, q.Space.String() + " "}} {
		if w.on {
			b.WriteString(w.text)
		}
	}
	return b.String()
}

// spell returns the declaration of an entity called inner.
func spell(q QType, inner string) string {
	t := q.Type
	switch t.Kind {
	case Pointer:
		s := "*" + strings.TrimRight(q.ptrWords(), " ")
		if inner != "" && s != "*" {
			s += " "
		}
		s += inner
		if k := t.Elem.Kind; k == Array || k == Func {
			s = "(" + s + ")"
		}
		return spell(t.Elem, s)
	case Array:
		n := ""
		if t.Len >= 0 {
			n = strconv.FormatInt(t.Len, 10)
		}
		return spell(QType{t.Elem.Type, merge(t.Elem.Quals, q.Quals)}, inner+"["+n+"]")
	case Func:
		var b strings.Builder
		b.WriteString(inner)
		b.WriteByte('(')
		for i, p := range t.Params {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(p.String())
		}
		if t.Flags&Variadic != 0 {
			b.WriteString(", ...")
		} else if len(t.Params) == 0 && t.Flags&NoProto == 0 {
			b.WriteString("void")
		}
		b.WriteByte(')')
		return spell(t.Elem, b.String())
	}
	return q.words() + t.baseName() + sep(inner) + inner
}

func sep(inner string) string {
	if inner == "" || inner[0] == '[' {
		return ""
	}
	return " "
}

func (q Quals) ptrWords() string {
	s := q.words()
	if q.Restrict {
		s += "restrict "
	}
	return s
}

func merge(a, b Quals) Quals {
	a.Const = a.Const || b.Const
	a.Volatile = a.Volatile || b.Volatile
	if a.Space == NoSpace {
		a.Space = b.Space
	}
	return a
}

func (t *Type) baseName() string {
	switch t.Kind {
	case Record:
		if t.Name == "" && t.Rec.Typedef != "" {
			return t.Rec.Typedef
		}
		kw := "struct "
		if t.Rec.Union {
			kw = "union "
		}
		if t.Name == "" {
			return kw + "(anonymous)"
		}
		return kw + t.Name
	case Enum:
		if t.Name == "" {
			return "enum (anonymous)"
		}
		return "enum " + t.Name
	case Atomic:
		return "atomic_" + t.Elem.String()
	case Image:
		return [...]string{"", "__read_only ", "__write_only ", "__read_write "}[t.Access] + t.Name
	}
	return t.Name
}
