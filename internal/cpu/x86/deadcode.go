package x86

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/x86/asm"
)

// effect reports whether an instruction has effects other than its result.
func (i *inst) effect() bool {
	return i.kind != kNormal || i.fl&(fDefReg|fDefRM) == 0 || i.m.on && i.fl&fDefRM != 0
}

// removeDead removes instructions whose results are unused, and loads that others can do.
func (c *code) removeDead() {
	count := zeroed(c.work.count, c.regs.NumRegs())
	c.work.count = count
	var list named
	for _, b := range c.blocks {
		for k := range b.insts {
			i := &b.insts[k]
			for _, v := range i.virtual(i.mayRead(), &list) {
				count[v]++
			}
		}
	}
	empty := c.dropUnread(count)
	if m := (&maskFolder{code: c, reads: count}); m.fold() {
		c.dropUnread(count)
		empty = true
	}
	if folded := c.foldVectorLoads(count); !folded && !empty {
		return
	}
	for _, b := range c.blocks {
		n := 0
		for k := range b.insts {
			if i := &b.insts[k]; i.kind == kNormal && i.op == asm.NoOp {
				continue
			}
			if n != k {
				b.insts[n] = b.insts[k]
			}
			n++
		}
		b.insts = b.insts[:n]
	}
}

// dropUnread replaces each instruction whose result is not read by a NoOp. It updates count, the reads of each register. It
// reports whether there are NoOps.
func (c *code) dropUnread(count []int32) (empty bool) {
	var list named
	stays := zeroed(c.work.stays, len(count)) // the registers that an instruction writes which the pass has kept
	c.work.stays = stays
	for again := true; again; {
		again = false
		clear(stays)
		for bi := len(c.blocks) - 1; bi >= 0; bi-- {
			b := c.blocks[bi]
			for k := len(b.insts) - 1; k >= 0; k-- {
				i := &b.insts[k]
				if i.kind != kNormal {
					continue
				}
				if i.op == asm.NoOp {
					empty = true
					continue
				}
				if i.effect() {
					continue
				}
				writes := i.writes()
				if !i.unread(writes, count) {
					for _, v := range i.virtual(writes, &list) {
						stays[v] = true
					}
					continue
				}
				for _, v := range i.virtual(i.mayRead(), &list) {
					count[v]--
					again = again || stays[v] // perhaps it need not stay
				}
				i.op = asm.NoOp
				empty = true
			}
		}
	}
	return empty
}

// unread reports whether no other instruction reads i's results, at these places; count has the reads of each register.
func (i *inst) unread(writes places, count []int32) bool {
	for p := writes; p != 0; p &= p - 1 {
		d := *i.field(p & -p)
		if d <= 0 || count[d] > 1 || count[d] == 1 && !i.names(i.mayRead(), d) {
			return false
		}
	}
	return true
}

// names reports whether d is an operand at one of these places.
func (i *inst) names(p places, d reg) bool {
	for ; p != 0; p &= p - 1 {
		if *i.field(p & -p) == d {
			return true
		}
	}
	return false
}

// jumpsTo returns the target of the jump at the end of b, or nil.
func (b *mblock) jumpsTo() *mblock {
	if n := len(b.insts); n > 0 && b.insts[n-1].kind == kJump {
		return b.target
	}
	return nil
}

// joinBlocks joins blocks that only follow each other.
func (c *code) joinBlocks() {
	refs := zeroed(c.work.refs, len(c.blocks)) // by block: how many others continue at it
	c.work.refs = refs
	for k, b := range c.blocks {
		b.order = k
	}
	for _, b := range c.blocks {
		if b.next != nil {
			refs[b.next.order]++
		}
		if b.target != nil {
			refs[b.target.order]++
		}
	}
	for k, b := range c.blocks {
		for refs[k] >= 0 {
			n := b.next
			if n == nil || n == b || refs[n.order] != 1 || closed(b) || b.jumpsTo() != nil || n.cold != b.cold || n.depth != b.depth || n.from.InnermostLoop() != b.from.InnermostLoop() || n.once != b.once || n.align {
				break
			}
			refs[n.order] = -1
			if len(b.insts) == 0 {
				b.insts = n.insts
			} else {
				b.insts = append(c.work.insts.Extend(b.insts, len(n.insts)), n.insts...)
			}
			b.next, b.target = n.next, n.target
		}
	}
	c.blocks = slices.DeleteFunc(c.blocks, func(b *mblock) bool { return refs[b.order] < 0 })
}

// Layout is [regalloc.Machine]'s. It joins blocks, moves cold blocks to the end, rotates loops and links successors.
func (c *code) Layout() {
	c.joinBlocks()
	for _, b := range slices.Backward(c.blocks) {
		if to := goesOn(b); to != nil && to.cold && b != c.blocks[0] {
			b.cold = true // executed as rarely
		}
	}
	hot, cold := make([]*mblock, 0, len(c.blocks)), make([]*mblock, 0, len(c.blocks))
	for _, b := range c.blocks {
		if b.cold {
			cold = append(cold, b)
		} else {
			hot = append(hot, b)
		}
	}
	c.blocks = append(rotate(hot), cold...)
	for i, b := range c.blocks {
		b.order = i
		b.succs = b.pair[:0]
		if t := b.jumpsTo(); t != nil {
			b.succs = append(b.succs, t)
		}
		if b.next != nil && !closed(b) {
			b.succs = append(b.succs, b.next)
		}
	}
}

// zeroed returns n zeros, in s's memory if it is large enough.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}
