package ptx

import (
	"fmt"
	"math"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// An index is an offset of the form scale·x + disp, with a 32-bit number x. Most array accesses have this form. Their bounds
// check is one 32-bit comparison.
type index struct {
	x      func() string // emits the number
	val    *ssa.Value    // x; nil if x is a work-item id
	signed bool
	scale  int64
	disp   int64
}

// maxScale keeps offsets within (-2^39, 2^39), where they are the same modulo 2^40.
const maxScale = 64

// indexOf returns a pointer's offset in its object as an index; ok is false if it has another form.
func (g *operandTable) indexOf(p *ssa.Value) (x index, ok bool) {
	x.scale = 1
	for {
		switch p.Op {
		case ssa.OpPtrCast, ssa.OpCopy:
			p = p.Args[0]
			continue
		case ssa.OpPtrAdd:
			if p.Args[1].IsConst() {
				x.disp += int64(p.Args[1].Bits[0])
				p = p.Args[0]
				continue
			}
			if x.x != nil || !g.linear(&x, p.Args[1], 1) {
				return x, false
			}
			p = p.Args[0]
			continue
		case ssa.OpParam, ssa.OpGlobalAddr, ssa.OpAlloca:
			ok = x.x != nil && x.scale > 0 && x.scale <= maxScale && x.disp > -1<<36 && x.disp < 1<<36
		}
		return x, ok
	}
}

// linear adds scale times a 64-bit value to x.
func (g *operandTable) linear(x *index, v *ssa.Value, scale int64) bool {
	if scale > maxScale || scale < 1 {
		return false
	}
	switch v.Op {
	case ssa.OpCopy, ssa.OpBitcast:
		a := v.Args[0]
		return a.Type.N == 1 && (a.Type.K == ssa.I64 || a.Type.K == ssa.U64) && g.linear(x, a, scale)
	case ssa.OpAdd:
		for i := range 2 {
			if c := v.Args[i]; c.IsConst() {
				n := int64(c.Bits[0])
				if n > 1<<32 || n < -1<<32 {
					return false
				}
				x.disp += n * scale
				return g.linear(x, v.Args[1-i], scale)
			}
		}
	case ssa.OpMul:
		for i := range 2 {
			if c := v.Args[i]; c.IsConst() && c.Bits[0] <= maxScale {
				return g.linear(x, v.Args[1-i], scale*int64(c.Bits[0]))
			}
		}
	case ssa.OpShl:
		if c := v.Args[1]; c.IsConst() && c.Bits[0] <= 6 {
			return g.linear(x, v.Args[0], scale<<c.Bits[0])
		}
	case ssa.OpConvert:
		a := v.Args[0]
		if sat, _ := ssa.ConvParts(v.Aux); sat || a.Type.N != 1 {
			return false
		}
		switch a.Type.K {
		case ssa.I64, ssa.U64:
			return g.linear(x, a, scale)
		case ssa.I32, ssa.U32:
			x.x, x.val, x.signed, x.scale = func() string { return g.elem(a, 0) }, a, a.Type.K == ssa.I32, scale
			return a.Op != ssa.OpConst
		}
	case ssa.OpWorkItem:
		switch q := ssa.WorkItemQuery(v.Aux); q {
		case ssa.GlobalID, ssa.LocalID, ssa.GroupID:
			if d := v.Args[0]; d.IsConst() && d.Bits[0] < 3 {
				x.x, x.scale = func() string { return g.query(q, int(d.Bits[0])) }, scale
				return true
			}
		}
	}
	return false
}

// locateIndex is locateRoot for a pointer whose offset is an index; ok is false if it is not. An access that a fast
// copy has proved is not compared.
func (g *memory) locateIndex(r *root, p *ssa.Value, size, align int64, write bool, address addressing) (at place, ok bool) {
	x, ok := g.indexOf(p)
	if !ok || min(r.align, int64(1)<<min(g.facts.zeros[p.ID], 7)) < align {
		return at, false
	}
	lo, end, ok := x.bounds()
	if !ok {
		return at, false
	}
	n, bad := x.x(), ""
	if !g.skips() {
		from := n
		if lo != 0 {
			from = g.set(b32, "sub.s32", n, fmt.Sprint(lo))
		}
		bad = g.set(pred, "setp.ge.u32", from, g.limitOf(r, Limit{Write: write, Size: size, Scale: x.scale, Disp: x.disp, Lo: lo, End: end}))
	}
	mul := "mul.wide.u32"
	if x.signed {
		mul = "mul.wide.s32"
	}
	var addr string
	var disp int64
	if address != nil {
		addr, disp = address(r, p)
	} else {
		addr = x.address(&g.emitter, n, g.rootField(r, RootBase), 0)
	}
	off := func() string {
		o := g.set(b64, mul, n, fmt.Sprint(x.scale))
		if x.disp != 0 {
			o = g.set(b64, "add.s64", o, fmt.Sprint(x.disp))
		}
		return o
	}
	return place{"." + r.space, addr, bad, "", r, off, align, disp}, true
}

// address emits the address, and some bytes, of the number n of an object at base.
func (x *index) address(e *emitter, n, base string, bytes int64) string {
	wide := "mad.wide.u32"
	if x.signed {
		wide = "mad.wide.s32"
	}
	addr := e.set(b64, wide, n, fmt.Sprint(x.scale), base)
	if x.disp+bytes != 0 {
		addr = e.set(b64, "add.s64", addr, fmt.Sprint(x.disp+bytes))
	}
	return addr
}

// limitOf returns the operand with the value of l for accesses to r.
func (g *operandTable) limitOf(r *root, l Limit) string {
	if r.size >= 0 && !(l.Write && r.kind == ssa.PtrConstant) {
		return fmt.Sprint(l.Value(r.size))
	}
	return g.once(fmt.Sprint("limit", r.block, l), func() string {
		l.Root, l.Offset = r.block, (g.k.Block+7)&^7
		g.k.Block = l.Offset + 8
		g.k.Limits = append(g.k.Limits, l)
		if l.Wide {
			return g.loadHead(b64, l.Offset)
		}
		return g.loadHead(b32, l.Offset)
	})
}

// element returns the index and the size of the element of r that an access of size bytes at x is a field of: if one of its
// fields is in bounds, all are. Without such an element it returns x and size.
func (x *index) element(r *root, size int64) (index, int64) {
	if x.scale <= 0 {
		return *x, size
	}
	field := (x.disp%x.scale + x.scale) % x.scale
	if field+size > x.scale || r.size >= 0 && r.size%x.scale != 0 {
		return *x, size
	}
	e := *x
	e.disp -= field
	return e, x.scale
}

// bounds returns the range lo ≤ x < end of an index in which accesses begin inside of the object, as far as the
// register's width allows; ok is false if lo does not fit in 32 bits.
func (x *index) bounds() (lo, end int64, ok bool) {
	lo, end = -(x.disp / x.scale), 1<<31
	if x.disp < 0 && x.disp%x.scale != 0 {
		lo++
	}
	if !x.signed {
		lo, end = max(lo, 0), 1<<32
	}
	return lo, end, lo >= math.MinInt32 && lo <= math.MaxInt32
}
