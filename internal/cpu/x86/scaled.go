package x86

import (
	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// Elements by number in scalar code. If the offset of an access is a number times 2, 4 or 8, the instruction multiplies,
// and the bounds check compares the number with the number of elements. Counters of loops are such numbers, so that
// their accesses need no registers of their own.

// elementsIn returns the number of elements of a root that an access of size bytes may begin at, 1 << shift bytes apart.
func (l *addresses) elementsIn(root, size int, write bool, shift int) reg {
	limit := l.limit(root, size, write)
	return l.rootFact(rootKey{what: rootElements, root: root, size: size, unit: 1 << shift, write: write}, func() reg {
		d := l.g()
		l.lea(d, at(limit, 1<<shift-1))
		l.opi(asm.SHRIMM, 8, d, int64(shift))
		return d
	})
}
