package lanes

import "github.com/purecl/purecl/internal/ir/ssa"

// The way of an access: in which pattern the lanes of a gang reach memory together, and which bytes
// they span. It is decided here for every machine: what a machine has instructions for is in its
// [Target].

// A Pattern is how the lanes of a gang access memory together.
type Pattern uint8

// The patterns.
const (
	Pointers   Pattern = iota // by each lane's pointer: the object is not known, or what is accessed is certainly not in it
	Broadcast                 // one address for all lanes, and one value of a store
	Contiguous                // side by side
	Reversed                  // side by side, the last lane first
	Permuted                  // side by side in an Order of the lanes, which may count from the last place
	Strided                   // at equal distances
	Records                   // at equal distances, which registers of the machine hold
	Fields                    // of a store in a part that is known to be in bounds: as Records, of vectors of all elements of the structures
	Rows                      // each several elements side by side, anywhere, which are transposed
	Lookup                    // elements of a table of constant memory that registers hold
	Gather                    // anywhere in one object; of a store, lanes write in order
	Runs                      // the same, perhaps in runs with gaps (runs.go), which a test finds out
	Pieces                    // each several lanes side by side, the pieces anywhere in one object (pieces.go)
	Own                       // one offset for all lanes, in each lane's copy of a private object
	OwnGather                 // any offset in each lane's copy
)

// String returns the pattern's name.
func (p Pattern) String() string {
	return [...]string{"pointers", "broadcast", "contiguous", "reversed", "permuted", "strided", "records", "fields", "rows", "lookup", "gather", "runs", "pieces", "own", "owngather"}[p]
}

// A Way is how an access is made where its bounds hold.
type Way struct {
	Address
	Pattern Pattern
	Type    ssa.Type // of what a lane accesses
	Write   bool
	// Low and Bytes are what the lanes of a regular pattern span: Bytes from Low behind the first lane's
	// address (in an Order: that of place 0) on.
	Low, Bytes int64
	// Element and Apart are of Strided, Records and Fields: the number of a lane's first element from Low
	// on, and how many elements lie from lane to lane.
	Element, Apart int
	// Index and Entries are of Lookup: what counts the table's elements, and how many there are.
	Index   *ssa.Value
	Entries int
	// Piece is of Pieces: how many lanes each lie side by side. Places are the offsets of the pieces where they are
	// known and in bounds, else nil.
	Piece  int
	Places []int64
	// Private is the private object that the address leads into. Certain says that all lanes are in bounds, Cut
	// that offsets in it may have to be cut to 40 bits before they are compared with bounds.
	Private      *Private
	Certain, Cut bool
}

// Ways decides the ways of the accesses of one kernel in gangs of one length.
type Ways struct {
	*Facts
	Target *Target
	Gang   int  // lanes
	Large  bool // objects of [MaxObject] bytes and more are possible
	// Scalar reports whether the machine can compute what an affine value in an Order is at place 0;
	// nil: it always can.
	Scalar func(v *ssa.Value) bool

	privates map[*ssa.Value]*Private
	tests
}

// ArrayStride returns the bytes from one of several values in memory to the next: a vector of 3 takes the
// place of 4.
func ArrayStride(t ssa.Type) int {
	if t.N == 3 {
		return 4 * size(t.K)
	}
	return t.Size()
}

// Way decides the way of a load, a store or an atomic operation. Masked says that not all lanes of the
// gang may execute it.
func (x *Ways) Way(v *ssa.Value, masked bool) (w Way) {
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
	return w
}

// set makes p the pattern of lanes that together span bytes from low on.
func (w *Way) set(p Pattern, low, bytes int64) {
	w.Pattern, w.Low, w.Bytes = p, low, bytes
}

// uniform reports whether there is one address for all lanes.
func (a *Address) uniform() bool { return a.Even && a.Stride == 0 }

func (x *Ways) atomic(w *Way) {
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

func (x *Ways) load(w *Way, v *ssa.Value, masked bool) {
	switch {
	case w.uniform():
		w.set(Broadcast, 0, int64(v.Type.Size()))
	case !x.varies(v):
		// The first lane's access stands for all.
	case x.reversed(w), x.regions(w), x.records(w), x.contiguous(w), x.permuted(w):
	case w.Type.N > 1 && x.pieces(w, masked):
	case !masked && x.IsRow(v, &w.Address):
		w.Pattern = Rows
	case x.lookup(w, v), x.strided(w), x.pieces(w, masked), x.runs(w, masked):
	default:
		w.Pattern = Gather
	}
}

func (x *Ways) store(w *Way, v *ssa.Value, masked bool) {
	single := w.Type.N == 1 && x.Target.Masks.Has(size(w.Type.K))
	whole := !masked || x.Target.LaneByLane
	switch {
	case v.Flags&ssa.InBounds != 0 && !masked && x.fields(w, v.Args[1]):
	case w.uniform() && !x.varies(v.Args[1]):
		w.set(Broadcast, 0, int64(w.Type.Size()))
	case w.uniform(): // the last lane's stays
		w.Pattern = Gather
	case whole && (x.reversed(w) || x.packed(w) || x.records(w)):
	case (whole || single) && (w.Type.N != 3 || x.Target.LaneByLane) && (x.contiguous(w) || x.permuted(w)):
	case x.strided(w), x.pieces(w, masked), x.runs(w, masked):
	default:
		w.Pattern = Gather
	}
}

// beside reports whether lanes lie side by side, in either direction and perhaps in an Order.
func (x *Ways) beside(w *Way) bool {
	s := int64(ArrayStride(w.Type))
	return w.Type.N != 3 && (w.Stride == s || w.Stride == -s && x.MayDescend(&w.Address)) && (w.Order != nil || w.Regular())
}

// far is how far the last lane is from the first.
func (x *Ways) far(w *Way) int64 { return w.Stride * int64(x.Gang-1) }

// reversed makes w the way of lanes side by side, the last first.
func (x *Ways) reversed(w *Way) bool {
	native := x.Target.LaneByLane || w.Type.N == 1 && w.Type.K != ssa.Bool && x.Target.Permutes.Has(size(w.Type.K))
	if !native || w.Order != nil || w.Stride >= 0 || !x.beside(w) {
		return false
	}
	w.set(Reversed, x.far(w), int64(x.Gang*w.Type.Size()))
	return true
}

// regions makes w the way of a load by lanes few elements apart: what all lanes together span is loaded whole, and
// what belongs to them is picked out of it.
func (x *Ways) regions(w *Way) bool {
	es, n := size(w.Type.K), int(w.Type.N)
	if w.Type.K == ssa.Bool || !w.Regular() || w.Stride <= int64(es*n) && !w.triples() || w.Stride%int64(es) != 0 {
		return false
	}
	k := w.Stride / int64(es)
	t := x.Target
	if k > int64(t.RegionElements) || k == 3 && !t.Triples.Has(es) || max(1, es*x.Gang/t.VectorBytes)*int(k) > t.RegionRegs {
		return false
	}
	w.set(Strided, 0, w.Stride*int64(x.Gang))
	w.Apart = int(k)
	if d := w.within(); d%es == 0 && d/es+n <= w.Apart {
		w.Element, w.Low = d/es, -int64(d)
	}
	return true
}

// triples reports whether lanes access 3 elements each with no gap between them.
func (w *Way) triples() bool { return w.Type.N == 3 && w.Stride == 3*int64(size(w.Type.K)) }

// within returns how far behind the beginning of a structure of Stride bytes the address is, if one begins
// where the terms lead to.
func (w *Way) within() int { return int(((w.Disp % w.Stride) + w.Stride) % w.Stride) }

// packed makes w the way of a store by lanes of 3 elements with no gap between them.
func (x *Ways) packed(w *Way) bool {
	if !w.triples() || !w.Regular() || !x.Target.Triples.Has(size(w.Type.K)) {
		return false
	}
	w.set(Contiguous, 0, int64(x.Gang*w.Type.Size()))
	return true
}

// records makes w the way of lanes that each access a part of a structure: of a load the structures are loaded
// whole, a store writes between what it leaves as it is.
func (x *Ways) records(w *Way) bool {
	es, n, t := size(w.Type.K), int(w.Type.N), x.Target
	if w.Type.K == ssa.Bool || !t.Records.Has(es) || !w.Regular() || w.Stride <= int64(es*n) || w.Stride%int64(es) != 0 {
		return false
	}
	k := w.Stride / int64(es)
	if x.Gang*es < t.VectorBytes || k > int64(t.VectorBytes/es) {
		return false
	}
	d := w.within()
	if d%es != 0 || d/es+n > int(k) {
		return false
	}
	if w.Write {
		// Registers begin at different places of a structure until they begin at its beginning again.
		masks := int(k) / gcd(int(k), t.VectorBytes/es)
		if n > 4 || masks > t.RecordMasks {
			return false
		}
		w.set(Records, 0, x.far(w)+int64(n*es))
	} else {
		w.set(Records, -int64(d), w.Stride*int64(x.Gang))
		w.Element = d / es
	}
	w.Apart = int(k)
	return true
}

// fields makes w the way of a store of some neighbouring elements of vectors, which stand in memory as structures.
func (x *Ways) fields(w *Way, val *ssa.Value) bool {
	val = x.Source(val)
	if val.Op != ssa.OpExtract && val.Op != ssa.OpShuffle || !w.Regular() {
		return false
	}
	es, k := size(w.Type.K), int(val.Args[0].Type.N)
	from := int(val.Aux)
	if val.Op == ssa.OpShuffle {
		from = int(val.Lanes[0])
	}
	if w.Stride != int64(k*es) {
		return false
	}
	w.set(Fields, -int64(from*es), w.Stride*int64(x.Gang))
	w.Element, w.Apart = from, k
	return true
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// contiguous makes w the way of lanes side by side.
func (x *Ways) contiguous(w *Way) bool {
	s := int64(ArrayStride(w.Type))
	if !w.Regular() || w.Stride != s || w.Type.N == 3 && x.Target.LaneByLane {
		return false
	}
	w.set(Contiguous, 0, s*int64(x.Gang))
	return true
}

// permuted makes w the way of lanes side by side in an Order.
func (x *Ways) permuted(w *Way) bool {
	if w.Order == nil || !x.beside(w) || w.Type.K == ssa.Bool && !x.Target.LaneByLane {
		return false
	}
	low := min(0, x.far(w))
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

// maxSpan bounds the bytes from the first lane's element to the last one's of a strided access.
const maxSpan = 1 << 26

// strided makes w the way of lanes at equal distances that are accessed one by one, without
// vectors of offsets.
func (x *Ways) strided(w *Way) bool {
	far := x.far(w)
	if !x.Target.LaneByLane || !w.Regular() || w.Stride == 0 || w.Stride < 0 && !x.MayDescend(&w.Address) || far > maxSpan || far < -maxSpan {
		return false
	}
	w.set(Strided, min(0, far), max(far, -far)+int64(w.Type.Size()))
	return true
}

// IsRow reports whether v is a load whose lanes read pieces of so many bytes as the target transposes at
// addresses of their own in one known object.
func (x *Ways) IsRow(v *ssa.Value, a *Address) bool {
	t, piece := v.Type, x.Target.RowPiece
	if v.Op != ssa.OpLoad || piece == 0 || t.N == 1 || t.Size()%piece != 0 || t.K == ssa.Bool || !x.varies(v) || a.Root == nil || a.Order != nil || x.MayBeLarge(a.Root) {
		return false
	}
	return !a.Regular() || a.Stride > maxNear*int64(t.Size()) || a.Stride < 0
}

// MayBeLarge reports whether a root may be of [MaxObject] bytes and more where such objects are possible.
func (x *Ways) MayBeLarge(root *ssa.Value) bool { return x.Large && x.Facts.Large(root) }

// lookup makes w the way of a load from a table of constant memory, which does not change while a kernel
// runs, by an index that cannot exceed a small number: what it can count fits two registers; of bytes, four.
func (x *Ways) lookup(w *Way, v *ssa.Value) bool {
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
