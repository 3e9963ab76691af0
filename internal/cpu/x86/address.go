package x86

import (
	"math/bits"

	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// addresses computes the addresses and bounds of roots.
type addresses struct {
	*values
	limits map[rootKey]reg
}

// MaxAccesses bounds the accesses of a kernel: a worker's memory has space for the records of each.
const MaxAccesses = 1 << 17

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
	privateRoot                   // privateMemory
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

// limitV returns limit in all lanes of vectors.
func (l *addresses) limitV(root, size int, write bool) vec {
	lim := l.reachable(root, size, write)
	b := l.rootFact(rootKey{what: rootLimitV, root: root, size: size, write: write}, func() reg { return l.broadcast(8, lim)[0] })
	return l.everywhere(b, 8)
}

// limitIn returns limit in units of s bytes, in all lanes of vectors.
func (l *addresses) limitIn(root, total int, write bool, s int) vec {
	n := l.elementsIn(root, total, write, bits.TrailingZeros(uint(s)))
	b := l.rootFact(rootKey{what: rootLimitIn, root: root, size: total, unit: s, write: write}, func() reg { return l.broadcast(4, n)[0] })
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

// inFrame generates f's code with the frame of gang k of the work-group, whose first local id in dimension 0 is first.
func (l *builder) inFrame(k int, first uint64, f func()) {
	id := l.fetch(8, frameAt(FrameGlobal))
	l.opi(asm.ADDIMM, 8, id, int64(first))
	to := l.fetch(8, ctxAt(CtxStride))
	l.emit(inst{op: asm.IMULIMM, w: 8, fl: fDefReg, reg: to, rm: to, imm: int64(k)})
	l.op2(asm.ADD, 8, rFrame, to)
	l.st(frameAt(FrameGlobal), 8, id)
	f()
	l.ld(rFrame, 8, ctxAt(CtxFirst))
}

// elementsIn returns the number of elements of a root that an access of size bytes may begin at, 1 << shift bytes apart.
func (l *addresses) elementsIn(root, size int, write bool, shift int) reg {
	limit := l.limit(root, size, write)
	if shift == 0 {
		return limit
	}
	return l.rootFact(rootKey{what: rootElements, root: root, size: size, unit: 1 << shift, write: write}, func() reg {
		d := l.g()
		l.lea(d, at(limit, 1<<shift-1))
		l.opi(asm.SHRIMM, 8, d, int64(shift))
		return d
	})
}

// Objects of MaxObject bytes and more. Code for other objects relies on their size in two ways: an offset
// from a 32-bit index that wraps within a gang is out of bounds, and offsets fit 32 bits. A gang function for large objects
// tests whether indices wrap, and gathers within the first 4 GiB of an object. A stub accesses lanes beyond these
// one by one.

// MaxObject is the size in bytes from which objects need gang.Options.Large.
const MaxObject = gang.MaxObject

// MaxLarge is the size in bytes from which machine code does not support objects.
const MaxLarge = 1 << 39

// largeReach bounds the offsets in a large object that a gather can reach: they are 32-bit numbers relative to
// largeMiddle, and an access ends below 4 GiB.
const (
	largeMiddle = 1 << 31
	largeReach  = 1<<32 - 256
)

// large reports whether a root may have MaxObject bytes or more.
func (l *addresses) large(root int) bool { return root >= 0 && l.f.Roots[root].Large }

// gatherBase returns the base address of the offsets from offsets32. aligned selects alignedBase instead of the
// address of the root.
func (l *addresses) gatherBase(root int, aligned bool) reg {
	base := l.rootBaseReg
	if aligned {
		base = l.alignedBase
	}
	if !l.large(root) {
		return base(root)
	}
	from := base(root)
	return l.rootFact(rootKey{what: gatherRoot, root: root, aligned: aligned}, func() reg {
		d := l.newConst(largeMiddle)
		l.op2(asm.ADD, 8, d, from)
		return d
	})
}

// reachable returns limit, for a large root the smaller of it and largeReach.
func (l *addresses) reachable(root, size int, write bool) reg {
	lim := l.limit(root, size, write)
	if !l.large(root) {
		return lim
	}
	return l.rootFact(rootKey{what: rootReach, root: root, size: size, write: write}, func() reg {
		d := l.copyG(lim)
		l.movi(rAX, largeReach)
		l.cmp(8, rAX, d)
		l.op2(asm.CMOVB, 8, d, rAX)
		return d
	})
}
