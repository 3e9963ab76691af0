package lanes

import (
	"iter"
	"slices"

	"github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// An Input is a function prepared for gangs.
type Input struct {
	F         *ssa.Func
	Order     []*ssa.Block // the reachable blocks in loop order
	Loops     *ssa.Loops
	Varying   []bool // by value ID: the value may differ between lanes
	Split     []bool // by block ID: lanes may take its branch differently
	Divergent []bool // by block ID: some lanes may be elsewhere while it runs; nil: unknown
	// Lanes is the gang's length if its first lane has the local id 0 in dimension 0 and the others follow;
	// else 0.
	Lanes int
	// Local is the size of all work-groups, zeros if unknown. If it is known, facts hold only for lanes that
	// have a work-item.
	Local [3]int64
	// Group is the size that the kernel requires of work-groups, zeros if none. Groups at the ends of the range may be smaller, and
	// lanes without a work-item may be beyond it in dimension 0.
	Group [3]int64
	// Groups is the greatest number of work-groups in each dimension, zeros if unknown.
	Groups [3]int64
	// Origin returns the value of which v is a copy; nil: no value is a copy.
	Origin func(v *ssa.Value) *ssa.Value
	// Rare reports whether only few gangs execute a block; nil: no block is rare.
	Rare func(b *ssa.Block) bool
}

// Values returns the values of the blocks in order.
func (in *Input) Values() iter.Seq[*ssa.Value] {
	return func(yield func(v *ssa.Value) bool) {
		for _, b := range in.Order {
			for _, v := range b.Values {
				if !yield(v) {
					return
				}
			}
		}
	}
}

// An analysis computes facts.
type analysis struct {
	*Facts
	seen []bool // by value ID: the fact has been computed
}

// maxPasses bounds the passes over the function. Shapes and zeros change a few times at most and intervals are
// widened, so that it is hardly ever reached; phis then get no facts.
const maxPasses = 32

// Analyse computes the facts of a function's values.
func Analyse(in Input) *Facts {
	f := &Facts{Input: in, facts: make([]Fact, in.F.NumValues())}
	a := &analysis{Facts: f, seen: make([]bool, len(f.facts))}
	for _, p := range in.F.Params {
		a.facts[p.ID], a.seen[p.ID] = a.fact(p), true
	}
	for pass := 0; a.pass(pass); pass++ {
	}
	return f
}

// Updated returns the facts of the function for another input, which differs in Divergent and Rare only. The function has not
// changed since f was made. The facts depend on Divergent only through passes.
func (f *Facts) Updated(in Input) *Facts {
	g := &Facts{Input: in, facts: f.facts}
	if len(f.facts) != in.F.NumValues() || slices.ContainsFunc(in.Order, func(b *ssa.Block) bool {
		return len(b.Preds) == 1 && slices.ContainsFunc(b.Phis(), func(v *ssa.Value) bool { return f.passes(v) != g.passes(v) })
	}) {
		return Analyse(in)
	}
	return g
}

// pass recomputes each fact and reports whether a fact changed after a phi had used it.
func (a *analysis) pass(n int) (again bool) {
	for v := range a.Values() {
		switch {
		case v.Op.Has(ssa.Terminator):
			continue
		case v.Op != ssa.OpPhi:
			a.facts[v.ID] = a.fact(v)
		case a.phi(v, n):
			again = n > 0 || again
		}
		a.seen[v.ID] = true
	}
	return again || n == 0 && len(a.Loops.All) > 0
}

// fact computes the fact of a value that is not a phi.
func (a *analysis) fact(v *ssa.Value) (f Fact) {
	if IsInt(v.Type.K) {
		f.Interval = a.interval(v)
		f.Zeros = a.zeros(v)
	}
	if !a.Varying[v.ID] {
		f.Shape = Uniform
	} else {
		a.shape(v, &f)
	}
	if a.Lanes > 0 {
		a.known(v, &f)
	}
	return f
}

// phi joins the facts of a phi's arguments and reports whether the result has changed.
func (a *analysis) phi(v *ssa.Value, pass int) (changed bool) {
	f := &a.facts[v.ID]
	old := *f
	if len(v.Args) == 1 && a.passes(v) && a.seen[v.Args[0].ID] {
		*f = a.facts[v.Args[0].ID]
		return *f != old
	}
	var g Fact
	switch {
	case !IsInt(v.Type.K):
	case pass >= maxPasses:
		g.Interval = interval.Whole(v.Type.K)
	default:
		a.joined(v, &g)
		if a.seen[v.ID] && pass > 0 {
			g.Interval = g.Interval.Widened(old.Interval, v.Type.K)
			g.Zeros = min(g.Zeros, old.Zeros)
		}
	}
	switch {
	case !a.Varying[v.ID]:
		g.Shape = Uniform
	case pass >= maxPasses, a.seen[v.ID] && old.Shape == Varying:
	default:
		a.phiShape(v, &g)
	}
	*f = g
	return g != old
}

// joined sets the interval and the zeros that the arguments of a phi have in common, without those of a later iteration.
func (a *analysis) joined(v *ssa.Value, f *Fact) {
	first := true
	for _, x := range v.Args {
		switch xf := &a.facts[x.ID]; {
		case !a.seen[x.ID]:
		case first:
			f.Interval, f.Zeros, first = xf.Interval, xf.Zeros, false
		default:
			f.Interval = f.Interval.Join(xf.Interval)
			f.Zeros = min(f.Zeros, xf.Zeros)
		}
	}
}

// phiShape makes the phi of a loop header affine if it has the same stride on entry and after each iteration.
// All lanes enter the header together, from one of the two edges.
func (a *analysis) phiShape(v *ssa.Value, f *Fact) {
	l := a.Loops.Of(v.Block)
	if l == nil || l.Header != v.Block || len(v.Block.Preds) != 2 || len(l.Latches) != 1 || !a.mayBeAffine(v) {
		return
	}
	for i, x := range v.Args {
		switch xf := &a.facts[x.ID]; {
		case !a.seen[x.ID]: // optimistic; the next pass checks it
		case !xf.Exact() || i > 0 && f.Shape == Affine && xf.Stride != f.Stride:
			*f = Fact{Interval: f.Interval, Zeros: f.Zeros}
			return
		default:
			f.Shape, f.Stride = Affine, xf.Stride
		}
	}
}

// mayBeAffine reports whether values of v's type can be Affine.
func (a *analysis) mayBeAffine(v *ssa.Value) bool {
	return v.Type.N == 1 && (v.Type.K.IsPtr() || IsInt(v.Type.K) && size(v.Type.K) >= 4)
}

// maxStride bounds the strides of affine values.
const maxStride = 1 << 24

// MaxDisp bounds the constant part of an address. Objects are usually smaller than [MaxObject]. A 32-bit index that
// wraps within a gang is then out of bounds, and remains so after a displacement of up to MaxDisp.
const MaxDisp = 1 << 29

// shape computes the shape of a varying value.
func (a *analysis) shape(v *ssa.Value, f *Fact) {
	if !a.mayBeAffine(v) || len(v.Args) == 0 {
		return
	}
	x := a.Of(v.Args[0])
	affine := Fact{Shape: Affine, Order: x.Order}
	for _, y := range v.Args {
		affine.MayWrap = affine.MayWrap || a.Of(y).MayWrap
		affine.Displaced = affine.Displaced || a.Of(y).Displaced
	}
	ok := false
	switch v.Op {
	case ssa.OpWorkItem:
		affine.Stride = 1
		ok = v.Args[0].IsConst() && v.Args[0].ConstElem(0) == 0 && (v.Aux == int64(ssa.GlobalID) || v.Aux == int64(ssa.LocalID))
	case ssa.OpXor:
		ok = a.xor(v, &affine)
	case ssa.OpAdd, ssa.OpSub, ssa.OpPtrAdd:
		ok = a.sum(v, &affine)
	case ssa.OpMul, ssa.OpShl:
		ok = a.multiple(v, &affine)
	case ssa.OpBitcast, ssa.OpCopy, ssa.OpPtrCast:
		affine.Stride = x.Stride
		ok = x.Shape == Affine && size(v.Type.K) == size(v.Args[0].Type.K) && !FromGeneric(v)
	case ssa.OpConvert:
		ok = a.conversion(v, &affine)
	}
	if ok && affine.Stride <= maxStride && affine.Stride >= -maxStride {
		f.Shape, f.Stride, f.Order, f.MayWrap, f.Displaced = Affine, affine.Stride, affine.Order, affine.MayWrap, affine.Displaced
	}
}

// stride returns the stride of a uniform or affine operand.
func (a *analysis) stride(v *ssa.Value) (s int64, ok bool) {
	x := a.Of(v)
	if x.Shape == Uniform {
		return 0, Scalar(v.Type.K)
	}
	return x.Stride, x.Shape == Affine
}

// xor computes the permutation of the lanes by an XOR with a uniform value.
func (a *analysis) xor(v *ssa.Value, f *Fact) bool {
	o := &Order{v.Args[0], v.Args[1]}
	if a.Varying[o.By.ID] {
		o.Of, o.By = o.By, o.Of
	}
	x := a.Of(o.Of)
	f.Order, f.Stride = o, 1
	if old := a.facts[v.ID].Order; o.Same(old) {
		f.Order = old // reuse it, so that facts compare equal
	}
	return !a.Varying[o.By.ID] && x.Exact() && x.Stride == 1
}

func (a *analysis) sum(v *ssa.Value, f *Fact) bool {
	s, ok := a.stride(v.Args[0])
	t, ok2 := a.stride(v.Args[1])
	if !ok || !ok2 {
		return false
	}
	x, y := a.Of(v.Args[0]), a.Of(v.Args[1])
	switch {
	case x.Shape == Uniform:
		f.Order = y.Order
	case y.Shape == Uniform:
	case !x.Order.Same(y.Order):
		return false
	}
	// Next to another term, an index that wraps might be in bounds again.
	if f.MayWrap && size(v.Type.K) == 8 && v.Op != ssa.OpPtrAdd {
		if c := v.Args[1]; !c.IsConst() || int64(c.ConstElem(0)) > MaxDisp || int64(c.ConstElem(0)) < -MaxDisp {
			if f.Displaced = true; f.Order != nil {
				return false
			}
		}
	}
	f.Stride = s + t
	if v.Op == ssa.OpSub {
		f.Stride = s - t
	}
	return true
}

// maxMultiple bounds the constant factors of affine values.
const maxMultiple = 1 << 20

func (a *analysis) multiple(v *ssa.Value, f *Fact) bool {
	s, ok := a.stride(v.Args[0])
	by, constant := Factor(v)
	f.Stride = s * by
	return ok && constant && by <= maxMultiple && by >= -maxMultiple
}

func (a *analysis) conversion(v *ssa.Value, f *Fact) bool {
	from := v.Args[0]
	s, ok := a.stride(from)
	sat, _ := ssa.ConvParts(v.Aux)
	if !ok || sat || !from.Type.K.Num().IsInt() || size(from.Type.K) < 4 {
		return false
	}
	f.Stride = s
	// Within an aligned block nothing wraps.
	if size(v.Type.K) > size(from.Type.K) && !a.Of(from).keepsRange(from.Type.K, s) && (f.Order == nil || from.Op != ssa.OpXor) {
		f.MayWrap = true
	}
	return true
}
