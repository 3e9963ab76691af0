package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/spmd"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Loads of a part of each lane's structure: the structures of all lanes are loaded whole, as contiguous vectors, and
// OpPart takes the part out. Accesses of a block to one array of structures share the load.
//
// A structure of 2 or 4 bytes is loaded as one integer instead if all uses of its element are conversions to types that
// are not smaller. Shifts or a mask then give the element extended to the structure's size, from which the conversions
// begin.

// A region is the memory of all lanes' structures, loaded into one register.
type region struct {
	root  int          // of the access
	terms []*ssa.Value // of the access
	from  int64        // byte offset of the first structure from the terms
	size  int          // bytes of an element
	whole Reg          // the structures
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
	whole, element := Type{Vector, t.K, uint8(apart)}, Type{Vector, t.K, 1}
	bytes := t.Size() * apart
	extended := b.extends(v, w, bytes)
	if extended {
		b.f.Forms |= spmd.Extended
		whole, element = Type{Vector, unsigned(bytes), 1}, Type{Vector, integer(bytes, t.K.Num().Signed()), 1}
	}
	r, known := b.regions.of(w, b.f, whole)
	out := b.newRegs(t.N, element)
	b.apart(w.checks, func() {
		if !known {
			i := w.load(r)
			i.Aux = 0
			b.emit(i)
		}
		for c, d := range out {
			if extended {
				b.extendPart(d, r, 8*t.Size(), w.Element)
			} else {
				b.partInto(d, r, w.Element+c)
			}
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

// A conversionCount counts the conversions of a loaded integer to other types.
type conversionCount struct {
	uses  int
	least int // bytes of the smallest result
}

// conversions holds the conversions of loaded integers, by load.
type conversions map[*ssa.Value]conversionCount

// add adds the conversions in blocks.
func (c conversions) add(blocks []*ssa.Block) {
	for _, x := range blocks {
		for _, v := range x.Values {
			a := v.Args
			if v.Op != ssa.OpConvert || v.Type.K == ssa.Bool || a[0].Op != ssa.OpLoad || !lanes.IsInt(a[0].Type.K) {
				continue
			}
			of, size := c[a[0]], v.Type.Elem().Size()
			if of.uses == 0 {
				of.least = size
			}
			c[a[0]] = conversionCount{of.uses + 1, min(of.least, size)}
		}
	}
}

// extends reports whether the load v reads each structure as one integer of that many bytes. The load then extends its
// element to that integer's size.
func (b *values) extends(v *ssa.Value, w *fastPath, bytes int) bool {
	if w.Pattern != lanes.Strided || w.Type.N != 1 || bytes != 2 && bytes != 4 {
		return false
	}
	if b.converted == nil {
		b.converted = conversions{}
		b.converted.add(b.p.Order)
	}
	c := b.converted[v]
	return c.uses == int(b.uses[v.ID]) && c.least >= bytes
}

// extendPart writes part c of each integer in whole to d, sign- or zero-extended as d's type says. A part has the given
// bits.
func (b *emitter) extendPart(d, whole Reg, bits, c int) {
	t, to := b.f.Type(whole), b.f.Type(d)
	shift := func(op ssa.Op, t Type, n int) {
		if n > 0 {
			whole = b.each(op, t, 0, whole, b.constant(t, uint64(n)))
		}
	}
	above := 8*t.Size() - bits*(c+1) // bits above the part
	switch {
	case to != t: // with the sign
		shift(ssa.OpShl, t, above)
		whole = b.each(ssa.OpBitcast, to, 0, whole)
		shift(ssa.OpShr, to, 8*t.Size()-bits)
	case above == 0:
		shift(ssa.OpShr, t, bits*c)
	default:
		shift(ssa.OpShr, t, bits*c)
		whole = b.each(ssa.OpAnd, t, 0, whole, b.constant(t, 1<<bits-1))
	}
	b.emit(Inst{Op: OpCopy, Dst: d, Args: b.regs(whole)})
}

// regions are the regions loaded in the SSA block under construction since its last store.
type regions []region

// of returns the register of an access's structures, of type t, and whether it is loaded already.
func (l *regions) of(w *fastPath, f *Func, t Type) (r Reg, known bool) {
	x := region{w.root, w.Terms, w.Disp + w.Low, t.Size(), 0}
	for _, y := range *l {
		if y.root == x.root && y.from == x.from && y.size == x.size && f.Type(y.whole).N == t.N && slices.Equal(y.terms, x.terms) {
			return y.whole, true
		}
	}
	x.whole = f.NewReg(t)
	if w.Pattern == lanes.Strided {
		*l = append(*l, x)
	}
	return x.whole, false
}

// partInto writes element c of each lane's elements to d, whose integers may be larger.
func (b *emitter) partInto(d, whole Reg, c int) {
	from, to := b.f.Type(whole), b.f.Type(d)
	switch {
	case from.Size() != to.Size():
		b.emit(Inst{Op: OpEach, Each: ssa.OpConvert, Dst: d, Args: b.regs(b.partOf(whole, c))})
	case from.K != to.K:
		b.emit(Inst{Op: OpEach, Each: ssa.OpBitcast, Dst: d, Args: b.regs(b.partOf(whole, c))})
	case from.N == 1:
		b.emit(Inst{Op: OpCopy, Dst: d, Args: b.regs(whole)})
	default:
		b.emit(Inst{Op: OpPart, Dst: d, Args: b.regs(whole), Imm: int64(c)})
	}
}
