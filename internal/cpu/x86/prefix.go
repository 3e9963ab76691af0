package x86

import "github.com/purecl/purecl/internal/cpu/gang"

// The last steps of a tree reduction over a work-group execute in the first lanes of one gang: if (l < 8) t[l] +=
// t[l + 8]. If local ids are known, so is the mask, and the lanes access the low part of a register. It is loaded
// and stored without a mask. The load of the next step then lies within the previous store, and the processor
// forwards the stored data. A load of a whole register would wait until the store has reached the cache.

// lowMove returns n if a move of the low n bytes of a register exists, else 0.
func (l *builder) lowMove(n int) int {
	switch n {
	case 4, 8, 16, 32:
		if n < int(l.lv.VL) {
			return n
		}
	}
	return 0
}

// lowBytes returns the number of bytes of a contiguous access of the first lanes if a single move performs it, else 0.
func (s *objects) lowBytes(i *gang.Inst, es int) int {
	if i.Aux == 0 || i.Mask == 0 || s.arithmetic.parts(es) != 1 {
		return 0
	}
	return s.lowMove(int(i.Aux) * es)
}
