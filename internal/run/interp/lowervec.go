package interp

import (
	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// rearrange lowers the ops that only rename registers. It returns false for others.
func (l *lowerer) rearrange(v *ssa.Value) bool {
	switch {
	case v.Op == ssa.OpBitcast && elemSize(v.Type) != elemSize(v.Args[0].Type):
		l.recast(v)
		return true
	case v.Op == ssa.OpConvert && sameBits(v):
		l.use(v, v.Args[0], !l.flow.Varying[v.ID])
		l.flushGuards(v)
		l.comps[v.ID] = l.share(v, l.comps[v.Args[0].ID])
		return true
	}
	pick := pickerOf(&l.registers, v)
	if pick == nil {
		return false
	}
	regs := pick(l.comps, noReg)
	for i, r := range regs {
		if r == noReg { // an undefined lane of a shuffle
			regs[i] = l.constReg(0, elemSize(v.Type))
		}
	}
	l.comps[v.ID] = l.share(v, regs)
	if l.mayPoison(v) {
		ts := pick(l.taints, noReg)
		if v.Op == ssa.OpShuffle {
			for i, lane := range v.Lanes {
				if lane == ssa.ShuffleUndef {
					ts[i] = l.constReg(1, 1)
				}
			}
		}
		l.taints[v.ID] = l.share(v, ts)
	}
	return true
}

// A picker returns the registers of a result's elements, from comps or taints. none replaces missing registers.
type picker func(table [][]reg, none reg) []reg

// pickerOf returns the picker of an operation that rearranges elements, nil for another one.
func pickerOf(rs *registers, v *ssa.Value) picker {
	n := int(v.Type.N)
	switch v.Op {
	case ssa.OpCopy, ssa.OpBitcast, ssa.OpPtrCast:
		if v.Op == ssa.OpPtrCast && !rearrangesPointer(v) {
			return nil
		}
		return func(t [][]reg, _ reg) []reg { return t[v.Args[0].ID] }
	case ssa.OpSplat:
		return func(t [][]reg, none reg) []reg {
			r := none
			if x := t[v.Args[0].ID]; x != nil {
				r = x[0]
			}
			return repeat(rs.list(n), r)
		}
	case ssa.OpVec:
		return func(t [][]reg, none reg) []reg {
			regs := repeat(rs.list(n), none)
			for i, a := range v.Args {
				if x := t[a.ID]; x != nil {
					regs[i] = x[0]
				}
			}
			return regs
		}
	case ssa.OpExtract:
		return func(t [][]reg, none reg) []reg {
			if x := t[v.Args[0].ID]; x != nil {
				return x[v.Aux : v.Aux+1 : v.Aux+1]
			}
			return []reg{none}
		}
	case ssa.OpInsert:
		return func(t [][]reg, none reg) []reg {
			regs := repeat(rs.list(n), none)
			copy(regs, t[v.Args[0].ID])
			regs[v.Aux] = none
			if x := t[v.Args[1].ID]; x != nil {
				regs[v.Aux] = x[0]
			}
			return regs
		}
	case ssa.OpShuffle:
		m := int(v.Args[0].Type.N)
		return func(t [][]reg, none reg) []reg {
			regs := repeat(rs.list(n), none)
			for i, lane := range v.Lanes {
				k, a := int(lane), v.Args[0]
				if k >= m {
					k, a = k-m, v.Args[1]
				}
				if x := t[a.ID]; x != nil && lane != ssa.ShuffleUndef {
					regs[i] = x[k]
				}
			}
			return regs
		}
	}
	return nil
}

// sameBits reports whether a conversion keeps the bits.
func sameBits(v *ssa.Value) bool {
	d, s := v.Type.K, v.Args[0].Type.K
	sat, _ := ssa.ConvParts(v.Aux)
	return d == s || !sat && d.Num().IsInt() && s.Num().IsInt() && d.Num().Size() == s.Num().Size()
}

// recast lowers a reinterpretation between elements of different sizes.
func (l *lowerer) recast(v *ssa.Value) {
	uniform := !l.flow.Varying[v.ID]
	in := l.newInst(v, kRecast, uniform)
	in.keep = true
	l.comps[v.ID] = l.fresh(v.Type, uniform)
	in.dst = append(in.dst, l.comps[v.ID]...)
	for _, r := range l.comps[v.Args[0].ID] {
		in.src = append(in.src, l.form(r, uniform))
	}
	in.ext = &recast{elemSize(v.Type), elemSize(v.Args[0].Type)}
	l.emit(in)
	if !l.mayPoison(v) {
		return
	}
	t := noReg
	for _, x := range l.taints[v.Args[0].ID] {
		switch {
		case x == noReg:
		case t == noReg:
			t = x
		default:
			t = l.op(v, kOr[uint8], uniform, 1, t, x)
		}
	}
	l.taints[v.ID] = l.share(v, repeat(l.list(int(v.Type.N)), t))
}

// dynamicElement lowers ExtractDyn and InsertDyn. It returns false for other ops.
func (l *lowerer) dynamicElement(v *ssa.Value, uniform bool) bool {
	if v.Op != ssa.OpExtractDyn && v.Op != ssa.OpInsertDyn {
		return false
	}
	size := elemSize(v.Type)
	vec, idx := v.Args[0], v.Args[1]
	index := l.comps[idx.ID][0]
	l.use(v, idx, uniform)
	if l.checks() >= exec.ChecksMemory {
		l.guard(v, kIndexGuard, uniform, index).imm = uint64(vec.Type.N)
	}
	extract := func(tab []reg, size uint8) reg {
		in := l.newInst(v, bySize(size, kExtractDyn[uint8], kExtractDyn[uint16], kExtractDyn[uint32], kExtractDyn[uint64]), uniform)
		in.keep = true
		in.d = l.newReg(size, uniform)
		in.a = l.form(index, uniform)
		for _, r := range tab {
			in.src = append(in.src, l.form(r, uniform))
		}
		l.emit(in)
		return in.d
	}
	insert := func(tab []reg, x reg, size uint8) []reg {
		regs := l.list(len(tab))
		for i, r := range tab {
			regs[i] = l.newReg(size, uniform)
			run := bySize(size, kInsertDyn[uint8], kInsertDyn[uint16], kInsertDyn[uint32], kInsertDyn[uint64])
			l.opTo(v, run, uniform, regs[i], r, index, x).imm = uint64(i)
		}
		return regs
	}
	taints := func(a *ssa.Value) []reg {
		ts := l.list(int(a.Type.N))
		for i := range ts {
			ts[i] = l.orZero(l.taint(a, i))
		}
		return ts
	}
	if v.Op == ssa.OpExtractDyn {
		l.comps[v.ID] = []reg{extract(l.comps[vec.ID], size)}
		if l.mayPoison(v) {
			l.taints[v.ID] = []reg{extract(taints(vec), 1)}
		}
		return true
	}
	l.comps[v.ID] = insert(l.comps[vec.ID], l.comps[v.Args[2].ID][0], size)
	if l.mayPoison(v) {
		l.taints[v.ID] = insert(taints(vec), taints(v.Args[2])[0], 1)
	}
	return true
}
