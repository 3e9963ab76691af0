package x86

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// addresses computes the objects, bounds and offsets of accesses, and tracks which offsets are known to be in
// bounds.
type addresses struct {
	*values
	roots    *lanes.Roots
	limits   map[rootKey]reg
	ordinal  map[*ssa.Value]int // of accesses
	patterns *lanes.Patterns
	loops    map[*lanes.TestedLoop]*loop
	insides  map[*ssa.Value]*insideTest
	inBounds map[*ssa.Block][]checkedRange // by block: see merge.go
	tails    []place                       // by SSA block: before its terminator
	latches  [][]func()                    // by SSA block: code to emit at its end, for the loop
}

// An access is a [lanes.Access] with the number of the accessed object.
type access struct {
	lanes.Access
	root int // -1: not known, or private
}

// maxDisp bounds the constant part of an address on the fast paths.
const maxDisp = lanes.MaxDisp

// MaxAccesses bounds the accesses of a kernel: a worker's memory has space for the records of each.
const MaxAccesses = 1 << 17

func (l *addresses) accessOf(v *ssa.Value) (a access) {
	a.Access = l.patterns.Access(v, l.mask(l.block) != nil)
	a.root = l.roots.Number(a.Root)
	return a
}

// rootOf returns the number of the object that p points into, or -1 if it is unknown or private.
func (l *addresses) rootOf(p *ssa.Value) int { return l.roots.Number(l.facts.Root(p)) }

// A rootKey identifies a register that holds a fact of a root for the whole code.
type rootKey struct {
	what           rootFact
	root           int
	size, unit     int  // of a limit, in bytes
	write, aligned bool // of a limit; of a gatherRoot
}

// A rootFact is a kind of fact that a register holds about a root.
type rootFact uint8

const (
	rootLimit     rootFact = iota // limit
	rootReach                     // reachable
	rootLimitV                    // limitV
	rootLimitIn                   // limitIn
	rootBase                      // rootBaseReg
	alignedRoot                   // alignedBase
	misplacedRoot                 // misplaced
	gatherRoot                    // gatherBase
	privateRoot                   // privateBase
	rootElements                  // elementsIn
)

// rootFact returns the register that holds a fact of a root. The code of load computes it in the prologue, once.
func (l *addresses) rootFact(k rootKey, load func() reg) reg {
	r, ok := l.limits[k]
	if !ok {
		l.insertAt(l.pre, -1, func() { r = load() })
		l.limits[k] = r
	}
	return r
}

// limit returns the number of offsets at which size bytes are inside a root.
func (l *addresses) limit(root, size int, write bool) reg {
	return l.rootFact(rootKey{what: rootLimit, root: root, size: size, write: write}, func() reg {
		off := RootLen
		if write {
			off = RootWrites
		}
		d := l.fetch(8, rootAt(root, off))
		l.movi(rAX, 0)
		l.opi(asm.SUBIMM, 8, d, int64(size-1))
		l.op2(asm.CMOVB, 8, d, rAX)
		return d
	})
}

// rootBaseReg returns the address of a root.
func (l *addresses) rootBaseReg(root int) reg {
	return l.rootFact(rootKey{what: rootBase, root: root}, func() reg { return l.rematerialise(l.fetch(8, rootAt(root, RootBase))) })
}

// check compares the offset of the span of a regular pattern with its bounds and returns the memory operand of the
// access. slow generates the cold block for a failure. The caller must place join after the access.
func (l *addresses) check(a *access, slow func()) (m mem, join *mblock) {
	join = l.newBlock(l.cur.depth)
	c := l.patterns.Check(&a.Access, l.block)
	switch c.Where {
	case lanes.Nowhere:
		return mem{base: l.rootBaseReg(a.root), disp: int32(c.At)}, join
	case lanes.BeforeBlock:
		return l.checkedBeforeBlock(a, &c), join
	case lanes.BeforeLoop:
		if m, ok := l.checkedBeforeScaled(a, &c); ok {
			return m, join
		}
		if m, ok := l.checkedBefore(a, &c); ok {
			return m, join
		}
	}
	if !c.Fixed {
		if m, ok := l.checkScaled(a, slow, join); ok {
			return m, join
		}
	}
	off := reg(0)
	if !c.Fixed {
		off = l.offset(a)
	}
	failed := l.newBlock(l.cur.depth)
	if a.Order != nil {
		l.aligned(a.Order, failed)
	}
	if !l.opts.NoBounds {
		l.guard(a, failed)
		limit := l.limit(a.root, int(a.Bytes), a.Write)
		if c.Fixed {
			l.outOf(limit, c.At, failed)
		} else {
			l.cmp(8, off, limit)
			l.jcc(asm.JAE, failed)
		}
	}
	if a.Order != nil || !l.opts.NoBounds {
		l.aside(failed, func() {
			slow()
			l.jump(join)
		})
	}
	if c.Fixed {
		return mem{base: l.rootBaseReg(a.root), disp: int32(c.At)}, join
	}
	return mem{base: l.rootBaseReg(a.root), index: off, scale: 1}, join
}

// guard jumps to failed if a term has wrapped within the gang.
func (l *addresses) guard(a *access, failed *mblock) {
	if l.large(a.root) {
		for _, v := range l.patterns.MayHaveWrapped(&a.Access) {
			l.lastFits(v, failed)
		}
		return
	}
	for _, o := range a.Guards {
		// A term within ±maxDisp has not wrapped in any lane.
		t := l.g()
		l.lea(t, at(l.offsetG(o), maxDisp))
		l.cmpi(8, t, 2*maxDisp)
		l.jcc(asm.JAE, failed)
	}
}

// offset returns the register with the offset, in the root, of the span of all lanes. The caller must not change
// it.
func (l *addresses) offset(a *access) reg {
	disp := a.Disp + a.Low
	if len(a.Terms) == 0 {
		return l.generalConst(uint64(disp))
	}
	r, ok := l.reduced(a.Terms, l.large(a.root))
	sum := r.r
	if !ok {
		sum = l.offsetG(a.Terms[0])
		if len(a.Terms) > 1 {
			d := l.g()
			l.mov(d, sum)
			for _, o := range a.Terms[1:] {
				l.op2(asm.ADD, 8, d, l.offsetG(o))
			}
			sum = d
		}
	}
	if disp == 0 {
		return sum
	}
	d := l.g()
	l.lea(d, at(sum, int32(disp)))
	return d
}

// offsetG returns an integer, or the offset of a pointer.
func (l *addresses) offsetG(o *ssa.Value) reg {
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

// offsets returns the exact offsets of all lanes in the root, before truncation to 40 bits.
func (l *addresses) offsets(a *access) vec {
	memo := map[*ssa.Value]vec{}
	var sum vec
	for i, o := range a.Terms {
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
	if a.Disp != 0 {
		sum = l.each2(8, asm.VPADDQ, sum, l.constV(8, uint64(a.Disp)))
	}
	return sum
}

// limitV returns limit in all lanes of vectors.
func (l *addresses) limitV(root, size int, write bool) vec {
	lim := l.limit(root, size, write)
	if l.large(root) {
		lim = l.reachable(root, size, write)
	}
	b := l.rootFact(rootKey{what: rootLimitV, root: root, size: size, write: write}, func() reg { return l.broadcast(8, lim)[0] })
	return l.everywhere(b, 8)
}

// aligned jumps to failed if the first lane's number is not a multiple of the number of lanes. Otherwise the
// exclusive or permutes lanes within the gang.
func (l *addresses) aligned(f *lanes.Order, failed *mblock) {
	l.emit(inst{op: asm.TESTIMM, w: 4, rm: l.G(f.Of, 0), imm: int64(l.n - 1)})
	l.jcc(asm.JNE, failed)
}

// limitIn returns limit in units of s bytes, in all lanes of vectors.
func (l *addresses) limitIn(root, total int, write bool, s int) vec {
	lim := l.limit(root, total, write)
	b := l.rootFact(rootKey{what: rootLimitIn, root: root, size: total, unit: s, write: write}, func() reg {
		d := l.g()
		l.lea(d, at(lim, int32(s-1)))
		if s > 1 {
			l.opi(asm.SHRIMM, 8, d, int64(bits.TrailingZeros(uint(s))))
		}
		return l.broadcast(4, d)[0]
	})
	return l.everywhere(b, 4)
}

// alignedBase returns the address of a root, rounded down to a multiple of 4.
func (l *addresses) alignedBase(root int) reg {
	return l.rootFact(rootKey{what: alignedRoot, root: root}, func() reg {
		d := l.fetch(8, rootAt(root, RootBase))
		l.opi(asm.ANDIMM, 8, d, -4)
		return d
	})
}

// misplaced returns the distance of a root from alignedBase.
func (l *addresses) misplaced(root int) vec {
	r := l.rootFact(rootKey{what: misplacedRoot, root: root}, func() reg {
		d := l.fetch(8, rootAt(root, RootBase))
		l.opi(asm.ANDIMM, 8, d, 3)
		return l.broadcast(4, d)[0]
	})
	return l.everywhere(r, 4)
}

// outOf jumps to failed if a constant offset is not below the limit.
func (l *addresses) outOf(limit reg, at int64, failed *mblock) {
	if at < 0 {
		l.cmpi(8, limit, 0) // always
		l.jcc(asm.JAE, failed)
		return
	}
	l.cmpi(8, limit, at)
	l.jcc(asm.JBE, failed)
}

// asGang generates f's code with the frame of v's gang, which records of violations refer to.
func (l *addresses) asGang(v *ssa.Value, f func()) {
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

// findRoots numbers the known memory objects.
func (l *addresses) findRoots() {
	l.roots = lanes.FindRoots(l.plan.F, l.plan.Order)
	for _, v := range l.roots.List {
		r := Root{Param: -1, Alloca: -1}
		switch v.Op {
		case ssa.OpGlobalAddr:
			r.Global = v.Sym.(*ssa.Global)
		case ssa.OpAlloca:
			r.Alloca = len(l.out.Allocas)
			l.out.Allocas = append(l.out.Allocas, v)
		default:
			r.Param = int(v.Aux)
		}
		l.out.Roots = append(l.out.Roots, r)
	}
}
