package lanes

import (
	"github.com/purecl/purecl/internal/cpu/target"
	"github.com/purecl/purecl/internal/ir/interval"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// The pattern in which the lanes of a gang access memory together, and the bytes that they span. The decision
// is common to all machines; the [target.Target] describes a machine's native patterns.

// A Pattern classifies how the lanes of a gang access memory together.
type Pattern uint8

// The patterns.
const (
	Pointers   Pattern = iota // each lane's pointer: the object is unknown, or the access is certainly out of its bounds
	Broadcast                 // one address for all lanes, and one value for a store
	Contiguous                // side by side
	Reversed                  // side by side, the last lane first
	Permuted                  // side by side in an Order of the lanes, which may count down
	Strided                   // at equal distances
	Records                   // at equal distances; whole structures are loaded into registers
	Fields                    // a store to part of a structure that is wholly in bounds: a whole vector is stored as the structure
	Rows                      // several elements side by side in each lane, at any addresses; they are transposed
	Lookup                    // elements of a table in constant memory that is kept in registers
	Gather                    // anywhere in one object; a store writes lanes in order
	Runs                      // as Gather, but code tests for runs with gaps (runs.go)
	Pieces                    // several lanes side by side in each piece, the pieces anywhere in one object (pieces.go)
	Window                    // at constant distances from the first lane, all of them near it or at two addresses (window.go)
	Spread                    // clusters of lanes at constant distances from each other, in few vectors (spread.go)
	Joined                    // lanes choose between several addresses; each address is uniform or contiguous (joined.go)
	Own                       // one offset for all lanes, in each lane's copy of a private object
	OwnGather                 // any offset in each lane's copy
)

// An Access describes a memory access: its address, its pattern, and the bytes that it spans.
type Access struct {
	Address
	Pattern Pattern
	Type    ssa.Type // of one lane's access
	Write   bool
	// Low and Bytes locate the bytes that a regular pattern spans: Bytes bytes from Low after the address of
	// the first lane (in an Order: of place 0).
	Low, Bytes int64
	// Element and Apart are for Strided, Records and Fields: the index of a lane's first element after Low, and
	// the distance of lanes in elements.
	Element, Apart int
	// Index and Entries are for Lookup: the table's index and its number of entries.
	Index   *ssa.Value
	Entries int
	// Piece is for Pieces: the number of lanes in each piece.
	Piece int
	// Private is the private object accessed, if any. Certain says that all lanes are in bounds. Cut says that
	// offsets may have to be truncated to 40 bits before they are compared with bounds.
	Private      *Private
	Certain, Cut bool
	// Together says that the pattern of a store, Contiguous or Joined, is only for gangs all of whose lanes store: the machine has no
	// masked store of the size.
	Together bool
}

// Patterns chooses the patterns of one kernel's accesses in gangs of one length.
type Patterns struct {
	*Facts
	Target *target.Target
	Gang   int  // lanes
	Large  bool // objects of [MaxObject] bytes and more are possible
	Alone  bool // a gang is one work-item
	// Scalar reports whether the machine can compute the value at place 0 of an affine value in an Order; nil:
	// always.
	Scalar func(v *ssa.Value) bool

	privates  map[*ssa.Value]*Private
	intervals map[placed]interval.Interval // see intervalIn
	tests
}

// ArrayStride returns the distance in bytes of array elements of a type: a vector of 3 has the size of 4
// elements.
func ArrayStride(t ssa.Type) int {
	if t.N == 3 {
		return 4 * size(t.K)
	}
	return t.Size()
}

// Access returns the pattern of a load, a store or an atomic operation. masked says that some lanes of the gang may
// not execute it.
func (x *Patterns) Access(v *ssa.Value, masked bool) (w Access) {
	w.Address = x.Address(v.Args[0], x.Large)
	w.Type, w.Write = v.Type, v.Op != ssa.OpLoad && v.Op != ssa.OpAtomicLoad
	if v.Op == ssa.OpStore || v.Op == ssa.OpAtomicStore {
		w.Type = v.Args[1].Type
	}
	switch w.Private = x.privateOf(v.Args[0]); {
	case v.Op == ssa.OpMemCopy, v.Op == ssa.OpMemZero:
	case w.Private != nil && (v.Op == ssa.OpLoad || v.Op == ssa.OpStore):
		x.private(&w, v.Args[0])
	case w.Root == nil:
	case v.Op == ssa.OpLoad:
		x.load(&w, v, masked)
	case v.Op == ssa.OpStore:
		x.store(&w, v, masked)
	default:
		x.atomic(&w)
	}
	if w.Pattern == Gather || w.Pattern == Joined || x.exact(&w) {
		w.Certain = x.holdsAll(&w, v.Block)
	} else if w.Bytes > 0 && w.Private == nil {
		w.Certain = x.holdsFrom(&w, v.Block)
	}
	return w
}

// holdsAll reports whether the intervals of the lanes' offsets in block b are inside a variable in local memory. Elements that a machine
// may take out of aligned words must also lie within these, as OpInside of package gang has it.
func (x *Patterns) holdsAll(w *Access, b *ssa.Block) bool {
	if w.Root == nil || w.Root.Op != ssa.OpGlobalAddr {
		return false
	}
	g := w.Root.Sym.(*ssa.Global)
	if g.Kind != ssa.PtrLocal || !w.Write && w.Type.Size()%4 == 2 && (g.Align%2 != 0 || !x.aligned(w.Ptr, 2)) {
		return false
	}
	lo, hi, known := offsets(&w.Address, func(o *ssa.Value) interval.Interval { return x.intervalIn(o, b, false, maxStepDepth) })
	return known && Holds(w.Root, lo, int(hi-lo)+w.Type.Size())
}

// holdsFrom reports whether the bytes of an access with a regular pattern are inside a variable in local memory, as follows from the
// interval of the first lane's offset in block b.
func (x *Patterns) holdsFrom(w *Access, b *ssa.Block) bool {
	if !w.Regular() || w.Order != nil || !Holds(w.Root, 0, 0) {
		return false
	}
	first := func(o *ssa.Value) interval.Interval { return x.intervalIn(o, b, true, maxStepDepth) }
	for _, o := range w.Terms {
		for _, v := range x.wrapping(o, nil, map[*ssa.Value]bool{}) {
			r, far := first(v), x.Of(v).Stride*int64(x.Gang-1)
			if !r.Bounded || !interval.Of(r.Lo+min(far, 0), r.Hi+max(far, 0)).FitsIn(v.Type.K) {
				return false
			}
		}
	}
	lo, hi, known := offsets(&w.Address, first)
	return known && Holds(w.Root, lo+w.Low, int(hi-lo+w.Bytes))
}

// set sets the pattern and the bytes that all lanes span.
func (w *Access) set(p Pattern, low, bytes int64) {
	w.Pattern, w.Low, w.Bytes = p, low, bytes
}

// uniform reports whether all lanes have one address.
func (a *Address) uniform() bool { return a.Even && a.Stride == 0 }

func (x *Patterns) atomic(w *Access) {
	size := int64(w.Type.Size())
	switch {
	case w.uniform():
		w.set(Broadcast, 0, size)
	case w.Even && w.Stride == size:
		w.set(Contiguous, 0, size*int64(x.Gang))
	default:
		w.Pattern = Gather
	}
}

func (x *Patterns) load(w *Access, v *ssa.Value, masked bool) {
	switch {
	case w.uniform():
		w.set(Broadcast, 0, int64(v.Type.Size()))
	case !x.varies(v):
		// one lane's access serves all
	case x.regions(w), x.records(w), x.contiguous(w), x.permuted(w):
	case w.Type.N > 1 && x.pieces(w, masked):
	case !masked && x.IsRow(v, &w.Address):
		w.Pattern = Rows
	case x.lookup(w, v), x.strided(w), x.onePermutation(w), x.pieces(w, masked), x.spread(w, masked), x.window(w), x.runs(w, masked), x.joined(w):
	default:
		w.Pattern = Gather
	}
}

func (x *Patterns) store(w *Access, v *ssa.Value, masked bool) {
	single := w.Type.N == 1 && x.Target.Masks.Has(size(w.Type.K))
	whole := !masked || x.Target.LaneByLane
	switch {
	case v.Flags&ssa.InBounds != 0 && !masked && x.fields(w, v.Args[1]):
	case w.uniform() && !x.varies(v.Args[1]):
		w.set(Broadcast, 0, int64(w.Type.Size()))
	case w.uniform(): // the last lane's value remains
		w.Pattern = Gather
	case whole && x.records(w):
	case (whole || single) && (x.contiguous(w) || (whole || w.Order != nil) && x.permuted(w)):
	case x.strided(w), x.pieces(w, masked), x.spread(w, masked), x.runs(w, masked), x.joinedStore(w), x.together(w):
	default:
		w.Pattern = Gather
	}
}

// together selects Contiguous for a masked store of a size without masked stores.
func (x *Patterns) together(w *Access) bool {
	w.Together = !x.Target.LaneByLane && w.Type.N == 1 && x.contiguous(w)
	return w.Together
}

// beside reports whether lanes are side by side, in either direction and perhaps permuted.
func (x *Patterns) beside(w *Access) bool {
	s := int64(ArrayStride(w.Type))
	return w.Type.N != 3 && (w.Stride == s || w.Stride == -s && x.MayDescend(&w.Address)) && (w.Order != nil || w.Regular())
}

// far returns the distance from the first to the last lane, in bytes.
func (x *Patterns) far(w *Access) int64 { return w.Stride * int64(x.Gang-1) }

// regions selects Strided for a load whose lanes are few elements apart: the whole span is loaded, and the
// lanes' elements are extracted from it.
func (x *Patterns) regions(w *Access) bool {
	k, first, ok := w.structure()
	es, t := size(w.Type.K), x.Target
	if !ok || k > t.RegionElements || k == 3 && !t.Collects.Has(es) || max(1, es*x.Gang/t.VectorBytes)*k > t.RegionRegs {
		return false
	}
	w.set(Strided, 0, w.Stride*int64(x.Gang))
	if w.Apart = k; first >= 0 {
		w.Element, w.Low = first, -int64(first*es)
	}
	return true
}

// triples reports whether the lanes access 3 elements each without gaps.
func (w *Access) triples() bool { return w.Type.N == 3 && w.Stride == 3*int64(size(w.Type.K)) }

// structure describes an access to a member of structures, one for each lane, to which the terms of the address point. k is
// the number of elements of a structure. first is the number of the member's first element, or -1 if the member reaches into
// the next structure. ok is false if the lanes' elements follow each other without a gap, or overlap.
func (w *Access) structure() (k, first int, ok bool) {
	es, n := size(w.Type.K), int(w.Type.N)
	if w.Type.K == ssa.Bool || !w.Regular() || w.Stride <= int64(es*n) && !w.triples() || w.Stride%int64(es) != 0 {
		return 0, 0, false
	}
	d := int(((w.Disp % w.Stride) + w.Stride) % w.Stride)
	if k, first = int(w.Stride)/es, d/es; d%es != 0 || first+n > k {
		first = -1
	}
	return k, first, true
}

// records selects Records if each lane accesses a part of a structure. A load reads whole structures; a store
// writes under a mask.
func (x *Patterns) records(w *Access) bool {
	k, first, ok := w.structure()
	es, n, t := size(w.Type.K), int(w.Type.N), x.Target
	if !ok || first < 0 || w.triples() || !t.Records.Has(es) || x.Gang*es < t.VectorBytes || k > t.VectorBytes/es {
		return false
	}
	// The element is at the same place in k & -k registers. A machine that permutes one register at a time moves these one by one.
	if k&-k > 2 && !t.TwoSources.Has(es) {
		return false
	}
	if w.Write {
		// The registers' offsets within a structure repeat after this many registers.
		masks := k / min(t.VectorBytes/es, k&-k) // registers have a power of two of elements
		if n > 4 || masks > t.RecordMasks {
			return false
		}
		w.set(Records, 0, x.far(w)+int64(n*es))
	} else {
		w.set(Records, -int64(first*es), w.Stride*int64(x.Gang))
		w.Element = first
	}
	w.Apart = k
	return true
}

// fields selects Fields for a store of neighbouring elements of vectors that have the layout of the structures. A
// shuffle in another order is a value of its own.
func (x *Patterns) fields(w *Access, val *ssa.Value) bool {
	val = x.Source(val)
	if val.Op != ssa.OpExtract && val.Op != ssa.OpShuffle || !w.Regular() {
		return false
	}
	es, k := size(w.Type.K), int(val.Args[0].Type.N)
	from := int(val.Aux)
	if val.Op == ssa.OpShuffle {
		from = int(val.Lanes[0])
		for i, e := range val.Lanes {
			if int(e) != from+i || int(e) >= k {
				return false
			}
		}
	}
	if w.Stride != int64(k*es) {
		return false
	}
	w.set(Fields, -int64(from*es), w.Stride*int64(x.Gang))
	w.Element, w.Apart = from, k
	return true
}

// contiguous selects Contiguous if the lanes are side by side: vectors of 3 elements in a load as those of 4, in a store without gaps.
func (x *Patterns) contiguous(w *Access) bool {
	s, t := int64(ArrayStride(w.Type)), x.Target
	if w.Write {
		s = int64(w.Type.Size())
	}
	if !w.Regular() || w.Stride != s || w.Type.N == 3 && (t.LaneByLane || w.Write && !t.Collects.Has(size(w.Type.K))) {
		return false
	}
	w.set(Contiguous, 0, s*int64(x.Gang))
	return true
}

// permuted selects Permuted if the lanes are side by side in an Order, and Reversed if they are so without one, last first.
func (x *Patterns) permuted(w *Access) bool {
	if !x.beside(w) || w.Type.K == ssa.Bool && !x.Target.LaneByLane {
		return false
	}
	low := min(0, x.far(w))
	if w.Order == nil {
		if native := x.Target.LaneByLane || w.Type.N == 1 && x.Target.Permutes.Has(size(w.Type.K)); !native || w.Stride >= 0 {
			return false
		}
		w.set(Reversed, low, int64(x.Gang*w.Type.Size()))
		return true
	}
	if w.Disp+low < -MaxDisp {
		return false
	}
	for _, o := range w.Terms {
		if x.Scalar != nil && !x.Scalar(o) {
			return false
		}
	}
	w.set(Permuted, low, int64(x.Gang*w.Type.Size()))
	return true
}

// maxSpan bounds the distance in bytes from the first to the last lane of a strided access.
const maxSpan = 1 << 26

// strided selects Strided for equidistant lanes, accessed one by one without a vector of offsets.
func (x *Patterns) strided(w *Access) bool {
	far := x.far(w)
	if !x.Target.LaneByLane || !w.Regular() || w.Stride == 0 || w.Stride < 0 && !x.MayDescend(&w.Address) || far > maxSpan || far < -maxSpan {
		return false
	}
	w.set(Strided, min(0, far), max(far, -far)+int64(w.Type.Size()))
	return true
}

// IsRow reports whether v is a load of rows: each lane reads, at its own address in one known object, pieces of
// the size that the target transposes.
func (x *Patterns) IsRow(v *ssa.Value, a *Address) bool {
	t, piece := v.Type, x.Target.RowPiece
	if v.Op != ssa.OpLoad || piece == 0 || t.N == 1 || t.Size()%piece != 0 || t.K == ssa.Bool || !x.varies(v) || a.Root == nil || a.Order != nil || x.MayBeLarge(a.Root) {
		return false
	}
	near := maxNear * int64(t.Size())
	if size(t.K) < 4 { // such structures have no other pattern
		near = int64(t.Size())
	}
	return !a.Regular() || a.Stride > near || a.Stride < 0
}

// MayBeLarge reports whether a root may have [MaxObject] bytes or more.
func (x *Patterns) MayBeLarge(root *ssa.Value) bool { return x.Large && x.Facts.Large(root) }

// lookup selects Lookup for a load from a table in constant memory, which no kernel can change, by an index
// whose interval is small. The table must fit into two registers, or four if its elements are bytes.
func (x *Patterns) lookup(w *Access, v *ssa.Value) bool {
	es := size(v.Type.K)
	most := 2 * x.Target.VectorBytes / es
	if es == 1 {
		most *= 2
	}
	if !x.Target.Tables.Has(es) || v.Type.N != 1 || v.Type.K == ssa.Bool || v.Args[0].Type.K != ssa.PtrConstant || v.Flags&ssa.Volatile != 0 || w.Disp < 0 {
		return false
	}
	i, s, _, ok := x.NarrowIndex(&w.Address)
	if !ok || s != es || !x.Facts.Of(i).Within(0, int64(most)-1) {
		return false
	}
	w.Pattern, w.Index, w.Entries = Lookup, i, int(x.Facts.Of(i).Hi)+1
	return true
}
