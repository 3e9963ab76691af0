package opt

import (
	"math"

	"github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// dropZeros removes products with 0, and sums with 0, of floats that are known to be finite. Convolutions with constant masks are
// full of them: the matrices of Sobel and Prewitt have 0 in a third of their places. The product of a finite x and 0 is +0 or -0, and
// its sum with y is y, unless y is -0 and the product +0.
//
// Floats are known to be finite if they follow from integers, as the channels of normalized images do, through sums and products.
// So are the elements of a local array that only such floats are stored to: others are 0, as is the result of a load that is out
// of bounds.
//
// Requires: simplify (constants are second factors). Breaks: simplify, gvn, dce.
func dropZeros(s *state) {
	z := zeroing{s: s, f: s.f}
	if s.f.Kernel == nil || s.f.Kernel.FlushSubnormals || !z.wanted() {
		return
	}
	s.floats = cleared(s.floats, s.f.NumValues())
	z.facts = s.floats
	z.arrays = map[*ssa.Global]*floatArray{}
	z.pass()
	if z.findArrays() {
		z.pass()
	}
	changed := false
	for _, b := range s.dom().Order {
		for _, v := range b.Values {
			if v.Type.K != ssa.F32 {
				continue
			}
			for i, a := range v.Args {
				v.Args[i] = a.Source()
			}
			changed = z.simplify(v) || changed
		}
	}
	if changed {
		s.f.ReplaceCopies()
		s.dirty, s.merged = true, false
	}
}

// A floatFact is the knowledge about all elements of a float value.
type floatFact struct {
	finite bool // each element is a number in [lo, hi]
	plus   bool // no element is -0
	lo, hi float32
}

// maxFinite bounds the intervals.
const maxFinite = 1 << 100

// notNegative reports whether no element has a sign.
func (x *floatFact) notNegative() bool { return x.finite && x.plus && x.lo >= 0 }

// A floatArray is a local array of floats that loads and stores access one by one, each at a multiple of its size.
type floatArray struct {
	bad    bool
	stored []*ssa.Value
	fact   floatFact
}

type zeroing struct {
	s      *state
	f      *ssa.Func
	ranges []interval.Interval // of integers, by ID; nil: not needed yet
	facts  []floatFact         // by ID
	arrays map[*ssa.Global]*floatArray
}

// wanted reports whether a float is multiplied by 0 or added to 0.
func (z *zeroing) wanted() bool {
	for _, b := range z.f.Blocks {
		for _, v := range b.Values {
			if v.Type.K != ssa.F32 {
				continue
			}
			switch v.Op {
			case ssa.OpFMA, ssa.OpMul, ssa.OpAdd:
				for _, a := range v.Args {
					if isZero(a) {
						return true
					}
				}
			}
		}
	}
	return false
}

// isZero reports whether v is the constant +0 or -0.
func isZero(v *ssa.Value) bool {
	c, ok := splatConst(v)
	return ok && c&math.MaxInt32 == 0
}

// pass computes the facts of all values. A value from a loop's back edge may be anything.
func (z *zeroing) pass() {
	for _, b := range z.s.dom().Order {
		for _, v := range b.Values {
			if v.Type.K == ssa.F32 {
				z.facts[v.ID] = z.fact(v)
			}
		}
	}
}

func (z *zeroing) of(v *ssa.Value) *floatFact { return &z.facts[v.ID] }

// fact returns the fact of v from those of its operands.
func (z *zeroing) fact(v *ssa.Value) floatFact {
	switch v.Op {
	case ssa.OpConst:
		return factOfBits(v)
	case ssa.OpConvert:
		return z.converted(v)
	case ssa.OpLoad:
		if a := z.arrays[arrayOf(v.Args[0])]; a != nil && v.Flags&ssa.Volatile == 0 {
			return a.fact
		}
	case ssa.OpPhi, ssa.OpVec, ssa.OpSplat, ssa.OpExtract, ssa.OpShuffle, ssa.OpCopy:
		return z.joined(v.Args)
	case ssa.OpSelect:
		return z.joined(v.Args[1:])
	case ssa.OpMin, ssa.OpMax:
		return z.joined(v.Args)
	case ssa.OpFabs:
		if x := z.of(v.Args[0]); x.finite {
			return bounded(0, math.Max(math.Abs(float64(x.lo)), math.Abs(float64(x.hi))), true)
		}
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul:
		return z.binary(v.Op, v.Args[0], v.Args[1])
	case ssa.OpFMA:
		return z.fused(v)
	}
	return floatFact{}
}

// factOfBits returns the fact of a constant.
func factOfBits(v *ssa.Value) (x floatFact) {
	for i, b := range v.Bits {
		f := math.Float32frombits(uint32(b))
		if f != f || f > maxFinite || f < -maxFinite {
			return floatFact{}
		}
		e := floatFact{true, b != 1<<31, f, f}
		if x = x.join(e); i == 0 {
			x = e
		}
	}
	return x
}

// join returns what holds for x and for y.
func (x floatFact) join(y floatFact) floatFact {
	if !x.finite || !y.finite {
		return floatFact{plus: x.plus && y.plus}
	}
	return floatFact{true, x.plus && y.plus, min(x.lo, y.lo), max(x.hi, y.hi)}
}

func (z *zeroing) joined(args []*ssa.Value) (x floatFact) {
	for i, a := range args {
		if x = x.join(*z.of(a)); i == 0 {
			x = *z.of(a)
		}
	}
	return x
}

// bounded returns the fact of numbers in [lo, hi] after rounding to float. A bound that is 0 must be exact.
func bounded(lo, hi float64, plus bool) floatFact {
	if !(lo >= -maxFinite && hi <= maxFinite) {
		return floatFact{plus: plus}
	}
	x := floatFact{true, plus, float32(lo), float32(hi)}
	if lo != 0 {
		x.lo = math.Nextafter32(x.lo, -maxFinite)
	}
	if hi != 0 {
		x.hi = math.Nextafter32(x.hi, maxFinite)
	}
	return x
}

// converted returns the fact of a conversion from integers, which never gives -0.
func (z *zeroing) converted(v *ssa.Value) floatFact {
	a := v.Args[0]
	switch {
	case a.Type.K == ssa.Bool:
		return floatFact{true, true, -1, 1}
	case !interval.IsInt(a.Type.K):
		return floatFact{}
	}
	if z.ranges == nil {
		z.ranges = findRanges(z.s)
	}
	r := z.ranges[a.ID]
	if !r.Bounded {
		return floatFact{true, true, -1 << 64, 1 << 65}
	}
	return bounded(float64(r.Lo), float64(r.Hi), true)
}

// binary returns the fact of a sum, difference or product. Only sums and differences of zeros are -0, and of products also those that
// are too small for the type.
func (z *zeroing) binary(op ssa.Op, a, b *ssa.Value) floatFact {
	x, y := z.of(a), z.of(b)
	plus := false
	switch op {
	case ssa.OpAdd:
		plus = x.plus || y.plus
	case ssa.OpSub:
		plus = x.plus
	case ssa.OpMul:
		plus = x.notNegative() && y.notNegative() || a == b
	}
	if !x.finite || !y.finite {
		return floatFact{plus: plus}
	}
	switch op {
	case ssa.OpAdd:
		return bounded(float64(x.lo)+float64(y.lo), float64(x.hi)+float64(y.hi), plus)
	case ssa.OpSub:
		return bounded(float64(x.lo)-float64(y.hi), float64(x.hi)-float64(y.lo), plus)
	}
	lo, hi := product(x, y)
	if a == b {
		lo = max(lo, 0)
	}
	return bounded(lo, hi, plus)
}

// product returns the exact bounds of the product of two floats.
func product(x, y *floatFact) (lo, hi float64) {
	a, b := float64(x.lo)*float64(y.lo), float64(x.lo)*float64(y.hi)
	c, d := float64(x.hi)*float64(y.lo), float64(x.hi)*float64(y.hi)
	return min(a, b, c, d), max(a, b, c, d)
}

// fused returns the fact of a fused multiply-add. Its exact result may be too small for the type, and round to -0, unless one factor is an
// integer: it is then a multiple of the smallest float.
func (z *zeroing) fused(v *ssa.Value) floatFact {
	x, y, c := z.of(v.Args[0]), z.of(v.Args[1]), z.of(v.Args[2])
	if x.notNegative() && z.normalized(v) {
		_, hi := product(x, y)
		return bounded(0, hi, true)
	}
	positive := x.notNegative() && y.notNegative()
	plus := positive && c.notNegative()
	if f := factor(v.Args[1]); f == math.Trunc(f) {
		plus = positive || c.plus
	}
	if !x.finite || !y.finite || !c.finite {
		return floatFact{plus: plus}
	}
	lo, hi := product(x, y)
	return bounded(lo+float64(c.lo), hi+float64(c.hi), plus)
}

// factor returns a constant, which is a NaN if v is none.
func factor(v *ssa.Value) float64 {
	c, ok := splatConst(v)
	if !ok {
		return math.NaN()
	}
	return float64(math.Float32frombits(uint32(c)))
}

// normalized reports whether v is the quotient of x and the greatest value of a normalized channel: fma(x, c, x * d), where d is small and
// negative. It has the sign of x, because x * d is at most half of x * c even if it is rounded up to the smallest float.
func (z *zeroing) normalized(v *ssa.Value) bool {
	m := v.Args[2]
	if m.Op != ssa.OpMul || m.Args[0] != v.Args[0] {
		return false
	}
	c, d := factor(v.Args[1]), factor(m.Args[1])
	return d <= 0 && -4*d <= c && c > 0 && c <= 1
}

// arrayOf returns the variable that p points into, nil if it is unknown.
func arrayOf(p *ssa.Value) *ssa.Global {
	for p.Op == ssa.OpPtrAdd {
		p = p.Args[0]
	}
	if p.Op != ssa.OpGlobalAddr {
		return nil
	}
	g, _ := p.Sym.(*ssa.Global)
	return g
}

// findArrays finds the local arrays with finite floats, and reports whether there are any.
func (z *zeroing) findArrays() bool {
	array := func(p *ssa.Value) *floatArray {
		g := arrayOf(p)
		if g == nil || g.Kind != ssa.PtrLocal || g.Size%4 != 0 {
			return nil
		}
		if z.arrays[g] == nil {
			z.arrays[g] = &floatArray{}
		}
		return z.arrays[g]
	}
	for _, b := range z.f.Blocks {
		for _, v := range b.Values {
			if v.Op == ssa.OpCall || v.Op == ssa.OpExtern {
				clear(z.arrays)
				return false
			}
			for i, p := range v.Args {
				if !p.Type.K.IsPtr() {
					continue
				}
				a := array(p)
				switch {
				case a == nil:
				case v.Op == ssa.OpPtrAdd && i == 0 && multipleOf4(v.Args[1], maxMultiple), v.Op == ssa.OpLoad && v.Type == ssa.TF32:
				case v.Op == ssa.OpStore && i == 0 && v.Args[1].Type == ssa.TF32:
					a.stored = append(a.stored, v.Args[1])
				default:
					a.bad = true
				}
			}
		}
	}
	found := false
	for g, a := range z.arrays {
		x := z.joined(a.stored).join(floatFact{finite: true, plus: true})
		if a.bad || len(a.stored) == 0 || !x.finite {
			delete(z.arrays, g)
			continue
		}
		a.fact, found = x, true
	}
	return found
}

// maxMultiple bounds the operations that multipleOf4 follows.
const maxMultiple = 8

// multipleOf4 reports whether an offset is certainly a multiple of 4.
func multipleOf4(v *ssa.Value, depth int) bool {
	c, known := splatConst(v)
	switch {
	case known:
		return c%4 == 0
	case depth == 0 || v.Type.N != 1:
		return false
	case v.Op == ssa.OpMul:
		return multipleOf4(v.Args[1], depth-1) || multipleOf4(v.Args[0], depth-1)
	case v.Op == ssa.OpAdd, v.Op == ssa.OpSub:
		return multipleOf4(v.Args[0], depth-1) && multipleOf4(v.Args[1], depth-1)
	case v.Op == ssa.OpShl:
		c, known := splatConst(v.Args[1])
		return known && c >= 2 && c < 32
	}
	return false
}

// simplify replaces v if a product or an operand is 0, and reports whether it did.
func (z *zeroing) simplify(v *ssa.Value) bool {
	switch v.Op {
	case ssa.OpMul:
		// The sign is that of the constant.
		return isZero(v.Args[1]) && z.of(v.Args[0]).notNegative() && become(v, v.Args[1])
	case ssa.OpFMA:
		return z.simplifyFused(v)
	case ssa.OpAdd:
		for i, x := range v.Args {
			y := v.Args[1-i]
			switch {
			case isZero(y) && z.keeps(x):
				return become(v, x)
			case y.Op == ssa.OpSub && isZero(y.Args[0]) && z.of(y.Args[1]).finite && z.of(x).plus: // x + (0 - y) is x - y
				return difference(v, x, y.Args[1])
			}
		}
	}
	return false
}

// keeps reports whether x + 0 and x - 0 have the bits of x, whatever the zero's sign.
func (z *zeroing) keeps(x *ssa.Value) bool {
	f := z.of(x)
	return f.plus && (f.finite || quiet(x))
}

// difference makes v the difference x - y.
func difference(v, x, y *ssa.Value) bool {
	v.Flags = 0
	return change(v, ssa.OpSub, x, y)
}

// simplifyFused is simplify for a fused multiply-add.
func (z *zeroing) simplifyFused(v *ssa.Value) bool {
	x, y, c := v.Args[0], v.Args[1], v.Args[2]
	if !z.of(x).finite {
		return false
	}
	if isZero(y) && z.keeps(c) {
		return become(v, c)
	}
	return factor(y) == -1 && difference(v, c, x)
}
