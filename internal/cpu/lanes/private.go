package lanes

import (
	"github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A Private is a private object; each lane has a copy.
type Private struct {
	Alloca *ssa.Value
	Size   int // bytes of a copy
	// Elem is not 0 if the copies may be interleaved by elements of Elem bytes, so that lanes that access the
	// same element access contiguous memory. Every access must be known and of elements of that size.
	Elem int
	// Whole says that an element is a vector, which each access loads or stores whole, in memory order.
	Whole bool
}

// privateOf returns the private object that p points into, nil if none.
func (x *Patterns) privateOf(p *ssa.Value) *Private {
	if b := Base(p); b.Op == ssa.OpAlloca {
		return x.Privates()[b]
	}
	return nil
}

// private chooses the pattern of a load or store of a private object.
func (x *Patterns) private(w *Access, p *ssa.Value) {
	es, total, o := size(w.Type.K), int64(w.Type.Size()), w.Private
	if w.Disp > MaxDisp || w.Disp < -MaxDisp || o.Elem == 0 && es < x.Target.GatherBytes && !x.aligned(p, es) {
		w.Private = nil
		return
	}
	lo, hi, known := offsets(&w.Address, func(o *ssa.Value) interval.Interval { return x.Of(o).Interval })
	switch {
	case total > int64(o.Size), known && (hi < 0 || lo+total > int64(o.Size)):
		return
	case w.uniform() && (o.Elem != 0 || x.Target.LaneByLane || x.Alone):
		w.set(Own, 0, total)
	default:
		w.Pattern = OwnGather
	}
	w.Cut = !known
	w.Certain = known && lo >= 0 && hi+total <= int64(o.Size)
}

// aligned reports whether every step from the object to p is a multiple of n bytes.
func (x *Patterns) aligned(p *ssa.Value, n int) bool {
	for b := Base(p); p != b; p = p.Args[0] {
		if p.Op == ssa.OpPtrAdd && !x.Facts.Of(p.Args[1]).MultipleOf(n) {
			return false
		}
	}
	return true
}

// maxOffset bounds the summands of an offset, so that reduction modulo 2⁴⁰ does not change it.
const maxOffset = 1 << 39

// offsets returns the interval of an address's offsets from those of its terms; known is false if it is unbounded.
func offsets(a *Address, of func(o *ssa.Value) interval.Interval) (lo, hi int64, known bool) {
	lo, hi = a.Disp, a.Disp
	for _, o := range a.Terms {
		t := of(o)
		if !t.Bounded || t.Lo < -maxOffset || t.Hi > maxOffset {
			return 0, 0, false
		}
		lo += t.Lo
		hi += t.Hi
	}
	return lo, hi, lo > -maxOffset && hi < maxOffset
}

// Privates returns the private objects by alloca.
func (x *Patterns) Privates() map[*ssa.Value]*Private {
	if x.privates != nil {
		return x.privates
	}
	x.privates = map[*ssa.Value]*Private{}
	for v := range x.Values() {
		if v.Op == ssa.OpAlloca {
			x.privates[v] = &Private{Alloca: v, Size: int(v.Sym.(*ssa.Alloca).Size)}
		}
	}
	if len(x.privates) > 0 && x.Target.PrivateRows && !x.Alone {
		x.findElems()
	}
	return x.privates
}

// findElems computes Elem for the private objects.
func (x *Patterns) findElems() {
	other := map[*Private]bool{}
	each := func(f func(v *ssa.Value, i int, o *Private)) {
		for v := range x.Values() {
			for i, p := range v.Args {
				if p.Type.K.IsPtr() {
					if o := x.privates[Base(p)]; o != nil {
						f(v, i, o)
					}
				}
			}
		}
	}
	access := func(o *Private, k ssa.Kind) {
		if n := size(k); o.Elem == 0 {
			o.Elem = n
		} else if o.Elem != n {
			other[o] = true
		}
	}
	each(func(v *ssa.Value, i int, o *Private) {
		switch {
		case FromGeneric(v): // accesses through the result are unknown
			other[o] = true
		case v.Op == ssa.OpPtrAdd, v.Op == ssa.OpPtrCast, v.Op == ssa.OpMemZero:
		case v.Op == ssa.OpLoad:
			access(o, v.Type.K)
		case v.Op == ssa.OpStore && i == 0:
			access(o, v.Args[1].Type.K)
		default:
			other[o] = true
		}
	})
	each(func(v *ssa.Value, _ int, o *Private) {
		switch n := o.Elem; {
		case n == 0 || other[o]:
		case v.Op == ssa.OpPtrAdd && !x.Facts.Of(v.Args[1]).MultipleOf(n):
			other[o] = true
		case v.Op == ssa.OpMemZero:
			a := x.Address(v.Args[0], x.Large)
			if len(a.Terms) > 0 || a.Disp < 0 || a.Disp+v.Aux > int64(o.Size) || v.Aux%int64(n) != 0 {
				other[o] = true
			}
		}
	})
	for o := range other {
		o.Elem = 0
	}
	x.findWhole()
}

// findWhole finds the objects that are a vector. It is better to interleave vectors than elements if the vector is computed
// in memory order before a store, and none of its elements is extracted after a load.
func (x *Patterns) findWhole() {
	parts, order := map[*Private]bool{}, vectorOrder{x: x, seen: map[*ssa.Value]order{}}
	stored := map[*Private]bool{}
	at := func(p *ssa.Value) *Private { return x.privates[Base(p)] }
	for v := range x.Values() {
		t, access := v.AccessType()
		for i, a := range v.Args {
			if s := x.Source(a); v.Op == ssa.OpExtract && s.Op == ssa.OpLoad && at(s.Args[0]) != nil {
				parts[at(s.Args[0])] = true
			}
			if !a.Type.K.IsPtr() || at(a) == nil {
				continue
			}
			o := at(a)
			whole := access && i == 0 && a.Op == ssa.OpAlloca && t.N > 1 && t.N&(t.N-1) == 0 && t.K != ssa.Bool && t.Size() == o.Size
			parts[o] = parts[o] || !whole
			stored[o] = stored[o] || whole && v.Op == ssa.OpStore && order.of(v.Args[1]) == inOrder
		}
	}
	for _, o := range x.privates {
		if o.Elem > 0 && stored[o] && !parts[o] {
			o.Elem, o.Whole = o.Size, true
		}
	}
}

// A vectorOrder finds the vectors that probably have their elements in memory order: they are loaded, or computed from such
// vectors. Versions of code do not change the answer.
type vectorOrder struct {
	x    *Patterns
	seen map[*ssa.Value]order
}

// An order tells whether a vector has its elements in memory order.
type order uint8

const (
	anyOrder order = iota // constants, and values that depend on themselves only
	inOrder
	apart
)

func (o *vectorOrder) of(v *ssa.Value) order {
	v = o.x.Source(v)
	if r, ok := o.seen[v]; ok {
		return r
	}
	o.seen[v] = anyOrder
	r := anyOrder
	switch {
	case v.Type.N == 1:
		r = apart
	case v.Op == ssa.OpLoad:
		if o.x.privateOf(v.Args[0]) == nil {
			r = inOrder
		}
	case v.IsConst(), v.Op == ssa.OpSplat, !o.x.varies(v):
	case v.Op != ssa.OpPhi && !v.Op.Has(ssa.Elementwise):
		r = apart
	default:
		for _, a := range v.Args {
			r = max(r, o.of(a))
		}
	}
	o.seen[v] = r
	return r
}
