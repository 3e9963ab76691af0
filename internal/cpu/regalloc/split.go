package regalloc

import (
	"cmp"
	"slices"
)

// Spilled values that an innermost loop only reads are reloaded, or recomputed, once before the loop if a machine
// register is free throughout the loop. The loop then uses a new register, the value's split register. It holds the
// same value as the spilled register, so that it can be spilled in turn without a store.

// A loopRange is an innermost loop whose hot blocks follow each other in the layout.
type loopRange struct {
	first, last int32   // its hot blocks
	entry       int32   // the only block outside of the loop with edges into it
	cold        []int32 // its cold blocks
}

// A split replaces a register by another within a loop.
type split struct {
	old, new Reg
	loop     *loopRange
}

// splitLoops chooses the spilled registers that are reloaded before a loop; live are the live ranges of the last scan.
func (a *Allocator) splitLoops(spilled []Reg, live ranges) (list []split) {
	l := &a.flow
	read := func(v Reg) bool { return l.touches[v] >= loopFrequency && !a.regs[v].split }
	if !slices.ContainsFunc(spilled, read) {
		return nil
	}
	for loop := range l.innermost() {
		list = a.splitLoop(list, loop, spilled, live)
	}
	return list
}

// splitLoop appends the splits of one loop to list: the most used values first, as far as machine registers are free.
func (a *Allocator) splitLoop(list []split, loop *loopRange, spilled []Reg, live ranges) []split {
	type candidate struct {
		v    Reg
		uses float64
	}
	var wanted []candidate
	for _, v := range spilled {
		if a.regs[v].split {
			continue
		}
		if uses := a.flow.readsIn(loop, v); uses > 0 {
			wanted = append(wanted, candidate{v, uses})
		}
	}
	if len(wanted) == 0 || !a.flow.enter(loop) {
		return list
	}
	slices.SortStableFunc(wanted, func(x, y candidate) int { return cmp.Compare(y.uses, x.uses) })
	free := a.freeIn(loop, live)
	for _, w := range wanted {
		k := a.regs[w.v].class
		if free[k] == 0 || w.uses <= a.flow.blocks[loop.entry].frequency || a.flow.writtenIn(loop, w.v) {
			continue
		}
		free[k]--
		t := a.NewReg(k)
		a.regs[t].origin, a.regs[t].split = a.origin(w.v), true
		list = append(list, split{w.v, t, loop})
	}
	return list
}

// setSplits prepares the rewriting of code with these splits.
func (a *Allocator) setSplits(splits []split, where homes) {
	if len(splits) == 0 {
		return
	}
	a.splits = zeroed(a.splits, len(a.flow.blocks))
	for _, s := range splits {
		a.regs[s.new].home = where[s.old]
		for b := s.loop.first; b <= s.loop.last; b++ {
			a.splits[b] = append(a.splits[b], s)
		}
	}
}

// freeIn returns, by class, the number of machine registers that a loop's hot blocks do not use. The next scan decides
// whether a split or a value that only lives through the loop gets the register.
func (a *Allocator) freeIn(loop *loopRange, live ranges) []int {
	from, to := 2*a.flow.blocks[loop.first].first, 2*a.flow.blocks[loop.last].last+2
	var taken [MaxPRegs]bool
	for v, p := range a.pregs {
		if p == NoPReg || taken[p] {
			continue
		}
		overlaps := slices.ContainsFunc(live.of(Reg(v)), func(s span) bool { return s.from < to && s.to > from })
		taken[p] = overlaps && slices.ContainsFunc(a.flow.refsOf(Reg(v)), func(r ref) bool { return loop.contains(r.block()) })
	}
	free := make([]int, len(a.file))
	for k, c := range a.file {
		for _, p := range c.Regs {
			if !taken[p] {
				free[k]++
			}
		}
	}
	return free
}

// loopFrequency is the frequency of blocks in a loop: see [Survey.Block].
const loopFrequency = 8

// innermost visits the innermost loops, the last one first.
func (l *liveness) innermost() func(yield func(*loopRange) bool) {
	return func(yield func(*loopRange) bool) {
		ends := make([]int32, len(l.blocks)) // by block: the last one with an edge back to it
		for b := range l.blocks {
			if l.blocks[b].cold {
				continue
			}
			for _, t := range l.succsOf(b) {
				if t <= int32(b) {
					ends[t] = int32(b) + 1
				}
			}
		}
		inner := int32(len(l.blocks)) // the first block of the loops visited so far
		for b := inner - 1; b > 0; b-- {
			if ends[b] == 0 {
				continue
			}
			if last := ends[b] - 1; last < inner && l.blocks[b].frequency >= loopFrequency && !yield(&loopRange{first: b, last: last}) {
				return
			}
			inner = b
		}
	}
}

// contains reports whether a hot block is in the loop.
func (x *loopRange) contains(b int32) bool { return x.first <= b && b <= x.last }

// enter finds the block before the loop and the cold blocks within it; it returns false if the loop has several
// entries.
func (l *liveness) enter(x *loopRange) bool {
	x.entry = -1
	into := func(b int32) bool {
		for _, p := range l.preds[l.firstPred[b]:l.firstPred[b+1]] {
			switch {
			case x.contains(p):
			case l.blocks[p].cold:
				if !slices.Contains(x.cold, p) {
					x.cold = append(x.cold, p)
				}
			case x.entry >= 0 && x.entry != p:
				return false
			default:
				x.entry = p
			}
		}
		return true
	}
	for b := x.first; b <= x.last; b++ {
		if !into(b) {
			return false
		}
	}
	for k := 0; k < len(x.cold); k++ {
		if !into(x.cold[k]) {
			return false
		}
	}
	return x.entry >= 0
}

// readsIn returns the frequency of v's uses in a loop's hot blocks.
func (l *liveness) readsIn(x *loopRange, v Reg) (f float64) {
	for _, r := range l.refsOf(v) {
		if r.kind() == use && x.contains(r.block()) {
			f += l.blocks[r.block()].frequency
		}
	}
	return f
}

// writtenIn reports whether a loop defines v.
func (l *liveness) writtenIn(x *loopRange, v Reg) bool {
	return slices.ContainsFunc(l.refsOf(v), func(r ref) bool {
		return r.kind() != use && (x.contains(r.block()) || slices.Contains(x.cold, r.block()))
	})
}
