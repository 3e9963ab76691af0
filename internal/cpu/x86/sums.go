package x86

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// memory adds private objects, and the sums and atomic operations of known objects.
type memory struct {
	*accesses
	private []int // by root: offset of a private object's first byte in the gang's private memory
	sums    []vec // by number of Code.Sums: the elements, if they are in registers, as in code that loops over gangs
}

// Sums: delayed atomic operations. If all lanes change one address and the results are unused, the worker
// accumulates the operands, one element per lane. The launch applies them to memory at the end of a batch.
//
// The delay is unobservable, for these reasons. The operations commute. The kernel accesses the object by no other
// operation, and no other argument is the same memory: the launch compares addresses, see [gang.Sum]. The
// operations are relaxed and the kernel has no fences, so that another launch, which may not rely on the progress
// of this one, cannot distinguish a delayed change from one that has not happened yet.
//
// A slot in the context holds the address of the sum: the first aligned address that a batch accesses. Operations
// at other addresses change memory directly.

// A Sum describes the operands that a worker collects for one atomic operation of the kernel.
type Sum struct {
	gang.Sum
	At     int  // offset of the address slot in the context; the elements follow
	Copied bool // has elements that the worker may copy
}

const (
	// SumLanes is the distance of a sum's elements from its address slot, in bytes.
	SumLanes = 64
)

// NoSum is the address in a slot without a sum.
const NoSum = 1

// Neutral returns the neutral element of the sum's operation.
func (s *Sum) Neutral() uint64 {
	_, neutral := lanesOp(s.RMW, size(s.Kind), s.Kind.Num().Signed())
	return neutral
}

// lanesOp returns the vector operation that combines the lanes' operands, and its neutral element. The operands of
// subtractions are added.
func lanesOp(rmw ssa.RMW, es int, signed bool) (op asm.Op, neutral uint64) {
	of := rmwOps[rmw].op
	if rmw == ssa.RMWSub {
		of = ssa.OpAdd
	}
	all := ones(8 * es)
	switch {
	case rmw == ssa.RMWAnd, rmw == ssa.RMWMin && !signed:
		neutral = all
	case rmw == ssa.RMWMin:
		neutral = all >> 1
	case rmw == ssa.RMWMax && signed:
		neutral = all>>1 + 1
	}
	return FP16.selected(of, integers(signed), es).ops[es], neutral
}

// changeOp returns the vector operation that changes elements by the lanes' operands.
func changeOp(rmw ssa.RMW, es int, signed bool) asm.Op {
	if rmw == ssa.RMWSub {
		return vsub[es]
	}
	op, _ := lanesOp(rmw, es, signed)
	return op
}

// layoutSums reserves memory in the context for the sums.
func (l *memory) layoutSums() {
	for _, x := range l.f.Sums {
		at := (l.out.CtxSize + 63) &^ 63
		l.out.CtxSize = at + SumLanes + max(l.n*size(x.Kind), 64)
		l.out.Sums = append(l.out.Sums, Sum{Sum: x, At: at})
	}
	l.sums = make([]vec, len(l.f.Sums))
}

// sumAt adds the operands p of an atomic operation of all lanes on the address q, which is in bounds, to sum number n.
func (l *memory) sumAt(n int, k ssa.Kind, q mem, p vec, m mask, slow stub) {
	s := &l.out.Sums[n]
	es := size(k)
	t := l.g()
	l.lea(t, q)
	have := ctxAt(int32(s.At))
	l.emit(inst{op: asm.CMP, w: 8, fl: fUseReg, reg: t, m: have})
	join := l.blockHere()
	other, direct, ours := l.newBlock(l.cur.depth), l.newBlock(l.cur.depth), l.newBlock(l.cur.depth)
	l.jcc(asm.JNE, other)
	l.aside(other, func() {
		l.emit(inst{op: asm.CMPIMM, w: 8, m: have})
		l.jcc(asm.JNE, direct)
		l.misaligned(t, es)
		l.jcc(asm.JNE, direct)
		l.st(have, 8, t)
		l.jump(ours)
	})
	l.aside(direct, func() {
		l.changeOnce(k, l.f.Roots[s.Root].Local, at(t, 0), l.operandsOf(k, slow.rmw, p, m), slow)
		l.jump(join)
	})
	l.place(ours)
	l.accumulate(n, slow.rmw, p, m)
	l.place(join)
}

// accumulate combines the lanes' operands with those of a sum.
func (l *memory) accumulate(n int, rmw ssa.RMW, p vec, m mask) {
	s := &l.out.Sums[n]
	es := size(s.Kind)
	place := ctxAt(int32(s.At + SumLanes))
	acc := l.sums[n]
	switch {
	case !l.out.Gangs:
		acc = l.loadParts(place, es)
	case acc == nil:
		l.insertAt(l.pre, -1, func() { acc = l.loadParts(place, es) })
		l.sums[n] = acc
	}
	op := changeOp(rmw, es, s.Kind.Num().Signed())
	logical := evexOf[op] != 0
	if m != nil && (logical || !l.lv.MaskRegs) {
		p = l.operandsOf(s.Kind, rmw, p, m)
		m = nil
	}
	for i, d := range acc {
		l.emit(inst{op: op, w: l.width(es), fl: fDefReg | fUseReg, reg: d, v: d, rm: p[i], mask: l.partMask(m, es, i)})
	}
	if !l.out.Gangs {
		l.storeParts(place, acc, es)
	}
}

// operandsOf returns p with the neutral element in inactive lanes.
func (l *memory) operandsOf(k ssa.Kind, rmw ssa.RMW, p vec, m mask) vec {
	if m == nil {
		return p
	}
	es := size(k)
	_, neutral := lanesOp(rmw, es, k.Num().Signed())
	return l.choose(m, p, l.constV(es, neutral), es)
}

// keepSums stores the sums in registers to the context.
func (l *memory) keepSums() {
	for i, acc := range l.sums {
		if acc != nil {
			l.storeParts(ctxAt(int32(l.out.Sums[i].At+SumLanes)), acc, size(l.out.Sums[i].Kind))
		}
	}
}
