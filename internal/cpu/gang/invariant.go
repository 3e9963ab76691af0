package gang

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
)

// hoistInvariants moves integer arithmetic that is the same for all gangs of a row to the prologue, such as the offset of
// the row. It does so in functions without loops, where the gangs' addresses are a good part of the work; within loops,
// registers matter more.
func (b *builder) hoistInvariants() {
	if b.f.Groups || b.f.Waits || !b.f.Full || b.f.Once || len(b.p.Loops.All) > 0 {
		return
	}
	writes := make([]uint8, len(b.f.Types))
	for _, i := range b.f.Insts() {
		if i.Dst != 0 && writes[i.Dst] < 2 {
			writes[i.Dst]++
		}
	}
	fixed := make([]bool, len(b.f.Types)) // the same for all gangs
	for k := range b.pre.Insts {
		if d := b.pre.Insts[k].Dst; d != 0 && writes[d] == 1 && b.f.Types[d].Class == Scalar {
			fixed[d] = true
		}
	}
	end := len(b.pre.Insts) - 1
	list := slices.Clone(b.pre.Insts[:end])
	term := b.pre.Insts[end]
	for _, x := range b.f.Blocks {
		if x == b.pre || x.Cold {
			continue
		}
		x.Insts = slices.DeleteFunc(x.Insts, func(i Inst) bool {
			if i.Op != OpEach || writes[i.Dst] != 1 || !hoistable(&i, b.f.Types) || slices.ContainsFunc(i.Args, func(r Reg) bool { return !fixed[r] }) {
				return false
			}
			fixed[i.Dst] = true
			list = append(list, i)
			return true
		})
	}
	b.pre.Insts = append(list, term)
}

// hoistable reports whether an operation is integer arithmetic on scalars that address computations use.
func hoistable(i *Inst, types []Type) bool {
	isInt := func(r Reg) bool {
		t := types[r]
		return t.Class == Scalar && t.K != ssa.Bool && !t.K.IsPtr() && t.K.Num().IsInt() && t.K.Num().Size() >= 4
	}
	switch i.Each {
	case ssa.OpAdd, ssa.OpSub, ssa.OpNeg, ssa.OpMul, ssa.OpShl, ssa.OpConvert:
		return i.Mask == 0 && isInt(i.Dst) && !slices.ContainsFunc(i.Args, func(r Reg) bool { return !isInt(r) })
	}
	return false
}
