package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// own returns one of the work-item's own elements, as an lvalue.
func (g *expressions) own(b *buffer, d int) *node {
	lin := b.own()
	if b.each == 1 {
		return fixed(fmt.Sprintf("%s[%s]", b.name, lin))
	}
	if b.soa {
		return fixed(fmt.Sprintf("%s[%s + %d * (", b.name, lin, g.items), g.index(b.each, d), ")]")
	}
	return fixed(fmt.Sprintf("%s[%s * %d + (", b.name, lin, b.each), g.index(b.each, d), ")]")
}

// load returns a read of memory.
func (g *expressions) load(t Type, d int) *node {
	d = min(d, 1)
	if g.kernel && len(g.ins) > 0 && (g.even || g.chance([]int{mixed: 12, gridlike: 2, cooperative: 4, crossed: 3}[g.style])) {
		return g.nearby(t)
	}
	if g.kernel && len(g.read) > 0 && g.chance(3) {
		return g.readPicture(t, d)
	}
	if g.kernel && g.chance(4) {
		return g.vload(t, d)
	}
	for range 4 {
		switch g.IntN(3) {
		case 0:
			if len(g.arrays) > 0 {
				a := g.arrays[g.IntN(len(g.arrays))]
				return g.wrap2(t, a.typ, a.name+"[", g.index(a.n, d), "]"+a.member)
			}
		case 1:
			if len(g.ins) > 0 && g.kernel {
				b := g.ins[g.IntN(len(g.ins))]
				return g.wrap2(t, b.typ, b.name+"[", g.index(b.n, d), "]")
			}
		case 2:
			if len(g.outs) > 0 && g.kernel {
				b := &g.outs[g.IntN(len(g.outs))]
				return g.wrap2(t, b.typ, g.own(b, d))
			}
		}
	}
	return nil
}

// vload returns a vload of a vector, or of half precision.
func (g *expressions) vload(t Type, d int) *node {
	for _, i := range g.Perm(len(g.ins)) {
		b := g.ins[i]
		if b.typ.N != 1 || b.n < t.N+1 {
			continue
		}
		if b.typ.Kind == numeric.F16 && t.Kind == numeric.F32 && b.n >= 4 {
			switch {
			case t.N == 1:
				return value(t, "vload_half(", g.index(b.n, d), ", ", b.name, ")")
			case g.chance(2) && t.N != 3:
				return value(t, fmt.Sprintf("vloada_half%d(", t.N), g.index(b.n/t.N, d), ", ", b.name, ")")
			}
			return value(t, fmt.Sprintf("vload_half%d(", t.N), g.index(b.n/t.N, d), ", ", b.name, ")")
		}
		if t.N == 1 {
			continue
		}
		u := b.typ
		u.N = t.N
		if g.chance(2) {
			return g.wrap2(t, u, fmt.Sprintf("vload%d(", t.N), g.index(b.n/t.N, d), ", ", b.name, ")")
		}
		return g.wrap2(t, u, fmt.Sprintf("vload%d(0, %s + (", t.N, b.name), g.index(b.n-t.N+1, d), "))")
	}
	return nil
}

// loadAt returns a read of a value of type t through a byte pointer p to an address space.
func (g *expressions) loadAt(space string, t Type, p string) string {
	if t.N > 1 && g.chance(2) {
		return fmt.Sprintf("vload%d(0, (%s%s*)(%s))", t.N, space, t.elem(), p)
	}
	return fmt.Sprintf("*(%s%s*)(%s)", space, t, p)
}

// combined combines the elements at the given distances from a position.
func (g *expressions) combined(t Type, b *buffer, p affine, distances []int) (n *node) {
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
		n = g.join(u, n, x)
	}
	return g.wrap2(t, u, n)
}

// neighbours combines elements of a buffer that are close to each other.
func (g *expressions) neighbours(t Type) *node {
	b := &g.ins[g.IntN(len(g.ins))]
	p := g.position(max(1, b.n-oneOf(g, 0, 1, 2, 2, 8, 40)))
	if g.chance(5) && b.typ.N == 1 && b.n > 16 {
		return g.neighbouringVectors(t, b)
	}
	return g.combined(t, b, p, g.distances(b.n-1-p.most, p.row))
}

// neighbouringVectors combines vectors whose first elements are close to each other.
func (g *expressions) neighbouringVectors(t Type, b *buffer) (n *node) {
	u := Type{b.typ.Kind, oneOf(g, 2, 3, 4, 8)}
	p := g.position(b.n - u.N - 3)
	for _, c := range g.distances(b.n-u.N-p.most, p.row) {
		b.most = max(b.most, p.most+c+u.N-1)
		x := value(u, fmt.Sprintf("vload%d(0, %s + (%s) + %d)", u.N, b.name, p.text, c))
		n = g.join(u, n, x)
	}
	return g.wrap2(t, u, n)
}

// join combines n, nil at first, with x.
func (g *expressions) join(t Type, n, x *node) *node {
	if n == nil {
		return x
	}
	return g.combine(t, n, x)
}

// nearby reads elements close to a position of a buffer, or one of the work-item's own elements.
func (g *expressions) nearby(t Type) *node {
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

// bordered reads elements around a position that may be at or beyond a buffer's ends. There it clamps the index,
// wraps it, or does not read.
func (g *expressions) bordered(t Type) *node {
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
			n = g.join(t, n, x)
		}
		return n
	}
	within := fmt.Sprintf("(%s >= %s && %s < %s)", signed, g.number(d), signed, g.number(max(0, b.n-d)))
	p.text = signed
	return plain(t, yesNo(within), " ? ", g.combined(t, b, p, g.around(d)), " : ", g.leaf(t))
}

// plane reads a two-dimensional neighbourhood from a buffer that it treats as a matrix. It skips the border, clamps
// the indices, or uses a buffer with a margin. It returns nil if the buffer is too small.
func (g *expressions) plane(t Type) *node {
	b := &g.ins[g.IntN(len(g.ins))]
	typ := oneOf(g, "int", "int", "long")
	row := g.ids(0)
	x, y := affine{text: "get_global_id(0)", most: row - 1}, affine{text: "get_global_id(1)"}
	if len(g.k.Global) == 1 || g.chance(4) {
		row = 3 + g.IntN(12)
		x, y = affine{text: fmt.Sprintf("(lin %% %d)", row), most: row - 1}, affine{text: fmt.Sprintf("(lin / %d)", row), most: (g.items - 1) / row}
	} else {
		y.most = g.ids(1) - 1
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
			n = g.join(t, n, e)
		}
	}
	if margin || clamped {
		return n
	}
	return plain(t, yesNo("(", inside(x, width), " && ", inside(y, h), ")"), " ? ", n, " : ", g.leaf(t))
}

// rounded reads elements of a buffer at indices that depend on a loop's counter.
func (g *expressions) rounded(t Type, j variable) *node {
	for range 4 {
		b := &g.ins[g.IntN(len(g.ins))]
		if j.below > b.n {
			continue
		}
		p := affine{text: j.name, most: j.below - 1}
		if k := (b.n - 1) / max(1, p.most); k > 1 && g.chance(3) {
			f := 1 + g.IntN(min(k, 64))
			p = affine{fmt.Sprintf("%s * %s", j.name, g.number(f)), p.most * f, f}
		}
		if rows := b.n / (p.most + 1); rows > 1 && g.chance(3) { // each work-item reads a row of its own
			row := oneOf(g, "lin %% %d", "%[1]d - 1 - lin %% %[1]d", "(lin * 7 + 3) %% %d")
			p.text = fmt.Sprintf("(("+row+") * %s + %s)", rows, g.number(p.most+1), p.text)
			p.most, p.row = rows*(p.most+1)-1, 0
		}
		if q := g.position(b.n - p.most); !g.chance(4) {
			p = affine{q.text + " + " + p.text, q.most + p.most, max(q.row, p.row)}
		}
		list := g.distances(b.n-1-p.most, p.row)
		if g.chance(2) {
			list = list[:1]
		}
		return g.combined(t, b, p, list)
	}
	return g.leaf(t)
}

// readPicture reads an image, as a value of type t.
func (g *expressions) readPicture(t Type, d int) *node {
	p := g.read[g.IntN(len(g.read))]
	s := samplers[g.IntN(len(samplers))]
	read := fmt.Sprintf("read_image%s(%s, ", p.suffix(), p.name)
	c := Type{numeric.I32, p.shape.coords}
	switch {
	case g.chance(4):
		return g.wrap2(t, p.typ, read, g.pixel(p, 0, d), ")")
	case g.chance(6):
		return g.wrap2(t, Type{numeric.I32, 1}, oneOf(g, []string{"get_image_width", "get_image_height", "get_image_depth"}[:p.queries()]...), "(", p.name, ")")
	case s.floats || g.chance(2):
		c.Kind = numeric.F32
		n := fmt.Sprintf(", (%s)(-30), (%s)(30))", c, c)
		return g.wrap2(t, p.typ, read+s.text+", ", value(c, "clamp(", g.expr(c, d), n), ")")
	case g.chance(2): // at the image's edges
		return g.wrap2(t, p.typ, read+s.text+", ", g.pixel(p, 2, d), ")")
	}
	return g.wrap2(t, p.typ, read+s.text+", ", g.expr(c, d), ")")
}

// pixel returns a coordinate in an image, or at most that far beyond its edges.
func (g *expressions) pixel(p picture, beyond, d int) *node {
	parts := []any{"("}
	if p.shape.coords > 1 {
		parts = []any{fmt.Sprintf("(int%d)(", p.shape.coords)}
	}
	for i := range p.shape.coords {
		if i > 0 {
			parts = append(parts, ", ")
		}
		if i >= p.shape.dims {
			parts = append(parts, "0")
			continue
		}
		parts = append(parts, "(int)(", g.index(p.size[i]+2*beyond, d), fmt.Sprintf(") - %d", beyond))
	}
	return fixed(append(parts, ")")...)
}
