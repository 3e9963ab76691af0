package lanes

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Addresses: a pointer is a memory object plus, modulo 2⁴⁰, the sum of terms and a constant.

// MaxObject is the size, in bytes, from which objects are large. A narrow index that wraps is certainly out of
// bounds of a smaller object, and offsets in it fit into 32 bits.
const MaxObject = 1 << 30

// An Address is a pointer split into an object, terms and a constant.
type Address struct {
	Ptr *ssa.Value
	// Root is the object: a parameter, or the first address of a program variable in the function. It is nil if
	// the object is unknown or private, or if Disp is too large.
	Root  *ssa.Value
	Terms []*ssa.Value // integers, and pointers into Root that count with their offset
	Disp  int64
	// Even reports that the address is uniform or affine in the lane, with Stride bytes between lanes.
	Even   bool
	Stride int64
	// Guarded reports that the address is even if no term of Guards wraps within the gang. Guards are extended
	// from fewer bits; next to another term, a wrapped one might be in bounds.
	Guarded bool
	Guards  []*ssa.Value
	// Displaced reports that the guards must hold exactly: a wrapped one may be in bounds whatever its size.
	Displaced bool
	// Order is the permutation of the lanes in which the address is even or guarded.
	Order *Order
}

// Regular reports whether the lanes are equidistant once the guards are tested.
func (a *Address) Regular() bool { return a.Even || a.Guarded }

// Address splits a pointer. Large says that objects of [MaxObject] bytes and more are possible.
func (f *Facts) Address(p *ssa.Value, large bool) (a Address) {
	a = Address{Ptr: p, Root: f.Root(p), Even: true}
	varies := false
	add := func(o *ssa.Value) {
		// Replace a gang's own offset by the first gang's plus a constant.
		for f.Lanes > 0 && o.Op == ssa.OpAdd && size(o.Type.K) == 8 && o.Args[1].IsConst() && !f.AllLanes(o) && !f.Of(o).MayWrap {
			a.Disp += int64(o.Args[1].ConstElem(0))
			o = f.Source(o.Args[0])
		}
		a.Terms = append(a.Terms, o)
		if f.varies(o) {
			x := f.Of(o)
			a.Even = a.Even && x.Shape == Affine && (!varies || a.Order.Same(x.Order))
			if x.Shape == Affine {
				a.Stride += x.Stride
				a.Displaced = a.Displaced || x.Displaced
			}
			a.Order, varies = x.Order, true
		}
	}
walk:
	for {
		switch p.Op {
		case ssa.OpPtrAdd:
			if off := p.Args[1]; off.IsConst() {
				a.Disp += int64(off.ConstElem(0))
			} else {
				add(off)
			}
			p = p.Args[0]
		case ssa.OpPtrCast:
			if FromGeneric(p) {
				break walk
			}
			p = p.Args[0]
		case ssa.OpParam, ssa.OpGlobalAddr, ssa.OpAlloca:
			break walk
		default:
			if a.Root != nil {
				add(p)
			}
			break walk
		}
	}
	if len(a.Terms) > 1 || a.Displaced || large && f.Large(a.Root) {
		for _, o := range a.Terms {
			if f.Of(o).MayWrap {
				a.Guards = append(a.Guards, o)
			}
		}
		a.Guarded = a.Even && len(a.Guards) > 0
		a.Even = a.Even && len(a.Guards) == 0
	}
	if a.Disp > MaxDisp || a.Disp < -MaxDisp {
		a.Root = nil
	}
	if a.Order != nil {
		if !a.Regular() {
			a.Order = nil
		}
		a.Even, a.Guarded = false, false
	}
	return a
}

// varies reports whether v may differ between lanes.
func (f *Facts) varies(v *ssa.Value) bool { return int(v.ID) >= len(f.Varying) || f.Varying[v.ID] }

// Large reports whether a root may have MaxObject bytes or more.
func (f *Facts) Large(root *ssa.Value) bool {
	switch {
	case root == nil:
	case root.Op == ssa.OpParam:
		return root.Type.K != ssa.PtrLocal
	case root.Op == ssa.OpGlobalAddr:
		return root.Sym.(*ssa.Global).Size >= MaxObject
	}
	return false
}

// OfImage reports whether a root is the bytes of an image: package imagecode keeps the address that each executing lane computes
// inside of them.
func (f *Facts) OfImage(root *ssa.Value) bool {
	return root != nil && root.Op == ssa.OpParam && f.F.Kernel != nil && f.F.Kernel.Args[root.Aux].Pixels
}

// Holds reports whether n bytes from offset at are certainly inside the root. It is true only of variables in
// local memory, whose size is the same in every launch.
func Holds(root *ssa.Value, at int64, n int) bool {
	if root == nil || root.Op != ssa.OpGlobalAddr {
		return false
	}
	g := root.Sym.(*ssa.Global)
	return g.Kind == ssa.PtrLocal && at >= 0 && at+int64(n) <= g.Size
}

// MayDescend reports whether all lanes of descending offsets are in bounds if the first and the last are. An
// unsigned index that falls below 0 becomes large, hence out of bounds; but another term may bring the sum back
// into bounds.
func (f *Facts) MayDescend(a *Address) bool {
	if a.Displaced {
		return false
	}
	unsigned := func(v *ssa.Value) bool { return !v.Type.K.Num().Signed() }
	for _, o := range a.Terms {
		if f.Of(o).MayWrap && a.Disp > 0 || len(a.Terms) > 1 && slices.ContainsFunc(f.wrapping(o, nil, map[*ssa.Value]bool{}), unsigned) {
			return false
		}
	}
	return true
}

// FromGeneric reports whether v casts a generic pointer to a named address space. The result is null if the
// object is in another one.
func FromGeneric(v *ssa.Value) bool {
	return v.Op == ssa.OpPtrCast && v.Args[0].Type.K == ssa.PtrGeneric
}

// Base returns the pointer from which p was made by steps within an object.
func Base(p *ssa.Value) *ssa.Value {
	for p.Op == ssa.OpPtrAdd || p.Op == ssa.OpPtrCast && !FromGeneric(p) || p.Op == ssa.OpCopy {
		p = p.Args[0]
	}
	return p
}

// Root returns the object that p points into, also through phis and selects whose arguments all have the same
// root. It returns nil if the object is unknown or private.
func (f *Facts) Root(p *ssa.Value) *ssa.Value {
	r := f.rootOf(p)
	if r == open {
		return nil
	}
	return r
}

// open marks a value whose root is being computed, to detect cycles.
var open = &ssa.Value{}

func (f *Facts) rootOf(p *ssa.Value) (r *ssa.Value) {
	switch p.Op {
	case ssa.OpParam:
		return p
	case ssa.OpGlobalAddr:
		return f.firstAddr(p)
	case ssa.OpPtrAdd, ssa.OpPtrCast:
		if q := Base(p); q != p {
			return f.rootOf(q)
		}
		return nil
	case ssa.OpPhi, ssa.OpSelect:
	default:
		return nil
	}
	if r, ok := f.roots[p]; ok {
		return r
	}
	if f.roots == nil {
		f.roots = map[*ssa.Value]*ssa.Value{}
	}
	f.roots[p] = open
	args := p.Args
	if p.Op == ssa.OpSelect {
		args = args[1:]
	}
	r = open
	for _, a := range args {
		switch q := f.rootOf(a); {
		case q == open || q == r:
		case r == open:
			r = q
		default:
			r = nil
		}
		if r == nil {
			break
		}
	}
	delete(f.roots, p)
	if r != open { // in a cycle the outermost call stores the result
		f.roots[p] = r
	}
	return r
}

// firstAddr returns the first address of a variable in the function.
func (f *Facts) firstAddr(p *ssa.Value) *ssa.Value {
	if f.first == nil {
		f.first = map[*ssa.Global]*ssa.Value{}
		for v := range f.Values() {
			if g, ok := v.Sym.(*ssa.Global); ok && v.Op == ssa.OpGlobalAddr && f.first[g] == nil {
				f.first[g] = v
			}
		}
	}
	return f.first[p.Sym.(*ssa.Global)]
}

// NarrowIndex splits an offset into scale · (x + d), where x is an integer of at most 32 bits and scale a power
// of two. A sum that wraps is out of bounds.
func (f *Facts) NarrowIndex(a *Address) (x *ssa.Value, scale int, d int64, ok bool) {
	if len(a.Terms) != 1 || a.Terms[0].Type.K.IsPtr() {
		return nil, 0, 0, false
	}
	o := a.Terms[0]
	for scale = 1; ; o = o.Args[0] {
		if by, ok := Factor(o); ok {
			if by <= 0 || by > 1<<10 || by&(by-1) != 0 || scale > 1<<10 {
				return nil, 0, 0, false
			}
			scale *= int(by)
		} else if o.Op != ssa.OpCopy && (o.Op != ssa.OpBitcast || o.Args[0].Type.N != 1 || !o.Args[0].Type.K.Num().IsInt() || size(o.Args[0].Type.K) != 8) {
			break
		}
	}
	sat, _ := ssa.ConvParts(o.Aux)
	if o.Op != ssa.OpConvert || sat || a.Disp%int64(scale) != 0 {
		return nil, 0, 0, false
	}
	x, d = o.Args[0], a.Disp/int64(scale)
	k := x.Type.K.Num()
	if !k.IsInt() || k.Size() > 4 {
		return nil, 0, 0, false
	}
	if d > 0 && !k.Signed() && !f.Of(x).Within(0, 1<<31) {
		return nil, 0, 0, false
	}
	return x, scale, d, true
}
