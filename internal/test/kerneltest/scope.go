package kerneltest

import "fmt"

// A scope knows what the names in the text stand for: variables, arrays, struct types and functions. It declares
// constants and types of the program. It does not know the kernel's arguments.
type scope struct {
	indexSpace
	names
	recs   []record   // struct types
	funcs  []function // callable functions
	kernel bool       // in the kernel, not in a function
	result Type       // of the function
}

// names are the objects in scope. A copy restores them at the end of a block.
type names struct {
	vars    []variable  // private variables, in order of declaration
	arrays  []array     // private arrays and program-scope tables
	structs []structVar // variables of struct types
}

// A variable is a name or member of a scalar or vector type.
type variable struct {
	name   string // as it is written in an expression
	typ    Type
	fixed  bool // must not be assigned: a loop's termination depends on it
	below  int  // if greater than 0: it stays in [0, below)
	noaddr bool // its address may not be taken
}

// An array is a list of elements of one type that an index selects.
type array struct {
	name   string
	typ    Type
	n      int
	fixed  bool // constant
	noaddr bool
	member string // the text after the index
}

// A record is a struct type of the program.
type record struct {
	name    string
	packed  bool
	fields  []variable // a field is an array of below elements if below is greater than 0
	through string     // name of a function that takes and returns the struct, "" if there is none
}

// size returns the bytes of a struct type, and its alignment.
func (r *record) size() (size, align int) {
	align = 1
	for _, f := range r.fields {
		a := f.typ.size()
		if r.packed {
			a = 1
		}
		align = max(align, a)
		size = (size+a-1)/a*a + f.typ.size()*max(1, f.below)
	}
	return (size + align - 1) / align * align, align
}

// A structVar is a variable of a struct type.
type structVar struct {
	name string
	typ  record
}

// A function is a function of the program.
type function struct {
	name   string
	result Type
	params []Type
	ptr    []bool // by parameter: it is a pointer to the type
}

// addressable returns the name of a private variable of type t, "" if there is none.
func (g *scope) addressable(t Type) string {
	var list []string
	for _, v := range g.vars {
		if v.typ == t && !v.fixed && !v.noaddr {
			list = append(list, v.name)
		}
	}
	if len(list) == 0 {
		return ""
	}
	return list[g.IntN(len(list))]
}

// typeOf returns the type of a variable.
func (g *scope) typeOf(name string) Type {
	for _, x := range g.vars {
		if x.name == name {
			return x.typ
		}
	}
	panic("no variable " + name)
}

// fields adds the fields of a struct called prefix to the scope.
func (g *scope) fields(r record, prefix string) {
	for _, f := range r.fields {
		if f.below > 0 {
			g.arrays = append(g.arrays, array{name: prefix + f.name, typ: f.typ, n: f.below, noaddr: true})
		} else {
			g.vars = append(g.vars, variable{name: prefix + f.name, typ: f.typ, noaddr: r.packed})
		}
	}
}

// record writes a struct type.
func (g *scope) record() *node {
	r := record{name: g.name("S")}
	parts := []any{}
	for range 1 + g.IntN(4) {
		f := variable{name: g.name("f"), typ: g.typ()}
		decl := f.name
		if g.chance(4) {
			n := 1 + g.IntN(4)
			decl = fmt.Sprintf("%s[%d]", f.name, n)
			f.below = n
		}
		parts = append(parts, fixed(fmt.Sprintf("%s %s; ", f.typ, decl)))
		r.fields = append(r.fields, f)
	}
	attr := ""
	if g.chance(4) {
		attr, r.packed = "__attribute__((packed)) ", true
	}
	g.recs = append(g.recs, r)
	return statement(append(append([]any{"struct " + attr + r.name + " { "}, parts...), "};\n")...)
}

// table writes a program-scope constant array.
func (g *scope) table() *node {
	a := array{name: g.name("t"), typ: g.typ(), n: 2 + g.IntN(7), fixed: true}
	s := fmt.Sprintf("constant %s %s[%d] = {", a.typ, a.name, a.n)
	for range a.n {
		s += g.literal(a.typ) + ", "
	}
	g.arrays = append(g.arrays, a)
	return statement(s + "};\n")
}

// programScope declares a constant that is no array of numbers.
func (g *scope) programScope() *node {
	if len(g.recs) > 0 && g.chance(2) {
		r := g.recs[g.IntN(len(g.recs))]
		name := g.name("t")
		s := fmt.Sprintf("constant struct %s %s = {", r.name, name)
		for _, f := range r.fields {
			if f.below > 0 {
				s += "{" + g.literal(f.typ) + "}, "
				g.arrays = append(g.arrays, array{name: name + "." + f.name, typ: f.typ, n: f.below, fixed: true, noaddr: true})
			} else {
				s += g.literal(f.typ) + ", "
				g.vars = append(g.vars, variable{name: name + "." + f.name, typ: f.typ, fixed: true, noaddr: true})
			}
		}
		return statement(s + "};\n")
	}
	t, name := g.typ(), g.name("t")
	if g.chance(2) {
		g.vars = append(g.vars, variable{name: name, typ: t, fixed: true, noaddr: true})
		return statement(fmt.Sprintf("constant %s %s = %s;\n", t, name, g.literal(t)))
	}
	rows, n := 2+g.IntN(3), 1+g.IntN(4)
	space := "constant"
	if g.generic && g.chance(3) {
		space = "global" // it is never written
	}
	s := fmt.Sprintf("%s %s %s[%d][%d] = {", space, t, name, rows, n)
	for i := range rows {
		s += "{"
		for range n {
			s += g.literal(t) + ", "
		}
		s += "}, "
		g.arrays = append(g.arrays, array{name: fmt.Sprintf("%s[%d]", name, i), typ: t, n: n, fixed: true, noaddr: true})
	}
	for i := range n {
		g.arrays = append(g.arrays, array{name: name, typ: t, n: rows, fixed: true, noaddr: true, member: fmt.Sprintf("[%d]", i)})
	}
	return statement(s + "};\n")
}
