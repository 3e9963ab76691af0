package ptx

import (
	"fmt"
	"math"
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Addresses of local and private memory are numbers of 32 bits. The low 32 bits of an offset follow from the low 32 bits of what it is
// computed from, so that they need no 64-bit arithmetic, and constants of 32-bit sums move to the instruction. An access in
// bounds has no other bits.

// A shortSum is the low 32 bits of an integer: the sum of terms and a constant.
type shortSum struct {
	terms []shortTerm
	disp  uint32
}

// A shortTerm is a 32-bit number, or the low half of a 64-bit one, times a factor.
type shortTerm struct {
	v      *ssa.Value
	factor uint32
}

// maxSumDepth bounds the depth of expressions that are taken apart.
const maxSumDepth = 16

// maxShortDisp bounds the constants that are left to instructions.
const maxShortDisp = 1 << 20

// shortAddress emits the address of p, a pointer into an object in local or private memory. disp is a part of it that
// instructions add.
func (g *memory) shortAddress(r *root, p *ssa.Value) (addr string, disp int64) {
	var s shortSum
	for ; p.Op == ssa.OpPtrAdd || p.Op == ssa.OpPtrCast || p.Op == ssa.OpCopy; p = p.Args[0] {
		if p.Op == ssa.OpPtrAdd {
			s.add(p.Args[1], 1, maxSumDepth)
		}
	}
	if p.Op != ssa.OpParam && p.Op != ssa.OpGlobalAddr && p.Op != ssa.OpAlloca {
		s.term(p, 1) // a phi or a select: its register holds the offset
	}
	// Terms that do not change in loops come first.
	slices.SortStableFunc(s.terms, func(a, b shortTerm) int { return g.loopDepth(a.v) - g.loopDepth(b.v) })
	addr = g.shortBase(r)
	for _, t := range s.terms {
		if n := g.low(t.v); t.factor == 1 {
			addr = g.set(b32, "add.s32", addr, n)
		} else {
			addr = g.set(b32, "mad.lo.s32", n, fmt.Sprint(int32(t.factor)), addr)
		}
	}
	switch {
	case s.disp == 0:
		return addr, 0
	case s.disp < maxShortDisp && g.positive(s.terms):
		return addr, int64(s.disp)
	}
	return g.set(b32, "add.s32", addr, fmt.Sprint(int32(s.disp))), 0
}

// positive reports whether a sum of terms is not negative and does not wrap. The sum of an instruction's register and its
// constant must not wrap at 2^32 (the simulator checks that).
func (g *memory) positive(terms []shortTerm) bool {
	most := int64(0)
	for _, t := range terms {
		in := g.facts.of(t.v)
		if in.lo < 0 || in.hi > math.MaxInt32 || int32(t.factor) < 0 {
			return false
		}
		if most += in.hi * int64(t.factor); most > math.MaxInt32 {
			return false
		}
	}
	return true
}

// shortBase returns the address of r's first byte.
func (g *memory) shortBase(r *root) string {
	if r.block < 0 {
		return g.once(fmt.Sprint("short private", r.index), func() string {
			return g.set(b32, "add.s32", g.set(b32, "mov.u32", "pcl_private"), fmt.Sprint(r.off))
		})
	}
	return g.once(fmt.Sprint("short base", r.block), func() string {
		return g.set(b32, "add.s32", g.set(b32, "mov.u32", "pcl_shared"), g.loadHead(b32, r.block+RootBase))
	})
}

// loopDepth returns the number of loops around the definition of v.
func (g *memory) loopDepth(v *ssa.Value) int {
	if v.Block == nil || v.Op == ssa.OpParam || v.Op == ssa.OpWorkItem {
		return 0
	}
	if l := g.flow.Loops.Of(v.Block); l != nil {
		return l.Depth
	}
	return 0
}

// low returns the register with the low 32 bits of an integer or an offset.
func (g *memory) low(v *ssa.Value) string {
	if v.Op == ssa.OpWorkItem {
		switch q := ssa.WorkItemQuery(v.Aux); q {
		case ssa.GlobalID, ssa.LocalID, ssa.GroupID:
			if d := v.Args[0]; d.IsConst() && d.Bits[0] < 3 {
				return g.query(q, int(d.Bits[0]))
			}
		}
	}
	x := g.raw(v, 0)
	if classOf(v.Type.K) == b64 {
		x = g.set(b32, "cvt.u32.u64", x)
	}
	return x
}

// term adds factor times v as it is.
func (s *shortSum) term(v *ssa.Value, factor uint32) {
	i := slices.IndexFunc(s.terms, func(t shortTerm) bool { return t.v == v })
	if i < 0 {
		i = len(s.terms)
		s.terms = append(s.terms, shortTerm{v: v})
	}
	if s.terms[i].factor += factor; s.terms[i].factor == 0 {
		s.terms = slices.Delete(s.terms, i, i+1)
	}
}

// add adds factor times an integer of 32 or 64 bits, taken apart. A 32-bit one is taken apart only where that
// splits off a constant: its register is in use already.
func (s *shortSum) add(v *ssa.Value, factor uint32, depth int) {
	if factor == 0 {
		return
	}
	v = copied(v)
	if v.IsConst() {
		s.disp += factor * uint32(v.Bits[0])
		return
	}
	if depth > 0 && (wide(v.Type.K) || plusNumber(v, maxSumDepth)) {
		switch v.Op {
		case ssa.OpAdd:
			s.add(v.Args[0], factor, depth-1)
			s.add(v.Args[1], factor, depth-1)
			return
		case ssa.OpSub:
			s.add(v.Args[0], factor, depth-1)
			s.add(v.Args[1], -factor, depth-1)
			return
		case ssa.OpMul, ssa.OpShl:
			if x, by, ok := scaledBy(v); ok {
				s.add(x, factor*by, depth-1)
				return
			}
		case ssa.OpBitcast, ssa.OpConvert:
			if a := v.Args[0]; lowBitsOf(v) {
				if a.Type.K.Num().Size() < 4 {
					s.term(a, factor)
				} else {
					s.add(a, factor, depth-1)
				}
				return
			}
		}
	}
	s.term(v, factor)
}

// scaledBy returns x and by if v is x·by modulo 2^32.
func scaledBy(v *ssa.Value) (x *ssa.Value, by uint32, ok bool) {
	for i, a := range v.Args {
		c := copied(a)
		switch {
		case !c.IsConst():
		case v.Op == ssa.OpMul:
			return v.Args[1-i], uint32(c.Bits[0]), true
		case v.Op == ssa.OpShl && i == 1 && c.Bits[0] < 32:
			return v.Args[0], 1 << c.Bits[0], true
		}
	}
	return nil, 0, false
}

// lowBitsOf reports whether the low 32 bits of a conversion are those of its operand's register.
func lowBitsOf(v *ssa.Value) bool {
	a := v.Args[0].Type
	if a.N != 1 || a.K == ssa.Bool || integer(a.K) != a.K {
		return false
	}
	if v.Op == ssa.OpConvert {
		saturates, _ := ssa.ConvParts(v.Aux)
		return !saturates
	}
	return a.K.Num().Size() == v.Type.Size()
}

// plusNumber reports whether a 32-bit number is a sum that contains a constant.
func plusNumber(v *ssa.Value, depth int) bool {
	v = copied(v)
	if depth == 0 || v.Type.N != 1 {
		return false
	}
	switch v.Op {
	case ssa.OpAdd, ssa.OpSub:
		return copied(v.Args[0]).IsConst() || copied(v.Args[1]).IsConst() || plusNumber(v.Args[0], depth-1) || plusNumber(v.Args[1], depth-1)
	case ssa.OpMul, ssa.OpShl:
		x, _, ok := scaledBy(v)
		return ok && plusNumber(x, depth-1)
	case ssa.OpBitcast, ssa.OpConvert:
		return lowBitsOf(v) && v.Args[0].Type.K.Num().Size() == 4 && plusNumber(v.Args[0], depth-1)
	}
	return false
}

// copied returns the value that v is a copy of. Unlike ssa.Value.Source it changes nothing: several compilations share a
// kernel.
func copied(v *ssa.Value) *ssa.Value {
	for v.Op == ssa.OpCopy {
		v = v.Args[0]
	}
	return v
}
