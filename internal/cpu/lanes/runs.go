package lanes

import "github.com/purecl/purecl/internal/ir/ssa"

// Compare-exchange networks, butterflies and staged transforms compute the position of a pair of elements from
// the bits of the id: 2 * i - (i & (s - 1)), (i >> k << k+1) | (i & (s - 1)), i / s * 2 * s + i % s, with a
// uniform s. If s is less than the number of lanes, the lanes form runs of s elements with gaps. The value of s
// is known only at run time.

// maxRunSteps bounds the values that Runs examines.
const maxRunSteps = 32

// Runs reports whether the lanes of an irregular address are likely to form runs: the address is a sum of
// several values computed from ids and uniform values by bitwise operations or divisions.
func (f *Facts) Runs(a *Address) bool {
	r := runs{f: f, left: maxRunSteps}
	summands := 0
	for _, o := range a.Terms {
		if !r.of(o) {
			return false
		}
		if f.varies(o) {
			summands++
		}
	}
	return r.bitwise && (r.sum || summands > 1)
}

// runs selects Runs for lanes that may form runs.
func (x *Patterns) runs(w *Access, masked bool) bool {
	if masked || w.Type.K == ssa.Bool || !x.Target.Runs.Has(w.Type.Size()) || x.MayBeLarge(w.Root) || !x.Facts.Runs(&w.Address) {
		return false
	}
	if _, unit, _, ok := x.NarrowIndex(&w.Address); !ok || unit > w.Type.Size() {
		return false
	}
	w.Pattern = Runs
	return true
}

type runs struct {
	f       *Facts
	left    int
	bitwise bool // saw a bitwise operation or a division
	sum     bool // saw a sum of varying values
}

func (r *runs) of(v *ssa.Value) bool {
	v = r.f.Source(v)
	if x := r.f.Of(v); !r.f.varies(v) || x.Shape == Affine && x.Order == nil {
		return true
	}
	if r.left--; r.left < 0 {
		return false
	}
	switch v.Op {
	case ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpDiv, ssa.OpRem, ssa.OpShr:
		r.bitwise = true
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpShl, ssa.OpConvert, ssa.OpBitcast, ssa.OpCopy, ssa.OpPtrAdd, ssa.OpWorkItem:
	default:
		return false
	}
	switch v.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpOr, ssa.OpXor, ssa.OpPtrAdd:
		r.sum = r.sum || r.f.varies(v.Args[0]) && r.f.varies(v.Args[1])
	}
	for _, a := range v.Args {
		if a.Type.N != 1 || !IsInt(a.Type.K) && !a.Type.K.IsPtr() || !r.of(a) {
			return false
		}
	}
	return true
}
