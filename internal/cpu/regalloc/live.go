package regalloc

import "slices"

// A span is a half-open range of times. The instruction at position i reads at time 2i and
// writes at 2i+1.
type span struct{ from, to int32 }

// maxSteps bounds the computation of a function's live ranges: the total of steps from block to block for all
// registers. It takes a few seconds. Every public kernel that was tried needs less than half of it.
const maxSteps = 1 << 27

// A liveness is the input of the computation of live ranges.
type liveness struct {
	Survey
	surveyed bool // the survey is current

	refs  []ref   // references of all registers, sorted by register and place
	first []int32 // by register: index in refs of its first; one more at the end

	touches []float64 // by register: estimated number of executed references; for the scan

	preds     []int32 // of all blocks, one after the other
	firstPred []int32 // by block: index in preds of its first; one more at the end

	// By block: the last register for which the block was added to the set.
	in, out, defined []Reg

	work  []int32
	list  []int32
	steps int // steps taken for the function

	ranges
}

// ranges are the live ranges of all virtual registers.
type ranges struct {
	spans []span
	begin []int32 // by register: index in spans of its first; one more at the end
}

// of returns the live range of v, in order of time.
func (r *ranges) of(v Reg) []span { return r.spans[r.begin[v]:r.begin[v+1]:r.begin[v+1]] }

// refsOf returns v's references in order of position.
func (l *liveness) refsOf(v Reg) []ref { return l.refs[l.first[v]:l.first[v+1]] }

// end returns the position after all instructions.
func (l *liveness) endPos() int32 { return int32(len(l.arity)) }

// survey updates the survey.
func (a *Allocator) survey(m Machine) *liveness {
	l := &a.flow
	if l.surveyed {
		return l
	}
	l.surveyed = true
	l.reset()
	m.Survey(&l.Survey)
	l.end()
	l.references(len(a.regs))
	l.predecessors()
	return l
}

// references sorts all references by register; there are that many registers.
func (l *liveness) references(registers int) {
	first := zeroed(l.first, registers+1)
	for _, x := range l.named {
		first[x>>2+1]++
	}
	for v := 1; v < len(first); v++ {
		first[v] += first[v-1]
	}
	l.refs = slices.Grow(l.refs[:0], len(l.named))[:len(l.named)]
	rest := l.named
	for bi := range l.blocks {
		b := &l.blocks[bi]
		for pos := b.first; pos < b.last; pos++ {
			n := l.arity[pos]
			for _, x := range rest[:n] {
				v := x >> 2
				l.refs[first[v]] = newRef(int32(bi), pos, kind(x&3))
				first[v]++
			}
			rest = rest[n:]
		}
	}
	copy(first[1:], first) // each entry has advanced to the next register's first
	first[0] = 0
	l.first = first
}

// predecessors collects the predecessors of all blocks.
func (l *liveness) predecessors() {
	l.firstPred = zeroed(l.firstPred, len(l.blocks)+1)
	for _, s := range l.succs {
		l.firstPred[s+1]++
	}
	l.preds = slices.Grow(l.preds[:0], len(l.succs))[:len(l.succs)]
	first := l.firstPred
	for b := 1; b < len(first); b++ {
		first[b] += first[b-1]
	}
	for bi := range l.blocks {
		for _, s := range l.succsOf(bi) {
			l.preds[first[s]] = int32(bi)
			first[s]++
		}
	}
	copy(first[1:], first)
	first[0] = 0
}

// liveOut returns the blocks at whose end v is live, the last one first; refs are the references of v. It walks
// back from each block that reads v before writing it to the blocks that write it, but not past the block top.
// It returns false after too many steps.
func (l *liveness) liveOut(v Reg, refs []ref, top int32) ([]int32, bool) {
	l.work, l.list = l.work[:0], l.list[:0]
	for k, r := range refs {
		b := r.block()
		if r.kind() == use {
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
		return nil, false
	}
	if len(l.list) < int(most-least)/16 {
		slices.SortFunc(l.list, func(a, b int32) int { return int(b - a) })
		return l.list, true
	}
	n := 0
	for b := most; n < len(l.list); b-- {
		if l.out[b] == v {
			l.list[n] = b
			n++
		}
	}
	return l.list, true
}

// restart clears the results of earlier calls of liveOut.
func (l *liveness) restart() {
	n := len(l.blocks)
	l.in, l.out, l.defined = zeroed(l.in, n), zeroed(l.out, n), zeroed(l.defined, n)
}

// fewSteps bounds the steps of a first attempt at live ranges.
const fewSteps = 1 << 14

// rangesIfDefined is ranges if every register is defined on all paths to its uses and that is found out in a few steps. Most
// functions are so.
func (a *Allocator) rangesIfDefined(m Machine) (ranges, bool) {
	rs, err := a.rangesUpTo(m, fewSteps, true)
	a.flow.steps = 0
	return rs, err == nil
}

// ranges computes the live ranges of all virtual registers, valid until the next call. Its time and memory grow
// with the references and the blocks between them, not with the product of registers and blocks.
func (a *Allocator) ranges(m Machine) (ranges, error) { return a.rangesUpTo(m, maxSteps, false) }

// rangesUpTo is ranges in a bounded number of steps; with defined it fails where a register is used without a definition.
func (a *Allocator) rangesUpTo(m Machine, most int, defined bool) (ranges, error) {
	l := a.survey(m)
	l.restart()
	l.spans = l.spans[:0]
	l.begin = zeroed(l.begin, len(a.regs)+1)
	for v := Reg(1); v < Reg(len(a.regs)); v++ {
		l.begin[v] = int32(len(l.spans))
		refs := l.refsOf(v)
		if len(refs) == 0 {
			continue
		}
		switch local := refs[0].kind() != use && refs[0].block() == refs[len(refs)-1].block(); {
		case local && len(refs) == 2 && refs[1].kind() == use:
			from := 2*refs[0].pos() + 1
			if refs[0].kind() == earlyDef {
				from--
			}
			l.spans = append(l.spans, span{from, 2*refs[1].pos() + 1})
		case local:
			l.spans = l.appendSpans(l.spans, refs, nil)
		default:
			out, ok := l.liveOut(v, refs, 0)
			if !ok || l.steps > most || defined && l.in[0] == v {
				return ranges{}, ErrTooComplex
			}
			l.spans = l.appendSpans(l.spans, refs, out)
		}
	}
	l.begin[len(a.regs)] = int32(len(l.spans))
	return l.ranges, nil
}

// appendSpans appends the live range of a register with these references that is live at the end of the blocks
// out, the last one first.
func (l *liveness) appendSpans(list []span, refs []ref, out []int32) []span {
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
			add(2*l.blocks[bi].first, 2*l.blocks[bi].last+2)
		}
		for ; k >= 0 && refs[k].block() == bi; k-- {
			at := 2 * refs[k].pos()
			if refs[k].kind() == use {
				add(2*l.blocks[bi].first, at+1)
				continue
			}
			from := at + 1
			if refs[k].kind() == earlyDef {
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
