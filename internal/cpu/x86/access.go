package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// accesses generates loads and stores of known objects: contiguous ones, gathers, scatters and tables in
// registers.
type accesses struct {
	*addresses
	runsFound map[runKey]run // by kind of access: the runs found in the current block
}

// loadMasked loads one element for each lane of m. Other lanes get 0.
func (l *accesses) loadMasked(q mem, p vec, es int, m mask) {
	w := l.width(es)
	for i, r := range p {
		if l.lv.MaskRegs {
			l.emit(inst{op: vmerge[es], w: w, fl: fDefReg, reg: r, m: q, mask: l.partMask(m, es, i), zero: true})
		} else {
			op := asm.VPMASKMOVD
			if es == 8 {
				op = asm.VPMASKMOVQ
			}
			l.emit(inst{op: op, w: 32, fl: fDefReg, reg: r, v: l.wideMask(m, es, i), m: q})
		}
		q.disp += int32(w)
	}
}

// firstLane returns the address of a stub's result for the first lane of m.
func (l *accesses) firstLane(m mask, s stub) mem {
	if m == nil {
		return ctxAt(CtxVals)
	}
	l.maskBits(m)
	p := l.g()
	l.emit(inst{op: asm.TZCNT, w: 8, fl: fDefReg, reg: p, rm: rAX})
	l.emit(inst{op: asm.IMULIMM, w: 8, fl: fDefReg, reg: p, rm: p, imm: int64(s.step)})
	l.op2(asm.ADD, 8, p, rCtx)
	return at(p, CtxVals)
}

// loadElements reads n elements of es bytes for each lane, one lane's after the other's
// (of 3: 4).
func (l *accesses) loadElements(m mem, es, n int) []vec {
	k := n
	if n == 3 {
		k = 4
	}
	raw := l.rawVec(es, k)
	l.loadRaw(raw, m, es, k)
	return l.components(raw, es, k)[:n]
}

// storeElements writes the elements of all lanes one lane's after the other's.
func (l *accesses) storeElements(m mem, ps []vec, es int) {
	if len(ps) == 3 {
		ps = append(append([]vec(nil), ps...), ps[2]) // padding of the scratch memory
	}
	l.within(l.n*len(ps), func() { l.storeParts(m, l.inMemoryOrder(ps, es, l.n/len(ps)), es) })
}

// storeMasked writes one element for each lane of m.
func (l *accesses) storeMasked(q mem, p vec, es int, m mask) {
	for i, r := range p {
		l.storePart(q, r, es, l.maskFor(m, es, i))
		q.disp += int32(l.width(es))
	}
}

// storePart writes those elements of a register that are in its mask.
func (l *accesses) storePart(q mem, r reg, es int, m reg) {
	if l.lv.MaskRegs {
		l.vstore(vmergeST[es], l.width(es), q, r, m)
		return
	}
	op := asm.VPMASKMOVDST
	if es == 8 {
		op = asm.VPMASKMOVQST
	}
	l.emit(inst{op: op, w: 32, fl: fUseReg, reg: r, v: m, m: q})
}
