package kerneltest

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/numeric"
)

// A style is the main pattern of a kernel.
type style uint8

const (
	mixed       style = iota // anything
	gridlike                 // loops and neighbouring elements of buffers
	straight                 // uniform control flow, contiguous accesses
	cooperative              // work-items of a group cooperate in local memory
	crossed                  // loops over what rows and columns have; buffers are read or written
)

// regularLaunch picks the range of a kernel with a style other than mixed.
func (g *generator) regularLaunch() {
	if g.style == cooperative {
		g.cooperativeLaunch()
		return
	}
	if g.style == crossed {
		crossedLaunch(g)
		return
	}
	k := g.k
	k.Global = []int{oneOf(g, 64, 128, 128, 256, 256, 512, 100, 130, 200, 33)}
	if g.style == gridlike && g.chance(2) {
		k.Global = []int{oneOf(g, 7, 16, 20, 32, 33, 64, 80), 1 + g.IntN(7)}
	} else if g.chance(4) {
		k.Global = append(k.Global, 1+g.IntN(3))
	}
	if g.chance(4) {
		k.Local = []int{oneOf(g, 8, 16, 32, 64), 1}[:len(k.Global)]
	}
}

// regularStatement returns a statement of a kernel with a style other than mixed.
func (g *generator) regularStatement(in int) *node {
	if g.style == cooperative && g.barriers && g.uniform && g.chance(2) {
		return g.cooperate(in)
	}
	if g.style == crossed {
		if !g.chance(3) {
			if n := crossing(g); n != nil {
				return n
			}
		}
		return g.declareValue()
	}
	switch g.IntN(12) {
	case 0, 1, 2:
		if in > 0 {
			return g.counted(in - 1)
		}
	case 3, 4:
		return g.chain()
	case 5:
		return g.row()
	case 6:
		if n := g.fill(); n != nil {
			return n
		}
	case 7:
		if g.chance(2) {
			if n := network(g); n != nil {
				return n
			}
		}
		return g.vstore()
	case 8:
		if g.chance(2) {
			if n := nested(g); n != nil {
				return n
			}
		}
		if n := rowFill(g); n != nil {
			return n
		}
		if g.chance(2) {
			if n := rowLoop(g); n != nil {
				return n
			}
		}
		if g.chance(2) {
			if n := fieldwise(g); n != nil {
				return n
			}
		}
		return g.declareValue()
	case 9:
		if n := g.vectorChain(); n != nil {
			return n
		}
	case 10:
		if !g.even && g.chance(3) {
			if n := g.ownAtomic(); n != nil {
				return n
			}
		}
	}
	if g.style != straight && in > 0 {
		switch g.IntN(8) {
		case 0:
			return g.branch(in - 1)
		case 1:
			return g.loop(in - 1)
		case 2:
			return g.borderBranch(in - 1)
		}
	}
	return g.assign()
}

// borderBranch returns a branch that separates the work-items at a border.
func (g *generator) borderBranch(in int) *node {
	p, d := g.position(1<<12), 1+g.IntN(2)
	parts := []any{fmt.Sprintf("  if ((long)(%s) >= %s && (long)(%s) < %s) ", p.text, g.number(d), p.text, g.number(max(1, p.most+1-d))), g.block(in, false)}
	if g.chance(2) {
		parts = append(parts, "  else ", g.block(in, false))
	}
	return statement(parts...)
}

// inSize returns the number of elements of a buffer of ins.
func (g *generator) inSize(t Type) int {
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

// recordBuffer adds an argument whose elements are structs: read anywhere, or with own elements for each work-item.
func (g *generator) recordBuffer() {
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
