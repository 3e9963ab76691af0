package lanes

import (
	"math/bits"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Ids of rows and columns that are computed from the bits of a linear local id, such as l & 7 and l >> 3, are
// piecewise affine. A gang begins at a multiple of its length, so that each bit of the lane number adds a step
// of its own, whatever the other bits are. Accesses at sums of such ids and uniform values consist of
// contiguous pieces of memory.

// laneBits is the greatest number of bits of a lane number.
const laneBits = 7

// Steps describe an integer that grows by By[b] if bit b of the lane number is set, modulo 2 to the type's
// bits. A step in Unknown is uniform, but not constant.
type Steps struct {
	By      [laneBits]int64
	Unknown uint8 // a bit for each step
	// Same is the value of all lanes, if IsSame.
	Same   int64
	IsSame bool
}

const (
	maxStep      = 1 << 40
	maxStepped   = 64 // operations that steps follows
	maxStepDepth = 16 // operations that bitsOf follows
)

// even reports whether the steps are those of one stride.
func (s *Steps) even() bool {
	for b, by := range s.By {
		if by != s.By[0]<<b {
			return false
		}
	}
	return s.Unknown == 0
}

// distances returns how much n lanes grow from the first one on, if these are constants.
func (s *Steps) distances(n int) (apart []int64, ok bool) {
	apart = make([]int64, n)
	for lane := range apart {
		for b := range laneBits {
			if lane>>b&1 == 0 {
				continue
			}
			if s.Unknown>>b&1 != 0 {
				return nil, false
			}
			apart[lane] += s.By[b]
		}
	}
	return apart, true
}

// A stepper computes steps.
type stepper struct {
	*Facts
	picks  Picks      // the arguments that choices are; nil: choices have no steps
	choice *ssa.Value // the first choice found that is not picked
	seen   int        // operations so far
}

// steps returns the steps of an integer, through few operations.
func (f *stepper) steps(v *ssa.Value) (s Steps, ok bool) {
	v = f.Source(v)
	x := f.Of(v)
	switch {
	case !f.varies(v) && x.Known:
		return Steps{Same: x.First, IsSame: true}, true
	case v.IsConst() && v.Type.N == 1 && IsInt(v.Type.K):
		s.Same, s.IsSame = x.Lo, x.Bounded
		return s, true
	case !f.varies(v):
		return s, true
	case x.Shape == Affine && x.Order == nil:
		for b := range s.By {
			s.By[b] = x.Stride << b
		}
		return s, true
	case v.Type.N != 1 || f.seen == maxStepped || !IsInt(v.Type.K) || size(v.Type.K) < 4:
		return s, false
	}
	f.seen++
	return f.computed(v)
}

// computed returns the steps of a varying integer from its operation.
func (f *stepper) computed(v *ssa.Value) (s Steps, ok bool) {
	switch v.Op {
	case ssa.OpAnd, ssa.OpShr, ssa.OpDiv, ssa.OpRem:
		if f.keepsSum(v) {
			return f.steps(v.Args[0])
		}
		return f.ofBits(v)
	case ssa.OpConvert:
		if sat, _ := ssa.ConvParts(v.Aux); sat || !IsInt(v.Args[0].Type.K) {
			return s, false
		}
		return f.steps(v.Args[0])
	case ssa.OpBitcast, ssa.OpCopy:
		return f.steps(v.Args[0])
	case ssa.OpAdd, ssa.OpSub, ssa.OpOr:
	case ssa.OpMul, ssa.OpShl:
		if _, constant := Factor(v); !constant && f.picks != nil {
			return s, false
		}
	case ssa.OpSelect, ssa.OpMin, ssa.OpMax:
		if p := f.picks[v]; p != nil {
			return f.steps(p)
		}
		if f.picks != nil && f.choice == nil {
			f.choice = v
		}
		return s, false
	default:
		return s, false
	}
	s, ok = f.steps(v.Args[0])
	t, ok2 := f.steps(v.Args[1])
	if !ok || !ok2 {
		return s, false
	}
	switch v.Op {
	case ssa.OpOr:
		if a, b := f.Of(v.Args[0]), f.Of(v.Args[1]); !a.below(b) && !b.below(a) {
			return s, false
		}
		return s.plus(&t, 1), true
	case ssa.OpAdd:
		return s.plus(&t, 1), true
	case ssa.OpSub:
		return s.plus(&t, -1), true
	case ssa.OpMul:
		if f.varies(v.Args[0]) {
			s, t = t, s
		}
		if f.varies(f.Source(v.Args[0])) && f.varies(f.Source(v.Args[1])) {
			return s, false
		}
		return t.times(s.Same, s.IsSame), true
	}
	if f.varies(v.Args[1]) {
		return s, false
	}
	return s.times(1<<(t.Same&int64(8*size(v.Type.K)-1)), t.IsSame), true
}

// below reports whether all values of f are less than each set bit of g's values.
func (f *Fact) below(g *Fact) bool {
	return f.Bounded && f.Lo >= 0 && bits.Len64(uint64(f.Hi)) <= int(g.Zeros)
}

// plus returns s + sign · t.
func (s Steps) plus(t *Steps, sign int64) Steps {
	for b := range s.By {
		s.By[b] = bounded(s.By[b]+sign*t.By[b], &s.Unknown, b)
	}
	s.Unknown |= t.Unknown
	return s
}

// times returns s times a uniform value.
func (s Steps) times(n int64, known bool) Steps {
	for b, by := range s.By {
		switch {
		case by == 0 && s.Unknown>>b&1 == 0:
		case known && n <= 1<<20 && n >= -1<<20:
			s.By[b] = bounded(by*n, &s.Unknown, b)
		default:
			s.Unknown |= 1 << b
		}
	}
	return s
}

// bounded returns the step by, or marks it unknown if it is large.
func bounded(by int64, unknown *uint8, b int) int64 {
	if by > maxStep || by < -maxStep {
		*unknown |= 1 << b
		return 0
	}
	return by
}

// ofBits returns the steps of bits of a linear local id: l & n, l >> n, and l / n and l % n of integers that
// are not negative.
func (f *Facts) ofBits(v *ssa.Value) (s Steps, ok bool) {
	x, ok := f.bitsOf(v, maxStepDepth)
	if !ok {
		return s, false
	}
	for b := range s.By {
		s.By[b] = int64(1 << b & x.mask >> x.shift)
	}
	return s, true
}

// keepsSum reports whether v is an AND that changes nothing in any lane, active or not: of bits of a local id plus a constant,
// as later gangs of an unfolded work-group have them.
func (f *Facts) keepsSum(v *ssa.Value) bool {
	x := v.Args[0]
	if v.Op != ssa.OpAnd || x.Op != ssa.OpAdd || !x.Args[1].IsConst() || !v.Args[1].IsConst() || v.Type.N != 1 || !IsInt(v.Type.K) {
		return false
	}
	n := v.Args[1].ConstElem(0)
	_, ok := f.bitsOf(x.Args[0], maxStepDepth)
	return ok && n&(n+1) == 0 && n < MaxID && f.Of(x).Within(0, int64(n))
}

// idBits are the bits of a linear local id that a mask selects, shifted down.
type idBits struct {
	mask  uint64
	shift uint
}

// bitsOf returns the bits of the local id in dimension 0 that v contains, or of another gang's id if ids are
// known.
func (f *Facts) bitsOf(v *ssa.Value, depth int) (x idBits, ok bool) {
	v = f.Source(v)
	if v.Op == ssa.OpWorkItem {
		return idBits{mask: ^uint64(0)}, ssa.WorkItemQuery(v.Aux) == ssa.LocalID && v.Args[0].IsConst() && v.Args[0].ConstElem(0) == 0
	}
	if depth == 0 || v.Type.N != 1 || !IsInt(v.Type.K) || size(v.Type.K) < 4 || len(v.Args) == 0 || v.Args[0].Type.N != 1 || !IsInt(v.Args[0].Type.K) {
		return x, false
	}
	if x, ok = f.bitsOf(v.Args[0], depth-1); !ok {
		return x, false
	}
	var by uint64
	if len(v.Args) == 2 {
		if !v.Args[1].IsConst() || !f.Of(v.Args[0]).NonNeg31() {
			return x, false
		}
		by = v.Args[1].ConstElem(0)
	}
	switch v.Op {
	case ssa.OpCopy, ssa.OpBitcast:
		return x, true
	case ssa.OpConvert:
		sat, _ := ssa.ConvParts(v.Aux)
		return x, !sat
	case ssa.OpAdd:
		return x, f.Lanes > 0 && by%uint64(f.Lanes) == 0 && by < MaxID && x.shift == 0 && x.mask == ^uint64(0)
	case ssa.OpAnd:
		x.mask &= by << x.shift
		return x, true
	case ssa.OpShr:
		x.shift += uint(by & uint64(8*size(v.Type.K)-1))
		return x, true
	case ssa.OpDiv, ssa.OpRem:
		if by == 0 || by&(by-1) != 0 {
			return x, false
		}
		if v.Op == ssa.OpRem {
			x.mask &= (by - 1) << x.shift
		} else {
			x.shift += uint(bits.TrailingZeros64(by))
		}
		return x, true
	}
	return x, false
}

// address returns the steps of an address in bytes.
func (f *stepper) address(a *Address) (s Steps, ok bool) {
	for _, o := range a.Terms {
		t, ok := f.steps(o)
		if !ok || o.Type.K.IsPtr() {
			return s, false
		}
		s = s.plus(&t, 1)
	}
	return s, true
}

// minPieceBytes is the size of the smallest piece.
const minPieceBytes = 4

// pieces selects Pieces if the lanes form contiguous pieces of several lanes each.
func (x *Patterns) pieces(w *Access, masked bool) bool {
	total := w.Type.Size()
	if masked && (w.Type.N > 1 || !x.Target.MaskedPieces.Has(total)) || x.Target.LaneByLane || w.Type.N == 3 || w.Type.K == ssa.Bool || w.Order != nil || x.MayBeLarge(w.Root) {
		return false
	}
	s, ok := (&stepper{Facts: x.Facts}).address(&w.Address)
	if !ok {
		return false
	}
	n := 1
	for b := 0; n < x.Gang && s.Unknown>>b&1 == 0 && s.By[b] == int64(total)<<b; b++ {
		n *= 2
	}
	if n < 2 || n*total < minPieceBytes {
		return false
	}
	w.Pattern, w.Piece = Pieces, n
	return true
}
