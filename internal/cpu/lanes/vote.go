package lanes

import (
	"math"

	"github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// An EndsVote is a comparison of an integer that increases along the lanes with a uniform integer. The first and the last
// lane of a gang decide it for all lanes.
type EndsVote struct {
	Op      ssa.Op
	X, Y    *ssa.Value // X increases; Y is uniform
	Swapped bool       // Y is the first operand
	Span    int64      // from the first lane's X to the last lane's, less than 2³¹
	MayWrap bool       // X may leave the range of its type before the last lane: then the first lane decides nothing
}

// VoteByEnds reports whether the first and the last lane decide the comparison of x and y by op for a whole gang.
//
// OpEq and OpNe: no lane is equal if Y is outside of the lanes' integers. OpLt and OpLe, with integers that are extended to
// 64 bits: all lanes agree on true if the last lane (Swapped: the first) says so, and on false if the other end does.
func (f *Facts) VoteByEnds(op ssa.Op, x, y *ssa.Value, gang int) (v EndsVote, ok bool) {
	switch op {
	case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe:
	default:
		return v, false
	}
	v = EndsVote{Op: op, X: x, Y: y}
	if v.Swapped = !f.varies(v.X); v.Swapped {
		v.X, v.Y = v.Y, v.X
	}
	g := f.Of(v.X)
	v.Span = g.Stride * int64(gang-1)
	v.MayWrap = !g.NonNeg31() && !(g.Bounded && IsInt(v.X.Type.K) && size(v.X.Type.K) == 4 && g.Lo-interval.Whole(v.X.Type.K).Lo >= v.Span) // wrapped lanes are at the other end
	if x.Type.N != 1 || !g.Exact() || g.Stride <= 0 || f.varies(v.Y) || !Scalar(v.Y.Type.K) {
		return v, false
	}
	if op == ssa.OpEq || op == ssa.OpNe {
		return v, g.Stride == 1
	}
	return v, (size(v.X.Type.K) == 4 || !v.MayWrap) && v.Span <= math.MaxInt32
}
