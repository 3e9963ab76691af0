package ptx

import (
	"fmt"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// An operandTable holds the registers of values, and the objects that pointers point into. The register of a pointer into
// a known object holds the offset alone.
type operandTable struct {
	workItems
	vals     [][]string // by value ID: the operand of each element
	roots    []*root    // by value ID of a pointer; nil: the pointer's own bits
	byParam  map[*ssa.Value]*root
	byGlobal map[*ssa.Global]*root
	byAlloca map[*ssa.Value]*root
}

// arg returns the operand of element i of an argument of v.
func (g *operandTable) arg(v *ssa.Value, n, i int) string { return g.elem(v.Args[n], i) }

// elem returns the operand of element i of v. A pointer's operand holds all its bits.
func (g *operandTable) elem(v *ssa.Value, i int) string {
	if r := g.roots[v.ID]; r != nil {
		return g.pointer(r, g.offset(v))
	}
	return g.raw(v, i)
}

// raw is elem, except that the operand of a pointer into a known object holds its offset.
func (g *operandTable) raw(v *ssa.Value, i int) string {
	switch v.Op {
	case ssa.OpConst:
		return g.constant(v.Type.K, v.ConstElem(i))
	case ssa.OpUndef:
		return g.constant(v.Type.K, 0)
	}
	l := g.vals[v.ID]
	if l == nil {
		panic(fmt.Sprintf("v%d (%v) has no registers", v.ID, v.Op))
	}
	return l[i]
}

// put sets the operands of v, one for each element.
func (g *operandTable) put(v *ssa.Value, elems ...string) { g.vals[v.ID] = elems }

// each sets the operand of each element of v to the result of do.
func (g *operandTable) each(v *ssa.Value, do func(i int) string) {
	list := make([]string, v.Type.N)
	for i := range list {
		list[i] = do(i)
	}
	g.put(v, list...)
}

// layout assigns the kernel's parameters their offsets in the parameter block.
func (g *operandTable) layout() {
	off := HeadArgs
	for i, a := range g.f.Kernel.Args {
		p := g.f.Params[i]
		size, align := 8, 8
		switch a.Kind {
		case ssa.ArgValue:
			size, align = max(int(a.Size), p.Type.Size()), 16
		case ssa.ArgImage, ssa.ArgSampler:
		default:
			size = RootSize
		}
		off = (off + align - 1) / align * align
		g.k.Args = append(g.k.Args, off)
		if size == RootSize && a.Kind != ssa.ArgValue {
			g.byParam[p] = g.argRoot(a.Kind, off)
		}
		off += size
	}
	g.k.Block = off
	for _, p := range g.f.Params {
		g.param(p)
	}
}

// param loads a parameter.
func (g *operandTable) param(p *ssa.Value) {
	if g.byParam[p] != nil {
		g.put(p, "0")
		return
	}
	at := g.k.Args[p.Aux]
	size := p.Type.K.Num().Size()
	c := classOf(p.Type.K)
	g.at(&g.first, func() {
		g.each(p, func(i int) string {
			if size < 4 {
				bits := g.narrow(at+i*size, size)
				if c == pred {
					return g.set(pred, "setp.ne.u32", bits, "0")
				}
				return g.fromBits(p.Type.K, bits)
			}
			d := g.reg(c)
			g.emit("ld.param.%s %s, [block+%d]", memType(p.Type.K), d, at+i*size)
			return d
		})
	})
}
