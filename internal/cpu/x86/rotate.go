package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// rotate rotates loops. If a loop begins with its test and ends with a jump back to it, the test moves to the end:
// each iteration executes one jump less, and the entry one more. blocks are the hot blocks in layout order.
func rotate(blocks []*mblock) []*mblock {
	for i, b := range blocks {
		b.order = i
	}
	var ends []*mblock // by index of a block: the last block that jumps back to it
	for j, b := range blocks {
		if h := goesOn(b); h != nil && h.order < j && blocks[h.order] == h {
			if ends == nil {
				ends = make([]*mblock, len(blocks))
			}
			ends[h.order] = b
		}
	}
	// Inner loops come after outer ones, and the blocks of a loop are contiguous.
	for i := len(ends) - 1; i >= 0; i-- {
		if ends[i] == nil {
			continue
		}
		n := 1 + slices.Index(blocks[i:], ends[i])
		if testLast(blocks[i:i+n]) && len(blocks[i].insts) == 0 {
			blocks = slices.Delete(blocks, i, i+1)
		}
	}
	return blocks
}

// goesOn returns the only successor of b, nil if there are several.
func goesOn(b *mblock) *mblock {
	if n := len(b.insts); n > 0 && (b.insts[n-1].kind == kJump || closed(b)) {
		if b.insts[n-1].op == asm.JMP {
			return b.target
		}
		return nil
	}
	return b.next
}

// testLast rotates a loop and reports whether it did. The first block may then be empty and unreachable.
func testLast(loop []*mblock) bool {
	for k, b := range loop[:len(loop)-1] {
		if goesOn(b) == loop[k+1] {
			continue
		}
		if goesOn(b) != nil || closed(b) || b.next != loop[k+1] {
			return false
		}
		test := &b.insts[len(b.insts)-1]
		if b.target.cold || slices.Contains(loop, b.target) {
			continue // a failed check, or a forward jump
		}
		op, ok := inverse[test.op]
		if !ok {
			return false
		}
		top := b.next
		test.op, b.target, b.next = op, top, b.target
		if to := goesOn(top); to != nil && (len(top.insts) == 0 || len(top.insts) == 1 && closed(top)) {
			// jcc has replaced the fall-through to the block after the test by a jump.
			b.target, top.insts, top.next, top.target = to, nil, nil, nil
		}
		b.target.align, loop[0].align = loop[0].align, false
		slices.Reverse(loop[:k+1])
		slices.Reverse(loop[k+1:])
		slices.Reverse(loop)
		return true
	}
	return false
}
