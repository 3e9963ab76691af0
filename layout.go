package purecl

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/purecl/purecl/internal/ir/numeric"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// fitsLayout checks that a Go type has the layout of the parameter's struct or array: each number of the
// kernel's type is a number of the same format at the same offset. Padding and unions may hold anything.
func (p *param) fitsLayout(t reflect.Type, given func() string) error {
	name := p.TypeName
	if p.Kind != ssa.ArgStruct {
		name = p.pointee()
	}
	why := ""
	switch {
	case int64(t.Size()) != p.layout.Size:
		why = fmt.Sprintf("%s has %d bytes, %s %d", typeName(t), t.Size(), name, p.layout.Size)
	default:
		why = mismatch(p.layout, t, name, 0, 0)
	}
	if why == "" {
		return nil
	}
	of := "this"
	if p.Kind != ssa.ArgStruct {
		of = "a slice of this"
	}
	return unfitf("got %s, which does not lie in memory as %s does: %s; %s fits:\n%s", given(), name, why, of, goStruct(p.layout))
}

// mismatch compares the kernel's l, at byte kat of its type, with the Go value of type t that begins at byte gat,
// at or before kat. It describes the first difference, or returns "".
func mismatch(l *ssa.Layout, t reflect.Type, name string, kat, gat int64) string {
	switch {
	case l.Fields != nil:
		for _, f := range l.Fields {
			if s := mismatch(f.Layout, t, join(name, f.Name), kat+f.Offset, gat); s != "" {
				return s
			}
		}
		return ""
	case l.Elem != nil:
		return arrayMismatch(l, t, name, kat, gat)
	case l.Kind == numeric.Invalid:
		return "" // bytes of an unknown type
	}
	for i := range int64(l.Lanes) {
		at := kat + i*int64(l.Kind.Size())
		field, kind, start := numberAt(t, at-gat, "")
		if kind == l.Kind && gat+start == at || kind == numeric.U8 && at%int64(l.Kind.Size()) != 0 {
			continue // Go can have only bytes at a packed member
		}
		what := "nothing"
		if kind != numeric.Invalid {
			what = strings.TrimPrefix(field, ".") + ", " + article(goNames[kind])
			if gat+start != at {
				what += fmt.Sprintf(" from byte %d on", gat+start)
			}
		}
		return fmt.Sprintf("at byte %d stands %s, where %s is %s", at, what, name, article(clType(l)))
	}
	return ""
}

// mostElements is the number of an array's elements that are compared. All have the same type.
const mostElements = 64

func arrayMismatch(l *ssa.Layout, t reflect.Type, name string, kat, gat int64) string {
	for i := range min(l.Len, mostElements) {
		if s := mismatch(l.Elem, t, fmt.Sprintf("%s[%d]", name, i), kat+i*l.Elem.Size, gat); s != "" {
			return s
		}
	}
	return ""
}

func join(name, field string) string {
	if field == "" {
		return name
	}
	return name + "." + field
}

func clType(l *ssa.Layout) string {
	if l.Lanes > 1 {
		return fmt.Sprint(l.Kind.CName(), l.Lanes)
	}
	return l.Kind.CName()
}

// numberAt returns the number that contains byte at of a Go value: its path, format and offset. The format is
// Invalid if there is none.
func numberAt(t reflect.Type, at int64, path string) (string, numeric.Kind, int64) {
	switch t.Kind() {
	case reflect.Struct:
		for i := t.NumField() - 1; i >= 0; i-- {
			f := t.Field(i)
			if off := int64(f.Offset); at >= off && at < off+int64(f.Type.Size()) {
				if f.Name == "_" {
					return "", numeric.Invalid, 0
				}
				p, k, start := numberAt(f.Type, at-off, path+"."+f.Name)
				return p, k, start + off
			}
		}
		return "", numeric.Invalid, 0
	case reflect.Array:
		size := int64(t.Elem().Size())
		if size == 0 {
			return "", numeric.Invalid, 0
		}
		n := at / size
		p, k, start := numberAt(t.Elem(), at-n*size, fmt.Sprintf("%s[%d]", path, n))
		return p, k, start + n*size
	}
	return path, goKind(t).kind, 0
}

// goStruct returns the Go type with the layout l.
func goStruct(l *ssa.Layout) string { return goLayout(l, "") }

func goLayout(l *ssa.Layout, indent string) string {
	switch {
	case l.Elem != nil:
		return fmt.Sprintf("[%d]%s", l.Len, goLayout(l.Elem, indent))
	case l.Fields != nil:
	case l.Kind == numeric.Invalid:
		return fmt.Sprintf("[%d]byte", l.Size)
	default:
		return goType(l.Kind, l.Lanes)
	}
	var b strings.Builder
	b.WriteString("struct {\n")
	at := int64(0)
	pad := func(to int64) {
		if to > at {
			fmt.Fprintf(&b, "%s\t_ [%d]byte\n", indent, to-at)
		}
	}
	for i, f := range l.Fields {
		typ := goLayout(f.Layout, indent+"\t")
		if a := goAlign(f.Layout); f.Offset%a != 0 {
			typ = fmt.Sprintf("[%d]byte", f.Layout.Size) // packed
		} else if at%a != 0 {
			at += a - at%a // Go's own padding
		}
		pad(f.Offset)
		name := f.Name
		if name == "" {
			name = fmt.Sprintf("field%d", i)
		}
		fmt.Fprintf(&b, "%s\t%s%s %s\n", indent, strings.ToUpper(name[:1]), name[1:], typ)
		at = f.Offset + f.Layout.Size
	}
	if a := goAlign(l); at%a != 0 && (at+a-at%a) == l.Size {
		at = l.Size
	}
	pad(l.Size)
	b.WriteString(indent + "}")
	return b.String()
}

// goAlign returns Go's alignment of the type of goLayout.
func goAlign(l *ssa.Layout) int64 {
	switch {
	case l.Elem != nil:
		return goAlign(l.Elem)
	case l.Fields != nil:
		a := int64(1)
		for _, f := range l.Fields {
			if n := goAlign(f.Layout); f.Offset%n == 0 {
				a = max(a, n)
			}
		}
		return a
	case l.Kind == numeric.Invalid:
		return 1
	}
	return int64(l.Kind.Size())
}
