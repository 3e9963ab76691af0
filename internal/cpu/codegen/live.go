package codegen

import (
	"slices"

	"github.com/purecl/purecl/internal/cpu/asm"
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
	count := zeroed(c.work.count, len(c.classes))
	c.work.count = count
	var list named
	for _, b := range c.blocks {
		for k := range b.insts {
			i := &b.insts[k]
			for _, v := range i.virtual(i.reads(), &list) {
				count[v]++
			}
		}
	}
	holes := false
	for changed := true; changed; {
		changed = false
		for bi := len(c.blocks) - 1; bi >= 0; bi-- {
			b := c.blocks[bi]
			for k := len(b.insts) - 1; k >= 0; k-- {
				i := &b.insts[k]
				if i.kind != kNormal {
					continue
				}
				if i.op == asm.NoOp {
					holes = true
					continue
				}
				if i.effect() || !i.unread(count) {
					continue
				}
				for _, v := range i.virtual(i.reads(), &list) {
					count[v]--
				}
				i.op = asm.NoOp
				changed, holes = true, true
			}
		}
	}
	if !holes {
		return
	}
	for _, b := range c.blocks {
		b.insts = slices.DeleteFunc(b.insts, func(i inst) bool { return i.kind == kNormal && i.op == asm.NoOp })
	}
}

// unread reports whether nothing else reads what i writes, where so often is read each
// register.
func (i *inst) unread(count []int32) bool {
	reads := i.reads()
	for p := i.writes(); p != 0; p &= p - 1 {
		d := *i.field(p & -p)
		if d <= 0 || count[d] > 1 || count[d] == 1 && !i.names(reads, d) {
			return false
		}
	}
	return true
}

// names reports whether d is at one of these places.
func (i *inst) names(p places, d reg) bool {
	for ; p != 0; p &= p - 1 {
		if *i.field(p & -p) == d {
			return true
		}
	}
	return false
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

// maxSteps bounds the time that a kernel's live ranges take, in steps from block to block
// of all registers; it is seconds. No public kernel that was seen takes half as many.
const maxSteps = 1 << 27

// A ref is a place where a register is read or written.
type ref uint64

const (
	refUse   = 0
	refEarly = 1 // written before the sources are read
	refDef   = 2
	refBegin = 3 // by no code: see kBegin
)

func newRef(block, inst int32, kind uint32) ref {
	return ref(block)<<34 | ref(inst)<<2 | ref(kind)
}

func (r ref) block() int32 { return int32(r >> 34) }
func (r ref) inst() int32  { return int32(r >> 2) }
func (r ref) kind() uint8  { return uint8(r & 3) }

// A liveness is what ranges needs to know; its memory is used again.
type liveness struct {
	surveyed bool  // and nothing has changed since
	end      int32 // behind all positions

	named   []uint32  // registers in order of the places that name them: register<<2 | kind of ref
	arity   []uint8   // by position: how many of them
	refs    []ref     // of all registers, one after the other, in order of their places
	first   []int32   // by register: its first in refs; one more at the end
	touches []float64 // by register: estimates how often it is read and written

	preds     []int32 // of all blocks, one after the other
	firstPred []int32 // by block: its first in preds; one more at the end

	// By block: the register for which this was found last.
	in, out, defined []reg

	work  []int32
	list  []int32
	steps int // of a kernel

	ranges
}

// ranges are the live ranges of all virtual registers.
type ranges struct {
	spans []span
	begin []int32 // by register: its first in spans; one more at the end
}

// of returns when v is live, in order of time.
func (r *ranges) of(v reg) []span { return r.spans[r.begin[v]:r.begin[v+1]:r.begin[v+1]] }

// refsOf returns v's references in order of their places.
func (l *liveness) refsOf(v reg) []ref { return l.refs[l.first[v]:l.first[v+1]] }

// number gives the instructions their positions.
func (c *code) number() (end int32) {
	pos := int32(0)
	for _, b := range c.blocks {
		b.first = pos
		pos += int32(len(b.insts)) + 1
		b.last = pos - 1
	}
	return pos
}

// references collects all uses and definitions, by register.
func (l *liveness) references(c *code) {
	l.named = l.named[:0]
	l.arity = zeroed(l.arity, int(l.end))
	l.first = zeroed(l.first, len(c.classes)+1)
	l.touches = zeroed(l.touches, len(c.classes))
	first, touches := l.first, l.touches
	for _, b := range c.blocks {
		f := b.frequency()
		for k := range b.insts {
			i := &b.insts[k]
			var list named
			before := len(l.named)
			for _, v := range i.virtual(i.reads(), &list) {
				first[v+1]++
				touches[v] += f
				l.named = append(l.named, uint32(v)<<2|refUse)
			}
			kind, f := uint32(refDef), f
			switch {
			case i.kind == kBegin:
				kind, f = refBegin, 0
			case i.fl&fEarly != 0:
				kind = refEarly
			}
			for _, v := range i.virtual(i.writes(), &list) {
				first[v+1]++
				touches[v] += f
				l.named = append(l.named, uint32(v)<<2|kind)
			}
			l.arity[b.first+int32(k)] = uint8(len(l.named) - before)
		}
	}
	for v := 1; v < len(first); v++ {
		first[v] += first[v-1]
	}
	l.refs = slices.Grow(l.refs[:0], len(l.named))[:len(l.named)]
	rest := l.named
	for bi, b := range c.blocks {
		for pos := b.first; pos < b.last; pos++ {
			n := l.arity[pos]
			for _, x := range rest[:n] {
				v := x >> 2
				l.refs[first[v]] = newRef(int32(bi), pos, x&3)
				first[v]++
			}
			rest = rest[n:]
		}
	}
	copy(first[1:], first) // each has been moved on to the next one's first
	first[0] = 0
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
	first := l.firstPred
	for b := 1; b < len(first); b++ {
		first[b] += first[b-1]
	}
	for bi, b := range blocks {
		for _, s := range b.succs {
			l.preds[first[s.order]] = int32(bi)
			first[s.order]++
		}
	}
	copy(first[1:], first)
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

// survey collects which registers the code refers to where, if that is not known.
func (l *liveness) survey(c *code) {
	if l.surveyed {
		return
	}
	l.surveyed = true
	l.end = c.number()
	l.references(c)
	l.predecessors(c.blocks)
}

// restart makes liveOut forget what it was asked before.
func (l *liveness) restart(blocks int) {
	l.in, l.out, l.defined = zeroed(l.in, blocks), zeroed(l.out, blocks), zeroed(l.defined, blocks)
}

// ranges computes the live ranges of all virtual registers; they hold until it is called
// again. It takes time and memory by what is referred to where, and from which block to
// which it lives, not by the number of all registers and blocks.
func (c *code) ranges() ranges {
	l := &c.work.flow
	l.survey(c)
	l.restart(len(c.blocks))
	l.spans = l.spans[:0]
	l.begin = zeroed(l.begin, len(c.classes)+1)
	for v := reg(1); v < reg(len(c.classes)); v++ {
		l.begin[v] = int32(len(l.spans))
		refs := l.refsOf(v)
		if len(refs) == 0 {
			continue
		}
		switch within := refs[0].kind() != refUse && refs[0].block() == refs[len(refs)-1].block(); {
		case within && len(refs) == 2 && refs[1].kind() == refUse:
			from := 2*refs[0].inst() + 1
			if refs[0].kind() == refEarly {
				from--
			}
			l.spans = append(l.spans, span{from, 2*refs[1].inst() + 1})
		case within:
			l.spans = appendSpans(l.spans, c.blocks, refs, nil)
		default:
			l.spans = appendSpans(l.spans, c.blocks, refs, l.liveOut(v, refs, 0))
		}
	}
	l.begin[len(c.classes)] = int32(len(l.spans))
	return l.ranges
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
