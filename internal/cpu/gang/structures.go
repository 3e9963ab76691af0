package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Loads of a part of each lane's structure: the structures of all lanes are loaded whole, as contiguous vectors, and
// OpPart takes the part out. Accesses of a block to one array of structures share the load.

// A region is the memory that the lanes span, k elements each.
type region struct {
	root  int
	terms []*ssa.Value
	from  int64
	size  int // bytes of an element
	whole Reg
}

// structures reports whether a load reads whole structures, of Apart elements, and takes a part out.
func (w *fastPath) structures() bool {
	switch w.Pattern {
	case lanes.Contiguous: // three elements with the distance of four
		return w.Type.N == 3 && w.Stride != int64(w.Type.Size()) && !w.Write
	case lanes.Strided, lanes.Records:
		return w.Apart != 0
	}
	return false
}

// loadStructures builds the load of a part of each lane's structure.
func (b *accesses) loadStructures(v *ssa.Value, w *fastPath, t Type, slow func(d Reg)) {
	apart := w.Apart
	if w.Pattern == lanes.Contiguous {
		apart = 4
	}
	r, known := b.regionOf(w, Type{Vector, t.K, uint8(apart)})
	out := b.newRegs(t.N, Type{Vector, t.K, 1})
	b.apart(w.checks, func() {
		if !known {
			i := w.load(r)
			i.Aux = 0
			b.emit(i)
		}
		for c, d := range out {
			b.partInto(d, r, w.Element+c)
		}
	}, func() {
		d := b.f.NewReg(t)
		slow(d)
		for c, p := range out {
			b.partInto(p, d, c)
		}
	})
	b.setRead(v, false, out)
}

// regionOf returns the register of an access's structures, and whether it is loaded already.
func (b *accesses) regionOf(w *fastPath, t Type) (r Reg, known bool) {
	x := region{w.root, w.Terms, w.Disp + w.Low, t.Size(), 0}
	for _, y := range b.regions {
		if y.root == x.root && y.from == x.from && y.size == x.size && b.f.Type(y.whole).N == t.N && slices.Equal(y.terms, x.terms) {
			return y.whole, true
		}
	}
	x.whole = b.f.NewReg(t)
	if w.Pattern == lanes.Strided {
		b.regions = append(b.regions, x)
	}
	return x.whole, false
}

// partInto writes element c of each lane's elements to d.
func (b *emitter) partInto(d, whole Reg, c int) {
	from, to := b.f.Type(whole), b.f.Type(d)
	switch {
	case from.K != to.K:
		b.emit(Inst{Op: OpEach, Each: ssa.OpBitcast, Dst: d, Args: b.regs(b.partOf(whole, c))})
	case from.N == 1:
		b.emit(Inst{Op: OpCopy, Dst: d, Args: b.regs(whole)})
	default:
		b.emit(Inst{Op: OpPart, Dst: d, Args: b.regs(whole), Imm: int64(c)})
	}
}
