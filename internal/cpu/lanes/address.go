package lanes

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// Addresses: a pointer is a memory object and, modulo 2⁴⁰, the sum of terms and a constant.

// MaxObject is the size from which on objects are large. Narrow indices that wrap are out of
// bounds of smaller ones for certain, and offsets in them fit into 32 bits.
const MaxObject = 1 << 30

// An Address is a pointer taken apart.
type Address struct {
	Ptr *ssa.Value
	// Root is the object: a parameter, or the first address of a program variable in the
	// function. It is nil where the object is not known or private, or Disp too large.
	Root  *ssa.Value
	Terms []*ssa.Value // integers, and pointers into Root of which the offset counts
	Disp  int64
	// Even says that the address is uniform or affine in the lane, with Stride bytes between lanes.
	Even   bool
	Stride int64
	// Guarded says that the address is even if none of Guards, terms that were extended from
	// fewer bits, has wrapped within the gang: beside another term it might be in bounds.
	Guarded bool
	Guards  []*ssa.Value
	// Order is that of lanes that would be even or guarded in their own.
	Order *Order
}

// Regular reports whether lanes are at equal distances once guards are tested.
func (a *Address) Regular() bool { return a.Even || a.Guarded }

// Address takes a pointer apart. Large says that objects of [MaxObject] bytes and more are
// possible.
func (f *Facts) Address(p *ssa.Value, large bool) (a Address) {
	a = Address{Ptr: p, Root: f.Root(p), Even: true}
	varies := false
	add := func(o *ssa.Value) {
		// A gang's offset as that of the first gang and a constant.
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
	if len(a.Terms) > 1 || large && f.Large(a.Root) {
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

// varies reports whether lanes may differ in v, as far as is known.
func (f *Facts) varies(v *ssa.Value) bool { return int(v.ID) >= len(f.Varying) || f.Varying[v.ID] }

// Large reports whether a root may be of MaxObject bytes and more.
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

// FixedFirst returns the first lane's offset in the root where it is a known constant.
func (f *Facts) FixedFirst(a *Address) (at int64, ok bool) {
	at = a.Disp
	for _, o := range a.Terms {
		o = f.Source(o)
		if !f.AllLanes(o) {
			return 0, false
		}
		at += f.Of(o).First
	}
	return at, at <= MaxDisp && at >= -MaxDisp
}

// Holds reports whether n bytes from an offset on are certainly in the root: in a variable in
// local memory, which has its size in every launch.
func Holds(root *ssa.Value, at int64, n int) bool {
	if root == nil || root.Op != ssa.OpGlobalAddr {
		return false
	}
	g := root.Sym.(*ssa.Global)
	return g.Kind == ssa.PtrLocal && at >= 0 && at+int64(n) <= g.Size
}

// MayDescend reports whether lanes whose offsets descend are all in bounds where the first and
// the last are. An unsigned index that falls below 0 becomes large: it must be out of bounds
// then, which it need not seem to be if another term is added.
func (f *Facts) MayDescend(a *Address) bool {
	for _, o := range a.Terms {
		if f.Of(o).MayWrap && a.Disp > 0 || len(a.Terms) > 1 && f.growsBelow(o, map[*ssa.Value]bool{}) {
			return false
		}
	}
	return true
}

// growsBelow reports whether v becomes large where an unsigned number that it was extended
// from falls below 0.
func (f *Facts) growsBelow(v *ssa.Value, seen map[*ssa.Value]bool) bool {
	v = f.Source(v)
	if !f.Of(v).MayWrap || seen[v] {
		return false
	}
	seen[v] = true
	if v.Op == ssa.OpConvert && size(v.Type.K) > size(v.Args[0].Type.K) && !v.Args[0].Type.K.Num().Signed() {
		return true
	}
	return slices.ContainsFunc(v.Args, func(a *ssa.Value) bool { return f.growsBelow(a, seen) })
}

// FromGeneric reports whether v casts a generic pointer to a named address space: null
// where the object is in another one.
func FromGeneric(v *ssa.Value) bool {
	return v.Op == ssa.OpPtrCast && v.Args[0].Type.K == ssa.PtrGeneric
}

// Base returns what a pointer was made from by steps within an object.
func Base(p *ssa.Value) *ssa.Value {
	for p.Op == ssa.OpPtrAdd || p.Op == ssa.OpPtrCast && !FromGeneric(p) || p.Op == ssa.OpCopy {
		p = p.Args[0]
	}
	return p
}

// Root returns the object that p points into, or nil where it is not known or private:
// through phis and selects, if all ways come from one object.
func (f *Facts) Root(p *ssa.Value) *ssa.Value {
	r := f.rootOf(p)
	if r == open {
		return nil
	}
	return r
}

// open is the root of a value in a cycle that is being asked for.
var open = &ssa.Value{}

func (f *Facts) rootOf(p *ssa.Value) (r *ssa.Value) {
	switch p.Op {
	case ssa.OpParam:
		return p
	case ssa.OpGlobalAddr:
		return f.firstAddr(p)
	case ssa.OpPtrAdd, ssa.OpPtrCast:
		for p.Op == ssa.OpPtrAdd || p.Op == ssa.OpPtrCast && !FromGeneric(p) {
			p = p.Args[0]
		}
		if p.Op == ssa.OpPtrCast {
			return nil
		}
		return f.rootOf(p)
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
	if r != open { // else it is of a cycle: whoever asked first will know
		f.roots[p] = r
	}
	return r
}

// firstAddr returns the first address of a variable in the function.
func (f *Facts) firstAddr(p *ssa.Value) *ssa.Value {
	if f.first == nil {
		f.first = map[*ssa.Global]*ssa.Value{}
		for _, b := range f.Order {
			for _, v := range b.Values {
				if g, ok := v.Sym.(*ssa.Global); ok && v.Op == ssa.OpGlobalAddr && f.first[g] == nil {
					f.first[g] = v
				}
			}
		}
	}
	return f.first[p.Sym.(*ssa.Global)]
}

// NarrowIndex takes an offset apart into scale times the sum of a constant and an integer x of at
// most 32 bits, where a sum that wraps is out of bounds: scale is a power of two.
func (f *Facts) NarrowIndex(a *Address) (x *ssa.Value, scale int, d int64, ok bool) {
	if len(a.Terms) != 1 || a.Terms[0].Type.K.IsPtr() {
		return nil, 0, 0, false
	}
	o := a.Terms[0]
	scale = 1
	for {
		switch {
		case (o.Op == ssa.OpMul || o.Op == ssa.OpShl) && o.Args[1].IsConst():
			by := o.Args[1].ConstElem(0)
			if o.Op == ssa.OpShl {
				by = 1 << (by & 63)
			}
			if by == 0 || by > 1<<10 || by&(by-1) != 0 || scale > 1<<10 {
				return nil, 0, 0, false
			}
			scale *= int(by)
			o = o.Args[0]
			continue
		case o.Op == ssa.OpCopy, o.Op == ssa.OpBitcast && o.Args[0].Type.N == 1 && o.Args[0].Type.K.Num().IsInt() && size(o.Args[0].Type.K) == 8:
			o = o.Args[0]
			continue
		}
		break
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
