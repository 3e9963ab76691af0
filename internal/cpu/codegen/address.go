package codegen

import (
	"github.com/purecl/purecl/internal/cpu/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// An address is a pointer taken apart: a known object plus offsets.
type address struct {
	ptr    *ssa.Value
	root   int          // -1: not known
	offs   []*ssa.Value // integers, and pointers into the root of which the offset counts
	disp   int64
	even   bool  // uniform or affine
	stride int64 // between lanes, of an affine one
	// guarded says that the address is even if none of guards, terms that were extended from
	// fewer bits, has wrapped within the gang: beside another term that might be in bounds.
	guarded bool
	guards  []*ssa.Value
	flip    *flip // lanes are at equal distances, even or guarded, but in this order
}

// regular reports whether lanes are at equal distances, for accesses that check does.
func (a *address) regular() bool { return a.even || a.guarded }

// maxDisp bounds the constant part of an address on the fast paths. Objects are smaller
// than MaxObject, except for code that asks (large.go), so that a narrow index that wraps
// within a gang is out of bounds for certain.
const maxDisp = 1 << 29

// MaxAccesses is the greatest number of accesses of a kernel: there is room for
// the records of each in the memory of a worker.
const MaxAccesses = 1 << 17

func (l *lowerer) address(p *ssa.Value) (a address) {
	a = address{ptr: p, root: l.rootOf(p), even: true}
	vary := false
	add := func(o *ssa.Value) {
		// A gang's offset, as the first gang's and a constant (package spmd, unfold.go).
		for l.plan.Unfolded && o.Op == ssa.OpAdd && size(o.Type.K) == 8 && o.Args[1].IsConst() && !l.vals[o.ID].known && !l.vals[o.ID].unsure {
			a.disp += int64(o.Args[1].ConstElem(0))
			o = l.real(o.Args[0])
		}
		a.offs = append(a.offs, o)
		if l.plan.Varying[o.ID] {
			x := &l.vals[o.ID]
			a.even = a.even && x.affine && (!vary || sameFlip(a.flip, x.flip))
			a.stride += x.stride
			a.flip, vary = x.flip, true
		}
	}
walk:
	for {
		switch p.Op {
		case ssa.OpPtrAdd:
			if off := p.Args[1]; off.IsConst() {
				a.disp += int64(off.ConstElem(0))
			} else {
				add(off)
			}
			p = p.Args[0]
		case ssa.OpPtrCast:
			if fromGeneric(p) {
				break walk
			}
			p = p.Args[0]
		case ssa.OpParam, ssa.OpGlobalAddr, ssa.OpAlloca:
			break walk
		default:
			if a.root >= 0 {
				add(p)
			}
			break walk
		}
	}
	if len(a.offs) > 1 || l.large(a.root) {
		for _, o := range a.offs {
			if l.vals[o.ID].unsure {
				a.guards = append(a.guards, o)
			}
		}
		a.guarded = a.even && len(a.guards) > 0
		a.even = a.even && len(a.guards) == 0
	}
	if a.disp > maxDisp || a.disp < -maxDisp {
		a.root = -1
	}
	if a.flip != nil {
		if !a.regular() {
			a.flip = nil
		}
		a.even, a.guarded = false, false
	}
	return a
}

// rootOf returns the number of the object that p points into, or -1 where it is not
// known or private: through phis and selects, if all ways come from one object.
func (l *lowerer) rootOf(p *ssa.Value) int {
	if r, ok := l.rootsOf[p]; ok {
		return r
	}
	const open = -2 // is being asked for
	r := -1
	switch p.Op {
	case ssa.OpParam:
		r = l.roots[p]
	case ssa.OpGlobalAddr:
		r = l.roots[p.Sym.(*ssa.Global)]
	case ssa.OpPtrAdd:
		r = l.rootOf(p.Args[0])
	case ssa.OpPtrCast:
		if !fromGeneric(p) {
			r = l.rootOf(p.Args[0])
		}
	case ssa.OpPhi, ssa.OpSelect:
		l.rootsOf[p] = open
		args := p.Args
		if p.Op == ssa.OpSelect {
			args = args[1:]
		}
		r = open
		for _, a := range args {
			switch q := l.rootOf(a); {
			case q == open || q == r:
			case r == open:
				r = q
			default:
				r = -1
			}
			if r == -1 {
				break
			}
		}
		delete(l.rootsOf, p)
		if r == open {
			return open // of a cycle: whoever asked first will know
		}
	}
	if r == open {
		return open
	}
	l.rootsOf[p] = r
	return r
}

// limit returns the register with the number of offsets at which so many bytes of a
// root are in bounds.
func (l *lowerer) limit(root, size int, write bool) reg {
	k := limitKey{root, size, write}
	if r, ok := l.limits[k]; ok {
		return r
	}
	var d reg
	off := RootLen
	if write {
		off = RootWrites
	}
	l.insertAt(l.pre, -1, func() {
		d = l.g()
		l.ld(d, 8, rootAt(root, off))
		l.movi(rAX, 0)
		l.opi(asm.SUBIMM, 8, d, int64(size-1))
		l.op2(asm.CMOVB, 8, d, rAX)
	})
	l.limits[k] = d
	return d
}

// rootBaseReg returns the address of a root.
func (l *lowerer) rootBaseReg(root int) reg {
	k := limitKey{root, -1, false}
	if r, ok := l.limits[k]; ok {
		return r
	}
	r := l.inPrologueLoad(rootAt(root, RootBase))
	l.limits[k] = r
	return r
}

// check compares the offset of the first lane (of a flipped address: of place 0) with the
// bounds of n bytes from there on and returns the operand for them; slow, in a cold block,
// is for a failure. The code that follows must be placed at join.
func (l *lowerer) check(a *address, n int, write bool, slow func()) (m mem, join *mblock) {
	join = l.newBlock(l.cur.depth)
	fixed, known := l.knownOffset(a)
	if known && l.inside(a.root, fixed, n) {
		return mem{base: l.rootBaseReg(a.root), disp: int32(fixed)}, join
	}
	if m, ok := l.checkedTogether(a, n, write); ok {
		return m, join
	}
	off := reg(0)
	if !known {
		if m, ok := l.checkedBefore(a, n, write); ok {
			return m, join
		}
		off = l.offset(a)
	}
	failed := l.newBlock(l.cur.depth)
	failed.cold = true
	if a.flip != nil {
		l.aligned(a.flip, failed)
	}
	if !l.opts.NoBounds {
		for _, o := range a.guards {
			if l.large(a.root) {
				l.unwrapped(o, failed, map[*ssa.Value]bool{})
				continue
			}
			// Within ±maxDisp a term has not wrapped, in no lane.
			t := l.g()
			l.lea(t, at(l.offsetG(o), maxDisp))
			l.cmpi(8, t, 2*maxDisp)
			l.jcc(asm.JAE, failed)
		}
		if known {
			l.outOf(l.limit(a.root, n, write), fixed, failed)
		} else {
			l.cmp(8, off, l.limit(a.root, n, write))
			l.jcc(asm.JAE, failed)
		}
	}
	if a.flip != nil || !l.opts.NoBounds {
		saved := l.cur
		l.cur = nil
		l.place(failed)
		slow()
		l.jump(join)
		l.cur = saved
	}
	if known {
		return mem{base: l.rootBaseReg(a.root), disp: int32(fixed)}, join
	}
	return mem{base: l.rootBaseReg(a.root), index: off, scale: 1}, join
}

// offset returns the register with the first lane's offset in the root, which must not
// be changed.
func (l *lowerer) offset(a *address) reg {
	if len(a.offs) == 0 {
		return l.generalConst(uint64(a.disp))
	}
	r, ok := l.reduced(a.offs, l.large(a.root))
	sum := r.r
	if !ok {
		sum = l.offsetG(a.offs[0])
		if len(a.offs) > 1 {
			d := l.g()
			l.mov(d, sum)
			for _, o := range a.offs[1:] {
				l.op2(asm.ADD, 8, d, l.offsetG(o))
			}
			sum = d
		}
	}
	if a.disp == 0 {
		return sum
	}
	d := l.g()
	l.lea(d, at(sum, int32(a.disp)))
	return d
}

// offsetG returns an integer, or the offset of a pointer.
func (l *lowerer) offsetG(o *ssa.Value) reg {
	o = l.real(o)
	g := l.G(o, 0)
	if !o.Type.K.IsPtr() {
		return g
	}
	x := &l.vals[o.ID]
	if x.offset == 0 {
		l.anchored(o, func() {
			d := l.g()
			l.mov(d, g)
			l.op2(asm.AND, 8, d, l.offsetMask())
			x.offset = d
		})
	}
	return x.offset
}

func (l *lowerer) offsetMask() reg {
	return l.generalConst(ssa.OffsetMask)
}

func (l *lowerer) generalConst(bits uint64) reg {
	return l.inPrologue(constKey{kind: keyGeneral, bits: bits}, func() reg {
		d := l.g()
		l.movi(d, bits)
		return l.rematerialise(d)
	})
}

// exact returns an integer or pointer in vectors, made here: it does not trust affine
// values that a wrapped sum makes wrong, and leaves nothing in the hot code.
func (l *lowerer) exact(v *ssa.Value, memo map[*ssa.Value]vec) vec {
	v = l.real(v)
	if p, ok := memo[v]; ok {
		return p
	}
	x := &l.vals[v.ID]
	sz := size(v.Type.K)
	var p vec
	switch {
	case v.IsConst():
		p = l.constV(sz, v.ConstElem(0))
	case !l.plan.Varying[v.ID]:
		p = l.broadcast(sz, l.scalarHere(v, nil, map[*ssa.Value]reg{}))
	case x.v != nil && x.v[0] != nil:
		p = x.v[0]
	case v.Op == ssa.OpPtrCast && !fromGeneric(v):
		p = l.exact(v.Args[0], memo)
	case v.Op == ssa.OpPtrAdd:
		p = l.ptrAdd(l.exact(v.Args[0], memo), l.exact(v.Args[1], memo))
	case x.affine && !x.sure(), x.lazy && l.cur.cold:
		saved := make([][]vec, len(v.Args))
		for i, a := range v.Args {
			q := l.exact(a, memo)
			y := &l.vals[l.real(a).ID]
			saved[i], y.v = y.v, []vec{q}
		}
		p = l.vectorOp(v, 0)
		for i := len(v.Args) - 1; i >= 0; i-- {
			l.vals[l.real(v.Args[i]).ID].v = saved[i]
		}
	case x.affine:
		p = l.alongLanes(v, l.broadcast(sz, l.scalarHere(v, nil, map[*ssa.Value]reg{})), l.ramp(sz, x.stride))
	default:
		p = l.V(v, 0)
	}
	memo[v] = p
	return p
}

// scalarHere computes a uniform value, or the first lane's of an affine one, here, from
// values that are no simple arithmetic. Phis of the loop's header stand for what they
// are on entry, if a loop is given.
func (l *lowerer) scalarHere(v *ssa.Value, entry *loop, memo map[*ssa.Value]reg) reg {
	v = l.real(v)
	if r, ok := memo[v]; ok {
		return r
	}
	var r reg
	switch {
	case l.vals[v.ID].known:
		r = l.G(v, 0)
	case entry != nil && v.Op == ssa.OpPhi && v.Block == entry.Header:
		r = l.G(v.Args[entry.in], 0)
	case entry != nil && l.invariant(v, entry) || !l.repeatable(v):
		r = l.G(v, 0)
	default:
		saved := make([]reg, len(v.Args))
		for i, a := range v.Args {
			if a.IsConst() {
				continue
			}
			q := l.scalarHere(a, entry, memo)
			y := &l.vals[l.real(a).ID]
			if y.g == nil {
				y.g = make([]reg, 1)
			}
			saved[i], y.g[0] = y.g[0], q
		}
		r = l.scalarOp(v, 0)
		for i := len(v.Args) - 1; i >= 0; i-- {
			if a := v.Args[i]; !a.IsConst() {
				l.vals[l.real(a).ID].g[0] = saved[i]
			}
		}
	}
	memo[v] = r
	return r
}

// repeatable reports whether v is simple scalar arithmetic.
func (l *lowerer) repeatable(v *ssa.Value) bool {
	if v.Type.N != 1 || !inGeneral(v.Type.K) || v.Type.K == ssa.Bool {
		return false
	}
	if l.plan.Varying[v.ID] && !l.vals[v.ID].affine {
		return false
	}
	switch v.Op {
	case ssa.OpAdd, ssa.OpSub, ssa.OpMul, ssa.OpShl, ssa.OpCopy, ssa.OpBitcast, ssa.OpPtrAdd, ssa.OpPtrCast, ssa.OpConvert:
		for _, a := range v.Args {
			if !inGeneral(a.Type.K) || a.Type.N != 1 {
				return false
			}
		}
		return generalOp(v)
	}
	return false
}

// offsets returns the exact offsets of all lanes in the root, not yet cut to 40 bits.
func (l *lowerer) offsets(a *address) vec {
	memo := map[*ssa.Value]vec{}
	var sum vec
	for i, o := range a.offs {
		p := l.exact(o, memo)
		if o.Type.K.IsPtr() {
			p = l.each2(8, asm.VPAND, p, l.constV(8, ssa.OffsetMask))
		}
		if i == 0 {
			sum = p
		} else {
			sum = l.each2(8, asm.VPADDQ, sum, p)
		}
	}
	if a.disp != 0 {
		sum = l.each2(8, asm.VPADDQ, sum, l.constV(8, uint64(a.disp)))
	}
	return sum
}
