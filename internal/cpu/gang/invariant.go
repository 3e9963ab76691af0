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
	var list []Inst
	for _, x := range b.f.Blocks {
		if x == b.pre || x.Cold {
			continue
		}
		x.Insts = deleteInsts(x.Insts, func(i *Inst) bool {
			if i.Op != OpEach || writes[i.Dst] != 1 || !hoistable(i, b.f.Types) || slices.ContainsFunc(i.Args, func(r Reg) bool { return !fixed[r] }) {
				return false
			}
			fixed[i.Dst] = true
			list = append(list, *i)
			return true
		})
	}
	list = append(list, b.joinOffsets(fixed, writes)...)
	b.pre.Insts = slices.Insert(b.pre.Insts, end, list...)
}

// A rowSum is an integer that a block computes as the sum of one that is the same for all gangs of a row and another.
type rowSum struct {
	inst        *Inst
	fixed, rest Reg
	outer       []Reg // the sums that have this one as their rest
}

// joinOffsets rewrites sums g + (f + x), with f and g the same for all gangs of a row, as (f + g) + x if nothing else uses
// f + x. Then no gang computes f + x, and f needs no register. Sums of integers wrap, so that their order does not matter.
// Constants stay apart: accesses at constant distances share offsets. It returns the sums f + g, for the prologue.
func (b *builder) joinOffsets(fixed []bool, writes []uint8) (list []Inst) {
	n := len(fixed)
	numbers, uses := make([]bool, n), make([]int32, n)
	index := make([]int32, n) // by register: 1 + index in sums
	var sums []rowSum
	for _, i := range b.f.Insts() {
		numbers[i.Dst] = i.Op == OpConst
		for _, r := range i.Args {
			uses[r]++
		}
		uses[i.Mask]++
	}
	for x, i := range b.f.Insts() {
		if x == b.pre || i.Op != OpEach || i.Each != ssa.OpAdd || writes[i.Dst] != 1 || !hoistable(i, b.f.Types) {
			continue
		}
		f, rest := i.Args[0], i.Args[1]
		if fixed[rest] {
			f, rest = rest, f
		}
		if fixed[f] && !numbers[f] && !fixed[rest] && writes[rest] == 1 {
			sums = append(sums, rowSum{inst: i, fixed: f, rest: rest})
			index[i.Dst] = int32(len(sums))
		}
	}
	if sums == nil {
		return nil
	}
	for _, s := range sums {
		if k := index[s.rest]; k != 0 {
			sums[k-1].outer = append(sums[k-1].outer, s.inst.Dst)
		}
	}
	for r, k := range index {
		if k == 0 || uses[r] == 0 || int(uses[r]) != len(sums[k-1].outer) {
			continue
		}
		s := sums[k-1]
		for _, to := range s.outer {
			o := &sums[index[to]-1]
			t := b.f.NewReg(b.f.Types[r])
			list = append(list, Inst{Op: OpEach, Each: ssa.OpAdd, Dst: t, Args: b.regs(s.fixed, o.fixed)})
			o.fixed, o.rest = t, s.rest
			o.inst.Args = b.regs(t, s.rest)
		}
		uses[r] = 0
	}
	for _, x := range b.f.Blocks {
		x.Insts = deleteInsts(x.Insts, func(i *Inst) bool { return int(i.Dst) < n && index[i.Dst] != 0 && uses[i.Dst] == 0 })
	}
	return list
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
