package lanes

import (
	"github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// MaxID bounds the ids, sizes and offsets of a launch, including the ids of inactive lanes after its last
// work-item.
const MaxID = 1 << 31

// A Shape classifies how a value varies over the lanes of a gang.
type Shape uint8

const (
	Varying Shape = iota // any values
	Affine               // lane i has the first lane's value + i · Stride, modulo 2 to the type's bits
	Uniform              // the same value in all lanes
)

// An Order permutes the lanes: lane i is at place i XOR By. It holds if the first lane's Of is a multiple of
// the number of lanes. The value at a place is then that of place 0 plus place · Stride.
type Order struct {
	Of *ssa.Value // affine with the stride 1
	By *ssa.Value // uniform
}

// Same reports whether two orders are equal; nil is the identity.
func (o *Order) Same(p *Order) bool { return o == p || o != nil && p != nil && *o == *p }

// A Fact is the knowledge about a value. The zero Fact claims nothing.
type Fact struct {
	Shape Shape
	// MayWrap reports that Stride holds only if no narrower sum, from which the value was extended, wraps
	// between lanes.
	MayWrap bool
	// Displaced reports that another value has been added after the extension: an offset that has wrapped may then be in bounds.
	Displaced bool
	// Known reports that lane i has First + i · Stride with a constant First: the value follows from the lane
	// number alone.
	Known bool
	// Zeros is the number of low bits that are zero in every element of an integer.
	Zeros  uint8
	Stride int64  // if Affine: the distance of lanes, or of places of Order; pointers in bytes
	Order  *Order // if Affine: the permutation; nil: identity
	First  int64
	// Interval bounds every element of an integer.
	interval.Interval
}

// Exact reports whether lane i certainly has the first lane's value + i · Stride: the lanes are not permuted
// and no narrower sum may wrap.
func (f *Fact) Exact() bool { return f.Shape == Affine && f.Order == nil && !f.MayWrap }

// NonNeg31 reports whether every element is in [0, 2³¹), so that extension and truncation to 32 bits, signed or
// not, keep its value.
func (f *Fact) NonNeg31() bool { return f.Within(0, 1<<31-1) }

// keepsRange reports whether no lane of an affine integer of kind k leaves the range of k: the lanes are not as far apart as the
// interval is from an end of the range. A lane beyond that end would be at the other one.
func (f *Fact) keepsRange(k ssa.Kind, stride int64) bool {
	w, far := interval.Whole(k), max(stride, -stride)*(1<<laneBits-1)
	return f.NonNeg31() || f.Bounded && w.Bounded && (f.Hi <= w.Hi-far || f.Lo >= w.Lo+far)
}

// Narrowed reports whether the interval excludes values of k. k is the value's kind.
func (f *Fact) Narrowed(k ssa.Kind) bool {
	w := interval.Whole(k)
	return f.Bounded && (!w.Bounded || f.Lo > w.Lo || f.Hi < w.Hi)
}

// MultipleOf reports whether every element is a multiple of n, a power of two.
func (f *Fact) MultipleOf(n int) bool { return f.Zeros >= 63 || n <= 1<<f.Zeros }

// Last returns the value of the last of n lanes of a Known value.
func (f *Fact) Last(n int) int64 { return f.First + f.Stride*int64(n-1) }

// Facts are the facts of a function's values.
type Facts struct {
	Input
	facts []Fact
	roots map[*ssa.Value]*ssa.Value // see rootOf
	first map[*ssa.Global]*ssa.Value
}

// none is the fact of values created after the analysis. It is never written.
var none Fact

// Of returns the fact of v. The caller must not change it.
func (f *Facts) Of(v *ssa.Value) *Fact {
	if int(v.ID) < len(f.facts) {
		return &f.facts[v.ID]
	}
	return &none
}

// Source follows phis with one argument to their argument, as long as all lanes arrive together from the one
// predecessor.
func (f *Facts) Source(v *ssa.Value) *ssa.Value {
	for v.Op == ssa.OpPhi && len(v.Args) == 1 && f.passes(v) {
		v = v.Args[0]
	}
	return v
}

// passes reports whether a phi with one argument equals it in all lanes: a uniform branch enters its block, and
// the block is not the exit of a loop in which other lanes may continue.
func (f *Facts) passes(v *ssa.Value) bool {
	if v.Args[0] == v {
		return false
	}
	s := v.Block
	b := s.Preds[0]
	if max(int(b.ID), int(s.ID)) >= len(f.Split) || f.Split[b.ID] || b.Term().Op == ssa.OpJump {
		return false
	}
	return f.Loops.Of(s) == f.Loops.Of(b) || f.Divergent != nil && !f.Divergent[b.ID]
}

// IsInt reports whether k is an integer kind, not Bool or a pointer.
func IsInt(k ssa.Kind) bool { return interval.IsInt(k) }

// Scalar reports whether k is an integer, Bool, pointer or handle, which general registers of every machine can
// hold.
func Scalar(k ssa.Kind) bool {
	return k == ssa.Bool || k.IsPtr() || k == ssa.Handle || k.Num().IsInt()
}

func size(k ssa.Kind) int { return k.Num().Size() }
