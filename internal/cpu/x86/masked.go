package x86

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Bools as numbers: (a < b) << 2, n += x == y. The number is a constant where a predicate holds, else 0.

// A maskedConst is the number x in the lanes of a predicate, and 0 in the others.
type maskedConst struct {
	mask gang.Reg
	x    uint64
}

// maskedConstOf returns the result of i; ok is false if it is no masked constant.
func (s *elements) maskedConstOf(i *gang.Inst) (v maskedConst, ok bool) {
	t := s.f.Type(i.Dst)
	if i.Op != gang.OpEach || t.Class != gang.Vector || t.N != 1 || !t.K.Num().IsInt() {
		return v, false
	}
	from := s.f.Type(i.Args[0])
	operand := func() (v maskedConst, ok bool) {
		if d := s.foldableDef(i.Args[0]); d != nil && from.K.Num().Size() == t.Size() {
			return s.maskedConstOf(d)
		}
		return v, false
	}
	switch i.Each {
	case ssa.OpConvert:
		if from.Class == gang.Predicate {
			return maskedConst{i.Args[0], 1}, true
		}
		if saturates, _ := ssa.ConvParts(i.Aux); saturates {
			return v, false // -1 becomes 0
		}
		return operand()
	case ssa.OpSelect:
		x, known := s.constant(i.Args[1])
		zero, other := s.constant(i.Args[2])
		return maskedConst{i.Args[0], x}, known && other && zero == 0 && from.Class == gang.Predicate
	case ssa.OpShl, ssa.OpMul, ssa.OpAnd:
		n, known := s.constant(i.Args[1])
		if !known {
			return v, false
		}
		if v, ok = operand(); ok {
			v.x, ok = ssa.EvalScalar(i.Each, t.K, t.K, 0, []uint64{v.x, n})
		}
		return v, ok
	}
	return v, false
}

// maskedProduct returns the result of i if it multiplies a masked constant by a constant, shifts it or masks its bits, else nil.
func (s *elements) maskedProduct(i *gang.Inst) vec {
	if i.Each != ssa.OpShl && i.Each != ssa.OpMul && i.Each != ssa.OpAnd {
		return nil
	}
	v, ok := s.maskedConstOf(i)
	if !ok {
		return nil
	}
	size := s.f.Type(i.Dst).Size()
	return s.keep(s.mask(v.mask), s.constV(size, v.x), size)
}

// mergeMasking has, by operation, the instructions that can have a mask. Inactive lanes then keep their first operand.
var mergeMasking = map[ssa.Op]bySize{
	ssa.OpAdd: vadd, ssa.OpSub: vsub, ssa.OpOr: {4: asm.VPORD, 8: asm.VPORQ}, ssa.OpXor: {4: asm.VPXORD, 8: asm.VPXORQ},
}

// mergeMasked returns the result of i if it adds a masked constant to a number without other uses, or is another operation of
// mergeMasking on them, else nil. The instruction changes the number in the lanes of the predicate only.
func (s *elements) mergeMasked(i *gang.Inst) vec {
	t := s.f.Type(i.Dst)
	op := mergeMasking[i.Each][t.Size()]
	if !s.lv.MaskRegs || op == asm.NoOp || t.Class != gang.Vector || t.N != 1 {
		return nil
	}
	a, b := i.Args[0], i.Args[1]
	for n := range 2 {
		if d := s.foldableDef(b); d != nil && s.reads[a] == 1 && s.f.Type(a).Class == gang.Vector {
			if v, ok := s.maskedConstOf(d); ok {
				m, p, x, w := s.mask(v.mask), s.operand(a, 0), s.constV(t.Size(), v.x), s.width(t.Size())
				return s.arithmetic.each(len(p), func(k int) reg {
					r := s.copyV(p[k])
					s.emit(inst{op: op, w: w, fl: fDefReg | fUseReg, reg: r, v: r, rm: x[k], mask: s.maskFor(m, t.Size(), k)})
					return s.copyV(r)
				})
			}
		}
		if a, b = b, a; n == 0 && i.Each == ssa.OpSub {
			break
		}
	}
	return nil
}
