package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// An affine is an integer expression that is affine in ids and loop counters.
type affine struct {
	text string
	most int // its values are in [0, most]
	row  int // the stride of one of its terms, 0 if all strides are 1
}

// A known is a kernel argument whose value in the launch the generator knows.
type known struct {
	name string
	n    int
}

// number returns n as a literal, or the name of an argument with that value.
func (g *generator) number(n int) string {
	if g.chance(2) {
		return fmt.Sprint(n)
	}
	return g.parameter(n)
}

// parameter returns the name of an argument with the value n, or a literal if there are too many arguments.
func (g *generator) parameter(n int) string {
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

// terms returns the expressions that positions are built from.
func (g *generator) terms() (list []affine) {
	list = append(list, affine{text: "lin", most: g.items - 1})
	for d, n := range g.k.Global {
		if g.k.Offset != nil {
			n += g.k.Offset[d]
		}
		list = append(list, affine{text: fmt.Sprintf("(%s)get_global_id(%d)", oneOf(g, "int", "uint", "size_t"), d), most: n - 1})
	}
	for _, v := range g.vars {
		if v.below > 0 && v.typ.N == 1 && v.name != "lin" {
			t := affine{text: v.name, most: v.below - 1}
			list = append(list, t, t, t)
		}
	}
	return list
}

// position returns the sum of up to three terms, less than n.
func (g *generator) position(n int) (p affine) {
	list := g.terms()
	if g.even { // the lanes access neighbouring elements
		p = affine{text: "lin", most: g.items - 1}
		if p.most >= n {
			return affine{text: "0"}
		}
		list = list[1+len(g.k.Global):]
	}
	for range 1 + g.IntN(3) {
		if len(list) == 0 {
			break
		}
		t := list[g.IntN(len(list))]
		if t.most >= n-p.most {
			continue
		}
		if k := (n - 1 - p.most) / max(1, t.most); k > 1 && t.most > 0 && g.chance(2) {
			f := min(k, oneOf(g, 2, 2, 3, 4, 4, 5, 8, 16, 32, k, 1+g.IntN(k)))
			t.row, t.most = f, t.most*f
			t.text += " * " + g.number(f)
		}
		if p.text != "" {
			t.text = p.text + " + " + t.text
		}
		p = affine{t.text, p.most + t.most, max(p.row, t.row)}
	}
	if p.text == "" {
		return affine{text: "0"}
	}
	return p
}

// element returns the element at distance c from position p of a buffer, as an lvalue.
func (g *generator) element(b *buffer, p affine, c int) string {
	b.most = max(b.most, p.most+c)
	switch g.IntN(9) {
	default:
		return fmt.Sprintf("%s[%s + %d]", b.name, p.text, c)
	case 6: // unsigned arithmetic that wraps
		d := 1 + g.IntN(6)
		return fmt.Sprintf("%s[(uint)(%s) - (uint)%s + %du]", b.name, p.text, g.parameter(d), uint32(c+d))
	case 7:
		if p.most+c < 1<<15 && c >= 0 {
			return fmt.Sprintf("%s[(%s)(%s + %d)]", b.name, oneOf(g, "short", "ushort"), p.text, c)
		}
		fallthrough
	case 5:
		return fmt.Sprintf("%s[(%s)(%s) + %d]", b.name, oneOf(g, "int", "uint", "long", "size_t"), p.text, c)
	case 0:
		return fmt.Sprintf("%s[%d + (%s)]", b.name, c, p.text)
	case 1:
		return fmt.Sprintf("(%s + %d)[%s]", b.name, c, p.text)
	case 2:
		return fmt.Sprintf("(*(%s + (%s) + %d))", b.name, p.text, c)
	case 3:
		d := 1 + g.IntN(4)
		return fmt.Sprintf("%s[(%s + %d) - %d]", b.name, p.text, c+d, d)
	}
}

// distances returns some numbers from 0 to room, most of them close to each other or to multiples of row.
func (g *generator) distances(room, row int) (list []int) {
	first := g.IntN(room + 1)
	if g.chance(2) {
		first = min(room, g.IntN(9))
	}
	n := 1 + oneOf(g, 0, 1, 1, 2, 2, 3)
	if g.sparse {
		n = 1
	}
	for i := range n {
		c := first
		if i > 0 {
			c += oneOf(g, 0, 1, -1, 1, 2, -2, 4, row, -row, row+1, 1-row)
		}
		list = append(list, min(max(c, 0), room))
	}
	return list
}

// combine returns one operation on two values of a type.
func (g *generator) combine(t Type, x, y *node) *node {
	if t.Kind.IsFloat() {
		switch g.IntN(7) {
		case 0:
			return value(t, oneOf(g, "fmin", "fmax"), "(", x, ", ", y, ")")
		case 1:
			return value(t, oneOf(g, "mad", "fma"), "(", x, ", ", g.literalNode(t), ", ", y, ")")
		}
		return plain(t, x, oneOf(g, " + ", " + ", " - ", " * "), y)
	}
	if g.chance(2) {
		return value(t, oneOf(g, "add_sat", "sub_sat", "hadd", "rhadd", "min", "max", "mul_hi", "rotate"), "(", x, ", ", y, ")")
	}
	return plain(t, x, oneOf(g, " + ", " + ", " - ", " * ", " & ", " | ", " ^ "), y)
}

func (g *generator) literalNode(t Type) *node { return value(t, g.literal(t)) }

// neighbours combines elements of a buffer that are close to each other.
func (g *generator) neighbours(t Type) *node {
	b := &g.ins[g.IntN(len(g.ins))]
	p := g.position(max(1, b.n-oneOf(g, 0, 1, 2, 2, 8, 40)))
	if g.chance(5) && b.typ.N == 1 && b.n > 16 {
		return g.neighbouringVectors(t, b)
	}
	return g.combined(t, b, p, g.distances(b.n-1-p.most, p.row))
}

// combined combines the elements at the given distances from a position.
func (g *generator) combined(t Type, b *buffer, p affine, distances []int) (n *node) {
	u := t
	if b.typ.N == t.N && g.chance(2) {
		u = b.typ
	}
	for _, c := range distances {
		place := g.element(b, p, c)
		if g.wild && g.chance(12) { // far out of bounds
			place = fmt.Sprintf("%s[%s + %d]", b.name, p.text, c+oneOf(g, -300, 1<<12, 1<<20, -1<<31, 1<<30))
			g.k.Wild = true
		}
		x := g.wrap2(u, b.typ, place)
		if n == nil {
			n = x
		} else {
			n = g.combine(u, n, x)
		}
	}
	return g.wrap2(t, u, n)
}

// neighbouringVectors combines vectors whose first elements are close to each other.
func (g *generator) neighbouringVectors(t Type, b *buffer) (n *node) {
	u := Type{b.typ.Kind, oneOf(g, 2, 3, 4, 8)}
	p := g.position(b.n - u.N - 3)
	for _, c := range g.distances(b.n-u.N-p.most, p.row) {
		b.most = max(b.most, p.most+c+u.N-1)
		x := value(u, fmt.Sprintf("vload%d(0, %s + (%s) + %d)", u.N, b.name, p.text, c))
		if n == nil {
			n = x
		} else {
			n = g.combine(u, n, x)
		}
	}
	return g.wrap2(t, u, n)
}

// bordered reads elements around a position that may be at or beyond a buffer's ends. There it clamps the index,
// wraps it, or does not read.
func (g *generator) bordered(t Type) *node {
	b := &g.ins[g.IntN(len(g.ins))]
	if b.n < 4 {
		return g.neighbours(t)
	}
	p := g.position(max(2, oneOf(g, b.n, b.n, b.n+3, 2*b.n)))
	d := 1 + g.IntN(3)
	typ := oneOf(g, "int", "int", "long")
	signed := fmt.Sprintf("(%s)(%s)", typ, p.text)
	last := g.number(b.n - 1)
	index := func(c int) string {
		switch k := g.IntN(3); {
		case k == 0 && p.most < b.n && c < 0:
			return fmt.Sprintf("max(%s - %d, (%s)0)", signed, -c, typ)
		case k == 0 && c >= 0:
			return fmt.Sprintf("min(%s + %d, (%s)%s)", signed, c, typ, last)
		case k == 1 && p.most < b.n && c == 1:
			return fmt.Sprintf("(%s == %s ? 0 : %s + 1)", signed, last, signed)
		case k == 1 && p.most < b.n && c == -1:
			return fmt.Sprintf("(%s == 0 ? %s : %s - 1)", signed, last, signed)
		}
		return fmt.Sprintf("clamp(%s + %d, (%s)0, (%s)%s)", signed, c, typ, typ, last)
	}
	if g.chance(2) {
		var n *node
		for _, c := range g.around(d) {
			x := g.wrap2(t, b.typ, b.name+"["+index(c)+"]")
			if n == nil {
				n = x
			} else {
				n = g.combine(t, n, x)
			}
		}
		return n
	}
	within := fmt.Sprintf("(%s >= %s && %s < %s)", signed, g.number(d), signed, g.number(max(0, b.n-d)))
	p.text = signed
	return plain(t, yesNo(within), " ? ", g.combined(t, b, p, g.around(d)), " : ", g.leaf(t))
}

// around returns distances from -d to d.
func (g *generator) around(d int) (list []int) {
	for c := -d; c <= d; c++ {
		if !g.chance(4) {
			list = append(list, c)
		}
	}
	if len(list) == 0 {
		list = append(list, d)
	}
	return list
}

// nearby reads elements close to a position of a buffer, or one of the work-item's own elements.
func (g *generator) nearby(t Type) *node {
	switch {
	case g.style != crossed && g.chance(4) && len(g.outs) > 0:
		b := &g.outs[g.IntN(len(g.outs))]
		return g.wrap2(t, b.typ, g.ownAt(b, g.IntN(b.each)))
	case g.chance(3) && !g.even:
		return g.bordered(t)
	case g.chance(4) && !g.even:
		if n := g.plane(t); n != nil {
			return n
		}
	}
	return g.neighbours(t)
}

// plane reads a two-dimensional neighbourhood from a buffer that it treats as a matrix. It skips the border, clamps
// the indices, or uses a buffer with a margin. It returns nil if the buffer is too small.
func (g *generator) plane(t Type) *node {
	b := &g.ins[g.IntN(len(g.ins))]
	typ := oneOf(g, "int", "int", "long")
	row := g.k.Global[0]
	if g.k.Offset != nil {
		row += g.k.Offset[0]
	}
	x, y := affine{text: "get_global_id(0)", most: row - 1}, affine{text: "get_global_id(1)"}
	if len(g.k.Global) == 1 || g.chance(4) {
		row = 3 + g.IntN(12)
		x, y = affine{text: fmt.Sprintf("(lin %% %d)", row), most: row - 1}, affine{text: fmt.Sprintf("(lin / %d)", row), most: (g.items - 1) / row}
	} else if y.most = g.k.Global[1] - 1; g.k.Offset != nil {
		y.most += g.k.Offset[1]
	}
	d := 1 + g.IntN(2)
	margin := g.chance(3)
	if margin {
		row += 2 * d
	}
	if rows := b.n / row; rows <= 2*d || margin && rows < y.most+1+2*d {
		return nil
	}
	width, h := g.number(row), g.number(b.n/row)
	inside := func(p affine, n string) string {
		return fmt.Sprintf("(%s)%s >= %d && (%s)%s < (%s)%s - %d", typ, p.text, d, typ, p.text, typ, n, d)
	}
	clamped := g.chance(2)
	at := func(p affine, c int, n string) string {
		switch {
		case margin:
			return fmt.Sprintf("((%s)%s + %d)", typ, p.text, c+d)
		case clamped:
			return fmt.Sprintf("clamp((%s)%s + %d, (%s)0, (%s)%s - 1)", typ, p.text, c, typ, typ, n)
		}
		return fmt.Sprintf("((%s)%s + %d)", typ, p.text, c)
	}
	var n *node
	for _, dy := range g.around(d) {
		for _, dx := range g.around(1) {
			if n != nil && g.chance(3) {
				continue
			}
			e := g.wrap2(t, b.typ, fmt.Sprintf("%s[%s * %s + %s]", b.name, at(y, dy, h), width, at(x, dx, width)))
			if n == nil {
				n = e
			} else {
				n = g.combine(t, n, e)
			}
		}
	}
	if margin || clamped {
		return n
	}
	return plain(t, yesNo("(", inside(x, width), " && ", inside(y, h), ")"), " ? ", n, " : ", g.leaf(t))
}
