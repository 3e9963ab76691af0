package x86

import (
	"slices"
	"testing"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// TestLayout: blocks that go on at cold blocks are behind the hot ones, so that these need no jump around them, and
// jumps go to where control is after the jumps of empty blocks.
func TestLayout(t *testing.T) {
	c := &code{work: &workspace{}}
	block := func(cold bool) *mblock {
		b := c.newBlock(1)
		b.cold = cold
		return b
	}
	some := func() { c.emit(inst{op: asm.VZEROUPPER}) }
	entry, edge, hop, after, slow, back := block(false), block(false), block(false), block(false), block(true), block(true)
	c.place(entry)
	some()
	endBlock(c, inst{op: asm.JAE, kind: kJump}, edge)
	entry.next = hop
	c.cur = nil
	c.place(edge)
	some()
	c.jump(slow)
	c.place(hop)
	c.jump(after)
	c.place(after)
	some()
	c.emit(inst{kind: kLeave})
	c.place(slow)
	some()
	endBlock(c, inst{op: asm.JE, kind: kJump}, after)
	slow.next = back
	c.cur = nil
	c.place(back)
	c.jump(hop)
	c.Layout()
	if want := []*mblock{entry, hop, after, edge, slow, back}; !slices.Equal(c.blocks, want) {
		var ids []int
		for _, b := range c.blocks {
			ids = append(ids, b.id)
		}
		t.Errorf("order %v, want 0 2 3 1 4 5", ids)
	}
	for _, x := range []struct {
		name     string
		to, want *mblock
	}{{"jump to a jump", hop, after}, {"two jumps", back, after}, {"instructions", edge, edge}, {"a test", slow, slow}} {
		if got := x.to.end(false); got != x.want {
			t.Errorf("%s: ends at block %d, want %d", x.name, got.id, x.want.id)
		}
	}
	if hop.end(true) != hop {
		t.Error("a counted block is skipped")
	}
}
