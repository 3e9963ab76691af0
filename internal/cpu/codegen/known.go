package codegen

import (
	"github.com/purecl/purecl/internal/cpu/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Code for work-groups of known size (package spmd, unfold.go): local ids are constants
// plus the number of the lane, addresses in local memory too, and those of variables are
// in bounds for certain.

// known notes that v follows from the number of the lane alone: no code is made for it
// until somebody wants it in a register.
func (l *lowerer) known(v *ssa.Value) bool {
	if !l.plan.Unfolded || v.Type.N != 1 || v.Type.K == ssa.Bool || v.Type.K.IsPtr() || !inGeneral(v.Type.K) || size(v.Type.K) < 4 || v.IsConst() {
		return false
	}
	if !l.plan.Facts.AllLanes(v) {
		return false
	}
	first, stride := l.plan.Facts.Of(v).First, l.plan.Facts.Of(v).Stride
	x := &l.vals[v.ID]
	x.known, x.first = true, first
	x.affine, x.stride = stride != 0, stride
	x.clean = min(first, first+stride*int64(l.n-1)) >= 0 && max(first, first+stride*int64(l.n-1)) < 1<<31
	return true
}

// knownBits returns the bits of a known value, or of its first lane.
func (l *lowerer) knownBits(v *ssa.Value) uint64 {
	return uint64(l.vals[v.ID].first) & ones(8*size(v.Type.K))
}

// knownV returns a known value in vectors.
func (l *lowerer) knownV(v *ssa.Value) vec {
	x, sz := &l.vals[v.ID], size(v.Type.K)
	if x.stride == 0 {
		return l.constV(sz, l.knownBits(v))
	}
	per := int(l.lv.VL) / sz
	p := make(vec, l.parts(sz))
	for k := range p {
		buf := make([]byte, 0, l.lv.VL)
		for i := range per {
			n := uint64(x.first + int64(k*per+i)*x.stride)
			for j := range sz {
				buf = append(buf, byte(n>>(8*j)))
			}
		}
		p[k] = l.table(l.lv.VL, buf)
	}
	return p
}

// knownOffset returns the first lane's offset in the root, if it is a constant.
func (l *lowerer) knownOffset(a *address) (at int64, ok bool) {
	at = a.disp
	for _, o := range a.offs {
		x := &l.vals[l.real(o).ID]
		if !x.known {
			return 0, false
		}
		at += x.first
	}
	return at, at <= maxDisp && at >= -maxDisp
}

// inside reports whether n bytes from an offset on are certainly in the root: in a variable
// in local memory, which has its size in every launch.
func (l *lowerer) inside(root int, at int64, n int) bool {
	g := l.out.Roots[root].Global
	return g != nil && g.Kind == ssa.PtrLocal && at >= 0 && at+int64(n) <= g.Size
}

// A sameLoad names what a load from a variable finds.
type sameLoad struct {
	root       int
	at, stride int64
	t          ssa.Type
}

// loadedBefore makes v what an equal load, which cannot fail either, has found in this block
// since the last store: gangs that are side by side load what they share once.
func (l *lowerer) loadedBefore(v *ssa.Value, a *address, step int) bool {
	if !l.plan.Unfolded || a.root < 0 || v.Flags&ssa.Volatile != 0 {
		return false
	}
	at, ok := l.knownOffset(a)
	n := v.Type.Size()
	if a.stride != 0 {
		n = step * l.n
	}
	if !ok || a.stride != 0 && a.stride != int64(step) || !l.inside(a.root, at, n) {
		return false
	}
	k := sameLoad{a.root, at, a.stride, v.Type}
	if o := l.loaded[k]; o != nil {
		l.noteAgain(v, a, o)
		x, y := &l.vals[v.ID], &l.vals[o.ID]
		x.g, x.v, x.k, x.f = y.g, y.v, y.k, y.f
		return true
	}
	if l.loaded == nil {
		l.loaded = map[sameLoad]*ssa.Value{}
	}
	l.loaded[k] = v
	return false
}

// outOf leaves for failed where a constant offset is not below the limit.
func (l *lowerer) outOf(limit reg, at int64, failed *mblock) {
	if at < 0 {
		l.cmpi(8, limit, 0) // always
		l.jcc(asm.JAE, failed)
		return
	}
	l.cmpi(8, limit, at)
	l.jcc(asm.JBE, failed)
}

// asGang makes f's code with the frame of the gang whose v is, as records of violations want
// it.
func (l *lowerer) asGang(v *ssa.Value, f func()) {
	k := l.plan.Gang(v)
	if k == 0 {
		f()
		return
	}
	id, to := l.g(), l.g()
	l.ld(id, 8, frameAt(FrameGlobal))
	l.opi(asm.ADDIMM, 8, id, int64(l.plan.FirstID(k)))
	l.ld(to, 8, ctxAt(CtxStride))
	l.emit(inst{op: asm.IMULIMM, w: 8, fl: fDefReg, reg: to, rm: to, imm: int64(k)})
	l.op2(asm.ADD, 8, rFrame, to)
	l.st(frameAt(FrameGlobal), 8, id)
	f()
	m := ctxAt(CtxFirst)
	m.on = true
	l.emit(inst{op: asm.MOVL, w: 8, fl: fDefReg, reg: rFrame, m: m})
}

// loadActive loads elements side by side for the lanes of a mask where the whole gang's
// are not in bounds: those between the first active lane and the last, if they are. Else
// slow does it.
func (l *lowerer) loadActive(a *address, raw vec, es int, m mask, slow func()) {
	if len(a.guards) > 0 || l.large(a.root) {
		slow()
		return
	}
	limit := l.limit(a.root, es, false)
	off := l.offset(a)
	hard, join := l.newBlock(l.cur.depth), l.newBlock(l.cur.depth)
	hard.cold, join.cold = true, true
	end := func(op asm.Op) {
		d := l.g()
		l.emit(inst{op: op, w: 8, fl: fDefReg, reg: d, rm: rAX})
		if op == asm.LZCNT {
			l.opi(asm.XORIMM, 8, d, 63)
		}
		l.emit(inst{op: asm.IMULIMM, w: 8, fl: fDefReg, reg: d, rm: d, imm: int64(es)})
		l.op2(asm.ADD, 8, d, off)
		l.cmp(8, d, limit)
		l.jcc(asm.JAE, hard)
	}
	l.maskBits(m)
	end(asm.TZCNT)
	end(asm.LZCNT)
	l.loadMasked(mem{base: l.rootBaseReg(a.root), index: off, scale: 1}, raw, es, m)
	l.jump(join)
	l.cur = nil
	l.place(hard)
	slow()
	l.jump(join)
	l.cur = nil
	l.place(join)
}

// loadMasked loads one element for each lane of m; the others' are 0.
func (l *lowerer) loadMasked(q mem, p vec, es int, m mask) {
	w := l.width(es)
	q.on = true
	for i, r := range p {
		if l.lv.AVX512 {
			ops := [9]asm.Op{1: asm.VMOVDQU8, 2: asm.VMOVDQU16, 4: asm.VMOVDQU32, 8: asm.VMOVDQU64}
			l.emit(inst{op: ops[es], w: w, fl: fDefReg, reg: r, m: q, mask: l.partMask(m, es, i), zero: true})
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
