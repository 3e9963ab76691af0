package interp

import (
	"slices"

	"github.com/purecl/purecl/internal/ir/ssa"
	"github.com/purecl/purecl/internal/run/exec"
)

// The history of a run that explains races holds the accesses to each granule that an earlier run has marked.
// Happens-before then determines which of them race with a new access.

// A party is one side of a race.
type party struct {
	in     *inst
	group  uint64
	item   uint32
	sub    uint32 // sub-group
	clock  uint32
	kind   accessKind
	writes bool
	scope  ssa.Scope // of an atomic access
}

// maxParties bounds the parties of one kind that a granule remembers.
const maxParties = 8

// unvisited is the state of a marked granule before its first access; others hold their index in the history plus
// 2.
const unvisited = 1

// maxHistory bounds the granules of a history.
const maxHistory = 1 << 20

// A history is a list of granules' parties.
type history [][]party

func (h *history) clear() {
	for i := range *h {
		(*h)[i] = (*h)[i][:0]
	}
	*h = (*h)[:0]
}

// of returns the parties of the granule with that state, nil if the history is full.
func (h *history) of(state *uint64) *[]party {
	if *state == unvisited {
		if len(*h) == maxHistory {
			return nil
		}
		if len(*h) < cap(*h) {
			*h = (*h)[:len(*h)+1]
		} else {
			*h = append(*h, nil)
		}
		*state = uint64(len(*h)-1) + 2
	}
	return &(*h)[*state-2]
}

// explain records the lane's access to a marked granule, and reports the races with it: of the latest accesses of
// its group, and of another group.
func (x *raceObserver) explain(in *inst, lane int, o *object, off, size uint64, acc accessKind, state *uint64) {
	h := &x.run.races.history
	if o.local {
		h = &x.races.history
	}
	list := h.of(state)
	if list == nil {
		x.run.races.skip(o)
		return
	}
	r := relationOf(o)
	self := party{in: in, group: x.groups[lane], item: x.items[lane], sub: x.items[lane] >> x.p.subGroupShift, clock: x.clockOf(r, lane), kind: acc, writes: acc != accRead && acc != accPeek}
	if acc == accAtomic {
		self.scope, self.writes = in.mem.scope, x.modifies
	}
	if in.mem.async {
		self.item, self.sub, self.clock = asyncItem, asyncItem, x.base[r]
	}
	var near, far *party
	for i := len(*list) - 1; i >= 0; i-- {
		switch p := &(*list)[i]; {
		case !self.conflicts(p) || x.happened(r, p, lane):
		case near == nil && p.group == self.group:
			near = p
		case far == nil && p.group != self.group:
			far = p
		}
	}
	if near != nil {
		x.race(exec.RaceInGroup, 1, lane, o, off, size, &self, near)
	}
	if far != nil {
		n := uint64(1)
		if near != nil && near.in.pos == far.in.pos {
			n = 0 // the same access and position
		}
		x.race(exec.RaceBetweenGroups, n, lane, o, off, size, &self, far)
	}
	x.remember(r, list, &self, lane)
}

// conflicts reports whether two accesses of different work-items race if neither happens before the other.
func (p *party) conflicts(q *party) bool {
	switch {
	case p.group == q.group && p.item == q.item || !p.writes && !q.writes:
		return false
	case p.kind == accAtomic && q.kind == accAtomic:
		at := p.nearness(q)
		return !at.within(p.scope) || !at.within(q.scope)
	case p.kind|q.kind == accAtomic|accPeek:
		return false
	}
	return true
}

// nearness returns the smallest scope that includes both parties.
func (p *party) nearness(q *party) level {
	switch {
	case p.group != q.group:
		return nearDevice
	case p.sub != q.sub:
		return nearGroup
	}
	return nearSubGroup
}

// remember adds a party. It replaces a party of the same kind that happens before it, or is the work-item's own: an
// access that races with the old party also races with the new one, or is ordered after both.
func (x *raceObserver) remember(r relation, list *[]party, self *party, lane int) {
	n, same := 0, 0
	for i := range *list {
		p := &(*list)[i]
		if p.alike(self) {
			if p.group == self.group && p.item == self.item || p.stands(self) && x.happened(r, p, lane) {
				continue
			}
			same++
		}
		(*list)[n] = *p
		n++
	}
	*list = (*list)[:n]
	if same >= maxParties {
		i := spare(*list, self)
		*list = append((*list)[:i], (*list)[i+1:]...)
	}
	*list = append(*list, *self)
}

// stands reports whether every access that races with p also races with q, which happens after p. It does not if
// q's scope includes a work-item that p's does not.
func (p *party) stands(q *party) bool {
	return p.kind != accAtomic || nearDevice.within(p.scope) || p.nearness(q) == nearSubGroup
}

// alike reports whether two parties have the same kind.
func (p *party) alike(q *party) bool {
	return p.kind == q.kind && p.writes == q.writes && p.scope == q.scope
}

// spare returns the index of a party of that kind that can be removed: the first whose group has a later one, else
// the first.
func spare(list []party, kind *party) int {
	first := -1
	for i := range list {
		p := &list[i]
		if !p.alike(kind) {
			continue
		}
		if first < 0 {
			first = i
		}
		if p.group == kind.group || slices.ContainsFunc(list[i+1:], func(q party) bool { return q.group == p.group && q.alike(p) }) {
			return i
		}
	}
	return first
}

// race reports a race between self, an access of size bytes at off, and other. A pair of places is one finding,
// in either order and within or across groups. n is 0 if the access was counted before.
func (x *raceObserver) race(kind exec.FindingKind, n uint64, lane int, o *object, off, size uint64, self, other *party) {
	in := self.in
	key := findingKey{kind: exec.RaceInGroup, pos: min(in.pos, other.in.pos), object: o.number, other: max(in.pos, other.in.pos)}
	if in.pos == 0 {
		key.inst = in.id
	}
	before := x.findings.Get(key)
	within, between := kind == exec.RaceInGroup, kind == exec.RaceBetweenGroups
	if before != nil {
		within, between = within || before.Kind == exec.RaceInGroup, between || before.Kind == exec.RaceBetweenGroups || before.Between
	}
	if f := x.record(key, in, n, lane, o, off, size); f != nil {
		f.OtherPos = other.in.pos
		f.Access, f.OtherAccess = in.raceName(self.kind), other.in.raceName(other.kind)
		if f.ByGroup = other.item == asyncItem; !f.ByGroup {
			f.OtherGlobal = x.globalID(other.group, other.item)
		}
		if self.kind == accAtomic && other.kind == accAtomic {
			f.Note = "the scope of one does not include the other"
		}
	}
	f := x.findings.Get(key)
	f.Kind, f.Between = exec.RaceInGroup, within && between
	if !within {
		f.Kind = exec.RaceBetweenGroups
	}
}

// raceName names an instruction's access to memory.
func (in *inst) raceName(acc accessKind) string {
	name := in.mem.note
	switch {
	case name == "memcopy" && acc == accRead:
		return "load of a copy"
	case in.mem.async && acc == accRead:
		return "load of an async copy"
	case in.mem.async:
		return "store of an async copy"
	}
	return name
}

// raceMarks are the granules with conflicts that a run found.
type raceMarks struct {
	states [][]uint64
	local  []bool
}

// Marks returns the marks of a run that marks races, and ends the run.
func (r *Run) Marks() exec.RaceMarks {
	if r.races == nil {
		return nil
	}
	for _, states := range r.races.states {
		for i, s := range states {
			states[i] = 0
			if s == marked {
				states[i] = unvisited
			}
		}
	}
	return &raceMarks{r.races.states, r.races.local}
}

// Watch sets the treatment of races before the run begins. A run that explains races needs the marks of another
// run of the same launch.
func (r *Run) Watch(mode exec.RaceMode, marks exec.RaceMarks) {
	if r.races == nil {
		return
	}
	r.races.mode = mode
	if mode == exec.ExplainRaces {
		m := marks.(*raceMarks)
		r.races.states, r.races.local = m.states, m.local
	}
}
