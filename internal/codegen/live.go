package codegen

import (
	"math/bits"
	"slices"

	"github.com/purecl/purecl/internal/asm"
)

// A span is a half-open range of positions. Instruction i reads at 2i and writes at
// 2i+1.
type span struct{ from, to int32 }

// locked reports whether an instruction does more than its result says.
func (i *inst) effect() bool {
	if i.kind != kNormal || i.fl&(fDefReg|fDefRM) == 0 {
		return true
	}
	if i.m.on && i.fl&fDefRM != 0 {
		return true
	}
	switch i.op {
	case asm.LOCKXADD, asm.LOCKCMPXCHG, asm.CMPXCHG, asm.XCHG:
		return true
	}
	return false
}

// sweep removes instructions whose results nothing uses.
func (c *code) sweep() {
	count := make([]int32, len(c.classes))
	for _, b := range c.blocks {
		for k := range b.insts {
			b.insts[k].uses(func(r *reg) {
				if *r > 0 {
					count[*r]++
				}
			})
		}
	}
	for changed := true; changed; {
		changed = false
		for bi := len(c.blocks) - 1; bi >= 0; bi-- {
			b := c.blocks[bi]
			n := len(b.insts)
			for k := n - 1; k >= 0; k-- {
				i := &b.insts[k]
				if i.kind != kNormal || i.op == asm.NoOp || i.effect() {
					continue
				}
				dead := true
				i.defs(func(r *reg) {
					dead = dead && *r > 0 && (count[*r] == 0 || count[*r] == 1 && i.readsOwn(*r))
				})
				if dead {
					i.uses(func(r *reg) {
						if *r > 0 {
							count[*r]--
						}
					})
					i.op = asm.NoOp
					changed = true
				}
			}
		}
	}
	for _, b := range c.blocks {
		b.insts = slices.DeleteFunc(b.insts, func(i inst) bool { return i.kind == kNormal && i.op == asm.NoOp })
	}
}

// readsOwn reports whether i reads the register d that it writes.
func (i *inst) readsOwn(d reg) bool {
	own := false
	i.uses(func(r *reg) { own = own || *r == d })
	return own
}

// layout puts cold blocks last and links successors.
func (c *code) layout() {
	var hot, cold []*mblock
	for _, b := range c.blocks {
		if b.cold {
			cold = append(cold, b)
		} else {
			hot = append(hot, b)
		}
	}
	c.blocks = append(hot, cold...)
	for i, b := range c.blocks {
		b.order = i
		b.succs = b.succs[:0]
		for k := range b.insts {
			if t := b.insts[k].target; b.insts[k].kind == kJump && t != nil {
				b.succs = append(b.succs, t)
			}
		}
		if b.next != nil && !closed(b) {
			b.succs = append(b.succs, b.next)
		}
	}
}

// maxLiveness bounds the memory of the sets that ranges computes, in words.
const maxLiveness = 1 << 26

// crossing numbers the registers that are used in a block before it defines them: only
// these can be live from one block to another. The others have -1.
func (c *code) crossing() (number []int32, list []reg) {
	n := len(c.classes)
	c.numbers = slices.Grow(c.numbers[:0], 2*n)[:2*n]
	number, defined := c.numbers[:n], c.numbers[n:]
	for v := range number {
		number[v], defined[v] = -1, -1
	}
	for bi, b := range c.blocks {
		for k := range b.insts {
			i := &b.insts[k]
			i.uses(func(r *reg) {
				if v := *r; v > 0 && defined[v] != int32(bi) && number[v] < 0 {
					number[v] = int32(len(list))
					list = append(list, v)
				}
			})
			i.defs(func(r *reg) {
				if v := *r; v > 0 {
					defined[v] = int32(bi)
				}
			})
		}
	}
	return number, list
}

// ranges computes the live ranges of all virtual registers; they hold until it is called
// again.
func (c *code) ranges() [][]span {
	n := len(c.classes)
	number, list := c.crossing()
	words := (len(list) + 63) / 64
	size := 4 * words * len(c.blocks)
	if size > maxLiveness {
		refuse("%d registers live across %d blocks", len(list), len(c.blocks))
	}
	if size <= cap(c.sets) {
		c.sets = c.sets[:size]
		clear(c.sets)
	} else {
		c.sets = make([]uint64, size, size+size/4) // more registers come
	}
	store := c.sets
	take := func() []uint64 { s := store[:words:words]; store = store[words:]; return s }
	type flow struct{ in, out, gen, kill []uint64 }
	fl := make([]flow, len(c.blocks))
	pos := int32(0)
	for bi, b := range c.blocks {
		f := flow{take(), take(), take(), take()}
		for k := range b.insts {
			i := &b.insts[k]
			i.uses(func(r *reg) {
				if *r <= 0 {
					return
				}
				if v := number[*r]; v >= 0 && f.kill[v/64]>>(v%64)&1 == 0 {
					f.gen[v/64] |= 1 << (v % 64)
				}
			})
			i.defs(func(r *reg) {
				if *r <= 0 {
					return
				}
				if v := number[*r]; v >= 0 {
					f.kill[v/64] |= 1 << (v % 64)
				}
			})
		}
		fl[bi] = f
		b.first = pos
		pos += int32(len(b.insts)) + 1
		b.last = pos - 1
	}
	for changed := true; changed; {
		changed = false
		for bi := len(c.blocks) - 1; bi >= 0; bi-- {
			f := &fl[bi]
			for _, s := range c.blocks[bi].succs {
				for w, x := range fl[s.order].in {
					f.out[w] |= x
				}
			}
			for w := range f.in {
				x := f.gen[w] | f.out[w]&^f.kill[w]
				if x != f.in[w] {
					f.in[w] = x
					changed = true
				}
			}
		}
	}
	for v := range c.spans {
		c.spans[v] = c.spans[v][:0]
	}
	if n > len(c.spans) {
		c.spans = append(c.spans, make([][]span, n-len(c.spans))...)
	}
	rs := c.spans
	add := func(v reg, from, to int32) {
		l := rs[v]
		if k := len(l) - 1; k >= 0 && l[k].from <= to {
			l[k].from = min(l[k].from, from)
			l[k].to = max(l[k].to, to)
			return
		}
		rs[v] = append(l, span{from, to})
	}
	for bi := len(c.blocks) - 1; bi >= 0; bi-- {
		b := c.blocks[bi]
		start, end := 2*b.first, 2*b.last+2
		for w, x := range fl[bi].out {
			for x != 0 {
				add(list[w*64+bits.TrailingZeros64(x)], start, end)
				x &= x - 1
			}
		}
		for k := len(b.insts) - 1; k >= 0; k-- {
			i := &b.insts[k]
			at := 2 * (b.first + int32(k))
			i.defs(func(r *reg) {
				v := *r
				if v <= 0 {
					return
				}
				from := at + 1
				if i.fl&fEarly != 0 {
					from = at
				}
				l := rs[v]
				if j := len(l) - 1; j >= 0 && l[j].from <= from && l[j].to > from {
					l[j].from = from
				} else {
					add(v, from, at+2)
				}
			})
			i.uses(func(r *reg) {
				if *r > 0 {
					add(*r, start, at+1)
				}
			})
		}
	}
	for v := range rs {
		slices.Reverse(rs[v])
	}
	return rs
}
