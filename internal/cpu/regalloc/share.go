package regalloc

import (
	"cmp"
	"slices"
)

// The scan gives each temporary of a spilled or rematerialised value a machine register for a few instructions. Where a machine
// register is free from one temporary of a value to the next one of its block, the two are one afterwards: the value is
// reloaded once.

// fewShared is the least number of reloads that may be unnecessary for which code is rewritten.
const fewShared = 8

// A tenure is the time in which a temporary has its machine register.
type tenure struct {
	v     Reg
	block int32
	span
	reload int32 // position of the instruction that reloads it, -1 if it is written otherwise
}

// shareTemporaries removes reloads and saves from allocated code with these live ranges. It returns the new live ranges.
func (a *Allocator) shareTemporaries(m Machine, rs ranges) (ranges, error) {
	list := a.tenures(rs)
	pairs := a.pairs(list)
	if len(pairs) < fewShared {
		return rs, nil
	}
	s := sharing{a: a, tenures: list, taken: &a.joined.taken, first: make([]int, len(list))}
	for k := range s.first {
		s.first[k] = k
	}
	for p := range s.taken {
		s.taken[p] = s.taken[p][:0]
	}
	for v, p := range a.pregs {
		if p != NoPReg {
			s.taken[p] = append(s.taken[p], rs.of(Reg(v))...)
		}
	}
	for p := range s.taken {
		slices.SortFunc(s.taken[p], func(x, y span) int { return cmp.Compare(x.from, y.from) })
	}
	slices.SortStableFunc(pairs, func(x, y int) int { return cmp.Compare(gapBefore(list, x), gapBefore(list, y)) })
	drop := pairs[:0]
	for _, k := range pairs {
		if s.join(k) {
			drop = append(drop, k)
		}
	}
	if len(drop) == 0 {
		return rs, nil
	}
	a.rename(m, &s, drop)
	a.flow.steps = 0
	return a.ranges(m)
}

// gapBefore returns the time between a temporary and the one before it in a list.
func gapBefore(list []tenure, k int) int32 { return list[k].from - list[k-1].to }

// tenures lists the temporaries of hot blocks, by value and then in order of time.
func (a *Allocator) tenures(rs ranges) (list []tenure) {
	l := &a.flow
	for v := Reg(1); v < Reg(len(a.regs)); v++ {
		spans := rs.of(v)
		if x := &a.regs[v]; !x.noSpill || x.origin == 0 || len(spans) != 1 {
			continue
		}
		r := l.refsOf(v)[0]
		if l.blocks[r.block()].cold || r.kind() == use {
			continue
		}
		t := tenure{v: v, block: r.block(), span: spans[0], reload: -1}
		k, ok := slices.BinarySearchFunc(l.slots, r.pos(), func(s slotRef, pos int32) int { return int(s.pos - pos) })
		if ok && (l.slots[k].kind == slotReload || l.slots[k].kind == slotRemat) {
			t.reload = r.pos()
		}
		list = append(list, t)
	}
	slices.SortStableFunc(list, func(x, y tenure) int {
		return cmp.Or(cmp.Compare(a.regs[x.v].origin, a.regs[y.v].origin), cmp.Compare(x.from, y.from))
	})
	return list
}

// pairs returns the indices of the temporaries that reload the value of the one before them in the list.
func (a *Allocator) pairs(list []tenure) (pairs []int) {
	for k := 1; k < len(list); k++ {
		x, y := &list[k-1], &list[k]
		if a.regs[x.v].origin == a.regs[y.v].origin && x.block == y.block && y.reload >= 0 && x.to <= y.from {
			pairs = append(pairs, k)
		}
	}
	return pairs
}

// joinedMemory is the memory of sharing and of the rewriting after it.
type joinedMemory struct {
	renamed []Reg
	dropped []bool
	taken   [MaxPRegs][]span
}

// A sharing joins temporaries.
type sharing struct {
	a       *Allocator
	tenures []tenure
	taken   *[MaxPRegs][]span // by machine register, in order of time
	first   []int             // by temporary: index of the first one that it is joined with
}

// join joins a temporary and those after it that it is joined with to the one before, if a machine register is free for all.
func (s *sharing) join(k int) bool {
	x, y := &s.tenures[s.head(k-1)], &s.tenures[k]
	p, q := s.a.pregs[x.v], s.a.pregs[y.v]
	to := NoPReg
	switch {
	case s.free(p, x.to, y.from) && (p == q || s.free(p, y.from, y.to)):
		to = p
	case p != q && s.free(q, x.from, y.from):
		to = q
	default:
		for _, c := range slices.Backward(s.a.file[s.a.regs[x.v].class].Regs) {
			if c != p && c != q && s.free(c, x.from, y.to) {
				to = c
				break
			}
		}
	}
	if to == NoPReg {
		return false
	}
	s.remove(p, x.span)
	s.remove(q, y.span)
	x.to = y.to
	i, _ := s.find(to, x.from)
	s.taken[to] = slices.Insert(s.taken[to], i, x.span)
	s.a.pregs[x.v], s.a.pregs[y.v] = to, NoPReg
	s.first[k] = k - 1
	return true
}

// head returns the first of the temporaries that temporary k is joined with.
func (s *sharing) head(k int) int {
	for s.first[k] != k {
		s.first[k] = s.first[s.first[k]]
		k = s.first[k]
	}
	return k
}

// find returns the place of the first span of p that begins at a time or later.
func (s *sharing) find(p PReg, time int32) (int, bool) {
	return slices.BinarySearchFunc(s.taken[p], time, func(x span, t int32) int { return cmp.Compare(x.from, t) })
}

// free reports whether no register occupies p from one time to another.
func (s *sharing) free(p PReg, from, to int32) bool {
	i, _ := s.find(p, from)
	list := s.taken[p]
	return (i == 0 || list[i-1].to <= from) && (i == len(list) || list[i].from >= to)
}

// remove makes p free again during x.
func (s *sharing) remove(p PReg, x span) {
	i, _ := s.find(p, x.from)
	s.taken[p] = slices.Delete(s.taken[p], i, i+1)
}

// dropDeadSaves marks the saves whose slot the block saves again before it reads it.
func (r *Rewriter) dropDeadSaves() {
	type save struct{ block, pos int32 }
	last := map[int32]save{} // by slot: the last reference, if it is a save
	l, b := &r.a.flow, int32(0)
	for _, s := range l.slots {
		for s.pos >= l.blocks[b].last {
			b++
		}
		switch {
		case s.kind == slotRemat || r.dropped[s.pos]:
		case s.kind == slotSave:
			if x, ok := last[s.slot]; ok && x.block == b {
				r.a.marks[x.pos], r.dropped[x.pos] = true, true
			}
			last[s.slot] = save{b, s.pos}
		default:
			delete(last, s.slot)
		}
	}
}

// rename gives joined temporaries one register, and removes their reloads and saves that are dead then.
func (a *Allocator) rename(m Machine, s *sharing, joined []int) {
	l := &a.flow
	r := Rewriter{a: a, renamed: zeroed(a.joined.renamed, len(a.regs)), dropped: zeroed(a.joined.dropped, int(l.endPos()))}
	a.joined.renamed, a.joined.dropped = r.renamed, r.dropped
	a.marks = zeroed(a.marks, int(l.endPos()))
	for _, k := range joined {
		x := &s.tenures[k]
		r.renamed[x.v], r.dropped[x.reload] = s.tenures[s.head(k)].v, true
		for _, ref := range l.refsOf(x.v) {
			a.marks[ref.pos()] = true
		}
	}
	r.dropDeadSaves()
	m.Rewrite(&r)
	l.surveyed = false
}

// changeName edits the operands of instruction k of the surveyed block for joined temporaries. It reports whether the
// instruction stays.
func (r *Rewriter) changeName(e Editor, k int) bool {
	if r.dropped[r.first+int32(k)] {
		return false
	}
	o := &r.o
	o.NUses, o.NDefs = 0, 0
	e.Operands(o)
	for _, list := range [][]*Reg{o.Uses[:o.NUses], o.Defs[:o.NDefs]} {
		for _, p := range list {
			if v := *p; v > 0 && r.renamed[v] != 0 {
				*p = r.renamed[v]
			}
		}
	}
	return true
}
