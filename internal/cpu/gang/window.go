package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// loadWindow loads into d the elements of lanes at constant distances from the first: the gang loads the two addresses or the one or two
// vectors from the first lane's address on, and permutes the elements. Control goes to no, if there is that
// block, if these are not in bounds.
func loadWindow(b *accesses, w *fastPath, no *Block, d Reg) {
	t := b.f.Type(d)
	es := int64(w.Type.Size())
	apart, _ := b.p.Facts.Distances(&w.Address, b.o.Lanes)
	far := slices.Max(apart)
	from := make([]uint64, len(apart))
	for lane, at := range apart {
		if at != 0 {
			from[lane] = uint64(b.o.Lanes)
		}
	}
	shape, next, bytes := Broadcast, far, far+es
	if !lanes.TwoAddresses(apart) {
		for lane, at := range apart {
			from[lane] = uint64(at / es)
		}
		shape, next = Contiguous, es*int64(b.o.Lanes)
		if bytes = next; far >= next {
			bytes = 2 * next
		}
	}
	off := b.plus(i64, b.sum(i64, 0, w.Terms, func(o *ssa.Value) Reg { return inLane(b, o, 0) }), w.Disp)
	if no != nil {
		b.unless(check{Inst{Op: OpCheck, Root: int32(w.root), Args: b.regs(off), Size: int32(bytes)}, 1}, no)
	}
	load := func(at int64) Reg {
		return b.inst(Inst{Op: OpLoad, Shape: shape, Args: b.regs(off), Root: int32(w.root), Imm: at}, t)
	}
	first := load(0)
	second := first
	if bytes > next {
		second = load(next)
	}
	b.emit(Inst{Op: OpPermute, Dst: d, Args: b.regs(first, second), Cases: from})
}
