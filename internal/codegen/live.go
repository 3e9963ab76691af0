package codegen

import (
	"slices"

	"github.com/purecl/purecl/internal/asm"
)

// A span is a half-open range of positions. Instruction i reads at 2i and writes at
// 2i+1.
type span struct{ from, to int32 }

// effect reports whether an instruction does more than its result says.
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

// layout puts cold blocks last, rotates loops and links successors.
func (c *code) layout() {
	var hot, cold []*mblock
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

// maxSteps bounds the time of ranges, in steps from block to block of all registers.
const maxSteps = 1 << 28

// A ref is a place where a register is read or written.
type ref uint64

const (
	refUse   = 0
	refEarly = 1 // written before the sources are read
	refDef   = 2
)

func newRef(block, inst int32, kind uint8) ref {
	return ref(block)<<34 | ref(inst)<<2 | ref(kind)
}

func (r ref) block() int32 { return int32(r >> 34) }
func (r ref) inst() int32  { return int32(r >> 2) }
func (r ref) kind() uint8  { return uint8(r & 3) }

// A liveness is what ranges needs to know; its memory is used again.
type liveness struct {
	named []struct {
		v reg
		ref
	}
	refs  []ref   // of all registers, one after the other, in order of their places
	first []int32 // by register: its first in refs; one more at the end

	preds     []int32 // of all blocks, one after the other
	firstPred []int32 // by block: its first in preds; one more at the end

	// By block: the register for which this was found last.
	in, out, defined []reg

	work  []int32
	list  []int32
	steps int

	spans []span
	of    [][]span
}

// number gives the instructions their positions.
func (c *code) number() {
	pos := int32(0)
	for _, b := range c.blocks {
		b.first = pos
		pos += int32(len(b.insts)) + 1
		b.last = pos - 1
	}
}

// references collects all uses and definitions, by register.
func (l *liveness) references(c *code) {
	l.named = l.named[:0]
	l.first = zeroed(l.first, len(c.classes)+1)
	for bi, b := range c.blocks {
		for k := range b.insts {
			i := &b.insts[k]
			note := func(v reg, kind uint8) {
				if v > 0 {
					l.named = append(l.named, struct {
						v reg
						ref
					}{v, newRef(int32(bi), b.first+int32(k), kind)})
					l.first[v+1]++
				}
			}
			i.uses(func(r *reg) { note(*r, refUse) })
			kind := uint8(refDef)
			if i.fl&fEarly != 0 {
				kind = refEarly
			}
			i.defs(func(r *reg) { note(*r, kind) })
		}
	}
	l.refs = slices.Grow(l.refs[:0], len(l.named))[:len(l.named)]
	scatter(l.first, func(put func(v int32) int32) {
		for _, n := range l.named {
			l.refs[put(n.v)] = n.ref
		}
	})
}

// predecessors collects the predecessors of all blocks.
func (l *liveness) predecessors(blocks []*mblock) {
	l.firstPred = zeroed(l.firstPred, len(blocks)+1)
	n := 0
	for _, b := range blocks {
		for _, s := range b.succs {
			l.firstPred[s.order+1]++
			n++
		}
	}
	l.preds = slices.Grow(l.preds[:0], n)[:n]
	scatter(l.firstPred, func(put func(v int32) int32) {
		for bi, b := range blocks {
			for _, s := range b.succs {
				l.preds[put(int32(s.order))] = int32(bi)
			}
		}
	})
}

// scatter turns first[v+1], the number of things that v has, into the index of v's first,
// and calls f, which asks for the index of each thing of v in turn.
func scatter(first []int32, f func(put func(v int32) int32)) {
	for v := 1; v < len(first); v++ {
		first[v] += first[v-1]
	}
	f(func(v int32) int32 {
		first[v]++
		return first[v] - 1
	})
	copy(first[1:], first) // each has been moved on to the next one's first
	first[0] = 0
}

// zeroed returns n zeros in s's memory, if it is enough.
func zeroed[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// liveOut returns the blocks, the last one first, at whose end v, which has these
// references, is live: it goes back from each block that reads v before it writes it, to
// those that write it, and not beyond the block top.
func (l *liveness) liveOut(v reg, refs []ref, top int32) []int32 {
	l.work, l.list = l.work[:0], l.list[:0]
	for k, r := range refs {
		b := r.block()
		if r.kind() == refUse {
			if k == 0 || refs[k-1].block() != b {
				l.in[b] = v
				l.work = append(l.work, b)
			}
		} else {
			l.defined[b] = v
		}
	}
	least, most := int32(len(l.in)), int32(0)
	for len(l.work) > 0 {
		b := l.work[len(l.work)-1]
		l.work = l.work[:len(l.work)-1]
		if b == top {
			continue
		}
		for _, p := range l.preds[l.firstPred[b]:l.firstPred[b+1]] {
			if l.out[p] == v {
				continue
			}
			l.out[p] = v
			l.list = append(l.list, p)
			least, most = min(least, p), max(most, p)
			if l.defined[p] != v && l.in[p] != v {
				l.in[p] = v
				l.work = append(l.work, p)
			}
		}
	}
	if l.steps += len(l.list); l.steps > maxSteps {
		refuse("too many registers live across too many blocks")
	}
	if len(l.list) < int(most-least)/16 {
		slices.SortFunc(l.list, func(a, b int32) int { return int(b - a) })
		return l.list
	}
	n := 0
	for b := most; n < len(l.list); b-- {
		if l.out[b] == v {
			l.list[n] = b
			n++
		}
	}
	return l.list
}

// survey collects which registers the code refers to where.
func (l *liveness) survey(c *code) {
	c.number()
	l.references(c)
	l.predecessors(c.blocks)
	n := len(c.blocks)
	l.in, l.out, l.defined = zeroed(l.in, n), zeroed(l.out, n), zeroed(l.defined, n)
	l.steps = 0
}

// ranges computes the live ranges of all virtual registers; they hold until it is called
// again. It takes time and memory by what is referred to where, and from which block to
// which it lives, not by the number of all registers and blocks.
func (c *code) ranges() [][]span {
	l := &c.flow
	l.survey(c)
	l.spans = l.spans[:0]
	l.of = zeroed(l.of, len(c.classes))
	for v := reg(1); v < reg(len(c.classes)); v++ {
		refs := l.refs[l.first[v]:l.first[v+1]]
		if len(refs) == 0 {
			continue
		}
		from := len(l.spans)
		l.spans = appendSpans(l.spans, c.blocks, refs, l.liveOut(v, refs, 0))
		l.of[v] = l.spans[from:len(l.spans):len(l.spans)]
	}
	return l.of
}

// appendSpans appends the spans of a register with these references that is live at the end
// of these blocks, the last one first.
func appendSpans(list []span, blocks []*mblock, refs []ref, out []int32) []span {
	none := len(list)
	add := func(from, to int32) {
		if k := len(list) - 1; k >= none && list[k].from <= to {
			list[k].from = min(list[k].from, from)
			list[k].to = max(list[k].to, to)
			return
		}
		list = append(list, span{from, to})
	}
	for k := len(refs) - 1; k >= 0 || len(out) > 0; {
		bi := int32(-1)
		if k >= 0 {
			bi = refs[k].block()
		}
		if len(out) > 0 && out[0] >= bi {
			bi = out[0]
			out = out[1:]
			add(2*blocks[bi].first, 2*blocks[bi].last+2)
		}
		for ; k >= 0 && refs[k].block() == bi; k-- {
			at := 2 * refs[k].inst()
			if refs[k].kind() == refUse {
				add(2*blocks[bi].first, at+1)
				continue
			}
			from := at + 1
			if refs[k].kind() == refEarly {
				from = at
			}
			if j := len(list) - 1; j >= none && list[j].from <= from && list[j].to > from {
				list[j].from = from
			} else {
				add(from, at+2)
			}
		}
	}
	slices.Reverse(list[none:])
	return list
}
