package codegen

import (
	"github.com/purecl/purecl/internal/cpu/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// The runtime functions of sub-groups. A gang has whole sub-groups: it has a multiple of
// 16 lanes, and the launch sees to it that a row of a work-group does not begin within a
// sub-group.

// subGroup lowers them.
func (l *lowerer) subGroup(v *ssa.Value) {
	if l.n%ssa.SubGroupSize != 0 {
		refuse("sub-groups in gangs of %d", l.n)
	}
	x := &l.vals[v.ID]
	m := l.mask(l.block)
	if m == nil {
		m = l.gang
	}
	switch v.Sym {
	case ssa.RuntimeSubGroupBallot:
		x.v = []vec{l.ballot(l.andMask(l.cmpInt(predNE, 4, false, l.V(v.Args[0], 0), l.constV(4, 0)), m))}
	case ssa.RuntimeSubGroupExchange:
		idx := l.V(v.Args[1], 0)
		there := l.cmpInt(predLT, 4, false, idx, l.constV(4, ssa.SubGroupSize))
		for c := range int(v.Type.N) {
			if v.Type.K == ssa.Bool {
				refuse("an exchange of Bools")
			}
			es := size(v.Type.K)
			x.v = append(x.v, l.exchange(l.V(v.Args[0], c), es, idx, m, there))
		}
	default:
		l.subGroupBarrier(v)
	}
}

// perSubGroup is how many registers of 32-bit elements a sub-group has.
func (l *lowerer) perSubGroup() int { return ssa.SubGroupSize / l.lv.Lanes }

// ballot returns the bits of each sub-group's part of a mask, in all of its lanes.
func (l *lowerer) ballot(k mask) vec {
	var out vec
	per := l.perSubGroup()
	for s := 0; s < len(k); s += per {
		l.maskBits(k[s : s+per])
		g := l.g()
		l.mov(g, rAX)
		b := l.broadcast(4, g)[0]
		for range per {
			out = append(out, b)
		}
	}
	return out
}

// exchange returns the elements of p of the lanes whose numbers in their sub-group are
// idx, 0 where such a lane is not in m or does not exist (there says where it does).
func (l *lowerer) exchange(p vec, es int, idx vec, m, there mask) vec {
	switch es {
	case 1, 2:
		return l.truncate(4, es, l.exchange(l.extend(es, 4, false, p), 4, idx, m, there))
	case 8:
		lo := l.exchange(l.piece(p, 8, 4, 0), 4, idx, m, there)
		hi := l.exchange(l.piece(p, 8, 4, 1), 4, idx, m, there)
		return l.compose([]vec{lo, hi}, 4, 8)
	}
	if m != nil {
		p = l.keep(m, p, 4)
	}
	out := make(vec, len(idx))
	for i := range out {
		if l.lv.AVX512 {
			out[i] = l.rvm(asm.VPERMD, 64, idx[i], p[i])
			continue
		}
		lo := l.rvm(asm.VPERMD, 32, idx[i], p[i&^1])
		hi := l.rvm(asm.VPERMD, 32, idx[i], p[i|1])
		upper := l.vshift(asm.VPSRAD, 32, l.vshift(asm.VPSLLD, 32, idx[i], 28), 31)
		out[i] = l.vr()
		l.emit(inst{op: asm.VPBLENDVB, w: 32, fl: fDefReg, reg: out[i], v: lo, rm: hi, immReg: upper})
	}
	return l.keep(there, out, 4)
}

// subGroupBarrier lets a sub-group go on of which all work-items are there: they run side
// by side. Go reports others.
func (l *lowerer) subGroupBarrier(v *ssa.Value) {
	m := l.mask(l.block)
	if l.plan.Class[l.block.ID] == nil {
		return
	}
	if !l.opts.OneReturn {
		refuse("a sub-group barrier in divergent control flow where work-items may have returned")
	}
	l.maskBits(l.gang)
	all := l.g()
	l.mov(all, rAX)
	l.maskBits(m)
	l.st(ctxAt(int32(l.out.Area)), 8, rAX)
	on := l.newBlock(l.cur.depth)
	l.emit(inst{op: asm.TEST, w: 8, fl: fUseReg, reg: rAX, rm: rAX})
	l.jcc(asm.JE, on)
	l.cmp(8, rAX, all)
	l.jcc(asm.JE, on)
	l.emit(inst{kind: kYield, imm: int64(len(l.out.Ops))})
	l.out.Ops = append(l.out.Ops, v)
	l.place(on)
}
