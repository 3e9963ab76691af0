package x86

import (
	"github.com/purecl/purecl/internal/cpu/gang"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

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
		d := l.g()
		l.movi(d, largeMiddle)
		l.op2(asm.ADD, 8, d, from)
		return d
	})
}

// reachable returns the smaller of limit and largeReach for a large root.
func (l *addresses) reachable(root, size int, write bool) reg {
	lim := l.limit(root, size, write)
	return l.rootFact(rootKey{what: rootReach, root: root, size: size, write: write}, func() reg {
		d := l.g()
		l.mov(d, lim)
		l.movi(rAX, largeReach)
		l.cmp(8, rAX, d)
		l.op2(asm.CMOVB, 8, d, rAX)
		return d
	})
}
