package kerneltest

import "fmt"

// An affine is an integer expression that is affine in ids and loop counters.
type affine struct {
	text string
	most int // its values are in [0, most]
	row  int // the stride of one of its terms, 0 if all strides are 1
}

// terms returns the expressions that positions are built from.
func (g *memory) terms() (list []affine) {
	list = append(list, affine{text: "lin", most: g.items - 1})
	for d := range g.k.Global {
		list = append(list, affine{text: fmt.Sprintf("(%s)get_global_id(%d)", oneOf(g, "int", "uint", "size_t"), d), most: g.ids(d) - 1})
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
func (g *memory) position(n int) (p affine) {
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
func (g *memory) element(b *buffer, p affine, c int) string {
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
func (g *memory) distances(room, row int) (list []int) {
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

// around returns distances from -d to d.
func (g *memory) around(d int) (list []int) {
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

// shaped returns an index below n with a usual access pattern: contiguous, permuted by a uniform number, reversed
// or strided.
func (g *memory) shaped(n int) string {
	by := fmt.Sprintf("%du", g.IntN(40))
	for _, v := range g.vars {
		if v.name[0] == 'n' && v.typ.N == 1 && v.typ.Kind.IsInt() && g.chance(2) {
			by = fmt.Sprintf("(uint)%s", v.name)
		}
	}
	x := fmt.Sprintf(oneOf(g, "((uint)lin ^ %s)", "((uint)lin + %s)", "(%s - (uint)lin)", "((uint)lin * %s)", "((uint)lin / (1u + %s))", "((uint)lin + 4u * %s)"), by)
	if n&(n-1) == 0 && !g.chance(3) {
		return fmt.Sprintf("(%s & %d)", x, n-1)
	}
	return oneOf(g, fmt.Sprintf("(%s %% %du)", x, n), fmt.Sprintf("min(%s, %du)", x, n-1))
}
