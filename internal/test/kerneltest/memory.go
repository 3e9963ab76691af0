package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// A memory adds the kernel's arguments, and knows which elements of buffers, local memory and images a work-item may
// access. It writes indices and constants; it does not know how values are computed.
type memory struct {
	scope
	list    *node     // the parameter list
	begin   []any     // the first statements
	knowns  []known   // arguments with known values
	ins     []buffer  // buffers that work-items read anywhere
	outs    []buffer  // buffers with own elements for each work-item
	locals  []local   // local memory with an element for each work-item between barriers
	sums    []counter // targets of atomics
	tickets []ticket  // memory that is changed by one atomic operation
	read    []picture // read images
	drawn   []picture // written images
}

// A buffer is a buffer argument.
type buffer struct {
	name   string
	typ    Type
	n      int    // elements
	each   int    // own elements of each work-item
	soa    bool   // the n-th elements of all work-items are side by side
	place  string // a permutation of lin: the place of the work-item's own elements; "": lin
	most   int    // greatest index that neighbours access
	plain  bool   // global and const
	global bool   // not constant
}

// A local is an array in local memory with an element for each work-item of a group.
type local struct {
	name string
	typ  Type
}

// A counter is an array that only one atomic operation changes.
type counter struct {
	name string
	typ  Type
	op   string // the suffix of the function, such as "add"
	n    int    // elements
}

// A known is a kernel argument whose value in the launch the generator knows.
type known struct {
	name string
	n    int
}

// argument adds an argument to the kernel.
func (g *memory) argument(decl string, a Arg) {
	if len(g.list.parts) > 0 {
		decl = ", " + decl
	}
	g.list.parts = append(g.list.parts, decl)
	g.k.Args = append(g.k.Args, a)
}

// number returns n as a literal, or the name of an argument with that value.
func (g *memory) number(n int) string {
	if g.chance(2) {
		return fmt.Sprint(n)
	}
	return g.parameter(n)
}

// parameter returns the name of an argument with the value n, or a literal if there are too many arguments.
func (g *memory) parameter(n int) string {
	for _, k := range g.knowns {
		if k.n == n {
			return k.name
		}
	}
	if len(g.knowns) >= 4 {
		return fmt.Sprint(n)
	}
	t := Type{oneOf(g, numeric.I32, numeric.I32, numeric.U32, numeric.I64, numeric.U64, numeric.I16), 1}
	if n >= 1<<15 {
		t.Kind = numeric.I32
	}
	k := known{g.name("w"), n}
	data := make([]byte, t.size())
	data[0], data[1] = byte(n), byte(n>>8)
	if len(data) > 2 {
		data[2] = byte(n >> 16)
	}
	g.argument(fmt.Sprintf("%s %s", t, k.name), Arg{Name: k.name, Type: t.String(), Elem: t.size(), Value: true, Data: data})
	g.knowns = append(g.knowns, k)
	return k.name
}

// params generates the kernel's arguments.
func (g *memory) params() {
	for range 1 + g.IntN(3) {
		b := buffer{name: g.name("o"), typ: g.typ(), each: oneOf(g, 1, 1, 2, 3, 4, 8), soa: g.chance(3)}
		if g.chance(3) {
			b.place = g.permuted()
		}
		if g.style != mixed && g.chance(8) {
			b.typ.N, b.each = oneOf(g, 2, 4, 4, 8), 1
		}
		if b.typ.size() > 16 || g.items > 200 {
			b.each = min(b.each, 2)
		} else if g.style == gridlike && g.chance(2) {
			b.each = oneOf(g, 8, 16, 20, 40, 40, 150)
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

// bufferArgument adds a buffer. The kernel may only have a pointer to its interior.
func (g *memory) bufferArgument(space string, b buffer) {
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

// inSize returns the number of elements of a buffer of ins.
func (g *memory) inSize(t Type) int {
	n := g.items + oneOf(g, 0, 1, 2, 7, 16)
	if g.style != mixed {
		w := g.k.Global[0] + 2
		n = oneOf(g, n, g.items+32, g.items+100, 2*g.items+8, 3*g.items, 4*g.items, g.items+3*w, (w+2)*g.items/w+4*w)
		n = min(n, max(g.items, 1<<14/t.size()))
	} else if g.chance(3) {
		n = 1 << oneOf(g, 2, 3, 4, 5, 6)
	}
	return n
}

// recordBuffer adds an argument whose elements are structs: read anywhere, or with own elements for each work-item.
func (g *memory) recordBuffer() {
	r := g.recs[g.IntN(len(g.recs))]
	size, _ := r.size()
	name, n, space := g.name("s"), g.items, "global"
	own := g.chance(2)
	if !own {
		n += g.IntN(20)
		space = oneOf(g, "global const", "constant")
	}
	g.argument(fmt.Sprintf("%s struct %s* %s", space, r.name, name), Arg{Name: name, Type: "uchar", Elem: 1, Data: randomData(g.Rand, Type{numeric.U8, 1}, n*size)})
	for _, f := range r.fields {
		switch {
		case own && f.below > 0:
			g.arrays = append(g.arrays, array{name: name + "[lin]." + f.name, typ: f.typ, n: f.below, noaddr: true})
		case own:
			g.vars = append(g.vars, variable{name: name + "[lin]." + f.name, typ: f.typ, noaddr: true})
		case f.below > 0:
			g.arrays = append(g.arrays, array{name: name, typ: f.typ, n: n, fixed: true, noaddr: true, member: fmt.Sprintf(".%s[%d]", f.name, g.IntN(f.below))})
		default:
			g.arrays = append(g.arrays, array{name: name, typ: f.typ, n: n, fixed: true, noaddr: true, member: "." + f.name})
		}
	}
}

// permuted returns a permutation of lin: backwards, or to the neighbour at a distance in a row whose ends are neighbours.
func (g *memory) permuted() string {
	row := g.items
	for row%2 == 0 && row >= 128 && g.chance(2) {
		row /= 2
	}
	if row < 8 || g.chance(2) {
		return fmt.Sprintf("(%d - lin)", g.items-1)
	}
	lin, n := oneOf(g, "lin", "(uint)lin", "(int)lin", "(size_t)lin"), g.number(row)
	x := fmt.Sprintf("%s %% %s", lin, n)
	if g.items%(2*row) == 0 && g.chance(2) { // in a plane of two rows
		x = fmt.Sprintf("%s %% %s %% %s", lin, g.number(2*row), n)
	}
	switch d := 1 + g.IntN(3); g.IntN(4) {
	case 0:
		x = fmt.Sprintf("(%s + %d) %% %s", x, d, n)
	case 1:
		x = fmt.Sprintf("(%s + %s - %d) %% %s", x, n, d, n)
	case 2:
		x = fmt.Sprintf("(%s == 0 ? %s - 1 : %s - 1)", x, n, x)
	case 3:
		x = fmt.Sprintf("(%s + %d < %s ? %s + %d : %s + %d - %s)", x, d, n, x, d, x, d, n)
	}
	return fmt.Sprintf("(%s + %s / %s * %s)", x, lin, n, n)
}

// own returns the place of the work-item's own elements.
func (b *buffer) own() string {
	if b.place == "" {
		return "lin"
	}
	return b.place
}

// ownAt returns element c of the work-item's own elements, as an lvalue.
func (g *memory) ownAt(b *buffer, c int) string {
	lin := b.own()
	if b.soa {
		return fmt.Sprintf("%s[%s + %d]", b.name, lin, g.items*c)
	}
	return fmt.Sprintf("%s[%s * %d + %d]", b.name, lin, b.each, c)
}

// same returns an integer that is uniform in a group.
func (g *memory) same() string {
	d := g.IntN(len(g.k.Global))
	for _, i := range g.Perm(len(g.ins)) {
		if b := g.ins[i]; b.typ.N == 1 && b.typ.Kind.IsInt() && g.chance(2) {
			at := fmt.Sprint(g.IntN(b.n))
			if g.chance(2) {
				at = fmt.Sprintf("get_group_id(%d) %% %d", d, b.n)
			}
			return fmt.Sprintf("(uint)%s[%s]", b.name, at)
		}
	}
	return fmt.Sprintf("(uint)%s(%d)", oneOf(g, "get_group_id", "get_num_groups", "get_local_size", "get_global_size"), d)
}

// flip returns a number below n, a power of two: usually a uniform one.
func (g *memory) flip(n int) string {
	for _, a := range g.k.Args {
		if t := a.Type; g.kernel && a.Value && (t == "int" || t == "uint" || t == "long" || t == "ulong") && g.chance(2) {
			return fmt.Sprintf("((uint)%s & %d)", a.Name, n-1)
		}
	}
	return fmt.Sprint(g.IntN(n))
}

// shorten removes elements from the ends of buffers, so that accesses of some work-items are out of bounds.
func (g *memory) shorten() {
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
