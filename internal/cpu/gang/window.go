package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// A window is the memory that contains the elements of lanes at constant distances from the first: two addresses, the vector from the
// first lane's address on, or that and the vector up to the last address.
type window struct {
	shape Shape    // of the loads
	next  int64    // the distance of the second load from the first; 0: one load suffices
	bytes int64    // from the first lane's address on
	from  []uint64 // by lane: the element of both loads
}

// windowOf returns the window of an access.
func windowOf(b *accesses, w *fastPath) (x window) {
	es := int64(w.Type.Size())
	apart, _ := b.p.Facts.Distances(&w.Address, b.o.Lanes)
	far := slices.Max(apart)
	x.from = make([]uint64, len(apart))
	for lane, at := range apart {
		if at != 0 {
			x.from[lane] = uint64(b.o.Lanes)
		}
	}
	x.shape, x.next, x.bytes = Broadcast, far, far+es
	if lanes.TwoAddresses(apart) {
		return x
	}
	vector := es * int64(b.o.Lanes)
	x.shape, x.bytes = Contiguous, max(vector, far+es)
	x.next = x.bytes - vector
	for lane, at := range apart {
		if x.from[lane] = uint64(at / es); at >= vector {
			x.from[lane] = uint64((at-x.next)/es) + uint64(b.o.Lanes)
		}
	}
	return x
}

// loadWindow loads the elements of lanes at constant distances from the first into d: it loads the window and permutes the elements. hard
// builds the load where the window is not in bounds.
func loadWindow(b *accesses, w *fastPath, d Reg, hard func()) {
	x := windowOf(b, w)
	at, known := b.p.Facts.FirstIn(&w.Address)
	offset := func() Reg {
		if known {
			return b.constant(i64, uint64(at))
		}
		return b.plus(i64, b.sum(i64, 0, w.Terms, func(o *ssa.Value) Reg { return inLane(b, o, 0) }), w.Disp)
	}
	if w.Certain || known && lanes.Holds(w.Access.Root, at, int(x.bytes)) {
		x.load(b, w, offset(), d)
		return
	}
	b.either(func(no *Block) {
		off := offset()
		b.unless(check{Inst{Op: OpCheck, Root: int32(w.root), Args: b.regs(off), Size: int32(x.bytes)}, 1}, no)
		x.load(b, w, off, d)
	}, hard)
}

// halves returns the distances of lanes from the first one if a window has two vectors, but each half of a register has lanes side by
// side, else nil. To load the halves is cheaper: the vectors are rarely aligned, and no permutation follows.
func (x *window) halves(b *accesses, w *fastPath) (cases []uint64) {
	half := b.o.Target.VectorBytes / 2 / w.Type.Size()
	if x.shape != Contiguous || x.next == 0 || b.o.Lanes%half != 0 {
		return nil
	}
	apart, _ := b.p.Facts.Distances(&w.Address, b.o.Lanes)
	for lane, at := range apart {
		if at != apart[lane&^(half-1)]+int64(lane&(half-1)*w.Type.Size()) {
			return nil
		}
		cases = append(cases, uint64(at))
	}
	return cases
}

// load loads the window, which begins at off, and permutes its elements into d.
func (x *window) load(b *accesses, w *fastPath, off, d Reg) {
	part := func(at int64) Reg {
		return b.inst(Inst{Op: OpLoad, Shape: x.shape, Args: b.regs(off), Root: int32(w.root), Imm: at}, b.f.Type(d))
	}
	if cases := x.halves(b, w); cases != nil {
		b.emit(Inst{Op: OpLoad, Shape: Spread, Dst: d, Args: b.regs(off), Root: int32(w.root), Cases: cases})
		return
	}
	first := part(0)
	second := first
	if x.next > 0 {
		second = part(x.next)
	}
	b.emit(Inst{Op: OpPermute, Dst: d, Args: b.regs(first, second), Cases: x.from})
}
