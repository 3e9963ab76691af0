package lanes

import (
	"github.com/purecl/purecl/internal/ir/ssa"
)

// MaxID bounds the ids, sizes and offsets of a launch, and the ids that a gang's lanes behind
// its last work-item would have.
const MaxID = 1 << 31

// A Shape says how a value varies over the lanes of a gang.
type Shape uint8

const (
	Varying Shape = iota // in any way
	Affine               // lane i has the first lane's number + i · Stride, modulo 2 to the type's bits
	Uniform              // all lanes have one value
)

func (s Shape) String() string { return [...]string{"varying", "affine", "uniform"}[s] }

// An Order permutes the lanes: lane i stands at place i XOR By. It holds where the first lane's
// Of is a multiple of the number of lanes; what is affine in Of XOR By is then first + place ·
// Stride, where first is what place 0 has.
type Order struct {
	Of *ssa.Value // affine with the stride 1
	By *ssa.Value // uniform
}

// Same reports whether two orders, or nil for the lanes' own, are one.
func (o *Order) Same(p *Order) bool { return o == p || o != nil && p != nil && *o == *p }

// A Fact is what is known of a value. The zero Fact says nothing.
type Fact struct {
	Shape Shape
	// MayWrap says that Stride holds only where no sum of fewer bits, of which the value was
	// extended, has wrapped from one lane to another.
	MayWrap bool
	// Known says that lane i has First + i · Stride for a First that is known: of an integer that follows
	// from the number of the lane alone.
	Known bool
	// Bounded says that every element is in [Lo, Hi]: unsigned numbers as such. It is not set for
	// what does not fit into int64.
	Bounded bool
	// Zeros is how many low bits of every element of an integer are certainly zero.
	Zeros  uint8
	Stride int64  // of Affine: between lanes, or places of Order; of pointers in bytes
	Order  *Order // of Affine: nil for the lanes' own
	First  int64
	Lo, Hi int64
}

// Exact reports whether lane i has the first lane's number + i · Stride for certain: in the
// lanes' own order, and no sum may have wrapped.
func (f *Fact) Exact() bool { return f.Shape == Affine && f.Order == nil && !f.MayWrap }

// NonNeg31 reports whether every element is in [0, 2³¹): it is the same number when it is extended
// or cut to 32 bits, with or without a sign.
func (f *Fact) NonNeg31() bool { return f.Within(0, 1<<31-1) }

// Within reports whether every element is in [lo, hi].
func (f *Fact) Within(lo, hi int64) bool { return f.Bounded && f.Lo >= lo && f.Hi <= hi }

// MultipleOf reports whether every element is a multiple of n, a power of two.
func (f *Fact) MultipleOf(n int) bool { return f.Zeros >= 63 || n <= 1<<f.Zeros }

// Last returns the number of the last of n lanes of a known value.
func (f *Fact) Last(n int) int64 { return f.First + f.Stride*int64(n-1) }

// Facts are the facts of a function's values.
type Facts struct {
	Input
	facts []Fact
	roots map[*ssa.Value]*ssa.Value // see rootOf
	first map[*ssa.Global]*ssa.Value
}

// none is the fact of a value made since the analysis. Nobody writes it.
var none Fact

// Of returns what is known of v. It is not to be changed.
func (f *Facts) Of(v *ssa.Value) *Fact {
	if int(v.ID) < len(f.facts) {
		return &f.facts[v.ID]
	}
	return &none
}

// Source returns the value that v stands for: v but for phis of a block that all lanes come to
// at once from its one predecessor.
func (f *Facts) Source(v *ssa.Value) *ssa.Value {
	for v.Op == ssa.OpPhi && len(v.Args) == 1 && f.passes(v) {
		v = v.Args[0]
	}
	return v
}

// passes reports whether a phi with one argument stands for it: its block is entered by a
// uniform branch, and not as the exit of a loop in which lanes may go on.
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
func IsInt(k ssa.Kind) bool {
	return k != ssa.Bool && !k.IsPtr() && k != ssa.Handle && k.Num().IsInt()
}

// Scalar reports whether k is an integer, Bool, pointer or handle: what a general register of
// any machine holds.
func Scalar(k ssa.Kind) bool {
	return k == ssa.Bool || k.IsPtr() || k == ssa.Handle || k.Num().IsInt()
}

func size(k ssa.Kind) int { return k.Num().Size() }
