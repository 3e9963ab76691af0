package x86

import (
	"github.com/purecl/purecl/internal/cpu/lanes"
	"github.com/purecl/purecl/internal/cpu/x86/asm"
	"github.com/purecl/purecl/internal/ir/ssa"
)

// Objects of MaxObject bytes and more. Code without Options.Large counts on smaller ones
// twice: an index of 32 bits that wraps within a gang is out of bounds, and so is the
// offset made of it; and offsets fit into 32 bits. Code with it asks whether indices wrap,
// and gathers within the first 4 GiB of an object; lanes beyond are done one by one.

// MaxObject is the size from which on objects need Options.Large.
const MaxObject = lanes.MaxObject

// MaxLarge is the size from which on there is no code for objects.
const MaxLarge = 1 << 39

// largeReach is up to where offsets of a large object are numbers of 32 bits, counted from
// largeMiddle: an access there ends before 4 GiB.
const (
	largeMiddle = 1 << 31
	largeReach  = 1<<32 - 256
)

// large reports whether a root may be of MaxObject bytes and more.
func (l *addresses) large(root int) bool {
	if !l.opts.Large || root < 0 {
		return false
	}
	return l.facts.Large(l.roots.List[root])
}

// lastFits leaves for failed where the last lane of an affine number of 32 bits is not in
// its range.
func (l *addresses) lastFits(v *ssa.Value, failed *mblock) {
	span := l.facts.Of(v).Stride * int64(l.n-1)
	least := int64(0)
	if v.Type.K.Num().Signed() {
		least = -1 << 31
	}
	last := l.g()
	if span < 0 {
		l.lea(last, at(l.widened(v), int32(span)))
		l.cmpi(8, last, least)
		l.jcc(asm.JL, failed)
		return
	}
	// The greatest is 2³¹ - 1, of unsigned numbers moved down to that.
	l.lea(last, at(l.widened(v), int32(span-(least+1<<31))))
	l.cmpi(8, last, 1<<31-1)
	l.jcc(asm.JG, failed)
}

// gatherBase returns the address that the numbers of offsets32 count from; aligned asks
// for alignedBase instead of the root's.
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

// reachable returns limit, or largeReach where that is less, for a large root.
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
