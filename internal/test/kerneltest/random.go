package kerneltest

import (
	"fmt"
	"math/rand/v2"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// A generator generates one kernel.
type generator struct {
	*rand.Rand
	k       *Kernel
	vars    []variable     // private variables in scope, in order of declaration
	arrays  []array        // private arrays and program-scope tables in scope
	ins     []buffer       // buffers that work-items read anywhere
	outs    []buffer       // buffers with own elements for each work-item
	locals  []local        // local memory with an element for each work-item between barriers
	sums    []counter      // targets of atomics
	counts  []counter      // targets of atomics in local memory
	recs    []record       // struct types
	funcs   []function     // callable functions
	loops   []loop         // enclosing loops
	read    []picture      // read images
	drawn   []picture      // written images
	whole   []whole        // variables of struct types
	tickets []ticket       // memory that is changed by one atomic operation
	focus   []numeric.Kind // the kinds of most values; nil: any
	knowns  []known        // arguments with known values
	list    *node          // the parameter list
	begin   []any          // the first statements
	nvar    int            // number of names used
	left    int            // number of statements still to generate
	rounds  int            // product of the enclosing counted loops' trip counts

	items    int  // of the range, including those below the offset
	group    int  // most work-items of a work-group
	kernel   bool // in the kernel, not in a function
	result   Type // of the function
	barriers bool // the kernel has barriers: no work-item returns before its end
	groups   bool // the kernel queries ids in the work-group
	generic  bool // the generic address space exists
	busy     bool // many statements of a whole work-group
	slow     bool // library functions of many instructions are allowed
	uniform  bool // all work-items of the group are active
	style    style
	even     bool   // uniform control flow, contiguous accesses
	sparse   bool   // few accesses have neighbours: accesses without them prevent wide gangs
	wild     bool   // accesses will be out of bounds
	prints   bool   // the kernel may print
	again    string // name of a local variable for conditions of a whole group
}

type variable struct {
	name   string
	typ    Type
	fixed  bool // must not be assigned: a loop's termination depends on it
	below  int  // if greater than 0: it stays in [0, below)
	noaddr bool // its address may not be taken
}

type array struct {
	name   string
	typ    Type
	n      int
	fixed  bool // constant
	noaddr bool
	member string // the text after the index
}

type buffer struct {
	name     string
	typ      Type
	n        int // elements
	each     int // own elements of each work-item
	soa      bool
	backward bool
	most     int  // greatest index that neighbours access
	plain    bool // global and const
	global   bool // not constant
}

type local struct {
	name string
	typ  Type
}

type counter struct {
	name string
	typ  Type
	op   string
	n    int
}

type record struct {
	name    string
	packed  bool
	fields  []variable // a field is an array of below elements if below is greater than 0
	through string     // name of a function that takes and returns the struct, "" if there is none
}

type function struct {
	name   string
	result Type
	params []Type
	ptr    []bool
}

type loop struct {
	label   bool // it is a switch
	noBreak bool // all work-items stay together
}

var kinds = []numeric.Kind{numeric.I8, numeric.U8, numeric.I16, numeric.U16, numeric.I32, numeric.U32, numeric.I64, numeric.U64, numeric.F16, numeric.F32, numeric.F64}

// Random returns the kernel of a seed, with about size statements.
func Random(seed uint64, size int) *Kernel { return random(seed, size, false) }

// RandomWild is Random for kernels with accesses out of bounds.
func RandomWild(seed uint64, size int) *Kernel { return random(seed, size, true) }

func random(seed uint64, size int, wild bool) *Kernel {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 21)), k: &Kernel{Seed: seed}, left: size, rounds: 1}
	g.k.Options = []string{"-cl-std=CL3.0", "-cl-std=CL2.0", "-cl-std=CL1.2"}[g.IntN(3)]
	g.generic = g.k.Options != "-cl-std=CL1.2"
	g.style = []style{mixed, mixed, mixed, mixed, gridlike, gridlike, gridlike, straight, straight, cooperative, crossed}[g.IntN(11)]
	g.even = g.style == straight
	g.sparse = g.even && g.chance(2)
	if g.style == mixed {
		g.barriers = g.IntN(3) == 0
		if g.IntN(8) == 0 {
			g.barriers, g.busy = true, true
		}
		g.groups = g.barriers || g.IntN(4) == 0
		g.slow = g.IntN(6) == 0
	}
	if g.chance(4) {
		g.focus = oneOf(g, focuses...)
	}
	g.barriers = g.barriers || g.style == cooperative
	g.groups = g.groups || g.barriers
	g.wild = g.chance([]int{mixed: 12, gridlike: 4, straight: 6, cooperative: 8, crossed: 6}[g.style])
	g.wild = g.wild || wild
	g.launch()
	// With work-groups of the launch's choice, only one dimension has a defined order of work-items.
	g.prints = g.style == mixed && g.chance(6) && (g.k.Local != nil || len(g.k.Global) == 1)
	g.program()
	g.k.Even = g.even
	if g.wild {
		g.shorten()
	}
	return g.k
}

// shorten removes elements from the ends of buffers, so that accesses of some work-items are out of bounds.
func (g *generator) shorten() {
	for i := range g.k.Args {
		a := &g.k.Args[i]
		n := len(a.Data) / max(1, a.Elem)
		if a.Value || a.Image != nil || a.whole || n < 2 || g.chance(4) {
			continue
		}
		for _, b := range g.ins {
			if b.name == a.Name && b.most > 0 && b.most < n && !g.chance(4) {
				n = b.most + 1
			}
		}
		cut := min(n-1, oneOf(g, 1, 1, 1, 2, 3, 8, n/2, n-1))
		a.Data, g.k.Wild = a.Data[:(n-cut)*a.Elem], true
		if a.Elem > 1 && g.chance(2) { // keep a part of an element
			a.Data = a.Data[:len(a.Data)+g.IntN(a.Elem)]
			a.Type, a.Elem = "uchar", 1
		}
	}
}

func (g *generator) chance(n int) bool { return g.IntN(n) == 0 }

func (g *generator) name(prefix string) string {
	g.nvar++
	return fmt.Sprint(prefix, g.nvar)
}

func oneOf[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

// launch picks the range of the launch.
func (g *generator) launch() {
	k := g.k
	switch kind := g.IntN(6); {
	case g.style != mixed:
		g.regularLaunch()
	case kind < 2:
		k.Global = []int{1 + g.IntN(20), 1 + g.IntN(5)}
		if g.barriers || g.chance(2) {
			k.Local = []int{oneOf(g, 1, 2, 3, 4, 5, 7, 8, 16), 1 + g.IntN(3)}
		}
	case kind == 2:
		k.Global = []int{1 + g.IntN(9), 1 + g.IntN(4), 1 + g.IntN(3)}
		if g.barriers || g.chance(2) {
			k.Local = []int{1 + g.IntN(8), 1 + g.IntN(3), 1 + g.IntN(2)}
		}
	default:
		k.Global = []int{oneOf(g, 1, 3, 5, 7, 8, 13, 16, 17, 31, 32, 33, 37, 48, 63, 64, 65, 70, 128, 193)}
		if g.barriers || g.chance(2) {
			k.Local = []int{oneOf(g, 1, 2, 3, 5, 7, 8, 11, 13, 16, 17, 24, 32, 64)}
		}
	}
	if k.Options == "-cl-std=CL1.2" { // OpenCL 1.2 requires that the local size divides the global size
		for d := range k.Local {
			k.Local[d] = min(k.Local[d], k.Global[d])
			k.Global[d] -= k.Global[d] % k.Local[d]
		}
	}
	if g.chance(4) {
		for range k.Global {
			k.Offset = append(k.Offset, g.IntN(6))
		}
	}
	g.items, g.group = 1, 1
	for d, n := range k.Global {
		if k.Local != nil {
			g.group *= k.Local[d]
		} else {
			g.group *= n
		}
		if k.Offset != nil {
			n += k.Offset[d]
		}
		g.items *= n
	}
}

// linear returns the work-item's linear id: it is unique and less than items.
func (g *generator) linear() string {
	id := func(d int) string { return fmt.Sprintf("get_global_id(%d)", d) }
	s, width := id(0), 1
	if g.style == crossed && g.chance(2) { // columns lie side by side
		n := g.k.Global[1]
		if g.k.Offset != nil {
			n += g.k.Offset[1]
		}
		return fmt.Sprintf("%s * %d + %s", s, n, id(1))
	}
	for d := 1; d < len(g.k.Global); d++ {
		n := g.k.Global[d-1]
		if g.k.Offset != nil {
			n += g.k.Offset[d-1]
		}
		width *= n
		s += fmt.Sprintf(" + %d * %s", width, id(d))
	}
	return s
}

// focuses are sets of kinds. A kernel may use one of them for most values, so that values of one type go through
// many operations.
var focuses = [][]numeric.Kind{
	{numeric.U8}, {numeric.I8, numeric.U8}, {numeric.I16, numeric.U16}, {numeric.U8, numeric.I16, numeric.I32},
	{numeric.U32}, {numeric.I64, numeric.U64}, {numeric.I64, numeric.I32, numeric.F64}, {numeric.F16, numeric.F32}, {numeric.F32},
}

// kind picks a kind of numbers.
func (g *generator) kind() numeric.Kind {
	if len(g.focus) > 0 && !g.chance(4) {
		return g.focus[g.IntN(len(g.focus))]
	}
	return kinds[g.IntN(len(kinds))]
}

func (g *generator) scalar() Type { return Type{g.kind(), 1} }

// typ picks a type, most often a scalar.
func (g *generator) typ() Type {
	t := g.scalar()
	if g.style != mixed && g.chance(8) {
		t.N = oneOf(g, 2, 3, 4, 8)
	} else if g.style == mixed && g.chance(3) {
		t.N = oneOf(g, 2, 2, 2, 3, 3, 4, 4, 4, 8, 8, 16)
	}
	return t
}

// program generates the whole text.
func (g *generator) program() {
	top := []any{"#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"}
	for range g.IntN(3) {
		top = append(top, g.record())
	}
	if g.chance(3) {
		top = append(top, g.table())
	}
	if g.chance(4) {
		top = append(top, g.programScope())
	}
	if g.style == mixed {
		for range g.IntN(3) - g.IntN(2) {
			top = append(top, g.function())
		}
		if len(g.recs) > 0 && g.chance(3) {
			top = append(top, g.recordFunction())
		}
	}
	g.kernel = true
	g.list = fixed()
	g.params()
	lin := variable{name: "lin", typ: Type{oneOf(g, numeric.I32, numeric.I32, numeric.U32, numeric.I64, numeric.U64), 1}, fixed: true, below: g.items}
	body := append(g.begin, fmt.Sprintf("  %s lin = %s;\n", lin.typ, g.linear()))
	g.vars = append(g.vars, lin)
	returns := 8
	if g.style == cooperative {
		returns = g.IntN(8) // 0, 1: some work-items return before all barriers, or after those at the start
	}
	if returns == 0 {
		body = append(body, earlyReturn(g))
	}
	if g.barriers {
		body = append(body, g.declareLocals())
	}
	if returns == 1 {
		body = append(body, earlyReturn(g))
	}
	if g.wild && g.groups && g.chance(3) {
		body = append(body, g.localEdge()...)
	}
	g.uniform = true
	for range 2 + g.IntN(3) {
		if g.style == mixed {
			body = append(body, g.declare())
		} else if g.chance(2) {
			body = append(body, g.declareValue())
		}
	}
	body = append(body, g.statements(nest))
	if len(g.tickets) > 0 {
		body = append(body, g.useTickets())
	}
	if g.prints {
		body = append(body, g.print())
	}
	if g.barriers && g.chance(3) { // after the last barrier work-items may return
		g.barriers, g.left = false, 2
		body = append(body, g.statements(nest))
	}
	for i := range g.outs {
		body = append(body, g.storeOut(&g.outs[i]))
	}
	top = append(top, "kernel ", attribute(g.k), "void k(", g.list, ") {\n")
	top = append(top, body...)
	top = append(top, "}\n")
	g.k.tree = fixed(top...)
}

// attribute returns the kernel's attribute for the work-group size, if it requires one.
func attribute(k *Kernel) string {
	if !k.required {
		return ""
	}
	size := [3]int{1, 1, 1}
	copy(size[:], k.Local)
	return fmt.Sprintf("__attribute__((reqd_work_group_size(%d, %d, %d))) ", size[0], size[1], size[2])
}

// record writes a struct type.
func (g *generator) record() *node {
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
func (g *generator) table() *node {
	a := array{name: g.name("t"), typ: g.typ(), n: 2 + g.IntN(7), fixed: true}
	s := fmt.Sprintf("constant %s %s[%d] = {", a.typ, a.name, a.n)
	for range a.n {
		s += g.literal(a.typ) + ", "
	}
	g.arrays = append(g.arrays, a)
	return statement(s + "};\n")
}

// argument adds an argument to the kernel.
func (g *generator) argument(decl string, a Arg) {
	if len(g.list.parts) > 0 {
		decl = ", " + decl
	}
	g.list.parts = append(g.list.parts, decl)
	g.k.Args = append(g.k.Args, a)
}

// bufferArgument adds a buffer. The kernel may only have a pointer to its interior.
func (g *generator) bufferArgument(space string, b buffer) {
	stride, name, n := b.typ, b.name, b.n
	if b.typ.N == 3 {
		stride.N = 4
	}
	switch {
	case g.wild && g.chance(4): // a pointer before the buffer's beginning
		name += "_"
		g.k.Wild = true
		g.begin = append(g.begin, fmt.Sprintf("  %s%s* %s = %s - %s;\n", space, b.typ, b.name, name, g.number(1+g.IntN(9))))
	case g.chance(10):
		name += "_"
		n += 1 + g.IntN(20)
		g.begin = append(g.begin, fmt.Sprintf("  %s%s* %s = %s + %s;\n", space, b.typ, b.name, name, g.number(n-b.n)))
	}
	g.argument(fmt.Sprintf("%s%s* %s", space, b.typ, name), Arg{Name: name, Type: stride.String(), Elem: b.typ.size(), Data: randomData(g.Rand, stride, n)})
}

// params generates the kernel's arguments.
func (g *generator) params() {
	for range 1 + g.IntN(3) {
		b := buffer{name: g.name("o"), typ: g.typ(), each: oneOf(g, 1, 1, 2, 3, 4, 8), soa: g.chance(3), backward: g.chance(4)}
		if g.style != mixed && g.chance(8) {
			b.typ.N, b.each = oneOf(g, 2, 4, 4, 8), 1
		}
		if b.typ.size() > 16 || g.items > 200 {
			b.each = min(b.each, 2)
		} else if g.style == gridlike && g.chance(2) {
			b.each = oneOf(g, 8, 16, 20, 40, 40)
		}
		b.n = b.each * g.items
		g.outs = append(g.outs, b)
		g.bufferArgument("global ", b)
	}
	for range 1 + g.IntN(3) {
		b := buffer{name: g.name("a"), typ: g.typ()}
		if o := g.outs[0]; o.typ.N > 1 && g.chance(2) {
			b.typ = o.typ
		}
		b.n = g.inSize(b.typ)
		space := oneOf(g, "global const ", "global const ", "global ", "constant ")
		b.plain, b.global = space == "global const ", space != "constant "
		g.ins = append(g.ins, b)
		g.bufferArgument(space, b)
	}
	if len(g.recs) > 0 && g.chance(3) {
		g.recordBuffer()
	}
	for range g.IntN(4) {
		v := variable{name: g.name("n"), typ: g.typ()}
		stride := v.typ
		if v.typ.N == 3 {
			stride.N = 4
		}
		g.vars = append(g.vars, v)
		g.argument(fmt.Sprintf("%s %s", v.typ, v.name), Arg{Name: v.name, Type: v.typ.String(), Elem: v.typ.size(), Value: true, Data: randomData(g.Rand, stride, 1)})
	}
	if g.style != mixed {
		return
	}
	if g.chance(4) {
		c := counter{name: g.name("c"), typ: Type{oneOf(g, numeric.I32, numeric.U32, numeric.I64, numeric.U64), 1}, n: oneOf(g, 1, 4, 16, 19), op: oneOf(g, "add", "sub", "inc", "dec", "min", "max", "and", "or", "xor")}
		if c.typ.Kind.Size() == 8 {
			c.op = oneOf(g, "add", "sub", "inc", "dec")
		}
		g.sums = append(g.sums, c)
		g.argument(fmt.Sprintf("volatile global %s* %s", c.typ, c.name), Arg{Name: c.name, Type: c.typ.String(), Elem: c.typ.size(), Data: randomData(g.Rand, c.typ, c.n)})
	}
	if g.chance(6) {
		decl, a := g.newTicket()
		g.argument(decl, a)
		decl, a = g.newSum()
		g.argument(decl, a)
	}
	if g.chance(8) {
		p, a := g.newPicture(oneOf(g, readShapes...), [3]int{1 + g.IntN(9), 1 + g.IntN(5), 1 + g.IntN(3)})
		g.read = append(g.read, p)
		g.argument("read_only "+p.shape.typeName+" "+p.name, a)
	}
	if g.chance(12) {
		w := 1 + g.IntN(g.items)
		p, a := g.newPicture(flat, [3]int{w, (g.items + w - 1) / w, 1})
		g.drawn = append(g.drawn, p)
		g.argument("write_only image2d_t "+p.name, a)
	}
	if g.barriers && (g.busy || g.chance(2)) {
		l := local{g.name("l"), g.typ()}
		g.locals = append(g.locals, l)
		g.argument(fmt.Sprintf("local %s* %s", l.typ, l.name), Arg{Name: l.name, Local: l.typ.size() * g.group})
	}
}

// declareLocals declares local memory and initialises each work-item's element.
func (g *generator) declareLocals() *node {
	parts := []any{}
	n := g.IntN(3)
	if g.style == cooperative {
		n = max(1, n)
	}
	for range n {
		l := local{g.name("l"), g.typ()}
		switch g.IntN(4) { // two for copies between them
		case 0, 1:
			l.typ = g.ins[g.IntN(len(g.ins))].typ
		case 2:
			l.typ = g.outs[g.IntN(len(g.outs))].typ
		}
		g.locals = append(g.locals, l)
		parts = append(parts, fmt.Sprintf("  local %s %s[%d];\n", l.typ, l.name, g.group))
	}
	if g.style == mixed && g.chance(2) {
		c := counter{name: g.name("c"), typ: Type{oneOf(g, numeric.I32, numeric.U32), 1}, n: oneOf(g, 1, 4, 7), op: oneOf(g, "add", "sub", "inc", "dec", "min", "max", "and", "or", "xor")}
		g.counts = append(g.counts, c)
		parts = append(parts, fmt.Sprintf("  local %s %s[%d];\n", c.typ, c.name, c.n))
	}
	if g.chance(2) {
		g.again = g.name("again")
		parts = append(parts, fmt.Sprintf("  local int %s;\n", g.again))
	}
	id, size := "get_local_id(0)", "get_local_size(0)"
	for d := 1; d < len(g.k.Global); d++ {
		id += fmt.Sprintf(" + %s * get_local_id(%d)", size, d)
		size += fmt.Sprintf(" * get_local_size(%d)", d)
	}
	parts = append(parts, fmt.Sprintf("  uint lid = %s, lsz = %s;\n", id, size))
	g.vars = append(g.vars, variable{name: "lid", typ: Type{numeric.U32, 1}, fixed: true, below: g.group}, variable{name: "lsz", typ: Type{numeric.U32, 1}, fixed: true, below: 0})
	for _, l := range g.locals {
		parts = append(parts, fmt.Sprintf("  %s[lid] = ", l.name), g.expr(l.typ, 1), ";\n")
	}
	for _, l := range g.locals {
		g.vars = append(g.vars, variable{name: l.name + "[lid]", typ: l.typ, noaddr: true})
	}
	return fixed(parts...)
}

// function generates a callable function.
func (g *generator) function() *node {
	f := function{name: g.name("f"), result: g.typ()}
	vars, arrays, records := g.vars, g.arrays, g.whole
	s := ""
	for i := range 1 + g.IntN(3) {
		v := variable{name: g.name("p"), typ: g.typ()}
		ptr := g.chance(5)
		if i > 0 {
			s += ", "
		}
		if ptr {
			s += fmt.Sprintf("private %s* %s", v.typ, v.name)
			v.name = "(*" + v.name + ")"
		} else {
			s += fmt.Sprintf("%s %s", v.typ, v.name)
		}
		g.vars = append(g.vars, v)
		f.params, f.ptr = append(f.params, v.typ), append(f.ptr, ptr)
	}
	g.result = f.result
	left := g.left
	g.left = min(4, left/3)
	body := fixed(g.declare(), g.statements(2))
	g.left = left - 4
	end := fixed("  return ", g.expr(f.result, 2), ";\n")
	g.vars, g.arrays, g.whole = vars, arrays, records
	g.funcs = append(g.funcs, f)
	return statement(g.specifier(), fmt.Sprintf("%s %s(%s) {\n", f.result, f.name, s), body, end, "}\n")
}

// specifier returns a function's specifier. Functions of wild kernels are always inlined, so that all executors
// know which loads of their arguments are dead.
func (g *generator) specifier() string {
	s := oneOf(g, "", "static ", "inline ", "__attribute__((noinline)) ")
	if g.wild && len(s) > len("static ") {
		return "static "
	}
	return s
}
