package ptx

import (
	"math"
	"math/bits"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// facts holds what is proved about integers and about the offsets of pointers.
type facts struct {
	g     *inductions
	zeros []uint8 // by value ID: number of trailing zero bits
	dom   *ssa.DomTree
	here  map[int32]interval // by value ID: interval in the current block, from the branches that lead to it
	depth int
	// assumed are the accesses that the launch has proved.
	assumed map[*ssa.Value]bool
}

// allZeros is the number of trailing zero bits of 0.
const allZeros = 63

// newFacts computes the trailing zeros as a greatest fixed point.
func newFacts(g *inductions) facts {
	f := facts{g: g, zeros: make([]uint8, g.f.NumValues()), dom: g.f.Dominators(), here: map[int32]interval{}}
	for i := range f.zeros {
		f.zeros[i] = allZeros
	}
	for changed := true; changed; {
		changed = false
		for _, b := range g.flow.Order {
			for _, v := range b.Values {
				if z := f.lowZeros(v); z < f.zeros[v.ID] {
					f.zeros[v.ID] = z
					changed = true
				}
			}
		}
	}
	return f
}

func (f *facts) lowZeros(v *ssa.Value) uint8 {
	if v.Type.N != 1 {
		return 0
	}
	z := func(i int) uint8 { return f.zeros[v.Args[i].ID] }
	switch v.Op {
	case ssa.OpConst:
		if v.Bits[0] == 0 {
			return allZeros
		}
		return uint8(min(bits.TrailingZeros64(v.Bits[0]), allZeros))
	case ssa.OpUndef:
		return allZeros
	case ssa.OpParam, ssa.OpGlobalAddr, ssa.OpAlloca:
		if f.g.roots[v.ID] != nil { // the offset
			return allZeros
		}
	case ssa.OpPhi:
		m := uint8(allZeros)
		for i := range v.Args {
			m = min(m, z(i))
		}
		return m
	case ssa.OpCopy, ssa.OpNeg, ssa.OpPtrCast:
		return z(0)
	case ssa.OpBitcast:
		if v.Type.Size() == v.Args[0].Type.Size() && !v.Type.K.Num().IsFloat() && !v.Args[0].Type.K.Num().IsFloat() && v.Args[0].Type.N == 1 && f.g.roots[v.Args[0].ID] == nil {
			return z(0)
		}
	case ssa.OpAdd, ssa.OpSub, ssa.OpPtrAdd, ssa.OpOr, ssa.OpXor:
		if !v.Type.K.Num().IsFloat() {
			return min(z(0), z(1))
		}
	case ssa.OpSelect:
		return min(z(1), z(2))
	case ssa.OpAnd:
		return max(z(0), z(1))
	case ssa.OpMul:
		if !v.Type.K.Num().IsFloat() {
			return min(z(0)+z(1), allZeros)
		}
	case ssa.OpShl:
		if c := v.Args[1]; c.IsConst() {
			n := uint8(c.Bits[0] & uint64(v.Type.K.Num().Bits()-1))
			return min(z(0)+n, allZeros)
		}
		return z(0)
	case ssa.OpConvert:
		if sat, _ := ssa.ConvParts(v.Aux); !sat && !v.Type.K.Num().IsFloat() && !v.Args[0].Type.K.Num().IsFloat() && v.Type.K != ssa.Bool && v.Args[0].Type.K != ssa.Bool {
			return z(0)
		}
	}
	return 0
}

// An interval is a closed range of signed 64-bit numbers.
type interval struct{ lo, hi int64 }

var anywhere = interval{math.MinInt64, math.MaxInt64}

// within reports whether the interval is so close to 0 that an offset and its value modulo 2^40 compare equally
// with an object's size, as unsigned numbers.
func (r interval) within() bool { return r.lo > -(1<<39) && r.hi < 1<<39 }

// of returns an interval that contains an integer, signed or unsigned by its kind, or the offset of a pointer into
// a known object.
func (f *facts) of(v *ssa.Value) interval {
	if f.depth > 12 || v.Type.N != 1 {
		return kindInterval(v.Type.K)
	}
	f.depth++
	r := anywhere
	if v.Op == ssa.OpPhi {
		r = f.counter(v)
	} else {
		r = f.compute(v)
	}
	f.depth--
	if in, ok := f.here[v.ID]; ok {
		r = interval{max(r.lo, in.lo), min(r.hi, in.hi)}
		if r.lo > r.hi { // the block is unreachable
			r = in
		}
	}
	if k := v.Type.K; !k.IsPtr() {
		if whole := kindInterval(k); r.lo < whole.lo || r.hi > whole.hi {
			return whole // it may wrap
		}
	}
	return r
}

func kindInterval(k ssa.Kind) interval {
	switch k {
	case ssa.Bool:
		return interval{0, 1}
	case ssa.I8:
		return interval{math.MinInt8, math.MaxInt8}
	case ssa.U8:
		return interval{0, math.MaxUint8}
	case ssa.I16:
		return interval{math.MinInt16, math.MaxInt16}
	case ssa.U16:
		return interval{0, math.MaxUint16}
	case ssa.I32:
		return interval{math.MinInt32, math.MaxInt32}
	case ssa.U32:
		return interval{0, math.MaxUint32}
	}
	return anywhere
}

// big bounds the numbers whose sums and products are computed here without overflow.
const big = 1 << 61

func (f *facts) compute(v *ssa.Value) interval {
	all := kindInterval(v.Type.K)
	arg := func(i int) interval { return f.of(v.Args[i]) }
	switch v.Op {
	case ssa.OpConst:
		if !v.Type.K.Num().IsFloat() && !v.Type.K.IsPtr() {
			sh := 64 - v.Type.K.Num().Bits()
			x := int64(v.Bits[0]<<sh) >> sh
			if !v.Type.K.Num().Signed() {
				x = int64(v.Bits[0])
				if x < 0 {
					return all
				}
			}
			return interval{x, x}
		}
	case ssa.OpParam, ssa.OpGlobalAddr, ssa.OpAlloca:
		if f.g.roots[v.ID] != nil {
			return interval{}
		}
	case ssa.OpCopy, ssa.OpPtrCast:
		return arg(0)
	case ssa.OpBitcast:
		from := v.Args[0].Type.K
		if v.Args[0].Type.N == 1 && !from.IsPtr() && !from.Num().IsFloat() && from != ssa.Handle && !v.Type.K.Num().IsFloat() && !v.Type.K.IsPtr() {
			if a := arg(0); a.lo >= all.lo && a.hi <= all.hi && (a.lo >= 0 || v.Type.K.Num().Signed()) && a != anywhere {
				return a
			}
		}
	case ssa.OpConvert:
		from := v.Args[0].Type.K
		if sat, _ := ssa.ConvParts(v.Aux); !sat && !from.Num().IsFloat() && !v.Type.K.Num().IsFloat() {
			if a := arg(0); a.lo >= all.lo && a.hi <= all.hi && (a.lo >= 0 || v.Type.K.Num().Signed()) && (a != anywhere || from == v.Type.K) {
				return a
			}
		}
	case ssa.OpWorkItem:
		return f.workItem(v)
	case ssa.OpAdd, ssa.OpPtrAdd, ssa.OpSub:
		return f.sum(v, all)
	case ssa.OpMul:
		if !v.Type.K.Num().IsFloat() {
			return product(arg(0), arg(1), all)
		}
	case ssa.OpShl:
		if c := v.Args[1]; c.IsConst() {
			if n := c.Bits[0] & uint64(v.Type.K.Num().Bits()-1); n < 40 {
				return product(arg(0), interval{1 << n, 1 << n}, all)
			}
		}
	case ssa.OpAnd:
		for i := range 2 {
			if a := arg(i); a.lo >= 0 && a != anywhere {
				return interval{0, a.hi}
			}
		}
	case ssa.OpOr, ssa.OpXor:
		return bitwise(arg(0), arg(1), all)
	case ssa.OpShr:
		if a := arg(0); a.lo >= 0 && a != anywhere {
			if c := v.Args[1]; c.IsConst() {
				a.hi >>= c.Bits[0] & uint64(v.Type.K.Num().Bits()-1)
			}
			return interval{0, a.hi}
		}
	case ssa.OpSelect:
		a, b := arg(1), arg(2)
		return interval{min(a.lo, b.lo), max(a.hi, b.hi)}
	}
	if v.Type.K.IsPtr() {
		return anywhere
	}
	return all
}

// sum is compute for a sum or a difference; all is the interval of its kind.
func (f *facts) sum(v *ssa.Value, all interval) interval {
	if v.Type.K.Num().IsFloat() {
		return all
	}
	a, b := f.of(v.Args[0]), f.of(v.Args[1])
	if c, ok := lessened(v); ok {
		b = interval{-c, -c}
	}
	if !small(a) || !small(b) {
		return all
	}
	if v.Op == ssa.OpSub {
		return interval{a.lo - b.hi, a.hi - b.lo}
	}
	return interval{a.lo + b.lo, a.hi + b.hi}
}

// lessened reports whether v is an unsigned sum with a constant that stands for a negative number -c: where the difference
// is not negative, it is v.
func lessened(v *ssa.Value) (c int64, ok bool) {
	k := v.Type.K
	if v.Op != ssa.OpAdd || v.Type.N != 1 || !counts(k) || k.Num().Signed() || !v.Args[1].IsConst() {
		return 0, false
	}
	c = -signedConst(v.Args[1])
	return c, c > 0 && smallStep(c)
}

// enter makes b the current block: the branch conditions that hold in it narrow the intervals.
func (f *facts) enter(b *ssa.Block) {
	clear(f.here)
	for ; b != nil; b = f.dom.Idom(b) {
		if len(b.Preds) == 1 {
			if end := b.Preds[0].Term(); end.Op == ssa.OpBranch && end.Block.Succs[0] != end.Block.Succs[1] {
				f.assume(end.Args[0], end.Block.Succs[0] == b)
			}
		}
	}
}

// assume records that a condition is true, or false if holds is not set.
func (f *facts) assume(c *ssa.Value, holds bool) {
	switch {
	case c.Type.N != 1:
	case c.Op == ssa.OpCopy:
		f.assume(c.Args[0], holds)
	case c.Op == ssa.OpNot:
		f.assume(c.Args[0], !holds)
	case c.Op == ssa.OpAnd && holds, c.Op == ssa.OpOr && !holds:
		f.assume(c.Args[0], holds)
		f.assume(c.Args[1], holds)
	case c.Op == ssa.OpLt, c.Op == ssa.OpLe:
		a, b, equal := c.Args[0], c.Args[1], c.Op == ssa.OpLe
		if !holds {
			a, b, equal = b, a, !equal
		}
		if counts(a.Type.K) && a.Type.N == 1 {
			f.less(a, b, equal)
		}
	}
}

// less records a < b, or a <= b if equal is set.
func (f *facts) less(a, b *ssa.Value, equal bool) {
	x, y, by := f.of(a), f.of(b), int64(1)
	if equal {
		by = 0
	}
	signed := a.Type.K.Num().Signed()
	known := func(i interval) bool { return signed || i.lo >= 0 && i != anywhere }
	if known(y) && y.hi > math.MinInt64 {
		lo := x.lo
		if !signed {
			lo = max(lo, 0)
		}
		f.know(a, interval{lo, y.hi - by})
	}
	if known(x) && known(y) && x.lo < math.MaxInt64 {
		f.know(b, interval{x.lo + by, y.hi})
	}
}

// know records that a value, and the value that it extends, lie in an interval.
func (f *facts) know(v *ssa.Value, in interval) {
	if v.Op == ssa.OpConst || in.lo > in.hi {
		return
	}
	for _, v := range []*ssa.Value{v, unextended(v)} {
		if old, ok := f.here[v.ID]; ok {
			in = interval{max(in.lo, old.lo), min(in.hi, old.hi)}
		}
		if in.lo <= in.hi {
			f.here[v.ID] = in
		}
	}
}

// counter returns the interval of a phi that counts upwards to the bound of its loop.
func (f *facts) counter(v *ssa.Value) interval {
	all := kindInterval(v.Type.K)
	l := f.g.flow.Loops.Of(v.Block)
	if v.Type.K.IsPtr() || !counts(v.Type.K) || l == nil || l.Header != v.Block {
		return all
	}
	t, ok := f.g.tripTest(l)
	if !ok || t.ne || t.step < 1 || unextended(t.expr) != v {
		return all
	}
	bound := f.of(t.bound)
	if wide(v.Type.K) && !v.Type.K.Num().Signed() && (bound == anywhere || bound.lo < 0) {
		return all
	}
	most := all.hi // the greatest number of the phi, if it does not wrap
	switch signed := t.bound.Type.K.Num().Signed(); {
	case bound.hi < all.hi-t.step && (signed || bound.lo >= 0):
		most = bound.hi - 1 + t.step
		if t.equal {
			most++
		}
	case t.step != 1 || t.equal || t.bound.Type.K != v.Type.K: // it may wrap
		return all
	}
	first := int64(math.MaxInt64)
	for i, p := range v.Block.Preds {
		if !f.g.flow.Loops.Contains(l, p) {
			a := f.of(v.Args[i])
			if a == anywhere && wide(v.Type.K) {
				return all
			}
			first, most = min(first, a.lo), max(most, a.hi)
		}
	}
	return interval{first, min(most, all.hi)}
}

// workItem returns the interval of a work-item query. A required work-group size bounds local ids and sizes.
func (f *facts) workItem(v *ssa.Value) interval {
	size, d := f.g.f.Kernel.ReqdGroupSize, v.Args[0]
	if size == [3]int64{} || !d.IsConst() || d.Bits[0] > 2 {
		return interval{0, math.MaxUint32}
	}
	n := max(size[d.Bits[0]], 1)
	switch ssa.WorkItemQuery(v.Aux) {
	case ssa.LocalID:
		return interval{0, n - 1}
	case ssa.LocalSize, ssa.EnqueuedLocalSize:
		return interval{0, n}
	}
	return interval{0, math.MaxUint32}
}

// bitwise returns the interval of a|b and a^b: the results of non-negative numbers stay below the next power of
// two.
func bitwise(a, b, all interval) interval {
	if a.lo < 0 || b.lo < 0 || a == anywhere || b == anywhere {
		return all
	}
	return interval{0, 1<<bits.Len64(uint64(a.hi|b.hi)) - 1}
}

// inBounds reports whether every access of size bytes at p is proved to lie in r.
func (f *facts) inBounds(r *root, p *ssa.Value, size int64, write bool) bool {
	in := f.of(p)
	return in.lo >= 0 && r.size >= 0 && in.hi <= r.size-size && !(write && r.kind == ssa.PtrConstant)
}

func small(a interval) bool { return a.lo > -big && a.hi < big }

func product(a, b, all interval) interval {
	const edge = 1 << 44
	if max(-a.lo, a.hi) > edge || max(-b.lo, b.hi) > edge || a.lo < -edge || b.lo < -edge {
		return all
	}
	r := interval{math.MaxInt64, math.MinInt64}
	for _, x := range [2]int64{a.lo, a.hi} {
		for _, y := range [2]int64{b.lo, b.hi} {
			hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
			if hi != 0 || lo > big {
				return all
			}
			r.lo, r.hi = min(r.lo, x*y), max(r.hi, x*y)
		}
	}
	return r
}
