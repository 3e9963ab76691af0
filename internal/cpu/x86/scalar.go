package x86

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// generalOp reports whether scalarOp supports the op.
func generalOp(v *ssa.Value) bool {
	a := v.Args[0].Type.K
	switch v.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpAnd, ssa.OpOr, ssa.OpXor, ssa.OpNot, ssa.OpNeg, ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe, ssa.OpCopy, ssa.OpBitcast, ssa.OpPtrAdd:
		return true
	case ssa.OpPtrCast:
		return !lanes.FromGeneric(v)
	case ssa.OpMin, ssa.OpMax:
		return size(a) >= 4
	case ssa.OpShl, ssa.OpShr:
		return true
	case ssa.OpMulHi:
		return size(a) <= 4
	case ssa.OpRotl:
		return size(a) >= 4 && v.Args[1].IsConst()
	case ssa.OpDiv, ssa.OpRem:
		return size(a) >= 4
	case ssa.OpConvert:
		sat, _ := ssa.ConvParts(v.Aux)
		return !sat || v.Type.K == ssa.Bool || a == ssa.Bool
	}
	return false
}

// scalarOp computes element c of a uniform value, or the first lane of an affine one, in a general register.
func (l *values) scalarOp(v *ssa.Value, c int) reg {
	k := v.Args[0].Type.K.Num()
	sz := k.Size()
	w := asm.Width(max(sz, 4))
	a := l.G(v.Args[0], c)
	d := l.g()
	two := func(op, imm asm.Op) reg {
		if x, ok := smallConst(v.Args[1], c); ok && imm != asm.NoOp {
			l.mov(d, a)
			l.opi(imm, w, d, x)
		} else {
			b := l.G(v.Args[1], c)
			l.mov(d, a)
			l.op2(op, w, d, b)
		}
		l.normal(d, sz)
		return d
	}
	switch v.Op {
	case ssa.OpCopy, ssa.OpBitcast, ssa.OpPtrCast:
		return a
	case ssa.OpAdd:
		return two(asm.ADD, asm.ADDIMM)
	case ssa.OpSub:
		return two(asm.SUB, asm.SUBIMM)
	case ssa.OpAnd:
		return two(asm.AND, asm.ANDIMM)
	case ssa.OpOr:
		return two(asm.OR, asm.ORIMM)
	case ssa.OpXor:
		d = two(asm.XOR, asm.XORIMM)
		if l.facts.Of(v).Order != nil {
			l.opi(asm.ANDIMM, 8, d, int64(-l.n)) // the first element of the block
		}
		return d
	case ssa.OpMul:
		if x, ok := smallConst(v.Args[1], c); ok {
			l.timesConst(d, a, x, w)
			l.normal(d, sz)
			return d
		}
		return two(asm.IMUL, asm.NoOp)
	case ssa.OpNot, ssa.OpNeg:
		l.mov(d, a)
		switch {
		case v.Args[0].Type.K == ssa.Bool:
			l.opi(asm.XORIMM, 4, d, 1)
		case v.Op == ssa.OpNot:
			l.opi(asm.NOT, w, d, 0)
		default:
			l.opi(asm.NEG, w, d, 0)
		}
		l.normal(d, sz)
		return d
	case ssa.OpPtrAdd:
		return l.movePointer(a, l.G(v.Args[1], 0))
	case ssa.OpEq, ssa.OpNe, ssa.OpLt, ssa.OpLe:
		j := l.compare(v.Op, v.Args[0], v.Args[1], c)
		l.setcc(setOf[j], d)
		return d
	case ssa.OpMin, ssa.OpMax:
		b := l.G(v.Args[1], c)
		l.mov(d, a)
		l.cmp(w, b, a)
		l.op2(exchanges[v.Op == ssa.OpMax][k.Signed()], w, d, b)
		return d
	case ssa.OpMulHi:
		l.upperProduct(d, a, l.G(v.Args[1], c), sz, k.Signed())
		return d
	case ssa.OpShl, ssa.OpShr, ssa.OpRotl:
		return l.scalarShift(v, c, a, d, sz, k.Signed())
	case ssa.OpDiv, ssa.OpRem:
		l.scalarDivide(v, c, a, d, w, k.Signed())
		return d
	case ssa.OpConvert:
		return l.scalarConvert(v, a, d, sz, k.Signed())
	}
	refuse("%v in a general register", v.Op)
	return 0
}

// upperProduct sets d to the upper half of a product.
func (l *arithmetic) upperProduct(d, a, b reg, sz int, signed bool) {
	if signed {
		a, b = l.signExtend(a, sz), l.signExtend(b, sz)
	}
	l.mov(d, a)
	l.op2(asm.IMUL, 8, d, b)
	l.opi(asm.SHRIMM, 8, d, int64(8*sz))
	l.normal(d, sz)
}

// exchanges maps a maximum (or minimum) and a signed type to the conditional move.
var exchanges = map[bool]map[bool]asm.Op{false: {false: asm.CMOVB, true: asm.CMOVL}, true: {false: asm.CMOVA, true: asm.CMOVG}}

// timesConst sets d to a times a constant.
func (l *arithmetic) timesConst(d, a reg, x int64, w asm.Width) {
	if x <= 0 || x&(x-1) != 0 {
		l.emit(inst{op: asm.IMULIMM, w: w, fl: fDefReg, reg: d, rm: a, imm: x})
		return
	}
	l.mov(d, a)
	if n := bits.TrailingZeros64(uint64(x)); n > 0 {
		l.opi(asm.SHLIMM, w, d, int64(n))
	}
}

func (l *values) scalarShift(v *ssa.Value, c int, a, d reg, sz int, signed bool) reg {
	w := asm.Width(max(sz, 4))
	arith := v.Op == ssa.OpShr && signed
	src := a
	if arith && sz < 4 {
		op := asm.MOVSX8
		if sz == 2 {
			op = asm.MOVSX16
		}
		src = l.g()
		l.emit(inst{op: op, w: 4, fl: fDefReg, reg: src, rm: a})
	}
	if n := v.Args[1]; n.Op == ssa.OpConst {
		l.mov(d, src)
		op := asm.SHLIMM
		switch {
		case arith:
			op = asm.SARIMM
		case v.Op == ssa.OpShr:
			op = asm.SHRIMM
		case v.Op == ssa.OpRotl:
			op = asm.ROLIMM
		}
		if x := int64(n.ConstElem(c) & uint64(8*sz-1)); x != 0 {
			l.opi(op, w, d, x)
		}
		l.normal(d, sz)
		return d
	}
	cnt := l.G(v.Args[1], c)
	if sz < 4 {
		t := l.g()
		l.mov(t, cnt)
		l.opi(asm.ANDIMM, 4, t, int64(8*sz-1))
		cnt = t
	}
	op := asm.SHLX
	switch {
	case arith:
		op = asm.SARX
	case v.Op == ssa.OpShr:
		op = asm.SHRX
	}
	l.emit(inst{op: op, w: w, fl: fDefReg, reg: d, v: cnt, rm: src})
	l.normal(d, sz)
	return d
}

// scalarDivide divides. Separate code handles the divisors 0 and -1, at which the instruction faults.
func (l *values) scalarDivide(v *ssa.Value, c int, a, d reg, w asm.Width, signed bool) {
	b := l.G(v.Args[1], c)
	rem := v.Op == ssa.OpRem
	zero, minus, end := l.newBlock(l.cur.depth), l.newBlock(l.cur.depth), l.newBlock(l.cur.depth)
	l.emit(inst{op: asm.TEST, w: w, fl: fUseReg, reg: b, rm: b})
	l.jcc(asm.JE, zero)
	if signed {
		l.cmpi(w, b, -1)
		l.jcc(asm.JE, minus)
	}
	l.mov(rAX, a)
	if signed {
		l.emit(inst{op: asm.CDQ, w: w})
		l.emit(inst{op: asm.IDIV, w: w, rm: b})
	} else {
		l.movi(rDX, 0)
		l.emit(inst{op: asm.DIV, w: w, rm: b})
	}
	if rem {
		l.mov(d, rDX)
	} else {
		l.mov(d, rAX)
	}
	l.jump(end)
	if signed {
		l.place(minus)
		if rem {
			l.movi(d, 0)
		} else {
			l.mov(d, a)
			l.opi(asm.NEG, w, d, 0)
		}
		l.jump(end)
	}
	l.place(zero)
	l.movi(d, 0)
	l.place(end)
}

// affine lowers an affine integer by its first lane only. It reports false if v is not affine.
func (l *values) affine(v *ssa.Value) bool {
	if l.facts.Of(v).Shape != lanes.Affine {
		return false
	}
	x := &l.vals[v.ID]
	if v.Op == ssa.OpPtrAdd {
		x.lazy = true
		return true
	}
	x.g = []reg{l.scalarOp(v, 0)}
	return true
}
